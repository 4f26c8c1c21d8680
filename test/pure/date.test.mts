import fc from 'fast-check';
import { DateTime, Settings } from 'luxon';

import { parseDate } from '../../nodes/IntegrationLeads/dates/date';

const date = '2026-01-31T14:30:00.000Z';
const read = (text: string, zone = 'America/Sao_Paulo') =>
	parseDate(text, zone)?.toUTC().toISO() ?? undefined;

it.each([
	[
		date,
		'2026-01-31T14:30:00Z|2026-01-31t14:30:00z|2026-01-31T14:30:00 Z|20260131T143000,000-0000',
	],
	[
		date,
		'20260131T143000Z|20260131T1430Z|\u00a02026-01-31\u202f14:30:00 UTC\n|2026-01-31 14:30 gmt',
	],
	[date, '2026-01-31T11:30:00-03:00|2026-01-31T15:30+01:00|2026-01-31T11:30:00\u221203:00'],
	[date, '2026-01-31 11:30:00|2026-01-31 11:30|2026-01-31 11:30:00 -03:00|2026-01-31T11:30:00 -03'],
	[date, '2026-02-01T04:30+14|2026-01-31T00:30-1400|2026-01-31T20:29+05:59'],
	[date, '2026-01-31T14:30:00.0001234567890Z'],
	['2026-01-31T14:30:00.123Z', '2026-01-31T14:30:00.123456Z'],
	['2026-01-31T14:30:00.290Z', '2026-01-31T14:30:00.29Z'],
	['2026-01-31T03:00:00.000Z', '2026-01-31|20260131'],
	['2026-02-01T00:00:00.000Z', '2026-01-31T24:00Z|2026-02-01T00Z'],
	['2026-01-31T03:00:00.000Z', '2026-W05-6|2026W056|2026-031|2026-W05-6 00:00'],
	[date, '2026-W05-6T14:30Z|2026W056T1430Z|2026031T1430Z|2026-031T11:30'],
	[
		date,
		'2026-01-31T15:30[Europe/Berlin]|2026-01-31T14:30Z[Etc/UTC]|2026-01-31 15:30 Europe/Berlin',
	],
	[date, '2026-01-31T11:30:00-03:00[Europe/Berlin]|2026-01-31T14:30:00 +0000 UTC'],
])('%s is %s', (expected, texts) => {
	expect(texts.split('|').filter((text) => read(text) !== expected)).toEqual([]);
});

// Of ISO 8601 no leap seconds, signed years, and fractions of hours or minutes.
const NO_DATES =
	'31/01/2026|2026-02-30|2026|2026-01|2026-W05|202601|2026131|31012026|1430-0300|1155-2026|' +
	'1155-1026|T14:30|14:30:00Z|2026-01-31T|2026-01-31T14:30:00+99:00|2026-01-31T14:30:00+14:01|' +
	'2026-01-31T14:30:00-03:60|2026-01-31T24:30Z|2026-01-31T14:60Z|2026-01-31T14:30:60Z|' +
	'2026-01-31 02:30 PM|2026-01-31 14:30 IST|2026-01-31T25:00Z|2026-01-31T14:3000Z|2026-W05-8|' +
	'2026-W54-1|2026-366|2026W05-6|+002026-01-31|2026-01-31T14.5Z|2026-01-31T11:30 Nowhere/Atlantis|20260131T14:30:00x';

it.each(NO_DATES.split('|'))('%j is not a date', (text) => {
	expect(read(text)).toBeUndefined();
});

it('is in the zone that it is asked for, whatever it states', () => {
	const inZone = parseDate('2026-01-31T14:30:00Z', 'Asia/Tokyo')?.toISO();
	expect(inZone).toBe('2026-01-31T23:30:00.000+09:00');
	expect(parseDate('2026-01-31', 'Nowhere/Atlantis')).toBeUndefined();
});

describe('a date without a zone is in that of the workflow', () => {
	const { now, defaultZone } = Settings;
	afterEach(() => {
		Settings.now = now;
		Settings.defaultZone = defaultZone;
	});

	it.each<[string, string, string]>([
		['the hour that summer time takes', '2026-03-29T02:30:00', '2026-03-29T01:30:00.000Z'],
		['the hour after it', '2026-03-29T03:30:00', '2026-03-29T01:30:00.000Z'],
		['the hour that it gives back', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
		['the hour after that', '2026-10-25T03:30:00', '2026-10-25T02:30:00.000Z'],
		['summer', '2026-07-01', '2026-06-30T22:00:00.000Z'],
		['winter', '2026-01-01', '2025-12-31T23:00:00.000Z'],
	])('%s', (_, text, expected) => {
		for (const month of ['01', '07']) {
			Settings.now = () => Date.parse(`2026-${month}-01`);
			Settings.defaultZone = 'Asia/Tokyo';
			expect(read(text, 'Europe/Berlin')).toBe(expected);
		}
	});
});

it('any date is read as it is written', () => {
	const zones = fc.constantFrom('UTC', 'America/Sao_Paulo', 'Asia/Kolkata', 'Pacific/Auckland');
	const years = { min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true };
	fc.assert(
		fc.property(fc.date(years), zones, zones, (given, written, zone) => {
			const luxon = DateTime.fromJSDate(given, { zone: written });
			for (const text of [luxon.toISO(), luxon.toISO({ format: 'basic' }), luxon.toSQL()]) {
				expect(read(String(text), zone)).toBe(given.toISOString());
			}
		}),
	);
});
