import type { IDataObject } from 'n8n-workflow';

import { hasTag, taggedLead, tagsOf } from '../contract/records';
import { additionalBody } from '../fields/common';
import { options } from '../fields/options';
import { leadId, MANY_LEADS, tagNames } from '../fields/leadFields';
import type { RequestDeclaration, Result, SendOptions, StepFunctions, Values } from '../operation';
import { compose } from '../operation';
import { UserError } from '../userError';
import type { ServiceRecord } from '../values/json';
import { getLead } from './leadRequests';

const addTagsRequest = {
	name: 'Add Tags',
	action: 'Add tags to lead',
	description: 'Add tags to a lead and keep those it has',
	when: 'Use it to tag a lead whose ID is known. Give the names of the tags.',
	scope: { assumed: 'leads:write' },
	otherScopes: { 'read the lead where the answer shows no tags': ['leads:read'] },
	route: 'POST /leads/{leadId}/tags',
	repeatable: true,
	parameters: [
		leadId,
		{ ...tagNames, required: true, hint: MANY_LEADS },
		options([additionalBody]),
	],
	output: { kind: 'one', record: taggedLead },
} satisfies RequestDeclaration;

/** The tags of a body that a lead does not show. */
const tagsMissingIn = ({ tags }: IDataObject, lead: ServiceRecord) =>
	((tags ?? []) as string[]).filter((tag) => !hasTag(lead, tag));

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

export const addTags = compose({
	...addTagsRequest,
	steps: tagSteps,
	run: async (values, steps, { attempt: { found } }) => {
		const tagged = await ensureTags(values, steps);
		// Where the lead was given by its ID, nothing shows what it had, and reading it would take a request more for each item.
		if (!found || !tagsOf(found)) return tagged;
		return { ...tagged, extra: { ...tagged.extra, addedTags: tagsMissingIn(values.body, found) } };
	},
});
