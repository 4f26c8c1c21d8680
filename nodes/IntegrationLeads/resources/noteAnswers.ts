/** What a form says beside the fields of a lead becomes a note in the history of the lead, once for each submission. */
import { isNil } from 'lodash';
import { NodeApiError } from 'n8n-workflow';

import type { ComposeContext, FindStep, Result, StepFunctions } from '../operation';
import { createInteraction, getInteractions } from './interaction';

export const noteSteps = { getNotes: getInteractions, createNote: createInteraction };

const TITLE = 'Answers of the form';
const NOT_NOTED =
	'What has no field of a lead was not noted: the API key needs the scopes "interactions:read" and "interactions:write". To leave it out, switch off "Options > Note Other Answers".';

/**
 * A submission that comes again has its note already.
 *
 * @param lead as it was sent
 * @param answers in words, undefined for none
 * @throws NodeApiError, UserError where it is not known whether the note was recorded
 */
export async function noteAnswers(
	lead: Result,
	answers: unknown,
	steps: StepFunctions<typeof noteSteps & { findLead: FindStep }>,
	{ hints }: Pick<ComposeContext, 'hints'>,
): Promise<Result> {
	if (typeof answers !== 'string' || hints.has(NOT_NOTED)) return lead;
	const { record = {}, created } = lead;
	const own = { label: 'External ID', by: 'externalId', value: String(record.externalId) } as const;
	const { id } = isNil(record.id) ? ((await steps.findLead([own]))?.record ?? {}) : record;
	const path = { leadId: String(id) };
	const note = async () => {
		const notes = created === true ? [] : await steps.getNotes({ path });
		if (notes.some((each) => each.record?.description === answers)) return;
		await steps.createNote({ path, body: { type: 'NOTE', title: TITLE, description: answers } });
	};
	await note().catch((reason: unknown) => {
		if (!(reason instanceof NodeApiError) || reason.httpCode !== '403') throw reason;
		hints.add(NOT_NOTED);
	});
	return lead;
}
