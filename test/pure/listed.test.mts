import type { ServiceRecord } from '../../nodes/IntegrationLeads/contract/envelope';
import {
	orderOf,
	toListed,
	toTimedLead,
	within,
} from '../../nodes/IntegrationLeads/windows/listed';

const at = (id: string, seconds: number) => ({
	id,
	createdAt: new Date(Date.UTC(2026, 2, 2, 12, 0, seconds)).toISOString(),
});
const lead = (createdAt: number) => ({ id: String(createdAt), createdAt });

it('leads of a page are sorted by time, then by ID, and come once', () => {
	const records = [at('d', 2), at('b', 1), at('c', 1), at('a', 1), at('b', 1), { id: 'e' }];
	const page = toListed({ records, total: 9 } as never, toTimedLead);
	expect(page.leads.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
	expect(page).toMatchObject({ records, total: 9, order: 'falling' });
});

it.each<[string, number[]]>([
	['none', []],
	['none', [1]],
	['rising', [1, 2]],
	['rising', [1, 1, 2]],
	['falling', [2, 1]],
	['none', [1, 3, 2]],
])('the order is %s: %j', (order, times) => {
	expect(orderOf(times.map(lead))).toBe(order);
});

it('an interval includes its start and not its end', () => {
	const leads = [0, 1, 2, 3].map(lead);
	expect(within(leads, { start: 1, end: 3 })).toEqual([lead(1), lead(2)]);
});

const createdAt = '2026-03-02T12:00:01Z';
it.each<[ServiceRecord, string | undefined]>([
	[{ id: 'a', createdAt }, 'a'],
	[{ id: 7, createdAt }, '7'],
	[{ id: 'a', createdAt: 'soon' }, undefined],
	[{ id: 'a', createdAt: 2026 }, undefined],
	[{ id: 'a' }, undefined],
	[{ id: '', createdAt }, undefined],
	[{ createdAt }, undefined],
])('reads %j as the lead %j', (record, id) => {
	const lead = id && { id, createdAt: Date.parse(createdAt) };
	expect(toTimedLead(record)).toEqual(lead);
});
