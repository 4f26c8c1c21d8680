import fc from 'fast-check';

import { parseBatchAnswer } from '../../nodes/IntegrationLeads/contract/batchAnswer';
import { excerptOf, reasonOf } from '../../nodes/IntegrationLeads/contract/batchReason';
import { cutBatches } from '../../nodes/IntegrationLeads/run/batch';
import { draws } from '../helpers/long.mts';

describe('cutBatches', () => {
	it('takes each once, fills batches, and keeps what belongs to one record apart and in order', () => {
		const entry = fc.uniqueArray(fc.constantFrom<string[]>('a', 'b', 'c', 'd'), { maxLength: 2 });
		fc.assert(
			fc.property(
				fc.array(entry, { maxLength: 40 }),
				fc.integer({ min: 1, max: 6 }),
				(keys, size) => {
					const batches = cutBatches(keys, size);
					expect(batches.flat().sort((a, b) => a - b)).toEqual([...keys.keys()]);
					for (const batch of batches) {
						expect(batch.length).toBeGreaterThan(0);
						expect(batch.length).toBeLessThanOrEqual(size);
						expect(batch).toEqual([...batch].sort((a, b) => a - b));
						const inBatch = batch.flatMap((position) => keys[position]);
						expect(new Set(inBatch).size).toBe(inBatch.length);
					}
					const batchOf = (position: number) =>
						batches.findIndex((batch) => batch.includes(position));
					for (const key of ['a', 'b', 'c', 'd']) {
						const turns = [...keys.keys()].filter((position) => keys[position].includes(key));
						const order = turns.map(batchOf);
						expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
					}
				},
			),
			{ numRuns: draws(500) },
		);
	});

	it('needs no more batches than there must be', () => {
		const unlike = Array.from({ length: 10_000 }, (_, n) => [String(n)]);
		expect(cutBatches(unlike, 100)).toHaveLength(100);
		// One record twice costs no batch more while there is room behind it.
		expect(cutBatches([...unlike.slice(0, 150), ['0']], 100).map(({ length }) => length)).toEqual([
			100, 51,
		]);
		expect(cutBatches([['a'], ['a'], ['a'], ['b']], 100)).toEqual([[0, 3], [1], [2]]);
	});
});

const bad = 'bad email';
const kindsOf = (answer: unknown, sent: object[], failed = false) =>
	parseBatchAnswer(answer, sent as Array<Record<string, unknown>>, failed)
		.map(({ kind }) => LETTERS[kind])
		.join('');
const LETTERS = { recorded: 't', refused: 'r', unconfirmed: 'u', batchAccepted: 'A' };
const lead = (externalId?: string, more = {}) => ({ ...(externalId && { externalId }), ...more });
const ab = [lead('a'), lead('b')];
const abc = [...ab, lead('c')];
const row = { id: '1', status: 'open', createdAt: '2026-01-01T00:00:00.000Z' };

