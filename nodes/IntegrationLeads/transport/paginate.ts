/**
 * Reads lists page by page (spec 4.1 and part 8: `page` from 1, `limit` up to 100).
 *
 * Pages are counted by position, so a list that changes while it is read moves under the reader: records
 * appear twice, or slip past between two pages. Everything here removes the repeats; what slipped past is
 * detected by comparing the number of distinct IDs with the `total` that the service states.
 */
import { range } from 'lodash';

import { hasId, type ServiceRecord } from '../values/json';
import { MAX_IN_FLIGHT } from './pace';

/** Spec part 8: the largest page, and the one given when `limit` is not understood. */
export const PAGE_SIZE = { largest: 100, default: 20 } as const;
/** By how much the number of pages that are requested at once grows: 1, 8, then as many as may be in flight. */
const GROWTH = 8;
/** A page size that was chosen by a person is a multiple of this. */
const ROUND_SIZE = 5;
/** How many pages are read of a list without a total: otherwise a list without IDs that keeps changing would never end. */
const MAX_UNCOUNTED = 10_000;
/** How many times a list that keeps changing is read. */
const MAX_PASSES = 3;

/** One page as the service gave it. */
export interface Page {
	records: ServiceRecord[];
	/** How many records match in all, if the service states it. */
	total?: number;
	/** How many records a page holds, if the service states it. */
	size?: number;
	/** The service's clock when it answered, in ms since the epoch. */
	serverNow?: number;
}

/** Bounds of the time of creation, in ms since the epoch. */
export interface CreationBounds {
	after?: number;
	countBefore?: number;
}

/** Reads one page of a list, with the caller's filters. */
export type ReadPage<P = Page> = (page: { page: number; limit: number }) => Promise<P>;

/** The result of reading a whole list. */
export interface ReadList {
	records: ServiceRecord[];
	/** False if some may be missing: the list changed while it was read, has no IDs, or was too long. */
	complete: boolean;
}

/**
 * Distinct records, in the order in which they came. Records without an ID cannot be told apart, so they must be added only
 * once.
 */
export class UniqueRecords {
	readonly records: ServiceRecord[] = [];

	private readonly ids = new Set<unknown>();

	/** Pages with records without IDs, as JSON: the same page once more comes from a service that ignores `page`. */
	private readonly unnamed = new Set<string>();

	/** @returns the new ones among them */
	add(records: ServiceRecord[]): ServiceRecord[] {
		const countBefore = this.records.length;
		const page = records.every(hasId) ? undefined : JSON.stringify(records);
		if (page && this.unnamed.has(page)) return [];
		if (page) this.unnamed.add(page);
		for (const record of records) {
			if (hasId(record)) {
				if (this.ids.has(record.id)) continue;
				this.ids.add(record.id);
			}
			this.records.push(record);
		}
		return this.records.slice(countBefore);
	}

	/** Whether all of them can be told apart. */
	get allHaveIds(): boolean {
		return this.records.length === this.ids.size;
	}

	get size(): number {
		return this.records.length;
	}
}

/**
 * Reads a list page by page, each record once. Once the total is known, pages are requested ahead, as many as `limit` needs;
 * without a total, one after another, until {@link isLast} or until nothing new comes.
 *
 * @param read returns undefined when no more requests may be made: the list breaks off there
 * @param limit how many records are wanted; the last page may bring more
 * @param options.first the first page, when it was read already
 * @yields each page, its new records, and the number of the next page, if there is one
 */
export async function* paginate(
	read: ReadPage<Page | undefined>,
	limit: number,
	options: { startPage?: number; pageSize?: number; first?: Page } = {},
): AsyncGenerator<{ page: Page; records: ServiceRecord[]; next?: number }, void> {
	const { startPage = 1, pageSize = Math.min(limit, PAGE_SIZE.largest) } = options;
	const readPage = async (page: number) => await read({ page, limit: pageSize });
	const seen = new UniqueRecords();
	let number = startPage;
	const start = options.first ?? (await readPage(startPage));
	const size = start?.records.length ?? 0;
	let pages = [start];
	for (;;) {
		let last = number;
		for (const page of pages) {
			if (!page) return;
			const records = seen.add(page.records);
			// A service that ignores `page` answers the same for ever.
			const isRepeat = page.total === undefined && records.length === 0;
			last = isRepeat || isLast(page, pageSize) ? number : (pagesIn(page, size) ?? MAX_UNCOUNTED);
			yield { page, records, next: number < last ? number + 1 : undefined };
			number += 1;
		}
		if (number > last || seen.size >= limit) return;
		const missing = Math.ceil((limit - seen.size) / pageSize);
		const most = Math.min(pages.length * GROWTH, MAX_IN_FLIGHT);
		const ahead = last === MAX_UNCOUNTED ? 1 : Math.min(missing, most, last - number + 1);
		pages = await Promise.all(range(number, number + ahead).map(readPage));
	}
}

