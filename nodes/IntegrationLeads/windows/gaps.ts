/** What is left to read of a list of which some pages are known. */
import { groupBy, maxBy, uniqBy } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import type { Page } from '../transport/paginate';
import type { Bounds } from './bounds';
import { UNIT } from './bounds';
import type { Span, TimedLead } from './listed';
import { orderOf, toTimedLead } from './listed';

/** A stretch between two pages, and the IDs of the leads on both sides. */
interface Gap extends Span {
	edges: string[];
}

/**
 * Where leads may have slipped past between the pages of a list to which nothing can be added any more. As long as it
 * only shrinks, pages with the same total show the same state of it. Before a page with a smaller total leads have moved
 * up and out of sight; if the list is sorted by time, they were created between the leads on both sides.
 *
 * @param pages all pages of the list, in order
 * @returns undefined where the pages prove nothing
 */
export function gapsBetween(pages: Page[], bounds: Bounds): Gap[] | undefined {
	const size = pages[0].records.length;
	const isFull = ({ records, total = NaN }: Page, index: number) =>
		records.length === Math.max(0, Math.min(size, total - index * size));
	const isDistinct = (state: Page[]) => {
		const ids = state.flatMap(({ records }) => records.map(({ id }) => id));
		return new Set(ids).size === ids.length;
	};
	const states = Object.values(groupBy(pages, 'total'));
	if (!pages.every(isFull) || !states.every(isDistinct)) return undefined;
	const broken = pages.slice(1).flatMap(({ total = 0 }, index) => {
		const before = pages[index].total ?? 0;
		return total < before && before > (index + 1) * size ? [index] : [];
	});
	if (broken.length === 0) return [];
	const leads = toTimedLeads(pages.flatMap(({ records }) => records));
	const order = orderOf(uniqBy(leads, 'id'));
	if (order === 'none' || bounds.unit === UNIT.none) return undefined;
	return broken.map((index) => {
		const [last, next] = [pages[index].records.slice(-1), pages[index + 1].records.slice(0, 1)];
		const edges = toTimedLeads([...last, ...next]);
		const { start, end } = bounds.around(edges.map(({ createdAt }) => createdAt));
		const isEnd = next.length === 0;
		return {
			start: isEnd && order === 'falling' ? -Infinity : start,
			end: isEnd && order === 'rising' ? Infinity : end,
			edges: edges.map(({ id }) => id),
		};
	});
}

/** What was created after the newest lead that is known. */
export function gapAfter(pages: Page[], bounds: Bounds): Gap {
	const leads = pages.flatMap(({ records }) =>
		records.flatMap((record) => toTimedLead(record) ?? []),
	);
	const newest = maxBy(leads, 'createdAt');
	const start = bounds.floor(newest?.createdAt ?? -Infinity);
	return { start, end: Infinity, edges: newest ? [newest.id] : [] };
}

/** The numbers of pages that lie evenly over a list. */
export function samplePages(lastPage: number, share: number): number[] {
	const count = Math.max(2, Math.ceil(lastPage * share));
	return Array.from({ length: count }, (_, index) => {
		return 1 + Math.round((index * (lastPage - 1)) / (count - 1));
	});
}

/**
 * Cuts a list into windows that hold about as many leads each. In a list sorted by time, what lies between two known
 * pages is filled in evenly; in any other order all leads seen are a sample as they are.
 *
 * @param known pages at their numbers
 */
export function planWindows(known: Page[], count: number, bounds: Bounds): Span[] {
	const pages = Object.entries(known).map(([number, { records }]) => {
		return {
			number: Number(number),
			times: records.flatMap((record) => toTimedLead(record)?.createdAt ?? []),
		};
	});
	const isFilled = isSorted(Object.values(known));
	const sample = pages.flatMap(({ number, times }, index) => {
		const next = pages.at(index + 1);
		const [start, end] = [times.at(-1), next?.times[0]];
		if (!isFilled || !next || start === undefined || end === undefined) return times;
		const missing = pages[0].times.length * (next.number - number - 1);
		const between = Array.from({ length: missing }, (_, place) => {
			return start + ((end - start) * (place + 1)) / (missing + 1);
		});
		return [...times, ...between];
	});
	sample.sort((a, b) => a - b);
	const cuts = Array.from({ length: Math.max(0, count - 1) }, (_, index) => {
		return bounds.floor(sample[Math.floor(((index + 1) * sample.length) / count)]);
	});
	const edges = [-Infinity, ...new Set(cuts), Infinity];
	return edges.slice(1).map((end, index) => ({ start: edges[index], end }));
}

/** Whether each of the pages is sorted by time. */
export function isSorted(pages: Page[]): boolean {
	return pages.every(({ records }) => {
		return records.length < 2 || orderOf(toTimedLeads(records)) !== 'none';
	});
}

/** None where one of them has no readable time: those show no order then. */
function toTimedLeads(records: ServiceRecord[]): TimedLead[] {
	const leads = records.flatMap((record) => toTimedLead(record) ?? []);
	return leads.length === records.length ? leads : [];
}
