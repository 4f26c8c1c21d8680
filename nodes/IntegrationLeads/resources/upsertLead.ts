/** *Lead > Create or Update*: sends one lead, fills its contact, and notes the answers of a form. */
import { compact, isNil, omit } from 'lodash';

import { addressesIn } from '../fields/check';
import type { ComposeContext, ComposedOperation, Result, StepFunctions } from '../operation';
import { compose } from '../operation';
import { UnconfirmedError, UserError } from '../userError';
import { isRecord, toRecord } from '../values/json';
import { isBlank } from '../values/convert';
import { fillSteps } from './contact';
import { fillLeadContact } from './fillContact';
import { createInteraction, getInteractions } from './interaction';
import { futureSale } from './futureSale';
import {
	findLead,
	sendLead,
	updateLead,
	byExternalId,
	type UpsertValues,
	changesOf,
} from './leadRequests';
import { readLeads, withKnownStatus } from './leadStatus';
import { chooseCode, codeSteps, refuseOtherPerson } from './trackingCode';

const noteSteps = { getNotes: getInteractions, createNote: createInteraction };

const upsertSteps = {
	findLead,
	sendLead,
	updateLead,
	...fillSteps,
	...noteSteps,
	...codeSteps,
	readLeads,
};

const TITLE = 'Answers of the form';
const TWO_PEOPLE =
	'The email and the phone of a form belong to two people. The answers went to the lead of the email, and the phone is in its note.';
const NOT_NOTED =
	'Other answers were not noted: the API key needs the scopes "interactions:read" and "interactions:write". To leave them out, switch off "Options > Note Other Answers".';

/**
 * Adds the answers of a form that are not fields of a lead to the lead's history, as a note. If the same submission arrives
 * again, the note is there already and is not repeated.
 *
 * @param lead as it was sent
 * @param answers the text of the note, undefined for none
 * @returns the lead, with `noted` if there is a note
 * @throws ServiceError, or UnconfirmedError when it is unknown whether the note was recorded
 */
async function noteAnswers(
	lead: Result,
	answers: unknown,
	steps: StepFunctions<typeof upsertSteps>,
	{ ifPermitted }: Pick<ComposeContext, 'ifPermitted'>,
): Promise<Result> {
	if (typeof answers !== 'string') return lead;
	const { record = {}, created } = lead;
	const lookups = [byExternalId(record.externalId)];
	const { id } = isNil(record.id) ? ((await steps.findLead(lookups))?.record ?? {}) : record;
	const path = { leadId: String(id) };
	const note = async () => {
		const notes = created === true ? [] : await steps.getNotes({ path });
		if (!notes.some(({ record: existing }) => existing?.description === answers)) {
			await steps.createNote({ path, body: { type: 'NOTE', title: TITLE, description: answers } });
		}
		return { noted: answers };
	};
	return { ...lead, extra: { ...lead.extra, ...(await ifPermitted(NOT_NOTED, note)) } };
}

/** Adds the phone that was sent if the answer shows none: the next node may send a message to it. */
function withSentPhone(lead: Result, sent: unknown): Result {
	const phoneOf = (contact: unknown) => (isRecord(contact) ? contact.phone : undefined);
	const phone = phoneOf(sent);
	if (isBlank(phone) || !isBlank(phoneOf(lead.record?.contact))) return lead;
	return { ...lead, extra: { ...lead.extra, phone: String(phone) } };
}

/** One lead to send, with what the functions below need for it. */
interface Submission extends Pick<UpsertValues, 'body' | 'settings' | 'options'> {
	/** The ID of the lead that has the tracking code, where it was looked up. */
	leadId?: unknown;
	steps: StepFunctions<typeof upsertSteps>;
	context: ComposeContext;
	/**
	 * Fills the contact of the lead as it was sent, and adds what the output reports.
	 *
	 * @param contact as it was sent
	 * @param found the lead as a search found it
	 */
	complete(sent: Result, contact: unknown, found?: Result): Promise<Result>;
}

