/**
 * Return All for leads: nothing lost and nothing repeated while leads are created, deleted and changed.
 *
 * What makes it possible: `createdAt` never changes, and the list can be bounded by it (spec 4.1). Two facts carry
 * the whole file:
 *
 * 1. An answer whose length equals its `total` (100 at most) was read whole, at one moment, whatever the order and
 *    whatever moves.
 * 2. With `createdBefore` at the service's own clock nothing can be added to a list any more; equal totals on all
 *    pages and as many distinct ids then prove that nothing slipped past.
 *
 * So a calm list costs ceil(N / 100) requests (2.), two more while leads are being created. Any other is read by
 * windows of time (1.): in a list sorted by time of creation for about a quarter more requests, in any other
 * order for about twice as many (docs/transport.md has figures).
 */
import type { Page, ReadList, ReadPage } from './paginate';
import {
	certain,
	Distinct,
	hasId,
	inParallel,
	isWhole,
	PAGE_SIZE,
	pageNumbers,
	pagesIn,
	readWhole,
} from './paginate';
import type { ReadLeads, Span } from './leadSample';
import {
	between,
	createdTimes,
	inOrder,
	orderOf,
	planWindows,
	splitPoints,
	wholeSecond,
} from './leadSample';

/** More requests than this for a page of leads, and reading by windows leads nowhere. */
const REQUESTS_A_PAGE = 5;
const NOTHING: Page = { records: [], total: 0 };

/**
 * Reads all leads.
 *
 * @param bounds the user's own filter on the time of creation
 * @param movable whether a change can move a lead in or out of the filter (status, priority, tag, search);
 *   equal totals then prove nothing
 */
export async function readAllLeads(
	read: ReadLeads,
	bounds: Span,
	movable: boolean,
): Promise<ReadList> {
	const limit = PAGE_SIZE.largest;
	const first = await read({ page: 1, limit }, bounds);
	const byPages: ReadPage = async (page) => await read(page, bounds);
	const bounded = first.total !== undefined && first.records.every(hasId);
	if (isWhole(first) || !bounded) return await readWhole(byPages, first);
	const known = new Map([[1, first]]);
	// Windows that do not get smaller, because the service does not heed the bounds, must come to an end.
	let left = REQUESTS_A_PAGE * (pagesIn(first, limit) ?? 1) + 100;
	const limited: ReadLeads = async (page, span) => {
		left -= 1;
		return left < 0 ? NOTHING : await read(page, span);
	};
	const windowed: ReadLeads = async (page, span) => await limited(page, widened(span, bounds));
	if (!movable && first.serverNow !== undefined) {
		const proven = await readFrozen(limited, windowed, bounds, known, first, first.serverNow);
		if (proven?.allHaveIds && left >= 0) return certain(proven.records);
	}
	const found = await readByWindows(limited, windowed, bounds, known, first);
	// Windows overlap, and would give leads without ids more than once.
	if (!found.allHaveIds) return await readWhole(byPages);
	// Leads that were seen before and are in no window: a few have left the filter, many tell of bounds that do not
	// work as windows need them to.
	const sample = [...known.values()].flatMap(({ records }) => records);
	const strayed = sample.filter((record) => !found.has(record)).length;
	const reliable = left >= 0 && strayed <= Math.max(2, 0.02 * sample.length);
	if (reliable) return certain(found.records);
	// The service's bounds do not work as the spec lets us expect; positions are all that is left.
	const plain = await readWhole(byPages);
	found.add(plain.records);
	return { ...plain, records: found.records };
}

/**
 * Fact 2. Adds to `known` what it reads, and stops at the first page that shows another total.
 *
 * @param windowed reads a page of a window, whose bounds are widened so that neighbours overlap
 * @returns all leads, or undefined when the list moved
 */
async function readFrozen(
	read: ReadLeads,
	windowed: ReadLeads,
	bounds: Span,
	known: Map<number, Page>,
	first: Page,
	now: number,
): Promise<Distinct | undefined> {
	const limit = PAGE_SIZE.largest;
	const frozen = { ...bounds, to: Math.min(now, bounds.to ?? now) };
	const late = new Distinct();
	const second = await read({ page: 2, limit }, frozen);
	known.set(2, second);
	const { total } = second;
	if (total === undefined) return undefined;
	if (total !== first.total) {
		// Leads of this very second lie behind the bound: they are read apart, the rest from its first page on.
		known.set(1, await read({ page: 1, limit }, frozen));
		await readWindow(windowed, { from: frozen.to, to: bounds.to }, late);
	}
	const calm = await inParallel(
		pageNumbers(3, pagesIn(second, limit, first) ?? 1),
		async (page) => {
			const next = await read({ page, limit }, frozen);
			known.set(page, next);
			return next.total === total;
		},
	);
	const seen = new Distinct();
	for (const [, page] of inOrder(known)) seen.add(page.records);
	const settledFirst = known.get(1)?.total === total;
	if (!calm || !settledFirst || seen.size !== total) return undefined;
	seen.add(late.records);
	// Fewer than there were: leads were deleted, or the late ones could not all be had by time.
	return seen.size < (first.total ?? 0) ? undefined : seen;
}

