/**
 * Lists, page by page (spec 4.1 and part 8: `page` from 1, `limit` up to 100).
 *
 * Pages are counted by position, so a list that changes while it is read moves under the reader: records
 * appear twice, or slip past between two pages. Everything here removes the repeats; what slipped past is found
 * by comparing the distinct ids with the `total` that the service states.
 */
import type { ServiceRecord } from '../contract/envelope';

/** Spec part 8: the largest page, and the one given when `limit` is not understood. */
export const PAGE_SIZE = { largest: 100, default: 20 } as const;
/** Pages of one list that are asked for at the same time. */
export const PAGES_AHEAD = 8;
/** How often a list is read over when it will not hold still. */
const PASSES = 3;

/** One page as the service gave it. */
export interface Page {
	records: ServiceRecord[];
	/** How many records match in all, when the service says so. */
	total?: number;
	/** How many records a page holds, when the service says so. */
	limit?: number;
	/** The service's clock when it answered, in ms since the epoch. */
	serverNow?: number;
}

/** Reads one page of a list; filters are the caller's business. */
export type ReadPage = (page: { page: number; limit: number }) => Promise<Page>;

/** What came of reading a whole list. */
export interface ReadList {
	records: ServiceRecord[];
	/** The list changed while it was read, and no proof was found that nothing slipped past. */
	uncertain: boolean;
}

/** Records by id, each once, in the order in which they came. Records without an id cannot be told apart. */
export class Distinct {
	readonly records: ServiceRecord[] = [];

	private readonly ids = new Set<unknown>();

	/** @returns how many of them were new */
	add(records: ServiceRecord[]): number {
		const before = this.records.length;
		for (const record of records) {
			if (record.id !== undefined && record.id !== null) {
				if (this.ids.has(record.id)) continue;
				this.ids.add(record.id);
			}
			this.records.push(record);
		}
		return this.records.length - before;
	}

	get size(): number {
		return this.records.length;
	}
}

/**
 * Records of a list in batches, each record once, starting at a page. Pages are fetched ahead once the total is
 * known, and no further than `limit` needs: a consumer that stops early costs nothing more.
 *
 * @param limit how many records are wanted; also sets the page size
 */
export async function* paginate(
	read: ReadPage,
	limit: number,
	startPage = 1,
): AsyncGenerator<ServiceRecord[], void> {
	const size = Math.min(limit, PAGE_SIZE.largest);
	const seen = new Distinct();
	const first = await read({ page: startPage, limit: size });
	seen.add(first.records);
	yield first.records.slice(0, limit);
	for (let page = startPage + 1, last = first; seen.size < limit && !isLast(last, page, size); ) {
		const known = first.total !== undefined;
		const missing = Math.ceil((limit - seen.size) / pageSizeOf(last, size));
		const left = known ? pagesIn(last, size) - page + 1 : 1;
		const count = Math.max(1, Math.min(missing, left, PAGES_AHEAD));
		const ahead = Array.from({ length: count }, (_, index) => page + index);
		const pages = await Promise.all(
			ahead.map(async (each) => await read({ page: each, limit: size })),
		);
		for (const next of pages) {
			const before = seen.size;
			const added = seen.add(next.records);
			if (added > 0) yield seen.records.slice(before, limit);
			// A service that ignores `page` answers the same for ever.
			if (added === 0 && !known) return;
			// The last page is short; it must not pass for the size of the pages before it.
			last = { ...next, limit: next.limit ?? pageSizeOf(first, size) };
		}
		page += count;
	}
}

/**
 * A whole list that cannot be bounded in time. The pages are read until as many distinct ids were found as the
 * service states, with the same total on the first and the last page; else read over, a few times.
 *
 * @param first the first page, when it was read already
 */
export async function readWhole(read: ReadPage, first?: Page): Promise<ReadList> {
	const seen = new Distinct();
	const limit = PAGE_SIZE.largest;
	let start = first ?? (await read({ page: 1, limit }));
	for (let pass = 1; ; pass += 1) {
		seen.add(start.records);
		if (start.total === undefined) return await readUntold(read, seen, start);
		const rest = pageNumbers(2, pagesIn(start, limit));
		let settled = true;
		await inParallel(rest, async (page) => {
			const next = await read({ page, limit });
			seen.add(next.records);
			settled &&= next.total === start.total;
		});
		if (settled && seen.size === start.total) return { records: seen.records, uncertain: false };
		if (pass === PASSES) return { records: seen.records, uncertain: true };
		start = await read({ page: 1, limit });
	}
}

/** A list whose total is not told: a short page ends it, and so does a page that brings nothing new. */
async function readUntold(read: ReadPage, seen: Distinct, first: Page): Promise<ReadList> {
	const limit = PAGE_SIZE.largest;
	for (let page = 2, last = first; !isLast(last, page, limit); page += 1) {
		last = await read({ page, limit });
		if (seen.add(last.records) === 0) break;
	}
	return { records: seen.records, uncertain: false };
}

/** Whether `last` is the last page, seen from wanting `page` next. */
function isLast(last: Page, page: number, asked: number): boolean {
	if (last.records.length === 0) return true;
	if (last.total !== undefined) return page > pagesIn(last, asked);
	// Exactly the default size may mean that `limit` was not understood, not that the list ends.
	return last.records.length < asked && last.records.length !== PAGE_SIZE.default;
}

/** How many pages a list has. A service that gives smaller pages than asked for is taken at its word. */
export function pagesIn(page: Page, asked: number): number {
	return Math.ceil((page.total ?? 0) / pageSizeOf(page, asked));
}

function pageSizeOf(page: Page, asked: number): number {
	const stated = page.limit !== undefined && page.limit > 0 ? Math.min(page.limit, asked) : asked;
	const short = page.records.length < stated && page.records.length < (page.total ?? 0);
	return Math.max(1, short && page.limit === undefined ? page.records.length : stated);
}

export function pageNumbers(from: number, to: number): number[] {
	return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/**
 * Works on `jobs` with a bounded number at a time. The first that throws stops the rest from being begun.
 *
 * @returns false when `work` asked to stop by returning false
 */
export async function inParallel<T>(
	jobs: T[],
	work: (job: T) => Promise<boolean | void>,
	atOnce = PAGES_AHEAD,
): Promise<boolean> {
	let next = 0;
	let stopped = false;
	const worker = async () => {
		while (!stopped && next < jobs.length) {
			const job = jobs[next];
			next += 1;
			let goOn: boolean | void = false;
			try {
				goOn = await work(job);
			} finally {
				if (goOn === false) stopped = true;
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(atOnce, jobs.length) }, worker));
	return !stopped;
}
