/** Parameters of contacts. The names are the service's own (spec 2). */
import type { Parameter, Place } from '../operation';
import { toPhone, toText } from './convert';
import { locator } from './locator';

export const contactLocator: Parameter = locator({
	displayName: 'Contact',
	name: 'contactId',
	description: 'The contact to work on',
	searchListMethod: 'searchContacts',
	searchFor: 'a name, an email or a phone',
	example: '0c9e1d77-53aa-4e0b-8f42-6d1b7a9c3e58',
});

/** Which contact, in the path. */
export const contactId: Parameter = { ...contactLocator, in: 'path', required: true };

const email: Parameter = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	convert: toText,
	default: '',
	placeholder: 'e.g. name@example.com',
	description: 'Contacts are found by it',
};

const phone: Parameter = {
	displayName: 'Phone',
	name: 'phone',
	type: 'string',
	convert: toPhone,
	default: '',
	placeholder: 'e.g. +5511900000000',
	description:
		'With its country code, written as you like, or a WhatsApp ID: it is sent with a leading + and without spaces. Contacts are found by it.',
};

/** What the spec shows of a contact. They have no place of their own: it is that of the object they are in. */
export const contactFields: Parameter[] = [
	email,
	{ displayName: 'Name', name: 'name', type: 'string', convert: toText, default: '' },
	phone,
];

/** The same fields, each with a place of its own. */
function placed(fields: Parameter[], place: Place): Parameter[] {
	return fields.map((field) => ({ ...field, in: place }));
}

/** A contact's fields as the body of a request, name first. */
export const contactBody: Parameter[] = placed([contactFields[1], email, phone], 'body');

export const contactUpdateFields: Parameter = {
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	description:
		'The fields to change. A field that is added and left empty is emptied in the contact.',
	options: placed(contactFields, 'body'),
};

export const contactFilters: Parameter = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options: [
		{
			displayName: 'Search',
			name: 'search',
			type: 'string',
			in: 'query',
			convert: toText,
			default: '',
			description:
				'Only contacts whose name, email or phone contains this. The service documents this filter for leads only.',
		},
	],
};

/** One of the two is asked for. */
export const lookupFields: Parameter[] = placed([email, phone], 'query');
