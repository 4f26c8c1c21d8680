import fc from 'fast-check';
import { DateTime, Settings } from 'luxon';

import * as converters from '../../nodes/IntegrationLeads/values/convert';
import { InputError } from '../../nodes/IntegrationLeads/userError';

const about = { label: 'Field', timezone: 'America/Sao_Paulo' };
const moment = '2026-01-31T14:30:00.000Z';
type Name = Exclude<keyof typeof converters, 'isBlank' | 'refusePlaceholder'>;
const { toProtocol, toUtc } = converters;

describe('what is taken', () => {
	it.each<[Name, unknown, unknown]>([
		['toUtc', '2026-01-31T14:30:00Z', moment],
		['toUtc', '2026-01-31T11:30:00-03:00', moment],
		['toUtc', '2026-01-31T15:30+01:00', moment],
		['toUtc', ' 2026-01-31T11:30:00 ', moment],
		['toUtc', '2026-01-31 11:30:00', moment],
		['toUtc', '2026-01-31 11:30:00 -03:00', moment],
		['toUtc', '20260131T143000Z', moment],
		['toUtc', '2026-01-31T14:30:00.123456Z', '2026-01-31T14:30:00.123Z'],
		['toUtc', '2026-01-31', '2026-01-31T03:00:00.000Z'],
		['toUtc', '2026-W05-6', '2026-01-31T03:00:00.000Z'],
		['toUtc', '20260131', '2026-01-31T03:00:00.000Z'],
		['toUtc', '2026W056', '2026-01-31T03:00:00.000Z'],
		['toUtc', '2026-031', '2026-01-31T03:00:00.000Z'],
		['toUtc', '+002026-01-31', '2026-01-31T03:00:00.000Z'],
		['toUtc', '20260131T1430Z', moment],
		['toUtc', '20260131T143000,000-0000', moment],
		['toUtc', '2026W056T143000Z', moment],
		['toUtc', '2026-W05-6T14:30Z', moment],
		['toUtc', '2026031T143000Z', moment],
		['toUtc', '2026-01-31t14:30:00z', moment],
		['toUtc', '2026-01-31T14.5Z', moment],
		['toUtc', '2026-01-31T14:29,5Z', '2026-01-31T14:29:30.000Z'],
		['toUtc', '2026-01-31T14:30:00.29Z', '2026-01-31T14:30:00.290Z'],
		['toUtc', '2026-01-31T11:30:00\u221203:00', moment],
		['toUtc', '2026-01-31T11:30:00 -03:00', moment],
		['toUtc', '2026-01-31T14:30:00 Z', moment],
		['toUtc', '\u00a02026-01-31\u202f14:30:00 UTC\n', moment],
		['toUtc', '2026-01-31 11:30:00 America/Sao_Paulo', moment],
		['toUtc', '2026-01-31T11:30-03:00[America/Sao_Paulo]', moment],
		['toUtc', '2026-02-01T04:30+14', moment],
		['toUtc', '2026-01-31T00:30-1400', moment],
		['toUtc', '2026-01-31T24:00Z', '2026-02-01T00:00:00.000Z'],
		['toUtc', '2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
		['toUtc', '2016-12-31T21:59:60', '2017-01-01T00:00:00.000Z'],
		['toUtc', new Date(moment), moment],
		['toUtc', DateTime.fromISO(moment, { zone: 'Asia/Tokyo' }), moment],
		['toUtc', { toISO: () => '2026-01-31T11:30:00.000-03:00' }, moment],
		['toUtc', '', ''],
		['toUtc', null, null],
		['toNumber', '1500.50', 1500.5],
		['toNumber', ' -3 ', -3],
		['toNumber', '.5', 0.5],
		['toNumber', '1e3', 1000],
		['toNumber', 0, 0],
		['toNumber', '', ''],
		['toProtocol', 'ML-AB12-CD34', 'ML-AB12-CD34'],
		['toProtocol', 'Hello! My code is ml-ab12-Cd34-9.', 'ml-ab12-Cd34-9'],
		['toProtocol', '*ML-AB12-CD34* and ML-EE55-FF66', 'ML-AB12-CD34'],
		['toProtocol', 'line one\n(ML-1)\nline three', 'ML-1'],
		['toProtocol', 'Hello, I saw your offer', undefined],
		['toProtocol', 'HTML-5 is no code, nor is ML-', undefined],
		['toProtocol', 'Hello, code _ML-AB12-CD34_', 'ML-AB12-CD34'],
		['toProtocol', '*_ML-AB12-CD34_*', 'ML-AB12-CD34'],
		['toProtocol', '~ML-AB12-CD34~, please', 'ML-AB12-CD34'],
		['toProtocol', '```ML-AB12-CD34```', 'ML-AB12-CD34'],
		['toProtocol', 'ML-AB_12-CD34', 'ML-AB_12-CD34'],
		['toProtocol', 'see my_ML-AB12', undefined],
		['toProtocol', 'code ML\u2011AB12\u2013CD34.', 'ML\u2011AB12\u2013CD34'],
		['toProtocol', 'ML-AB12 \u2013 thanks', 'ML-AB12'],
		['toProtocol', 'https://wa.me/55?text=Oi%20ML-AB12-CD34', 'ML-AB12-CD34'],
		['toProtocol', 'text=Oi%0aML-AB12-CD34%20please', 'ML-AB12-CD34'],
		['toProtocol', 'text=Oi%2520%2AML-AB12-CD34%2A', 'ML-AB12-CD34'],
		['toProtocol', 'text=caf%C3%A9ML-1 or HT%2DML-5 or 20ML-5', undefined],
		['toProtocol', '_XY-99-12_', 'XY-99-12'],
		['toProtocol', 'XY\u201199_1', 'XY\u201199_1'],
		['toProtocol', '1', undefined],
		['toProtocol', '10h', undefined],
		['toProtocol', '12:30', undefined],
		['toProtocol', '2026-01-31', undefined],
		['toProtocol', 'bom-dia', undefined],
		['toProtocol', 'https://example.com/a-1', undefined],
		['toProtocol', '\u{1f44d}-1', undefined],
		['toProtocol', 'R2D2', undefined],
		['toProtocol', 'XY-99-12', 'XY-99-12'],
		['toProtocol', 'Hello!', undefined],
		['toProtocol', '  ', undefined],
		['toProtocol', '', undefined],
		['toList', 'a, b ,,c', ['a', 'b', 'c']],
		['toList', ['a', ' b', 3, ''], ['a', 'b', '3']],
		['toList', '', []],
		['toList', [], []],
		['toList', null, null],
		['toList', '["a, b", "c", 3]', ['a, b', 'c', '3']],
		['toList', ' [] ', []],
		['toList', '[vip], new', ['[vip]', 'new']],
		['toList', '7', ['7']],
		['toList', 2026, ['2026']],
		['toList', ['vip', null], ['vip']],
		['toEmail', ' \u00a0\u0085A@Example.com\u200b\u2003\n', 'A@Example.com'],
		['toEmail', ' \t', ''],
		['toEmail', null, null],
		['toId', 42, '42'],
		['toId', ' none-1 ', ' none-1 '],
		['toId', '', ''],
		['toObject', '{"a": 1}', { a: 1 }],
		['toObject', { a: 1 }, { a: 1 }],
		['toObject', '', undefined],
		['toJson', '[1, 2]', [1, 2]],
		['toJson', 'null', null],
		['toJson', [1], [1]],
		['toJson', '', undefined],
		['toBoolean', true, true],
		['toBoolean', ' False ', false],
		['toBoolean', 'TRUE', true],
		['toBoolean', '', undefined],
		['toText', 42, '42'],
		['toText', ' as it is ', ' as it is '],
		['toText', '', ''],
	])('%s: %j becomes %j', (name, value, expected) => {
		expect(converters[name](value, about)).toEqual(expected);
	});

	it.each<[string, string, string]>([
		['the hour that summer time takes', '2026-03-29T02:30:00', '2026-03-29T01:30:00.000Z'],
		['the hour that it gives back', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
		['summer', '2026-07-01', '2026-06-30T22:00:00.000Z'],
		['winter', '2026-01-01', '2025-12-31T23:00:00.000Z'],
	])(
		'reads a date without a zone in that of the workflow, in summer and in winter: %s',
		(_, given, expected) => {
			const { now } = Settings;
			for (const month of ['01', '07']) {
				Settings.now = () => Date.parse(`2026-${month}-01`);
				expect(toUtc(given, { ...about, timezone: 'Europe/Berlin' })).toBe(expected);
			}
			Settings.now = now;
		},
	);

	it('keeps every moment, however it is written', () => {
		const zones = fc.constantFrom('UTC', 'America/Sao_Paulo', 'Asia/Kolkata', 'Pacific/Auckland');
		const years = { min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true };
		fc.assert(
			fc.property(fc.date(years), zones, zones, (date, written, timezone) => {
				const luxon = DateTime.fromJSDate(date, { zone: written });
				for (const form of [
					date,
					luxon,
					luxon.toISO(),
					luxon.toISO({ format: 'basic' }),
					luxon.toSQL(),
				]) {
					expect(toUtc(form, { ...about, timezone })).toBe(date.toISOString());
				}
			}),
		);
	});
});

describe('what is refused, naming the field', () => {
	it.each<[Name, unknown]>([
		['toUtc', '31/01/2026'],
		['toUtc', '2026-02-30'],
		['toUtc', 'tomorrow'],
		['toUtc', '2026'],
		['toUtc', '2026-01'],
		['toUtc', '2026-W05'],
		['toUtc', '202601'],
		// Left without a zero, or cut off, it would pass for a day of the year.
		['toUtc', '2026131'],
		['toUtc', '31012026'],
		['toUtc', '1430-0300'],
		['toUtc', '1155-2026'],
		['toUtc', '1155-1026'],
		['toUtc', 'T14:30'],
		['toUtc', '14:30:00Z'],
		['toUtc', '2026-01-31T'],
		['toUtc', '2026-01-31T14:30:00+99:00'],
		['toUtc', '2026-01-31T14:30:00+14:01'],
		['toUtc', '2026-01-31T14:30:00-03:60'],
		['toUtc', '2026-01-31T24:30Z'],
		['toUtc', '2026-01-31T14:60Z'],
		['toUtc', '2026-01-31T14:30:60Z'],
		['toUtc', '2026-01-31 02:30 PM'],
		['toUtc', '2026-01-31 14:30 IST'],
		['toUtc', 20260131],
		['toUtc', '2026-W54-1'],
		['toUtc', '2026-366'],
		['toUtc', 1769869800000],
		['toUtc', new Date(NaN)],
		['toUtc', {}],
		['toUtc', DateTime.invalid('no')],
		['toNumber', '1.500,50'],
		['toNumber', '1,500.50'],
		['toNumber', '1500,50'],
		['toNumber', 'R$ 10'],
		['toNumber', '1e400'],
		['toNumber', '-1e400'],
		['toNumber', '0x10'],
		['toNumber', ' '],
		['toNumber', NaN],
		['toNumber', Infinity],
		['toNumber', true],
		['toNumber', {}],
		['toList', [{ name: 'a' }]],
		['toList', "['a', 'b']"],
		['toList', '["a", "b"'],
		['toList', '[{"name": "a"}]'],
		['toId', 'undefined'],
		['toId', ' NULL '],
		['toId', NaN],
		['toId', 'None'],
		['toId', 'n/a'],
		['toId', '#N/A'],
		['toId', '[object Object]'],
		['toEmail', '\u00a0null'],
		['toEmail', { a: 1 }],
		['toObject', '[1]'],
		['toObject', '"a"'],
		['toObject', 'null'],
		['toObject', '{a: 1}'],
		['toObject', 7],
		['toJson', "{'a': 1}"],
		['toBoolean', 'maybe'],
		['toBoolean', 1],
		['toText', { a: 1 }],
		['toText', true],
	])('%s: %j', (name, value) => {
		let thrown: unknown;
		try {
			converters[name](value, about);
		} catch (error) {
			thrown = error;
		}
		expect(thrown).toBeInstanceOf(InputError);
		const { message, description } = thrown as InputError;
		expect(message).toMatch(/^"Field" is n/);
		expect(message.length).toBeLessThan(120);
		expect(description).toMatch(/\.$|[}"\d]$/);
	});
});

it.each(['2026', '2026-01', '2026-W05', '2026W05'])('that %s names no day is said', (date) => {
	expect(() => toUtc(date, about)).toThrow(
		`"Field" is not a whole date, its day is missing: "${date}"`,
	);
});

// Expressions that try again at each character would take seconds, and hold up all else that runs.
describe('long texts are read to their end', () => {
	const many = (text: string) => text.repeat(65_000);
	it.each<[string, Name, string, unknown]>([
		['marks within', 'toProtocol', `a${many('*')}a`, undefined],
		['marks around', 'toProtocol', `${many('*')}XY-99-12${many('~')}`, 'XY-99-12'],
		['nothing but marks', 'toProtocol', many('_'), undefined],
		['a code at the end', 'toProtocol', `${many('*a')}* ML-AB12`, 'ML-AB12'],
		['spaces within', 'toEmail', `a${many(' ')}b`, `a${many(' ')}b`],
		['spaces around', 'toEmail', `${many('\u00a0')}a@example.com${many('\t')}`, 'a@example.com'],
		['nothing but spaces', 'toEmail', many(' '), ''],
	])('%s: %s', (_, name, given, expected) => {
		expect(converters[name](given, about)).toBe(expected);
	});
});

it('a protocol is found wherever it stands in a message, and found again in what was found', () => {
	const code = fc.stringMatching(/^ML(-[A-Z0-9]{1,6}){1,4}$/);
	const words = fc.stringMatching(/^([a-z]{0,8}[ .,:!\n]){0,5}$/);
	fc.assert(
		fc.property(words, code, words, (before, protocol, after) => {
			const found = toProtocol(`${before}${protocol}${after && ` ${after}`}`, about);
			expect(found).toBe(protocol);
			expect(toProtocol(found, about)).toBe(protocol);
		}),
	);
});
