/** How envelope, lists and writes look is shown by test/probe/variants.test.mts and test/engine/variants.test.mts. */
import { specVariant } from '../../sandbox/variant.mts';
import { useSandbox } from './client.mts';

const bench = useSandbox({ seed: 3 });

test('records without ids, creation times to the second or none, normalised texts, no Date', async () => {
	const { controls, store } = bench.sandbox;
	const path = `/leads/${[...store.leads.values()][0].id}/interactions`;
	controls.variant({ listIds: false, createdAt: 'seconds', texts: 'lowercase', dateHeader: false });
	await bench.call(`POST ${path}`, { type: 'NOTE', title: ' A Note ' });
	const { body, headers } = await bench.call(`GET ${path}`);
	const listed = body.data.interactions[0];
	expect(listed).toMatchObject({ type: 'NOTE', title: 'a note' });
	expect(listed.createdAt).toMatch(/T\d\d:\d\d:\d\dZ$/);
	expect([listed.id, headers.get('date')]).toEqual([undefined, null]);
	controls.variant({ createdAt: 'none' });
	const again = (await bench.call(`GET ${path}`)).body.data.interactions[0];
	expect(again).not.toHaveProperty('createdAt');
});

test('no variant changes how failures look (spec part 7)', async () => {
	bench.sandbox.controls.variant({ envelope: 'bare', status: 204 });
	const { status, body } = await bench.call('POST /leads', {});
	expect([status, body.success]).toEqual([400, false]);
});

test('variants are checked, and reset', () => {
	const { controls } = bench.sandbox;
	expect(() => controls.variant({ status: 202 as 200 })).toThrow('"status"');
	controls.variant({ order: 'asc' });
	expect(controls.variant({ maxPage: 10 })).toMatchObject({ order: 'asc', maxPage: 10 });
	controls.reset();
	expect(controls.variant({})).toEqual(specVariant);
});
