import type { ServiceRecord } from '../../nodes/IntegrationLeads/values/json';
import {
	parseEnvelope,
	parseError,
	parseList,
	parseRecord,
} from '../../nodes/IntegrationLeads/contract/envelope';

const lead = { id: 'l1', status: 'open' };
const otherServer = (shown: string) => ({ kind: 'otherServer', shown });

describe('parseEnvelope', () => {
	it.each([
		['the envelope', { success: true, data: lead }, { kind: 'data', data: lead }],
		['a bare record', lead, { kind: 'data', data: lead, envelope: {} }],
		['a bare list', [lead], { kind: 'data', data: [lead], envelope: {} }],
		['a record with a field "data"', { data: 1 }, { kind: 'data', data: { data: 1 } }],
		['success without data', { success: true }, { kind: 'nothing' }],
		['success with null', { success: true, data: null }, { kind: 'nothing' }],
		[
			'a failure',
			{ success: false, error: { code: 'X' } },
			{ kind: 'failure', body: { error: { code: 'X' } } },
		],
	])('parses %s', (_, body, expected) => {
		expect(parseEnvelope(JSON.stringify(body))).toMatchObject(expected);
	});

	it.each([
		['nothing', '', { kind: 'nothing' }],
		['a byte order mark', '\ufeff{"id":1}', { kind: 'data', data: { id: 1 } }],
		['half an object', '{"success":true,"data":{"le', { kind: 'cut' }],
		['a bare number', '42', otherServer('42')],
		['null', 'null', otherServer('null')],
		['plain text', 'upstream  down', otherServer('upstream down')],
		[
			'a page',
			'<html><style>b {}</style><h1>Sign\nin</h1><script>x ()</script>here',
			otherServer('Sign in here'),
		],
		['a page that ends in a script', '<p>Sign in<script>x("<p>")', otherServer('Sign in')],
		['a text with <', 'load < 1 > 0.5 <', otherServer('load 0.5 <')],
		['a long page', 'x'.repeat(500), otherServer(`${'x'.repeat(120)}…`)],
		[
			'more than a page of records',
			' '.repeat(50_000_000) + '{}',
			{ kind: 'otherServer', shown: '{}' },
		],
	])('reads %s', (_, text, expected) => {
		expect(parseEnvelope(text)).toMatchObject(expected);
	});

	// Expressions that start over at each character would take seconds.
	it.each([
		['<', 'x<<'],
		['<a', 'x<a<a'],
		['<script', 'x'],
		['<style></script', 'x'],
		['<p></script', 'x </script </script'],
		[' \n', 'x'],
		['<p>', 'x'],
	])('reads a long page of %j', (part, shown) => {
		const opened = parseEnvelope(`x${part.repeat(100_000)}y`) as { shown: string };
		expect(opened.shown.slice(0, shown.length)).toBe(shown);
		expect(opened.shown.length <= shown.length || opened.shown.length === 121).toBe(true);
	});

	it('takes no prototype from outside', () => {
		const text =
			'{"success":true,"data":{"id":"1","__proto__":{"admin":true},"n":{"__proto__":1}}}';
		const opened = parseEnvelope(text);
		expect(opened).toMatchObject({ kind: 'data', data: { id: '1', n: {} } });
		const data = (opened as { data: object }).data;
		expect(Object.keys(data)).toEqual(['id', 'n']);
		expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
		expect(parseRecord({ lead: data }, 'lead')).not.toHaveProperty('admin');
	});
});

