/** Requests about leads, each of which is an operation of its own or a step of several. */
import { omit, union } from 'lodash';

import { isSafeToRepeat } from '../contract/leadKey';
import { lead, listedLead, movedLead, upsertedLead } from '../contract/records';
import { additionalBody, fieldsToUpdate, listParameters } from '../fields/common';
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
} from '../fields/leadFields';
import { requireUpdate } from '../fields/check';
import { externalIdColumn, leadFromColumns, noteColumns } from '../columns/mapping';
import type { FindStep, Parameter, RequestDeclaration, ComposeContext } from '../operation';
import type { ServiceRecord } from '../values/json';
import { parseDate } from '../dates/date';
import { requireLead } from './requireLead';
import { isBlank } from '../values/convert';

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
	when: 'Use it to read all fields of a lead, including its value and sale date, which lists leave out. It takes the ID, the external ID, the email, or the phone with its country code and a plus.',
	scope: 'leads:read',
	route: 'GET /leads/{leadId}',
	parameters: [leadIdOrExternalId, options()],
	output: { kind: 'one', record: lead },
} satisfies RequestDeclaration;

export const getLeads = {
	name: 'Get Many',
	action: 'Get many leads',
	description: 'Get a list of leads, or those that match filters',
	when: 'Use it to find leads by name, email, phone, status, tag or date, or to find the ID of one. Email and Phone match whole values, Search matches parts.',
	scope: 'leads:read',
	route: 'GET /leads',
	parameters: [...listParameters, filters, options()],
	output: { kind: 'many', record: listedLead, hasTimeBounds: true },
} satisfies RequestDeclaration;

export const lookFirst = flag('Look First', 'lookFirst', false, {
	description:
		'Whether to read the lead of an external ID before it is written. One of another person is then refused, one of this person keeps its contact, and the output says whether it was created or linked, and which lead was won and gets another status, value or sale date. It takes one more request for each lead.',
});

const upsertOptions = [
	additionalBody,
	lookFirst,
	flag('Note Other Answers', 'noteAnswers', true, {
		displayOptions: { show: { '/specifyLead': ['columns'] } },
		description:
			'Whether what a form asks beside the fields of a lead, such as a message, becomes a note in the history of the lead. Rows of a spreadsheet get none.',
	}),
	noteColumns({ '/specifyLead': ['columns'] }),
	externalIdColumn({ '/specifyLead': ['columns'] }),
];

export type UpsertValues = WithOptions<typeof upsertOptions>;

export const upsertLead = {
	name: 'Create or Update',
	action: 'Create or update lead',
	// n8n's linter requires this wording.
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	when: 'The record is a lead. Use it to create a lead, or to change the one with this external ID, code of a tracking link, email or phone.',
	scope: 'leads:write',
	route: 'POST /leads',
	repeatable: isSafeToRepeat,
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
				hint: 'The same in every run: the ID in your CRM or shop. For a form, leave it empty: the email or phone identifies the person',
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
					remedy:
						'The service searched by protocol, external ID, email and phone. Because "If No Contact Exists" is set to Refuse, no lead was created or updated. Choose "Create the Contact" to create one.',
				}
			: undefined,
} satisfies RequestDeclaration;

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
			leadFields.filter((field) => !field.enumeration),
		),
		options([additionalBody]),
	],
	output: { kind: 'one', record: movedLead },
	check: requireUpdate,
} satisfies RequestDeclaration;

/** The values for {@link updateLead} that have the effect of an upsert on a lead that was found. */
export function changesOf(found: ServiceRecord, body: ServiceRecord) {
	// Whether an update removes tags that are not sent is not documented (4.6), so the existing ones are sent as well.
	const tags =
		Array.isArray(found.tags) && Array.isArray(body.tags) && union(found.tags, body.tags);
	const changes = { ...omit(body, 'createContactIfNotFound'), ...(tags && { tags }) };
	return { path: { leadId: String(found.id) }, body: changes };
}

export const findLead = {
	route: 'GET /leads',
	scope: 'leads:read',
	finds: listedLead,
} satisfies FindStep;

/** Returns a remark for the output if the sale is dated later than today, since day and month may be swapped. */
export function futureSale(
	{ saleDate }: ServiceRecord,
	{ hints, now, timezone }: ComposeContext,
): { differences?: string } {
	const soldAt = isBlank(saleDate) ? undefined : parseDate(String(saleDate), timezone);
	if (!soldAt || soldAt.startOf('day').toMillis() <= now) return {};
	hints.add('The date of a sale is in the future. Check how its day and month are written.');
	return { differences: `The sale date ${soldAt.toISODate()} is in the future.` };
}
