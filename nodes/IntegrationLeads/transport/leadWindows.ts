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
 * So a calm list costs ceil(N / 100) requests (2.), two more while leads are being created, and any other is read
 * by windows of time that are each read whole (1.), for up to half as many requests again.
 */
import type { ServiceRecord } from '../contract/envelope';
import type { Page, ReadList } from './paginate';
import { Distinct, inParallel, PAGE_SIZE, pageNumbers, pagesIn, readWhole } from './paginate';

/** Bounds of a window in ms since the epoch; a missing one is open. */
interface Span {
	from?: number;
	to?: number;
}

/** Reads one page of leads created within a span. */
export type ReadLeads = (page: { page: number; limit: number }, span: Span) => Promise<Page>;

/** Leads aimed at in a window: room for those that were created since the window was planned. */
const WINDOW_LEADS = 80;
/** How much of a list is looked at to learn how its leads are spread over time. */
const SAMPLE_SHARE = 0.15;

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
	if (isWhole(first)) return settled(first.records);
	if (first.total === undefined) {
		return await readWhole(async (page) => await read(page, bounds), first);
	}
	const known = new Map([[1, first]]);
	if (!movable && first.serverNow !== undefined) {
		const proven = await readFrozen(read, bounds, known, first, first.serverNow);
		if (proven) return { records: proven.records, uncertain: false };
	}
	const { found, reliable } = await readByWindows(read, bounds, known, first);
	if (reliable && found.size >= 0.9 * first.total) return settled(found.records);
	// The service's bounds do not work as the spec lets us expect; positions are all that is left.
	const plain = await readWhole(async (page) => await read(page, bounds));
	found.add(plain.records);
	return { records: found.records, uncertain: plain.uncertain };
}

function settled(records: ServiceRecord[]): ReadList {
	const seen = new Distinct();
	seen.add(records);
	return { records: seen.records, uncertain: false };
}

/** Fact 1. */
function isWhole(page: Page): boolean {
	return page.total !== undefined && page.records.length === page.total;
}

/**
 * Fact 2. Adds to `known` what it reads, and stops at the first page that shows another total.
 *
 * @returns all leads, or undefined when the list moved
 */
async function readFrozen(
	read: ReadLeads,
	bounds: Span,
	known: Map<number, Page>,
	first: Page,
	now: number,
): Promise<Distinct | undefined> {
	const limit = PAGE_SIZE.largest;
	const frozen = { ...bounds, to: Math.min(now, bounds.to ?? now) };
	const seen = new Distinct();
	const second = await read({ page: 2, limit }, frozen);
	known.set(2, second);
	const { total } = second;
	if (total === undefined) return undefined;
	if (total !== first.total) {
		// Leads of this very second lie behind the bound: they are read apart, the rest from its first page on.
		known.set(1, await read({ page: 1, limit }, frozen));
		await readWindow(read, { from: frozen.to - 1, to: bounds.to }, seen);
	}
	const late = seen.size;
	const calm = await inParallel(pageNumbers(3, pagesIn(second, limit)), async (page) => {
		const next = await read({ page, limit }, frozen);
		known.set(page, next);
		return next.total === total;
	});
	for (const [, page] of [...known].sort(byNumber)) seen.add(page.records);
	const settledFirst = known.get(1)?.total === total;
	return calm && settledFirst && seen.size - late === total ? seen : undefined;
}

function byNumber([a]: [number, Page], [b]: [number, Page]): number {
	return a - b;
}

async function readByWindows(
	read: ReadLeads,
	bounds: Span,
	known: Map<number, Page>,
	first: Page,
): Promise<{ found: Distinct; reliable: boolean }> {
	const found = new Distinct();
	const total = first.total ?? 0;
	const sample = await readSample(read, bounds, known, pagesIn(first, PAGE_SIZE.largest));
	const windows = between(bounds, quantiles(sample, Math.ceil(total / WINDOW_LEADS)));
	const readWidened: ReadLeads = async (page, span) => await read(page, widened(span, bounds));
	let sum = 0;
	await inParallel(windows, async (window) => {
		const held = (await readWindow(readWidened, window, found)) ?? 0;
		sum += held;
	});
	// Windows that each hold everything, or nothing, are no windows.
	const reliable = sum > 0.8 * total - 20 && sum < 1.3 * total + 4 * windows.length + 20;
	return { found, reliable };
}

/**
 * Reads one window whole, splitting it as often as it takes.
 *
 * @returns the total the service stated for it
 */
