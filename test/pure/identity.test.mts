/** Values that identify one record; test/corpus has what is read as an email or an ID. */
import { attempt } from 'lodash';

import type { Convert } from '../../nodes/IntegrationLeads/values/context';
import type { InputError } from '../../nodes/IntegrationLeads/userError';
import {
	canonicalAddress,
	parseLookup,
	toAddress,
	toEmail,
	toExternalId,
} from '../../nodes/IntegrationLeads/values/identity';
import { toPhone } from '../../nodes/IntegrationLeads/values/phone';

const context = { label: 'Lead', timezone: 'UTC' };
const brazil = { ...context, countryCode: '55' };
const phone = '+5511987654321';

test.each([
	['emailOrPhone', ' Ana@Firma.com\n', { by: 'email', value: 'Ana@Firma.com' }],
	['emailOrPhone', 'Ana <ana@firma.com>', { by: 'email', value: 'ana@firma.com' }],
	['externalId', '\ufeffe-1\u00a0', { by: 'externalId', value: 'e-1' }],
	['emailOrPhone', '+55 (11) 98765-4321', { by: 'phone', value: phone }],
	['emailOrPhone', '(11) 98765-4321', { by: 'phone', value: phone }],
	['emailOrPhone', '5511987654321@S.whatsapp.net', { by: 'phone', value: phone }],
	['externalId', 42, { by: 'externalId', value: '42' }],
	['externalId', 'ana@firma.com', { by: 'externalId', value: 'ana@firma.com' }],
] as const)('%s %j', (mode, value, expected) => {
	expect(parseLookup(mode, value, brazil)).toEqual(expected);
});

test.each([
	'ana@firma@com',
	'ana @firma.com',
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
	expect(() => parseLookup('emailOrPhone', value, context)).toThrow('"Lead"');
	expect(() => toEmail(value, context)).toThrow('"Lead"');
	expect(() => toPhone(value, context)).toThrow('"Lead"');
});

test('a long text is read to its end', () => {
	for (const part of ['<', 'a@', ' ', '.a', '"']) {
		expect(() => toEmail(part.repeat(65_000), context)).toThrow('"Lead"');
	}
});

const toAny: Convert = (value, given) => parseLookup('emailOrPhone', value, given);
test.each<[Convert, string, string, string]>([
	[toEmail, '-', 'must be one email address, not "-"', 'Leave the field blank for'],
	[toEmail, ' ', 'is empty', 'Give a value for "Lead". Check the value of its expression.'],
	[toAny, 'ask', 'must be an email, or a whole phone number, not "ask"', 'From List.'],
	[toExternalId, 'crm-', 'lacks a part: "crm-"', 'An expression in it found nothing'],
])('%p of %j: it %s', (read, value, message, wayOut) => {
	const refusal = attempt(read, value, context) as InputError;
	expect(refusal.message).toBe(`"Lead" ${message}`);
	expect(refusal.description).toContain(wayOut);
});

test.each([
	['Ana@Firma.com', 'ana@firma.com'],
	['+551187654321', phone],
	[phone, phone],
	['+525512345678', '+5215512345678'],
])('%s is %s in one form', (address, form) => {
	expect(canonicalAddress(address)).toBe(form);
	expect(toAddress(address, context)).toBe(form);
});

// A template whose expression found nothing, and IDs that nanoid draws.
test.each(['form--x', 'form-7--x', 'a1b2c3-', 'form7-', 'crm::9', '-', 'crm--', 'FormContato-'])(
	'%s lacks a part',
	(id) => {
		expect(() => toExternalId(id, context)).toThrow('lacks a part');
	},
);
test.each([
	'CawusBUg4_',
	'V1StGXR8_Z5jdHi6B-m-',
	'V1StGXR8--Z5jdHi6Bmy',
	'https://example.com/a',
	'x9Qz--r',
	'form-x',
	'a1b2c3',
	'U.S.-1',
])('%s is whole', (id) => {
	expect(toExternalId(id, context)).toBe(id);
});
