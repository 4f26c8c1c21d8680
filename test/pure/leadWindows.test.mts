import fc from 'fast-check';

import { clock } from '../../nodes/IntegrationLeads/transport/clock';
import { readAllLeads } from '../../nodes/IntegrationLeads/windows/returnAll';
import { draws } from '../helpers/long.mts';
import type { Lead, ServiceBehaviour } from './leadList.mts';
import { businessHours, leadList } from './leadList.mts';
import { seeded, virtualClock } from './virtualClock.mts';

const ORDERS = ['asc', 'desc', 'random'] as const;
const DAY = 86_400_000;
/** Less than a second before the first request of a list. */
const NOW = Date.parse('2026-03-02T12:00:17.000Z');

/** Reads a list that does not change, and says what is missing. */
async function readCalm(count: number, canLeave: boolean, behaviour: ServiceBehaviour, days = 90) {
	const list = leadList(businessHours(count, seeded(count), days), behaviour);
	const { records, completeness } = await readAllLeads(list.read, {}, canLeave);
	const found = new Set(records.map(({ id }) => id));
	return {
		missing: count - found.size,
		repeated: records.length - found.size,
		completeness,
		requests: list.requests(),
	};
}

const complete = { missing: 0, repeated: 0, completeness: 'complete' };

describe('an unchanged list', () => {
	it('costs ceil(N / 100) requests and comes in the order of the service', async () => {
		const counts = fc.integer({ min: 0, max: 2500 });
		await fc.assert(
			fc.asyncProperty(counts, fc.constantFrom(...ORDERS), async (count, order) => {
				const requests = Math.max(1, Math.ceil(count / 100));
				expect(await readCalm(count, false, { order })).toEqual({ ...complete, requests });
			}),
			{ numRuns: draws(10) },
		);
		const list = leadList(businessHours(500, seeded(1)));
		const { records } = await readAllLeads(list.read, {}, false);
		const times = records.map(({ createdAt }) => String(createdAt));
		expect(times).toEqual([...times].sort().reverse());
	});

	it.each<[string, number, boolean, ServiceBehaviour, number]>([
		['no clock in the answers', 500, false, { clockless: true }, 17],
		['pages of 20', 500, false, { largestPage: 20 }, 25],
		[
			'pages of 50, their size unstated',
			500,
			false,
			{ largestPage: 50, unstated: { limit: true } },
			10,
		],
		['a last page of one, page sizes unstated', 101, false, { unstated: { limit: true } }, 4],
		['no totals', 500, false, { unstated: { total: true } }, 12],
		['no totals and pages of 50', 500, false, { largestPage: 50, unstated: { total: true } }, 21],
		['pages that are counted', 500, false, { largestPage: 50, pagesOnly: true }, 20],
		[
			'pages that are counted, their size unstated',
			500,
			true,
			{ largestPage: 25, pagesOnly: true, unstated: { limit: true } },
			40,
		],
		['no totals and a filter that leads can leave', 500, true, { unstated: { total: true } }, 12],
		['bounds that are ignored', 500, false, { ignores: { bounds: true } }, 5],
		['bounds by the second', 500, false, { granularity: 1000 }, 5],
		[
			'bounds by the second that include themselves',
			500,
			true,
			{ granularity: 1000, inclusive: true },
			17,
		],
		['bounds by the day', 500, false, { granularity: DAY }, 5],
		['bounds that include themselves', 500, true, { inclusive: true }, 17],
		// No window ever looks complete: after five requests a page the list is read by pages.
		['totals that ignore the bounds', 500, true, { countsAll: true }, 136],
	])('is read in full: %s', async (_, count, canLeave, behaviour, most) => {
		const { requests, ...read } = await readCalm(count, canLeave, behaviour);
		expect(read).toEqual(complete);
		expect(requests).toBeLessThanOrEqual(most);
	});

	it.each([false, true])(
		'gives leads without ids once each (leads can leave: %s)',
		async (canLeave) => {
			for (const order of ORDERS) {
				const list = leadList(businessHours(450, seeded(2)), { order, nameless: true });
				const { records, completeness } = await readAllLeads(list.read, {}, canLeave);
				expect(new Set(records.map(({ name }) => name)).size).toBe(450);
				expect([records.length, completeness, list.requests()]).toEqual([450, 'unclear', 5]);
			}
		},
	);

	it('ends for a service that ignores the page', async () => {
		const list = leadList(businessHours(150, seeded(1)), { ignores: { page: true } });
		// Time still works: the windows find what the pages would not give.
		expect((await readAllLeads(list.read, {}, false)).records).toHaveLength(150);
		expect(list.requests()).toBeLessThan(12);
	});

	it.each(ORDERS)('may hold more than a page in one millisecond (%s)', async (order) => {
		const moment = Date.parse('2026-01-14T10:30:00.123Z');
		const burst = Array.from({ length: 250 }, (_, index): Lead => {
			return { id: `burst-${index}`, createdAt: moment, status: 'open' };
		});
		for (const inclusive of [false, true]) {
			const leads = [...businessHours(300, seeded(3)), ...burst];
			const list = leadList(leads, { order, inclusive });
			const { records, completeness } = await readAllLeads(list.read, {}, true);
			expect(new Set(records.map(({ id }) => id)).size).toBe(550);
			expect(records).toHaveLength(550);
			expect(completeness).toBe('complete');
			expect(list.requests()).toBeLessThan(100);
		}
	});

	const bursts = ORDERS.flatMap((order) =>
		[150, 600, 2500].flatMap((created) =>
			[1, 1000].map((granularity) => ({ order, created, granularity })),
		),
	);
	it.each(bursts)('may hold leads of this very second: %j', async ({ created, ...behaviour }) => {
		const leads = businessHours(60, seeded(4));
		for (let index = 0; index < created; index += 1) {
			// Many share a millisecond, and this second has not ended.
			const createdAt = NOW + 5000 + Math.floor(index / 130);
			leads.push({ id: `burst-${index}`, createdAt, status: 'open' });
		}
		const { records, completeness } = await readAllLeads(
			leadList(leads, behaviour).read,
			{},
			false,
		);
		expect(new Set(records.map(({ id }) => id)).size).toBe(created + 60);
		expect([records.length, completeness]).toEqual([created + 60, 'complete']);
	});

	it.each(
		ORDERS.flatMap((order) =>
			[1, 1000, DAY].map((granularity) => ({ order, granularity, inclusive: true })),
		),
	)("keeps to the user's own bounds: %j", async (behaviour) => {
		const leads = businessHours(2000, seeded(5));
		const own = {
			after: Date.parse('2025-12-20T15:00:00Z'),
			before: Date.parse('2026-02-01T15:00:00Z'),
		};
		for (const bound of Object.values(own)) {
			for (let each = -20; each < 20; each += 1) {
				leads.push({ id: `${bound + each}`, createdAt: bound + each, status: 'open' });
			}
		}
		const inOrder = leadList(leads, behaviour);
		const listed: string[] = [];
		for (let page = 1, isLast = false; !isLast; page += 1) {
			const { records } = await inOrder.read({ page, limit: 100 }, own);
			listed.push(...records.map(({ id }) => String(id)));
			isLast = records.length < 100;
		}
		for (const canLeave of [false, true]) {
			const { read } = leadList(leads, behaviour);
			const { records } = await readAllLeads(
				async (page, bounds) => await read(page, { ...own, ...bounds }),
				own,
				canLeave,
			);
			expect(records.map(({ id }) => id).sort()).toEqual(listed.sort());
		}
	});
});