async function readWindow(
	read: ReadLeads,
	span: Span,
	found: Distinct,
): Promise<number | undefined> {
	const page = await read({ page: 1, limit: PAGE_SIZE.largest }, span);
	found.add(page.records);
	if (isWhole(page) || page.total === undefined) return page.total;
	const parts = between(span, splitPoints(span, page));
	if (parts.length < 2) {
		// More leads in one millisecond than a page holds: there is no time left to split.
		const crowd = await readWhole(async (each) => await read(each, span), page);
		found.add(crowd.records);
		return page.total;
	}
	let sum = 0;
	for (const part of parts) {
		sum += (await readWindow(read, part, found)) ?? 0;
		// Parts that hold more than the whole: the service does not heed the bounds.
		if (sum > 2 * page.total + PAGE_SIZE.largest) return sum;
	}
	return page.total;
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

/**
 * Where to split a window that holds too much. Leads that stand close together (an import) are cut out and
 * split among themselves; else the time is split evenly.
 */
function splitPoints(span: Span, page: Page): number[] {
	const times = createdTimes(page.records).sort(ascending);
	if (times.length === 0) return [];
	const count = Math.ceil((page.total ?? 0) / WINDOW_LEADS);
	const [low, high] = [times[0], times[times.length - 1]];
	const { from = low, to = high + 1 } = span;
	const open = span.from === undefined || span.to === undefined;
	if (open || high - low < (to - from) / 2) {
		// In a sorted list the page is one end of the window, and holds all that stands between its own ends.
		const inner = isSorted(page.records) ? 2 : count;
		return [low, ...quantiles(times, inner), high + 1];
	}
	return Array.from({ length: count - 1 }, (_, index) => {
		return Math.round(from + ((to - from) * (index + 1)) / count);
	});
}

/** The spans between points, from one end of `span` to the other. None is shorter than a millisecond. */
function between(span: Span, points: number[]): Span[] {
	const { from = -Infinity, to = Infinity } = span;
	const inside = points.filter((point) => point > from && point < to);
	const edges = [...new Set(inside)].sort((a, b) => a - b);
	const starts = [span.from, ...edges];
	return starts.map((start, index) => ({ from: start, to: edges[index] ?? span.to }));
}

/**
 * Times of creation that show how the leads are spread, sorted. The pages read so far serve, and more that lie
 * evenly over the list. In a list sorted by time, what lies between two pages is filled in evenly; in any other
 * order all leads seen are a sample as they are.
 */
async function readSample(
	read: ReadLeads,
	bounds: Span,
	known: Map<number, Page>,
	lastPage: number,
): Promise<number[]> {
	const wanted = Math.max(2, Math.ceil(lastPage * SAMPLE_SHARE));
	const step = (lastPage - 1) / (wanted - 1);
	const evenly = pageNumbers(0, wanted - 1).map((index) => 1 + Math.round(index * step));
	const missing = known.size > lastPage / 2 ? [] : evenly.filter((page) => !known.has(page));
	await inParallel(missing, async (page) => {
		known.set(page, await read({ page, limit: PAGE_SIZE.largest }, bounds));
	});
	const pages = [...known].sort(byNumber);
	const seen = pages.flatMap(([, { records }]) => createdTimes(records));
	const sorted = pages.every(([, { records }]) => isSorted(records));
	return (sorted ? [...seen, ...fillGaps(pages)] : seen).sort(ascending);
}

/** For each page left out of a list sorted by time, as many times as it holds, evenly between its neighbours. */
function fillGaps(pages: Array<[number, Page]>): number[] {
	return pages.flatMap(([number, page], index) => {
		const [nextNumber, next] = pages[index + 1] ?? [number, page];
		const start = createdTimes(page.records).at(-1);
		const end = createdTimes(next.records).at(0);
		const count = (nextNumber - number - 1) * PAGE_SIZE.largest;
		if (start === undefined || end === undefined || count <= 0) return [];
		return Array.from({ length: count }, (_, place) => {
			return Math.round(start + ((end - start) * (place + 1)) / (count + 1));
		});
	});
}

/** `count - 1` values that cut sorted `values` into `count` equal parts. */
function quantiles(values: number[], count: number): number[] {
	if (values.length === 0) return [];
	return Array.from({ length: Math.max(0, count - 1) }, (_, index) => {
		return values[Math.floor(((index + 1) * values.length) / count)];
	});
}

/** When leads were created, in ms, in the order of the list. Leads without a readable time are left out. */
function createdTimes(records: ServiceRecord[]): number[] {
	const times = records.map(({ createdAt }) => Date.parse(String(createdAt)));
	return times.filter((time) => !Number.isNaN(time));
}

function isSorted(records: ServiceRecord[]): boolean {
	const times = createdTimes(records);
	const falling = times.every((time, index) => index === 0 || time <= times[index - 1]);
	return falling || times.every((time, index) => index === 0 || time >= times[index - 1]);
}

function ascending(a: number, b: number): number {
	return a - b;
}
