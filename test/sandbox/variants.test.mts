import { specVariant } from '../../sandbox/variant.mts';
import { useSandbox, type Reply } from './client.mts';

const bench = useSandbox({ seed: 3 });
const lead = expect.objectContaining({ externalId: 'x', status: 'open' });
const leads = expect.arrayContaining([expect.objectContaining({ status: expect.any(String) })]);
const pagination = { page: 1, limit: 20, total: 3, totalPages: 1 };
const asStrings = { page: '1', limit: '20', total: '3', totalPages: '1' };

test.each([
	[{}, { success: true, data: { leads, pagination } }],
	[{ envelope: 'bare' }, { leads, pagination }],
	[
		{ envelope: 'bare', pagination: 'beside' },
		{ leads, pagination },
	],
	[{ envelope: 'bare', list: 'array' }, leads],
	[{ list: 'array' }, { success: true, data: leads, pagination }],
	[
		{ list: 'array', pagination: 'none' },
		{ success: true, data: leads },
	],
	[{ list: 'items' }, { success: true, data: { items: leads, pagination } }],
	[{ pagination: 'beside' }, { success: true, data: { leads }, pagination }],
	[{ pagination: 'none' }, { success: true, data: { leads } }],
	[{ numbers: 'string' }, { success: true, data: { leads, pagination: asStrings } }],
] as const)('a list with %j', async (variant, expected) => {
	bench.sandbox.controls.variant(variant);
	expect((await bench.call('GET /leads')).body).toEqual(expected);
});

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

const created = { created: true, linked: false };
test.each([
	[{}, 201, { success: true, data: lead }],
	[{ envelope: 'bare' }, 201, lead],
	[{ record: 'named' }, 201, { success: true, data: { lead } }],
	[{ record: 'named-with-siblings' }, 201, { success: true, data: { lead, ...created } }],
	[{ envelope: 'bare', record: 'named' }, 201, { lead }],
	[{ status: 200 }, 200, { success: true, data: lead }],
	[{ status: 204 }, 204, undefined],
] as const)('a write with %j', async (variant, status, expected) => {
	bench.sandbox.controls.variant(variant);
	const reply: Reply = await bench.call('POST /leads', { externalId: 'x' });
	expect([reply.status, reply.body]).toEqual([status, expected]);
});

test('a delete', async () => {
	bench.sandbox.controls.createLead({ externalId: 'x' });
	expect((await bench.call('DELETE /sync/x')).body).toEqual({
		success: true,
		data: { deleted: true },
	});
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