/** Reads the first page and the last: in either order of the list, the newest records are among them. */
export async function readEnds(readPage: ReadPage): Promise<ServiceRecord[]> {
	const limit = PAGE_SIZE.largest;
	const first = await readPage({ page: 1, limit });
	const last = pagesIn(first) ?? 1;
	if (last < 2) return first.records;
	return [...first.records, ...(await readPage({ page: last, limit })).records];
}

/**
 * Reads a whole list by pages, again and again, until two readings found as many distinct IDs as the service states in total:
 * what slipped past one of them, while as much was added elsewhere, is in the other. Where nothing can be added, one reading is
 * enough. Without a stated total, it ends when a reading brings nothing new. Records without IDs are read once, since
 * those of a second reading could not be recognized.
 *
 * @param readPage returns undefined when no more requests may be made
 * @param options.first the first page, when it was read already
 * @param options.isEnough whether one reading that matched the total is enough
 * @param options.mostPages a longer list is not complete; where its length is stated, only the first page is read
 */
export async function readWhole(
	readPage: ReadPage<Page | undefined>,
	options: { first?: Page; isEnough?: () => boolean; mostPages?: number } = {},
): Promise<ReadList> {
	const { first, isEnough = () => false, mostPages = Infinity } = options;
	const read: typeof readPage = async (page) =>
		page.page <= mostPages ? await readPage(page) : undefined;
	const all = new UniqueRecords();
	const { records } = all;
	let matches = 0;
	for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
		const countBefore = all.size;
		const found = new UniqueRecords();
		const pages: Page[] = [];
		let isRead = false;
		for await (const { page, next } of paginate(read, Infinity, pass === 1 ? { first } : {})) {
			pages.push(page);
			all.add(page.records);
			found.add(page.records);
			if (next && (pagesIn(pages[0]) ?? 1) > mostPages) break;
			// Without a total, a page that repeats others is the end only of a list that no page size has cut: the service ignores its
			// number, or the list grew.
			isRead =
				!next && (page.total !== undefined || isLast(page) || found.size < PAGE_SIZE.default);
		}
		if (!isRead) break;
		const hasTotal = pages[0].total !== undefined;
		// One page, after which there is nothing.
		const isAll = hasTotal ? isWhole(pages[0]) : pages[0].records.length === found.size;
		if (isAll) return { records, complete: true };
		if (hasTotal) matches += Number(pages.every(({ total }) => total === found.size));
		else matches = pass === 1 ? 1 : 2 * Number(all.size === countBefore);
		if (matches > 1 || (matches === 1 && isEnough())) return { records, complete: true };
		if (!all.allHaveIds) break;
	}
	return { records, complete: false };
}

/**
 * An answer that holds as many records as its total was read at one moment, so nothing can have slipped past. One of 100
 * records with a total of 99 was counted, then records were created, then it was listed: there may be a 101st.
 */
export function isWhole({ records, total }: Page): boolean {
	return records.length === total;
}

/**
 * Whether a page is the last of its list. An empty one is, even if a total is stated. If no total is stated, so is one that is shorter
 * than requested and than the page size that the service states, unless its length is a round number: then it may be the
 * largest page that the service gives.
 */
export function isLast(
	{ records: { length }, total, size = Infinity }: Page,
	asked: number = PAGE_SIZE.largest,
): boolean {
	const isShort = length < Math.min(asked, size) && length % ROUND_SIZE !== 0;
	return length === 0 || (total === undefined && isShort);
}

/**
 * How many pages a list has, if the service states its total. A service may give smaller pages than requested.
 *
 * @param size how many records an earlier page held; the last page is short and does not show the size of the others
 */
function pagesIn({ records, total }: Page, size = records.length): number | undefined {
	return total === undefined ? undefined : Math.ceil(total / (size || PAGE_SIZE.largest));
}
