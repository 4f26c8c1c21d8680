/** Parameters of contacts. The names are the API's (spec 2). */
import type { IDataObject } from 'n8n-workflow';

import type { Operation, Parameter, Search } from '../operation';
import { contactHas } from '../contract/contactMatch';
import { contact } from '../contract/records';
import { toEmail, toWholePhone } from '../values/identity';
import { ninthDigitVariant, toPhone } from '../values/phone';
import { fieldsToClear, LEFT_ALONE } from './clear';
import { collection } from './common';
import { locator } from './locator';

export const contactLocator: Parameter = locator({
	displayName: 'Contact',
	name: 'contactId',
	description: 'The contact to work on',
	searchListMethod: 'searchContacts',
	searchFor: 'a name, an email or a phone',
	example: '0c9e1d77-53aa-4e0b-8f42-6d1b7a9c3e58',
	lookup: { record: contact, modes: ['emailOrPhone'] },
	wayToFind: 'Choose the contact From List or By Email or Phone, or find it with Contact > Lookup.',
});

/** The contact in the path. */
export const contactId: Parameter = { ...contactLocator, in: 'path', required: true };

const email: Parameter = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	convert: toEmail,
	default: '',
	placeholder: 'e.g. name@example.com',
	description: 'One address. The service finds contacts by it.',
};

const phone: Parameter = {
	displayName: 'Phone',
	name: 'phone',
	type: 'string',
	convert: toPhone,
	default: '',
	placeholder: 'e.g. +5511900000000',
	hint: 'With country code, e.g. +55 11 90000-0000, or set Default Country Code in the credential',
	description:
		'In any format, or a WhatsApp ID; sent with a leading + and without spaces. The service finds contacts by it.',
};

/** The fields that the spec shows, without a place, for a parent that has one. */
export const contactFields: Parameter[] = [
	email,
	{ displayName: 'Name', name: 'name', type: 'string', default: '' },
	phone,
];

const inPlace = (fields: Parameter[], place: Parameter['in']): Parameter[] =>
	fields.map((field) => ({ ...field, in: place }));

/** The fields of a request body, name first. */
export const contactBody = inPlace([contactFields[1], email, phone], 'body');

/** The contact of a lead, as fields of their own. */
export const contactOfLead = contactBody.map(
	(field): Parameter => ({ ...field, field: `contact.${field.name}` }),
);

export const contactUpdateFields = collection(
	'Update Fields',
	'updateFields',
	inPlace(contactFields, 'body'),
	{ description: LEFT_ALONE },
);

export const contactFieldsToClear = fieldsToClear(contactFields);

/** Filters that compare the whole value. */
export function wholeFilters(plural: string): Parameter[] {
	return [
		{
			...email,
			in: 'match',
			description: `Only ${plural} with exactly this email; upper and lower case are equal`,
		},
		{
			...phone,
			in: 'match',
			convert: toWholePhone,
			description: `Only ${plural} with exactly this phone, in any spelling with a country code`,
		},
	];
}

export const contactFilters = collection('Filters', 'filters', [
	...wholeFilters('contacts'),
	{
		displayName: 'Search',
		name: 'search',
		type: 'string',
		in: 'query',
		default: '',
		description:
			'Only contacts whose name, email or phone contains this. The service documents this filter for leads only.',
	},
]);

export const lookupFields = inPlace([email, phone], 'query');

export const tryNinthDigit: Parameter = {
	displayName: 'Try Brazilian Ninth Digit',
	name: 'tryNinthDigit',
	type: 'boolean',
	default: true,
	description:
		'Whether to look up a Brazilian mobile number again with or without the 9 after the area code if it is not found as given',
};

/** Searches by phone, by its variant with or without the ninth digit if wanted, then by email. */
export function lookups(
	{ phone: given, email: address }: IDataObject,
	options: IDataObject,
	scope: Operation['scope'],
): Search[] {
	const variant = options.tryNinthDigit ? ninthDigitVariant(String(given ?? '')) : undefined;
	const searches = [
		['phone', given],
		['phone', variant],
		['email', address],
	] as const;
	return searches
		.filter(([, value]) => Boolean(value))
		.map(([trait, value]) => ({
			path: '/contacts/lookup',
			scope,
			by: [trait, String(value)],
			isMatch: (found) => contactHas(found, trait, String(value), 'found'),
		}));
}
