/** Adds other columns or answers to the history of a lead. */
import { compact, isNil, pick } from 'lodash';

import type { Lookup } from '../contract/records';
import { differencesIn, withRemark } from '../contract/differences';
import { contactLookups, byExternalId } from '../contract/leadKey';
import type { ComposeContext, Result, StepFunctions } from '../operation';
import { isBlank } from '../values/convert';
import type { ServiceRecord } from '../values/json';
import { createInteraction, getInteractions } from './interaction';
import { findLead, type UpsertValues } from './leadRequests';

export const noteSteps = { findLead, getNotes: getInteractions, createNote: createInteraction };

const TITLE = 'Other columns or answers';
const NOT_NOTED =
	'Other columns or answers were not noted: the API key needs the scopes "interactions:read" and "interactions:write".';
const TO_LEAVE_OUT =
	'To leave them out, switch off "Options > Note Other Answers" and "Note Other Columns".';

const LEAD_NOT_SHOWN =
	'Other columns or answers were not noted: the service answered without the lead, and it was not found afterwards.';

/**
 * Adds the columns or answers that are not fields of a lead to the lead's history, as a note. If the same submission arrives
 * again, the note is there already and is not repeated.
 *
 * @param lead as it was sent
 * @param values.extracted.answers the text of the note
 * @returns the lead, with `noted` if there is a note
 * @throws ServiceError, or UnconfirmedError when it is unknown whether the note was recorded
 */
export async function noteAnswers(
	lead: Result,
	{ body, extracted: { answers, ad: metadata } }: Pick<UpsertValues, 'body' | 'extracted'>,
	steps: StepFunctions<typeof noteSteps>,
	context: ComposeContext,
): Promise<Result> {
	const { ifPermitted, hints } = context;
	const { record = {}, created } = lead;
	const shown = isNil(record.id) ? await findSent(lead, body, steps, context) : record;
	const { id } = shown ?? {};
	if (isNil(id)) {
		hints.add(LEAD_NOT_SHOWN);
		return withRemark(lead, LEAD_NOT_SHOWN);
	}
	const path = { leadId: String(id) };
	const isNew = created === true;
	const note = async () => {
		const notes = isNew ? [] : await steps.getNotes({ path });
		if (!notes.some(({ record: existing }) => existing?.description === answers)) {
			const body = { type: 'NOTE', title: TITLE, description: answers };
			await steps.createNote({ path, body: { ...body, ...(metadata && { metadata }) } });
		}
		return { noted: answers };
	};
	const scopes = [...(isNew ? [] : ['interactions:read']), 'interactions:write'];
	const noted = await ifPermitted({ scopes, hint: `${NOT_NOTED} ${TO_LEAVE_OUT}` }, note);
	return noted ? { ...lead, extra: { ...lead.extra, ...noted } } : withRemark(lead, NOT_NOTED);
}

/**
 * Finds the lead that was sent, where the answer does not show what is needed of it: by the external ID that the answer shows, or
 * else by the values that were sent.
 *
 * @returns undefined if they do not lead to one
 */
export async function findSent(
	{ record = {} }: Result,
	body: ServiceRecord,
	{ findLead: find }: Pick<StepFunctions<typeof noteSteps>, 'findLead'>,
	context: Pick<ComposeContext, 'countryCode'>,
): Promise<ServiceRecord | undefined> {
	const isShown = !isBlank(record.externalId);
	// By a tracking code, it may be another lead than that of the values.
	if (!isShown && !isBlank(body.protocol)) return undefined;
	const { externalId } = isShown ? record : body;
	const lookups = isBlank(externalId)
		? contactLookups(body.contact, context)
		: [byExternalId(externalId)];
	return (await find(lookups, { orNone: true }))?.record;
}

/** Adds an email or a phone that a contact did not get to what is noted. */
export function noteAddress({ label, value }: Lookup, extracted: UpsertValues['extracted']): void {
	noteValue(label, value, extracted);
}

function noteValue(label: string, value: unknown, extracted: UpsertValues['extracted']): void {
	const { answers, isForm } = extracted;
	const line = `${label}: ${String(value)}`;
	if ((answers === undefined && !isForm) || answers?.split('\n').includes(line)) return;
	extracted.answers = compact([answers, line]).join('\n');
}

const PERSON_LABELS = { name: 'Name', email: 'Email', phone: 'Phone' };

/**
 * Adds what a visitor of a form wrote of the own person to what is noted, where the contact keeps another value.
 *
 * @param sent the contact as it was sent
 * @param contact as it is afterwards
 */
export function noteOtherValues(
	sent: ServiceRecord,
	contact: ServiceRecord,
	extracted: UpsertValues['extracted'],
): void {
	for (const [field, label] of Object.entries(PERSON_LABELS)) {
		const [written, kept] = [sent, contact].map((record) => pick(record, field));
		if (isBlank(written[field]) || differencesIn(written, kept) === undefined) continue;
		noteValue(label, written[field], extracted);
	}
}
