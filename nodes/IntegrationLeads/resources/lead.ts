import { compact, isNil, omit, union, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { parseList } from '../contract/envelope';
import { documentedValues, hasTag, lead, listedLead, upsertedLead } from '../contract/records';
import { additionalBody, fieldsToUpdate, listParameters, locator } from '../fields/common';
import { choice, collection, flag, options, type WithOptions } from '../fields/options';
import { contactFields, contactLocator } from '../fields/contactFields';
import {
	createContactIfNotFound,
	leadFields,
	externalId,
	filters,
	leadId,
	contactReference,
	protocol,
	status,
	tagNames,
} from '../fields/leadFields';
import { isUpsertByExternalId, addressesIn, requireLead, requireUpdate } from '../fields/check';
import { externalIdColumn, leadFromColumns } from '../columns/mapping';
import type {
	ComposeContext,
	ComposedOperation,
	FindStep,
	Parameter,
	RequestOperation,
	Resource,
	Result,
	StepFunctions,
	Values,
} from '../operation';
import { compose } from '../operation';
import { ServiceError, UnconfirmedError, UserError } from '../userError';
import { parseDate } from '../dates/date';
import type { ServiceRecord } from '../values/json';
import { isSameWord } from '../values/words';
import { isBlank } from '../values/convert';
import { fillSteps } from './contact';
import { fillLeadContact } from './fillContact';
import { createInteraction, getInteractions } from './interaction';

/** The lead in the path, for a route that takes either identifier (spec 4.2). */
export const leadIdOrExternalId: Parameter = {
	...leadId,
	lookup: { record: listedLead, modes: ['emailOrPhone'] },
};

/** *Create or Update* takes all fields from the columns of its input. */
const COLUMNS = { specifyLead: ['columns'] };

export const getLead = {
	name: 'Get',
	action: 'Get lead',
	description: 'Get one lead by its ID or by your external ID',
	when: 'Use it to read all fields of a lead, including its value and sale date, which lists leave out.',
	scope: 'leads:read',
	route: 'GET /leads/{leadId}',
	parameters: [leadIdOrExternalId, options()],
	output: { kind: 'one', record: lead },
} satisfies RequestOperation;

export const getLeads = {
	name: 'Get Many',
	action: 'Get many leads',
	description: 'Get a list of leads, or those that match filters',
	when: 'Use it to find leads by name, email, phone, status, tag or date, or to find the ID of one. Email and Phone match whole values, Search matches parts.',
	scope: 'leads:read',
	route: 'GET /leads',
	parameters: [...listParameters, filters, options()],
	output: { kind: 'many', record: listedLead, hasTimeBounds: true },
} satisfies RequestOperation;

const addTagsRequest = {
	name: 'Add Tags',
	action: 'Add tags to lead',
	description: 'Add tags to a lead and keep those it has',
	when: 'Use it to tag a lead whose ID is known. Give the names of the tags.',
	scope: { assumed: 'leads:write' },
	route: 'POST /leads/{leadId}/tags',
	repeatable: true,
	parameters: [leadId, { ...tagNames, required: true }, options([additionalBody])],
	output: { kind: 'one', record: lead },
} satisfies RequestOperation;

export const tagSteps = { addTags: addTagsRequest, getLead };

/**
 * Adds tags, and makes sure that the lead has them: workflows know by a tag what they have done. What the request answers is
 * not shown (spec 4.6), so where it does not show the tags, the lead is read.
 */
export async function ensureTags(
	{ path, body }: Pick<Values, 'path' | 'body'>,
	steps: StepFunctions<typeof tagSteps>,
): Promise<Result> {
	const missingIn = ({ record = {} }: Result) =>
		((body.tags ?? []) as string[]).filter((tag) => !hasTag(record, tag));
	const added = await steps.addTags({ path, body });
	const found = missingIn(added).length > 0 ? await steps.getLead({ path }) : added;
	const missing = missingIn(found).map((tag) => `"${tag}"`);
	if (missing.length === 0) return found;
	throw new UserError(
		`The service answered as if ${missing.join(' and ')} had been added, but the lead ${path.leadId} does not have it`,
		'The lead was read after the request, and its "tags" do not show it. Check in the leads service whether the tag can be added.',
	);
}

const addTags: ComposedOperation = {
	...omit(addTagsRequest, 'route', 'repeatable'),
	compose: compose({ steps: tagSteps, run: ensureTags }),
};

const upsertOptions = [
	additionalBody,
	flag('Look First', 'lookFirst', false, {
		description:
			'Whether to read the lead before it is written, so that the output always says whether it was created or linked',
	}),
	flag('Note Other Answers', 'noteAnswers', true, {
		displayOptions: { show: { '/specifyLead': ['columns'] } },
		description:
			'Whether what a form asks beside the fields of a lead, such as a message, becomes a note in the history of the lead. Rows of a spreadsheet get none.',
	}),
	externalIdColumn({ '/specifyLead': ['columns'] }),
];

type UpsertValues = WithOptions<typeof upsertOptions>;

export const sendLead = {
	name: 'Create or Update',
	action: 'Create or update lead',
	// n8n's linter requires this wording.
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	when: 'The record is a lead. Use it to create a lead, or to change the one with this external ID, code of a tracking link, email or phone.',
	scope: 'leads:write',
	route: 'POST /leads',
	repeatable: isUpsertByExternalId,
	parameters: [
		choice('Specify Lead', 'specifyLead', 'fields', {
			noDataExpression: true,
			options: [
				{
					name: 'Using Columns of the Input',
					value: 'columns',
					description:
						'Each item is a lead, such as a row of a spreadsheet or the answers of a form',
				},
				{ name: 'Using Fields Below', value: 'fields' },
			],
			description:
				'A lead is found by its External ID or Protocol, else by its Email or Phone. If there is none, it is created.',
		}),
		...leadFromColumns(COLUMNS),
		...[
			{
				...externalId,
				description:
					'Your own unique ID of the lead. If a lead has this ID, it is updated; otherwise one is created. Without an ID, the lead is found by Email or Phone.',
				hint: 'The same in every run: the ID of the form submission, the order or the conversation',
			},
			protocol,
			...contactFields.map((field) => ({ ...field, field: `contact.${field.name}` })),
			collection('Additional Fields', 'additionalFields', [
				{
					...contactLocator,
					in: 'body',
					displayName: 'Existing Contact',
					description: 'The existing contact it belongs to, instead of one found by email or phone',
				},
				createContactIfNotFound,
				...leadFields,
			]),
		].map((field): Parameter => ({ ...field, displayOptions: { hide: COLUMNS } })),
		options(upsertOptions),
	],
	output: { kind: 'one', record: upsertedLead, upserts: true },
	outputsInput: true,
	check: requireLead,
	notFound: (body) =>
		body.createContactIfNotFound === false
			? {
					message: 'No existing contact matched what was sent',
					description:
						'The service searched by protocol, external ID, email and phone. Because "If No Contact Exists" is set to Refuse, no lead was created or updated. Choose "Create the Contact" to create one.',
				}
			: undefined,
} satisfies RequestOperation;

export const updateLead = {
	name: 'Update',
	action: 'Update lead',
	description: 'Change fields of a lead',
	when: 'Use it when the ID of the lead is known. A field that is left empty stays as it is.',
	scope: 'leads:write',
	route: 'PUT /leads/{leadId}',
	parameters: [
		leadId,
		...fieldsToUpdate(
			[
				contactReference,
				collection('Contact Data', 'contact', contactFields, {
					in: 'body',
					placeholder: 'Add field',
					description: 'The person. The service looks for an existing contact by email and phone.',
				}),
				externalId,
				...leadFields,
			],
			// A lead always has a status, a priority and a source (assumed).
			leadFields.filter((field) => !field.open),
		),
		options([additionalBody]),
	],
	output: { kind: 'one', record: lead },
	check: requireUpdate,
} satisfies RequestOperation;

/** What {@link updateLead} is sent for a lead that was found, in place of what would create it. */
export function changesOf(found: ServiceRecord, body: ServiceRecord) {
	// What an update does with tags that are not sent is not documented (4.6).
	const tags =
		Array.isArray(found.tags) && Array.isArray(body.tags) && union(found.tags, body.tags);
	const changes = { ...omit(body, 'createContactIfNotFound'), ...(tags && { tags }) };
	return { path: { leadId: String(found.id) }, body: changes as IDataObject };
}

/** To find a lead by its external ID. */
export const byExternalId = (id: unknown) =>
	({ label: 'External ID', by: 'externalId', value: String(id) }) as const;

export const findLead = {
	route: 'GET /leads',
	scope: 'leads:read',
	finds: listedLead,
} satisfies FindStep;

const sendStatus = {
	name: 'Update Status',
	action: 'Update lead status',
	description: 'Change the status of a lead',
	when: 'Use it when the ID of the lead is known and only its status changes.',
	scope: 'leads:write',
	route: 'PATCH /leads/{leadId}/status',
	repeatable: true,
	parameters: [
		leadId,
		{
			...status,
			displayName: 'New Status',
			required: true,
			// Nothing is preselected: a status that nobody chose would be written unseen.
			default: '',
		},
		options(),
	],
	output: { kind: 'one', record: lead },
} satisfies RequestOperation;

/** One page, as it comes. */
const readLeads = { ...getLeads, output: { kind: 'anything' } } satisfies RequestOperation;

/** A request that writes a status, see {@link withKnownStatus}. */
function withStatus(send: RequestOperation): ComposedOperation {
	return {
		...omit(send, 'route', 'repeatable'),
		compose: compose({
			steps: { send, readLeads },
			run: async ({ path, body }, steps, context) => {
				return await steps.send({ path, body: await withKnownStatus(body, steps, context) });
			},
		}),
	};
}

/**
 * A body with its status as the account spells it. The list of statuses is open (spec 2), and a status that a model guesses
 * would move the lead: an agent sends one that is documented or that leads have.
 *
 * @throws UserError with all that are known
 */
async function withKnownStatus(
	body: IDataObject,
	{ readLeads: read }: StepFunctions<{ readLeads: typeof readLeads }>,
	{ tool }: Pick<ComposeContext, 'tool'>,
): Promise<IDataObject> {
	const { status: documented } = documentedValues;
	const given = String(body.status);
	if (!tool || isNil(body.status) || documented.includes(given)) return body;
	const statusesOf = async (query: IDataObject) => {
		const list = parseList((await read({ query })).data, 'leads', {});
		return compact(list?.records.map((each) => each.status)).map(String);
	};
	const own = await statusesOf({ status: given, limit: 1 });
	const seen = uniq([...documented, ...own, ...(await statusesOf({ limit: 100 }))]);
	const spelled = seen.find((each) => isSameWord(each, given));
	if (spelled !== undefined) return { ...body, status: spelled };
	throw new UserError(
		`No lead has the status "${given}"`,
		`Choose one of those that leads have: ${seen.join(', ')}.`,
	);
}

const noteSteps = { getNotes: getInteractions, createNote: createInteraction };

const upsertSteps = { findLead, sendLead, updateLead, ...fillSteps, ...noteSteps, readLeads };

const TITLE = 'Answers of the form';
const TWO_PEOPLE =
	'The email and the phone of a form belong to two people. The answers went to the lead of the email, and the phone is in its note.';
const NOT_NOTED =
	'What has no field of a lead was not noted: the API key needs the scopes "interactions:read" and "interactions:write". To leave it out, switch off "Options > Note Other Answers".';

/**
 * What a form says beside the fields of a lead becomes a note in the history of the lead. A submission that comes again has its
 * note already.
 *
 * @param lead as it was sent
 * @param answers in words, undefined for none
 * @throws ServiceError, UserError where it is not known whether the note was recorded
 */
async function noteAnswers(
	lead: Result,
	answers: unknown,
	steps: StepFunctions<typeof upsertSteps>,
	{ hints }: Pick<ComposeContext, 'hints'>,
): Promise<Result> {
	if (typeof answers !== 'string' || hints.has(NOT_NOTED)) return lead;
	const { record = {}, created } = lead;
	const own = [byExternalId(record.externalId)];
	const { id } = isNil(record.id) ? ((await steps.findLead(own))?.record ?? {}) : record;
	const path = { leadId: String(id) };
	const note = async () => {
		const notes = created === true ? [] : await steps.getNotes({ path });
		if (notes.some((each) => each.record?.description === answers)) return;
		await steps.createNote({ path, body: { type: 'NOTE', title: TITLE, description: answers } });
	};
	const noted = note().then(() => ({ noted: answers }));
	const said = await noted.catch((reason: unknown) => {
		if (!(reason instanceof ServiceError) || !reason.isForbidden) throw reason;
		hints.add(NOT_NOTED);
	});
	return { ...lead, extra: { ...lead.extra, ...said } };
}

/** Says in the output that a sale is later than today. */
export function futureSale(
	{ saleDate }: ServiceRecord,
	{ hints, now, timezone }: ComposeContext,
): { differences?: string } {
	const soldAt = isBlank(saleDate) ? undefined : parseDate(String(saleDate), timezone);
	if (!soldAt || soldAt.startOf('day').toMillis() <= now) return {};
	hints.add('The date of a sale is in the future. Check how its day and month are written.');
	return { differences: `The sale date ${soldAt.toISODate()} is in the future.` };
}

/**
 * By its external ID or protocol; without them, it is the lead whose contact has the email and the phone. That one is updated by
 * its external ID or, if it has none, by its ID; where no lead has them, one is created with the email as its external ID, or
 * else the phone.
 */
async function upsertLead(
	{ body, options, settings }: UpsertValues,
	steps: StepFunctions<typeof upsertSteps>,
	context: ComposeContext,
): Promise<Result> {
	const { contact } = body;
	const fill = async (lead: Result, before?: Result) => {
		const said = compact([lead.extra.differences, futureSale(body, context).differences]);
		const extra = { ...lead.extra, ...(said.length > 0 && { differences: said.join(' ') }) };
		const how = { steps, context, reads: before !== undefined };
		return await fillLeadContact({ ...lead, extra }, body.contact, how, before);
	};
	if (body.externalId || body.protocol) {
		const looks = options.lookFirst && !isBlank(body.externalId);
		const own = [byExternalId(body.externalId)];
		const before = looks ? ((await steps.findLead(own))?.record ?? null) : undefined;
		return await fill(await steps.sendLead({ body }, { existing: before }));
	}
	const lookups = addressesIn(contact);
	const found = await steps.findLead(lookups).catch(async (reason: unknown) => {
		const isMistake = reason instanceof UserError && !(reason instanceof UnconfirmedError);
		if (!isMistake || typeof settings.answers !== 'string' || lookups.length < 2) throw reason;
		// What a visitor writes is not lost because the phone is somebody else's.
		const ofEmail = await steps.findLead(lookups.slice(0, 1), { orNone: true });
		if (!ofEmail) throw reason;
		const { phone } = contact as ServiceRecord;
		settings.answers += `\nPhone: ${String(phone)}`;
		context.hints.add(TWO_PEOPLE);
		body.contact = omit(contact as IDataObject, 'phone');
		return ofEmail;
	});
	if (!found) {
		const own = { ...body, externalId: lookups[0].value };
		return await fill(await steps.sendLead({ body: own }, { searchedFirst: true }));
	}
	const { record: before = {} } = found;
	return await context.inTurn(String(before.id), async () => {
		if (!isBlank(before.externalId)) {
			const own = { ...body, externalId: String(before.externalId) };
			return await fill(await steps.sendLead({ body: own }, { existing: before }), found);
		}
		const updated = await fill(await steps.updateLead(changesOf(before, body)), found);
		return { ...updated, created: false, extra: { linked: false, ...updated.extra } };
	});
}

const upsert: ComposedOperation = {
	...omit(sendLead, 'route', 'repeatable'),
	takesAnswers: true,
	compose: compose({
		steps: upsertSteps,
		fillsContact: true,
		run: async (values: UpsertValues, steps, context) => {
			const body = await withKnownStatus(values.body, steps, context);
			const sent = await upsertLead({ ...values, body }, steps, context);
			return await noteAnswers(sent, values.settings.answers, steps, context);
		},
	}),
};

export const leads: Resource = {
	name: 'Lead',
	description: 'A person or company that showed interest',
	defaultOperation: 'upsert',
	operations: {
		addTags,
		upsert,
		get: getLead,
		getAll: getLeads,
		removeTag: {
			name: 'Remove Tag',
			action: 'Remove tag from lead',
			description: 'Remove a tag from a lead without deleting the tag',
			when: 'Use it only when told to, with the exact IDs of the lead and the tag; a name is not an ID.',
			scope: { assumed: 'leads:write' },
			route: 'DELETE /leads/{leadId}/tags/{tagId}',
			parameters: [
				leadId,
				{
					...locator({
						displayName: 'Tag',
						name: 'tagId',
						description: 'The tag to remove',
						searchListMethod: 'searchTags',
						searchFor: 'spring campaign',
						example: '4b1d9c52-8e07-4f6d-b2a3-5c7e9f10a8d4',
						findHint: 'Choose the tag From List. Tag > Get Many finds its ID.',
					}),
					in: 'path',
					required: true,
				},
			],
			output: { kind: 'deleted' },
		},
		update: withStatus(updateLead),
		updateStatus: withStatus(sendStatus),
	},
};
