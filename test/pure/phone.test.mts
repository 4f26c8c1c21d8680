/** Tests messages for phones that cannot be read, and how phones are compared; test/corpus has how they are written. */
import fc from 'fast-check';
import { attempt, isError } from 'lodash';

import type { ConvertContext } from '../../nodes/IntegrationLeads/values/context';
import type { InputError } from '../../nodes/IntegrationLeads/userError';
import {
	mobileVariants,
	toInternational,
	toPhone,
} from '../../nodes/IntegrationLeads/values/phone';
import { draws } from '../helpers/long.mts';

const convert = (value: unknown, more: Partial<ConvertContext> = {}) =>
	toPhone(value, { label: 'Phone', timezone: 'UTC', ...more });
const digits = (phone: unknown) => String(phone).normalize('NFKC').replace(/\D/g, '');

const NO_CODE = 'has no country code';
const NOT_ONE = 'cannot be read as one phone number';
const HIDDEN = 'is an ID of WhatsApp without a number';
const setOnce = /"Default Country Code" in the credential/;

it.each<[unknown, string | undefined, string, RegExp]>([
	['(11) 97777-1234', undefined, NO_CODE, setOnce],
	[11977771234, undefined, NO_CODE, setOnce],
	['90000-0001', '55', NOT_ONE, /^Write it with its area code or, .* country code 55/],
	['+351 0910 000 000', '351', NOT_ONE, /^Write it with its area code or, .* country code 351/],
	['ask', undefined, NOT_ONE, /^Write it with \+/],
	['1512 0000001', '379', NO_CODE, /5511900000000\.$/],
	['123456', '49', NOT_ONE, /^Write it with its area code or, .* country code 49/],
	['1@lid.example.com', undefined, NOT_ONE, /./],
	['1@g.us.example.com', undefined, NOT_ONE, /./],
	['5511900000001@lid', '55', HIDDEN, /External ID/],
	[' 120363000000001:2@LID\u200b', undefined, HIDDEN, /senderPn/],
	['1@hosted.lid', undefined, HIDDEN, /./],
	['5511-1400000000@g.us', '55', HIDDEN, /participant/],
	['None', '55', 'must be a value, not the word', /expression/],
])('%j in country %s is refused: it %s', (given, countryCode, what, description) => {
	const refusal = attempt(convert, given, { countryCode }) as InputError;
	const { message } = refusal;
	expect(message).toMatch(`"Phone" ${what}`);
	expect(message).toContain(String(given).replace(/^\s+|[\s\u200b]+$/g, ''));
	expect(refusal.description).toMatch(description);
});

it.each<[string, string | undefined, string?]>([
	['(11) 3333-4444 / (11) 98888-7777', '+5511988887777', '+551133334444'],
	['(11) 98888-7777 ou (21) 97777-6666', '+5511988887777', '+5521977776666'],
	['11988887777;11977776666\n1133334444', '+5511988887777', '+5511977776666, +551133334444'],
	// The last digits of a second number, or no number at all.
	['11 98888-7777/6666', undefined, undefined],
	['(11) 98888-7777 / recado', undefined, undefined],
])('of the phones %j, %j is sent, and %j is named', (text, phone, others) => {
	const named: string[] = [];
	const onLeftOut = (label: string, reason: string) => named.push(`${label}: ${reason}`);
	const sent: unknown = attempt(convert, text, { countryCode: '55', onLeftOut });
	expect(isError(sent) ? undefined : sent).toBe(phone);
	const reason = `Phone: ${others} is another phone than ${phone}, which is sent.`;
	expect(named).toEqual(others ? [reason] : []);
	// Where nothing would name them, as in a filter.
	expect(() => convert(text, { countryCode: '55' })).toThrow('cannot be read');
});

