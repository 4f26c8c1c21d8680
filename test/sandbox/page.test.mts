import { useSandbox } from './client.mts';

let now = 0;
const bench = useSandbox({ seed: 50, clock: () => now });
beforeEach(() => {
	now = Date.parse('2026-06-30T12:00:00Z');
	bench.sandbox.controls.reset();
});

const page = async () => await (await fetch(bench.sandbox.url)).text();
const press = async (action: string) =>
	await fetch(`${bench.sandbox.url}/actions/${action}`, { method: 'POST' });
const newestLead = () =>
	bench.sandbox.store.listLeads({}, { order: 'desc', offset: 0, count: 1 }).items[0];

test('shows records, requests and what is left of the rate limit', async () => {
	await bench.call('POST /leads', { externalId: 'order-1', contact: { name: 'Contact A' } });
	now += 15_000;
	const html = await page();
	expect(html).toContain('<td>Contact A</td>');
	expect(html).toContain('<td>order-1</td>');
	expect(html).toMatch(/<td>15 s ago<\/td><td>POST<\/td><td>\/leads<\/td><td>201<\/td>/);
	expect(html).toContain('999 of 1000 requests left for 45 s, 0 refused');
	expect(html).toContain('newest 12 of 51');
});

test('shows what users wrote as text, and no key', async () => {
	const name = '<img src=x onerror=alert(1)>';
	await bench.call('POST /leads', { externalId: 'order-1', contact: { name } });
	const html = await page();
	expect(html).toContain('&lt;img src=x');
	expect(html).not.toContain('<img');
	for (const key of Object.values(bench.sandbox.keys)) expect(html).not.toContain(key);
});

test('a button creates a lead, another wins it', async () => {
	const answer = await press('create-lead');
	expect([answer.status, answer.redirected]).toEqual([200, true]);
	expect(newestLead()).toMatchObject({
		status: 'open',
		contactId: expect.any(String),
	});
	await press('win-lead');
	expect(newestLead()).toMatchObject({
		status: 'closed_won',
		saleDate: '2026-06-30T12:00:00.000Z',
		estimatedValue: 1500,
	});
});

test('a button makes the next request fail, and only that', async () => {
	await press('fail-next');
	expect(await page()).toContain('Requests that will fail: 1.');
	expect((await bench.call('GET /leads')).status).toBe(503);
	expect((await bench.call('GET /leads')).status).toBe(200);
	expect(await page()).not.toContain('Requests that will fail');
});
