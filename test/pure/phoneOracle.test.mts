/**
 * Phones against libphonenumber, which knows the numbering plans of all countries. It is only a test's oracle: of a number
 * without a country code it guesses the country, where the node leaves what was written.
 */
import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import {
	getCountries,
	getCountryCallingCode,
	parsePhoneNumberFromString as oracle,
} from 'libphonenumber-js/max';

import { toInternational } from '../../nodes/IntegrationLeads/values/phone';

const read = (text: string, countryCode?: string) => toInternational(text, countryCode) ?? text;

/** Of each country a mobile number, and what is valid of some random digits: mostly landlines. */
const SAMPLES = getCountries().flatMap((country) => {
	const { length } = examples[country];
	const lengths = { minLength: length - 2, maxLength: Math.min(length + 1, 11) };
	const random = fc
		.sample(fc.array(fc.integer({ min: 0, max: 9 }), lengths), { numRuns: 25, seed: 10 })
		.map((digits) => digits.join(''));
	const code = getCountryCallingCode(country);
	return [examples[country], ...random].flatMap((national) => {
		const phone = oracle(`+${code}${national}`);
		const isPersonal = /^(FIXED_LINE|MOBILE|FIXED_LINE_OR_MOBILE)$/.test(phone?.getType() ?? '');
		// 00 begins numbers of Tajikistan too, and calls abroad everywhere else.
		if (!phone?.isValid() || !isPersonal || national.startsWith('00')) return [];
		return phone.nationalNumber === national ? [{ country, code, national, phone }] : [];
	});
});
type Spell = (sample: (typeof SAMPLES)[number]) => string;

it('has numbers of all countries', () => {
	expect(new Set(SAMPLES.map(({ country }) => country)).size).toBe(getCountries().length);
	expect(SAMPLES.length).toBeGreaterThan(700);
});

it.each<[string, Spell]>([
	['E.164', ({ phone }) => phone.number],
	['spaces', ({ phone }) => phone.formatInternational()],
	[
		'00 and dashes',
		({ phone }) => phone.formatInternational().replace('+', '00').replace(/ /g, '-'),
	],
	['RFC 3966', ({ phone }) => phone.getURI()],
	['parentheses', ({ code, national: n }) => `+${code} (${n.slice(0, 2)}) ${n.slice(2)}`],
	['the country code in parentheses', ({ code, national }) => `(+${code}) ${national}`],
	['WhatsApp', ({ phone }) => `${phone.number.slice(1)}@s.whatsapp.net`],
])('a number with its country code is read: %s', (_, spell) => {
	const wrong = SAMPLES.filter((sample) => read(spell(sample)) !== sample.phone.number);
	expect(wrong.map(spell)).toEqual([]);
});

/** Belarus, the Marshall Islands and Turkmenistan dial 8 or 1 before a number, which passes for a part of it. */
const OTHER_TRUNKS = ['375', '692', '993'];

it.each<[string, Spell]>([
	['(0)', ({ code, national }) => `+${code} (0)${national}`],
	['0', ({ code, national }) => `+${code} 0${national}`],
	['8', ({ code, national }) => `00${code} 8 ${national}`],
	['1', ({ code, national }) => `+${code}-1-${national}`],
	['as the country writes it', ({ code, phone }) => `+${code} ${phone.formatNational()}`],
])('what is dialled within a country is left out, or all stays as it was: %s', (_, spell) => {
	// Where the oracle reads another number, or none, there is nothing to be read.
	const wrong = SAMPLES.filter((sample) => {
		const given = spell(sample);
		const { number } = sample.phone;
		const isOracle = oracle(given)?.number === number && !OTHER_TRUNKS.includes(sample.code);
		return isOracle && ![given, number].includes(read(given));
	});
	expect(wrong.map(spell)).toEqual([]);
});

it.each<[string, Spell]>([
	['as the country writes it', ({ phone }) => phone.formatNational()],
	['without what is dialled before it', ({ national }) => national],
	['with the country code, but no +', ({ code, national }) => code + national],
])('a number of the default country is read or stays as it was: %s', (_, spell) => {
	const wrong = SAMPLES.filter((sample) => {
		return ![spell(sample), sample.phone.number].includes(read(spell(sample), sample.code));
	});
	expect(wrong.map(spell)).toEqual([]);
});

it.each<[string, Spell]>([
	['a digit is missing', ({ phone }) => phone.number.slice(0, -1)],
	['a digit too many', ({ phone }) => `${phone.number}7`],
	['another country code before it', ({ code, phone }) => `+${code} ${phone.number}`],
	['the country code twice', ({ code, phone }) => `+${code}${phone.number.slice(1)}`],
])('of what is nearly a number no other is made: %s', (_, spell) => {
	const wrong = SAMPLES.map(spell).filter((given) => {
		const known = oracle(given);
		return ![given, known?.isValid() ? known.number : given].includes(read(given));
	});
	expect(wrong.map((given) => `${given}: ${read(given)}`)).toEqual([]);
});
