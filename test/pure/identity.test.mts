/** Values that identify one record, and how they are compared. */
import { contactHas, searchTerms } from '../../nodes/IntegrationLeads/contract/contactMatch';
import {
	readLookup,
	toWholeEmail,
	toWholePhone,
} from '../../nodes/IntegrationLeads/values/identity';

const context = { label: 'Lead', timezone: 'UTC' };
const brazil = { ...context, countryCode: '55' };
const phone = '+5511987654321';

test.each([
	['emailOrPhone', ' Ana@Firma.com\n', { by: 'email', value: 'Ana@Firma.com' }],
	['emailOrPhone', 'ana@localhost', { by: 'email', value: 'ana@localhost' }],
	['emailOrPhone', '+55 (11) 98765-4321', { by: 'phone', value: phone }],
	['emailOrPhone', '(11) 98765-4321', { by: 'phone', value: phone }],
	['emailOrPhone', '5511987654321@S.whatsapp.net', { by: 'phone', value: phone }],
	['externalId', 42, { by: 'externalId', value: '42' }],
	['externalId', 'ana@firma.com', { by: 'externalId', value: 'ana@firma.com' }],
] as const)('%s %j', (mode, value, expected) => {
	expect(readLookup(mode, value, brazil)).toEqual(expected);
});

test.each([
	'ana@firma@com',
	'ana @firma.com',
	'Ana <ana@firma.com>',
	'ana@firma.com, eva@firma.com',
	'Ana',
	'11 98765-4321',
	'+55 11 98765-4321 / 3000-0001',
	'98765432100@lid',
	'98765432100@hosted.lid',
	'5511987654321-1600000000@g.us',
	'undefined',
	'',
	null,
])('%j is neither an email nor a phone', (value) => {
	expect(() => readLookup('emailOrPhone', value, context)).toThrow('"Lead"');
	expect(() => toWholeEmail(value, context)).toThrow('"Lead"');
	expect(() => toWholePhone(value, context)).toThrow('"Lead"');
});

describe('a contact has exactly the phone', () => {
	test.each<[boolean | undefined, unknown]>([
		[true, phone],
		[true, '55 11 98765-4321'],
		[true, 5511987654321],
		[true, '+55 (11) 8765-4321'],
		[true, '551187654321@c.us'],
		[true, '+55 11 3000-0001 / +55 11 98765-4321'],
		// The beginning of the number is not known.
		[undefined, '11 98765-4321'],
		[undefined, '98765-4321'],
		[undefined, '+55 11 *****-4321'],
		[undefined, 'ask'],
		[undefined, undefined],
		[false, '+5511987654322'],
		[false, '+5521987654321'],
		[false, '+551198765432100'],
		[false, '+351 11987654321'],
		[false, null],
		[false, ''],
	])('%s: %j', (expected, stated) => {
		const record = stated === undefined ? { name: 'Ana' } : { phone: stated };
		expect(contactHas(record, 'phone', phone, 'whole')).toBe(expected);
	});
});

describe('a contact has exactly the email', () => {
	test.each<[boolean | undefined, Record<string, unknown>]>([
		[true, { email: 'ANA@firma.com' }],
		[true, { email: 'eva@firma.com', secondaryEmail: 'ana@firma.com' }],
		[undefined, { email: 'a***@firma.com' }],
		[undefined, { name: 'ana@firma.com' }],
		[false, { email: 'mariana@firma.com' }],
		[false, { email: 'ana@firma.com.br' }],
		[false, { email: null }],
	])('%s: %j', (expected, record) => {
		expect(contactHas(record, 'email', 'ana@firma.com', 'whole')).toBe(expected);
	});
});

test.each([
	['email', 'Ana@Firma.com', ['Ana@Firma.com', 'ana@firma.com']],
	['email', 'ana@firma.com', ['ana@firma.com']],
	['phone', phone, ['87654321', phone, '+551187654321']],
	['phone', '+351912345678', ['12345678', '+351912345678']],
] as const)('the searches for the %s %s', (trait, value, terms) => {
	expect(searchTerms(trait, value)).toEqual(terms);
});
