/** Return All of five thousand leads while others create, delete and move them. */
import type { IDataObject } from 'n8n-workflow';

import { useLab } from '../helpers/lab.mts';

const LEADS = 5000;
/** test/pure/leadWindows.test.mts has more of them. */
const CASES: Array<{ order: 'asc' | 'desc' | 'random'; name: string; filters: IDataObject }> = [
	{ order: 'desc', name: 'no filter', filters: {} },
	{ order: 'asc', name: 'a status that leads enter and leave', filters: { status: 'open' } },
	{
		order: 'random',
		name: 'a source and a time',
		filters: { source: 'whatsapp', createdAfter: '2026-06-01' },
	},
];

const lab = useLab({ seed: LEADS, rpm: 0 });

test.each(CASES)(
	'loses nothing and repeats nothing in $order order: $name',
	async ({ order, filters }) => {
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
	},
);

test.each([
	{ bounds: 'inclusive' },
	{ boundGranularityMs: 1000 },
	{ boundGranularityMs: 86_400_000 },
	{ pagination: 'none' },
	{ pagination: 'beside', numbers: 'string' },
	{ list: 'array', pagination: 'beside' },
	{ maxPage: 30 },
	{ ignorePage: true, maxPage: 100 },
] as const)('reads an unchanged list whole when the service answers with %j', async (variant) => {
	const { controls, store } = lab.sandbox;
	controls.reset();
	controls.variant(variant);
	for (const name of ['a', 'b', 'c']) controls.createLead({ externalId: name });
	const { items, error, hints } = await lab.engine.run({ operation: 'getAll', returnAll: true });
	expect(error).toBeUndefined();
	if ('ignorePage' in variant) {
		// The pages cannot be had; by windows of time each lead can.
		expect([items.length, hints.length]).toEqual([store.leads.size, 0]);
		return;
	}
	expect(new Set(items.map(({ json }) => json.id)).size).toBe(store.leads.size);
	expect(items).toHaveLength(store.leads.size);
});

function missingFrom(wanted: string[], present: string[]): string[] {
	const set = new Set(present);
	return wanted.filter((id) => !set.has(id));
}
