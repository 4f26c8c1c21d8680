/**
 * Fills blank fields of an existing contact, since people often give their name, email or phone later and elsewhere. A value of
 * the contact that differs is kept, and the output reports the difference.
 */
import { get, isEmpty, isNil, pick } from 'lodash';

import type { Lookup } from '../contract/records';
import { noteDifferences, withRemark } from '../contract/differences';
import { mayFill } from '../contract/samePerson';
import { leadLabel } from '../contract/shown';
import { contactLookups } from '../contract/leadKey';
import type { ComposeContext, Result, StepFunctions } from '../operation';
import { isRefused, UserError } from '../userError';
import { isBlank } from '../values/convert';
import { toRecord, type ServiceRecord } from '../values/json';
import { getContact, updateContact } from './contactRequests';
import type { findLead } from './leadRequests';

/** Steps of an operation that fills blank fields of a contact. */
export const fillSteps = { readContact: getContact, updateContact };

type FindLead = StepFunctions<{ findLead: typeof findLead }>['findLead'];

interface FillOptions {
	steps: StepFunctions<typeof fillSteps>;
	context: Pick<ComposeContext, 'inTurn' | 'ifPermitted' | 'hints' | 'countryCode'>;
	/** Whether to read the contact if it does not show a field that was sent: leads show no phones (spec 2). */
	reads?: boolean;
	/** Finds the leads that have an address. Without it, a blank email or phone is filled although another lead may have it. */
	find?: FindLead;
	/** Called with an email or a phone that is left out, because another lead has it. */
	onLeftOut?: (lookup: Lookup) => void;
}

/** Finds the lead that has an email or a phone, unless it is the one with the given ID, or has the same contact. */
export async function findOtherOwner(
	lookup: Lookup,
	find: FindLead,
	owner: { leadId?: unknown; contactId: unknown },
): Promise<ServiceRecord | undefined> {
	const { record = {} } = (await find([lookup])) ?? {};
	const contactId = record.contactId ?? get(record, 'contact.id');
	const isOwn =
		(!isNil(owner.leadId) && record.id === owner.leadId) ||
		(!isNil(owner.contactId) && contactId === owner.contactId);
	return isEmpty(record) || isOwn ? undefined : record;
}

/**
 * Why a contact does not get an email or a phone: another lead has it, and filled into a second contact, it would lead to both.
 *
 * @returns the sentence for the output; undefined if no other lead has it
 */
export async function whyLeftOut(
	lookup: Lookup,
	find: FindLead,
	contact: ServiceRecord,
): Promise<string | undefined> {
	const leftOut = `The ${lookup.by} "${lookup.value}" was left out of the contact`;
	const search = async () => await findOtherOwner(lookup, find, { contactId: contact.id });
	return await search().then(
		(other) => other && `${leftOut}, because another lead has it: ${leadLabel(other)}.`,
		(reason: unknown) => {
			if (!(reason instanceof UserError)) throw reason;
			return `${leftOut}. ${reason.message}.`;
		},
	);
}

export const NOT_FILLED = {
	scopes: ['contacts:read', 'contacts:write'],
	hint: 'Contacts may lack a name, an email or a phone that was given. To compare and add it, the API key needs the scopes "contacts:read" and "contacts:write".',
};

const OWNER_UNREAD = {
	scopes: ['leads:read'],
	hint: 'Emails and phones were left out of contacts, since another lead may have them: to see whether one does, the API key needs the scope "leads:read".',
};

/**
 * Fills blank fields of a contact, unless it is that of another person. Safe to call again: it re-reads the contact before writing.
 *
 * @param found the contact, as far as it is shown
 * @param sent `name`, `email` and `phone`, converted
 * @returns the contact as it is afterwards, and in `differences` the values that differ from what was sent
 * @throws ServiceError if the service is not available
 */
export async function fillContact(
	found: Result,
	sent: unknown,
	{ steps, context, reads = false, find, onLeftOut }: FillOptions,
): Promise<Result> {
	const { record: shown = {} } = found;
	const { inTurn, ifPermitted, hints } = context;
	const fields = ['name', 'email', 'phone'].filter((field) => !isBlank(get(sent, field)));
	const lackedBy = (contact: ServiceRecord) =>
		pick(
			sent,
			fields.filter((field) => field in contact && isBlank(contact[field])),
		);
	const differencesFrom = (record: ServiceRecord) =>
		noteDifferences({ contact: pick(sent, fields) }, { contact: record }, hints);
	const isHidden = reads && fields.some((field) => !(field in shown));
	const remarks: unknown[] = [];
	let contact = shown;
	if ((isHidden || !isEmpty(lackedBy(shown))) && !isNil(shown.id)) {
		const path = { contactId: String(shown.id) };
		const fill = async () => {
			contact = { ...shown, ...(await steps.readContact({ path }, { isFresh: true })).record };
			const body: ServiceRecord = mayFill(toRecord(sent), contact) ? lackedBy(contact) : {};
			for (const lookup of find ? contactLookups(body, context) : []) {
				const search = async () => [await whyLeftOut(lookup, find!, contact)];
				const searched = await ifPermitted(OWNER_UNREAD, search);
				if (searched && !searched[0]) continue;
				delete body[lookup.by];
				remarks.push(searched?.[0]);
				onLeftOut?.(lookup);
			}
			if (isEmpty(body)) return;
			const after = { ...contact, ...body };
			const { extra } = withRemark(found, ...remarks, differencesFrom(after));
			const updated = await steps.updateContact({ path, body }, pick(extra, 'differences'));
			remarks.push(updated.extra.differences);
			contact = after;
		};
		// A lead may have the same ID as a contact.
		const fillOnce = async () => await inTurn(`contact ${path.contactId}`, fill);
		await ifPermitted(NOT_FILLED, fillOnce).catch((reason: unknown) => {
			if (!isRefused(reason)) throw reason;
			remarks.push(`"Contact" was left out: ${reason.message}.`);
		});
	}
	return withRemark({ ...found, record: contact }, ...remarks, differencesFrom(contact));
}

/**
 * Fills the contact of a lead, see {@link fillContact}.
 *
 * @param lead as it came back, or was found
 * @param sent the contact that was sent
 * @param existing the lead as it was before, which may show more of the contact
 */
export async function fillLeadContact(
	lead: Result,
	sent: unknown,
	options: FillOptions,
	existing?: ServiceRecord,
): Promise<Result> {
	const [current, known] = [lead.record, existing].map((record) => toRecord(record?.contact));
	const isSame = isNil(current.id) || String(current.id) === String(known.id);
	const shown = { record: isSame ? { ...known, ...current } : current, extra: lead.extra };
	const { record: contact, extra } = await fillContact(shown, sent, options);
	const record = lead.record && { ...lead.record, ...(!isEmpty(current) && { contact }) };
	return { ...lead, record, extra };
}
