import fc from 'fast-check';

import { readPushResults } from '../../nodes/IntegrationLeads/contract/sync';
import { cutBatches } from '../../nodes/IntegrationLeads/run/batch';

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
			{ numRuns: 500 },
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

describe('readPushResults', () => {
	const a = { externalId: 'a', id: '1', success: true };
	const b = { externalId: 'b', id: '2', success: true };
	const done = (record: object) => ({ kind: 'done', record });
	const error = { code: 'VALIDATION_ERROR', message: 'no' };

	it.each<[string, unknown, unknown[]]>([
		['by external ID', { results: [b, a] }, [done(a), done(b)]],
		['in a list of whatever name', { items: [a, b] }, [done(a), done(b)]],
		['in a bare list', [a, b], [done(a), done(b)]],
		['beside totals', { processed: 2, leads: [a, b] }, [done(a), done(b)]],
		['by position', [{ id: '1' }, { id: '2' }], [done({ id: '1' }), done({ id: '2' })]],
		[
			'with the lead inside',
			[{ success: true, lead: { externalId: 'b' } }],
			[undefined, done({ success: true, externalId: 'b' })],
		],
		['as numbers', [{ externalId: 7 }], [undefined, undefined]],
		// A linked lead may keep an external ID of its own.
		[
			'by position, under another external ID',
			[{ externalId: 'x' }, b],
			[done({ externalId: 'x' }), done(b)],
		],
		['for some of them', [b], [undefined, done(b)]],
		['never that of another', [b, b], [undefined, done(b)]],
		['not at all', undefined, [undefined, undefined]],
		['in numbers only', { created: 1, updated: 1 }, [undefined, undefined]],
		['in an empty list', { results: [] }, [undefined, undefined]],
		[
			'that one was refused',
			[{ externalId: 'a', success: false, error }, b],
			[{ kind: 'refused', ...error }, done(b)],
		],
		[
			'that one was refused, by its error alone',
			[{ externalId: 'a', error: 'no' }, b],
			[{ kind: 'refused', message: 'no' }, done(b)],
		],
		[
			'that one was refused, in a word',
			[{ externalId: 'a', status: 'failed', message: 'no' }, b],
			[{ kind: 'refused', message: 'no' }, done(b)],
		],
		[
			'that one was refused, by a code',
			[{ externalId: 'a', statusCode: 422, errors: [{ message: 'no' }] }, b],
			[{ kind: 'refused', message: 'no' }, done(b)],
		],
		[
			'that one has the status of a lead',
			[{ externalId: 'a', status: 'closed_lost', error: null }, b],
			[done({ externalId: 'a', status: 'closed_lost', error: null }), done(b)],
		],
		[
			'only what was refused',
			{ accepted: 1, errors: [{ externalId: 'b', message: 'no' }] },
			[undefined, { kind: 'refused', message: 'no' }],
		],
		[
			'in two lists',
			{ leads: [a], failed: [{ externalId: 'b', error }] },
			[done(a), { kind: 'refused', ...error }],
		],
	])('finds what is told %s', (_, data, results) => {
		expect(readPushResults(data, ['a', 'b'])).toEqual(results);
	});

	it('finds leads without an external ID by position', () => {
		expect(readPushResults([a, { id: '9' }], ['a', undefined])).toEqual([
			done(a),
			done({ id: '9' }),
		]);
	});
});