describe('parseBatchAnswer', () => {
	// What an entry says: as a yes, as a refusal, or as neither.
	const taken: Record<string, object> = {
		'success: true': { success: true },
		'ok: true': { ok: true },
		'success as text': { success: 'true' },
		'a yes and accepted: true': { success: true, accepted: true },
		'a yes with a text in brackets': { success: true, response: 'Saved[1]' },
		'success: true, not linked': { success: true, linked: false },
		'created: true': { created: true },
		'updated: true beside created: false': { created: false, updated: true },
		'Success in capitals': { Success: true },
		'a 2xx status': { status: 201 },
		'a status as text': { statusCode: '200' },
		'a status_code': { status_code: 204 },
		'a status word': { status: 'created' },
		'a result word': { result: 'UPDATED' },
		'an outcome word': { outcome: 'accepted' },
		'an action word': { action: 'linked' },
		'a code word': { code: 'OK' },
		'a stored lead': row,
		'a stored lead with notes in brackets': { ...row, notes: '[call back]' },
		'a stored lead without errors': { ...row, errors: [] },
		'a stored lead with an empty message': { ...row, message: '' },
		'a stored lead with an empty list': { ...row, interactions: [] },
		'success: true, not created': { success: true, created: false },
		'a stored lead, not created': { ...row, created: false, linked: true },
		'a wrapped outcome': { result: { success: true } },
		'a wrapped stored lead': { lead: row },
	};
	const refused: Record<string, object> = {
		'success: false': { success: false },
		'ok as text': { ok: 'false' },
		'an error text': { error: bad },
		'an error object': { error: { code: 'V', message: bad } },
		'errors by field': { errors: { email: ['is invalid'] } },
		'a stored lead with errors': { ...row, errors: [bad] },
		'a yes with errors': { success: true, errors: [bad] },
		'a 4xx status': { status: 422 },
		'a status of 400': { status: 400 },
		'a 5xx code as text': { code: '500' },
		'an error in a wrapper': { status: 200, body: { error: { message: bad } } },
		'an error deep inside': { success: true, contact: { phone: { error: bad } } },
		'a wrapped refusal': { status: 200, body: { success: false } },
		'failed: true': { failed: true },
	};
	const unclear: Record<string, object> = {
		nothing: {},
		'an id': { id: '1' },
		'a time': { createdAt: row.createdAt },
		'a stored lead with the result of another field': { ...row, result: 'open' },
		'a word we do not know': { status: 'pending' },
		queued: { status: 'queued', jobId: 'j' },
		'a Portuguese word': { status: 'recusado', motivo: bad },
		'a Spanish name': { resultado: 'rechazado' },
		'a yes and another word': { success: true, status: 'rejected' },
		'a yes and another outcome': { result: 'created', outcome: 'discarded' },
		'a flag that is no flag': { success: 'no' },
		'a yes that is denied': { status: 'ok', accepted: false },
		'created: false': { created: false },
		'neither created nor updated': { success: true, created: false, updated: false },
		'a yes and a flag that is no flag': { status: 'created', success: 'no' },
		'a choice': { status: 300 },
		'a redirect': { status: 302 },
		'a sentence that begins well': { result: 'created, then removed' },
		'a stored lead with a reason': { ...row, message: bad },
		'a stored lead with an unknown flag': { ...row, skipped: true },
		'a stored lead with an unknown object': { ...row, conflict: { field: 'email' } },
		'a stored lead with a status we do not know': { ...row, status: 'rejected' },
		'a wrapped lead with a status we do not know': { lead: { ...row, status: 'rejected' } },
		'a yes about its contact': { contact: { created: true, status: 201 } },
		'an outcome as JSON in a text': { status: 200, body: '{"success":false}' },
		'an outcome as JSON after a space': { status: 200, body: ' {"success":false}' },
		'a yes about a part': { steps: [{ success: true }] },
		'a yes and a doubtful part': { success: true, steps: [{ status: 'rejected' }] },
		'a stored lead with a list of texts': { ...row, items: ['not saved'] },
		null: { success: null },
	};
	const outcomes = [
		...Object.entries(taken).map(([name, said]) => ({ name, said, kind: 't' })),
		...Object.entries(refused).map(([name, said]) => ({ name, said, kind: 'r' })),
		...Object.entries(unclear).map(([name, said]) => ({ name, said, kind: 'u' })),
	];
	type Wrap = (content: unknown) => unknown;
	const envelopes: Record<string, Wrap> = {
		bare: (content) => content,
		data: (data) => ({ success: true, data }),
		'data in data': (data) => ({ success: true, data: { data } }),
		'beside a message': (data) => ({ success: true, message: 'Processed', data }),
	};
	const containers: Record<string, Wrap> = {
		'no name': (list) => list,
		results: (results) => ({ results }),
		leads: (leads) => ({ leads, total: 3 }),
		'a deep list': (items) => ({ batch: { items } }),
	};
	type Identify = (entries: object[]) => unknown;
	const named: Record<string, Identify> = {
		externalId: (entries) => entries.map((each, n) => ({ externalId: 'abc'[n], ...each })),
		external_id: (entries) => entries.map((each, n) => ({ external_id: 'abc'[n], ...each })),
		'another order': (entries) =>
			entries.map((each, n) => ({ 'External-ID': 'abc'[n], ...each })).reverse(),
		'a wrapped ID': (entries) =>
			entries.map((each, n) => ({ input: { externalId: 'abc'[n] }, ...each })),
		keys: (entries) => Object.fromEntries(entries.map((each, n) => ['abc'[n], each])),
		index: (entries) => entries.map((each, index) => ({ index, ...each })),
		'a row from 1': (entries) => entries.map((each, n) => ({ row: n + 1, ...each })),
		position: (entries) => entries,
	};
	const table = Object.keys(envelopes).flatMap((envelope) =>
		Object.keys(containers).flatMap((container) =>
			Object.keys(named).map((by): [string, string, string] => [envelope, container, by]),
		),
	);

	it.each(table)('reads each outcome: envelope %s, list %s, by %s', (envelope, container, by) => {
		const cases = outcomes.flatMap(({ name, said, kind }) =>
			[0, 1, 2].flatMap((at) =>
				[{ success: true }, { status: 200 }].map((other) => {
					const entries = [0, 1, 2].map((n) => (n === at ? said : other));
					const answer = envelopes[envelope](containers[container](named[by](entries)));
					const expected = [0, 1, 2].map((n) => (n === at ? kind : 't')).join('');
					return { name, at, kinds: kindsOf(answer, abc), expected };
				}),
			),
		);
		expect(cases.filter(({ kinds, expected }) => kinds !== expected)).toEqual([]);
	});

	it.each(table)('reads one lead: envelope %s, list %s, by %s', (envelope, container, by) => {
		for (const { name, said, kind } of outcomes) {
			const answer = envelopes[envelope](containers[container](named[by]([said])));
			expect([name, kindsOf(answer, [lead('a')])]).toEqual([name, kind]);
		}
	});

	// Leads a and c were taken, b was not; expected for a, b, c.
	const id = (externalId: string, more = {}) => ({ externalId, ...more });
	const twoIds = { externalId: 'a', external_id: 'b' };
	it.each<[string, unknown, string]>([
		['lists by outcome', { created: ['a', 'c'], errors: ['b'] }, 'trt'],
		[
			'lists of records by outcome',
			{ created: [id('a')], updated: [id('c')], failed: [id('b')] },
			'trt',
		],
		['objects by outcome', { created: { a: {}, c: { id: '3' } }, errors: { b: [bad] } }, 'trt'],
		['words under external IDs', { results: { a: 'created', b: 'failed', c: 200 } }, 'tut'],
		['flags under external IDs', { results: { a: true, b: false, c: true } }, 'uuu'],
		['only what was taken', { results: [id('a', { ok: true }), id('c', { ok: true })] }, 'tut'],
		['only names of what was taken', { accepted: ['a', 'c'] }, 'tut'],
		['only what was refused', { created: 2, errors: [id('b', { message: bad })] }, 'uru'],
		[
			'chunks',
			{ results: [[id('a', { ok: true }), id('b', { ok: false })], [id('c', { ok: true })]] },
			'trt',
		],
		[
			'chunks by outcome',
			{ batches: [{ created: ['a'], failed: ['b'] }, { created: ['c'] }] },
			'uuu',
		],
		['as many chunks as leads', [{ failed: ['b'] }, { created: ['a'] }, { created: ['c'] }], 'uuu'],
		[
			'groups',
			[
				{ status: 'failed', leads: ['b'] },
				{ status: 'created', leads: ['a', 'c'] },
			],
			'uuu',
		],
		['stored leads in a group', [{ status: 'failed', leads: [id('b', row)] }], 'uuu'],
		['null in its place', [{ ...row }, null, { ...row }], 'tut'],
		['no outcome under its ID', { created: { a: null, b: [], c: {} } }, 'uut'],
		['null under its ID', { a: { ok: true }, b: null, c: { ok: true } }, 'tut'],
		[
			'a list of another name',
			{ results: [id('a', { ok: true })], skipped: [id('b', { ok: true })] },
			'tuu',
		],
		['stored leads under another name', { duplicates: [id('b', row)] }, 'uuu'],
		['two mentions', { accepted: ['a', 'b', 'c'], invalidos: [id('b', { motivo: bad })] }, 'tut'],
		['two mentions by name', { accepted: ['a', 'b', 'c'], invalidos: ['b'] }, 'tut'],
		['one mention in a field', { accepted: ['a', 'b', 'c'], lastInvalid: 'b' }, 'tut'],
		['a mention in a group', { created: ['a', 'b'], notes: [{ ref: 'b', motivo: bad }] }, 'tuu'],
		['a key in a group', { created: ['a', 'b'], parts: [{ errors: { b: [bad] } }] }, 'uuu'],
		['a key in another group', { created: ['a', 'b'], parts: [{ b: bad }] }, 'tuu'],
		['a yes and a no', { results: [id('b', { ok: true })], errors: [id('b')] }, 'uru'],
		['a yes twice', [id('a', { ok: true }), id('a', { ok: true })], 'tuu'],
		['a yes twice, once denied', [id('a', { ok: true }), id('a', { ok: false })], 'ruu'],
		['more refusals than there is room for', { created: ['a', 'b', 'c'], failed: 1 }, 'uuu'],
		['a refusal without a name', { created: ['a', 'b', 'c'], errors: [{ message: bad }] }, 'uuu'],
		['a refusal in words', { created: ['a', 'b', 'c'], errors: ['b: bad email'] }, 'uuu'],
		['a refusal in one word', { created: ['a', 'b', 'c'], error: bad }, 'uuu'],
		['counted refusals of the rest', { created: ['a', 'c'], failed: 1 }, 'tut'],
		[
			'fewer counted than listed',
			{ created: 2, results: abc.map((each) => ({ ...each, ok: true })) },
			'uuu',
		],
		['counted, and success', { success: true, failed: 1, created: 2 }, 'uuu'],
		[
			'an unknown external ID',
			{ results: [id('a', { ok: true }), id('z', { ok: true }), id('c', { ok: true })] },
			'tut',
		],
		['external IDs of another text', [id('a ', { ok: true }), id('B', { ok: true })], 'uuu'],
		[
			'one entry of two leads',
			{ results: [id('a', { lead: { externalId: 'b' }, ok: true })] },
			'uuu',
		],
		['two IDs in one entry', { results: [{ ...twoIds, ok: true }] }, 'uuu'],
		[
			'a lead inside that of another',
			[id('a', { ok: true, lead: row, linked: ['b'], duplicate: id('c', { ok: true }) })],
			'tuu',
		],
		['another lead under a key', { a: id('b', { ok: true }), c: { ok: true } }, 'uut'],
		[
			'the ID of another lead in a place',
			[{ ok: true, ref: 'b' }, { ok: true, ref: 'a' }, { ok: true }],
			'uut',
		],
		['places of another list', { contacts: [{ ok: true }, { ok: true }, { ok: true }] }, 'uuu'],
		[
			'places inside an entry',
			[{ id: '1', items: [{ ok: true }, { ok: true }, { ok: true }] }],
			'uuu',
		],
		[
			'refusals in a list as long as the batch',
			{ errors: [bad, bad, bad], created: ['a', 'b', 'c'] },
			'uuu',
		],
		['places where one has an ID', [id('b', { ok: true }), { ok: true }, { ok: true }], 'utu'],
		[
			'indexes of something else',
			[
				{ ok: false, contact: { index: 1 } },
				{ ok: true, contact: { index: 0 } },
				{ ok: true, contact: { index: 2 } },
			],
			'rtt',
		],
		[
			'an index that may count from 0 or 1',
			{ accepted: ['a', 'b', 'c'], errors: [{ index: 1, message: bad }] },
			'uuu',
		],
		['an index that may be either, all taken', { results: [{ index: 1, ok: true }] }, 'uuu'],
		[
			'an index that cannot be',
			{
				results: [
					{ index: 7, ok: true },
					{ index: 0, ok: true },
				],
			},
			'uuu',
		],
		[
			'an index of the first and after the last',
			{
				results: [
					{ index: 0, ok: true },
					{ index: 3, ok: true },
				],
			},
			'uuu',
		],
		[
			'an index in a chunk',
			[
				[{ index: 0, ok: true }],
				[
					{ index: 0, ok: true },
					{ index: 1, ok: true },
				],
			],
			'uuu',
		],
		['a job', { jobId: 'j', status: 'queued' }, 'uuu'],
		['words', { message: 'Two leads were created, one was not' }, 'uuu'],
		['an empty list', { results: [] }, 'uuu'],
		['no list of what was taken', { created: [], updated: [] }, 'uuu'],
		['an empty object of outcomes', { results: {} }, 'uuu'],
		[
			'GraphQL',
			{
				data: {
					sync: { leads: [id('a', row)], userErrors: [{ field: ['leads', '1'], message: bad }] },
				},
			},
			'uuu',
		],
		[
			'JSON:API',
			{
				data: [{ type: 'leads', attributes: id('a', { createdAt: 'x' }), id: '1' }],
				errors: [{ status: '422', source: { pointer: '/data/1' } }],
			},
			'uuu',
		],
		[
			'stored leads and a refusal',
			{ leads: [id('a', row), id('c', row)], errors: [id('b')] },
			'trt',
		],
		['stored leads and a warning', { leads: [id('a', row)], warnings: ['1 not saved'] }, 'uuu'],
		['stored leads that were not created', { created: false, leads: [id('a', row)] }, 'tuu'],
		['a refusal in an object', { created: ['a', 'b', 'c'], error: { message: bad } }, 'uuu'],
		['a key beside others', { accepted: ['a', 'b', 'c'], notes: { b: bad, x: 1 } }, 'tut'],
		['refused contacts', { contacts: [{ ok: false }, { ok: true }, { ok: true }] }, 'uuu'],
		['an empty text for a refusal', { created: ['a', 'c'], errors: [''] }, 'tut'],
		['a yes and a note', { results: [id('a', { ok: true })], notes: ['call back'] }, 'tuu'],
		['indexes in any order', [1, 2, 0].map((index) => ({ index, ok: index !== 1 })), 'trt'],
		[
			'indexes, and an entry without one',
			{ results: [1, 2, 0].map((index) => ({ index, ok: true })), contacts: [{ vip: true }] },
			'ttt',
		],
		[
			'two IDs and an index in one entry',
			[0, 1, 2].map((index) => ({ index, ok: true, ...(!index && twoIds) })),
			'uut',
		],
		['places without errors', [{ errors: [] }, { errors: [] }, { errors: [] }], 'uuu'],
		['too many indexes', [0, 1, 2, 3].map((index) => ({ index, ok: true })), 'uuu'],
		['stored leads and a failure', { status: 'partial', leads: [id('a', row)] }, 'uuu'],
		[
			'leads without errors',
			{ leads: [id('a', { error: null }), id('b', { error: null, motivo: bad })] },
			'tuu',
		],
	])('reads %s', (_, data, expected) => {
		expect(kindsOf(data, abc)).toBe(expected);
		expect(kindsOf({ success: true, data }, abc)).toBe(expected);
	});

	it.each<[string, unknown, string]>([
		['nothing', undefined, 'A'],
		['null', { success: true, data: null }, 'A'],
		['an empty object', { success: true, data: {} }, 'A'],
		['a job', { success: true, data: { jobId: 'j-1' } }, 'A'],
		['an accepted job', { success: true, data: { jobId: 'j-1', status: 'accepted' } }, 'A'],
		['counts', { created: 2, updated: '1', errors: [], failed: 0, total: 3 }, 'A'],
		['counts in a summary', { summary: { created: 3 }, ok: true, error: null }, 'A'],
		['null under another name', { created: 3, next: null }, 'A'],
		['a total of its own name', { created: 3, totalContacts: 3 }, 'u'],
		['a total of another name', { created: 3, contactTotal: 3 }, 'u'],
		['too small counts', { created: 2 }, 'u'],
		['counts of nothing', { created: 0 }, 'u'],
		['too large counts', { created: 3, updated: 1 }, 'u'],
		['another total', { created: 3, total: 4 }, 'u'],
		['a total only', { total: 3 }, 'u'],
		['what was received', { received: 3 }, 'u'],
		['what was processed', { created: 3, processed: 3 }, 'u'],
		['a count of refusals', { created: 3, failed: 1 }, 'u'],
		['a count under another name', { created: 3, discarded: 1 }, 'u'],
		['no count under another name', { saved: 0 }, 'u'],
		['a count in a list of refusals', { created: 3, errors: { count: 1 } }, 'u'],
		['an error', { created: 3, error: bad }, 'u'],
		['an error that ends with a number', { created: 3, error: 'Row 2' }, 'u'],
		['an error that begins with a number', { created: 3, error: '2 rows' }, 'u'],
		['a flag', { created: 3, partial: true }, 'u'],
		['a denied flag', { created: 3, ok: false }, 'u'],
		['a denied change', { created: false }, 'u'],
		['a text', 'done', 'u'],
		['a yes under an unknown name', { created: 3, rest: { ok: true } }, 'u'],
		['an unknown object', { created: 3, rest: { a: 1 } }, 'u'],
		['a list of numbers', { created: [1, 2, 3] }, 'u'],
	])('accepts the batch only as a whole: %s', (_, answer, expected) => {
		expect(kindsOf(answer, abc)).toBe(expected.repeat(3));
	});

	it('takes what is said of any for that of the only lead', () => {
		const only = [lead('a')];
		expect(kindsOf({ errors: [{ message: bad }] }, only)).toBe('r');
		expect(kindsOf({ errors: bad }, only)).toBe('r');
		expect(kindsOf({ failed: 1 }, only)).toBe('r');
		expect(kindsOf({ ok: false }, only)).toBe('r');
		expect(kindsOf({ data: { success: true, lead: { ...only[0], ...row } } }, only)).toBe('t');
		expect(kindsOf({ data: { success: true, lead: row } }, only)).toBe('u');
		expect(kindsOf([{ externalId: 'kept', success: true }], only)).toBe('u');
		expect(kindsOf({ contacts: [{ created: true }], leads: [] }, only)).toBe('u');
		expect(kindsOf([{ success: true }, { success: true }], only)).toBe('u');
		// The envelope is of the request.
		expect(kindsOf({ success: true, data: { externalId: 'a', motivo: bad } }, only)).toBe('u');
	});

	it('reads external IDs that look like names, numbers or each other', () => {
		const odd = [lead('created'), lead('errors'), lead('x'), lead('x '), lead('1')];
		const each = odd.map(({ externalId }, n) => ({ externalId, success: n % 2 === 0 }));
		expect(kindsOf({ results: each }, odd)).toBe('trtrt');
		expect(kindsOf({ results: [{ externalId: 1, ok: true }] }, odd)).toBe('uuuut');
		expect(kindsOf({ created: ['x'], errors: ['x '] }, odd)).toBe('uutru');
		expect(kindsOf({ created: [1] }, odd)).toBe('uuuuu');
		const keyed = Object.fromEntries(odd.map(({ externalId }) => [externalId, { ok: true }]));
		expect(kindsOf({ results: keyed }, odd)).toMatch(/^uu..u$/);
		expect(kindsOf({ ok: true, success: true }, [lead('ok'), lead('success')])).not.toMatch(/t/);
		const places = [lead('0'), lead('1')];
		const listed = places.map((each) => ({ ...each, ok: true, tags: ['new', 'vip'] }));
		expect(kindsOf(listed, places)).toBe('tt');
		// The key is an external ID, or an index.
		expect(kindsOf({ results: { 1: { ok: true } } }, [lead('2'), lead('1')])).toBe('uu');
		expect(kindsOf({ results: { 2: { ok: true } } }, [lead('1'), lead('2')])).toBe('ut');
		const numbers = ['1', '2', '3'].map((n) => lead(n));
		expect(kindsOf({ 1: { ok: true }, 2: { ok: false }, 3: { ok: true } }, numbers)).toBe('trt');
		expect(kindsOf({ created: { 1: {}, 3: {} }, errors: { 2: bad } }, numbers)).toBe('trt');
		// From 0 these would be the second and the third.
		expect(kindsOf({ created: { 1: {}, 2: {} } }, numbers)).toBe('uuu');
		expect(kindsOf({ created: { 1: {}, 2: {} }, errors: { 0: bad } }, numbers)).toBe('uuu');
		expect(kindsOf({ errors: { 1: bad } }, numbers)).toBe('ruu');
		const serial = [0, 1, 2].map((n) => ({ externalId: `${n + 1}`, id: `${3 - n}`, ok: n !== 1 }));
		expect(kindsOf(serial, numbers)).toBe('trt');
	});

	it('takes what was sent for no outcome where it comes back', () => {
		const own = [lead('a', { status: 'accepted', ...{ id: '1', createdAt: 'x' } }), lead('b')];
		expect(kindsOf({ leads: own }, own)).toBe('uu');
		expect(kindsOf([{ externalId: 'a', status: 'created' }], own)).toBe('tu');
		expect(kindsOf([{ externalId: 'a', ...row, id: '2', status: 'accepted' }], own)).toBe('tu');
		const coded = [lead('a', { code: 404 }), lead('b')];
		expect(kindsOf([{ externalId: 'a', ...row, code: 404 }], coded)).toBe('tu');
	});

	it('finds leads without an external ID by position', () => {
		const sent = [lead('a'), lead(), lead()];
		const each = [{ ok: true }, { externalId: null, ok: false }, { ok: true }];
		expect(kindsOf(each, sent)).toBe('trt');
		expect(kindsOf([{ ok: true, note: 'undefined' }, { ok: true }], [lead(), lead()])).toBe('tt');
		// Where one entry states an ID, the others may be in any order.
		expect(kindsOf([{ externalId: 'a', ok: true }, ...each.slice(1)], sent)).toBe('uuu');
		expect(kindsOf([{ ok: true }, { externalId: 'a', ok: true }, { ok: true }], sent)).toBe('tuu');
	});

	it.each<[string, object, string]>([
		['plainly taken leads', { results: [id('a', { ok: true })] }, 'tu'],
		['all taken', { results: [id('a', { ok: true }), id('b', { status: 201 })] }, 'tt'],
		['lists', { created: ['a'], failed: ['b'] }, 'tr'],
		['stored leads', { leads: [id('a', row)] }, 'uu'],
		['what was sent', { data: { leads: ab } }, 'uu'],
		['a reason for one', { errors: [id('b', { message: bad })] }, 'ur'],
		['one under the reason', { error: { message: 'Invalid', errors: [id('b')] } }, 'ur'],
		['a yes under the reason', { error: { created: ['a'] } }, 'tu'],
		[
			'results under the reason',
			{ error: { details: [id('a', { ok: true }), id('b', { ok: false })] } },
			'tr',
		],
		['its own status', { status: 400, ok: false, results: [id('a', { ok: true })] }, 'tu'],
		[
			'stored leads, and one with a reason',
			{ results: [id('a', row), id('b', { error: bad })] },
			'tr',
		],
		['nothing', {}, 'uu'],
		['counts', { created: 2 }, 'uu'],
	])('reads a request that failed with %s', (_, said, expected) => {
		const answer = { success: false, error: { code: 'V', message: 'Invalid' }, ...said };
		expect(kindsOf(answer, ab, true)).toBe(expected);
		expect(kindsOf(answer, [lead('z'), lead('y')], true)).toBe('uu');
		expect(kindsOf({ success: false, leads: [id('a', row)] }, ab, true)).toBe('uu');
	});

	it('reads a request that failed by position', () => {
		const results = [{ ok: true }, { ok: false }];
		expect(kindsOf({ success: false, results }, ab, true)).toBe('tr');
	});

	it('gives the parts of the answer about each lead', () => {
		const results = [id('a', { ok: true }), id('c', { ok: true })];
		const errors = [id('a', { message: bad })];
		expect(parseBatchAnswer({ results, errors }, abc)).toEqual([
			{ kind: 'refused', entries: [errors[0], results[0]] },
			{ kind: 'unconfirmed', entries: [] },
			{ kind: 'recorded', entries: [results[1]] },
		]);
		expect(parseBatchAnswer({}, ab)).toEqual(
			ab.map(() => ({ kind: 'batchAccepted', entries: [] })),
		);
	});

	it('never takes a refused lead for taken, whatever is around it', () => {
		const names = fc.constantFrom(
			...['success', 'data', 'results', 'leads', 'created', 'ok', 'status', 'b', 'lead', 'x', '0'],
		);
		const leaf = fc.constantFrom<unknown>(true, 'created', 'a', 'b', 'ok', 200, 2, null, {});
		const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
			tree: fc.oneof(
				{ maxDepth: 4, depthSize: 'large' },
				leaf,
				fc.dictionary(names, tie('tree'), { maxKeys: 4 }),
				fc.array(tie('tree'), { maxLength: 3 }),
				fc.record({ externalId: fc.constantFrom('a', 'b'), success: tie('tree') }),
				fc.record({ errors: fc.constant(['THE REFUSAL']) }),
			),
		}));
		const refusal = fc.constantFrom(
			...Object.values(refused).map((said) => ({ externalId: 'b', ...said })),
		);
		fc.assert(
			fc.property(tree, tree, names, refusal, (before, after, name, entry) => {
				for (const around of [
					{ first: before, [name]: [entry], last: after },
					{ [name]: { [name]: [before, entry, after] } },
					[before, { x: [after, { lead: entry }] }],
					{ [name]: { errors: ['b'], created: before }, rest: after },
					{ created: ['a', 'b'], [name]: { rejected: { b: [bad] } }, last: [before, after] },
				]) {
					if (!'ru'.includes(kindsOf(around, ab)[1])) throw new Error(JSON.stringify(around));
				}
			}),
			{ numRuns: draws(3000) },
		);
	});

	it('takes any size and depth', () => {
		let deep: unknown = [{ externalId: 'b', success: false }];
		for (let depth = 0; depth < 20_000; depth += 1) deep = depth % 2 ? [deep] : { data: deep };
		let nested: unknown = deep;
		for (let depth = 0; depth < 20_000; depth += 1) nested = depth < 10_000 ? [nested] : { nested };
		expect(kindsOf({ deep, created: ['a', 'b'] }, ab)).toBe('uu');
		expect(kindsOf({ nested, created: ['a', 'b'] }, ab)).toBe('uu');
		const many = Array.from({ length: 10_000 }, (_, n) => `${n}x`);
		const results = many.slice(0, 5_000).map((externalId, n) => ({ externalId, ok: n !== 7 }));
		const all = many.map((externalId) => ({ externalId }));
		const read = parseBatchAnswer({ results, created: many.slice(5_000) }, all);
		expect(read.filter(({ kind }) => kind === 'recorded')).toHaveLength(9_999);
		expect(read[7].kind).toBe('refused');
		const text = '['.repeat(100_000);
		expect(kindsOf({ results: [{ externalId: 'a', message: text, error: text }] }, ab)).toBe('ru');
		expect(reasonOf({ error: text })?.length).toBeLessThanOrEqual(2000);
		expect(reasonOf(deep)).toBeUndefined();
		expect(excerptOf(deep).length).toBeLessThanOrEqual(2000);
		expect(excerptOf({ many, text }).length).toBeLessThanOrEqual(2000);
	});
});

