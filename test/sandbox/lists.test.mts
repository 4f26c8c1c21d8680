import { useSandbox, type Json } from './client.mts';

const bench = useSandbox({ seed: 0 });
const day = (n: number) => `2026-01-0${n}T12:00:00.500Z`;

/** Five leads, named a (oldest) to e; c and d were created in the same millisecond. */
beforeEach(() => {
	const { store, controls } = bench.sandbox;
	const contact = { name: 'Contact A', email: 'first@example.com', phone: '+5511 9 0000 0001' };
	const { id: contactId } = store.createContact(contact);
	const lead = (externalId: string, createdAt: string, fields: object = {}) =>
		controls.createLead({ externalId, createdAt, ...fields });
	lead('c', day(3), { status: 'in_progress', tags: ['x'] });
	lead('a', day(1), { contactId });
	lead('e', day(5), { source: 'whatsapp', priority: 'high' });
	lead('b', day(2), { tags: ['x', 'y'] });
	lead('d', day(3));
});

async function names(query: string): Promise<string> {
	const { body } = await bench.call(`GET /leads?${query}`);
	const leads = body.data.leads as unknown as Json[];
	return leads.map(({ externalId }) => externalId).join('');
}

test.each([
	['', 'abcde'],
	['status=in_progress', 'c'],
	['status=&search=&createdAfter=', 'abcde'],
	['priority=high', 'e'],
	['source=whatsapp', 'e'],
	['tag=x', 'bc'],
	['tag=x&status=open', 'b'],
	['search=CONTACT', 'a'],
	['search=%2B551190000', 'a'],
	['createdAfter=2026-01-03', 'cde'],
	[`createdAfter=${day(3)}`, 'e'],
	[`createdBefore=${day(3)}`, 'ab'],
	[`createdAfter=${day(5)}&createdBefore=${day(1)}`, ''],
])('%s', async (query, expected) => {
	expect([...(await names(query))].sort().join('')).toBe(expected);
});

test.each(['page=0', 'page=x', 'limit=0', 'limit=1.5', 'createdAfter=yesterday'])(
	'%s is not accepted',
	async (query) => {
		const { status, body } = await bench.call(`GET /leads?${query}`);
		expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
	},
);

test('pages are parts of the list, newest first', async () => {
	const pages = await Promise.all([1, 2, 3].map((page) => names(`limit=2&page=${page}`)));
	expect(pages.join('')).toMatch(/^e(cd|dc)ba$/);
	const { body } = await bench.call('GET /leads?limit=2&page=9');
	expect(body.data).toEqual({
		leads: [],
		pagination: { page: 9, limit: 2, total: 5, totalPages: 3 },
	});
});
