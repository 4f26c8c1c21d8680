/** Return All of ten thousand leads while others create, delete and move them. */
import type { IDataObject } from 'n8n-workflow';

import type { Lab } from '../helpers/lab.mts';
import { startLab } from '../helpers/lab.mts';

const LEADS = 10_000;
const ORDERS = ['desc', 'asc', 'random'] as const;
const FILTERS: Array<{ name: string; filters: IDataObject }> = [
	{ name: 'no filter', filters: {} },
	{ name: 'a status that leads enter and leave', filters: { status: 'open' } },
	{ name: 'a source and a time', filters: { source: 'whatsapp', createdAfter: '2026-06-01' } },
];

let lab: Lab;
beforeAll(async () => {
	lab = await startLab({ seed: LEADS, rpm: 0 });
});
afterAll(async () => await lab.sandbox.close());

describe.each(ORDERS)('in %s order', (order) => {
	test.each(FILTERS)('loses nothing and repeats nothing: $name', async ({ filters }) => {
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
		expect(throughout.length).toBeGreaterThan(500);
		expect(ids).toHaveLength(new Set(ids).size);
		expect(missingFrom(throughout, ids)).toEqual([]);
		expect(missingFrom(ids, ever)).toEqual([]);
	});
});

test.each([
	{ bounds: 'inclusive' },
	{ boundGranularityMs: 1000 },
	{ boundGranularityMs: 86_400_000 },
	{ pagination: 'none' },
	{ pagination: 'beside', numbers: 'string' },
	{ list: 'array', pagination: 'beside' },
	{ maxPage: 30 },
	{ ignorePage: true, maxPage: 100 },
] as const)('reads a calm list whole when the service answers with %j', async (variant) => {
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

const bursts = ORDERS.flatMap((order) =>
	[150, 600, 2500].flatMap((created) =>
		([1, 1000] as const).map((granularity) => ({ order, created, granularity })),
	),
);
test.each(bursts)(
	'reads $created leads of this very second, $order, bounds to $granularity ms',
	async ({ order, created, granularity }) => {
		const variant = { order, boundGranularityMs: granularity };
		const burst = await startLab({ seed: 60, rpm: 0, variant });
		// In few milliseconds, so that many share one; ahead of the clock, so that this second has not ended.
		const at = Date.now() + 5000;
		for (let index = 0; index < created; index += 1) {
			burst.sandbox.controls.createLead({ createdAt: at + Math.floor(index / 130) });
		}
		const { items, error } = await burst.engine.run({ operation: 'getAll', returnAll: true });
		expect(error).toBeUndefined();
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(created + 60);
		expect(items).toHaveLength(created + 60);
		await burst.sandbox.close();
	},
);

function missingFrom(wanted: string[], present: string[]): string[] {
	const set = new Set(present);
	return wanted.filter((id) => !set.has(id));
}
