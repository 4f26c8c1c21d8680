/** Dates as programs, people and spreadsheets write them; test/corpus has more, by country. */
import fc from 'fast-check';
import { attempt } from 'lodash';
import { DateTime, Settings } from 'luxon';

import { parseDate } from '../../nodes/IntegrationLeads/dates/date';
import type { InputError } from '../../nodes/IntegrationLeads/userError';
import { toUtc } from '../../nodes/IntegrationLeads/values/convert';

const convert = (value: unknown, dayFirst?: boolean) =>
	toUtc(value, { label: 'Sale Date', timezone: 'America/Sao_Paulo', dayFirst });
const read = (text: string, zone = 'America/Sao_Paulo') =>
	parseDate(text, zone)?.toUTC().toISO() ?? undefined;
const linesOf = (table: string) => table.trim().split(/\n\s*/);

it.each(
	linesOf(`
	2026-01-31T14:30:00.000Z <= 2026-01-31T14:30:00Z|2026-01-31t14:30:00z|2026-01-31T14:30:00 Z|20260131T143000,000-0000|20260131T1430Z
	2026-01-31T14:30:00.000Z <= \u00a02026-01-31\u202f14:30:00 UTC |2026-01-31 14:30 gmt|2026-01-31T11:30:00-03:00|2026-01-31T15:30+01:00|2026-01-31T11:30:00\u221203:00
	2026-01-31T14:30:00.000Z <= 2026-01-31 11:30:00|2026-01-31 11:30|2026-01-31 11:30:00 -03:00|2026-01-31T11:30:00 -03|2026-02-01T04:30+14|2026-01-31T20:29+05:59
	2026-01-31T14:30:00.000Z <= 2026-01-31T14:30:00.0001234567890Z|2026-01-31T15:30[Europe/Berlin]|2026-01-31T14:30Z[Etc/UTC]|2026-01-31 14:30:00 +0000 UTC
	2026-01-31T14:30:00.123Z <= 2026-01-31T14:30:00.123456Z
	2026-01-31T14:30:00.290Z <= 2026-01-31T14:30:00.29Z
	2026-01-31T03:00:00.000Z <= 2026-01-31|20260131
	2026-02-01T00:00:00.000Z <= 2026-01-31T24:00Z|2026-02-01T00Z`),
)('%s', (line) => {
	const [expected, texts] = line.split(' <= ');
	expect(texts.split('|').filter((text) => read(text) !== expected)).toEqual([]);
});

it.each(
	(
		'31/01/2026|2026-02-30|2026|2026-01|202601|2026131|31012026|1430-0300|1155-2026|1155-1026|T14:30|14:30:00Z|2026-01-31T|' +
		'2026-01-31T24:30Z|2026-01-31T14:60Z|2026-01-31T14:30:60Z|2026-01-31 02:30 PM|2026-01-31 14:30 IST|2026-W05-6|2026-031|' +
		'+002026-01-31|2026-01-31T14.5Z|2026-01-31T11:30[Nowhere/Atlantis]'
	).split('|'),
)('%j is not a date of a program', (text) => {
	expect(read(text)).toBeUndefined();
});

it('is in the zone that it is asked for, whatever it states', () => {
	const inZone = parseDate('2026-01-31T14:30:00Z', 'Asia/Tokyo')?.toISO();
	expect(inZone).toBe('2026-01-31T23:30:00.000+09:00');
	expect(parseDate('2026-01-31', 'Nowhere/Atlantis')).toBeUndefined();
});

