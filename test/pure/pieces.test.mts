import { Bounds, UNIT } from '../../nodes/IntegrationLeads/windows/bounds';
import type { Piece } from '../../nodes/IntegrationLeads/windows/pieces';
import { readPieces } from '../../nodes/IntegrationLeads/windows/pieces';
import type { Listed, Span, TimedLead } from '../../nodes/IntegrationLeads/windows/listed';
import { toListed, toTimedLead } from '../../nodes/IntegrationLeads/windows/listed';
import type { Lead, ServiceBehaviour } from './leadList.mts';
import { businessHours, leadList } from './leadList.mts';
import { seeded } from './virtualClock.mts';

/** Leads that were all created at the same time. */
function burstOf(count: number, createdAt: number): Lead[] {
	return Array.from({ length: count }, (_, index) => {
		return { id: `burst-${index}`, createdAt, status: 'open' };
	});
}

/** Reads an interval of a list in pieces, with so many requests; `lag` is how many leads the first count is behind. */
async function piecesOf(
	list: ReturnType<typeof leadList>,
	bounds: Bounds,
	span: Span & { page?: Listed },
	{ lag = 0, requests = 500, isKnown = false } = {},
) {
	const pieces: Array<Piece<TimedLead>> = [];
	await readPieces<TimedLead>(span, {
		read: async (span, page) => {
			if (list.requests() >= requests) return undefined;
			const answer = await list.read({ page, limit: 100 }, bounds.toQuery(span));
			const { length } = answer.records;
			const counted = answer.total ?? (length < 100 ? length : undefined);
			const total = counted && counted - (list.requests() === 1 ? lag : 0);
			return toListed({ ...answer, total }, toTimedLead);
		},
		bounds,
		isKnown: () => isKnown,
		take: (piece) => pieces.push(piece),
		left: () => requests - list.requests(),
	});
	return pieces;
}

/** Reads a whole list; `burst` leads are created at its start, in one millisecond. */
async function readAll(
	count: number,
	behaviour: ServiceBehaviour,
	{ burst = 0, ...limits }: { burst?: number; lag?: number; requests?: number } = {},
) {
	const start = Date.parse('2025-11-30T00:00:00Z');
	const leads = [...burstOf(burst, start), ...businessHours(count, seeded(count))];
	const list = leadList(leads, behaviour);
	const span = { start: burst > 0 ? start : -Infinity, end: Infinity };
	const pieces = await piecesOf(list, new Bounds(), span, limits);
	const complete = pieces.filter(({ completeness }) => completeness !== 'incomplete');
	const found = complete.flatMap((piece) => piece.leads.map(({ id }) => id));
	return { found, complete, requests: list.requests() };
}

const ORDERS = ['asc', 'desc', 'random'] as const;

it.each([
	[0, 1],
	[15, 1],
	[16, 2],
	[63, 7],
	[64, 8],
	[1000, 8],
])('with %d requests left, reads so many intervals at the same time: %d', async (left, width) => {
	const list = leadList(businessHours(3000, seeded(3)), { order: 'random' });
	const bounds = new Bounds(UNIT.second);
	let [reading, most] = [0, 0];
	await readPieces<TimedLead>(
		{ start: -Infinity, end: Infinity },
		{
			read: async (span, page) => {
				most = Math.max(most, (reading += 1));
				await Promise.resolve();
				reading -= 1;
				return toListed(await list.read({ page, limit: 100 }, bounds.toQuery(span)), toTimedLead);
			},
			bounds,
			isKnown: () => true,
			take: () => undefined,
			left: () => left,
		},
	);
	expect(most).toBe(width);
});

it.each<[number, ServiceBehaviour, number]>([
	[5000, { order: 'asc' }, 53],
	[5000, { order: 'desc' }, 53],
	// A short page is not trusted to be sorted by more than chance.
	[500, { order: 'asc', largestPage: 10 }, 115],
	[500, { order: 'desc', largestPage: 10 }, 115],
	[5000, { order: 'random' }, 110],
	[2000, { order: 'random', withoutTotal: true }, 60],
	[2000, { order: 'asc', withoutTotal: true }, 70],
	[900, { order: 'asc', inclusive: true }, 30],
	[900, { order: 'random', inclusive: true }, 30],
	[900, { order: 'asc', granularity: 1000 }, 30],
	[900, { order: 'random', granularity: 1000 }, 30],
])('lists %d leads with few more requests than pages: %j', async (count, behaviour, most) => {
	const { found, requests } = await readAll(count, behaviour);
	expect([found.length, new Set(found).size]).toEqual([count, count]);
	expect(requests).toBeLessThanOrEqual(most);
});

