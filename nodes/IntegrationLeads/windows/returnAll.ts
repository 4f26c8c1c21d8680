/**
 * Return All for leads: nothing lost and nothing repeated while leads are created, deleted and changed.
 *
 * What makes it possible: `createdAt` never changes, and the list can be bounded by it (spec 4.1). With `createdBefore` at
 * the service's own clock nothing can be added to a list any more, so its pages prove themselves by their totals
 * (`gapsBetween`). What they do not prove is read by windows of time (`readPieces`). A list that does not change costs
 * ceil(N / 100) requests, two or three more while leads are being created, and one more for each lead that is deleted from a list
 * sorted by time; docs/transport.md has figures for the others.
 */
import { range } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import type { Page, ReadList } from '../transport/paginate';
import {
	Distinct,
	hasId,
	inParallel,
	isWhole,
	PAGE_SIZE,
	pagesIn,
	readWhole,
} from '../transport/paginate';
import type { QueryBounds } from './bounds';
import { Bounds, UNIT } from './bounds';
import type { Listed, ReadSpan, Span, TimedLead } from './listed';
import { toListed, toTimedLead } from './listed';
import { readPieces } from './pieces';
import { gapAfter, gapsBetween, isSorted, planWindows, samplePages } from './plan';

/** Reads one page of the leads between bounds, in place of the user's own where they are given. */
type ReadLeads = (page: { page: number; limit: number }, bounds: QueryBounds) => Promise<Page>;

/** More requests than this for a page of leads, and reading by windows leads nowhere. */
const REQUESTS_A_PAGE = 5;
/**
 * How many leads a window is meant to hold, and which share of the pages is read to find such windows. A list sorted by
 * time is walked through, so its windows may be large; in any other order a window has to fit into one answer, with room
 * for what the sample did not show.
 */
const WINDOWS = { sorted: { leads: 500, share: 0.05 }, unsorted: { leads: 80, share: 0.15 } };
/**
 * A list that loses more leads while it is read than these and this share of its pages is read by windows. Each loss
 * costs one request to repair, windows cost all pages once more: the first few losses, which may come close together,
 * say nothing of the rest of the list.
 */
const TOO_MANY_LOSSES = { losses: 5, share: 0.25 };
const ALL: Span = { start: -Infinity, end: Infinity };
const NOTHING: Page = { records: [], total: 0 };

/**
 * Reads all leads.
 *
 * @param own the user's own filter on the time of creation
 * @param canLeave whether leads that change can enter or leave the list; equal totals then prove nothing
 */
export async function readAllLeads(
	read: ReadLeads,
	own: QueryBounds,
	canLeave: boolean,
): Promise<ReadList> {
	const first = await read({ page: 1, limit: PAGE_SIZE.largest }, {});
	const byPages = async (page: { page: number; limit: number }) => await read(page, {});
	const canBeBounded = first.total !== undefined && first.records.every(hasId);
	if (isWhole(first) || !canBeBounded) return await readWhole(byPages, first);
	const reader = new LeadReader(read, own, first);
	const isRead = !canLeave && (await reader.readByPages());
	if (!isRead) await reader.readByWindows();
	const found = reader.found();
	// Windows overlap, and would give leads without IDs more than once.
	if (!found.allHaveIds) return await readWhole(byPages);
	const { records } = found;
	if (reader.left >= 0) return { records, completeness: reader.completeness };
	// The service's bounds do not work as the spec lets us expect; positions are all that is left.
	const plain = await readWhole(byPages);
	found.add(plain.records);
	return { ...plain, records };
}

class LeadReader {
	completeness: ReadList['completeness'] = 'complete';
	/** Requests that may still be made. */
	left: number;
	/** Pages of the whole list at their numbers. */
	private readonly known: Page[] = [];
	private readonly windows: ServiceRecord[][] = [];
	private readonly bounds = new Bounds(UNIT.millisecond);

	constructor(
		private readonly readPage: ReadLeads,
		private readonly own: QueryBounds,
		private readonly first: Page,
	) {
		this.known[1] = first;
		// Windows that do not get smaller, because the service ignores the bounds, must come to an end.
		this.left = REQUESTS_A_PAGE * (pagesIn(first) ?? 1) + 100;
	}

