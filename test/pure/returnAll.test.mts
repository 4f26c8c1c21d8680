import fc from 'fast-check';
import { map, range, isEmpty } from 'lodash';

import { readAllLeads } from '../../nodes/IntegrationLeads/transport/returnAll';
import { draws } from '../helpers/long.mts';
import { businessHours, leadList, type Lead, type ServiceBehaviour } from './leadList.mts';
import { seeded } from './virtualClock.mts';

const ORDERS = ['asc', 'desc', 'random'] as const;
const DAY = 86_400_000;
/** Less than a second before the first request of a list. */
const NOW = Date.parse('2026-03-02T12:00:17.000Z');

/** By a status, leads enter and leave a list. */
const filters = (canLeave: boolean) => (canLeave ? { status: 'open' } : {});

/** Reads a list that does not change, and says what is missing. */
async function readUnchanged(leads: Lead[], canLeave: boolean, behaviour: ServiceBehaviour) {
	const list = leadList(leads, behaviour);
	const { records, complete } = await readAllLeads(list.read, filters(canLeave));
	const found = new Set(records.map(({ id }) => id)).size;
	const read = { missing: leads.length - found, repeated: records.length - found, complete };
	return { read, requests: list.requests() };
}

const unchanged = { missing: 0, repeated: 0, complete: true };

/** Leads that were created together. */
const burstOf = (count: number, at: (index: number) => number) =>
	range(count).map((index): Lead => {
		return { id: `burst-${index}`, createdAt: at(index), status: 'open' };
	});

/** Leads of the last hours before the list is read. */
const today = (count: number) => burstOf(count, (index) => NOW - index * 20_000);

