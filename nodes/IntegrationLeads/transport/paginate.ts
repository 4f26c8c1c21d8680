/**
 * Lists, page by page (spec 4.1 and part 8: `page` from 1, `limit` up to 100).
 *
 * Pages are counted by position, so a list that changes while it is read moves under the reader: records
 * appear twice, or slip past between two pages. Everything here removes the repeats; what slipped past is found
 * by comparing the distinct ids with the `total` that the service states.
 */
import type { ServiceRecord } from '../contract/envelope';
import { MOST_IN_FLIGHT, STARTING_CONCURRENCY } from './concurrency';

/** Spec part 8: the largest page, and the one given when `limit` is not understood. */
export const PAGE_SIZE = { largest: 100, default: 20 } as const;
/** Pages that are asked for before it is known whether they are wanted. */
export const PAGES_AHEAD = 8;
/** Limit for a list without a stated length whose records have no IDs: where `page` is ignored, it never ends. */
const MOST_UNNAMED_PAGES = 1_000;
/** Sizes that somebody chose for a page can be divided by this. */
export const ROUND_SIZE = 5;
/** How often a list is read over when it will not hold still. */
const PASSES = 3;

/** One page as the service gave it. */
export interface Page {
	records: ServiceRecord[];
	/** How many records match in all, when the service says so. */
	total?: number;
	/** How many pages there are, when the service says so. */
	totalPages?: number;
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
	/** Records came without ids on several pages: whether the list changed meanwhile could not be found out. */
	unchecked: boolean;
}

/**
 * Records by id, each once, in the order in which they came. Records without an id cannot be distinguished: they have to
 * be added once only.
 */
export class Distinct {
	readonly records: ServiceRecord[] = [];

	private readonly ids = new Set<unknown>();

	/** The pages that came, by what they held in whatever order. */
	private readonly unnamed = new Set<string>();

	/** @returns how many of them were new */
	add(records: ServiceRecord[]): number {
		const before = this.records.length;
		if (this.isRepeat(records)) return 0;
		for (const record of records) {
			if (hasId(record)) {
				if (this.ids.has(record.id)) continue;
				this.ids.add(record.id);
			}
			this.records.push(record);
		}
		return this.records.length - before;
	}

	/** Without ids everything looks new; the same records once more come from a service that ignores `page`. */
	private isRepeat(records: ServiceRecord[]): boolean {
		if (records.every(hasId)) return false;
		const held = JSON.stringify(records.map((record) => JSON.stringify(record)).sort());
		if (this.unnamed.has(held)) return true;
		this.unnamed.add(held);
		return false;
	}

	/** Each of them can be distinguished from the others. */
	get allHaveIds(): boolean {
		return this.records.length === this.ids.size;
	}

	get size(): number {
		return this.records.length;
	}
}

/** Records with an id can be distinguished. */
export function hasId({ id }: ServiceRecord): boolean {
	return id !== undefined && id !== null;
}

/**
 * Records of a list in batches, each record once, starting at a page. Pages are fetched ahead once their number is
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
	yield seen.records.slice(0, limit);
	let last = first;
	for (let page = startPage + 1; seen.size < limit && !isLast(last, page, size, first); ) {
		const pagesInAll = pagesIn(last, size, first);
		const missing = Math.ceil((limit - seen.size) / pageSizeOf(first, size));
		const left = pagesInAll === undefined ? 1 : pagesInAll - page + 1;
		const count = Math.max(1, Math.min(missing, left, PAGES_AHEAD));
		const ahead = Array.from({ length: count }, (_, index) => page + index);
		const pages = await Promise.all(
			ahead.map(async (each) => await read({ page: each, limit: size })),
		);
		for (const next of pages) {
			const before = seen.size;
			const added = seen.add(next.records);
			yield seen.records.slice(before, limit);
			// A service that ignores `page` answers the same for ever.
			if (added === 0 && pagesInAll === undefined) return;
			last = next;
		}
		page += count;
	}
}

/**
 * A whole list that cannot be bounded in time. It is read over until twice as many distinct ids were found as the
 * service states: what slipped past one reading, while as much was added elsewhere, is in the other. Without a
 * stated total, until a reading brings nothing new. Records without ids are read once: of a second reading nobody could
 * say what of it is new.
 *
 * @param first the first page, when it was read already
 */
