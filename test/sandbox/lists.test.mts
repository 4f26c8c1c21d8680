import { itLong } from '../helpers/long.mts';
import { startSandbox } from '../../sandbox/server.mts';
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
const sorted = async (query: string) => [...(await names(query))].sort().join('');

test.each([
	['', 'abcde'],
	['status=in_progress', 'c'],
	['status=unknown', ''],
	['status=&search=&createdAfter=', 'abcde'],
	['priority=high', 'e'],
	['source=whatsapp', 'e'],
	['tag=x', 'bc'],
	['tag=x&status=open', 'b'],
	['search=CONTACT', 'a'],
	['search=first@', 'a'],
	['search=%2B551190000', 'a'],
	['createdAfter=2026-01-03', 'cde'],
	[`createdAfter=${day(3)}`, 'e'],
	[`createdBefore=${day(3)}`, 'ab'],
	[`createdAfter=${day(1)}&createdBefore=${day(5)}`, 'bcd'],
	[`createdAfter=${day(5)}&createdBefore=${day(1)}`, ''],
])('%s', async (query, expected) => {
	for (const order of ['desc', 'asc', 'random'] as const) {
		bench.sandbox.controls.variant({ order });
		expect(await sorted(query)).toBe(expected);
	}
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

test('a listed lead has the fields of spec 4.1', async () => {
	const { body } = await bench.call('GET /leads?search=first');
	const [lead] = body.data.leads as unknown as Json[];
	expect(Object.keys(lead)).toEqual([
		...['id', 'externalId', 'status', 'priority', 'contact', 'tags', 'createdAt'],
	]);
	expect(Object.keys(lead.contact)).toEqual(['id', 'name', 'email']);
	expect(lead.createdAt).toBe(day(1));
});

test.each([
	[{ bounds: 'inclusive' }, `createdAfter=${day(3)}`, 'cde'],
	[{ bounds: 'inclusive' }, `createdBefore=${day(3)}`, 'abcd'],
	[{ boundGranularityMs: 1000 }, `createdAfter=${day(3)}`, 'cde'],
	[{ boundGranularityMs: 86_400_000 }, `createdBefore=${day(3)}`, 'ab'],
	[{ order: 'asc' }, 'limit=2', 'ab'],
	[{ maxPage: 3, order: 'asc' }, 'limit=100&createdBefore=2026-01-03', 'ab'],
] as const)('%j: %s', async (variant, query, expected) => {
	bench.sandbox.controls.variant(variant);
	expect(await sorted(query)).toBe(expected);
});

test('ignorePage gives the first page again, maxPage cuts, random stays the same', async () => {
	const { controls } = bench.sandbox;
	controls.variant({ ignorePage: true, order: 'asc' });
	expect(await names('limit=2&page=3')).toBe('ab');
	controls.variant({ ignorePage: false, maxPage: 3 });
	expect(await names('limit=100')).toHaveLength(3);
	controls.variant({ order: 'random' });
	expect(await names('')).toBe(await names(''));
});

itLong('100,000 leads', async () => {
	const clock = () => Date.parse('2026-06-30T12:00Z');
	const sandbox = await startSandbox({ seed: 100_000, clock });
	const { store } = sandbox;
	expect(store.leads.size).toBe(100_000);
	const leads = [...store.leads.values()];
	expect(new Set(leads.map(({ id }) => id)).size).toBe(100_000);
	expect(new Set(leads.map(({ createdMs }) => createdMs)).size).toBeLessThan(99_000);
	expect(leads.every(({ id }) => /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab]/.test(id))).toBe(true);
	const protocols = leads.flatMap(({ protocol }) => protocol ?? []);
	expect(new Set(protocols).size).toBe(protocols.length);
	const { total } = store.listLeads({ status: 'open' }, { order: 'desc', offset: 0, count: 1 });
	expect(total).toBe(leads.filter(({ status }) => status === 'open').length);
	await sandbox.close();
});
