import { useSandbox } from './client.mts';

const bench = useSandbox({ seed: 0 });
let id: string;
beforeEach(() => {
	id = bench.sandbox.controls.createLead({ externalId: 'order/1 ü', tags: ['a', 'b'] }).id;
});

test('a lead is found by id and by externalId, whole', async () => {
	const byId = await bench.call(`GET /leads/${id}`);
	const byExternalId = await bench.call(`GET /leads/${encodeURIComponent('order/1 ü')}`);
	expect(byId.body).toEqual(byExternalId.body);
	expect(Object.keys(byId.body.data)).toEqual([
		...['id', 'externalId', 'status', 'priority', 'source', 'contact'],
		...['estimatedValue', 'saleDate', 'notes', 'tags', 'createdAt'],
	]);
});

test.each<[string, unknown, number]>([
	['PATCH /leads/:id/status', { status: 'closed_won' }, 200],
	['PATCH /leads/:id/status', { status: 'closed_won', estimatedValue: 1 }, 400],
	['PATCH /leads/nobody/status', { status: 'open' }, 404],
	['PUT /leads/:id', { notes: 'new' }, 200],
	['POST /leads/:id/tags', { tags: 'c' }, 400],
	['POST /leads/:id/conversations', [], 400],
	['DELETE /leads/:id/tags/nobody', undefined, 404],
	['POST /leads/:id/interactions', { type: 'CALL', metadata: { seconds: 3 } }, 201],
	['POST /leads/:id/interactions', { type: 'SMS' }, 400],
	['POST /contacts', { name: 'Contact A' }, 201],
	['POST /contacts', {}, 400],
	['GET /contacts/lookup', undefined, 400],
	['GET /contacts/lookup?email=nobody@example.com', undefined, 404],
	['POST /tags', { name: 'a' }, 200],
	['POST /tags', { name: 'z' }, 201],
	['POST /conversations', {}, 400],
	['POST /conversations', { leadId: 'nobody' }, 404],
	['POST /sync', {}, 400],
])('%s with %j is %i', async (route, body, status) => {
	const reply = await bench.call(route.replace(':id', id), body);
	expect(reply.status).toBe(status);
	expect(reply.body.success).toBe(status < 400);
});

test('a body must be JSON and say so', async () => {
	const { url, keys } = bench.sandbox;
	for (const [contentType, body, status] of [
		['application/json', '{"externalId":', 400],
		['text/plain', '{"externalId":"x"}', 400],
		['application/json; charset=utf-8', '{"externalId":"x"}', 201],
	] as const) {
		const headers = { Authorization: `Bearer ${keys.full}`, 'Content-Type': contentType };
		const init = { method: 'POST', headers, body };
		expect((await fetch(`${url}/api/v1/integration/leads`, init)).status).toBe(status);
	}
});

test('the page escapes what leads hold', async () => {
	bench.sandbox.controls.createLead({ externalId: '<script>alert(1)</script>' });
	const page = await (await fetch(bench.sandbox.url)).text();
	expect(page).toContain('&#60;script&#62;alert(1)');
	expect(page).not.toContain('<script>alert');
});
