/** The page for people: what it finds, what it says of requests, and that nothing in it is taken for HTML. */
import { useSandbox } from './client.mts';

const lab = useSandbox({ seed: 20 });
const PHONE = '+5511988887777';

async function page(query = ''): Promise<string> {
	return await (await fetch(`${lab.sandbox.url}/${query}`)).text();
}
const found = async (q: string) =>
	/<small>(\d+) with/.exec(await page(`?${new URLSearchParams({ q })}`))?.[1];

describe('a lead is found by', () => {
	beforeEach(async () => {
		const contact = { name: 'Ana Souza', phone: PHONE };
		await lab.call('POST /leads', { externalId: 'Order-77', contact });
	});

	test.each([
		...['(11) 98888-7777', '11988887777', '+55 11 98888 7777', '0055 11 98888-7777'],
		...['011 98888.7777', '98888-7777', 'tel:+55-11-98888-7777', '5511988887777'],
		...['ana', 'order-77'],
	])('%s', async (q) => {
		expect(await found(q)).toBe('1');
	});

	test.each(['(11) 98888-7778', '+351 988 887 777', 'x 98888-7777'])('not by %s', async (q) => {
		expect(await found(q)).toBe('0');
	});
});

test('a phone that was stored without its country code is found with it', async () => {
	const contact = { name: 'Ana Souza', phone: '(11) 98888-7777' };
	await lab.call('POST /contacts', contact);
	const { id: contactId } = lab.sandbox.store.contactByPhone(contact.phone)!;
	lab.sandbox.controls.createLead({ contactId });
	expect(await found(PHONE)).toBe('1');
});

test('a request is a sentence with the name of its lead, and what was sent is escaped', async () => {
	const contact = { name: '<b>Ana</b>', phone: PHONE };
	await lab.call('POST /leads', { externalId: 'a-1', contact });
	await lab.call('PATCH /leads/a-1/status', { status: 'in_progress' });
	const lead = lab.sandbox.store.leadByExternalId('a-1')!;
	await lab.call(`POST /leads/${lead.id}/tags`, { tags: ['vip', 'spring'] });
	const html = await page(`?lead=${lead.id}`);
	expect(html).toContain('Create lead · &lt;b&gt;Ana&lt;/b&gt; · externalId: a-1');
	expect(html).toContain('Add lead tags · &lt;b&gt;Ana&lt;/b&gt; · tags: vip, spring');
	expect(html).toContain('Tags: vip, spring');
	expect(html).not.toContain('<b>');
});
