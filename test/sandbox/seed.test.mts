/** What the sandbox holds at the start. */
import { DateTime } from 'luxon';

import { seedContents } from '../../sandbox/seed.mts';

const BASES = ['2026-01-01T00:30:00Z', '2026-03-08T12:00:00Z', '2026-11-22T23:59:00Z'];
const ZONES = ['UTC', 'America/Sao_Paulo', 'Asia/Tokyo', 'Pacific/Auckland'];

test.each(BASES.flatMap((base) => [200, 1000].map((count) => [count, base] as const)))(
	'%i leads at %s have sales of yesterday, this week and earlier, none before its lead or in the future',
	(count, start) => {
		const base = Date.parse(start);
		const { leads, contacts } = seedContents(count, base, 1);
		const emails = new Map(contacts.map(({ id, email }) => [id, email]));
		const sold = leads.filter(({ saleDate }) => saleDate !== null);
		for (const { saleDate, createdMs } of sold) {
			expect(Date.parse(String(saleDate))).toBeLessThanOrEqual(base);
			expect(Date.parse(String(saleDate))).toBeGreaterThanOrEqual(createdMs);
		}
		for (const zone of ZONES) {
			const today = DateTime.fromMillis(base, { zone }).startOf('day');
			const days = sold
				.filter(({ contactId }) => emails.get(String(contactId)))
				.map(({ saleDate }) => DateTime.fromISO(String(saleDate), { zone }).startOf('day'))
				.map((day) => Math.round(today.diff(day, 'days').days));
			expect(days.filter((day) => day === 1).length).toBeGreaterThanOrEqual(2);
			expect(days.filter((day) => day > 1 && day <= 7).length).toBeGreaterThanOrEqual(3);
			expect(days.some((day) => day > 30)).toBe(true);
		}
	},
);

test.each([0, 1, 5, 300])('%i leads, the same each time', (count) => {
	const contents = () => seedContents(count, Date.parse(BASES[1]), 7);
	expect(contents().leads).toHaveLength(count);
	expect(contents()).toEqual(contents());
});
