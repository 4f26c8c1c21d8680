/** Rare spellings of phones; those that people have are in test/corpus. */
import fc from 'fast-check';
import { attempt, isError } from 'lodash';

import type { ConvertContext } from '../../nodes/IntegrationLeads/values/context';
import type { InputError } from '../../nodes/IntegrationLeads/userError';
import {
	mobileVariants,
	toInternational,
	toPhone,
	WHATSAPP_DOMAIN,
} from '../../nodes/IntegrationLeads/values/phone';
import { draws } from '../helpers/long.mts';

const convert = (value: unknown, more: Partial<ConvertContext> = {}) =>
	toPhone(value, { label: 'Phone', timezone: 'UTC', ...more });
const digits = (phone: unknown) => String(phone).normalize('NFKC').replace(/\D/g, '');

it.each<[string | undefined, string]>([
	[
		'+5511900000001',
		'+0055 11 90000-0001|+55 (0)(011) 90000-0001|\u200e5511900000001@s.whatsapp.net',
	],
	// No ID is like this, but the same must come of it when it is read again.
	['+551130000001', '5501130000001@c.us|+55 011 3000-0001'],
	// Dashes, spaces and marks that cannot be seen, as pages, documents and phones put them in.
	[
		'+5511900000001',
		'+55\u201011\u201290000\u20130001|+55 11 90\u201400\u201500\u2212001|+55\u00a011\u200990000\u202f0001',
	],
	[
		'+5511900000001',
		'\u200e+55 11 90000\u200d-\u20600001\u200f|\ufeff\u202a whatsapp:+5511900000001\u202c',
	],
	// What is dialled only within the country.
	['+442079460958', '+44 (0)20 7946 0958|0044(0)20 7946 0958|(+44) (0) 20-7946-0958'],
	['+558000000001', '+55 0800 000 0001'],
	['+24106031234', '+241 06 03 12 34'],
	['+12125550100', '+1 1 212 555 0100'],
	['+390600000001', '+39 06 0000 0001|+39 (0)6 0000 0001'],
	// Not of a market: that the 0 is left out is not known.
	[undefined, '+0049 (0)30 0000001|+49 030 0000001|+49 0049 30 000001'],
	[undefined, '+55 0 15 11 90000-0001|+4420 (0) 7946 0958|+351 (0)910 000 000|+351 0910 000 000'],
	// No number of its country, as far as is known: with a + it is sent all the same.
	['+44207946095', '+44 20 7946 095'],
	['+55119000000011', '+55 11 90000-00011'],
	[undefined, '0055 11 90000-00011'],
	// A 15 is dialled before mobile numbers within Argentina, and a 9 in its place from abroad.
	['+54111500000001', '+54 11 15 0000-0001'],
	['+5215500000001', '+52 1 55 0000 0001'],
	// WhatsApp writes numbers in full.
	[undefined, '449999@c.us|003000000@c.us'],
	['+4499999', '4499999@c.us'],
	// A slash behind an area code, or a second number, its last digits, an extension, or no number.
	['+49301234567', '+49 30/1234567'],
	[undefined, '+49 3012345/67890|+49 30/1200|+55 11 3000-0001/2|+1 212-555-0100\uff0f0101'],
	[
		undefined,
		'+55 11 3000-0001 ramal 12|https://wa.me/message/5511900000001|see wa.me/5511900000001',
	],
	[undefined, 'https://wa.me/55119000000012345|+0 11 90000-0001|+55 whatsapp:11 90000-0001| ask |'],
	[
		'+5511900000001',
		'tel://+55-11-90000-0001|http://wa.me/+5511900000001?text=Oi|WA.me/5511900000001/',
	],
	['+5511900000001', 'https://api.whatsapp.com/send/?phone=5511900000001&text=Oi|+5511900000001.0'],
])('%j is read from %s', (phone, texts) => {
	for (const text of texts.split('|')) expect([text, toInternational(text)]).toEqual([text, phone]);
});

// What has another length, or begins with another digit, is no number of the country.
it.each<[string, string | undefined, string]>([
	['55', '+5511900000001', '0XX11 90000-0001'],
	['55', undefined, '11 0xx90000-0001|119.0|(10) 3000-0001'],
	// 55 is an area code as well.
	['55', '+5555990000001', '(55) 99000-0001'],
	['55', '+555530000001', '5530000001'],
	// Of other countries: Brazil has no such number.
	['55', undefined, '12125550100|5491112345678|34600000001|59899123456|6512345678'],
	['7', '+74950000001', '8 495 000-00-01|7 495 000-00-01'],
	['44', '+447700900000', '07700 900000|447700900000'],
	['44', '+44169771234', '169771234'],
	['44', undefined, '207946095|80012345|20794609580'],
	['49', undefined, '1512 0000001|491512000000|123456|12345678901234|1512 0000001 x'],
	['51', '+5112345678', '1 234 5678'],
	['52', undefined, '15 0000 0001|55 0000 00011'],
	['34', '+34612345678', '612345678'],
	['34', undefined, '600 000 0001|61234567'],
	['351', undefined, '91234567|9123456780'],
	['54', '+541123456789', '1123456789|01123456789'],
	['54', undefined, '15 1234-5678|112345678|112345678900'],
	['56', undefined, '91234567|9123456780'],
	['57', '+573123456789', '3123456789'],
	['57', undefined, '1123456789|312345678|31234567890'],
	['598', '+59894123456', '94123456|094123456'],
	['598', undefined, '9412345|941234560'],
	['999', undefined, '1234567|01234567|9991234567'],
])('in country %s, %j is read from %s', (code, phone, texts) => {
	const read = (text: string) => [text, toInternational(text, code)];
	for (const text of texts.split('|')) expect(read(text)).toEqual([text, phone]);
});

it('is read from a number', () => {
	expect(convert(11900000001, { countryCode: '55' })).toBe('+5511900000001');
});

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
	const { message, ...refusal } = attempt(convert, given, { countryCode }) as InputError;
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
				...[1, 2, 3].map((length) => after.slice(0, length) + trunk + after.slice(length)),
			]);
			const written = readings.flatMap((reading) => [reading, `00${reading}`]);
			expect(written).toContainEqual(after.endsWith(before) ? after : before);
		}),
		{ numRuns: draws(1500) },
	);
});

it.each([
	['+551187654321', '+5511987654321'],
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

it('the other form of a mobile number has this one as its other form', () => {
	const mobile = fc.stringMatching(/^\+(?:55[1-9]{2}9?[6-9]\d{7}|549?[1-3]\d{9}|521?[2-9]\d{9})$/);
	fc.assert(
		fc.property(mobile, (phone) => {
			const [other] = mobileVariants(phone);
			expect(other).not.toBe(phone);
			expect(mobileVariants(other)).toEqual([phone]);
		}),
	);
});

it.each([
	[true, ['1@c.us', '1@s.whatsapp.net', '1@lid', '1@hosted.lid', '1@g.us', '1@C.US']],
	[false, ['a@c.us.example.com', 'a@lid.example.com', 'a@g.us.example.com', 'a@example.com']],
])("ends in one of WhatsApp's domains: %s", (expected, ids) => {
	expect(ids.filter((id) => WHATSAPP_DOMAIN.test(id) !== expected)).toEqual([]);
});
