import { invalid, missing } from '../failure.mts';
import { found, listed, type Call, type Result } from '../operation.mts';
import type { Contact } from '../records.mts';
import { showContact } from '../show.mts';
import { contactFields, type ContactInput } from '../upsert.mts';

// The shapes of all contact operations are assumed: spec 4.6 only names them.

function contactResult(contact: Contact, created = false): Result {
	return { kind: 'record', name: 'contact', record: showContact(contact), created };
}

/** Always makes a new contact, even with an e-mail that another one has. */
export function createContact(call: Call): Result {
	const fields = contactFields(call.body as ContactInput);
	if (!Object.values(fields).some(Boolean)) throw invalid('"name", "email" or "phone" is required');
	return contactResult(call.store.createContact(fields), true);
}

export function updateContact(call: Call): Result {
	const contact = found(call.store.contacts, call.params.contactId, 'Contact');
	const fields = contactFields(call.body as ContactInput);
	return contactResult(call.store.changeContact(contact, fields));
}

export function listContacts(call: Call): Result {
	const { search: given } = call.query as { search?: string };
	const search = given?.toLowerCase();
	const match = search ? ({ searchText }: Contact) => searchText.includes(search) : undefined;
	return listed(call, 'contacts', showContact, call.store.contacts, match);
}

/** By e-mail; without one, by phone. */
export function lookupContact(call: Call): Result {
	const { email, phone } = call.query as { email?: string; phone?: string };
	if (!email && !phone) throw invalid('"email" or "phone" is required');
	const { store } = call;
	const contact = email ? store.contactByEmail(email) : store.contactByPhone(phone);
	if (!contact) throw missing('Contact');
	return contactResult(contact);
}

/** By id or e-mail. */
export function getContact(call: Call): Result {
	const { contactId } = call.params;
	const contact = call.store.contact(contactId) ?? call.store.contactByEmail(contactId);
	if (!contact) throw missing(`Contact ${contactId}`);
	return contactResult(contact);
}