	/** All leads, those of the list's own pages in its order. */
	found(): Distinct {
		const found = new Distinct();
		for (const { records } of Object.values(this.known)) found.add(records);
		for (const records of this.windows) found.add(records);
		return found;
	}

	/** Reads the list by pages, bounded by the service's clock. False when that does not find all leads. */
	async readByPages(): Promise<boolean> {
		const { first, known, own, bounds } = this;
		if (first.serverNow === undefined) return false;
		// A service that compares by the second may include the one that a bound names: it has to be over.
		const past = { ...ALL, end: Math.min(first.serverNow - 1000, own.before ?? Infinity) };
		let least = first.total ?? 0;
		let [answers, losses] = [1, 0];
		let isLate: boolean | undefined;
		const readPast = async (number: number): Promise<boolean> => {
			const before = least;
			// A page beyond a total that was seen is known to have been empty then.
			const none: Page = { records: [], total: least };
			if (number > (pagesIn(none, first.records.length) ?? 0)) {
				known[number] = none;
				return true;
			}
			const page = await this.readKnown(past, number);
			const { total = 0 } = page;
			answers += 1;
			// What is bounded does not grow: the service ignores the bound.
			if (total > before) return false;
			if (isLate === undefined) {
				least = total;
				isLate = total !== first.total;
				// The latest leads are behind the bound.
				if (isLate && !(await readPast(1))) return false;
			}
			if (total < least) losses += 1;
			least = Math.min(least, total);
			return (
				losses === 0 ||
				(isSorted([page]) && losses <= TOO_MANY_LOSSES.losses + TOO_MANY_LOSSES.share * answers)
			);
		};
		const rest = range(2, (pagesIn(first) ?? 1) + 1);
		const isRead = await inParallel(rest, readPast);
		const pages = Object.values(known);
		const gaps = isRead && gapsBetween(pages, past, bounds);
		if (!gaps) return false;
		if (isLate) gaps.push(gapAfter(pages, bounds));
		// A gap in which none of the leads at its edges is found: bounds are compared more coarsely than was thought.
		return await inParallel(gaps, async ({ edges, ...span }) => {
			const ids = await this.readWindow(span);
			return edges.some((id) => ids.has(id));
		});
	}

	/** Reads the list by windows of time. */
	async readByWindows(): Promise<void> {
		const { bounds, first, known } = this;
		const start = toListed(first, toTimedLead);
		const { leads, share } = isSorted(Object.values(known)) ? WINDOWS.sorted : WINDOWS.unsorted;
		const count = Math.ceil((first.total ?? 0) / leads);
		await bounds.findUnit(this.readSpan, start);
		if (count < 2 || bounds.unit === UNIT.none)
			return void (await this.readWindow({ ...ALL, page: start }));
		const sample = samplePages(pagesIn(first) ?? 1, share);
		await inParallel(sample, async (number) => {
			if (!known[number]) await this.readKnown(ALL, number);
		});
		await inParallel(planWindows(known, count, bounds), async (window) => {
			await this.readWindow(window);
		});
	}

	/** Reads a span in pieces, each of which is complete, and gives the IDs of its leads. */
	private async readWindow(span: Span & { page?: Listed }): Promise<Set<string>> {
		const ids = new Set<string>();
		await readPieces<TimedLead>(span, {
			read: this.readSpan,
			bounds: this.bounds,
			isKnown: () => false,
			left: () => this.left,
			take: ({ leads, completeness }) => {
				if (completeness === 'incomplete') this.completeness = completeness;
				for (const { id } of leads) ids.add(id);
			},
		});
		return ids;
	}

	private readonly readSpan: ReadSpan<TimedLead> = async (span, number) => {
		const page = await this.read(span, number);
		this.windows.push(page.records);
		return toListed(page, toTimedLead);
	};

	/** Reads a page of the whole list. */
	private async readKnown(span: Span, number: number): Promise<Page> {
		const page = await this.read(span, number);
		this.known[number] = page;
		return page;
	}

	private async read(span: Span, page: number): Promise<Page> {
		this.left -= 1;
		if (this.left < 0) return NOTHING;
		const { after, before } = this.bounds.toQuery(span);
		const { own } = this;
		return await this.readPage(
			{ page, limit: PAGE_SIZE.largest },
			{
				...(after !== undefined && !(own.after && after <= own.after) && { after }),
				...(before !== undefined && !(own.before && before >= own.before) && { before }),
			},
		);
	}
}
