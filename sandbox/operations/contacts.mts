import { invalid, missing } from '../failure.mts';
import { contactBody, contactQuery, lookupQuery, parse } from '../inputs.mts';
import { bodyOf, found, listed, type Call, type Result } from '../operation.mts';
import type { Contact } from '../records.mts';
import { showContact } from '../show.mts';
import { contactFields } from '../upsert.mts';

// The shapes of all contact operations are assumed: spec 4.6 only names them.

function contactResult(contact: Contact, created = false): Result {
	return { kind: 'record', name: 'contact', record: showContact(contact), created };
}

/** Always makes a new contact, even with an e-mail that another one has. */
export function createContact(call: Call): Result {
	const fields = contactFields(bodyOf(call, contactBody));
	if (!Object.values(fields).some(Boolean)) throw invalid('"name", "email" or "phone" is required');
	return contactResult(call.store.createContact(fields), true);
}

export function updateContact(call: Call): Result {
	const contact = found(call.store.contacts, call.params.id, 'Contact');
	const fields = contactFields(bodyOf(call, contactBody));
	return contactResult(call.store.changeContact(contact, fields));
}

export function listContacts(call: Call): Result {
	const search = parse(contactQuery, call.query).search?.toLowerCase();
	const match = search ? ({ searchText }: Contact) => searchText.includes(search) : undefined;
	const { contacts } = call.store;
	return listed(call, 'contacts', (page) => contacts.select({ ...page, match }), showContact);
}

/** By e-mail; without one, by phone. */
export function lookupContact(call: Call): Result {
	const { email, phone } = parse(lookupQuery, call.query);
	if (!email && !phone) throw invalid('"email" or "phone" is required');
	const { contacts } = call.store;
	const contact = email ? contacts.byEmail(email) : contacts.byPhone(phone);
	if (!contact) throw missing('Contact');
	return contactResult(contact);
}

/** By id or e-mail. */
export function getContact(call: Call): Result {
	const { identifier } = call.params;
	const contact = call.store.contact(identifier) ?? call.store.contacts.byEmail(identifier);
	if (!contact) throw missing(`Contact ${identifier}`);
	return contactResult(contact);
}
