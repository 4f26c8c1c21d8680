/** How leads are spread over time, and where to cut that time into windows. */
import type { ServiceRecord } from '../contract/envelope';
import type { Page } from './paginate';
import { inParallel, PAGE_SIZE, pageNumbers, pagesIn } from './paginate';

/** Bounds of a window in ms since the epoch; a missing one is open. */
export interface Span {
	from?: number;
	to?: number;
}

/** Reads one page of leads created within a span. */
export type ReadLeads = (page: { page: number; limit: number }, span: Span) => Promise<Page>;

/**
 * How many leads a window is meant to hold, and how much of the list is looked at to find such windows. A list
 * sorted by time is walked through, so its windows may be large and need not be found well. In any other order a
 * window has to fit into one answer: the room left is for what the sample did not show.
 */
const WINDOWS = {
	sorted: { leads: 500, share: 0.05 },
	unsorted: { leads: 80, share: 0.15 },
};

/** Pages by their numbers. */
export function inOrder(known: Map<number, Page>): Array<[number, Page]> {
	return [...known].sort(([a], [b]) => a - b);
}

/** The windows in which to read a list. May add pages to `known`. */
export async function planWindows(
	read: ReadLeads,
	bounds: Span,
	known: Map<number, Page>,
	first: Page,
): Promise<Span[]> {
	const sorted = [...known.values()].every(({ records }) => orderOf(records) !== 'none');
	const { leads, share } = sorted ? WINDOWS.sorted : WINDOWS.unsorted;
	const count = Math.ceil((first.total ?? 0) / leads);
	if (count < 2) return [bounds];
	const sample = await readSample(
		read,
		bounds,
		known,
		pagesIn(first, PAGE_SIZE.largest) ?? 1,
		share,
	);
	return between(bounds, quantiles(sample, count));
}

/**
 * Where to split a window that holds too much. Leads that stand close together (an import) are cut out and
 * split among themselves; else the time is split evenly.
 */
export function splitPoints(span: Span, page: Page): number[] {
	const times = createdTimes(page.records).sort(ascending);
	if (times.length === 0) return [];
	const count = Math.ceil((page.total ?? 0) / WINDOWS.unsorted.leads);
	const [low, high] = [times[0], times[times.length - 1]];
	const { from = low, to = high + 1 } = span;
	const open = span.from === undefined || span.to === undefined;
	if (open || high - low < (to - from) / 2) {
		// In a sorted list the page is one end of the window, and holds all that stands between its own ends.
		const inner = orderOf(page.records) === 'none' ? count : 2;
		return [low, ...quantiles(times, inner), high + 1];
	}
	return Array.from({ length: count - 1 }, (_, index) => {
		return Math.round(from + ((to - from) * (index + 1)) / count);
	});
}

/**
 * The spans between points, from one end of `span` to the other. None is shorter than a millisecond, and cuts are made
 * between two seconds as long as there is one to be made.
 */
export function between(span: Span, points: number[]): Span[] {
	const { from = -Infinity, to = Infinity } = span;
	const inside = (point: number) => point > from && point < to;
	const seconds = points.map(wholeSecond).filter(inside);
	const edges = [...new Set(seconds.length > 0 ? seconds : points.filter(inside))].sort(ascending);
	const starts = [span.from, ...edges];
	return starts.map((start, index) => ({ from: start, to: edges[index] ?? span.to }));
}

/** The second in which a time lies. */
export function wholeSecond(time: number): number {
	return Math.floor(time / 1000) * 1000;
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
	share: number,
): Promise<number[]> {
	const wanted = Math.max(2, Math.ceil(lastPage * share));
	const step = (lastPage - 1) / (wanted - 1);
	const evenly = pageNumbers(0, wanted - 1).map((index) => 1 + Math.round(index * step));
	const missing = known.size > lastPage / 2 ? [] : evenly.filter((page) => !known.has(page));
	await inParallel(missing, async (page) => {
		known.set(page, await read({ page, limit: PAGE_SIZE.largest }, bounds));
	});
	const pages = inOrder(known);
	const seen = pages.flatMap(([, { records }]) => createdTimes(records));
	const sorted = pages.every(([, { records }]) => orderOf(records) !== 'none');
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
export function createdTimes(records: ServiceRecord[]): number[] {
	const times = records.map(({ createdAt }) => Date.parse(String(createdAt)));
	return times.filter((time) => !Number.isNaN(time));
}

/** Whether records stand in the order of their creation; 'none' also where there is nothing to see. */
export function orderOf(records: ServiceRecord[]): 'rising' | 'falling' | 'none' {
	const times = createdTimes(records);
	if (times.length < 2 || times.length < records.length) return 'none';
	if (times.every((time, index) => index === 0 || time <= times[index - 1])) return 'falling';
	return times.every((time, index) => index === 0 || time >= times[index - 1]) ? 'rising' : 'none';
}

function ascending(a: number, b: number): number {
	return a - b;
}
