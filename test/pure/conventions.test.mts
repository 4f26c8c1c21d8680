import { attempt } from 'lodash';

import { InputError } from '../../nodes/IntegrationLeads/userError';
import { parseConventions } from '../../nodes/IntegrationLeads/values/conventions';

/** Languages with official status, of countries whose code only they have, or dependent territories that write alike. */
const LOCALES = Object.fromEntries(
	(
		'33 fr-FR|34 es-ES ca-ES gl-ES|39 it-IT it-SM it-VA|44 en-GB cy-GB en-GG en-IM en-JE|49 de-DE|' +
		'51 es-PE|52 es-MX|54 es-AR|55 pt-BR|56 es-CL|57 es-CO|58 es-VE|351 pt-PT|353 en-IE ga-IE|' +
		'591 es-BO|593 es-EC|595 es-PY|598 es-UY'
	)
		.split('|')
		.map((row) => [row.split(' ')[0], row.split(' ').slice(1)]),
) as Record<string, string[]>;

const codes = Array.from({ length: 999 }, (_, n) => String(n + 1));
const settled = codes.filter((code) => parseConventions({}, code).dayFirst !== undefined);

it('is known of the countries whose locales are compared here', () => {
	expect(settled.sort()).toEqual(Object.keys(LOCALES).sort());
	expect(parseConventions({}, '1')).toMatchObject({ countryCode: '1', dayFirst: undefined });
});

// Node takes its locales from CLDR.
it.each(Object.entries(LOCALES).flatMap(([code, names]) => names.map((name) => [code, name])))(
	'the country with code %s writes as %s',
	(code, locale) => {
		const { dayFirst, commaDecimals } = parseConventions({}, code);
		const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'short' })
			.formatToParts(new Date(2026, 11, 31))
			.map(({ type }) => type);
		expect(parts.indexOf('day') < parts.indexOf('month')).toBe(dayFirst);
		const amount = new Intl.NumberFormat(locale).format(0.5);
		expect(amount).toBe(commaDecimals ? '0,5' : '0.5');
	},
);

it.each<[object, unknown, object]>([
	[{}, undefined, { countryCode: undefined, dayFirst: undefined, commaDecimals: undefined }],
	[{}, '', { countryCode: undefined }],
	[{}, '+55', { countryCode: '55', dayFirst: true, commaDecimals: true }],
	[{}, ' 00 55 ', { countryCode: '55' }],
	[{}, ' +351', { countryCode: '351' }],
	// The zeros of an international prefix come first.
	[{}, '100', { countryCode: '100' }],
	[{}, '44', { dayFirst: true, commaDecimals: false }],
	[{ defaultCountryCode: '52' }, '55', { countryCode: '52', commaDecimals: false }],
	[{ defaultCountryCode: ' ' }, '55', { countryCode: '55' }],
	[{ datesAreWritten: 'monthFirst' }, '55', { dayFirst: false, commaDecimals: true }],
	[{ numbersAreWritten: 'pointDecimals' }, '55', { dayFirst: true, commaDecimals: false }],
	[{ datesAreWritten: 'dayFirst' }, undefined, { dayFirst: true }],
	[{ numbersAreWritten: 'commaDecimals' }, undefined, { commaDecimals: true }],
	[{ datesAreWritten: '', numbersAreWritten: null }, '55', { dayFirst: true }],
	[{ unreadable: 'leaveOut' }, undefined, { leaveOut: true }],
	[{ unreadable: 'fail' }, undefined, { leaveOut: false }],
])('options %j with %j in the credential are %j', (options, ofCredential, expected) => {
	expect(parseConventions(options, ofCredential)).toMatchObject(expected);
});

const CODE = '"Default Country Code" in the credential must be a country code, not';
it.each<[object, string, string, string]>([
	[{}, 'BR', `${CODE} "BR"`, 'e.g. 55 for Brazil'],
	[{}, 'BR55', `${CODE} "BR55"`, 'e.g. 55 for Brazil'],
	[{}, '5511', `${CODE} "5511"`, 'e.g. 55 for Brazil'],
	[{}, '0', `${CODE} "0"`, 'e.g. 55 for Brazil'],
	[{ defaultCountryCode: 'BR' }, '55', '"Default Country Code" under Options must be', 'Brazil'],
	[{ datesAreWritten: 'x' }, '', '"Dates Are Written" has no entry "x"', 'dayFirst, monthFirst.'],
	[
		{ numbersAreWritten: 'toString' },
		'',
		'"Numbers Are Written" has no',
		'commaDecimals, pointDec',
	],
	[{ unreadable: 'x' }, '', '"Values That Cannot Be Read" has no entry "x"', 'fail, leaveOut'],
])('options %j with %j in the credential are refused', (options, ofCredential, message, wayOut) => {
	const refusal = attempt(parseConventions, options, ofCredential) as InputError;
	expect(refusal).toBeInstanceOf(InputError);
	expect(refusal.message).toContain(message);
	expect(refusal.description).toContain(wayOut);
});
