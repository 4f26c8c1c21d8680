/** Parameters of contacts. The names are the service's own (spec 2). */
import type { IDataObject } from 'n8n-workflow';

import type { Operation, Parameter, Place, Step } from '../operation';
import { toEmail, toId } from '../values/convert';
import { locator } from './locator';
import { ninthDigitVariant, toPhone } from '../values/phone';
import { contactMatches } from '../contract/contactMatch';

export const contactLocator: Parameter = {
	...locator({
		displayName: 'Contact',
		name: 'contactId',
		description: 'The contact to work on',
		searchListMethod: 'searchContacts',
		searchFor: 'a name, an email or a phone',
		example: '0c9e1d77-53aa-4e0b-8f42-6d1b7a9c3e58',
	}),
	convert: toId,
};

/** Which contact, in the path. */
export const contactId: Parameter = { ...contactLocator, in: 'path', required: true };

const email: Parameter = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	convert: toEmail,
	default: '',
	placeholder: 'e.g. name@example.com',
	description: 'Contacts are found by it',
};

const phone: Parameter = {
	displayName: 'Phone',
	name: 'phone',
	type: 'string',
	convert: (value, about) => toPhone(toId(value, about), about),
	default: '',
	placeholder: 'e.g. +5511900000000',
	description:
		'With its country code, written as you like, or a WhatsApp ID: it is sent with a leading + and without spaces. For numbers without a country code, add the option "Default Country Code". Contacts are found by it.',
};

/** What the spec shows of a contact. They have no place of their own: it is that of the object they are in. */
export const contactFields: Parameter[] = [
	email,
	{ displayName: 'Name', name: 'name', type: 'string', default: '' },
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
			default: '',
			description:
				'Only contacts whose name, email or phone contains this. The service documents this filter for leads only.',
		},
	],
};

/** One of the two is asked for. */
export const lookupFields: Parameter[] = placed([email, phone], 'query');

export const defaultCountryCode: Parameter = {
	displayName: 'Default Country Code',
	name: 'defaultCountryCode',
	type: 'string',
	default: '55',
	placeholder: 'e.g. 55',
	description:
		'For phones that come without a country code: (11) 90000-0000 becomes +5511900000000 with 55. A leading 0 that is dialled only within the country is left out. What can be read in two ways is sent as it is.',
};

export const tryNinthDigit: Parameter = {
	displayName: 'Try Brazilian Ninth Digit',
	name: 'tryNinthDigit',
	type: 'boolean',
	default: true,
	description:
		'Whether to look a Brazilian mobile number up a second time, with or without the 9 after the area code, when it is not found as given',
};

/**
 * Requests that look for a contact: by phone, by the phone's other form if wanted, then by email. Each tells in the
 * output by what the contact was found.
 */
export function lookupSteps(
	{ phone, email }: IDataObject,
	{ tryNinthDigit: both }: IDataObject,
	scope: Operation['scope'],
): Step[] {
	const other = both === true ? ninthDigitVariant(String(phone ?? '')) : undefined;
	const targets = [
		['phone', phone],
		['phone', other],
		['email', toEmail(email, { label: 'Email', timezone: 'UTC' })],
	] as const;
	return targets
		.filter(([, value]) => Boolean(value))
		.map(([matchedBy, value]) => {
			const matchedValue = String(value);
			return {
				request: {
					method: 'GET',
					path: '/contacts/lookup',
					query: { [matchedBy]: matchedValue },
					repeatable: true,
				},
				scope,
				isMatch: (contact) => contactMatches(contact, matchedBy, matchedValue),
				note: `Asked for a contact by ${matchedBy}, the service answered with one of another ${matchedBy}, which was not taken. It may not look for the ${matchedBy} at all.`,
				adds: { matchedBy, matchedValue },
			};
		});
}