it.each(ORDERS)('is certain of each piece of an unchanged list (%s)', async (order) => {
	const list = leadList(businessHours(900, seeded(9)), { order });
	const first = toListed(await list.read({ page: 1, limit: 100 }), toTimedLead);
	const bounds = new Bounds();
	const span = { start: -Infinity, end: Infinity, page: first };
	for (const { leads, ...piece } of await piecesOf(list, bounds, span)) {
		expect(piece).toMatchObject({ completeness: 'complete', total: leads.length });
	}
	// The page that is known is not read again.
	expect(list.requests()).toBeLessThanOrEqual(order === 'random' ? 21 : 11);
});

it.each(ORDERS)('goes on behind a full page with a smaller total (%s)', async (order) => {
	// The service counts, leads are created, and it lists: 100 of 150, with a total of 99.
	const { found } = await readAll(150, { order }, { lag: 51 });
	expect(new Set(found).size).toBe(150);
});

it.each(ORDERS)('takes only complete pieces where requests run out (%s)', async (order) => {
	// However many there are, some part is read to its end.
	const { found, complete } = await readAll(100_000, { order }, { requests: 9 });
	const isLeft = ({ createdAt }: { createdAt: number }) =>
		!complete.some(({ start, end }) => createdAt >= start && createdAt < end);
	const known = new Set(found);
	const missing = businessHours(100_000, seeded(100_000)).filter(({ id }) => !known.has(id));
	expect(missing.length).toBeGreaterThan(0);
	expect(found.length).toBeGreaterThan(0);
	expect(missing.every(isLeft)).toBe(true);
});

it('loses nothing behind a short page that is sorted by chance', async () => {
	// A lead that is created meanwhile makes up for one that the page does not show.
	for (let seed = 1; seed <= 100; seed += 1) {
		const initial = businessHours(6, seeded(seed));
		const churn = (leads: Map<string, Lead>, createdAt: number) =>
			leads.set(`new-${createdAt}`, { id: `new-${createdAt}`, createdAt, status: 'open' });
		const list = leadList(initial, { order: 'random', largestPage: 3, churn });
		const bounds = new Bounds(UNIT.second);
		const pieces = await piecesOf(list, bounds, { start: -Infinity, end: Infinity });
		const found = pieces.flatMap(({ leads }) => leads.map(({ id }) => id));
		expect(found).toEqual(expect.arrayContaining(initial.map(({ id }) => id)));
	}
});

it('does not believe a page that is sorted by chance unless the rest is as long as it should be', async () => {
	const ids = Array.from({ length: 50 }, (_, n) => ({ id: `lead-${n}`, createdAt: 0, status: '' }));
	const { records } = await leadList(ids, { order: 'random' }).read({ page: 1, limit: 50 });
	const leads = records.map(({ id }, place) => {
		// The first page holds every other lead, in order.
		const seconds = place < 25 ? 2 * place : 2 * place - 49;
		return { id: String(id), createdAt: UNIT.day + seconds * 1000, status: 'open' };
	});
	const list = leadList(leads, { order: 'random', largestPage: 25 });
	const bounds = new Bounds(UNIT.second);
	const pieces = await piecesOf(list, bounds, { start: -Infinity, end: Infinity });
	expect(new Set(pieces.flatMap((piece) => piece.leads.map(({ id }) => id))).size).toBe(50);
});

it.each([
	['asc', 60_000, { start: UNIT.day, end: Infinity }],
	['desc', -60_000, { start: -Infinity, end: UNIT.day + 1000 }],
] as const)(
	'does not take leads of one second for an end of a list (%s)',
	async (order, step, span) => {
		const burst = burstOf(30, UNIT.day).map((lead, ms) => ({ ...lead, createdAt: UNIT.day + ms }));
		const others = Array.from({ length: 5 }, (_, index) => {
			return { id: `lead-${index}`, createdAt: UNIT.day + (index + 1) * step, status: 'open' };
		});
		const list = leadList([...burst, ...others], { order, largestPage: 25 });
		// Five of the burst were created between counting and listing: the rest is as long as if the page held all of it.
		const bounds = new Bounds(UNIT.second);
		const pieces = await piecesOf(list, bounds, span, { lag: 5 });
		expect(new Set(pieces.flatMap((piece) => piece.leads.map(({ id }) => id))).size).toBe(35);
	},
);

