/** Time zones, and dates that can be read in two ways; test/corpus has how dates are written. */
import fc from 'fast-check';
import { attempt } from 'lodash';
import { DateTime, Settings } from 'luxon';

import { parseDate } from '../../nodes/IntegrationLeads/dates/date';
import type { InputError } from '../../nodes/IntegrationLeads/userError';
import { toSaleDate, toUtc } from '../../nodes/IntegrationLeads/values/convert';

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

it.each([
	// An export of Mercado Livre: https://github.com/gabrielvieirad/ecommerce_dados
	['31 de janeiro de 2026 14:30 hs.', '14:30:00'],
	['31/01/2026 14:30h', '14:30:00'],
	['31/01/2026 14h30min', '14:30:00'],
	['31/01/2026 14h30m', '14:30:00'],
	['31/01/2026 14h 30min', '14:30:00'],
	['31/01/2026 14h30min10s', '14:30:10'],
	['31/01/2026 14h30m10', '14:30:10'],
	['31/01/2026 14:30:10 hs', '14:30:10'],
	['31/01/2026 14 h 30', '14:30:00'],
	['31/01/2026 14:30 hrs', '14:30:00'],
	['31/01/2026 14:30hs.', '14:30:00'],
	['31/01/2026 14 horas e 30 minutos', '14:30:00'],
	['31/01/2026 14 horas', '14:00:00'],
	['31/01/2026 às 14h', '14:00:00'],
	['31/01/2026, às 14:30', '14:30:00'],
	['31/01/2026 - 14:30', '14:30:00'],
	['2026-01-31 14h30', '14:30:00'],
	['31/01/2026 2 PM', '14:00:00'],
	['31/01/2026 14:30 h (horário de Brasília)', '14:30:00'],
	['31/01/2026 14:30h GMT-3', '14:30:00'],
	['sábado, 31 de janeiro de 2026 às 14h30min', '14:30:00'],
	['31 de enero de 2026 14:30 h', '14:30:00'],
	['31 de enero del 2026 a las 14:30 hrs.', '14:30:00'],
	['31 de enero de 2026, 14 horas y 30 minutos', '14:30:00'],
	// A date and a time without separators, also as numbers.
	[20260131, '00:00:00'],
	['20260131', '00:00:00'],
	[202601311430, '14:30:00'],
	['20260131143010', '14:30:10'],
])('%j is 31 January 2026 at %s', (given, time) => {
	const at = DateTime.fromISO(`2026-01-31T${time}-03:00`, { zone: 'utc' }).toISO();
	expect(convert(given, true)).toBe(at);
});

it.each([
	...[
		'31/01/2026 14h e 15h',
		'31/01/2026 25h',
		'31/01/2026 14h75',
		'31/01/2026 14h30min75s',
		'31/01/2026 14:30 hz',
	],
	...[20261331, 20260230, '20260131 a 20260202', 2026013114],
])('%j is no date', (given) => {
	expect(() => convert(given, true)).toThrow('must be a date');
});

describe('a sale occurred since 1990, or will within a year', () => {
	const now = Date.parse('2026-01-31T12:00:00Z');
	const context = { label: 'Sale Date', timezone: 'America/Sao_Paulo', dayFirst: true, now };

	it.each([
		// https://github.com/JanKallman/EPPlus/issues/541
		...[
			'30/12/1899',
			'1899-12-30T00:00:00.000Z',
			'31/12/1899 00:00',
			'12/30/1899',
			0,
			1,
			'1/0/1900',
		],
		// https://github.com/microsoft/coe-starter-kit/issues/6417
		...['0001-01-01T00:00:00', '0001-01-01T00:00:00Z', '01/01/0001', '01/01/1753'],
		// https://github.com/steedos/steedos-platform/issues/2525
		...['1970-01-01', '01/01/1970', '1970-01-01T00:00:00Z', new Date(0), '31/12/1969 21:00', 30000],
		...['31/12/9999', '9999-12-31T23:59:59.999Z', '31/12/2049', '2027-02-01', 72000, '0000-00-00'],
		...['1989-12-31', '31 de dezembro de 1989', 20991231],
	])('%j is refused with its value', (given) => {
		expect(() => toSaleDate(given, context)).toThrow(JSON.stringify(given));
	});

	it.each([
		['01/01/1990', '1990-01-01T02:00:00.000Z'],
		['31/01/2027 09:00', '2027-01-31T12:00:00.000Z'],
		[46053, '2026-01-31T03:00:00.000Z'],
		[new Date(now), '2026-01-31T12:00:00.000Z'],
	])('%j is taken', (given, expected) => {
		expect(toSaleDate(given, context)).toBe(expected);
	});

	it('is no rule for other dates, such as the bound of a filter', () => {
		expect(toUtc('31/12/2049', context)).toBe('2049-12-31T03:00:00.000Z');
		expect(toUtc('1970-01-01', context)).toBe('1970-01-01T03:00:00.000Z');
	});
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
	const { defaultLocale } = Settings;
	Settings.defaultLocale = 'pt-BR';
	const result = attempt(convert, given, dayFirst) as string | InputError;
	Settings.defaultLocale = defaultLocale;
	expect(String(result).replace(/^InputError: "Sale Date" /, '')).toBe(expected);
	if (typeof result !== 'string') expect(result.description).toMatch(description);
});
