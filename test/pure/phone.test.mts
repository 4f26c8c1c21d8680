import fc from 'fast-check';

import {
	mobileVariants,
	ninthDigitVariant,
	toPhone,
} from '../../nodes/IntegrationLeads/values/phone';

const convert = (value: unknown, countryCode?: string) =>
	toPhone(value, { label: 'Phone', timezone: 'UTC', countryCode });
const digits = (phone: unknown) => String(phone).normalize('NFKC').replace(/\D/g, '');

it.each([
	['5511900000001@s.whatsapp.net', '+5511900000001'],
	['5511900000001:12@c.us', '+5511900000001'],
	['whatsapp:+5511900000001', '+5511900000001'],
	['tel:+55-11-90000-0001', '+5511900000001'],
	[' +55 (11) 9 0000-0001 ', '+5511900000001'],
	['\u202a+55 11 90000-0001\u202c', '+5511900000001'],
	['0055 11 90000 0001', '+5511900000001'],
	['+0055 11 90000-0001', '+5511900000001'],
	['003000000@c.us', '003000000@c.us'],
	// No ID is like this, but the same must come of it when it is read again.
	['5501130000001@c.us', '+551130000001'],
	// Dashes, spaces and marks that cannot be seen, as pages, documents and phones put them in.
	['+55 11 90000\u20110001', '+5511900000001'],
	['+55\u201011\u201290000\u20130001', '+5511900000001'],
	['+55 11 90000\u20140001', '+5511900000001'],
	['+55 11 90000\u20150001', '+5511900000001'],
	['+55 11 90000\u22120001', '+5511900000001'],
	['+55\u00a011\u200990000\u202f0001', '+5511900000001'],
	['+55 11 90000-0001\u200b', '+5511900000001'],
	['\u200e+55 11 90000\u200d-\u20600001\u200f', '+5511900000001'],
	['\u2066+5511900000001\u2069', '+5511900000001'],
	['\ufeff\u202a whatsapp:+5511900000001\u202c', '+5511900000001'],
	['\u200e5511900000001@s.whatsapp.net', '+5511900000001'],
	['\uff0b\uff15\uff15\u3000\uff0811\uff0990000\uff0d0001', '+5511900000001'],
	// What is dialled only within the country.
	['+44 (0)20 7946 0958', '+442079460958'],
	['0044(0)20 7946 0958', '+442079460958'],
	['(+44) (0) 20-7946-0958', '+442079460958'],
	['+0049 (0)30 0000001', '+49300000001'],
	['+55 (0) 11 90000-0001', '+5511900000001'],
	['+55 (011) 90000-0001', '+5511900000001'],
	['+55 011 3000-0001', '+551130000001'],
	['+55 0800 000 0001', '+558000000001'],
	['+55 (0)(011) 90000-0001', '+5511900000001'],
	// Here the 0 belongs to the number, or it is not known.
	['+39 06 0000 0001', '+390600000001'],
	['+39 (0)6 0000 0001', '+390600000001'],
	['+44 020 7946 0958', '+4402079460958'],
	['+55 0 15 11 90000-0001', '+55 0 15 11 90000-0001'],
	['+4420 (0) 7946 0958', '+4420079460958'],
	['+225 (0)7 01 23 45 67', '+2250701234567'],
	['+242 (0)6 612 3456', '+242066123456'],
	['+351 (0)910 000 000', '+351 (0)910 000 000'],
	['+38 (0)44 000 0001', '+38 (0)44 000 0001'],
	['+353 (0)1 000 0001', '+35310000001'],
	// A slash behind an area code is none of these.
	['+49 30/1234567', '+49301234567'],
	['+49 (0)30/1234567', '+49301234567'],
	// A second number, its last digits, or an extension.
	['+55 11 3000-0001/2', '+55 11 3000-0001/2'],
	['+55 11 3000-0001 / 2', '+55 11 3000-0001 / 2'],
	['+1 212-555-0100\uff0f0101', '+1 212-555-0100\uff0f0101'],
	['+55 11 3000-0001 ramal 12', '+55 11 3000-0001 ramal 12'],
	['+1 212-555-0100 ext. 12', '+1 212-555-0100 ext. 12'],
	['tel://+55-11-90000-0001', '+5511900000001'],
	['+0 11 90000-0001', '+0 11 90000-0001'],
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
	// Of other countries: Brazil has no such number.
	['55', '12125550100', '12125550100'],
	['55', '34600000001', '34600000001'],
	['55', '59899123456', '59899123456'],
	['55', '6512345678', '6512345678'],
	['55', '(10) 3000-0001', '(10) 3000-0001'],
	['55', '0800 000 0001', '+558000000001'],
	['55', '(11) 3000-0001/2', '(11) 3000-0001/2'],
	['55', '(11) 3000-0001 ramal 2', '(11) 3000-0001 ramal 2'],
	['7', '8 495 000-00-01', '+74950000001'],
	['7', '8 812 000-00-01', '+78120000001'],
	['7', '(812) 000-00-01', '+78120000001'],
	['7', '7 495 000-00-01', '+74950000001'],
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
		...[' ', '-', '.', '(', ')', '+', '00', '0', '(0)', '(0', '55', '39', '@c.us', 'whatsapp:'],
		...['\u00a0', '\u2011', '\u200b', '\u2066', '\uff0b', '\uff10', '\uff08'],
	);
	const text = fc.array(fc.oneof(parts, fc.stringMatching(/^\d{1,4}$/)), { maxLength: 8 });
	const country = fc.constantFrom(undefined, '1', '44', '49', '55', '351');
	fc.assert(
		fc.property(text, country, (pieces, countryCode) => {
			const given = pieces.join('');
			const once = convert(given, countryCode);
			expect(convert(once, countryCode)).toBe(once);
			// All that may be missing is the 00 that the + stands for, and what is dialled only within a country.
			const [before, after] = [digits(given), digits(once)];
			const withZeros = (position: number, zeros: string) =>
				after.slice(0, position) + zeros + after.slice(position);
			const national = `0${after.slice(countryCode?.length)}`;
			const trunks = [...[0, 1, 2, 3].map((length) => withZeros(length, '0')), withZeros(2, '00')];
			const readings = [after, ...trunks].flatMap((number) => [number, `00${number}`]);
			expect([national, ...readings]).toContainEqual(after.endsWith(before) ? after : before);
		}),
		{ numRuns: 4000 },
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

it.each([
	['+5511987654321', ['+551187654321']],
	['+5491112345678', ['+541112345678']],
	['+541112345678', ['+5491112345678']],
	['+5215512345678', ['+525512345678']],
	['+525512345678', ['+5215512345678']],
	['+551130000001', []],
	['+351912345678', []],
	['5491112345678', []],
])('a mobile number %s may be stored as %j', (phone, others) => {
	expect(mobileVariants(phone)).toEqual(others);
});
