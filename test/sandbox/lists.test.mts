import { useSandbox, type Json } from './client.mts';

const bench = useSandbox({ seed: 0 });
const day = (n: number) => `2026-01-0${n}T12:00:00.500Z`;

// Every test of a list trusts these answers.
test.each([
	['', 'cba'],
	['status=&search=&createdAfter=', 'cba'],
	['status=open&tag=x', 'b'],
	['search=CONTACT', 'a'],
	[`createdAfter=${day(2)}`, 'c'],
	[`createdBefore=${day(2)}`, 'a'],
	['limit=2&page=2', 'a'],
	['limit=2&page=9', ''],
])('the leads of %s are %s', async (query, expected) => {
	const { store, controls } = bench.sandbox;
	const { id: contactId } = store.createContact({ name: 'Contact A', email: null, phone: null });
	for (const [index, externalId] of ['a', 'b', 'c'].entries()) {
		const more = [{ contactId }, { tags: ['x'] }, { status: 'in_progress', tags: ['x'] }][index];
		controls.createLead({ externalId, createdAt: day(index + 1), ...more });
	}
	const { body } = await bench.call(`GET /leads?${query}`);
	const leads = body.data.leads as unknown as Json[];
	expect(leads.map(({ externalId }) => externalId).join('')).toBe(expected);
});
