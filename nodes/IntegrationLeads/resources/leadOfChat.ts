/** Finds or creates the lead of a person who wrote in WhatsApp, by external ID, phone or tracking code. */
import { compact, isUndefined, omit, omitBy } from 'lodash';

import { byExternalId } from '../contract/leadKey';
import { CHAT_ID_PREFIX, decidePerson, type PersonFacts } from '../contract/samePerson';
import { withRemark } from '../contract/differences';
import { leadLabel } from '../contract/shown';
import { isShownForm } from '../values/protocol';
import { requireId } from '../fields/check';
import type { ComposeContext, RequestDeclaration, Result, StepFunctions } from '../operation';
import { isRefused, isTemporary, UserError } from '../userError';
import { isBlank } from '../values/convert';
import { namesAgree } from '../values/names';
import { toRecord, type ServiceRecord } from '../values/json';
import { codeForms, type Person, type WhatsAppMessage } from '../whatsapp/message';
import { readPersonOf } from './compareLead';
import { findLead, upsertLead, updateLead } from './leadRequests';
import { codeSteps, leadsOfCodes } from './trackingCode';

/** A link that is sent twice leads to the same lead (4.3, rule 2), while a message that is not logged is lost. */
export const linkByCode = { ...upsertLead, repeatable: true } satisfies RequestDeclaration;

export const chatSteps = { findLead, upsertLead, linkByCode, updateLead, ...codeSteps };

/** The requests, and the context in which they are sent. */
type PersonSteps = StepFunctions<typeof chatSteps> &
	Pick<ComposeContext, 'account' | 'ifPermitted'>;

/** The lead of a message. */
export interface ChatLead extends Result {
	/** Created just now, so it has nothing yet. What an earlier try created is found, and may have a conversation. */
	isNew?: boolean;
	/** The tracking code in the message. */
	protocol?: string;
}

/** The external IDs by which the lead of a person may be known. The first is that of a new one. */
export function externalIdsOf({ hiddenId, chatwootContact, phone }: Person): string[] {
	const ids = [chatwootContact && `chatwoot-${chatwootContact}`, hiddenId, phone?.slice(1)];
	return compact(ids).map((id) => `${CHAT_ID_PREFIX}${id}`);
}

/**
 * The lead of a message, found or sent.
 *
 * @throws ServiceError, or UserError where the message does not say who wrote it
 */
export async function leadOfMessage(
	message: WhatsAppMessage,
	steps: PersonSteps,
): Promise<ChatLead> {
	const { person } = message;
	const [ownId] = externalIdsOf(person);
	if (ownId === undefined) {
		throw new UserError(
			'The message does not say who wrote it: it has no number and no ID of the person',
			'Nothing was logged. Look for the message in WhatsApp, and report the body of the webhook to the authors of this node.',
		);
	}
	const known = await findLeadOf(person, steps);
	const coded = await findCodedLead(message, steps);
	if (coded?.isTheirs) return await linkLead(coded, known, person, steps);
	const lead = known
		? withRemark(known, await otherNameIn(known, person, steps))
		: await createLead(ownId, person, steps);
	return coded
		? withRemark({ ...lead, ...notLinked(coded, lead) }, coded.remark)
		: withRemark(lead, remarkOnCode(message));
}

/** Says that the sender has another name than the contact, once in a process: people choose their names in WhatsApp. */
async function otherNameIn(
	known: Result,
	{ name }: Person,
	steps: PersonSteps,
): Promise<string | undefined> {
	const { name: ofContact } = toRecord(known.record?.contact);
	if (namesAgree(name, ofContact) !== false) return undefined;
	const remark = `The sender has the name "${name}" in WhatsApp, and the contact of the lead is "${String(ofContact)}": it may be a nickname, or somebody else who writes from this number.`;
	return await oncePerLead(known, `name ${name}`, steps, () => remark);
}

/** Names the tracking code of a message whose lead was looked for in vain: the ad or link that it is of is lost otherwise. */
function remarkOnCode(message: WhatsAppMessage): string | undefined {
	const code = message.from === 'team' ? undefined : codeForms(message).find(isShownForm)?.code;
	return code && `No lead has the tracking code ${code}.`;
}

const notLinked = ({ code: protocol }: CodedLead, { extra }: Result) => ({
	protocol,
	extra: { ...extra, linked: false },
});

const contactOfPerson = ({ name, phone }: Person) => omitBy({ name, phone }, isUndefined);

