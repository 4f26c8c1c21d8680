import fc from 'fast-check';
import { DateTime } from 'luxon';

import type { Parameter } from '../../nodes/IntegrationLeads/operation';
import { InputError } from '../../nodes/IntegrationLeads/userError';
import { toAmount } from '../../nodes/IntegrationLeads/values/amount';
import * as converters from '../../nodes/IntegrationLeads/values/convert';
import { converterOf } from '../../nodes/IntegrationLeads/values/converter';
import { toEmail } from '../../nodes/IntegrationLeads/values/identity';

const context = { label: 'Field', timezone: 'America/Sao_Paulo' };
const date = '2026-01-31T14:30:00.000Z';
type Name = Exclude<keyof typeof converters & `to${string}`, 'parseEntry'>;
const { toProtocol, toUtc } = converters;

describe('what is taken', () => {
	it.each<[Name, unknown, unknown]>([
		['toUtc', ' 2026-01-31T11:30:00 ', date],
		['toUtc', new Date(date), date],
		['toUtc', DateTime.fromISO(date, { zone: 'Asia/Tokyo' }), date],
		['toUtc', { toISO: () => '2026-01-31T11:30:00.000-03:00' }, date],
		['toNumber', '1500.50', 1500.5],
		['toNumber', ' -3 ', -3],
		['toNumber', '.5', 0.5],
		['toNumber', '.55', 0.55],
		['toNumber', '1e3', 1000],
		['toNumber', '1e+10', 1e10],
		['toNumber', '15E-1', 1.5],
		['toNumber', 0, 0],
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
		['toProtocol', 'ML-AB__12', 'ML-AB__12'],
		['toProtocol', 'text=%09ML-1', 'ML-1'],
		['toProtocol', 'text=%3AML-1', 'ML-1'],
		['toProtocol', 'text=%5BML-1', 'ML-1'],
		['toProtocol', 'text=%60ML-1', 'ML-1'],
		['toProtocol', 'text=%5FML-1%5F', 'ML-1'],
		['toProtocol', 'text=%7BML-1', 'ML-1'],
		['toProtocol', 'text=%31ML-1 or %5AML-1 or %7AML-1 or %0GML-1', undefined],
		['toProtocol', null, null],
		['toProtocol', ' *XY-99-12* ', 'XY-99-12'],
		['toProtocol', 'XY-99-', undefined],
		['toProtocol', 'XY-99.', undefined],
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
		['toList', 'a; b;c,d', ['a', 'b', 'c', 'd']],
		['toList', ' , ', undefined],
		['toObject', '{}', undefined],
		['toList', [], undefined],
		['toList', '["a, b", "c", 3]', ['a, b', 'c', '3']],
		['toList', ' [] ', undefined],
		['toList', '[vip], new', ['[vip]', 'new']],
		['toList', '7', ['7']],
		['toList', 'a, ["b"', ['a', '["b"']],
		['toList', 2026, ['2026']],
		['toList', '- vip\n • new\na - b\npré- c', ['vip', 'new', 'a - b', 'pré- c']],
		['toList', ['vip', null], ['vip']],
		['toIdentifier', null, null],
		['toIdentifier', ' \u00a0\u0085e 1\ufeff\u200b\u2003\n', 'e 1'],
		['toText', 42, '42'],
		['toText', ' none-1 ', ' none-1 '],
		['toObject', '{"a": 1}', { a: 1 }],
		['toObject', { a: 1 }, { a: 1 }],
		['toJson', '[1, 2]', [1, 2]],
		['toJson', 'null', null],
		['toJson', [1], [1]],
		['toBoolean', true, true],
		['toBoolean', ' False ', false],
		['toBoolean', 'TRUE', true],
		['toText', '', ''],
		['toText', 'Nil', 'Nil'],
		['toText', 'NA', 'NA'],
		['toText', 'Ana null', 'Ana null'],
		['toText', 'null and void', 'null and void'],
		['toFreeText', 42, '42'],
		['toFreeText', ' as it is ', ' as it is '],
		['toFreeText', 'none', 'none'],
		['toProtocol', 'none', undefined],
		['toUtc', '31/01/2026 11:30', date],
		['toUtc', "' 31/01/2026 11:30", date],
	])('%s: %j becomes %j', (name, value, expected) => {
		expect(converters[name](value, context)).toEqual(expected);
	});

	it('keeps every date, however it is written', () => {
		const zones = fc.constantFrom('UTC', 'America/Sao_Paulo', 'Asia/Kolkata', 'Pacific/Auckland');
		const years = { min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true };
		fc.assert(
			fc.property(fc.date(years), zones, zones, (given, written, timezone) => {
				const luxon = DateTime.fromJSDate(given, { zone: written });
				for (const form of [
					given,
					luxon,
					luxon.toISO(),
					luxon.toISO({ format: 'basic' }),
					luxon.toSQL(),
				]) {
					expect(toUtc(form, { ...context, timezone })).toBe(given.toISOString());
				}
			}),
		);
	});
});

