/** For which items n8n is asked, and what is read for the others. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { parameterReader } from '../../nodes/IntegrationLeads/prepare/parameters';
import { node } from '../helpers/node.mts';

const BY_N8N = 'computed by n8n';

/** Reads `value` for each item, in a node where n8n computes `first` for the first item. */
function readAll(value: unknown, items: IDataObject[], first: unknown) {
	const asked: number[] = [];
	const context = {
		getNode: () => ({ ...node, parameters: { value } }),
		getInputData: () => items.map((json) => ({ json })),
		getNodeParameter: (_: string, itemIndex: number) => {
			asked.push(itemIndex);
			if (itemIndex > 0) return BY_N8N;
			if (first instanceof Error) throw first;
			return first;
		},
	} as unknown as IExecuteFunctions;
	const read = parameterReader(context);
	const values = items.map((_, itemIndex) => {
		try {
			return read('value', itemIndex);
		} catch (error) {
			return error;
		}
	});
	return { values, asked };
}

const twice = [{ v: 'a' }, { v: 'b' }];
const v = '={{ $json.v }}';
const beside = { a: [v], b: { c: v }, d: 'x' };
const given = (value: string) => ({ a: [value], b: { c: value }, d: 'x' });
const failure = new Error('of the first item');

/** What, its raw value, the items, what n8n gives for the first one, the values read, and for which items n8n is asked. */
test.each<[string, unknown, IDataObject[], unknown, unknown[], number[]]>([
	['a constant', 'x = {{ y }}', twice, 'x', ['x', 'x'], [0]],
	['constants in lists and objects', { a: [{ b: 'x' }] }, twice, 'x', ['x', 'x'], [0]],
	['a parameter that is not shown', undefined, twice, null, [undefined, undefined], [0]],
	['a field', v, twice, 'a', ['a', 'b'], [0]],
	['a field in quotes', `={{$json['a b']}}`, [{ 'a b': 1 }, { 'a b': 2 }], 1, [1, 2], [0]],
	['fields beside constants', beside, twice, given('a'), [given('a'), given('b')], [0]],
	['no value', v, [{ v: 1 }, { v: null }, {}], 1, [1, undefined, undefined], [0]],
	['an object in one item', v, [{ v: 1 }, { v: {} }, { v: 2 }], 1, [1, BY_N8N, 2], [0, 1]],
	['a field of which n8n makes something else', v, twice, 'A', ['A', BY_N8N], [0, 1]],
	['a field that n8n refuses', v, twice, failure, [failure, BY_N8N], [0, 0, 1]],
	[
		'an expression that fails for the first item',
		'={{ f() }}',
		twice,
		failure,
		[failure, BY_N8N],
		[0, 0, 1],
	],
	[
		'an expression beside a field',
		{ a: v, b: '={{ $now }}' },
		twice,
		{ a: 'a' },
		[{ a: 'a' }, BY_N8N],
		[0, 1],
	],
])('%s', (_, raw, items, first, values, asked) => {
	expect(readAll(raw, items, first)).toEqual({ values, asked });
});

test.each([
	'={{ $json.toString }}',
	'={{ $json.v.w }}',
	'={{ $json.v.trim() }}',
	'={{ $json["v"].trim() }}',
	'= {{ $json.v }}',
	'={{ $json.v }} ',
	'={{ $json.v }}{{ $json.v }}',
])('n8n is asked for %j of each item', (raw) => {
	const items = [{}, { v: 'b' }];
	expect(readAll(raw, items, undefined)).toEqual({ values: [undefined, BY_N8N], asked: [0, 1] });
});
