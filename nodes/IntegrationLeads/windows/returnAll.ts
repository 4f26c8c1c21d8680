/**
 * Return All for leads: nothing lost and nothing repeated while leads are created, deleted and changed.
 *
 * What makes it possible: `createdAt` never changes, and the list can be bounded by it (spec 4.1). With `createdBefore` at
 * the service's own clock nothing can be added to a list any more, so its pages prove themselves by their totals
 * (`gapsBetween`). What they do not prove is read by windows of time (`readPieces`). A list that does not change costs
 * ceil(N / 100) requests, two more while leads are created or deleted, and one more for each lead that is deleted from a
 * list sorted by time; docs/transport.md has figures for the others.
 */
import { range } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import type { Page, ReadList } from '../transport/paginate';
import {
	Distinct,
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
import { gapAfter, gapsBetween, isSorted, planWindows, samplePages } from './gaps';

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
	if (isWhole(first) || first.total === undefined) return await readWhole(byPages, first);
	const reader = new LeadReader(read, own, first);
	const isRead = !canLeave && (await reader.readByPages());
	if (!isRead) await reader.readByWindows();
	const { records, allHaveIds } = reader.found();
	if (allHaveIds && reader.left >= 0) return { records, completeness: reader.completeness };
	// The bounds do not work as the spec lets us expect. Or there are leads without IDs: windows overlap, and give them twice.
	return await readWhole(byPages);
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
		const { first, known, bounds } = this;
		if (first.serverNow === undefined) return false;
		// A service that compares by the second may include the one that a bound names: it has to be over.
		const past = { ...ALL, end: first.serverNow - 1000 };
		let least = first.total ?? 0;
		const isRead = await inParallel(range(2, (pagesIn(first) ?? 1) + 1), async (number) => {
			const before = least;
			const page = await this.readKnown(past, number);
			const { total = 0 } = page;
			least = Math.min(least, total);
			// What is bounded does not grow: the service ignores the bound. What is lost of a list in no order cannot be found.
			return total === before || (total < before && isSorted([page]));
		});
		const pages = Object.values(known);
		const gaps = isRead && gapsBetween(pages, bounds);
		if (!gaps) return false;
		// The first page was not bounded: it may hold leads that were created since, and push others out of it.
		if (least !== first.total) gaps.push(gapAfter(pages, bounds));
		// A gap without a lead at one of its edges: it was deleted, or bounds are compared more coarsely than was thought.
		return await inParallel(gaps, async ({ edges, ...span }) => {
			const ids = await this.readWindow(span);
			return edges.every((id) => ids.has(id));
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
				if (completeness !== 'complete') this.completeness = completeness;
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