describe('a date without a zone is in that of the workflow', () => {
	const { now, defaultZone } = Settings;
	afterEach(() => Object.assign(Settings, { now, defaultZone }));

	it.each([
		['the hour that summer time takes', '2026-03-29T02:30:00', '2026-03-29T01:30:00.000Z'],
		['the hour after it', '2026-03-29T03:30:00', '2026-03-29T01:30:00.000Z'],
		['the hour that it gives back', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
		['the hour after that', '2026-10-25T03:30:00', '2026-10-25T02:30:00.000Z'],
		['summer', '2026-07-01', '2026-06-30T22:00:00.000Z'],
	])('%s', (_, text, expected) => {
		for (const month of ['01', '07']) {
			Settings.now = () => Date.parse(`2026-${month}-01`);
			Settings.defaultZone = 'Asia/Tokyo';
			expect(read(text, 'Europe/Berlin')).toBe(expected);
		}
	});
});

const days = { min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true };

it('any date is read as programs write it', () => {
	const zones = fc.constantFrom('UTC', 'America/Sao_Paulo', 'Asia/Kolkata', 'Pacific/Auckland');
	fc.assert(
		fc.property(fc.date(days), zones, zones, (given, written, zone) => {
			const luxon = DateTime.fromJSDate(given, { zone: written });
			for (const text of [luxon.toISO(), luxon.toISO({ format: 'basic' })]) {
				expect(read(String(text), zone)).toBe(given.toISOString());
			}
		}),
	);
});

it('any day is read as Intl writes it', () => {
	const locale = fc.constantFrom('pt-BR', 'es-AR', 'es-CL', 'en-GB', 'de-DE', 'es-MX', 'en-US');
	fc.assert(
		fc.property(locale, fc.date(days), (name, date) => {
			const given = DateTime.fromJSDate(date, { zone: 'America/Sao_Paulo' }).startOf('day');
			const form = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
			const text = given.setLocale(name).toLocaleString(form);
			expect(convert(text, name !== 'en-US')).toBe(given.toUTC().toISO());
		}),
	);
});

// What can be read in one way without knowing the country.
it.each(
	linesOf(`
	2026-12-31T03:00:00.000Z <= 31/12/2026| 31/12/2026 |31-12-2026|31.12.2026|12/31/2026|31/12/26|2026/12/31|2026.12.31|31/12/2026 12:00 AM|46387
	2026-12-31T03:00:00.000Z <= 31 de dezembro de 2026|31  de dezembro  de  2026|31/dez/26|31. Dec. 2026|Dec 31, 2026
	2026-12-31T17:30:00.000Z <= 31/12/2026 14:30|31.12.26 14:30|2026/12/31 às 14:30|31/12/2026 ÀS 14:30|2026/12/31 A LAS 14:30|31/12/2026  às  14:30|31/12/2026\u202f14:30
	2026-12-31T17:30:00.000Z <= 12/31/2026 2:30PM|12/31/2026, 02:30 pm|2026/12/31 2:30:00 PM GMT-3|2026/12/31 2:30:00 PM GMT-03:00|31/12/2026, 2:30:00 p.\u00a0m.
	2026-12-31T17:30:00.000Z <= 31 DE DEZEMBRO DE 2026 às 14h30|31-dic.-2026 14:30|31 dec 2026, 2:30 PM|December  31,  2026 14:30|46387.604166666664|46387,6041667
	2026-12-31T17:30:00.500Z <= 31/12/2026 14:30:00.5
	2026-12-31T12:30:00.000Z <= 31/12/2026 9:30|31/12/2026 9h30
	2026-12-31T16:30:00.000Z <= 31/12/2026 14:30 -02:00|31/12/2026 1:30 PM
	2026-12-31T15:00:00.000Z <= 31/12/2026 12:00 PM|31/12/2026 12h|31/12/2026 15:00 UTC
	2026-01-31T03:00:00.000Z <= 1/31/2026|31/1/2026|2026-1-31
	2026-04-04T03:00:00.000Z <= 04/04/2026
	2026-04-03T03:00:00.000Z <= 2026/4/3
	2026-03-21T03:00:00.000Z <= 21º de março de 2026
	2049-12-31T03:00:00.000Z <= 31/12/49`),
)('%s', (line) => {
	const [date, texts] = line.split(' <= ');
	for (const text of texts.split('|')) expect([text, convert(text)]).toEqual([text, date]);
});

it.each<[string, boolean | undefined, string, RegExp?]>([
	['03/04/2026', true, '2026-04-03T03:00:00.000Z'],
	['03/04/2026', false, '2026-03-04T03:00:00.000Z'],
	['3-4-2026 10:00', true, '2026-04-03T13:00:00.000Z'],
	['2026-12-31', false, '2026-12-31T03:00:00.000Z'],
	[
		'3.4.2026 10:00',
		undefined,
		'can be read in two ways: "3.4.2026 10:00" is 3 April 2026 or 4 March 2026',
		/^Write it as 2026-04-03 or 2026-03-04\. .*Default Country Code/,
	],
	// What else comes from there would be misread in silence.
	[
		'12/31/2026',
		true,
		'is not a date in which the day comes first: "12/31/2026"',
		/^Write it as 2026-12-31\. .*Default Country Code/,
	],
	['31/12/2026', false, 'is not a date in which the month comes first: "31/12/2026"'],
	['31/02/2026', undefined, 'must be a date: "31/02/2026"', /31\/01\/2026 14:30/],
	['31/02/2026', true, 'must be a date: "31/02/2026"'],
])('%j, day first: %j: %s', (given, dayFirst, expected, description = /^/) => {
	// Whatever the language of the server.
	Settings.defaultLocale = 'pt-BR';
	const result = attempt(convert, given, dayFirst) as string | InputError;
	expect(String(result).replace(/^InputError: "Sale Date" /, '')).toBe(expected);
	if (typeof result !== 'string') expect(result.description).toMatch(description);
});

it.each(
	(
		'31/13/2026|31/12-2026|31/12/50|26-01-31|2026/31/12|29951|73051|31 de dezembros de 2026|31 de de 2026|31 de fevereiro de 2026|31 dez 98|' +
		'31 dez 20261|Dec 31, 26|em 31 dez 2026|on Dec 31, 2026|31 dez 2026\n14:30|31/1º/2026|046387|46387e0|31/12|31122026|31/12/2026 25:00|' +
		'31/12/2026 14:30 PM|31/12/2026 0:30 AM|31/12/2026 14:30 IST|31/12/2026 noon|on 31/12/2026'
	).split('|'),
)('%j is no date of a person', (given) => {
	expect(() => convert(given)).toThrow(`"Sale Date" must be a date: ${JSON.stringify(given)}`);
});
