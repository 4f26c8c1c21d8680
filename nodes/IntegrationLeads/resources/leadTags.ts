import type { IDataObject } from 'n8n-workflow';

import { hasTag, taggedLead, tagsAsIn, tagsOf } from '../contract/records';
import { reportNote, parseReport } from '../conversion/reported';
import { additionalBody } from '../fields/common';
import { json, options, type WithOptions } from '../fields/options';
import { leadId, MANY_LEADS, tagNames } from '../fields/leadFields';
import type {
	ComposeContext,
	RequestDeclaration,
	Result,
	RunContext,
	SendOptions,
	StepFunctions,
	Values,
} from '../operation';
import { compose } from '../operation';
import { InputError, UserError } from '../userError';
import { toObject } from '../values/convert';
import { isRecord, type ServiceRecord } from '../values/json';
import { isSameWord } from '../values/words';
import { agentSteps, personOfLead, refuseAgent } from './compareLead';
import { createInteraction } from './interaction';
import { getLead } from './leadRequests';

const tagOptions = [
	additionalBody,
	json('Reported Event', 'reportedEvent', '{}', {
		convert: toObject,
		displayOptions: { hide: { '@tool': [true] } },
		description:
			'An event that a platform took, as Get Conversions made it for Google Data Manager or Meta. Its amount, day and ID are noted in the lead first: by that note, Get Conversions finds what changes later.',
	}),
];

type TagValues = WithOptions<typeof tagOptions>;

const addTagsRequest = {
	name: 'Add Tags',
	action: 'Add tags to lead',
	description: 'Add tags to a lead and keep those it has',
	when: 'Use it to tag a lead whose ID is known. Give the names of the tags, and the name or email of the person.',
	scope: { assumed: 'leads:write' },
	otherScopes: {
		'read the lead where the answer shows no tags': ['leads:read'],
		'compare the person whom an agent names': ['leads:read', 'contacts:read'],
		'note what was reported': ['interactions:write'],
	},
	route: 'POST /leads/{leadId}/tags',
	repeatable: true,
	parameters: [
		leadId,
		{ ...tagNames, required: true, hint: MANY_LEADS },
		personOfLead,
		options(tagOptions),
	],
	output: { kind: 'one', record: taggedLead },
} satisfies RequestDeclaration;

const namesOfTags = ({ tags }: IDataObject) => (tags ?? []) as string[];

/** The tags of a body that a lead does not show. */
const tagsMissingIn = ({ tags }: IDataObject, lead: ServiceRecord) =>
	namesOfTags({ tags }).filter((tag) => !hasTag(lead, tag));

export const tagSteps = { addTags: addTagsRequest, getLead };

/**
 * Adds tags, and makes sure that the lead has them: workflows know by a tag what they have done. What the request answers is
 * not shown (spec 4.6), so where it does not show the tags, the lead is read.
 */
export async function ensureTags(
	{ path, body }: Pick<Values, 'path' | 'body'>,
	steps: StepFunctions<typeof tagSteps>,
	sendOptions?: SendOptions,
): Promise<Result> {
	const missingIn = ({ record = {} }: Result) => tagsMissingIn(body, record);
	const added = await steps.addTags({ path, body }, sendOptions);
	const found = missingIn(added).length > 0 ? await steps.getLead({ path }) : added;
	const missing = missingIn(found).map((tag) => `"${tag}"`);
	if (missing.length === 0) return found;
	throw new UserError(
		`The service confirmed ${missing.join(' and ')}, but the lead ${path.leadId} still lacks ${missing.length > 1 ? 'them' : 'it'}`,
		'The lead was read after the request, and its "tags" do not show it. Check in the leads service whether the tag can be added.',
	);
}

const REPORT_NOT_NOTED = {
	scopes: ['interactions:write'],
	hint: 'What was reported is not noted, so Get Conversions cannot find what changes later: the API key needs the scope "interactions:write".',
};

const addTagsSteps = { ...tagSteps, ...agentSteps, createNote: createInteraction };

/** Notes what was reported, and then adds the tags: what is tagged is not sent again, so the note would never follow. */
async function noteAndTag(
	values: TagValues,
	steps: StepFunctions<typeof addTagsSteps>,
	context: ComposeContext,
): Promise<Result> {
	await refuseAgent(values, steps, context);
	const { found: existing } = context;
	const report = reportToNote(values, context);
	if (report) {
		const note = { path: values.path, body: reportNote(report) };
		await context.ifPermitted(REPORT_NOT_NOTED, async () => await steps.createNote(note));
	}
	// Where the lead was given by its ID, nothing shows what it had, and reading it would take a request more for each item.
	if (!existing || !tagsOf(existing)) {
		const tagged = await ensureTags(values, steps);
		hintSpellings(values.body, tagged.record, context);
		return tagged;
	}
	const tags = tagsAsIn(existing, namesOfTags(values.body));
	hintSpellings(values.body, existing, context);
	const tagged = await ensureTags({ ...values, body: { ...values.body, tags } }, steps);
	return { ...tagged, extra: { ...tagged.extra, addedTags: tagsMissingIn({ tags }, existing) } };
}

/** Names the tags that the lead has in another spelling than the one that was given. */
function hintSpellings(
	body: IDataObject,
	lead: ServiceRecord | undefined,
	{ hints, found }: ComposeContext,
): void {
	for (const tag of namesOfTags(body)) {
		const others = tagsOf(lead ?? {})?.filter((name) => name !== tag && isSameWord(name, tag));
		for (const other of others ?? []) {
			hints.add(
				found
					? `The lead has the tag "${String(other)}", so "${tag}" was not added.`
					: `The lead has the tags "${tag}" and "${String(other)}", which differ only in their spelling. If they are one, take the other away with Lead > Remove Tag.`,
			);
		}
	}
}

const reportToNote = ({ options: { reportedEvent } }: TagValues, { timezone }: RunContext) =>
	isRecord(reportedEvent) ? parseReport(reportedEvent, timezone) : undefined;

export const addTags = compose({
	...addTagsRequest,
	steps: addTagsSteps,
	check: (values: TagValues, context) => {
		if (!isRecord(values.options.reportedEvent) || reportToNote(values, context)) return;
		throw new InputError(
			'"Reported Event" is not an event that Get Conversions made for Google Data Manager or Meta',
			'Give the whole item, with its event_id or transactionId.',
		);
	},
	run: noteAndTag,
});
