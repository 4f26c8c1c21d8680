/** *Lead > Create or Update*: sends one lead, fills its contact, and notes the answers of a form. */
import { compact, isNil, omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

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
 * @param settings.answers the text of the note, undefined for none
 * @param settings.ad the ad of the form, as *Get Conversions* reads it
 * @returns the lead, with `noted` if there is a note
 * @throws ServiceError, or UnconfirmedError when it is unknown whether the note was recorded
 */
async function noteAnswers(
	lead: Result,
	{ answers, ad: metadata }: IDataObject,
	steps: StepFunctions<typeof upsertSteps>,
	{ ifPermitted }: Pick<ComposeContext, 'ifPermitted'>,
): Promise<Result> {
	if (typeof answers !== 'string') return lead;
	const { record = {}, created } = lead;
	const own = [byExternalId(record.externalId)];
	const { id } = isNil(record.id) ? ((await steps.findLead(own))?.record ?? {}) : record;
	const path = { leadId: String(id) };
	const note = async () => {
		const notes = created === true ? [] : await steps.getNotes({ path });
		if (!notes.some((each) => each.record?.description === answers)) {
			const body = { type: 'NOTE', title: TITLE, description: answers };
			await steps.createNote({ path, body: { ...body, ...(isRecord(metadata) && { metadata }) } });
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

/**
 * Creates or updates a lead by its external ID or protocol. Without these, updates the lead whose contact has the email and
 * the phone, by its external ID or else by its ID. If there is none, creates one with the email, or else the phone, as its
 * external ID, so that the next submission of the same person finds it.
 */
async function upsertLead(
	{ options, settings, ...values }: UpsertValues,
	steps: StepFunctions<typeof upsertSteps>,
	context: ComposeContext,
): Promise<Result> {
	const { body, leadId, remark } = await chooseCode(values.body, settings.codes, steps);
	const { contact } = body;
	const fill = async (lead: Result, before?: Result) => {
		const said = compact([remark, lead.extra.differences, futureSale(body, context).differences]);
		const extra = { ...lead.extra, ...(said.length > 0 && { differences: said.join(' ') }) };
		const isOld = context.isCorrection && lead.created !== true;
		const how = { steps, context, reads: isOld || before !== undefined };
		return withSentPhone(
			await fillLeadContact({ ...lead, extra }, body.contact, how, before),
			body.contact,
		);
	};
	if (body.externalId || body.protocol) {
		const wantsLook = options.lookFirst || context.tool || context.isCorrection;
		const looks = wantsLook && !isBlank(body.externalId);
		const own = [byExternalId(body.externalId)];
		const before = looks ? ((await steps.findLead(own))?.record ?? null) : undefined;
		if (context.tool && before) await refuseOtherPerson(before, body, steps);
		const sent = await steps.sendLead({ body }, { existing: before });
		const isLinked = !isNil(leadId) && String(sent.record?.id) === String(leadId);
		return await fill(
			isLinked ? { ...sent, created: false, extra: { ...sent.extra, linked: true } } : sent,
		);
	}
	const lookups = addressesIn(contact);
	const found = await steps
		.findLead(lookups, { person: contact })
		.catch(async (reason: unknown) => {
			const isAmbiguous = reason instanceof UserError && !(reason instanceof UnconfirmedError);
			if (!isAmbiguous || typeof settings.answers !== 'string' || lookups.length < 2) throw reason;
			// The answers of a visitor must not be lost because the phone is somebody else's: the email decides.
			const ofEmail = await steps.findLead(lookups.slice(0, 1));
			const { phone } = toRecord(contact);
			settings.answers += `\nPhone: ${String(phone)}`;
			context.hints.add(TWO_PEOPLE);
			body.contact = omit(toRecord(contact), 'phone');
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
		// Another item may have written it since it was found, and tags are joined to those that it has.
		const own = { label: 'ID', by: 'id', value: String(before.id) } as const;
		const current = isBlank(body.tags) ? found : await steps.findLead([own], { orNone: true });
		const changes = changesOf(current?.record ?? before, body);
		const updated = await fill(await steps.updateLead(changes), found);
		return { ...updated, created: false, extra: { linked: false, ...updated.extra } };
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
			return await noteAnswers(sent, values.settings, steps, context);
		},
	}),
};
