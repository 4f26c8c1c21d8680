/**
 * Creates or updates one lead by its external ID, its tracking code, or the email and phone of its contact; fills its contact, and
 * notes other columns or answers.
 */
import { isEmpty, isNil, omit, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import {
	byExternalId,
	byLeadId,
	contactLookups,
	hasLeadKey,
	mayMoveContact,
} from '../contract/leadKey';
import {
	type ComposeContext,
	type Result,
	type SendOptions,
	type StepFunctions,
	compose,
} from '../operation';
import { tagsAsIn, type Lookup } from '../contract/records';
import { hadId, noteUnlooked, remarkReplaced, withRemark } from '../contract/differences';
import { isAmbiguous } from '../userError';
import { hasId, isRecord, type ServiceRecord, toRecord } from '../values/json';
import { isBlank } from '../values/convert';
import { fillLeadContact, fillSteps, whyLeftOut } from './fillContact';
import { futureSale, upsertLead, updateLead, type UpsertValues, changesOf } from './leadRequests';
import { findLeadOfId } from './compareLead';
import { isOfCheckout } from './requireLead';
import { findSent, noteAddress, noteAnswers, noteOtherValues, noteSteps } from './noteAnswers';
import { chooseCode, codeSteps } from './trackingCode';

const upsertSteps = {
	upsertLead,
	updateLead,
	...fillSteps,
	...noteSteps,
	...codeSteps,
};

/** What the scopes of the steps of an upsert are for. */
export const upsertScopes = {
	'find a lead by email or phone': ['leads:read', 'contacts:read'],
	'fill blank fields of its contact': ['contacts:read', 'contacts:write'],
	'note other columns or answers': ['interactions:read', 'interactions:write'],
};

const SALE_NOT_RECORDED =
	'The item is a webhook of a checkout. Only its person was taken: what it says of a payment or a refund is in no field of the lead. To record the sale, use Lead > Record Sale > From the Webhook of a Checkout.';

export const upsert = compose({
	...upsertLead,
	otherScopes: upsertScopes,
	takesAnswers: true,
	steps: upsertSteps,
	fillsContact: true,
	run: async (values: UpsertValues, steps, context) => {
		const { options } = values;
		const isOfRow = values.settings.specifyLead === 'columns';
		if (isOfRow && isOfCheckout(context.input ?? {})) context.hints.add(SALE_NOT_RECORDED);
		// A copy for each try, since a phone may be added to the answers.
		const extracted = { ...values.extracted };
		// A code can only be asked for by a request that may write.
		const hasCode = !isBlank(values.body.protocol) && !(options as IDataObject).onlyCheck;
		const coded = hasCode
			? await chooseCode(values.body, extracted, steps, context)
			: { body: values.body, remarks: [] };
		const { body } = coded;
		const leadOfId = isBlank(body.externalId)
			? undefined
			: await findLeadOfId(body, steps, { ...options, ...context });
		const goesByKey = hasLeadKey(body) && !isDoubtfulId(body, leadOfId, context);
		const submission = { ...coded, leadOfId, goesByKey, extracted, options, steps, context };
		const lead = await (goesByKey ? upsertByKey(submission) : upsertByContact(submission));
		const { answers } = extracted;
		return answers === undefined
			? lead
			: await noteAnswers(lead, { body: values.body, extracted }, steps, context);
	},
});

/** One lead to send, with what the functions below need for it. */
interface Submission extends Pick<UpsertValues, 'body' | 'extracted' | 'options'> {
	/** The ID of the lead that has the tracking code, where it was looked up. */
	leadId?: unknown;
	/** The lead that has the external ID: null if there is none, undefined if it was not looked up. */
	leadOfId?: ServiceRecord | null;
	/** Sentences for the output. */
	remarks: string[];
	/** The service finds the lead, by its external ID or its tracking code. */
	goesByKey: boolean;
	steps: StepFunctions<typeof upsertSteps>;
	context: ComposeContext;
}

/** An ID that a model gives and that no lead has: it may be made up, and must not make a second lead of a person who has one. */
const isDoubtfulId = (
	{ contact, protocol }: IDataObject,
	leadOfId: ServiceRecord | null | undefined,
	context: ComposeContext,
) => context.tool && leadOfId === null && !protocol && contactLookups(contact, context).length > 0;

/** Creates or updates the lead that the service finds by external ID or protocol. */
async function upsertByKey(submission: Submission): Promise<Result> {
	const { body, leadId, leadOfId, steps } = submission;
	const mayBeMoved = isBlank(body.contactId) && mayMoveContact(body);
	if (leadOfId === undefined && mayBeMoved) return await upsertById(submission);
	const existing = leadOfId ?? undefined;
	const sent = await steps.upsertLead(
		{ body: withKeptContact(body, existing) },
		{ existing: leadOfId, ...(await foresee(submission, body.contact, existing)) },
	);
	const isLinked = !isNil(leadId) && String(sent.record?.id) === String(leadId);
	return await fillAndReport(
		submission,
		isLinked ? { ...sent, created: false, extra: { ...sent.extra, linked: true } } : sent,
		body.contact,
		existing,
	);
}

const NOT_SHOWN = {
	scopes: ['leads:read'],
	hint: 'The name, email and phone were not compared with the contacts of leads that an External ID led to, and not written: the service answered without the contact. To read it, the API key needs the scope "leads:read".',
};

/**
 * Creates or updates the lead of an external ID. It is sent without its contact first, which reaches only a lead with a contact
 * (spec 4.3, rule 4): that contact is kept, and what is blank in it is filled. Where there is none, the lead is sent whole.
 */
async function upsertById(submission: Submission): Promise<Result> {
	const { body, steps, context } = submission;
	const { contact, ...others } = body;
	const known = { ...others, createContactIfNotFound: false };
	let isWhole = false;
	const ifNotFound = () => {
		isWhole = true;
		return { body };
	};
	const sent = await steps.upsertLead({ body: known }, { ifNotFound });
	if (isWhole) return await fillAndReport(submission, sent, contact);
	const { record = {}, created } = sent;
	const isShown = record.contact === null || hasId(toRecord(record.contact));
	const read = async () => await findSent(sent, body, steps, context);
	const shown = isShown ? record : await context.ifPermitted(NOT_SHOWN, read);
	// A service that does not keep rule 4 may have created it so.
	if (shown?.contact === null) {
		const whole = await steps.upsertLead({ body });
		return await fillAndReport(
			submission,
			{ ...whole, created: created ?? whole.created },
			contact,
		);
	}
	return await fillAndReport(submission, sent, contact, shown);
}

/**
 * Updates the lead whose contact has the email and the phone, by its external ID or else by its ID. If there is none, creates one
 * with the email, or else the phone, as its external ID, so that the next submission of the same person finds it.
 */
async function upsertByContact(submission: Submission): Promise<Result> {
	const { remarks, steps, context } = submission;
	const { body, existing: found, created } = await findByContact(submission);
	const { contact } = body;
	if (!found) {
		const [{ value }] = contactLookups(contact, context);
		// JSON that users write may have a blank one.
		const named = { ...body, externalId: isBlank(body.externalId) ? value : body.externalId };
		const sent = await steps.upsertLead(
			{ body: named },
			{ existing: null, ...(await foresee(submission, contact)) },
		);
		if (sent.created === false) remarks.push(hadId(named, sent.record));
		return await fillAndReport(submission, sent, contact);
	}
	// Only a model's comes here: it may be made up, so a lead that has none does not get it.
	if (body.externalId) remarks.push(unusedId(body.externalId, found));
	const { id, externalId } = found;
	return await context.inTurn(String(id), async (isLater) => {
		// Another item may have written it since it was found, and tags are joined to those that it has.
		const isToRead = isLater || (isBlank(externalId) && !isBlank(body.tags));
		const current = isToRead && (await steps.findLead([byLeadId(String(id))], { orNone: true }));
		const existing = { ...found, ...(current && current.record) };
		const kept = withKeptContact(omit(body, 'externalId'), existing);
		if (!isBlank(externalId)) {
			const named = { ...kept, externalId: String(externalId) };
			const foreseen = await foresee(submission, contact, existing);
			const sent = await steps.upsertLead({ body: named }, { existing, ...foreseen });
			// An earlier try may have created what was found.
			return await fillAndReport(submission, { ...sent, created }, contact, existing);
		}
		const changes = changesOf(existing, kept);
		const sent = isEmpty(changes.body)
			? { record: existing, extra: {} }
			: await steps.updateLead(changes, await foresee(submission, contact, existing));
		// An answer without a body leaves out the ID, which is known.
		const known = { ...sent, record: sent.record ?? pick(existing, 'id') };
		const updated = await fillAndReport(submission, known, contact, existing);
		return { ...updated, created, extra: { linked: false, ...updated.extra } };
	});
}

const unusedId = (unusedValue: unknown, { externalId }: IDataObject) => {
	const id = isBlank(externalId) ? 'without one' : `with the external ID "${String(externalId)}"`;
	return `The person has a lead ${id}, so the external ID "${String(unusedValue)}" was not used.`;
};

/**
 * The body for a lead that was found. Sent with a contact, the lead might get that of another person; what is blank in its own is
 * filled. Tags are spelled as it has them.
 */
function withKeptContact(body: ServiceRecord, existing?: ServiceRecord | null): ServiceRecord {
	const isKept = hasId(toRecord(existing?.contact)) && isBlank(body.protocol);
	const { tags } = body;
	const isSpelled = existing && Array.isArray(tags);
	const spelled = isSpelled ? { ...body, tags: tagsAsIn(existing, tags) } : body;
	return isKept ? omit(spelled, 'contact') : spelled;
}

const PHONE_NOTED =
	'The email and the phone of an item lead to two leads, or the phone to several. The email decided, and the phone is in the note.';
const SEVERAL_LEADS =
	'Several leads have the email or the phone. The one with it as its External ID was used.';

/**
 * Finds the lead of the email and the phone. Where they belong to two people, the answers of a form go to the lead of the email,
 * because the visitor cannot be asked: the phone is then only noted.
 *
 * @returns the lead, whether an earlier try may have created it, and the body to send
 * @throws ServiceError, or UserError unless just one lead is meant
 */
async function findByContact({ body, extracted, remarks, steps, context }: Submission): Promise<{
	body: Submission['body'];
	existing?: ServiceRecord;
	created?: boolean;
}> {
	const { contact } = body;
	const lookups = contactLookups(contact, context);
	// A push has found it already.
	if (context.found) return { body, existing: context.found, created: false };
	const search = async (values: Lookup[], person?: unknown) =>
		await steps.findLead(values, { person, sent: body }).catch(async (reason: unknown) => {
			if (!isAmbiguous(reason)) throw reason;
			const named = await findNamed(values, steps, person);
			if (!named) throw reason;
			remarks.push(SEVERAL_LEADS);
			return named;
		});
	return await search(lookups, contact).then(
		(found) => ({ body, existing: found?.record, created: found?.created }),
		async (reason: unknown) => {
			const [email, phone] = lookups;
			if (!isAmbiguous(reason) || !extracted.isForm || !phone) throw reason;
			const found = await search([email]);
			const remark = await whyLeftOut(phone, steps.findLead, toRecord(found?.record?.contact));
			if (remark) remarks.push(remark);
			noteAddress(phone, extracted);
			context.hints.add(PHONE_NOTED);
			return {
				body: { ...body, contact: omit(toRecord(contact), 'phone') },
				existing: found?.record,
				created: found?.created,
			};
		},
	);
}

/** Finds the one of several leads of a person whose external ID is the email or the phone, as *Create or Update* gives it. */
async function findNamed(
	lookups: Lookup[],
	{ findLead }: StepFunctions<typeof upsertSteps>,
	person: unknown,
): Promise<Result | undefined> {
	const [{ value }] = lookups;
	const found = findLead([byExternalId(value), ...lookups], { orNone: true, person });
	return await found.catch((reason: unknown) => {
		if (!isAmbiguous(reason)) throw reason;
		return undefined;
	});
}

/**
 * Fills the contact of the lead as it was sent, and adds what the output reports.
 *
 * @param contact as it was sent
 * @param existing the lead, if it was read
 */
async function fillAndReport(
	{ body, leadOfId, remarks, goesByKey, extracted, steps, context }: Submission,
	sent: Result,
	contact: unknown,
	existing?: ServiceRecord,
	isForeseen = false,
): Promise<Result> {
	const lead = withRemark(
		sent,
		...remarks,
		futureSale(body, context).differences,
		remarkReplaced(body, goesByKey ? leadOfId : existing, context.hints),
	);
	const isUnlooked = !isForeseen && goesByKey && leadOfId === undefined && sent.created !== true;
	if (isUnlooked) noteUnlooked(body, context.hints);
	const fillOptions = {
		steps: isForeseen ? { ...steps, updateContact: notSent } : steps,
		context,
		reads: existing !== undefined || (context.isCorrection && sent.created !== true),
		find: steps.findLead,
		onLeftOut: (lookup: Lookup) => noteAddress(lookup, extracted),
	};
	const filled = await fillLeadContact(lead, contact, fillOptions, existing);
	if (extracted.isForm)
		noteOtherValues(toRecord(contact), toRecord(filled.record?.contact), extracted);
	return withSentPhone(filled, contact);
}

/** Stands for the request that fills the contact, where nothing is sent. */
const notSent = async (): Promise<Result> => await Promise.resolve({ extra: {} });

/** Adds the phone that was sent if the answer shows none: the next node may send a message to it. */
function withSentPhone(lead: Result, sent: unknown): Result {
	const phoneOf = (contact: unknown) => (isRecord(contact) ? contact.phone : undefined);
	const phone = phoneOf(sent);
	if (isBlank(phone) || !isBlank(phoneOf(lead.record?.contact))) return lead;
	return { ...lead, extra: { ...lead.extra, phone: String(phone) } };
}

/** For *Only Check*: what the output of the item would report, of a lead that exists or of none. Sends nothing. */
async function foresee(
	submission: Submission,
	contact: unknown,
	existing?: ServiceRecord,
): Promise<Pick<SendOptions, 'differences'>> {
	const { onlyCheck }: IDataObject = submission.options;
	if (!onlyCheck) return {};
	const unsent = { record: existing, extra: {} };
	const { extra } = await fillAndReport(submission, unsent, contact, existing, true);
	return { differences: extra.differences };
}
