import { routes } from '../../sandbox/routes.mts';
import { useSandbox } from './client.mts';

let now = 0;
const bench = useSandbox({ seed: 50, clock: () => now });
beforeEach(() => {
	now = Date.parse('2026-06-30T12:00:00Z');
	bench.sandbox.controls.reset();
});

/** The page as people read it: without tags, in one line. */
const read = async (path = '/') => textOf(await source(path));
const source = async (path = '/') => await (await fetch(bench.sandbox.url + path)).text();
const textOf = (html: string) =>
	html
		.replace(/<[^>]+>/g, ' ')
		.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
		.replace(/\s+/g, ' ');
const press = async (action: string, form: Record<string, string> = {}) =>
	await fetch(`${bench.sandbox.url}/actions/${action}`, {
		method: 'POST',
		body: new URLSearchParams(form),
	});
const newestLead = () =>
	bench.sandbox.store.listLeads({}, { order: 'desc', offset: 0, count: 1 }).items[0];
const contactOf = (lead = newestLead()) => bench.sandbox.store.contact(lead.contactId);

test('shows the pipeline, requests in words, and what is left of the rate limit', async () => {
	await bench.call('POST /leads', { externalId: 'order-1', contact: { name: 'Contact A' } });
	await bench.call('POST /leads', { externalId: 'order-2', status: 'Closed Won' });
	await bench.call('GET /leads/nobody');
	now += 15_000;
	const page = await read();
	expect(page).toMatch(
		/ Open \d+ open .* In progress \d+ in_progress .* Closed won \d+ closed_won /,
	);
	expect(page).toContain('Closed Won 1 Closed Won order-2');
	expect(page).toContain('Create or update lead Contact A (order-1) Created · 201 15 s ago');
	expect(page).toContain('Read lead nobody Not found · 404');
	expect(page).toContain('Key full : 997 of 1,000 requests left, full again in 45 s');
});

test('polls of a trigger are one row, so that the rest stays', async () => {
	await bench.call('POST /leads', { externalId: 'order-1' });
	for (let poll = 1; poll <= 30; poll += 1) await bench.call(`GET /leads?page=${poll}`);
	expect(await read()).toMatch(
		/31 in all Read leads, page 30 and 29 more like it .* Create or update lead order-1 /,
	);
});

test('one message is no messages', async () => {
	const lead = { externalId: 'order-1', contact: { name: 'Contact A' } };
	const { body } = await bench.call('POST /leads', lead);
	const made = await bench.call(`POST /leads/${String(body.data.id)}/conversations`, {});
	const path = `/conversations/${String(made.body.data.id)}/messages`;
	await bench.call(`POST ${path}`, { content: 'Good morning' });
	expect(await read()).toMatch(/Contact A 1 message, last: Good morning/);
	await bench.call(`POST ${path}`, { content: 'Hello' });
	expect(await read()).toMatch(/Contact A 2 messages, last:/);
});

test('the lead that changed last comes first in its column', async () => {
	const first = { order: 'asc', offset: 0, count: 1 } as const;
	const [oldest] = bench.sandbox.store.listLeads({ status: 'open' }, first).items;
	expect(await source()).not.toContain(`card-${oldest.id}`);
	await bench.call(`PATCH /leads/${oldest.id}/status`, { status: 'in_progress' });
	const [, column] = (await source()).split('data-status="in_progress"');
	expect(/<li[^>]*>/.exec(column)?.[0]).toMatch(new RegExp(`id="card-${oldest.id}" +data-fresh`));
});

