/** What the sandbox holds at the start. */
import { DateTime } from 'luxon';

import { seedContents } from '../../sandbox/seed.mts';

const bases = ['2026-01-01T00:30:00Z', '2026-03-08T12:00:00Z', '2026-11-22T23:59:00Z'];
const zones = ['UTC', 'America/Sao_Paulo', 'Asia/Tokyo', 'Pacific/Auckland'];
const cases = bases.flatMap((base) => [200, 1000].map((count) => [count, base] as const));

/** For each sale that can be exported, how many days before the base it was. */
function saleDays(count: number, base: number, zone: string) {
	const { leads, contacts } = seedContents(count, base, 1);
	const emails = new Map(contacts.map(({ id, email }) => [id, email]));
	const today = DateTime.fromMillis(base, { zone }).startOf('day');
	return leads
		.filter(({ status, contactId }) => status === 'closed_won' && emails.get(String(contactId)))
		.map(({ saleDate }) => DateTime.fromISO(String(saleDate), { zone }).startOf('day'))
		.map((day) => Math.round(today.diff(day, 'days').days));
}

describe.each(cases)('%i leads at %s', (count, start) => {
	const base = Date.parse(start);

	test.each(zones)('have sales of yesterday, this week and earlier, %s', (zone) => {
		const days = saleDays(count, base, zone);
		expect(days.filter((day) => day === 1).length).toBeGreaterThanOrEqual(2);
		expect(days.filter((day) => day > 1 && day <= 7).length).toBeGreaterThanOrEqual(3);
		expect(days.filter((day) => day > 30).length).toBeGreaterThan(0);
	});

	test('have no sale in the future, or before its lead', () => {
		const sold = seedContents(count, base, 2).leads.filter(({ saleDate }) => saleDate !== null);
		expect(sold.length).toBeGreaterThan(10);
		for (const { saleDate, createdMs } of sold) {
			expect(Date.parse(String(saleDate))).toBeLessThanOrEqual(base);
			expect(Date.parse(String(saleDate))).toBeGreaterThanOrEqual(createdMs);
		}
	});
});

test('the same arguments give the same contents', () => {
	const contents = () => seedContents(300, Date.parse(bases[1]), 7);
	expect(contents()).toEqual(contents());
});

test.each([0, 1, 5])('%i leads need no sale', (count) => {
	expect(seedContents(count, Date.parse(bases[1]), 1).leads).toHaveLength(count);
});