describe('what is refused, naming the field', () => {
	it.each<[Name, unknown]>([
		['toUtc', 'tomorrow'],
		['toUtc', "3'1/12/2026"],
		['toUtc', 20260131],
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
		['toList', [['a']]],
		['toList', "['a', 'b']"],
		['toList', '["a", "b"'],
		['toList', ' [ "a"'],
		['toList', '[{"name": "a"}]'],
		['toText', 'undefined'],
		['toText', ' NULL '],
		['toText', NaN],
		['toText', 'None'],
		['toText', 'n/a'],
		['toText', '#N/A'],
		['toText', '[object Object]'],
		['toText', '[object Promise]'],
		['toText', '(null)'],
		['toText', 'undefined  undefined'],
		['toText', '#REF!'],
		['toText', '#VALUE!'],
		['toText', '#NAME?'],
		['toText', '#NULL!'],
		['toText', '#NUM!'],
		['toText', '#DIV/0!'],
		['toText', '#ERROR!'],
		['toList', 'vip, None'],
		['toList', ['N/A']],
		['toIdentifier', '\u200bnull\u00a0'],
		['toIdentifier', { a: 1 }],
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
			converters[name](value, context);
		} catch (error) {
			thrown = error;
		}
		expect(thrown).toBeInstanceOf(InputError);
		const { message, description } = thrown as InputError;
		expect(message).toMatch(/^"Field" must be /);
		expect(message.length).toBeLessThan(120);
		expect(description).toMatch(/\.$|[}"\d]$/);
	});
});

it.each<[Name, unknown, string]>([
	['toUtc', '2026', 'a whole date, its day is missing: "2026"'],
	['toUtc', 2026, 'a whole date, its day is missing: 2026'],
	['toUtc', ' 2026-01 ', 'a whole date, its day is missing: " 2026-01 "'],
	['toUtc', '2026-W05', 'a whole date, its day is missing: "2026-W05"'],
	['toUtc', '2026W05', 'a whole date, its day is missing: "2026W05"'],
	['toUtc', '12026', 'a date: "12026"'],
	['toUtc', '2026-01-', 'a date: "2026-01-"'],
	['toNumber', { a: 1 }, 'a number: {"a":1}'],
	['toNumber', Symbol('x'), 'a number: Symbol(x)'],
	['toNumber', 'x'.repeat(58), `a number: "${'x'.repeat(58)}"`],
	['toNumber', 'x'.repeat(59), `a number: "${'x'.repeat(59)}…`],
	['toText', ' NULL ', 'a value, not the word "NULL"'],
	['toBoolean', 'yes', 'true or false: "yes"'],
	['toText', ['a'], 'text: ["a"]'],
	['toList', {}, 'a list of names: {}'],
	['toObject', [1], 'a JSON object: [1]'],
	['toJson', '{', 'valid JSON'],
])('%s of %j: it must be %s', (name, value, what) => {
	const exactly = new RegExp(`^"Field" must be ${what.replace(/[[\](){}.+|]/g, '\\$&')}$`);
	expect(() => converters[name](value, context)).toThrow(exactly);
});

it.each<[boolean, unknown[]]>([
	[true, ['', ' \u00a0\u200b\n', null, undefined, [], ['', [null]], {}]],
	[false, ['a', 0, false, NaN, ['', 'a'], { a: '' }, new Date(0)]],
])('blank is %s for each of %j', (expected, values) => {
	expect(values.filter((value) => converters.isBlank(value) !== expected)).toEqual([]);
});