describe('round trips', () => {
	/**
	 * How many reading `count` leads takes in a row, where the service works on `atOnce` requests at a time and each
	 * takes `trips(request)` round trips.
	 */
	async function roundTrips(
		count: number,
		atOnce: number,
		behaviour: ServiceBehaviour = {},
		trips: (request: number) => number = () => 1,
	) {
		const time = virtualClock();
		try {
			const list = leadList(businessHours(count, seeded(count)), behaviour);
			const waiting: Array<() => void> = [];
			let [sent, free] = [0, atOnce];
			const begun = clock.now();
			const reading = readAllLeads(
				async (page, bounds) => {
					if (free > 0) free -= 1;
					else await new Promise<void>((resolve) => waiting.push(resolve));
					await clock.sleep(1000 * trips((sent += 1)));
					const next = waiting.shift();
					if (next) next();
					else free += 1;
					return await list.read(page, bounds);
				},
				{},
				false,
			).then(({ records }) => ({
				leads: records.length,
				trips: (clock.now() - begun) / 1000,
				requests: list.requests(),
			}));
			await time.runUntil(begun + 1_000_000);
			return await reading;
		} finally {
			time.restore();
		}
	}

	// The first page alone, since it states how many there are; then all others.
	it.each([
		[0, 8, 1],
		[100, 8, 1],
		[101, 8, 2],
		[900, 8, 2],
		[901, 8, 3],
		[2000, 8, 1 + Math.ceil(19 / 8)],
		[4000, 8, 1 + Math.ceil(39 / 8)],
		[4000, 16, 1 + Math.ceil(39 / 16)],
		// At first eight are asked for, and two for each that came; never more than 48.
		[2000, 32, 3],
		[4000, 32, 1 + 1 + 1 + Math.ceil((39 - 8 - 16) / 32)],
		[4000, 100, 1 + 1 + 1 + Math.ceil((39 - 8 - 16) / 32)],
	])('an unchanged list of %d leads, %d at once, takes %d', async (leads, atOnce, trips) => {
		const requests = Math.max(1, Math.ceil(leads / 100));
		expect(await roundTrips(leads, atOnce)).toEqual({ leads, trips, requests });
	});

	it('a page that takes four does not hold up the others', async () => {
		const isSlow = (request: number) => (request === 2 ? 4 : 1);
		// 38 pages and the four trips of the slow one on eight places, after the first page.
		const trips = 1 + Math.ceil((38 + 4) / 8);
		const expected = { leads: 4000, trips, requests: 40 };
		expect(await roundTrips(4000, 8, {}, isSlow)).toEqual(expected);
	});
});

