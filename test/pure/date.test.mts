/** Time zones, and dates that can be read in two ways; test/corpus has how dates are written. */
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
	['12/31/2026', true, 'must be a date: "12/31/2026"', /Default Country Code/],
	['31/12/2026', false, 'must be a date: "31/12/2026"'],
	['31/02/2026', undefined, 'must be a date: "31/02/2026"', /31\/01\/2026 14:30/],
])('%j, day first: %j: %s', (given, dayFirst, expected, description = /^/) => {
	// Whatever the language of the server.
	Settings.defaultLocale = 'pt-BR';
	const result = attempt(convert, given, dayFirst) as string | InputError;
	expect(String(result).replace(/^InputError: "Sale Date" /, '')).toBe(expected);
	if (typeof result !== 'string') expect(result.description).toMatch(description);
});
