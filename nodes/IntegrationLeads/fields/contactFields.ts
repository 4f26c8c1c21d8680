/** Parameters of contacts. The names are the API's (spec 2). */
import { contact } from '../contract/records';
import type { Parameter } from '../operation';
import { toEmail } from '../values/identity';
import { toName } from '../values/convert';
import { toPhone } from '../values/phone';
import { locator } from './common';
import { text } from './options';

export const contactLocator: Parameter = locator({
	displayName: 'Contact',
	name: 'contactId',
	description: 'The contact to work on',
	searchListMethod: 'searchContacts',
	searchFor: 'a name, an email or a phone',
	example: '0c9e1d77-53aa-4e0b-8f42-6d1b7a9c3e58',
	lookup: { record: contact, modes: ['emailOrPhone'] },
	findHint: 'Contact > Look Up finds its ID.',
});

const email = text('Email', 'email', {
	in: 'body',
	convert: toEmail,
	placeholder: 'e.g. name@example.com',
	description: 'One address. The service finds contacts by it.',
});

const phone = text('Phone', 'phone', {
	in: 'body',
	convert: toPhone,
	placeholder: 'e.g. +5511900000000',
	hint: 'With country code, e.g. +55 11 90000-0000, or set Default Country Code in the credential',
	description:
		'In any format, or a WhatsApp ID; sent with a leading + and without spaces. The service finds contacts by it.',
});

/** The fields by which a contact is found. */
export const contactAddresses = [email, phone];

/** The fields of a contact that the spec shows in a request body. */
export const contactFields = [
	text('Name', 'name', { in: 'body', convert: toName }),
	...contactAddresses,
];

/** Filters that compare the whole value. */
export const wholeFilters = (plural: string): Parameter[] => [
	{
		...email,
		in: 'filter',
		description: `Only ${plural} with exactly this email; upper and lower case are equal`,
	},
	{
		...phone,
		in: 'filter',
		description: `Only ${plural} with exactly this phone, in any spelling with a country code`,
	},
];