async function createLead(
	externalId: string,
	person: Person,
	steps: PersonSteps,
): Promise<ChatLead> {
	const body = { externalId, contact: contactOfPerson(person), source: 'whatsapp' };
	// A message that is not logged is lost, and the next try finds a lead that this one created.
	const sent = await steps.upsertLead({ body }, { existing: null });
	const shown = { ...sent.record, externalId: sent.record?.externalId ?? externalId };
	const created = { ...sent, record: shown, isNew: sent.created === true };
	// No other lead has the number.
	if (person.phone) await oncePerLead(created, person.phone, steps, () => undefined);
	return created;
}

/** A lead that has a tracking code of the message. */
type CodedLead = { code: string } & (
	| { isTheirs: true; record: ServiceRecord }
	/** Not this person's lead, or it is unknown whose: it stays as it is. */
	| { isTheirs: false; remark: string }
);

const CODE_OF_ANOTHER =
	'The tracking code belongs to the lead of another person, who may have forwarded it. That lead was left as it is.';
const HIDDEN_LEAD =
	'The service does not show whose lead has the tracking code, so the message was not linked to it.';

const personFacts = (person: Person): PersonFacts => ({
	name: person.name,
	phone: person.phone,
	chatIds: externalIdsOf(person),
});

/**
 * Finds the lead of a tracking code of a message: the first that may be this person's. This is asked before anything is linked,
 * which cannot be undone.
 */
async function findCodedLead(
	message: WhatsAppMessage,
	steps: PersonSteps,
): Promise<CodedLead | undefined> {
	// A code that somebody of the business writes is meant for the person.
	if (message.from === 'team') return undefined;
	const sought = personFacts(message.person);
	let ofAnother: CodedLead | undefined;
	for await (const { code, lead } of leadsOfCodes(codeForms(message), steps)) {
		const { record } = lead;
		const isTheirs = record && (await mayLink(record, sought, steps));
		if (isTheirs) return { code, isTheirs, record };
		ofAnother ??= { code, isTheirs: false, remark: record ? CODE_OF_ANOTHER : HIDDEN_LEAD };
	}
	return ofAnother;
}

const mayLink = async (lead: ServiceRecord, sought: PersonFacts, steps: PersonSteps) =>
	decidePerson('messageCode', sought, await readPersonOf(lead, sought, steps, steps)) === 'use';

/**
 * Links a message to the lead of its tracking code. The lead gets an external ID of the person only if it has none and the person
 * has no other lead, since an ID must not be lost, nor be on two leads.
 */
async function linkLead(
	{ code, record: coded }: CodedLead & { isTheirs: true },
	known: Result | undefined,
	person: Person,
	steps: PersonSteps,
): Promise<ChatLead> {
	const [ownId] = externalIdsOf(person);
	const lacksId = 'externalId' in coded && isBlank(coded.externalId);
	const body = {
		protocol: code,
		externalId: lacksId && !known ? ownId : undefined,
		contact: contactOfPerson(person),
		source: known ? undefined : 'whatsapp',
	};
	const sent = await steps.linkByCode(
		{ body: omitBy(body, isUndefined) },
		{ existing: known?.record ?? null },
	);
	const record = { ...coded, ...sent.record };
	const linked = { ...sent, record, isNew: false, protocol: code };
	// Another process may have linked somebody else at the same time.
	const sure = omit(personFacts(person), 'name');
	const isOthers =
		decidePerson('messageCode', sure, {
			...toRecord(record.contact),
			externalId: record.externalId,
		}) === 'leave';
	const other = known && String(known.record?.id) !== String(record.id) && known.record;
	return withRemark(
		linked,
		known?.extra.differences,
		isOthers &&
			`The lead of the tracking code is now that of another person: ${leadLabel(record)}.`,
		other &&
			`This person has another lead as well: ${leadLabel(other)}. Messages without the code go to it.`,
	);
}

/** Pairs of a lead and the person who writes of which everything is known, so that a known person takes no request for it. */
const pairsOfLeads = new Set<string>();
const MAX_PAIRS = 10_000;

/** Does something once in a process for a lead and an ID. */
async function oncePerLead<T>(
	lead: Result,
	id: string,
	{ account }: PersonSteps,
	work: () => Promise<T> | T,
): Promise<T | undefined> {
	const key = [account, lead.record?.id, id].join(' ');
	if (pairsOfLeads.has(key)) return undefined;
	if (pairsOfLeads.size >= MAX_PAIRS) pairsOfLeads.clear();
	const result = await work();
	pairsOfLeads.add(key);
	return result;
}

