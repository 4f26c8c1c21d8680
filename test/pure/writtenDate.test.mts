import fc from 'fast-check';
import { attempt } from 'lodash';
import { DateTime, Settings } from 'luxon';

import type { InputError } from '../../nodes/IntegrationLeads/userError';
import { toUtc } from '../../nodes/IntegrationLeads/values/convert';

const convert = (value: unknown, dayFirst?: boolean) =>
	toUtc(value, { label: 'Sale Date', timezone: 'America/Sao_Paulo', dayFirst });

const midnight = '2026-12-31T03:00:00.000Z';
const afternoon = '2026-12-31T17:30:00.000Z';
const TWO_WAYS = 'can be read in two ways; is 3 April 2026 or 4 March 2026';

it.each<[string, string]>([
	[
		midnight,
		'31/12/2026| 31/12/2026 |31-12-2026|31.12.2026|12/31/2026|31/12/26|2026/12/31|2026.12.31',
	],
	[
		midnight,
		'31/12/2026 12:00 AM|31 de dezembro de 2026|31  de dezembro  de  2026|31/dez/26|46387',
	],
	[midnight, '31. Dec. 2026|Dec 31, 2026'],
	[
		afternoon,
		'31/12/2026 14:30|31/12/2026 14:30:00|31/12/2026, 14:30:00|31.12.26 14:30|2026/12/31 às 14:30',
	],
	[
		afternoon,
		'31/12/2026 às 14h30|31/12/2026 ÀS 14:30|31/12/2026 a las 14:30|2026/12/31 A LAS 14:30',
	],
	[afternoon, '31/12/2026  às  14:30|31/12/2026\u202f14:30|12/31/2026 2:30PM|12/31/2026, 02:30 pm'],
	[
		afternoon,
		'2026/12/31 2:30:00 PM GMT-3|2026/12/31 2:30:00 PM GMT-03:00|31/12/2026, 2:30:00 p.\u00a0m.',
	],
	[afternoon, '31 DE DEZEMBRO DE 2026 às 14h30|31-dic.-2026 14:30|31 dec 2026, 2:30 PM'],
	[afternoon, 'December  31,  2026 14:30|46387.604166666664|46387,6041667'],
	['2026-12-31T17:30:00.500Z', '31/12/2026 14:30:00.5'],
	['2026-12-31T12:30:00.000Z', '31/12/2026 9:30|31/12/2026 9h30'],
	['2026-12-31T16:30:00.000Z', '31/12/2026 14:30 -02:00|31/12/2026 1:30 PM'],
	['2026-12-31T14:30:00.000Z', '31/12/2026 14:30 UTC'],
	['2026-12-31T15:00:00.000Z', '31/12/2026 12:00 PM'],
	['2026-12-31T17:00:00.000Z', '31/12/2026 14h'],
	['2026-01-31T03:00:00.000Z', '1/31/2026|31/1/2026|2026-1-31'],
	['2026-01-01T03:00:00.000Z', '1º/01/2026'],
	['2026-04-13T03:00:00.000Z', '13/04/2026|04/13/2026'],
	['2026-04-04T03:00:00.000Z', '04/04/2026'],
	['2026-04-03T03:00:00.000Z', '2026/4/3'],
	['2026-03-01T03:00:00.000Z', '1º de março de 2026'],
	['2026-03-21T03:00:00.000Z', '21º de março de 2026'],
	['2026-09-04T03:00:00.000Z', '4 sept 2026'],
	['2049-12-31T03:00:00.000Z', '31/12/49'],
	['1982-01-01T03:00:00.000Z', '29952'],
	['2100-01-01T02:45:36.000Z', '73050.99'],
])('%s can be read in one way from %s', (date, texts) => {
	for (const text of texts.split('|')) expect([text, convert(text)]).toEqual([text, date]);
});

it.each<[string, boolean, string]>([
	['03/04/2026', true, '2026-04-03T03:00:00.000Z'],
	['03/04/2026', false, '2026-03-04T03:00:00.000Z'],
	['3-4-2026 10:00', true, '2026-04-03T13:00:00.000Z'],
	['31/12/2026', true, midnight],
	['12/31/2026', false, midnight],
	['2026-12-31', false, midnight],
])('%j, day first: %j, is %s', (given, dayFirst, date) => {
	expect(convert(given, dayFirst)).toBe(date);
});

it.each<[string, boolean | undefined, string, RegExp]>([
	[
		'03/04/2026',
		undefined,
		TWO_WAYS,
		/^Write it as 2026-04-03 or 2026-03-04\. .*Default Country Code/,
	],
	['3.4.2026 10:00', undefined, TWO_WAYS, /./],
	// What else comes from there would be misread in silence.
	[
		'12/31/2026',
		true,
		'is not a date in which the day comes first',
		/^Write it as 2026-12-31\. .*Default Country Code/,
	],
	['31/12/2026', false, 'is not a date in which the month comes first', /Default Country Code/],
	['31/02/2026', undefined, 'must be a date', /31\/01\/2026 14:30/],
	['31/02/2026', true, 'must be a date', /./],
])('%j, day first: %j, is refused: it %s', (given, dayFirst, text, description) => {
	const { message, ...refusal } = attempt(convert, given, dayFirst) as InputError;
	const [what, ways = ''] = text.split(';');
	expect(message).toBe(`"Sale Date" ${what}: "${given}"${ways}`);
	expect(refusal.description).toMatch(description);
});

const NO_DATES =
	'31/13/2026|31/12-2026|31/12/50|26-01-31|2026/31/12|29951|73051|31 de dezembros de 2026|' +
	'31 de de 2026|31 de fevereiro de 2026|31 dez 98|31 dez 20261|Dec 31, 26|Dec 31, 20261|' +
	'em 31 dez 2026|on Dec 31, 2026|31 dez 2026\n14:30|Dec 31, 2026\n2:30|31/1º/2026|046387|46387e0|' +
	'31/12|31122026|31/12/2026 25:00|31/12/2026 14:30 PM|31/12/2026 0:30 AM|31/12/2026 14:30 IST|' +
	'31/12/2026 noon|on 31/12/2026';

it.each(NO_DATES.split('|'))('%j is no date', (given) => {
	expect(() => convert(given)).toThrow(`"Sale Date" must be a date: ${JSON.stringify(given)}`);
});

// As Excel, Google Sheets and n8n's node give it: a day in the time zone of the workflow.
it('reads numbers of a spreadsheet', () => {
	expect([46387, 46387.604166666664].map((given) => convert(given))).toEqual([midnight, afternoon]);
});

it('names months in English, whatever the language of the server', () => {
	const { defaultLocale } = Settings;
	Settings.defaultLocale = 'pt-BR';
	try {
		expect(() => convert('03/04/2026')).toThrow('3 April 2026 or 4 March 2026');
	} finally {
		Settings.defaultLocale = defaultLocale;
	}
});

it('reads what Intl writes', () => {
	const locale = fc.constantFrom('pt-BR', 'es-AR', 'es-CL', 'en-GB', 'de-DE', 'es-MX', 'en-US');
	const years = { min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true };
	fc.assert(
		fc.property(locale, fc.date(years), (name, date) => {
			const given = DateTime.fromJSDate(date, { zone: 'America/Sao_Paulo' }).startOf('day');
			const form = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
			const text = given.setLocale(name).toLocaleString(form);
			expect(convert(text, name !== 'en-US')).toBe(given.toUTC().toISO());
		}),
	);
});
