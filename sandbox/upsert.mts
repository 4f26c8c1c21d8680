import lodash from 'lodash';
import { invalid, missing } from './failure.mts';
import {
	contactNames,
	type Contact,
	type ContactFields,
	type Lead,
	type LeadFields,
} from './records.mts';
import type { Store } from './store.mts';

/** Contact fields as requests hold them; `null` clears one. */
export type ContactInput = Partial<ContactFields>;

/** A lead as PUT takes it. */
export type LeadInput = Partial<
	Omit<LeadFields, 'contactId' | 'protocol'> & {
		contactId: string;
		contact: ContactInput;
	}
>;

/** A lead to create, update or link (spec 4.3). */
export type UpsertInput = LeadInput & { protocol?: string; createContactIfNotFound?: boolean };

/** What became of it. */
export interface Upserted {
	lead: Lead;
	outcome: 'created' | 'updated' | 'linked';
}

/** The rules of lead creation (spec 4.3, numbered as there). Throws 400 or 404. */
export function upsertLead(store: Store, input: UpsertInput): Upserted {
	const { protocol, externalId } = input;
	const tracked = protocol ? store.leadByProtocol(protocol) : undefined;
	if (!tracked && !externalId) {
		// Rule 1
		throw invalid('"externalId" is required when "protocol" is absent or matches no lead');
	}
	const namesake = externalId ? store.leadByExternalId(externalId) : undefined;
	// Rules 2, 3 and 5: the tracking link decides; without one that matches, the externalId.
	const known = tracked ?? namesake;
	const contact = contactFor(store, input, [tracked, namesake]);
	const fields = { ...fieldsOf(input), contactId: contact?.id ?? null };
	if (!known) return { lead: store.createLead(fields), outcome: 'created' };
	// Two leads never share an externalId: the linked lead takes over only one that is free.
	const taken = namesake && namesake.id !== known.id;
	const lead = store.changeLead(known, {
		...fields,
		externalId: taken ? known.externalId : (externalId ?? known.externalId),
		// "Tags to associate" (4.3): they join those the lead has.
		tags: [...new Set([...known.tags, ...(input.tags ?? [])])],
	});
	return { lead, outcome: tracked ? 'linked' : 'updated' };
}

/** Changes a lead by its id (assumed: fields not given stay, `tags` are the new list). */
export function changeLead(store: Store, lead: Lead, input: LeadInput): Lead {
	const namesake = input.externalId ? store.leadByExternalId(input.externalId) : undefined;
	if (namesake && namesake.id !== lead.id) {
		throw invalid(`"externalId": another lead has "${input.externalId}"`);
	}
	const contact = contactFor(store, input, [lead]);
	return store.changeLead(lead, { ...fieldsOf(input), contactId: contact?.id ?? null });
}

/** The contact fields that were given. */
export function contactFields(given?: ContactInput): Partial<ContactFields> {
	return definedOnly(lodash.pick(given, contactNames));
}

/**
 * The contact a lead shall have: one that exists, by any reference sent, else a new one. Rule 4:
 * when none may be made and none exists, 404.
 */
function contactFor(
	store: Store,
	input: UpsertInput,
	leads: Array<Lead | undefined>,
): Contact | undefined {
	const { contactId, contact, createContactIfNotFound } = input;
	const found = [store.contactByEmail(contact?.email), store.contactByPhone(contact?.phone)];
	const existing =
		(contactId && store.contact(contactId)) ||
		found.find(Boolean) ||
		leads.map((lead) => lead && store.contact(lead.contactId)).find(Boolean);
	if (existing) return existing;
	if (createContactIfNotFound === false) throw missing('An existing contact');
	if (contact) return store.createContact(contactFields(contact));
	if (contactId) throw missing(`Contact ${contactId}`);
	return undefined;
}

/** The lead's own fields that were given. */
function fieldsOf(input: LeadInput): Partial<LeadFields> {
	const { externalId, status, priority, source, estimatedValue, saleDate, notes, tags } = input;
	const own = { externalId, status, priority, source, estimatedValue, saleDate, notes };
	return definedOnly({ ...own, tags: tags && [...new Set(tags)] });
}

/** Without the members that are undefined, so that spreading it changes only what was given. */
function definedOnly<T extends object>(
	members: T,
): Partial<{ [K in keyof T]: Exclude<T[K], undefined> }> {
	const defined = Object.entries(members).filter(([, value]) => value !== undefined);
	return Object.fromEntries(defined) as Partial<{ [K in keyof T]: Exclude<T[K], undefined> }>;
}
