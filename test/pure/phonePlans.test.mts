/** Compares phones of all countries with what libphonenumber-js reads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile.json';

import { toInternational } from '../../nodes/IntegrationLeads/values/phone';
import { devDependencies } from '../../package.json';
import { type Metadata, phonePlansFile } from '../../scripts/lib/phonePlans.mts';

it('the table is what the script makes of the installed metadata', () => {
	const read = (...path: string[]) => readFileSync(join(__dirname, '../..', ...path), 'utf8');
	const metadata = JSON.parse(
		read('node_modules', 'libphonenumber-js', 'metadata.max.json'),
	) as Metadata;
	expect(read('nodes', 'IntegrationLeads', 'values', 'phonePlans.ts')).toBe(
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