describe('parseError', () => {
	const reason = 'saleDate is bad';
	const code = 'V';

	it.each<[string, Record<string, unknown>, string | undefined]>([
		['part 7', { success: false, error: { code, message: reason } }, reason],
		['a text in error', { error: reason }, reason],
		[
			'a list in message',
			{ statusCode: 400, message: [reason, 'b'], error: 'Bad Request' },
			`${reason}; b`,
		],
		['a list of texts', { errors: [reason, reason] }, `${reason}; ${reason}`],
		['detail', { type: 'about:blank', title: 'Bad Request', detail: reason }, reason],
		['error_description', { error: 'invalid', error_description: reason, message: '' }, reason],
		[
			'details',
			{ error: { message: 'Invalid', details: [{ field: 'saleDate', message: 'bad' }] } },
			'Invalid: saleDate: bad',
		],
		[
			'a field that the reason names',
			{ error: { message: 'Invalid', details: [{ field: 'saleDate', message: reason }] } },
			`Invalid: ${reason}`,
		],
		[
			'issues with paths',
			{ error: { issues: [{ path: ['contact', 'email'], message: 'bad' }] } },
			'contact.email: bad',
		],
		[
			'reasons by field',
			{ message: 'Invalid', errors: { saleDate: ['bad', 'old'] } },
			'Invalid: saleDate: bad; old',
		],
		['reasons beside error', { error: { message: 'Invalid' }, errors: ['bad'] }, 'Invalid: bad'],
		['nothing', { success: false }, undefined],
		[
			'nothing readable',
			{ error: { code, message: { a: [{ b: { c: { d: 'x' } } }] } } },
			undefined,
		],
		['a code that is no text', { error: { code: 42, message: reason } }, reason],
		['a list with blanks', { errors: [' ', reason] }, reason],
	])('finds the reason in %s', (_, body, message) => {
		expect(parseError(body).message).toBe(message);
		expect([code, undefined]).toContain(parseError(body).code);
	});

	it('keeps code and wait beside them', () => {
		const error = { code, message: 'Invalid', retryAfter: 3, details: ['bad'], secret: 'x' };
		expect(parseError({ error })).toEqual({ code, message: 'Invalid: bad', retryAfter: 3 });
	});

	it('cuts long reasons', () => {
		const long = 'x'.repeat(100_000);
		const cut = `${'x'.repeat(500)}…`;
		expect(parseError({ error: long }).message).toBe(cut);
		expect(parseError({ error: { message: long, details: [long] } }).message).toBe(cut);
		const errors = Array.from({ length: 5000 }, () => 'bad');
		expect(parseError({ errors }).message?.split('; ')).toHaveLength(10);
	});

	it('reads deep errors down to a depth', () => {
		const nested = (depth: number) => `${'{"error":'.repeat(depth)}"${reason}"${'}'.repeat(depth)}`;
		const messageAt = (depth: number) =>
			parseError(JSON.parse(nested(depth)) as ServiceRecord).message;
		expect(messageAt(6)).toBe(`error: ${reason}`);
		expect(messageAt(7)).toBeUndefined();
		expect(messageAt(100_000)).toBeUndefined();
	});
});

describe('parseRecord', () => {
	it.each([
		['bare', lead, lead],
		['under its name', { lead }, lead],
		['with siblings', { lead, created: true }, { ...lead, created: true }],
		['with a sibling of the same name', { lead, status: 'linked', x: 1 }, { ...lead, x: 1 }],
		['whose field has its own name', { id: 'x', lead: 'l1' }, { id: 'x', lead: 'l1' }],
		['that is a list', [lead], undefined],
	])('reads a record %s', (_, data, expected) => {
		expect(parseRecord(data, 'lead')).toEqual(expected);
	});
});

describe('parseList', () => {
	const stated = { limit: 20, total: 1, totalPages: 1 };
	const asText = { page: '1', limit: '20', total: '1', totalPages: '1' };
	const odd = { page: null, limit: '', total: -1, totalPages: '1.5' };
	const unstated = { limit: undefined, total: undefined, totalPages: undefined };
	const leads = [lead];

	it.each([
		['under its plural', { leads, pagination: stated }, {}, stated],
		['as data', leads, {}, undefined],
		['as results, pagination beside data', { results: leads }, { pagination: stated }, stated],
		['under its plural among other lists', { leads, tags: [{ id: 't' }] }, {}, undefined],
		['with numbers as text', { leads, pagination: asText }, {}, stated],
		['with numbers that are none', { leads, pagination: odd }, {}, unstated],
		['without pagination', { leads, pagination: null }, {}, undefined],
		['with an entry that is nothing', { leads: [lead, null] }, {}, undefined],
	])('finds a list %s', (_, data, envelope, pagination) => {
		expect(parseList(data, 'leads', envelope)).toEqual({ records: leads, pagination });
	});

	it('takes null for an empty list, and keeps entries that are no records', () => {
		expect(parseList({ leads: null }, 'leads', {})?.records).toEqual([]);
		const { records } = parseList({ leads: ['vip', lead, [1]] }, 'leads', {}) ?? {};
		expect(records).toEqual([{ data: 'vip' }, lead, { data: [1] }]);
	});

	it.each([
		['two lists of other names', { a: [], b: [] }],
		['a record', lead],
		['nothing', null],
	])('finds no list in %s', (_, data) => {
		expect(parseList(data, 'leads', {})).toBeUndefined();
	});
});
