/**
 * Phones against libphonenumber, which knows the numbering plans of all countries. It is only a test's oracle: of a number
 * without a country code it guesses the country, where the node leaves what was written.
 */
import fc from 'fast-check';
import type { CountryCode, PhoneNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile.json';
import {
	getCountries,
	getCountryCallingCode,
	parsePhoneNumberFromString as oracle,
} from 'libphonenumber-js/max';

import { toInternational } from '../../nodes/IntegrationLeads/values/phone';

const read = (text: string, countryCode?: string) => toInternational(text, countryCode) ?? text;

interface Sample {
	country: CountryCode;
	code: string;
	national: string;
	phone: PhoneNumber;
}

/** Of each country a mobile number, and what is valid of some random digits: mostly landlines. */
const SAMPLES: Sample[] = getCountries().flatMap((country) => {
	const { length } = examples[country];
	const lengths = { minLength: length - 2, maxLength: Math.min(length + 1, 11) };
	const random = fc
		.sample(fc.array(fc.integer({ min: 0, max: 9 }), lengths), { numRuns: 25, seed: 10 })
		.map((digits) => digits.join(''));
	const code = getCountryCallingCode(country);
	return [examples[country], ...random].flatMap((national) => {
		const phone = oracle(`+${code}${national}`);
		const type = phone?.getType() ?? '';
		const isPersonal = /^(FIXED_LINE|MOBILE|FIXED_LINE_OR_MOBILE)$/.test(type);
		// 00 begins numbers of Tajikistan too, and calls abroad everywhere else.
		if (
			national.startsWith('00') ||
			!phone?.isValid() ||
			!isPersonal ||
			phone.nationalNumber !== national
		)
			return [];
		return [{ country, code, national, phone }];
	});
});

it('has numbers of all countries', () => {
	expect(new Set(SAMPLES.map(({ country }) => country)).size).toBe(getCountries().length);
	expect(SAMPLES.length).toBeGreaterThan(700);
});

/** Spellings that are not read as the number, `as written` where they stay what they are. */
function misread(spell: (sample: Sample) => string, hasDefault = false): string[] {
	return SAMPLES.flatMap((sample) => {
		const given = spell(sample);
		const got = read(given, hasDefault ? sample.code : undefined);
		if (got === sample.phone.number) return [];
		return [`${sample.code} ${given}: ${got === given ? 'as written' : got}`];
	});
}

describe('a number with its country code is read', () => {
	const area = ({ national }: Sample) => `(${national.slice(0, 2)}) ${national.slice(2)}`;

	it.each<[string, (sample: Sample) => string]>([
		['E.164', ({ phone }) => phone.number],
		['spaces', ({ phone }) => phone.formatInternational()],
		['00', ({ phone }) => phone.formatInternational().replace('+', '00')],
		['dashes', ({ phone }) => phone.formatInternational().replace(/ /g, '-')],
		['RFC 3966', ({ phone }) => phone.getURI()],
		['an area code in parentheses', (sample) => `+${sample.code} ${area(sample)}`],
		['the country code in parentheses', (sample) => `(+${sample.code}) ${sample.national}`],
		['WhatsApp', ({ phone }) => `${phone.number.slice(1)}@s.whatsapp.net`],
	])('%s', (_, spell) => {
		expect(misread(spell)).toEqual([]);
	});
});

/** Belarus, the Marshall Islands and Turkmenistan dial 8 or 1 before a number, which passes for a part of it. */
const OTHER_TRUNKS = ['375', '692', '993'];

describe('what is dialled only within a country is left out, or all stays as it was written', () => {
	it.each<[string, (sample: Sample) => string]>([
		['(0)', ({ code, national }) => `+${code} (0)${national}`],
		['0', ({ code, national }) => `+${code} 0${national}`],
		['8', ({ code, national }) => `00${code} 8 ${national}`],
		['80', ({ code, national }) => `+${code} 80${national}`],
		['1', ({ code, national }) => `+${code}-1-${national}`],
		['06', ({ code, national }) => `+${code} 06 ${national}`],
		['as the country writes it', ({ code, phone }) => `+${code} ${phone.formatNational()}`],
	])('%s', (_, spell) => {
		// Where the oracle reads another number, or none, there is nothing to be read.
		const wrong = SAMPLES.filter((sample) => {
			const given = spell(sample);
			const { number } = sample.phone;
			const isOracle = oracle(given)?.number === number && !OTHER_TRUNKS.includes(sample.code);
			return isOracle && ![given, number].includes(read(given));
		});
		expect(wrong.map(spell)).toEqual([]);
	});
});

it.each<[string, (sample: Sample) => string]>([
	['as the country writes it', ({ phone }) => phone.formatNational()],
	['without what is dialled before it', ({ national }) => national],
	['with the country code, but no +', ({ code, national }) => code + national],
])('a number of the default country is read or stays as it was written: %s', (_, spell) => {
	const wrong = misread(spell, true).filter((line) => !line.endsWith('as written'));
	expect(wrong).toEqual([]);
});

it.each<[string, (sample: Sample) => string]>([
	['a digit is missing', ({ phone }) => phone.number.slice(0, -1)],
	['a digit too many', ({ phone }) => `${phone.number}7`],
	['another country code before it', ({ code, phone }) => `+${code} ${phone.number}`],
	['the country code twice', ({ code, phone }) => `+${code}${phone.number.slice(1)}`],
	['two digits swapped', ({ phone }) => phone.number.replace(/(\d)(\d)(\d)$/, '$2$1$3')],
])('of what is nearly a number no other is made: %s', (_, spell) => {
	const wrong = SAMPLES.filter((sample) => {
		const given = spell(sample);
		const known = oracle(given);
		return ![given, known?.isValid() ? known.number : given].includes(read(given));
	});
	expect(wrong.map((sample) => `${spell(sample)}: ${read(spell(sample))}`)).toEqual([]);
});
