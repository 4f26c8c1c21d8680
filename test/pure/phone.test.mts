import fc from 'fast-check';

import { ninthDigitVariant, toPhone } from '../../nodes/IntegrationLeads/fields/phone';

const convert = (value: unknown, countryCode?: string) =>
	toPhone(value, { label: 'Phone', timezone: 'UTC', countryCode });
const digits = (phone: unknown) => String(phone).replace(/\D/g, '');

it.each([
	['5511900000001@s.whatsapp.net', '+5511900000001'],
	['5511900000001:12@c.us', '+5511900000001'],
	['whatsapp:+5511900000001', '+5511900000001'],
	['tel:+55-11-90000-0001', '+5511900000001'],
	[' +55 (11) 9 0000-0001 ', '+5511900000001'],
	['\u202a+55 11 90000-0001\u202c', '+5511900000001'],
	['0055 11 90000 0001', '+5511900000001'],
	['(11) 90000-0001', '(11) 90000-0001'],
	['5511900000001', '5511900000001'],
	['120363000000000000@g.us', '120363000000000000@g.us'],
	[5511900000001, '5511900000001'],
	['ask at the door', 'ask at the door'],
	['', ''],
	[undefined, undefined],
])('%j becomes %j', (given, phone) => {
	expect(convert(given)).toBe(phone);
});

it.each([
	['55', '(11) 90000-0001', '+5511900000001'],
	['55', '11 3000-0001', '+551130000001'],
	['55', '5511900000001', '+5511900000001'],
	['55', 5511900000001, '+5511900000001'],
	['55', '551130000001', '+551130000001'],
	// 55 is an area code as well.
	['55', '(55) 99000-0001', '+5555990000001'],
	['55', '5530000001', '+555530000001'],
	['55', '011 90000-0001', '+5511900000001'],
	['55', '011 3000-0001', '+551130000001'],
	// Without an area code, with one digit too many, or with a carrier's code: whose number it is stays open.
	['55', '90000-0001', '90000-0001'],
	['55', '119000000011', '119000000011'],
	['55', '0 15 11 90000-0001', '0 15 11 90000-0001'],
	['55', '+1 415 555 0100', '+14155550100'],
	['55', '351910000000@s.whatsapp.net', '+351910000000'],
	['1', '(415) 555-0100', '+14155550100'],
	['1', '1 415 555 0100', '+14155550100'],
	['351', '910 000 000', '+351910000000'],
	['351', '351910000000', '+351910000000'],
	['44', '07700 900000', '+447700900000'],
	['44', '447700900000', '+447700900000'],
	// A country whose lengths are not known here.
	['49', '1512 0000001', '+4915120000001'],
	['49', '491512000000', '491512000000'],
	['49', '01512 000000', '01512 000000'],
	['49', '12345', '12345'],
])('in country %s, %j becomes %j', (countryCode, given, phone) => {
	expect(convert(given, countryCode)).toBe(phone);
});

it('loses no digit, and is the same when it is converted again', () => {
	const parts = fc.constantFrom(
		' ',
		'-',
		'.',
		'(',
		')',
		'+',
		'00',
		'0',
		'55',
		'@c.us',
		'whatsapp:',
	);
	const text = fc.array(fc.oneof(parts, fc.stringMatching(/^\d{1,4}$/)), { maxLength: 8 });
	const country = fc.constantFrom(undefined, '1', '44', '49', '55', '351');
	fc.assert(
		fc.property(text, country, (pieces, countryCode) => {
			const given = pieces.join('');
			const once = convert(given, countryCode);
			expect(convert(once, countryCode)).toBe(once);
			// All that may be missing is the 00 that the + stands for, or the one digit that is dialled within a country.
			const [before, after] = [digits(given), digits(once)];
			expect([`00${after}`, `0${after.slice(countryCode?.length)}`, after]).toContainEqual(
				after.endsWith(before) ? after : before,
			);
		}),
		{ numRuns: 2000 },
	);
});

describe('the ninth digit', () => {
	it.each([
		['+5511987654321', '+551187654321'],
		['+551187654321', '+5511987654321'],
		['+5511961234567', '+551161234567'],
		// Without the 9 it would be a landline.
		['+5511931234567', undefined],
		['+551131234567', undefined],
		['+5501987654321', undefined],
		['+351912345678', undefined],
		['11987654321', undefined],
		['', undefined],
	])('%s may also be %s', (phone, other) => {
		expect(ninthDigitVariant(phone)).toBe(other);
	});

	it('goes both ways', () => {
		fc.assert(
			fc.property(fc.stringMatching(/^\+55[1-9]{2}9?[6-9]\d{7}$/), (phone) => {
				const other = ninthDigitVariant(phone);
				expect(other).not.toBe(phone);
				expect(ninthDigitVariant(other ?? '')).toBe(phone);
			}),
		);
	});
});