async function findLeadOf(person: Person, steps: PersonSteps): Promise<Result | undefined> {
	const ids = externalIdsOf(person);
	for (const id of ids) {
		const found = await steps.findLead([byExternalId(id)], { orNone: true });
		if (!found) continue;
		const isByNumber = id === externalIdsOf({ phone: person.phone })[0];
		const join = async () => await joinByNumber(found, person, steps);
		const { phone } = person;
		// In an outage, the next message tries it again: this one must be logged.
		const joinOnce = async () =>
			phone && !isByNumber ? await oncePerLead(found, phone, steps, join) : undefined;
		const joined = await joinOnce().catch((reason: unknown) => {
			if (!isTemporary(reason)) throw reason;
			return undefined;
		});
		return await withFirstId(joined ?? found, ids, steps);
	}
	const found = await findByPhone(person, steps);
	if (!found) return undefined;
	const { externalId } = found.record ?? {};
	const facts = { externalId, phone: person.phone };
	if (decidePerson('messageNumber', personFacts(person), facts) !== 'say') {
		return await withFirstId(found, ids, steps);
	}
	return withRemark(
		found,
		`The number ${person.phone} has another ID of WhatsApp than the lead "${String(externalId)}": it may have been given to another person.`,
	);
}

async function findByPhone({ phone }: Person, steps: PersonSteps): Promise<Result | undefined> {
	if (!phone) return undefined;
	return await steps.findLead([{ label: 'Phone', by: 'phone', value: phone }], { orNone: true });
}

/**
 * Joins the two leads of a person who wrote with the number first, then without it, and now with both. The lead of the number gets
 * the ID, since the number finds it already; the other one keeps what it has.
 *
 * @param hidden the lead that was found by an ID which is not the number
 * @returns the lead to which the message belongs
 */
async function joinByNumber(hidden: Result, person: Person, steps: PersonSteps): Promise<Result> {
	const sought = { phone: person.phone };
	const { record = {} } = hidden;
	const contact = omit(await readPersonOf(record, sought, steps, steps), 'externalId');
	// With the number, it is the lead that the number finds.
	if (!isBlank(contact.phone)) return { ...hidden, record: { ...record, contact } };
	const [numberId] = externalIdsOf(sought);
	const ofNumber =
		(await steps.findLead([byExternalId(numberId)], { orNone: true })) ??
		(await findByPhone(person, steps));
	if (!ofNumber?.record || ofNumber.record.id === record.id) return hidden;
	const two = `This person has two leads: ${leadLabel(ofNumber.record)}, and ${leadLabel(record)}.`;
	const { externalId } = ofNumber.record;
	if (!isBlank(externalId) && externalId !== numberId) return withRemark(hidden, two);
	const path = { leadId: requireId(hidden, 'lead') };
	const body = { externalId: `joined-${String(record.externalId)}` };
	const isFree = await steps.updateLead({ path, body }).then(
		() => true,
		(reason: unknown) => {
			if (!isRefused(reason)) throw reason;
			return false;
		},
	);
	if (!isFree) return withRemark(hidden, two);
	const joined = await withFirstId(ofNumber, externalIdsOf(person), steps);
	return withRemark(joined, two, 'Messages go to the first one from now on.');
}

/**
 * Gives a lead the first external ID of the person, if it has none or another of theirs: who hides the number later is found by
 * the hidden ID only, and the number by the phone of the contact. An ID of the user stays.
 */
async function withFirstId(lead: Result, ids: string[], steps: PersonSteps): Promise<Result> {
	const { externalId } = lead.record ?? {};
	const [first] = ids;
	if (!isBlank(externalId) && !ids.includes(String(externalId))) {
		const isHidden = ids.length > 1;
		return withRemark(
			lead,
			isHidden && (await oncePerLead(lead, first, steps, () => keptId(lead, first))),
		);
	}
	if (externalId === undefined || externalId === first) return lead;
	const path = { leadId: requireId(lead, 'lead') };
	const body = { externalId: first };
	const updated = { ...lead, record: { ...lead.record, ...body } };
	return await steps.updateLead({ path, body }).then(
		() => updated,
		(reason: unknown) => {
			if (!isRefused(reason)) throw reason;
			// The message is logged all the same.
			return withRemark(
				lead,
				`The lead did not get the external ID "${first}", so this person may become a second lead: ${reason.message}.`,
			);
		},
	);
}

const keptId = ({ record = {} }: Result, id: string) =>
	`The lead keeps its external ID "${String(record.externalId)}". If this person hides the number, a message finds only "${id}" and makes a second lead.`;