/** Creates or updates a lead by its external ID, its protocol, or the email and phone of its contact. */
async function upsertLead(
	values: UpsertValues,
	steps: StepFunctions<typeof upsertSteps>,
	context: ComposeContext,
): Promise<Result> {
	const { settings, options } = values;
	const { body, leadId, remark } = await chooseCode(values.body, settings.codes, steps);
	const complete: Submission['complete'] = async (sent, contact, found) => {
		const remarks = [remark, sent.extra.differences, futureSale(body, context).differences];
		const differences = compact(remarks).join(' ');
		const lead = { ...sent, extra: { ...sent.extra, ...(differences && { differences }) } };
		const reads = found !== undefined || (context.isCorrection && sent.created !== true);
		const filled = await fillLeadContact(lead, contact, { steps, context, reads }, found);
		return withSentPhone(filled, contact);
	};
	const submission = { body, leadId, settings, options, steps, context, complete };
	const isNamed = body.externalId || body.protocol;
	return isNamed ? await upsertByName(submission) : await upsertByContact(submission);
}

/** Creates or updates the lead that the service finds by external ID or protocol. */
async function upsertByName({
	body,
	leadId,
	options,
	steps,
	context,
	complete,
}: Submission): Promise<Result> {
	const wantsLook = options.lookFirst || context.tool || context.isCorrection;
	const looks = wantsLook && !isBlank(body.externalId);
	const existing = looks
		? ((await steps.findLead([byExternalId(body.externalId)]))?.record ?? null)
		: undefined;
	if (context.tool && existing) await refuseOtherPerson(existing, body, steps);
	const sent = await steps.sendLead({ body }, { existing });
	const isLinked = !isNil(leadId) && String(sent.record?.id) === String(leadId);
	return await complete(
		isLinked ? { ...sent, created: false, extra: { ...sent.extra, linked: true } } : sent,
		body.contact,
	);
}

/**
 * Updates the lead whose contact has the email and the phone, by its external ID or else by its ID. If there is none, creates one
 * with the email, or else the phone, as its external ID, so that the next submission of the same person finds it.
 */
async function upsertByContact(submission: Submission): Promise<Result> {
	const { steps, context, complete } = submission;
	const { body, found } = await findByContact(submission);
	const { contact } = body;
	if (!found) {
		const named = { ...body, externalId: addressesIn(contact)[0].value };
		return await complete(await steps.sendLead({ body: named }, { searchedFirst: true }), contact);
	}
	const { record: existing = {} } = found;
	return await context.inTurn(String(existing.id), async () => {
		if (!isBlank(existing.externalId)) {
			const named = { ...body, externalId: String(existing.externalId) };
			return await complete(await steps.sendLead({ body: named }, { existing }), contact, found);
		}
		// Another item may have written it since it was found, and tags are joined to those that it has.
		const byId = { label: 'ID', by: 'id', value: String(existing.id) } as const;
		const current = isBlank(body.tags) ? found : await steps.findLead([byId], { orNone: true });
		const changes = changesOf(current?.record ?? existing, body);
		const updated = await complete(await steps.updateLead(changes), contact, found);
		return { ...updated, created: false, extra: { linked: false, ...updated.extra } };
	});
}

/**
 * Finds the lead of the email and the phone. Where they belong to two people, the answers of a form go to the lead of the email,
 * because the visitor cannot be asked: the phone is then only noted.
 *
 * @param submission its setting `found` is the lead, where a push has found it already
 * @returns the lead, and the body to send
 * @throws ServiceError, or UserError unless just one lead is meant
 */
async function findByContact({
	body,
	settings,
	steps,
	context,
}: Submission): Promise<{ body: Submission['body']; found?: Result }> {
	const { contact } = body;
	const lookups = addressesIn(contact);
	if (isRecord(settings.found)) return { body, found: { record: settings.found, extra: {} } };
	const search = async () => ({ body, found: await steps.findLead(lookups, { person: contact }) });
	return await search().catch(async (reason: unknown) => {
		const isAmbiguous = reason instanceof UserError && !(reason instanceof UnconfirmedError);
		if (!isAmbiguous || typeof settings.answers !== 'string' || lookups.length < 2) throw reason;
		const found = await steps.findLead(lookups.slice(0, 1));
		const { phone, ...others } = toRecord(contact);
		settings.answers += `\nPhone: ${String(phone)}`;
		context.hints.add(TWO_PEOPLE);
		return { body: { ...body, contact: others }, found };
	});
}

export const upsert: ComposedOperation = {
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