/** A reason in a record that is in another, so many times. */
const nested = (depth: number): object => (depth ? { inner: nested(depth - 1) } : { reason: bad });

describe('reasonOf', () => {
	it.each<[unknown, string | undefined]>([
		[{ message: bad, error: 'V' }, bad],
		[{ reason: bad }, bad],
		[{ detail: bad }, bad],
		[{ error: bad }, bad],
		[{ error: { code: 'V', message: bad } }, bad],
		[{ error: 'invalid', error_description: bad }, bad],
		[{ errors: { email: ['is invalid'] } }, 'email: is invalid'],
		[{ errors: [{ field: 'email', message: 'is invalid' }] }, 'email: is invalid'],
		[{ body: { error: { message: bad } } }, bad],
		[[bad, 'bad phone'], `${bad}; bad phone`],
		[bad, bad],
		[{ message: '', reason: bad }, bad],
		[{ message: 'x'.repeat(3000) }, 'x'.repeat(2000)],
		[nested(49), bad],
		[nested(50), undefined],
		[{ ...Array.from({ length: 49 }, () => ({})), last: { reason: bad } }, bad],
		[{ ...Array.from({ length: 50 }, () => ({})), last: { reason: bad } }, undefined],
		[{ externalId: 'b', success: false }, undefined],
	])('finds the reason in %j', (entry, reason) => {
		expect(reasonOf(entry)).toBe(reason);
	});
});

describe('excerptOf', () => {
	const many = (value: unknown) => Array.from({ length: 60 }, () => value);
	it.each<[unknown, unknown]>([
		[
			{ externalId: 'b', tags: [1, null, 'vip'] },
			{ externalId: 'b', tags: [1, null, 'vip'] },
		],
		[{ ...many(7) }, { ...many(7) }],
		[{ ...many(null) }, { ...many(null) }],
		[many(7), many(7).slice(0, 50)],
		// The list itself is one of fifty.
		[many({}), [...many({}).slice(0, 49), '…']],
	])('cuts %j to %j', (entry, expected) => {
		expect(JSON.parse(excerptOf(entry))).toEqual(expected);
	});

	it('has a word for nothing, and no more than 2,000 characters', () => {
		expect(excerptOf(undefined)).toBe('nothing');
		expect(excerptOf('x'.repeat(3000))).toBe(`"${'x'.repeat(1999)}`);
	});
});
