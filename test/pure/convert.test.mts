import { attempt } from 'lodash';
import { DateTime } from 'luxon';

import type { Parameter } from '../../nodes/IntegrationLeads/operation';
import { InputError } from '../../nodes/IntegrationLeads/userError';
import { toAmount } from '../../nodes/IntegrationLeads/values/amount';
import * as converters from '../../nodes/IntegrationLeads/values/convert';
import { converterOf } from '../../nodes/IntegrationLeads/fields/converter';
import type { Convert, ConvertContext } from '../../nodes/IntegrationLeads/values/context';
import { toEmail } from '../../nodes/IntegrationLeads/values/identity';
import { toPhone } from '../../nodes/IntegrationLeads/values/phone';
import { codesIn, codesOf, toProtocol } from '../../nodes/IntegrationLeads/values/protocol';

const context = { label: 'Field', timezone: 'America/Sao_Paulo' };
const date = '2026-01-31T14:30:00.000Z';
const text: Parameter = { displayName: 'X', name: 'x', type: 'string', default: '' };
const named = { ...converters, toProtocol };
type Name = keyof typeof named & `to${string}`;
const { toUtc } = converters;

it.each<[Name, unknown, unknown]>([
	['toUtc', ' 2026-01-31T11:30:00 ', date],
	['toUtc', new Date(date), date],
	['toUtc', DateTime.fromISO(date, { zone: 'Asia/Tokyo' }), date],
	['toUtc', { toISO: () => '2026-01-31T11:30:00.000-03:00' }, date],
	['toUtc', "' 31/01/2026 11:30", date],
	['toNumber', ' -3 ', -3],
	['toNumber', '.55', 0.55],
	['toNumber', '1e+10', 1e10],
	['toNumber', 0, 0],
	['toProtocol', null, null],
	['toList', ['a', ' b', 3, '', null], ['a', 'b', '3']],
	['toList', [], undefined],
	['toList', 'a, A, b', ['a', 'b']],
	['toList', '["a, b", "c", 3]', ['a, b', 'c', '3']],
	['toList', '[vip], new', ['[vip]', 'new']],
	['toList', 'a, ["b"', ['a', '["b"']],
	['toList', '- vip\n • new\na - b\npré- c', ['vip', 'new', 'a - b', 'pré- c']],
	['toIdentifier', null, null],
	['toIdentifier', ' \u00a0e 1\ufeff\u200b\u2003\n', 'e 1'],
	['toText', 42, '42'],
	['toText', ' none-1\u200b', 'none-1'],
	['toText', '', ''],
	['toText', 'NA', 'NA'],
	['toText', 'Ana null', 'Ana null'],
	['toList', 'none, N/A', ['none', 'N/A']],
	['toText', 'null and void', 'null and void'],
	['toName', ' Ana 2 ', 'Ana 2'],
	['toName', '[Ana] ~', '[Ana] ~'],
	['toName', '☀️', '☀️'],
	['toName', '', ''],
	['toFreeText', 42, '42'],
	['toFreeText', ' none ', ' none '],
	['toObject', '{"a": 1}', { a: 1 }],
	['toObject', { a: 1 }, { a: 1 }],
	['toObject', '{}', undefined],
	['toJson', '[1, 2]', [1, 2]],
	['toJson', 'null', null],
	['toJson', [1], [1]],
	['toBoolean', true, true],
	['toBoolean', ' False ', false],
	['toBoolean', 'TRUE', true],
])('%s: %j becomes %j', (name, value, expected) => {
	expect(named[name](value, context)).toEqual(expected);
});

const WORDS = ' NULL |None|n/a|nan|null undefined';
const MISSING =
	'undefined|#N/A|[object Object]|[object Promise]|(null)|undefined  undefined|null null|' +
	'#REF!|#VALUE!|#NAME?|#NULL!|#NUM!|#DIV/0!|#ERROR!';