it('reads a burst at the start of an open interval apart from the rest', async () => {
	// By pages, everything would be read twice: at least 2 x 13 requests.
	const { found, requests } = await readAll(1000, { order: 'asc' }, { burst: 250 });
	expect([found.length, new Set(found).size]).toEqual([1250, 1250]);
	expect(requests).toBeLessThan(24);
});

it.each([
	[1, false, UNIT.second],
	[UNIT.day, false, UNIT.day],
	[UNIT.day, true, UNIT.day],
])(
	'finds out once how finely bounds are compared: by %d ms',
	async (granularity, inclusive, unit) => {
		const list = leadList(businessHours(2000, seeded(3)), { granularity, inclusive });
		const bounds = new Bounds();
		const pieces = await piecesOf(list, bounds, { start: -Infinity, end: Infinity });
		const found = pieces.flatMap(({ leads }) => leads.map(({ id }) => id));
		expect([found.length, new Set(found).size, bounds.unit]).toEqual([2000, 2000, unit]);
		expect(list.requests()).toBeLessThan(unit === UNIT.day ? 145 : 24);
	},
);

it.each(ORDERS)('reads a list by pages if the service ignores bounds (%s)', async (order) => {
	const { found, complete, requests } = await readAll(250, { order, ignores: { bounds: true } });
	expect([complete.length, new Set(found).size]).toEqual([1, 250]);
	expect(requests).toBeLessThan(12);
});

it.each([UNIT.second, UNIT.day])(
	'reads the ends of an interval apart where bounds include neighbours: by %d ms',
	async (unit) => {
		const at = (place: number) => UNIT.day * 20_000 + place * unit;
		// The first page holds nothing but leads created right after the interval.
		const leads = [...burstOf(150, at(20)), { id: 'inside', createdAt: at(14), status: 'open' }];
		const list = leadList(leads, { granularity: unit, inclusive: true });
		const bounds = new Bounds(unit);
		const pieces = await piecesOf(list, bounds, { start: at(10), end: at(20) });
		expect(pieces.flatMap((piece) => piece.leads.map(({ id }) => id))).toEqual(['inside']);
		expect(pieces).toContainEqual({
			start: at(11),
			end: at(19),
			completeness: 'complete',
			total: 1,
			leads: [{ id: 'inside', createdAt: at(14) }],
		});
		expect(pieces.map(({ start, end }) => [start, end]).sort()).toEqual([
			[at(10), at(11)],
			[at(11), at(19)],
			[at(19), at(20)],
		]);
	},
);

describe('more leads than a page in one millisecond', () => {
	const moment = Date.parse('2026-01-14T10:30:00.000Z');

	/** Reads 250 of them; `change` is given the number of each request but the first, before it is answered. */
	async function readBurst(
		change: (request: number, leads: Map<string, Lead>) => void,
		limits: { isKnown?: boolean; requests?: number } = {},
	) {
		let request = 1;
		const list = leadList(burstOf(250, moment), {
			order: 'asc',
			churn: (leads) => change((request += 1), leads),
		});
		const span = { start: moment, end: moment + 1000 };
		const bounds = new Bounds(UNIT.second);
		const [{ leads, ...piece }] = await piecesOf(list, bounds, span, limits);
		const found = new Set(leads.map(({ id }) => id));
		const missing = [...list.leads.keys()].filter((id) => !found.has(id)).length;
		return { missing, completeness: piece.completeness, requests: list.requests() };
	}
	const still = () => undefined;

	it.each([
		['twice', {}, { missing: 0, completeness: 'complete', requests: 6 }],
		['once where no known lead is missing', { isKnown: true }, { missing: 0, requests: 3 }],
		['in part where requests run out', { requests: 5 }, { missing: 0, completeness: 'unclear' }],
		['in part', { requests: 2 }, { missing: 50, completeness: 'incomplete', requests: 2 }],
	])('are read %s', async (_, limits, expected) => {
		expect(await readBurst(still, limits)).toMatchObject(expected);
	});

	it('are all found where one is created and one deleted between two pages', async () => {
		const { missing } = await readBurst((request, leads) => {
			if (request !== 2) return;
			leads.delete('burst-0');
			leads.set('new', { id: 'new', createdAt: moment, status: 'open' });
		});
		expect(missing).toBe(0);
	});
});