test('the story of a lead says what happened, and who did it', async () => {
	const { body } = await bench.call('POST /leads', {
		externalId: 'order-1',
		contact: { name: 'Contact A', phone: '+5511900000000' },
		notes: 'Asked for a demo',
	});
	const id = String(body.data.id);
	await bench.call(`POST /leads/${id}/interactions`, { type: 'TASK_CREATED', title: 'Call back' });
	const made = await bench.call(`POST /leads/${id}/conversations`, { channel: 'whatsapp' });
	const message = { content: 'Good morning', direction: 'inbound' };
	await bench.call(`POST /conversations/${String(made.body.data.id)}/messages`, message);
	await press('win-lead', { lead: id });
	const page = await read(`/?lead=${id}`);
	for (const part of [
		'Phone +5511900000000',
		'Notes Asked for a demo',
		'Sold 2026-06-30 12:00 UTC',
		'Lead created 0 s ago, by key full',
		'Task created: Call back 0 s ago, by key full',
		'Conversation started channel: whatsapp',
		'Good morning Message, sent · direction: inbound 0 s ago, by key full',
		'Status: Open → Closed won Value: R$ 1.500,00 Sale date: 2026-06-30 12:00 UTC 0 s ago, by this page',
	]) {
		expect(page).toContain(part);
	}
	bench.sandbox.controls.deleteLead({ id });
	expect(await read(`/?lead=${id}`)).toContain('This lead is not there any more.');
});

test('shows what users wrote as text, and no key', async () => {
	const name = `<script>alert(1)</script>"'&`;
	const contact = { name, phone: name, email: name };
	const lead = { externalId: name, status: name, notes: name, tags: [name], contact };
	const id = String((await bench.call('POST /leads', lead)).body.data.id);
	const note = { type: 'NOTE', title: name, metadata: { [name]: name } };
	await bench.call(`POST /leads/${id}/interactions`, note);
	await bench.call(`GET /leads/${encodeURIComponent(name)}?search=${encodeURIComponent(name)}`);
	const answer = await fetch(`${bench.sandbox.url}/?lead=${id}&q=${encodeURIComponent(name)}`);
	const html = await answer.text();
	expect(html).toContain('&#60;script&#62;alert(1)');
	expect(html.match(/<script[^>]*>/g)).toEqual(['<script src="/page.js" defer>']);
	expect(html).not.toMatch(/="[^"]*alert\(1\)[^"]*<|[^;]"'&[^#]/);
	expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'");
	for (const key of Object.values(bench.sandbox.keys)) expect(html).not.toContain(key);
});

test('every operation has its words', async () => {
	for (const { method, path } of routes) {
		const route = `${method} ${path.replace(/\{\w+\}/g, 'nobody')}`;
		await bench.call(route, method === 'GET' ? undefined : {});
	}
	expect(await read()).not.toContain('Unknown request');
});

test.each([
	['(11) 98888-7777', '+5511988887777'],
	['55 11 98888-7777', '+5511988887777'],
	['00351 912345678', '+351912345678'],
	['', null],
])('creates a lead with the phone %s', async (phone, sent) => {
	const answer = await press('create-lead', { name: ' Contact A ', phone });
	expect(answer.url).toBe(`${bench.sandbox.url}/?lead=${newestLead().id}`);
	expect(contactOf()).toMatchObject({ name: 'Contact A', phone: sent });
});

test.each([
	['Contact A', 'no phone with an area code'],
	['', 'Type a name, a phone or both.'],
])('creates no lead with the phone %p, and keeps what was typed', async (phone, problem) => {
	const answer = await press('create-lead', { phone });
	const html = await answer.text();
	expect(answer.status).toBe(422);
	expect(textOf(html)).toContain(problem);
	expect(html).toContain(`value="${phone}"`);
	expect(bench.sandbox.store.leads.size).toBe(50);
});

test('a button makes the next request fail, and only that; a search finds leads', async () => {
	await press('create-lead', { name: 'Zoe', phone: '(11) 98888-7777' });
	expect(await read('/?q=98888')).toContain('Pipeline 1 with “98888”');
	await press('fail-next');
	expect(await read()).toContain('Requests that will fail: 1.');
	expect((await bench.call('GET /leads')).status).toBe(503);
	expect((await bench.call('GET /leads')).status).toBe(200);
	expect(await read()).not.toContain('Requests that will fail');
});
