/** Requests about contacts, each of which is an operation of its own or a step of several. */
import { isEmpty } from 'lodash';

import { contact } from '../contract/records';
import { requireUpdate } from '../fields/check';
import { additionalBody, fieldsToUpdate, filterCollection, listParameters } from '../fields/common';
import { contactFields, contactLocator, wholeFilters } from '../fields/contactFields';
import { options, text } from '../fields/options';
import type { FindStep, Parameter, RequestDeclaration } from '../operation';
import { InputError } from '../userError';

/** The contact in the path. */
const contactId: Parameter = { ...contactLocator, in: 'path', required: true };

export const getContacts = {
	name: 'Get Many',
	action: 'Get many contacts',
	description: 'Get a list of contacts, or those that match a search',
	when: 'Use it to browse contacts, or to find one by part of the name.',
	scope: 'contacts:read',
	route: 'GET /contacts',
	parameters: [
		...listParameters,
		filterCollection([
			...wholeFilters('contacts'),
			text('Search', 'search', {
				in: 'query',
				description:
					'Only contacts whose name, email or phone contains this. The service documents this filter for leads only.',
			}),
		]),
		options(),
	],
	output: { kind: 'many', record: contact },
} satisfies RequestDeclaration;

export const createContact = {
	name: 'Create',
	action: 'Create contact',
	description: 'Create a contact without checking for an existing one',
	when: 'Use it only for a person who is not among the contacts yet; Find or Create avoids a second contact for the same person.',
	scope: 'contacts:write',
	route: 'POST /contacts',
	parameters: [...contactFields, options([additionalBody])],
	listStep: getContacts,
	output: { kind: 'one', record: contact },
	check: ({ body }) => {
		if (!isEmpty(body)) return;
		throw new InputError('The contact has no data', 'Give a "Name", an "Email" or a "Phone".');
	},
} satisfies RequestDeclaration;

export const getContact = {
	name: 'Get',
	action: 'Get contact',
	description: 'Get one contact by its ID',
	when: 'Use it when the ID is known; with a phone or an email, use Look Up instead.',
	scope: 'contacts:read',
	route: 'GET /contacts/{contactId}',
	parameters: [contactId, options()],
	output: { kind: 'one', record: contact },
} satisfies RequestDeclaration;

export const updateContact = {
	name: 'Update',
	action: 'Update contact',
	description: 'Change the name, email or phone of a contact',
	when: 'Use it when the ID of the contact is known. A field that is left empty stays as it is.',
	scope: 'contacts:write',
	route: 'PUT /contacts/{contactId}',
	parameters: [contactId, ...fieldsToUpdate(contactFields), options([additionalBody])],
	output: { kind: 'one', record: contact },
	check: requireUpdate,
} satisfies RequestDeclaration;

export const findContactByLookup = {
	route: 'GET /contacts/lookup',
	looksUp: true,
	scope: getContacts.scope,
	finds: contact,
} satisfies FindStep;