export async function readWhole(read: ReadPage, first?: Page): Promise<ReadList> {
	const limit = PAGE_SIZE.largest;
	const start = first ?? (await read({ page: 1, limit }));
	const all = new Distinct();
	const { records } = all;
	if (isWhole(start)) {
		all.add(start.records);
		return certain(records);
	}
	const hasTotal = start.total !== undefined;
	const counted = pagesIn(start, limit) !== undefined;
	const pages = counted ? await readPages(read, start) : await readWithoutTotal(read, start);
	for (const page of pages) all.add(page.records);
	if (!hasTotal && pages.length === 1) return certain(records);
	if (!all.allHaveIds) {
		const uncertain = hasTotal && !isSettled(pages);
		return { records, uncertain, unchecked: !uncertain };
	}
	let proofs = Number(isSettled(pages));
	for (let pass = 2; pass <= PASSES; pass += 1) {
		const again = await readPages(read, await read({ page: 1, limit }), pages.length);
		const before = all.size;
		for (const page of again) all.add(page.records);
		proofs += Number(isSettled(again));
		if (hasTotal ? proofs === 2 : all.size === before) return certain(records);
	}
	return { records, uncertain: true, unchecked: false };
}

/** A list of which nothing is doubtful. */
export function certain(records: ServiceRecord[]): ReadList {
	return { records, uncertain: false, unchecked: false };
}

/**
 * An answer that holds as many records as its total was read at one moment, so nothing can have slipped past. One that
 * holds more was counted at another moment than it was listed: there may be more still.
 */
export function isWhole({ records, total }: Page): boolean {
	return records.length === total;
}

/** All pages, as many as the first states, or `count` where it states none. */
async function readPages(read: ReadPage, start: Page, count = 0): Promise<Page[]> {
	const limit = PAGE_SIZE.largest;
	const last = pagesIn(start, limit) ?? count;
	const pages = [start];
	await inParallel(pageNumbers(2, last), async (page) => {
		pages[page - 1] = await read({ page, limit });
	});
	return pages;
}

/** As many distinct ids as every page states in total. */
function isSettled(pages: Page[]): boolean {
	const own = new Distinct();
	for (const { records } of pages) own.add(records);
	return pages.every(({ total }) => total === own.size);
}

/** The pages of a list whose length the service does not state. */
async function readWithoutTotal(read: ReadPage, first: Page): Promise<Page[]> {
	const limit = PAGE_SIZE.largest;
	const pages = [first];
	const seen = new Distinct();
	seen.add(first.records);
	for (let last = first; !isLast(last, pages.length + 1, limit, first); ) {
		if (!seen.allHaveIds && pages.length >= MOST_UNNAMED_PAGES) break;
		last = await read({ page: pages.length + 1, limit });
		if (seen.add(last.records) === 0) break;
		pages.push(last);
	}
	return pages;
}

/**
 * Whether `last` is the last page, seen from wanting `page` next. Where the service does not tell how long the list is,
 * a page is short that holds less than the service says of a page, or than an earlier page held. That it holds less than
 * was asked for says so only when nobody would choose that size, since the service may give no larger pages.
 *
 * @param earlier a page before it, which was not the last
 */
export function isLast(last: Page, page: number, asked: number, earlier: Page): boolean {
	const { length } = last.records;
	if (length === 0) return true;
	const pages = pagesIn(last, asked, earlier);
	if (pages !== undefined) return page > pages;
	if (last.limit !== undefined) return length < Math.min(last.limit, asked);
	return length < earlier.records.length || (length < asked && length % ROUND_SIZE !== 0);
}

/**
 * How many pages a list has, where the service states it in one way or another. A service that gives smaller pages than
 * asked for is taken at its word.
 *
 * @param earlier a page before it: the last one is short, and must not pass for the size of the others
 */
export function pagesIn(page: Page, asked: number, earlier = page): number | undefined {
	return page.total === undefined
		? page.totalPages
		: Math.ceil(page.total / pageSizeOf(earlier, asked));
}

/** As many records as the service says that a page holds, else as many as this page holds. */
function pageSizeOf({ records, limit }: Page, asked: number): number {
	return Math.max(1, Math.min(limit || records.length, asked));
}

export function pageNumbers(from: number, to: number): number[] {
	return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/**
 * Works on `jobs`, on as many at a time as the governor permits a key at first and at most: it decides how many requests
 * are in flight, and those that wait for it can no longer be given up. The next job begins when any of them ends, and at
 * first two. The first that throws stops the rest from being started.
 * Not `p-limit`: it starts everything that is queued, so stopping at a failure would be as many lines around it, and
 * bundling it would add a bundler to a build that only compiles.
 *
 * @returns false when `work` asked to stop by returning false
 */
export async function inParallel<T>(
	jobs: T[],
	work: (job: T) => Promise<boolean | void>,
	most: number = MOST_IN_FLIGHT,
): Promise<boolean> {
	let next = 0;
	let stopped = false;
	let workers = Math.min(STARTING_CONCURRENCY.limit, most);
	const worker = async (): Promise<void> => {
		while (!stopped && next < jobs.length) {
			const job = jobs[next];
			next += 1;
			let goOn: boolean | void = false;
			try {
				goOn = await work(job);
			} finally {
				if (goOn === false) stopped = true;
			}
			if (workers < most) {
				workers += 1;
				await Promise.all([worker(), worker()]);
			}
		}
	};
	await Promise.all(Array.from({ length: workers }, worker));
	return !stopped;
}