// What is typed may be another spelling of a value that leads of the account have.
describe('a value of the account', () => {
	const status = { open: true, typeOptions: { loadOptionsMethod: 'getStatuses' } };
	const leadValues = () => ['em negociação', 'Em Negociação', 'perdido', 'Ganho Antigo'];
	it.each<[Partial<Parameter>, string, string]>([
		[status, 'EM NEGOCIACAO', 'em negociação'],
		[status, 'Em Negociação', 'Em Negociação'],
		[status, 'Perdido', 'perdido'],
		[status, ' perdido ', 'perdido'],
		[status, 'ganho antigo', 'Ganho Antigo'],
		[status, 'ganho de novo', 'ganho de novo'],
		// As programs write it, it is meant as it is.
		[status, 'em-negociacao', 'em-negociacao'],
		[{ typeOptions: status.typeOptions }, 'Perdido', 'Perdido'],
		[{ open: true }, 'Perdido', 'Perdido'],
	])('%j: %s is sent as %s', (more, given, sent) => {
		const type: Parameter['type'] = 'options';
		const parameter = { displayName: 'Status', name: 'status', type, default: '', ...more };
		expect(converterOf(parameter)?.(given, { ...context, leadValues })).toBe(sent);
		expect(converterOf(parameter)?.(given, context)).toBe(given);
	});
});

it.each([
	['1e3', '1e3'],
	['"e-1"', 'e-1'],
	['"e" 1', '"e" 1'],
])('of the argument %s, %s is sent', (given, sent) => {
	const type: Parameter['type'] = 'string';
	const id = { displayName: 'ID', name: 'id', type, default: '', convert: converters.toIdentifier };
	expect(converterOf(id)?.(given, { ...context, tool: true })).toBe(sent);
});

it.each<[boolean, Partial<Parameter>, string]>([
	[true, { convert: toAmount }, 'ask'],
	[true, { convert: toUtc }, 'soon'],
	[false, { convert: toEmail }, 'não tem'],
	[false, { convert: toAmount, required: true }, 'ask'],
	[false, { convert: toAmount, in: 'query' }, 'ask'],
	[false, { convert: toEmail, in: 'match' }, ''],
	[false, {}, 'null'],
])(
	'where an address identifies, that it may be left out is %s of %j: %j',
	(expected, more, given) => {
		const parameter: Parameter = {
			displayName: 'X',
			name: 'x',
			type: 'string',
			default: '',
			...more,
		};
		const leftOut: unknown[] = [];
		const onLeftOut = (...what: unknown[]) => leftOut.push(...what);
		const leaveOut = { ...context, leaveOut: true, addressIdentifies: true, onLeftOut };
		const convert = () => converterOf(parameter)?.(given, leaveOut);
		if (!expected) expect(convert).toThrow(InputError);
		else {
			expect(convert()).toBeUndefined();
			expect(leftOut).toEqual(['Field', given]);
		}
	},
);

// Expressions that start over at each character would take seconds, and hold up all else that runs.
describe('long texts are read to their end', () => {
	const many = (text: string) => text.repeat(65_000);
	it.each<[string, Name, string, unknown]>([
		['marks within', 'toProtocol', `a${many('*')}a`, undefined],
		['marks around', 'toProtocol', `${many('*')}XY-99-12${many('~')}`, 'XY-99-12'],
		['nothing but marks', 'toProtocol', many('_'), undefined],
		['a code at the end', 'toProtocol', `${many('*a')}* ML-AB12`, 'ML-AB12'],
		['spaces within', 'toIdentifier', `a${many(' ')}b`, `a${many(' ')}b`],
		[
			'spaces around',
			'toIdentifier',
			`${many('\u00a0')}a@example.com${many('\t')}`,
			'a@example.com',
		],
		['nothing but spaces', 'toIdentifier', many(' '), ''],
	])('%s: %s', (_, name, given, expected) => {
		expect(converters[name](given, context)).toBe(expected);
	});
});

it('a protocol is found wherever it stands in a message, and found again in what was found', () => {
	const code = fc.stringMatching(/^ML(-[A-Z0-9]{1,6}){1,4}$/);
	const words = fc.stringMatching(/^([a-z]{0,8}[ .,:!\n]){0,5}$/);
	fc.assert(
		fc.property(words, code, words, (before, protocol, after) => {
			const found = toProtocol(`${before}${protocol}${after && ` ${after}`}`, context);
			expect(found).toBe(protocol);
			expect(toProtocol(found, context)).toBe(protocol);
		}),
	);
});
