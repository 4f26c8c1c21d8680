/**
 * Lists, page by page (spec 4.1 and part 8: `page` from 1, `limit` up to 100).
 *
 * Pages are counted by position, so a list that changes while it is read moves under the reader: records
 * appear twice, or slip past between two pages. Everything here removes the repeats; what slipped past is found
 * by comparing the distinct ids with the `total` that the service states.
 */
import { isEqual, range } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import { MOST_IN_FLIGHT, STARTING_PACE } from './pace';

/** Spec part 8: the largest page, and the one given when `limit` is not understood. */
export const PAGE_SIZE = { largest: 100, default: 20 } as const;
/** Pages that are asked for before it is known whether they are wanted. */
const PAGES_AHEAD = 8;
/** Limit for a list without a stated length whose records have no IDs: where `page` is ignored, it never ends. */
const MOST_UNNAMED_PAGES = 1_000;
/** Sizes that somebody chose for a page can be divided by this. */
const ROUND_SIZE = 5;
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
	/** How many requests a minute the API key allows (spec part 8), when the service states it. */
	requestsPerMinute?: number;
}

/** Reads one page of a list; filters are the caller's business. */
export type ReadPage<P = Page> = (page: { page: number; limit: number }) => Promise<P>;

/** What came of reading a whole list. */
export interface ReadList {
	records: ServiceRecord[];
	/**
	 * `incomplete`: the list changed while it was read, so some may be missing. `unclear`: one reading found as many as
	 * there are, and no second one confirmed it, for example because the records have no IDs.
	 */
	completeness: 'complete' | 'unclear' | 'incomplete';
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
 * Records of a list, page by page, each record once. Pages are fetched ahead once their number is known, and no further
 * than `limit` needs.
 *
 * @param limit how many records are wanted; the last page may bring more
 * @param options.pagesAhead how many pages are read at once: 1 for who may stop before `limit`
 * @returns also the number of the `next` page, if there is one
 */
export async function* paginate(
	read: ReadPage,
	limit: number,
	{ startPage = 1, pageSize = Math.min(limit, PAGE_SIZE.largest), pagesAhead = PAGES_AHEAD } = {},
): AsyncGenerator<{ records: ServiceRecord[]; next?: number }, void> {
	const readPage = async (page: number) => await read({ page, limit: pageSize });
	const seen = new Distinct();
	const first = await readPage(startPage);
	// A later page may be the last one, and short, or the first one again: the page before it shows that.
	const needsBefore = startPage > 1 && !showsLength(first, pageSize);
	const before = needsBefore ? await readPage(startPage - 1) : undefined;
	const size = (before ?? first).records.length;
	// What moved up meanwhile is on both pages, and still belongs to this one.
	const isSame = isEqual(before?.records, first.records);
	let number = startPage;
	let pages = [isSame ? { ...first, records: [] } : first];
	for (;;) {
		let next: number | undefined;
		for (const page of pages) {
			const known = seen.size;
			const added = seen.add(page.records);
			number += 1;
			// A service that ignores `page` answers the same for ever.
			const isRepeated = added === 0 && pagesIn(page, size) === undefined;
			next = isRepeated || isLast(page, number, pageSize, size) ? undefined : number;
			yield { records: seen.records.slice(known), next };
		}
		if (next === undefined || seen.size >= limit) return;
		const missing = Math.ceil((limit - seen.size) / size);
		const left = (pagesIn(pages[pages.length - 1], size) ?? number) - number + 1;
		const ahead = range(number, number + Math.min(missing, left, pagesAhead));
		pages = await Promise.all(ahead.map(readPage));
	}
}

/** Whether a page alone shows how many there are. If it is short, the total does not: that is counted in full pages. */
function showsLength({ records, total, totalPages }: Page, asked: number): boolean {
	return total === undefined ? totalPages !== undefined : records.length >= asked;
}

/**
 * Reads a whole list by pages, over and over until as many distinct IDs as the service states in total were found twice:
 * what slipped past one reading, while as much was added elsewhere, is in the other. Without a stated total, until a
 * reading brings nothing new. Records without IDs are read once: of a second reading nobody could say what of it is new.
 *
 * @param read gives undefined when no more requests may be made
 * @param first the first page, when it was read already
 * @param isEnough whether a reading that matched the total needs no second one
 */
export async function readWhole(
	read: ReadPage<Page | undefined>,
	first?: Page,
	isEnough: () => boolean = () => false,
): Promise<ReadList> {
	const all = new Distinct();
	const { records } = all;
	let matches = 0;
	let count: number | undefined;
	for (let pass = 1; pass <= PASSES; pass += 1) {
		const start = (pass === 1 && first) || (await read({ page: 1, limit: PAGE_SIZE.largest }));
		if (!start) break;
		const { pages, isRead } = await readPages(read, start, count);
		const before = all.size;
		for (const page of pages) all.add(page.records);
		if (!isRead) break;
		count = pages.length;
		const hasTotal = start.total !== undefined;
		if (count === 1 && (!hasTotal || isWhole(start))) return completeList(records);
		if (hasTotal) matches += Number(matchTotal(pages));
		else matches = pass === 1 ? 1 : 2 * Number(all.size === before);
		if (matches > 1 || (matches === 1 && isEnough())) return completeList(records);
		if (!all.allHaveIds) break;
	}
	return { records, completeness: matches > 0 ? 'unclear' : 'incomplete' };
}

/** A list of which nothing is missing. */
export function completeList(records: ServiceRecord[]): ReadList {
	return { records, completeness: 'complete' };
}

/**
 * An answer that holds as many records as its total was read at one moment, so nothing can have slipped past. One that
 * holds more was counted at another moment than it was listed: there may be more still.
 */
export function isWhole({ records, total }: Page): boolean {
	return records.length === total;
}

/**
 * All pages, as many as the first states, or `count`, if known, where it states none. `isRead`: each was answered, and the
 * list ended with them.
 */
async function readPages(
	read: ReadPage<Page | undefined>,
	first: Page,
	count?: number,
): Promise<{ pages: Page[]; isRead: boolean }> {
	const last = pagesIn(first) ?? count;
	if (last === undefined) return await readUncountedPages(read, first);
	const pages = [first];
	const isRead = await inParallel(range(2, Math.max(2, last + 1)), async (page) => {
		const answer = await read({ page, limit: PAGE_SIZE.largest });
		if (answer) pages[page - 1] = answer;
		return answer !== undefined;
	});
	return { pages: Object.values(pages), isRead };
}

/** The pages of a list whose length the service does not state. */
async function readUncountedPages(
	read: ReadPage<Page | undefined>,
	first: Page,
): Promise<{ pages: Page[]; isRead: boolean }> {
	const limit = PAGE_SIZE.largest;
	const size = first.records.length;
	const pages = [first];
	const seen = new Distinct();
	seen.add(first.records);
	for (let last = first; !isLast(last, pages.length + 1, limit, size); pages.push(last)) {
		if (!seen.allHaveIds && pages.length >= MOST_UNNAMED_PAGES) break;
		const next = await read({ page: pages.length + 1, limit });
		if (!next) return { pages, isRead: false };
		// A page that repeats what came before is not the end: the service ignores its number, or the list has grown.
		if (seen.add(next.records) === 0) return { pages, isRead: next.records.length === 0 };
		last = next;
	}
	return { pages, isRead: true };
}

/** As many distinct IDs as every page states in total. */
function matchTotal(pages: Page[]): boolean {
	const own = new Distinct();
	for (const { records } of pages) own.add(records);
	return pages.every(({ total }) => total === own.size);
}

/**
 * Whether a list ends with a page. Where the service does not state how long the list is, a page is the last if it is
 * empty, or shorter than the service says of its pages, or than an earlier page. That it holds less than was asked for
 * shows it only if nobody would choose that size: the service may give no larger pages, and repeat the limit that it
 * ignores.
 *
 * @param next the number of the page after it
 * @param size how many records an earlier page held
 */
export function isLast(page: Page, next: number, asked: number, size?: number): boolean {
	const { length } = page.records;
	if (length === 0) return true;
	const pages = pagesIn(page, size);
	if (pages !== undefined) return next > pages;
	if (page.limit !== undefined && page.limit < asked) return length < page.limit;
	return length < asked && (length < (size ?? 0) || length % ROUND_SIZE !== 0);
}

/**
 * How many pages a list has, where the service states it in one way or another. Pages are as long as the first one is:
 * a service that gives smaller pages than asked for may repeat the limit of the request.
 *
 * @param size how many records an earlier page held: the last one is short, and must not pass for the size of the others
 */
export function pagesIn(page: Page, size = page.records.length): number | undefined {
	if (page.total === undefined) return page.totalPages;
	return Math.ceil(page.total / (size || page.limit || 1));
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
): Promise<boolean> {
	let next = 0;
	let stopped = false;
	let workers = STARTING_PACE.concurrency;
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
			if (workers < MOST_IN_FLIGHT) {
				workers += 1;
				await Promise.all([worker(), worker()]);
			}
		}
	};
	await Promise.all(Array.from({ length: workers }, worker));
	return !stopped;
}