/** [as written, what is sent of it, the Default Country Code, what is left out] */
it.each<[string, string | undefined, string?, string?]>([
	// Extensions. https://github.com/daddyz/phonelib/issues/367
	['+1 650 253 0000 ext. 136', '+16502530000', '55', '136'],
	['+16502530000 x136', '+16502530000', '55', '136'],
	// https://github.com/TrevorPilley/phone-number-parser/issues/492
	['tel:+44-114-200-0000;ext=1234', '+441142000000', '55', '1234'],
	['tel:+44-114-200-0000,1234', '+441142000000', '55', '1234'],
	// https://github.com/GlobalPhone/GlobalPhone/issues/30
	['(11) 3333-4444 ramal 12', '+551133334444', '55', '12'],
	['+66 34 100 000#2405', '+6634100000', '55', '2405'],
	// https://github.com/jackocnr/intl-tel-input/issues/371
	['+54 11 4700-0000 int. 22', '+541147000000', '55', '22'],
	// https://github.com/giggsey/libphonenumber-for-php/issues/67
	['(11) 3333-4444 ramal', '+551133334444', '55'],
	['(11) 3333-4444 (ramal 12)', '+551133334444', '55', '12'],
	['(11) 3333-4444 r. 12', '+551133334444', '55', '12'],
	['(11) 3333-4444 Ramal: 1234', '+551133334444', '55', '1234'],
	['(11) 3333-4444; 12', '+551133334444', '55', '12'],
	['1 234 5678 anexo 301', '+5112345678', '51', '301'],
	['+1 650 253 0000 extension 136', '+16502530000', '55', '136'],
	['(305) 555-0100 x12 ', '+13055550100', '1', '12'],
	// Not behind a whole number, or too long for one.
	['3333-4444 ramal 12', undefined, '55'],
	['(11) 3333-444 x4', undefined, '55'],
	['(11) 3333-4444, 123456', undefined, '55'],
	['ramal 12', undefined, '55'],

	// A 0 behind the country code. https://github.com/catamphetamine/libphonenumber-js/issues/127
	['+49(0)1512 0000000', '+4915120000000', '55'],
	// https://github.com/colinhacks/zod/issues/5563
	['+49 030 12345678', '+493012345678', '55'],
	// https://github.com/stripe-archive/jquery.mobilePhoneNumber/issues/16
	['+33 (0)6 12 34 56 78', '+33612345678', '55'],
	// https://github.com/floere/phony/issues/284
	['+91 098765 43210', '+919876543210', '55'],
	// https://github.com/ruimarinho/google-libphonenumber/issues/276
	['+61 (0)412 341 234', '+61412341234', '55'],
	['0043 (0)664 1234567', '+436641234567', '55'],
	['+31 (0) 20 123 4567', '+31201234567', '55'],
	['+81 (0)90-1234-5678', '+819012345678', '55'],
	['+7 8 912 345-67-89', '+79123456789', '55'],
	['+225 01 23 45 67 89', '+2250123456789', '55'],
	['+39 (031) 23456789', '+3903123456789', '55'],
	// With its 0 a landline, without it a mobile.
	['+39 (0)3123456789', undefined, '55'],

	// Argentina. https://github.com/floere/phony/issues/310
	['+54 (11) 15 6677-3399', '+5491166773399', '55'],
	// https://github.com/signalapp/Signal-Android/issues/5270
	['011 15 6677-3399', '+5491166773399', '54'],
	// https://github.com/giggsey/libphonenumber-for-php/issues/168
	['(011) 15-6677-3399', '+5491166773399', '54'],
	['0351 15 412-3456', '+5493514123456', '54'],
	['+54 351 15 412 3456', '+5493514123456', '55'],
	['+54 9 11 6677-3399', '+5491166773399', '55'],
	['02901 15-412345', '+5492901412345', '54'],
	['15 6677-3399', undefined, '54'],
	// Mexico. https://github.com/evolution-foundation/evo-ai-crm-community/pull/382
	['044 55 1234 5678', '+525512345678', '52'],
	['01 (55) 1234-5678', '+525512345678', '52'],
	['+52 044 55 1234 5678', '+525512345678', '55'],
	['045 222 123 4567', '+522221234567', '52'],
	['+52 01 800 123 4567', '+528001234567', '55'],
	['0052 045 222 123 4567', '+522221234567', '55'],
	['55 1234-5678 ext 9', '+525512345678', '52', '9'],

	// The form of the United States. https://github.com/daddyz/phonelib/issues/163
	['(415) 555-2671', undefined, '55'],
	['415-555-2671', undefined, '55'],
	['415.555.2671', undefined, '55'],
	['1-415-555-2671', undefined, '52'],
	['(212) 555-2671', undefined, '54'],
	['(212) 555-2671 x12', undefined, '90'],
	['(415) 555-2671', '+14155552671', '1'],
	['+1 (415) 555-2671', '+14155552671', '55'],
	// Three digits, three and four in other forms.
	['300 123 4567', '+573001234567', '57'],
	['0351 412-3456', '+543514123456', '54'],
	['119 8888-7777', '+5511988887777', '55'],

	// Two numbers. https://github.com/owncloud-archive/contacts/issues/785
	['(11) 3333-4444 (11) 98765-4321', '+5511987654321', '55', '+551133334444'],
	['(11) 3333-4444 - (11) 98765-4321', '+5511987654321', '55', '+551133334444'],
	['(11) 3333-4444 ::: (11) 98765-4321', '+5511987654321', '55', '+551133334444'],
	['11 3333-4444 11 98765-4321', '+5511987654321', '55', '+551133334444'],
	['1133334444 11987654321', '+5511987654321', '55', '+551133334444'],
	['(11) 3333-4444(11) 98765-4321', '+5511987654321', '55', '+551133334444'],
	['+551133334444 +5511987654321', '+5511987654321', '', '+551133334444'],
	['+55 (11) 3333-4444 +55 (11) 98765-4321', '+5511987654321', '55', '+551133334444'],
	['(11) 3333-4444 fixo (11) 98765-4321 cel', '+5511987654321', '55', '+551133334444'],
	['912 345 678 212 345 678', '+351912345678', '351', '+351212345678'],
	['(11) 3333-4444 3333-5555', undefined, '55'],
	['(11) 3333-4444 Ana (11) 98765-4321', undefined, '55'],
])('%j is %j with code %j', (text, phone, countryCode = '', leftOut = '') => {
	const reasons: string[] = [];
	const onLeftOut = (_: string, reason: string) => reasons.push(reason);
	const sent: unknown = attempt(convert, text, { countryCode, onLeftOut });
	expect(isError(sent) ? undefined : sent).toBe(phone);
	expect(reasons).toEqual(leftOut ? [expect.stringContaining(`${leftOut} is a`)] : []);
});