describe('an unchanged list', () => {
	it('costs two requests more than its pages, twice that where leads can leave, and comes in the order of the service', async () => {
		const counts = fc.integer({ min: 0, max: 2500 });
		const drawn = [counts, fc.constantFrom(...ORDERS), fc.boolean()] as const;
		await fc.assert(
			fc.asyncProperty(...drawn, async (count, order, canLeave) => {
				const pages = Math.ceil(count / 100);
				const requests = pages < 2 ? 1 : 2 + pages * (canLeave ? 2 : 1);
				const leads = businessHours(count, seeded(count));
				const result = await readUnchanged(leads, canLeave, { order });
				expect(result).toEqual({ read: unchanged, requests });
			}),
			{ numRuns: draws(12) },
		);
		const late = burstOf(3, (index) => NOW - index);
		const list = leadList([...businessHours(500, seeded(1)), ...late]);
		const { records } = await readAllLeads(list.read, {});
		const times = records.map(({ createdAt }) => String(createdAt));
		expect(times).toEqual([...times].sort().reverse());
		// At least the first page begins as the service's list does, also where the newest come last.
		const rising = leadList([...businessHours(500, seeded(1)), ...late], { order: 'asc' });
		const [oldest] = (await readAllLeads(rising.read, {})).records;
		expect(String(oldest.createdAt)).toBe([...times].sort()[0]);
	});

	it('is read once where the service includes the second of a bound, and leads are created in it', async () => {
		const list = leadList(businessHours(1000, seeded(1)), {
			granularity: 1000,
			inclusive: true,
			churn: (leads, now) =>
				void leads.set(`new-${now}`, { id: `new-${now}`, createdAt: now, status: 'open' }),
		});
		const { complete } = await readAllLeads(list.read, {});
		expect([complete, list.requests()]).toEqual([true, 1 + 10 + 1]);
	});

	it.each<[string, ServiceBehaviour, leads: Lead[], requests: number]>([
		['has no Date header', { clockless: true }, [], 2 * 10],
		['states no total', { withoutTotal: true }, [], 2 * 10 + 2],
		['gives pages of 20', { largestPage: 20 }, [], 1 + 50 + 1],
		['compares bounds by the second', { granularity: 1000 }, today(30), 1 + 11 + 1],
		['has a lead at the very bound', {}, burstOf(1, () => NOW - 1000), 1 + 10 + 1],
		['by the second, and includes them', { granularity: 1000, inclusive: true }, [], 1 + 10 + 1],
		['includes bounds', { inclusive: true }, today(30), 1 + 11 + 1],
		// Neither before nor after today: the last day is read as well.
		['compares bounds by the day', { granularity: DAY }, today(250), 1 + 13 + 1 + 2 * 3],
		['by the day, and includes them', { granularity: DAY, inclusive: true }, today(30), 13],
		['ignores bounds', { ignores: { bounds: true } }, [], 1 + 10 + 2 * 10],
		['has a clock that is ahead', { ahead: 60_000 }, today(30), 1 + 11 + 1],
		['has a clock that is behind', { ahead: -60_000 }, today(30), 1 + 11 + 1],
	])('is read whole where the service %s', async (_, behaviour, more, requests) => {
		const leads = [...businessHours(1000, seeded(1000)), ...more];
		for (const order of ORDERS) {
			const result = await readUnchanged(leads, false, { order, ...behaviour });
			expect(result.read).toEqual(unchanged);
			expect(result.requests).toBeLessThanOrEqual(requests);
		}
	});

	it.each<[string, ServiceBehaviour]>([
		['ignores the number of the page', { ignores: { page: true } }],
		['counts all leads, whatever the bounds', { countsAll: true }],
	])('is not complete where the service %s', async (_, behaviour) => {
		const leads = [...businessHours(450, seeded(450)), ...today(3)];
		const { read } = await readUnchanged(leads, false, behaviour);
		expect(read).toMatchObject({ repeated: 0, complete: false });
	});

	it('of a time that is over needs no list of the last second', async () => {
		const list = leadList(businessHours(450, seeded(450)));
		const own = { createdBefore: '2026-02-01' };
		const { records } = await readAllLeads(
			async (page) => await list.read({ ...own, ...page }),
			own,
		);
		expect(list.requests()).toBe(1 + Math.ceil(records.length / 100));
	});

	it('gives leads without IDs once each', async () => {
		const list = leadList(businessHours(450, seeded(2)), { nameless: true });
		const { records, complete } = await readAllLeads(list.read, {});
		expect(new Set(records.map(({ name }) => name)).size).toBe(450);
		expect([records.length, complete]).toEqual([450, false]);
	});

	it.each(ORDERS)('may hold leads of this very second (%s)', async (order) => {
		// Many share a millisecond, and this second has not ended.
		const burst = burstOf(600, (index) => NOW + 5000 + Math.floor(index / 130));
		const leads = [...businessHours(60, seeded(4)), ...burst];
		for (const granularity of [1, 1000]) {
			expect((await readUnchanged(leads, false, { order, granularity })).read).toEqual(unchanged);
		}
	});

	it("keeps to the user's own bound where the last day is read again, since leads were deleted", async () => {
		const leads = today(600);
		const churn = (left: Map<string, Lead>) => void left.delete('burst-170');
		const list = leadList(leads, { churn });
		const own = { createdAfter: new Date(NOW - 6_000_000).toISOString() };
		const read = readAllLeads(async (page) => await list.read({ ...own, ...page }), own);
		expect(map((await read).records, 'id')).toEqual(
			map(leads.slice(0, 300), 'id').filter((id) => id !== 'burst-170'),
		);
	});

	it.each([1, 1000, DAY])(
		"keeps to the user's own bounds, compared by %d ms",
		async (granularity) => {
			const behaviour = { granularity, inclusive: true };
			const own = { createdAfter: '2025-12-20T15:00Z', createdBefore: '2026-02-01T15:00Z' };
			const bounds = Object.values(own).map((bound) => Date.parse(bound));
			const edges = bounds.flatMap((bound) => range(bound - 20, bound + 20));
			const atEdges = edges.map((createdAt) => ({ id: `${createdAt}`, createdAt, status: 'open' }));
			const leads = [...businessHours(2000, seeded(5)), ...atEdges];
			const inOrder = leadList(leads, behaviour);
			const pages = range(1, 22).map((page) => inOrder.read({ page, limit: 100, ...own }));
			const listed = (await Promise.all(pages)).flatMap(({ records }) => records);
			for (const canLeave of [false, true]) {
				const { read } = leadList(leads, behaviour);
				const { records } = await readAllLeads(async (page) => await read({ ...own, ...page }), {
					...own,
					...filters(canLeave),
				});
				expect(map(records, 'id').sort()).toEqual(map(listed, 'id').sort());
			}
		},
	);
});

