import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { excerptOf, parseBatchAnswer } from '../../nodes/IntegrationLeads/contract/batchAnswer';
import { cutRounds } from '../../nodes/IntegrationLeads/push/jobs';
import { draws } from '../helpers/long.mts';

describe('cutRounds', () => {
	const cut = (keys: string[][]) => cutRounds(keys.map((ids) => ({ ids, addresses: [] })));

	it('takes each once, and keeps what belongs to one record apart and in order', () => {
		const entry = fc.uniqueArray(fc.constantFrom<string[]>('a', 'b', 'c', 'd'), { maxLength: 2 });
		fc.assert(
			fc.property(fc.array(entry, { maxLength: 40 }), (keys) => {
				const batches = cut(keys);
				expect(batches.flat().sort((a, b) => a - b)).toEqual([...keys.keys()]);
				for (const batch of batches) {
					expect(batch.length).toBeGreaterThan(0);
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
			}),
			{ numRuns: draws(200) },
		);
	});

	it('needs no more rounds than there must be', () => {
		const unlike = Array.from({ length: 10_000 }, (_, n) => [String(n)]);
		expect(cut(unlike)).toHaveLength(1);
		// One record twice costs one more.
		expect(cut([...unlike, ['0']]).map(({ length }) => length)).toEqual([10_000, 1]);
		expect(cut([['a'], ['a'], ['a'], ['b']])).toEqual([[0, 3], [1], [2]]);
		// Of those that share an address, only the first goes ahead.
		const shared = ['a', 'b', 'c', 'd'].map((id) => ({ ids: [id], addresses: ['x'] }));
		expect(cutRounds(shared)).toEqual([[0], [1, 2, 3]]);
	});
});

const bad = 'bad email';
const STORED = { id: '1', status: 'open', createdAt: '2026-01-01T00:00:00.000Z' };
const LETTERS = { recorded: 'y', refused: 'n', unclear: '?', nothing: '-' };
const lead = (externalId?: string, more = {}) => ({ ...(externalId && { externalId }), ...more });
const [abc, ab, numbers] = ['abc', 'ab', '123'].map((ids) => [...ids].map((id) => lead(id)));

/** One letter for each lead: recorded, refused, unclear, or nothing said about single leads. */
const statementsIn = (answer: unknown, sent: IDataObject[], failed = false) =>
	parseBatchAnswer(answer, sent, failed)
		.map(({ statement }) => LETTERS[statement])
		.join('');

/** One entry for each lead, with a plain yes. */
const ALL = { results: abc.map((one) => ({ ...one, ok: true })) };

/** Lines of what is expected, and the answer as JSON. STORED and ALL stand for the fields of {@link STORED} and {@link ALL}. */
const parseTable = (table: string): Array<[string, unknown]> =>
	[...table.matchAll(/^([yn?-]+) (.*)$/gm)].map(([, kinds, json]) => [
		kinds,
		JSON.parse(
			Object.entries({ STORED, ALL }).reduce(
				(text, [word, fields]) => text.replaceAll(word, JSON.stringify(fields).slice(1, -1)),
				json,
			),
		) as unknown,
	]);

describe('parseBatchAnswer: what one entry states', () => {
	const entries = parseTable(`
y {"success": true}
y {"ok": true}
y {"success": true, "created": false, "id": "7", "createdAt": "2026-01-01"}
y {"success": true, "error": null, "errors": [], "failed": false}
n {"success": true, "errors": {"count": 0}}
y {"created": true}
y {"created": false, "updated": true}
y {"status": 201}
y {"statusCode": "200"}
y {"status": "OK", "message": "não houve falha"}
y {"result": "UPDATED"}
y {"action": "linked"}
y {STORED}
y {STORED, "created": false}
? {STORED, "errors": []}
y {STORED, "contact": {"id": "9", "name": "Contact A"}, "tags": ["vip"]}
? {"result": {"success": true}}
y {"lead": {STORED}}
n {"success": false}
n {"error": "bad"}
n {"errors": {"email": ["is invalid"]}}
n {STORED, "errors": ["bad"]}
n {"created": true, "rejected": true}
n {"status": 400}
n {"code": "500"}
? {"status": 200, "body": {"error": {"message": "bad"}}}
? {"success": true, "contact": {"phone": {"error": "bad"}}}
? {}
? {"id": "1"}
? {"created": false, "updated": false}
? {"success": true, "created": false, "updated": false}
? {"status": "pending"}
? {"status": "recusado", "motivo": "bad"}
? {"result": "created", "outcome": "discarded"}
? {"status": "ok", "accepted": false}
? {"status": "created", "success": "no"}
? {"result": "not created"}
? {STORED, "message": "bad"}
? {STORED, "conflict": {"field": "email"}}
? {STORED, "status": "rejected"}
? {"contact": {"created": true, "status": 201}}
y {"success": true, "steps": [{"status": "rejected"}]}`);
	type Wrap = (content: unknown) => unknown;
	const wraps: Wrap[] = [
		(list) => list,
		(results) => ({ success: true, data: { results } }),
		(leads) => ({ success: true, message: 'Processed', data: { data: { leads, total: 3 } } }),
	];
	const id = (n: number) => 'abc'[n];
	const identified: Record<string, (entries: object[]) => unknown> = {
		externalId: (list) => list.map((each, n) => ({ externalId: id(n), ...each })),
		external_id: (list) => list.map((each, n) => ({ ...each, external_id: id(n) })),
		'another order': (list) => list.map((each, n) => ({ externalId: id(n), ...each })).reverse(),
		position: (list) => list,
	};

	it.each(Object.entries(identified))('with its lead known by %s', (_, identify) => {
		const wrong = [];
		for (const [kind, entry] of entries) {
			for (const wrap of wraps) {
				const answerOf = (list: object[]) => wrap(identify(list));
				const only = answerOf([entry as object]);
				if (statementsIn(only, [lead('a')]) !== kind) wrong.push([kind, only]);
				for (const at of [0, 1, 2]) {
					const other = at === 1 ? { status: 200 } : { success: true };
					const answer = answerOf([0, 1, 2].map((n) => (n === at ? (entry as object) : other)));
					const expected = [0, 1, 2].map((n) => (n === at ? kind : 'y')).join('');
					if (statementsIn(answer, abc) !== expected) wrong.push([expected, answer]);
				}
			}
		}
		expect(wrong.map((each) => JSON.stringify(each)).slice(0, 5)).toEqual([]);
	});
});

describe('parseBatchAnswer: whole answers', () => {
	it.each(
		parseTable(`
??? {"created": ["a", "c"], "errors": ["b"]}
?n? {"created": [{"externalId": "a"}], "updated": [{"externalId": "c"}], "failed": [{"externalId": "b"}]}
??? {"created": {"a": {}, "c": {"id": "3"}}, "errors": {"b": ["bad"]}}
??? {"results": {"a": "created", "b": "failed", "c": 200}}
?n? {"created": 2, "errors": [{"externalId": "b", "message": "bad"}]}
yny {"results": [[{"externalId": "a", "ok": true}, {"externalId": "b", "ok": false}], [{"externalId": "c", "ok": true}]]}
??? [{STORED},null, {STORED}]
y?? {"results": [{"externalId": "a", "ok": true}], "skipped": [{"externalId": "b", "ok": true}]}
y?y {ALL, "invalidos": [{"externalId": "b", "motivo": "bad"}]}
yny {ALL, "errors": [{"externalId": "b", "message": "bad"}]}
??? {ALL, "failed": ["b"]}
y?y {ALL, "recusados": {"b": "bad"}}
?n? {"results": [{"externalId": "b", "ok": true}], "errors": [{"externalId": "b"}]}
y?? [{"externalId": "a", "ok": true}, {"externalId": "a", "ok": true}]
??? {ALL, "failed": 1}
??? {ALL, "summary": {"created": 2, "failed": 1}}
yyy {ALL, "summary": {"created": 3, "failed": 0}}
??? {ALL, "error": "bad"}
y?y {"results": [{"externalId": "a", "ok": true}, {"externalId": "z", "ok": true}, {"externalId": "c", "ok": true}]}
??? [{"externalId": "a ", "ok": true}, {"externalId": "B", "ok": true}]
??? {"contacts": [{"ok": true}, {"ok": true}, {"ok": true}]}
?y? [{"externalId": "b", "ok": true}, {"ok": true}, {"ok": true}]
nyy [{"ok": false, "contact": {"index": 1}}, {"ok": true, "contact": {"index": 0}}, {"ok": true, "contact": {"index": 2}}]
??? {ALL, "errors": [{"index": 1, "message": "bad"}]}
??? {ALL, "errors": ["bad email"]}
??? [{"row": 1, "ok": true}, {"row": 2, "ok": true}, {"row": 3, "ok": true}]
??? {"results": []}
??? {"data": [{"type": "leads", "attributes": {"externalId": "a", "createdAt": "x"}, "id": "1"}], "errors": [{"status": "422", "source": {"pointer": "/data/1"}}]}
??? {"results": [{"index": 0, "ok": true}, {"index": 1, "ok": true}, {"index": 2, "ok": true}], "contacts": [{"vip": true}]}
??? {"leads": [{"externalId": "a", "error": null}, {"externalId": "b", "error": null, "motivo": "bad"}]}
??? {ALL, "failed": {"count": 1, "leads": ["b"]}}
??? {ALL, "ok": false}
yyy {ALL, "failed": {"count": 0, "leads": []}}
y?? [{"externalId": "a", STORED}, {"externalId": "z", "ok": true}]
??? [{"contactExternalId": "b", "ok": true}]
??? {"skipped": {"created": ["a", "b", "c"]}}
??? {"failed": "b"}`),
	)('%s: %j', (expected, data) => {
		expect(statementsIn(data, abc)).toBe(expected);
		expect(statementsIn({ success: true, data }, abc)).toBe(expected);
	});

	it.each(
		parseTable(`
- {"success": true, "data": null}
? {"created": {}, "invalid": 1}
? {"results": {"a": {}}}
- {"success": true, "data": {}}
? {"success": true, "data": {"jobId": "j-1", "status": "accepted"}}
? {"created": 2, "updated": "1", "errors": [], "failed": 0}
? {"summary": {"created": 3}, "ok": true, "error": null}
? {"created": 3, "failed": 1}
- "done"
? {"success": true, "message": "Processed"}
? {"success": true, "data": []}
- {"success": true, "data": {"id": "7"}}
? {"success": true, "data": {"id": "a"}}
- {"success": true, "data": {"job_id": "j", "trace-id": 7}}`),
	)('accepts the batch only as a whole, %s: %j', (expected, answer) => {
		expect(statementsIn(answer, abc)).toBe(expected.repeat(3));
		expect(statementsIn(undefined, abc)).toBe('---');
	});

	it.each(
		parseTable(`
yy {"results": [{"externalId": "a", "ok": true}, {"externalId": "b", "status": 201}]}
?n {"created": ["a"], "failed": [{"externalId": "b"}]}
?? {"leads": [{"externalId": "a",STORED}]}
?n {"errors": [{"externalId": "b", "message": "bad"}]}
?n {"error": {"details": [{"externalId": "a", "ok": true}, {"externalId": "b", "ok": false}]}}
y? {"status": 400, "ok": false, "results": [{"externalId": "a", "ok": true}]}
?n {"results": [{"externalId": "a",STORED}, {"externalId": "b", "error": "bad"}]}
?? {}
?? {"errors": {"message": "bad"}, "created": ["a", "b"]}
yn {"results": [{"ok": true}, {"ok": false}]}`),
	)('of a request that failed, %s: %j', (expected, said) => {
		const answer = {
			success: false,
			error: { code: 'V', message: 'Invalid' },
			...(said as object),
		};
		expect(statementsIn(answer, ab, true)).toBe(expected);
		if (!/"results":\[\{"ok"/.test(JSON.stringify(said))) {
			expect(statementsIn(answer, [lead('z'), lead('y')], true)).toBe('??');
			expect(statementsIn(answer, [lead('z')], true)).toBe('?');
		}
	});

	it.each(
		parseTable(`
? {"errors": [{"message": "bad"}]}
? {"created": [], "updated": [], "failed": [{"message": "bad"}]}
? {"created": [{"id": "9"}], "updated": [], "failed": []}
? {"created": [{"id": "9"}], "errors": [{"message": "bad"}]}
? {"errors": [{"externalId": "kept", "message": "bad"}]}
? {"created": ["9"]}
? {"error": {"message": "bad"}, "success": true}
y {"data": {"success": true, "lead": {"externalId": "a", STORED}}}
? [{"externalId": "kept", "success": true}]
? [{"success": true}, {"success": true}]`),
	)('about the only lead, %s: %j', (expected, answer) => {
		expect(statementsIn(answer, [lead('a')])).toBe(expected);
	});

	it.each(
		parseTable(`
??? {"1": {"ok": true}, "2": {"ok": false}, "3": {"ok": true}}
yny [{"externalId": 1, "id": 3, "ok": true}, {"externalId": "2", "id": 1, "ok": false}, {"externalId": 3, "id": 2, "ok": true}]
yny [{"externalId": 1, "id": "3", "ok": true}, {"externalId": "2", "id": "1", "ok": false}, {"externalId": 3, "id": "2", "ok": true}]
??? {"created": [1, 2, 3]}
??? {"created": ["1"], "updated": [3]}`),
	)('about external IDs that are small numbers, %s: %j', (expected, answer) => {
		expect(statementsIn(answer, numbers)).toBe(expected);
	});

	it('reads external IDs that look like names or each other', () => {
		const odd = [lead('created'), lead('errors'), lead('x'), lead('x '), lead('1')];
		const each = odd.map(({ externalId }, n) => ({ externalId, success: n % 2 === 0 }));
		expect(statementsIn({ results: each }, odd)).toBe('ynyny');
		expect(statementsIn({ created: ['x'], errors: ['x '] }, odd)).toBe('?????');
		const listed = { created: [{ externalId: 'x' }], errors: [{ externalId: 'x ' }] };
		expect(statementsIn(listed, odd)).toBe('???n?');
		const keyed = Object.fromEntries(odd.map(({ externalId }) => [externalId, { ok: true }]));
		expect(statementsIn({ results: keyed }, odd)).toBe('?????');
		// The keys may be positions.
		expect(statementsIn({ 1: { ok: true }, 2: { ok: true } }, [lead('2'), lead('1')])).toBe('??');
		const places = [lead('0'), lead('1')];
		const tagged = places.map((one) => ({ ...one, ok: true, tags: ['new', 'vip'] }));
		expect(statementsIn(tagged, places)).toBe('yy');
	});

	it('takes what was sent for no outcome where it comes back', () => {
		const own = [lead('a', { status: 'accepted', id: '1', createdAt: 'x' }), lead('b')];
		expect(statementsIn({ leads: own }, own)).toBe('??');
		expect(statementsIn({ status: 'accepted' }, own)).toBe('??');
		expect(statementsIn([{ externalId: 'a', status: 'created' }], own)).toBe('y?');
		expect(statementsIn([{ externalId: 'a', ...STORED, id: '2', status: 'accepted' }], own)).toBe(
			'y?',
		);
	});

	it('finds leads without an external ID by position', () => {
		const sent = [lead('a'), lead(), lead()];
		const each = [{ ok: true }, { externalId: null, ok: false }, { ok: true }];
		expect(statementsIn(each, sent)).toBe('yny');
		expect(statementsIn([{ ok: true, note: 'undefined' }, { ok: true }], [lead(), lead()])).toBe(
			'yy',
		);
		// Where one entry states an ID, the others may be in any order.
		expect(statementsIn([{ externalId: 'a', ok: true }, ...each.slice(1)], sent)).toBe('???');
		expect(statementsIn([{ ok: true }, { externalId: 'a', ok: true }, { ok: true }], sent)).toBe(
			'y??',
		);
	});

	it('gives the parts of the answer about each lead', () => {
		const results = [lead('a', { ok: true }), lead('c', { ok: true })];
		const errors = [lead('a', { message: bad })];
		expect(parseBatchAnswer({ results, errors }, abc)).toMatchObject([
			{ statement: 'refused', entries: [results[0], errors[0]] },
			{ statement: 'unclear', entries: [] },
			{ statement: 'recorded', entries: [results[1]] },
		]);
	});
});

/** Services that answer in many forms and languages, each without contradicting itself. */
describe('parseBatchAnswer: never loses a lead', () => {
	const yes = fc.constantFrom<object>(
		...[{ success: true }, { status: 201 }, { result: 'updated', created: false }, STORED],
		...[
			{ kept: true, ok: true, errors: [] },
			{ lead: STORED, updated: true },
		],
	);
	const plainNo = [{ success: false }, { error: bad }, { status: 422 }, { errors: [bad] }];
	const no = fc.constantFrom<object>(
		...[...plainNo, { status: 'recusado' }, { motivo: bad }, { created: false }, { valid: false }],
		...[{ id: '1' }, { accepted: false, success: 'no' }, { action: 'skip' }, { note: null }, {}],
	);
	const outcome = fc.oneof(
		fc.record({ isYes: fc.constant(true), entry: yes }),
		fc.record({ isYes: fc.constant(false), entry: no }),
	);
	type Outcome = { id: string; n: number; isYes: boolean; entry: object };
	const keyed = (list: Outcome[], valueOf: (each: Outcome) => unknown, by: 'id' | 'n' = 'id') =>
		Object.fromEntries(list.map((each) => [each[by], valueOf(each)]));
	const withId = ({ id, entry }: Outcome) => ({ externalId: id, ...entry });
	/** What is under a name for all, for the recorded and for the refused ones. */
	const lists: Array<(all: Outcome[]) => unknown> = [
		(all) => all.map(withId),
		(all) => all.map(withId).reverse(),
		(all) => all.map(({ entry }) => entry),
		(all) => all.map(({ n, entry }) => ({ index: n, ...entry })),
		(all) => all.map(({ n, entry }) => ({ row: n + 1, ...entry })),
		(all) => all.map((each) => [withId(each)]),
		(all) => all.map((each) => (each.isYes ? withId(each) : null)),
		(all) => all.filter(({ isYes }) => isYes).map(withId),
		(all) => keyed(all, ({ entry }) => entry),
		(all) => keyed(all, ({ isYes }) => isYes),
		(all) => keyed(all, ({ isYes }) => (isYes ? 'created' : 'recusado')),
		(all) => keyed(all, ({ entry }) => entry, 'n'),
	];
	const ofRecorded: typeof lists = [
		(all) => all.map(({ id }) => id),
		(all) => all.map(withId),
		(all) => keyed(all, () => ({})),
		(all) => keyed(all, () => ({}), 'n'),
		(all) => all.length,
	];
	const ofRefused: typeof lists = [
		(all) => all.map(({ id }) => id),
		(all) => all.map(({ id }) => ({ id, motivo: bad })),
		(all) => all.map(({ id }) => ({ externalId: id, message: bad })),
		(all) => all.map(({ n }) => ({ index: n, message: bad })),
		(all) => all.map(({ id }) => ({ lead: { externalId: id }, motivo: bad })),
		(all) => keyed(all, () => bad),
		(all) => keyed(all, () => [bad], 'n'),
		(all) => all.length,
	];
	const oneOf = (names: string) => fc.constantFrom(...names.split(' '));
	const answer = fc.record({
		ids: oneOf('abcde 12345 01234 54321 23456 10432'),
		outcomes: fc.array(outcome, { minLength: 1, maxLength: 5 }),
		name: oneOf('results leads data itens details contacts'),
		success: oneOf('created updated accepted sucesso'),
		failure: oneOf('errors failed rejected recusados invalid skipped'),
		list: fc.constantFrom(...lists),
		recorded: fc.constantFrom(...ofRecorded),
		refused: fc.constantFrom(...ofRefused),
		isGrouped: fc.boolean(),
		isCounted: fc.boolean(),
		claimsAll: fc.boolean(),
		envelope: fc.constantFrom<(data: object) => unknown>(
			(data) => data,
			(data) => ({ success: true, data }),
			(data) => ({ success: false, error: { code: 'PARTIAL', message: bad }, ...data }),
			(data) => [data],
		),
		failed: fc.boolean(),
	});

	it('to an answer that is consistent', () => {
		fc.assert(
			fc.property(answer, (given) => {
				const { name, success, failure, list, recorded, refused, isCounted } = given;
				const all = given.outcomes.map((each, n) => ({ ...each, n, id: given.ids[n] }));
				const [good, poor] = [true, false].map((is) => all.filter(({ isYes }) => isYes === is));
				// A list of all that were received is plain only where the refused ones are named.
				const claimed = given.claimsAll && refused(poor) !== poor.length ? all : good;
				const hasLeadKey =
					claimed === good || !/^[[{]"?\d|index/.test(JSON.stringify(refused(poor)));
				const groups = {
					[success]: recorded(hasLeadKey ? claimed : good),
					[failure]: refused(poor),
				};
				const counts = { summary: { created: good.length, [failure]: poor.length } };
				const data = {
					...(isCounted && counts),
					...(given.isGrouped ? groups : { [name]: list(all) }),
				};
				const kinds = statementsIn(
					given.envelope(data),
					all.map(({ id }) => lead(id)),
					given.failed,
				);
				const lost = poor.filter(({ n }) => 'y-'.includes(kinds[n]));
				if (lost.length > 0) throw new Error(`${kinds} ${JSON.stringify([given.ids, data])}`);
			}),
			{ numRuns: draws(1000) },
		);
	});

	it('in an answer of any size and depth', () => {
		let deep: unknown = [{ externalId: 'b', success: false }];
		for (let depth = 0; depth < 20_000; depth += 1) deep = depth % 2 ? [deep] : { data: deep };
		let inner: unknown = deep;
		for (let depth = 0; depth < 20_000; depth += 1) inner = depth < 10_000 ? [inner] : { inner };
		const results = ab.map((one) => ({ ...one, ok: true }));
		expect(statementsIn({ deep, results }, ab)).toBe('yn');
		expect(statementsIn({ inner, results }, ab)).toBe('yn');
		const all = Array.from({ length: 10_000 }, (_, n) => lead(`${n}x`));
		const answers = all.map((one, n) => ({ ...one, ok: n !== 7 }));
		const kinds = statementsIn({ results: answers }, all);
		expect([kinds[7], kinds.replaceAll('y', '')]).toEqual(['n', 'n']);
		const text = '['.repeat(100_000);
		expect(statementsIn({ results: [{ externalId: 'a', message: text, error: text }] }, ab)).toBe(
			'n?',
		);
	});
});

test('an excerpt of an entry is cut in its length and in its parts', () => {
	const nested = (depth: number): unknown => (depth > 0 ? [nested(depth - 1)] : {});
	const entry = { externalId: 'b', tags: [1, null, 'vip'] };
	expect(excerptOf(entry)).toBe('{"externalId":"b","tags":[1,null,"vip"]}');
	expect(excerptOf(nested(50))).toBe(`${'['.repeat(50)}"…"${']'.repeat(50)}`);
	expect(excerptOf(undefined)).toBe('nothing');
	expect(excerptOf('x'.repeat(3000))).toHaveLength(2000);
});
