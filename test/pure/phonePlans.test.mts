/** Compares phones of all countries with what libphonenumber-js reads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
	getCountries,
	getCountryCallingCode,
	getExampleNumber,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { compact } from 'lodash';
import examples from 'libphonenumber-js/examples.mobile.json';

import { mobileVariants, toInternational } from '../../nodes/IntegrationLeads/values/phone';
import { devDependencies } from '../../package.json';
import { draws } from '../helpers/long.mts';
import { type Metadata, phonePlansFile } from '../../scripts/lib/phonePlans.mts';

const fileAt = (...path: string[]) => readFileSync(join(__dirname, '../..', ...path), 'utf8');
const metadata = JSON.parse(
	fileAt('node_modules', 'libphonenumber-js', 'metadata.max.json'),
) as Metadata;

it('the table is what the script makes of the installed metadata', () => {
	expect(fileAt('nodes', 'IntegrationLeads', 'values', 'phonePlans.ts')).toBe(
		phonePlansFile(metadata, devDependencies['libphonenumber-js']),
	);
});

/** An example of a mobile number in each country. */
const mobiles = getCountries().map((country) => getExampleNumber(country, examples)!);

type Write = (example: (typeof mobiles)[number]) => string;

/** How numbers are written, and the countries of which that is refused, because it may be another number. */
const FORMS: Array<[form: string, write: Write, refused?: string]> = [
	['with +', ({ number }) => number],
	['with + and spaces', (example) => example.formatInternational()],
	['with 00', ({ number }) => number.replace('+', '00')],
	['as a link', (example) => example.getURI()],
	['with an extension', ({ number }) => `${number} ext. 136`],
	['with the extension of a link', (example) => `${example.getURI()};ext=136`],
	['with # and an extension', (example) => `${example.formatInternational()}#136`],
	[
		'with brackets',
		({ countryCallingCode: code, nationalNumber: number }) =>
			`+${code} (${number.slice(0, 2)}) ${number.slice(2)}`,
	],
	['as within the country', (example) => example.formatNational(), 'MN'],
	['with an extension within the country', (example) => `${example.formatNational()} x136`, 'MN'],
	['in digits', (example) => example.formatNational().replace(/\D/g, ''), 'MN'],
	// As short as a local number without its area code.
	['without the trunk prefix', ({ nationalNumber }) => nationalNumber, 'CU MM MN XK'],
	// A number within the country as well.
	['in digits, with the country code', ({ number }) => number.slice(1), 'DE ID XK'],
];

it.each(FORMS)('reads the mobile numbers of all countries %s', (_, write, refused = '') => {
	const found = mobiles.map((example) => [
		example.country,
		write(example),
		toInternational(write(example), example.countryCallingCode) ?? null,
	]);
	const expected = mobiles.map((example) => [
		example.country,
		write(example),
		refused.includes(String(example.country)) ? null : example.number,
	]);
	expect(found).toEqual(expected);
});

/** What libphonenumber-js reads, if it is a number in use. */
function read(text: string, countryCallingCode?: string): string | undefined {
	const phone = parsePhoneNumberFromString(text, { defaultCallingCode: countryCallingCode });
	return phone?.isValid() ? phone.number : undefined;
}

it('drops (0) behind the country code where libphonenumber-js does, and never makes another number of it', () => {
	const outcomes = mobiles.map(({ countryCallingCode, nationalNumber, number }) => {
		const given = `+${countryCallingCode} (0)${nationalNumber}`;
		const found = toInternational(given);
		return { given, found, wanted: read(given) === number ? number : undefined };
	});
	expect(outcomes.filter(({ found, wanted }) => found !== wanted)).toEqual([]);
	expect(outcomes.filter(({ found }) => found).length).toBeGreaterThan(100);
});

describe('numbers of any country', () => {
	/** Landlines and mobiles, as they are dialled within their country, and digits like them. */
	const numbers = getCountries().map((country) => {
		const [landlines, mobiles] = metadata.countries[country][11] as Array<[pattern: string]>;
		const patterns = compact([landlines?.[0], mobiles?.[0]]);
		return fc.record({
			code: fc.constant(getCountryCallingCode(country)),
			trunk: fc.constantFrom('', '', '0', '0', '8', '06', '1', '044'),
			number: fc.oneof(
				...patterns.map((pattern) => fc.stringMatching(new RegExp(`^(?:${pattern})$`))),
				fc.stringMatching(/^\d{4,12}$/),
			),
		});
	});

	/** Brazil's and Mexico's plans are ours: what they make of a number reaches the same person, or is refused. */
	const isSame = (phone: string, other: string) =>
		phone === other || mobileVariants(phone).includes(other);

	it.each<[string, (number: string, code: string) => [text: string, countryCode?: string]]>([
		['within the country', (number, code) => [number, code]],
		['with an extension', (number, code) => [`${number} ext. 12`, code]],
		['behind the country code', (number, code) => [`+${code} ${number}`]],
		['behind the country code and (0)', (number, code) => [`+${code} (0)${number}`]],
		['behind two country codes', (number, code) => [`+${code} ${code} ${number}`]],
		['in digits, behind the country code', (number, code) => [`${code}${number}`, code]],
	])('%s are what libphonenumber-js reads, or refused', (_, write) => {
		let count = 0;
		fc.assert(
			fc.property(fc.oneof(...numbers), ({ code, trunk, number }) => {
				const [text, countryCode] = write(trunk + number, code);
				const found = toInternational(text, countryCode);
				const wanted = read(text, countryCode);
				if (found === undefined || wanted === undefined) return;
				count += 1;
				expect([text, isSame(found, wanted) ? wanted : found]).toEqual([text, wanted]);
			}),
			{ numRuns: draws(2000) },
		);
		expect(count).toBeGreaterThan(50);
	});
});
