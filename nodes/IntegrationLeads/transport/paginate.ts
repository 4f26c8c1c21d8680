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

	has({ id }: ServiceRecord): boolean {
		return this.ids.has(id);
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
 * A whole list that cannot be bounded in time. It is read over until twice as many distinct ids were found as the
 * service states: what slipped past one reading, while as much was added elsewhere, is in the other. Without a
 * stated total, until a reading brings nothing new.
 *
 * @param first the first page, when it was read already
 */
export async function readWhole(read: ReadPage, first?: Page): Promise<ReadList> {
	const limit = PAGE_SIZE.largest;
	const start = first ?? (await read({ page: 1, limit }));
	const all = new Distinct();
	if (isWhole(start)) {
		all.add(start.records);
		return { records: all.records, uncertain: false };
	}
	const told = start.total !== undefined;
	const pages = told ? await readPages(read, start) : await readUntold(read, start);
	all.add(pages.flatMap(({ records }) => records));
	if (!told && pages.length === 1) return { records: all.records, uncertain: false };
	let proofs = Number(told && isSettled(pages));
	for (let pass = 2; pass <= PASSES; pass += 1) {
		const again = await readPages(read, await read({ page: 1, limit }), pages.length);
		const added = all.add(again.flatMap(({ records }) => records));
		proofs += Number(told && isSettled(again));
		if (told ? proofs === 2 : added === 0) return { records: all.records, uncertain: false };
	}
	return { records: all.records, uncertain: true };
}

/** An answer that holds all it counts was read at one moment, so nothing can have slipped past. */
export function isWhole(page: Page): boolean {
	return page.total !== undefined && page.records.length === page.total;
}

/** All pages after the first, as many as it tells, or `count` where it does not. */
async function readPages(read: ReadPage, start: Page, count = 0): Promise<Page[]> {
	const limit = PAGE_SIZE.largest;
	const last = start.total === undefined ? count : pagesIn(start, limit);
	const pages = [start];
	await inParallel(pageNumbers(2, last), async (page) => {
		pages[page - 1] = await read({ page, limit });
	});
	return pages;
}

/** As many distinct ids as every page states in total. */
function isSettled(pages: Page[]): boolean {
	const own = new Distinct();
	own.add(pages.flatMap(({ records }) => records));
	return pages.every(({ total }) => total === own.size);
}

/** A list whose total is not told: a short page ends it, and so does one that brings nothing new. */
async function readUntold(read: ReadPage, first: Page): Promise<Page[]> {
	const limit = PAGE_SIZE.largest;
	const pages = [first];
	const seen = new Distinct();
	seen.add(first.records);
	for (let last = first; !isLast(last, pages.length + 1, limit); last = pages[pages.length - 1]) {
		const next = await read({ page: pages.length + 1, limit });
		// Without ids everything looks new, also the same page for ever.
		if (seen.add(next.records) === 0 || isSame(next, last)) break;
		pages.push(next);
	}
	return pages;
}

function isSame(a: Page, b: Page): boolean {
	return JSON.stringify(a.records) === JSON.stringify(b.records);
}

/** Whether `last` is the last page, seen from wanting `page` next. */
export function isLast(last: Page, page: number, asked: number): boolean {
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
