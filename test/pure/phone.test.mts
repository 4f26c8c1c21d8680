/** What is said of phones that cannot be read, and how phones are compared; test/corpus has how they are written. */
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
	['1512 0000001', '49', NO_CODE, /5511900000000\.$/],
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

it.each([
	// https://github.com/catamphetamine/libphonenumber-js/issues/365
	['+55 (55) 11 98765-4321', '+5511987654321'],
	['(55) 55 11 98765-4321', '+5511987654321'],
	// https://github.com/jackocnr/intl-tel-input/issues/823
	['+55+5511987654321', '+5511987654321'],
	['+7+78639222222', '+78639222222'],
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
	// No plan of the country is known, so both may be the number.
	['+49 49 30 1234567', '+4949301234567'],
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
	['＋５５１１９８７６５４３２１', '+5511987654321'],
	['（１１）９８７６５－４３２１', '+5511987654321'],
	['＋８１　９０　１２３４　５６７８', '+819012345678'],
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
			const [before, after] = [digits(given), digits(once)];
			const readings = ['', '0', '00', '1'].flatMap((trunk) => [
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