it.each([
	// https://github.com/catamphetamine/libphonenumber-js/issues/365
	['+55 (55) 11 98765-4321', '+5511987654321'],
	['(55) 55 11 98765-4321', '+5511987654321'],
	// https://github.com/jackocnr/intl-tel-input/issues/823
	// https://github.com/daddyz/phonelib/issues/72
	['+55 5511987654321', '+5511987654321'],
	['+55 55 11 98765-4321', '+5511987654321'],
	['+55 55 11 3333-4444', '+551133334444'],
	['0055 55 11 98765-4321', '+5511987654321'],
	['555511987654321', '+5511987654321'],
	['555511987654321@s.whatsapp.net', '+5511987654321'],
	['+351 351 912 345 678', '+351912345678'],
	['+34 34 612345678', '+34612345678'],
	['+52 52 55 1234 5678', '+525512345678'],
	['+44 (44) 20 7946 0958', '+442079460958'],
	// Numbers of area 55, and one that starts with its country code.
	['+55 55 9 8765-4321', '+5555987654321'],
	['+55 55 98765-4321', '+5555987654321'],
	['+55 55 3222-1111', '+555532221111'],
	['55 55 98765-4321', '+5555987654321'],
	['+55 55 55 98765-4321', '+5555987654321'],
	['+52 52 1234 5678', '+525212345678'],
	['+49 49 30 1234567', '+49301234567'],
	// The code is an area code of Germany as well (Leer).
	['+49 491 1234567', '+494911234567'],
	// The place of a carrier's code.
	['+55 (0xx11) 98888-7777', '+5511988887777'],
	['0xx11 98888-7777', '+5511988887777'],
	['(0 xx 11) 98888-7777', '+5511988887777'],
	['0XX11 98888-7777', '+5511988887777'],
	['0**11 98888-7777', '+5511988887777'],
	['(0**11) 3333-4444', '+551133334444'],
	['0x11 98888-7777', '+5511988887777'],
	['55 0xx11 98888-7777', '+5511988887777'],
	['0055 (0xx11) 98888-7777', '+5511988887777'],
	// Full-width characters.
])('%j is %j', (given, expected) => {
	expect(convert(given, { countryCode: '55' })).toBe(expected);
});

it('loses no digit, and is the same when it is converted again', () => {
	const parts = fc.constantFrom(
		...[' ', '-', '.', '(', ')', '+', '00', '0', '(0)', '(0', '55', '39', '@c.us', 'whatsapp:'],
		...['\u00a0', '\u2011', '\u200b', '\u2066'],
	);
	const text = fc.array(fc.oneof(parts, fc.stringMatching(/^\d{1,4}$/)), { maxLength: 8 });
	const country = fc.constantFrom(undefined, '1', '44', '49', '55', '351');
	fc.assert(
		fc.property(text, country, (pieces, countryCode) => {
			const given = pieces.join('');
			const once = toInternational(given, countryCode) ?? given;
			expect(toInternational(once, countryCode) ?? once).toBe(once);
			// All that may be missing is the 00 that the + stands for, and what is dialled only within a country.
			// San Marino's numbers get the area code that may be left out within the country.
			const [before, after] = [digits(given), digits(once).replace(/^3780549(?=\d{6}$)/, '378')];
			// In Brazil, the code of a carrier may follow the 0.
			const [, carrier = ''] = /^(?:(?:00)?55)?(00?[1-9]\d)/.exec(before) ?? [];
			const readings = ['', '0', '00', '1', carrier].flatMap((trunk) => [
				trunk + after.slice(countryCode?.length),
				...[1, 2, 3].flatMap((length) => {
					const [code, number] = [after.slice(0, length), after.slice(length)];
					// The code may be there twice.
					return ['', code].map((before) => before + code + trunk + number);
				}),
			]);
			const written = readings.flatMap((reading) => [reading, `00${reading}`]);
			expect(written).toContainEqual(after.endsWith(before) ? after : before);
		}),
		{ numRuns: draws(1500) },
	);
});

it.each([
	['+551187654321', '+5511987654321'],
	['+5511987654321', '+551187654321'],
	['+541112345678', '+5491112345678'],
	['+5491123456789', '+541123456789'],
	['+525512345678', '+5215512345678'],
	// Without the 9 it would be a landline; and numbers of others, or in another format.
	[
		'',
		'+5511931234567|+551131234567|+5501987654321|+5411234567890|+5255123456789|+351912345678|11987654321|tel:+5511987654321',
	],
])('a mobile number may be stored as %s: %s', (other, phones) => {
	for (const phone of phones.split('|'))
		expect([phone, mobileVariants(phone).join()]).toEqual([phone, other]);
});