describe('a list that changes while it is read', () => {
	interface Changing {
		count: number;
		seed: number;
		order: (typeof ORDERS)[number];
		inclusive: boolean;
		granularity: number;
		canLeave: boolean;
		clockless?: boolean;
		shuffled?: boolean;
		/** Before which requests a lead is created, is deleted, or enters or leaves the filter; or how many for each. */
		changes: number[] | number;
	}

	async function readChanging({ count, seed, canLeave, changes, ...behaviour }: Changing) {
		const random = seeded(seed);
		const initial = businessHours(count, random);
		const isListed = ({ status }: Lead) => !canLeave || status === 'open';
		const stayed = new Set(initial.filter(isListed).map(({ id }) => id));
		let request = 1;
		let moved = 0;
		const isChanged = (left: number): boolean =>
			typeof changes === 'number'
				? random() < changes - left
				: changes.filter((each) => each === request).length > left;
		const list = leadList(initial, {
			...behaviour,
			isListed,
			churn: (leads, now) => {
				request += 1;
				for (let done = 0; isChanged(done); done += 1) {
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
		const { records, completeness } = await readAllLeads(list.read, {}, canLeave);
		const found = new Set(records.map(({ id }) => id as string));
		const read = {
			lost: [...stayed].filter((id) => !found.has(id)),
			repeated: records.length - found.size,
			completeness,
		};
		return { read, moved, requests: list.requests() };
	}

	const whole = { lost: [], repeated: 0, completeness: 'complete' };
	const service = {
		seed: fc.nat(),
		order: fc.constantFrom(...ORDERS),
		inclusive: fc.boolean(),
		granularity: fc.constantFrom(1, 1000),
		canLeave: fc.boolean(),
	};
	const restless: fc.Arbitrary<Changing> = fc.record({
		...service,
		count: fc.integer({ min: 80, max: 900 }),
		changes: fc.constantFrom(0.1, 0.5, 2),
		clockless: fc.boolean(),
		shuffled: fc.boolean(),
	});

	it('gives every lead that was listed throughout, and none twice', async () => {
		await fc.assert(
			fc.asyncProperty(restless, async (given) => {
				const { read, requests } = await readChanging(given);
				expect(read.repeated).toBe(0);
				if (read.completeness === 'complete') expect(read.lost).toEqual([]);
				expect(requests).toBeLessThan(10 * Math.ceil(given.count / 100) + 20);
			}),
			{ numRuns: draws(40) },
		);
	});

	/** Sorted by time, with few changes. */
	const sorted = {
		...service,
		// Also lists whose last page holds one lead, or none after a deletion.
		count: fc.oneof(fc.integer({ min: 201, max: 2000 }), fc.constantFrom(301, 302, 1001, 1501)),
		order: fc.constantFrom('asc' as const, 'desc' as const),
		changes: fc.array(fc.integer({ min: 2, max: 25 }), { maxLength: 5 }),
	};

	/** The lead leaves the filter that shows how the service compares bounds. */
	const ITS_SAMPLE_LEAVES: Changing = {
		count: 302,
		seed: 1686736666,
		order: 'desc',
		inclusive: false,
		granularity: 1,
		canLeave: true,
		changes: [2],
	};

	/** Four deletions close together do not make a list that keeps losing leads. */
	const FOUR_IN_A_ROW: Changing = {
		count: 1869,
		seed: 28,
		order: 'asc',
		inclusive: false,
		granularity: 1,
		canLeave: false,
		changes: [3, 2, 5, 6, 4],
	};

	it('costs at most two requests for each of few changes, and two more, in order of time', async () => {
		await fc.assert(
			fc.asyncProperty(fc.record(sorted), async (given: Changing) => {
				const { read, moved, requests } = await readChanging(given);
				expect(read).toEqual(whole);
				const unchanged = await readChanging({ ...given, changes: [] });
				if (!given.canLeave) expect(unchanged.requests).toBe(Math.ceil(given.count / 100));
				expect(requests).toBeLessThanOrEqual(unchanged.requests + 2 * moved + 2);
			}),
			{ numRuns: draws(25), examples: [[ITS_SAMPLE_LEAVES], [FOUR_IN_A_ROW]] },
		);
	});

	it('is complete where more pages than fit at once are answered in any order', async () => {
		const long = fc.record({
			...sorted,
			count: fc.constantFrom(3301, 3302, 3450, 4001),
			canLeave: fc.constant(false),
			shuffled: fc.constant(true),
			changes: fc.array(fc.integer({ min: 2, max: 45 }), { minLength: 1, maxLength: 6 }),
		});
		await fc.assert(
			fc.asyncProperty(long, async (given) => {
				expect((await readChanging(given)).read).toEqual(whole);
			}),
			{ numRuns: draws(6) },
		);
	});
});

describe('a list that changes at certain requests', () => {
	/** Reads `count` leads; `change` is given the number of each request but the first, before it is answered. */
	async function readWhile(
		change: (request: number, leads: Map<string, Lead>, now: number) => void,
		behaviour: ServiceBehaviour,
		count = 500,
	) {
		const initial = businessHours(count, seeded(count)).sort((a, b) => a.createdAt - b.createdAt);
		let request = 1;
		const list = leadList(initial, {
			...behaviour,
			churn: (leads, now) => change((request += 1), leads, now),
		});
		const { records, completeness } = await readAllLeads(list.read, {}, false);
		const found = new Set(records.map(({ id }) => id));
		const stayed = initial.filter(({ id }) => list.leads.has(id));
		const missing = stayed.filter(({ id }) => !found.has(id)).length;
		return { missing, completeness, requests: list.requests() };
	}
	const oldest = (leads: Map<string, Lead>) => [...leads.keys()][0];
	const newest = (leads: Map<string, Lead>) => [...leads.keys()].at(-1) ?? '';

	it('is read by windows where a stretch between two pages cannot be found by the second', async () => {
		const { missing, completeness } = await readWhile(
			(request, leads) => request === 3 && leads.delete(newest(leads)),
			{ granularity: DAY },
		);
		expect([missing, completeness]).toEqual([0, 'complete']);
	});

	it('is read again where it grows although it was bounded', async () => {
		const create = (leads: Map<string, Lead>, createdAt: number) =>
			leads.set(`new-${createdAt}`, { id: `new-${createdAt}`, createdAt, status: 'open' });
		const { missing, completeness } = await readWhile(
			(request, leads, now) => {
				if (request === 3 || request === 4) create(leads, now);
				// One is created and one deleted: the total stays, and a lead moves to the page before.
				if (request === 4) leads.delete(oldest(leads));
			},
			{ order: 'asc', ignores: { bounds: true } },
		);
		expect([missing, completeness]).toEqual([0, 'complete']);
	});

	// Page 1 a second time and what is newer than the bound; the page that only held the latest leads is empty.
	it.each([
		['desc', 510, 3, 6 + 2],
		['asc', 510, 3, 6 + 2],
		['desc', 500, 3, 6 + 2],
		['asc', 500, 3, 6 + 2],
		// The total behind the bound is known before the last page would be asked for.
		['desc', 4000, 3, 40 + 2],
		['asc', 4000, 250, 40 + 2 + 4],
	] as const)(
		'is bounded: %s, %d leads, and %d created just before',
		async (order, count, late, most) => {
			const leads = businessHours(count, seeded(count));
			for (let index = 0; index < late; index += 1) {
				leads.push({ id: `late-${index}`, createdAt: NOW - index, status: 'open' });
			}
			const list = leadList(leads, { order });
			const { records, completeness } = await readAllLeads(list.read, {}, false);
			expect([new Set(records.map(({ id }) => id)).size, records.length, completeness]).toEqual([
				count + late,
				count + late,
				'complete',
			]);
			expect(list.requests()).toBeLessThanOrEqual(most);
		},
	);

	it('does not ask for a page that is gone', async () => {
		const { missing, completeness, requests } = await readWhile(
			(request, leads) => request === 10 && [1, 2].forEach(() => leads.delete(oldest(leads))),
			{ order: 'asc' },
			4001,
		);
		// The deletion costs a request, and the last page none.
		expect([missing, completeness, requests]).toEqual([0, 'complete', 40 + 1]);
	});

	it.each([
		['desc', 1000, 1.75],
		['random', 1000, 2],
		['random', 1, 2],
	] as const)(
		'costs at most twice as much where leads are deleted (%s, %d before as many requests)',
		async (order, deletions, share) => {
			const random = seeded(7);
			const { missing, completeness, requests } = await readWhile(
				(request, leads) => {
					const place = Math.floor(random() * leads.size);
					if (request <= 2 + deletions) leads.delete([...leads.keys()][place]);
				},
				{ order },
				8000,
			);
			expect([missing, completeness]).toEqual([0, 'complete']);
			expect(requests).toBeLessThanOrEqual(80 * share);
		},
	);
});

describe('a filter that leads can leave', () => {
	it.each(ORDERS.flatMap((order) => [500, 2000].map((n) => ({ order, n }))))(
		'costs half as many requests again in order of time, else twice as many: %j',
		async ({ order, n }) => {
			const { requests, ...read } = await readCalm(n, true, { order });
			const pages = Math.ceil(n / 100);
			expect(read).toEqual(complete);
			expect(requests).toBeLessThanOrEqual((order === 'random' ? 2.2 : 1.5) * pages + 10);
		},
	);

	type Row = [order: ServiceBehaviour['order'], count: number, behaviour: ServiceBehaviour];
	/** Nothing is lost without a word, and the end comes. */
	const honest = async (...[order, count, behaviour]: Row) => {
		const { missing, completeness, requests } = await readCalm(count, true, {
			order,
			...behaviour,
		});
		expect(completeness !== 'complete' || missing === 0).toBe(true);
		expect(requests).toBeLessThan(20 * Math.ceil(count / 100) + 100);
	};
	const ignoring = { ignores: { bounds: true } };

	it.each<Row>([
		['asc', 101, ignoring],
		['desc', 150, ignoring],
		['desc', 2000, ignoring],
		['random', 101, ignoring],
		['random', 2000, ignoring],
		['asc', 500, { granularity: 1000 }],
		['desc', 500, { granularity: 1000 }],
		['desc', 500, { granularity: DAY, inclusive: true }],
		// A cut within a second or a day loses what stands between it and the start of that second or day.
		['random', 500, { granularity: 1000 }],
		['asc', 1000, { granularity: DAY }],
	])('copes with bounds that mean something else: %s, %d leads, %j', honest);
});
