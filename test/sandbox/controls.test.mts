import { specVariant } from '../../sandbox/variant.mts';
import { useSandbox, type Json } from './client.mts';

let now = 0;
const bench = useSandbox({ seed: 50, clock: () => now });
beforeEach(() => {
	now = Date.parse('2026-06-30T12:00:00Z');
	bench.sandbox.controls.reset();
});

/** A control over HTTP: a GET without an argument, a POST with one. */
async function control(name: string, argument?: unknown): Promise<Json> {
	const init = argument === undefined ? {} : { method: 'POST', body: JSON.stringify(argument) };
	return (await (await fetch(`${bench.sandbox.url}/_sandbox/${name}`, init)).json()) as Json;
}

test('all controls are listed, and work over HTTP', async () => {
	const all = (await (await fetch(`${bench.sandbox.url}/_sandbox`)).json()) as Json;
	expect(Object.keys(all)).toHaveLength(Object.keys(bench.sandbox.controls).length);
	await control('variant', { envelope: 'bare' });
	await control('fault', { kind: 'status', status: 503, match: { path: '/tags' } });
	expect((await bench.call('GET /leads')).body.leads).toBeDefined();
	expect((await bench.call('GET /tags')).status).toBe(503);
	expect(await control('requests')).toMatchObject([{ path: '/leads' }, { fault: 'status' }]);
	expect((await control('fault', { kind: 'nonsense' })).error.code).toBe('VALIDATION_ERROR');
	await control('reset', {});
	expect(await control('requests')).toEqual([]);
});

test('the journal knows what matched throughout and ever', () => {
	const { store, controls } = bench.sandbox;
	const start = now;
	const at = (ms: number) => (now = start + ms);
	const make = (ms: number, status: string, createdAt?: number) => {
		at(ms);
		return controls.createLead({ status, createdAt, source: 'test' });
	};
	const stays = make(10, 'open');
	const leaves = make(10, 'open');
	const dies = make(10, 'open');
	const flickers = make(10, 'open');
	const joins = make(10, 'closed_won');
	at(20);
	controls.changeLead({ id: leaves.id, status: 'closed_won' });
	controls.deleteLead(dies);
	controls.changeLead({ id: flickers.id, status: 'in_progress' });
	at(25);
	controls.changeLead({ id: joins.id, status: 'open' });
	controls.changeLead({ id: flickers.id, status: 'open' });
	const late = make(30, 'open', start + 5);

	const ask = (from: number, to: number) => {
		const filter = { status: 'open', source: 'test' };
		const { throughout, ever } = controls.matched({ filter, from: start + from, to: start + to });
		return [new Set(throughout), new Set(ever)];
	};
	const ids = (...leads: Array<{ id: string }>) => new Set(leads.map(({ id }) => id));
	const early = ids(stays, leaves, dies, flickers);
	expect(ask(12, 18)).toEqual([early, early]);
	expect(ask(12, 27)).toEqual([ids(stays), ids(stays, leaves, dies, flickers, joins)]);
	expect(ask(26, 29)).toEqual([ids(stays, flickers, joins), ids(stays, flickers, joins)]);
	expect(ask(31, 40)[0]).toEqual(ids(stays, flickers, joins, late));
	expect(ask(0, 5)).toEqual([ids(), ids()]);
	expect(store.historyOf(store.leads.get(flickers.id)!)).toHaveLength(3);
});

test('churn changes the store before each list request, the same way each time', async () => {
	const { store, controls } = bench.sandbox;
	const run = async () => {
		controls.reset();
		const perRequest = { create: 2, delete: 1, changeStatus: 3 };
		controls.churn({ perRequest, requests: 2 });
		const start = now;
		for (let i = 0; i < 4; i++) {
			now += 100;
			await bench.call('GET /leads');
			await bench.call('GET /tags');
		}
		const ever = store.matchedEver({}, start, now);
		const throughout = store.matchedThroughout({}, start, now);
		now = start;
		return { size: store.leads.size, ever, throughout };
	};
	const first = await run();
	expect(first.size).toBe(52);
	expect(first.ever).toHaveLength(54);
	expect(first.throughout.length).toBeGreaterThanOrEqual(48);
	expect(await run()).toEqual(first);
});

test('concurrency is seen', async () => {
	const { controls } = bench.sandbox;
	controls.latency({ ms: 30 });
	await Promise.all(Array.from({ length: 4 }, () => bench.call('GET /leads')));
	expect(controls.traffic()).toEqual({ inFlight: 0, maxConcurrent: 4 });
});

test('a reset brings the seed back', async () => {
	const before = (await bench.call('GET /leads?limit=100')).text;
	const { id } = bench.sandbox.store.leads.at(7)!;
	await bench.call('POST /leads', { externalId: 'new', tags: ['new'] });
	await bench.call(`PATCH /leads/${id}/status`, { status: 'gone' });
	bench.sandbox.controls.reset();
	expect((await bench.call('GET /leads?limit=100')).text).toBe(before);
});

test('no variant changes how failures look (spec part 7); variants are checked, and reset', async () => {
	const { controls } = bench.sandbox;
	controls.variant({ envelope: 'bare', status: 204 });
	const { status, body } = await bench.call('POST /leads', {});
	expect([status, body.success]).toEqual([400, false]);
	expect(() => controls.variant({ status: 202 as 200 })).toThrow('"status"');
	expect(controls.variant({ maxPage: 10 })).toMatchObject({ envelope: 'bare', maxPage: 10 });
	controls.reset();
	expect(controls.variant({})).toEqual(specVariant);
});