async function readByWindows(
	read: ReadLeads,
	windowed: ReadLeads,
	bounds: Span,
	known: Map<number, Page>,
	first: Page,
): Promise<Distinct> {
	const found = new Distinct();
	const windows = await planWindows(read, bounds, known, first);
	await inParallel(windows, async (window) => await readWindow(windowed, window, found));
	return found;
}

/**
 * Reads one window whole: walking through it where its list is sorted by time, else splitting it as often as it takes.
 *
 * @param page the window's first page, when it was read already
 */
async function readWindow(
	read: ReadLeads,
	span: Span,
	found: Distinct,
	page?: Page,
): Promise<void> {
	page ??= await read({ page: 1, limit: PAGE_SIZE.largest }, span);
	found.add(page.records);
	if (isWhole(page)) return;
	if (page.total === undefined) return await readCrowd(read, span, found, page);
	const [covered, rest] = divide(span, page);
	if (!rest) return await readSplit(read, span, found, page);
	const next = await read({ page: 1, limit: PAGE_SIZE.largest }, rest);
	await readWindow(read, rest, found, next);
	// Sorted by time, the page holds all of its own stretch. If that is so, what it does not share with the next
	// page is missing from the next total. Otherwise something moved, or the order only looked like it.
	const shared = new Set(next.records.map(({ id }) => id));
	const own = page.records.filter(({ id }) => !shared.has(id));
	if (page.total - (next.total ?? 0) !== own.length) {
		const again = await read({ page: 1, limit: PAGE_SIZE.largest }, covered);
		found.add(again.records);
		if (!isWhole(again)) await readSplit(read, covered, found, again);
	}
}

/** The stretch of a window that its first page covers, and what is left; nothing is left where there is no order. */
function divide(span: Span, { records }: Page): [covered: Span, rest?: Span] {
	const order = orderOf(records);
	const times = createdTimes(records);
	const edge = times[times.length - 1];
	const { from = -Infinity, to = Infinity } = span;
	// Leads of the edge's own millisecond may stand on both sides of it. Where there is room, the cut is made between
	// two seconds: a service that compares no finer would else leave out the second it is made in.
	const [before, after] = [wholeSecond(edge), wholeSecond(edge) + 1000];
	if (order === 'falling' && edge + 1 < to) {
		return [
			{ from: before, to: span.to },
			{ from: span.from, to: after < to ? after : edge + 1 },
		];
	}
	if (order === 'rising' && edge > from) {
		return [
			{ from: span.from, to: after },
			{ from: before > from ? before : edge, to: span.to },
		];
	}
	return [span];
}

/** Reads a window in parts. `page` is its first page, and held less than the window. */
async function readSplit(read: ReadLeads, span: Span, found: Distinct, page: Page): Promise<void> {
	const parts = between(span, splitPoints(span, page));
	if (parts.length < 2) {
		// More leads in one millisecond than a page holds: there is no time left to split.
		return await readCrowd(read, span, found, page);
	}
	for (const part of parts) {
		const first = await read({ page: 1, limit: PAGE_SIZE.largest }, part);
		found.add(first.records);
		if (!isWhole(first)) await readSplit(read, part, found, first);
	}
}

/** Reads a window by positions. */
async function readCrowd(read: ReadLeads, span: Span, found: Distinct, page: Page): Promise<void> {
	const crowd = await readWhole(async (each) => await read(each, span), page);
	found.add(crowd.records);
}

/**
 * One millisecond more on each side: whether a bound includes itself is not shown. Repeats are dropped by id. The
 * user's own bounds stay as they were given.
 */
function widened({ from, to }: Span, own: Span): Span {
	return {
		from: from === undefined || from === own.from ? from : from - 1,
		to: to === undefined || to === own.to ? to : to + 1,
	};
}