const NO_NUMBERS = '1.500,50|1,500.50|1500,50|R$ 10|1e400|-1e400|0x10| ';
it.each<[Name, unknown[]]>([
	['toUtc', ['tomorrow', "3'1/12/2026", 20261331, 17698698000000, new Date(NaN), {}]],
	['toUtc', [DateTime.invalid('no')]],
	['toNumber', [...NO_NUMBERS.split('|'), NaN, Infinity, true, {}]],
	['toList', [[['a']], "['a', 'b']", '["a", "b"', ' [ "a"', '[{"name": "a"}]']],
	['toList', ['vip, undefined', ['#N/A']]],
	['toText', [...MISSING.split('|'), NaN, { a: 1 }, true]],
	['toFreeText', ['[object Object]', 'Plan: [object Object], 3', 'a [object Promise]']],
	['toText', ['Plan [object Object]']],
	['toName', ['{"name": "Ana"}', '["Ana"]', ' 123 ', 123, '+55 11 98765-4321', 'undefined']],
	['toIdentifier', [...MISSING.split('|'), ...WORDS.split('|'), '\u200bnull\u00a0', { a: 1 }]],
	['toIdentifier', [2 ** 53, -1e20, 820982911946154508]],
	['toObject', ['[1]', '"a"', 'null', '{a: 1}', 7]],
	['toJson', ["{'a': 1}"]],
	['toBoolean', ['maybe', 1]],
])('%s refuses each of %j, naming the field', (name, values) => {
	for (const value of values) {
		const refusal = attempt(named[name], value, context) as InputError;
		expect(refusal).toBeInstanceOf(InputError);
		expect(refusal.message).toMatch(/^"Field" must be .{1,100}$/);
		expect(refusal.description).toMatch(/\.$|[}"\d]$/);
	}
});

it.each<[Name, unknown, string]>([
	['toUtc', ' 2026-01 ', 'a date: " 2026-01 "'],
	['toNumber', { a: 1 }, 'a number: {"a":1}'],
	['toNumber', Symbol('x'), 'a number: Symbol(x)'],
	['toNumber', 'x'.repeat(58), `a number: "${'x'.repeat(58)}"`],
	['toNumber', 'x'.repeat(59), `a number: "${'x'.repeat(59)}…`],
	['toText', ' undefined ', 'a value, not the word "undefined"'],
	['toIdentifier', ' NULL ', 'a value, not the word "NULL"'],
	['toBoolean', 'yes', 'true or false: "yes"'],
	['toText', ['a'], 'text: ["a"]'],
	['toName', '123', 'the name of a person: "123"'],
	['toList', {}, 'a list of names: {}'],
	['toObject', [1], 'a JSON object: [1]'],
	['toJson', '{', 'valid JSON'],
])('%s of %j: it must be %s', (name, value, what) => {
	const exactly = new RegExp(`^"Field" must be ${what.replace(/[[\](){}.+|]/g, '\\$&')}$`);
	expect(() => named[name](value, context)).toThrow(exactly);
});

it.each<[boolean, unknown[]]>([
	[true, ['', ' \u00a0\u200b\n', null, undefined, [], ['', [null]], {}]],
	[false, ['a', 0, false, NaN, ['', 'a'], { a: '' }, new Date(0)]],
])('blank is %s for each of %j', (expected, values) => {
	expect(values.filter((value) => converters.isBlank(value) !== expected)).toEqual([]);
});

// An address of a person is noted, for whoever knows whether something else identifies the lead; all else fails.
it.each<[boolean, Convert, string, string?]>([
	[true, toEmail, 'fulano@', '55'],
	[true, toEmail, 'undefined', '55'],
	[true, toPhone, '98765-4321', '55'],
	[true, toPhone, 'ask', undefined],
	[false, toPhone, '11 98765-4321', undefined],
	[false, toAmount, 'ask', '55'],
	[false, toUtc, 'soon', '55'],
	[false, converters.toIdentifier, 'undefined', '55'],
])(
	'that it may be left out is %s of what %p cannot read: %s',
	(expected, own, given, countryCode) => {
		const unreadable: ConvertContext['unreadable'] = [];
		const convert = converterOf({ ...text, convert: own });
		const read = () => convert?.(given, { ...context, countryCode, unreadable });
		if (!expected) expect(read).toThrow(InputError);
		else {
			expect(read()).toBeUndefined();
			expect(unreadable).toMatchObject([{ label: 'Field', value: given }]);
		}
		expect(() => convert?.(given, { ...context, countryCode })).toThrow(InputError);
	},
);

// Expressions that start over at each character would take seconds, and hold up all else that runs.
describe('long texts are read to their end', () => {
	const many = (text: string) => text.repeat(65_000);
	it.each<[string, Name, string, unknown]>([
		['marks within', 'toProtocol', `a${many('*')}a`, undefined],
		['marks around', 'toProtocol', `${many('*')}XY-99-12${many('~')}`, 'XY-99-12'],
		['nothing but marks', 'toProtocol', many('_'), undefined],
		['hyphens', 'toProtocol', `ML${many(' - ')}`, undefined],
		['segments', 'toProtocol', `ML${many('-a ')}`, 'ML-A'],
		['a code at the end', 'toProtocol', `${many('*a')}* ML-AB12`, 'ML-AB12'],
		['spaces within', 'toIdentifier', `a${many(' ')}b`, `a${many(' ')}b`],
		['spaces around', 'toIdentifier', `${many('\u00a0')}a@b.co${many('\t')}`, 'a@b.co'],
		['nothing but spaces', 'toIdentifier', many(' '), ''],
	])('%s: %s', (_, name, given, expected) => {
		expect(named[name](given, context)).toBe(expected);
	});
});

describe('the tracking codes in a text, in capitals and as they are written', () => {
	it.each<[string, Array<[code: string, written?: string]>]>([
		['ML-AB12-CD34', [['ML-AB12-CD34']]],
		['ml–ab12-Cd34', [['ML-AB12-CD34', 'ml-ab12-Cd34']]],
		['ML-\u200bAB12\u2011CD34', [['ML-AB12-CD34']]],
		['ML-AB12-CD34 and ml-ee55-ff66', [['ML-AB12-CD34'], ['ML-EE55-FF66', 'ml-ee55-ff66']]],
		['ML - AB12 - CD34', [['ML-AB12-CD34']]],
		['codeML-AB12-CD34', [['ML-AB12-CD34']]],
		['ML-AB12-CD34hello', [['ML-AB12-CD34', 'ML-AB12-CD34hello']]],
		['ML-ANUNCIO-2024', [['ML-ANUNCIO-2024']]],
		['HTML-5, 500 ml - agua', []],
		['XY-99-12', []],
	])('%s', (given, codes) => {
		const expected = codes.map(([code, written = code]) => ({ code, written }));
		expect(codesIn(given)).toEqual(expected);
	});

	test('a word alone may be a code of another form', () => {
		expect(codesOf('*xy-99-12*')).toEqual([{ code: 'XY-99-12', written: 'xy-99-12' }]);
	});
});
