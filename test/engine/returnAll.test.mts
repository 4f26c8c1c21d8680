/** Return All of five thousand leads while others create, delete and move them. */
import type { IDataObject } from 'n8n-workflow';

import { useLab } from '../helpers/lab.mts';

const LEADS = 5000;
const lab = useLab({ seed: LEADS, rpm: 0 });

/** test/pure/leadWindows.test.mts has more of them. */
test.each<['asc' | 'desc' | 'random', IDataObject]>([
	['desc', {}],
	['asc', { status: 'open' }],
	['random', { source: 'whatsapp', createdAfter: '2026-06-01' }],
])('loses nothing and repeats nothing in %s order: %j', async (order, filters) => {
	const { controls } = lab.sandbox;
	controls.reset();
	controls.variant({ order });
	controls.churn({ perRequest: { create: 2, delete: 1, changeStatus: 3 }, requests: 100_000 });
	const from = Date.now();
	const { items, error, hints } = await lab.engine.run({
		operation: 'getAll',
		returnAll: true,
		filters,
	});
	const ids = items.map(({ json }) => json.id as string);
	const { throughout, ever } = controls.matched({ filter: filters, from, to: Date.now() });
	expect([error, hints]).toEqual([undefined, []]);
	expect(throughout.length).toBeGreaterThan(250);
	expect(ids).toHaveLength(new Set(ids).size);
	expect(missingFrom(throughout, ids)).toEqual([]);
	expect(missingFrom(ids, ever)).toEqual([]);
});

test.each([
	{ pagination: 'none' },
	{ pagination: 'beside', numbers: 'string' },
	{ list: 'array', pagination: 'beside' },
	{ maxPage: 30 },
	// The pages cannot be had; by windows of time each lead can.
	{ ignorePage: true, maxPage: 100 },
] as const)('reads an unchanged list whole when the service answers with %j', async (variant) => {
	const { controls, store } = lab.sandbox;
	controls.reset();
	controls.variant(variant);
	for (const name of ['a', 'b', 'c']) controls.createLead({ externalId: name });
	const { items, error, hints } = await lab.engine.run({ operation: 'getAll', returnAll: true });
	expect([error, hints]).toEqual([undefined, []]);
	expect(new Set(items.map(({ json }) => json.id)).size).toBe(store.leads.size);
	expect(items).toHaveLength(store.leads.size);
});

function missingFrom(wanted: string[], present: string[]): string[] {
	const set = new Set(present);
	return wanted.filter((id) => !set.has(id));
}
