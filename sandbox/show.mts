import lodash from 'lodash';
import {
	contactNames,
	type Contact,
	type Conversation,
	type Interaction,
	type Lead,
	type Message,
	type Tag,
} from './records.mts';
import type { Store } from './store.mts';

/**
 * Records as answers show them. Stated: the lead's fields and its contact (spec part 2, 4.1).
 * Assumed: everything about the other records.
 */

const time = (ms: number) => new Date(ms).toISOString();

function leadContact(lead: Lead, store: Store) {
	const contact = store.contact(lead.contactId);
	return contact ? { id: contact.id, name: contact.name, email: contact.email } : null;
}

/** A lead in a list: the fields of spec 4.1. */
export function showListedLead(lead: Lead, store: Store) {
	return {
		id: lead.id,
		externalId: lead.externalId,
		status: lead.status,
		priority: lead.priority,
		contact: leadContact(lead, store),
		tags: lead.tags,
		createdAt: time(lead.createdMs),
	};
}

/** A whole lead: the fields of spec part 2 that are not for requests only. */
export function showLead(lead: Lead, store: Store) {
	return {
		id: lead.id,
		externalId: lead.externalId,
		status: lead.status,
		priority: lead.priority,
		source: lead.source,
		contact: leadContact(lead, store),
		estimatedValue: lead.estimatedValue,
		saleDate: lead.saleDate,
		notes: lead.notes,
		tags: lead.tags,
		createdAt: time(lead.createdMs),
	};
}

export function showContact(contact: Contact) {
	const { id, createdMs } = contact;
	return { id, ...lodash.pick(contact, contactNames), createdAt: time(createdMs) };
}

/** Any record without fields of its own to hide: id, its fields, createdAt. */
export function showPlain<T extends Tag | Interaction>({ createdMs, ...fields }: T) {
	return { ...fields, createdAt: time(createdMs) };
}

/** A record with free fields: what is the service's own wins over a free field of the same name. */
export function showWithExtra<T extends Conversation | Message>({
	createdMs,
	extra,
	...fields
}: T) {
	return { ...extra, ...fields, createdAt: time(createdMs) };
}