describe('a list that changes while it is read', () => {
	interface Changing {
		count: number;
		seed: number;
		order: (typeof ORDERS)[number];
		inclusive: boolean;
		granularity: number;
		canLeave: boolean;
		shuffled?: boolean;
		/** Before which requests a lead is created, is deleted, or enters or leaves the filter. */
		changes: number[];
	}

	async function readChanging({ count, seed, canLeave, changes, ...behaviour }: Changing) {
		const random = seeded(seed);
		const initial = businessHours(count, random);
		const isListed = ({ status }: Lead) => !canLeave || status === 'open';
		const stayed = new Set(initial.filter(isListed).map(({ id }) => id));
		let request = 1;
		let moved = 0;
		const list = leadList(initial, {
			...behaviour,
			isListed,
			churn: (leads, now) => {
				request += 1;
				for (const _ of changes.filter((each) => each === request)) {
					const kind = random();
					const id = kind < 0.3 ? `new-${(moved += 1)}` : `lead-${Math.floor(random() * count)}`;
					const lead = leads.get(id);
					if (kind < 0.3) leads.set(id, { id, createdAt: now, status: 'open' });
					else if (kind < 0.6 || !canLeave) moved += Number(leads.delete(id));
					else if (lead) {
						leads.set(id, { ...lead, status: isListed(lead) ? 'closed_won' : 'open' });
						moved += 1;
					}
					stayed.delete(id);
				}
			},
		});
		const { records, complete } = await readAllLeads(list.read, filters(canLeave));
		const found = new Set(records.map(({ id }) => id as string));
		const read = {
			lost: [...stayed].filter((id) => !found.has(id)),
			repeated: records.length - found.size,
			complete,
		};
		return { read, moved, requests: list.requests() };
	}

	const whole = { lost: [], repeated: 0, complete: true };
	const service = {
		seed: fc.nat(),
		order: fc.constantFrom(...ORDERS),
		inclusive: fc.boolean(),
		granularity: fc.constantFrom(1, 1000),
		canLeave: fc.boolean(),
	};
	/** No more than a page of leads is deleted. */
	const few = {
		...service,
		// Also lists whose last page holds one lead, or none after a deletion.
		count: fc.oneof(fc.integer({ min: 201, max: 2000 }), fc.constantFrom(301, 302, 1001, 1501)),
		changes: fc.array(fc.integer({ min: 2, max: 45 }), { maxLength: 50 }),
		shuffled: fc.boolean(),
	};

	it('is read at most three times, and once where nothing changes', async () => {
		await fc.assert(
			fc.asyncProperty(fc.record(few), async (given: Changing) => {
				const { read, requests } = await readChanging(given);
				const isCalm = isEmpty(given.changes) && !given.canLeave;
				expect(read).toMatchObject({ lost: [], repeated: 0 });
				if (isCalm) expect(read).toEqual(whole);
				const readings = isCalm ? 1 : 3;
				// The list of the last second, or of the last day, may have a page for each change.
				expect(requests).toBeLessThanOrEqual(3 + readings * Math.ceil(given.count / 100));
			}),
			{ numRuns: draws(25) },
		);
	});
});
