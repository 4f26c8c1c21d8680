import { useSandbox, type Json } from './client.mts';

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
	['PATCH /leads/:id/status', { status: 'anything' }, 200],
	['PATCH /leads/:id/status', { status: 'closed_won', estimatedValue: 1 }, 400],
	['PATCH /leads/:id/status', {}, 400],
	['PATCH /leads/nobody/status', { status: 'open' }, 404],
	['PUT /leads/:id', { notes: 'new' }, 200],
	['PUT /leads/nobody', { notes: 'new' }, 404],
	['POST /leads/:id/tags', { tags: ['c'] }, 200],
	['POST /leads/:id/tags', { tags: 'c' }, 400],
	['POST /leads/:id/tags', { tags: [' '] }, 400],
	['POST /tags', {}, 400],
	['POST /leads/:id/conversations', [], 400],
	['DELETE /leads/:id/tags/nobody', undefined, 404],
	['POST /leads/:id/interactions', { type: 'CALL', metadata: { seconds: 3 } }, 201],
	['POST /leads/:id/interactions', { type: 'SMS' }, 400],
	['POST /leads/:id/interactions', { title: 'no type' }, 400],
	['POST /leads/nobody/interactions', { type: 'CALL' }, 404],
	['POST /contacts', { name: 'Contact A' }, 201],
	['POST /contacts', {}, 400],
	['PUT /contacts/nobody', { name: 'Contact A' }, 404],
	['GET /contacts/lookup', undefined, 400],
	['GET /contacts/lookup?email=nobody@example.com', undefined, 404],
	['GET /contacts/nobody', undefined, 404],
	['POST /tags', { name: 'a' }, 200],
	['POST /tags', { name: 'z' }, 201],
	['POST /conversations', {}, 400],
	['POST /conversations', { leadId: 'nobody' }, 404],
	['POST /leads/:id/conversations', { channel: 'chat' }, 201],
	['GET /conversations/nobody', undefined, 404],
	['POST /conversations/nobody/messages', { content: 'Hello' }, 404],
	['PATCH /messages/nobody/status', { status: 'read' }, 404],
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

test('tags of a lead', async () => {
	const added = await bench.call(`POST /leads/${id}/tags`, { tags: ['b', 'c'] });
	expect(added.body.data.tags).toEqual(['a', 'b', 'c']);
	const tags = (await bench.call('GET /tags')).body.data.tags as unknown as Json[];
	const tagId = String(tags.find(({ name }) => String(name) === 'a')?.id);
	await bench.call(`DELETE /leads/${id}/tags/${tagId}`);
	expect((await bench.call(`GET /leads/${id}`)).body.data.tags).toEqual(['b', 'c']);
	expect((await bench.call(`GET /leads?tag=${tagId}`)).body.data.pagination.total).toBe(0);
});

test('contacts are created, found and changed', async () => {
	const fields = { name: 'Contact B', email: 'b@example.com', phone: '+5511 9 0000' };
	const { data } = (await bench.call('POST /contacts', fields)).body;
	expect(data).toMatchObject(fields);
	await bench.call(`PUT /contacts/${String(data.id)}`, { email: 'c@example.com' });
	const changed = { ...data, email: 'c@example.com' };
	for (const path of ['lookup?email=C@example.com', 'lookup?phone=%2B551190000', `${data.id}`]) {
		expect((await bench.call(`GET /contacts/${path}`)).body.data).toEqual(changed);
	}
	expect((await bench.call('GET /contacts?search=contact%20b')).body.data.contacts).toEqual([
		changed,
	]);
	expect((await bench.call('GET /contacts/lookup?email=b@example.com')).status).toBe(404);
});

test('conversations and messages', async () => {
	const begun = { channel: 'chat', id: 'mine' };
	const conversation = (await bench.call(`POST /leads/${id}/conversations`, begun)).body.data;
	expect(conversation).toMatchObject({ leadId: id, channel: 'chat' });
	const path = `/conversations/${String(conversation.id)}`;
	const { data: message } = (await bench.call(`POST ${path}/messages`, { content: 'Hello' })).body;
	expect(message).toMatchObject({ content: 'Hello', status: 'sent' });
	await bench.call(`PATCH /messages/${String(message.id)}/status`, { status: 'read' });
	expect((await bench.call(`GET ${path}/messages`)).body.data.messages).toEqual([
		{ ...message, status: 'read' },
	]);
	expect((await bench.call(`GET ${path}`)).body.data).toEqual(conversation);
	for (const list of ['/conversations', `/leads/${id}/conversations`]) {
		expect((await bench.call(`GET ${list}`)).body.data.conversations).toEqual([conversation]);
	}
});
