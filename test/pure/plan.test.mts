import type { Page } from '../../nodes/IntegrationLeads/transport/paginate';
import { Bounds, UNIT } from '../../nodes/IntegrationLeads/windows/bounds';
import {
	gapAfter,
	isSorted,
	planWindows,
	samplePages,
} from '../../nodes/IntegrationLeads/windows/gaps';

const START = Date.parse('2026-03-02T12:00:00Z');
const bounds = new Bounds(UNIT.second, UNIT.second);
const at = (seconds: number) => START + seconds * 1000;
/** A page of leads that were created so many seconds after the start; NaN stands for a time that cannot be read. */
const page = (...seconds: number[]): Page => ({
	records: seconds.map((each) => ({
		id: `l${each}`,
		createdAt: Number.isNaN(each) ? 'soon' : new Date(at(each)).toISOString(),
	})),
});
/** Pages at their numbers, as the reader of a list keeps them. */
const known = (pages: Record<number, Page>) => Object.assign([] as Page[], pages);
/** The bounds between windows, in seconds after the start. */
function cuts(pages: Record<number, Page>, count: number): number[] {
	const windows = planWindows(known(pages), count, bounds);
	// No time is left out, and none is covered twice.
	expect(windows[0].start).toBe(-Infinity);
	expect(windows.at(-1)?.end).toBe(Infinity);
	const starts = windows.slice(1).map(({ start }) => start);
	expect(windows.slice(0, -1).map(({ end }) => end)).toEqual(starts);
	return starts.map((start) => (start - START) / 1000);
}

it.each([
	['of a falling list', [page(9, 5), page(2, 1)], { start: at(9), end: Infinity, edges: ['l9'] }],
	['of a rising list', [page(1, 2), page(5.5)], { start: at(5), end: Infinity, edges: ['l5.5'] }],
	['of no leads', [page()], { start: -Infinity, end: Infinity, edges: [] }],
])('the gap after the newest lead %s', (_, pages, gap) => {
	expect(gapAfter(pages, bounds)).toEqual(gap);
});

it.each([
	// Both ends always, so that what lies between is known.
	[2, 0.05, [1, 2]],
	[10, 0.05, [1, 10]],
	[41, 0.05, [1, 21, 41]],
	[100, 0.05, [1, 26, 51, 75, 100]],
	[20, 0.15, [1, 11, 20]],
])('of %d pages a share of %d is the pages %j', (lastPage, share, numbers) => {
	expect(samplePages(lastPage, share)).toEqual(numbers);
});

describe('windows of about as many leads each', () => {
	it.each<[string, Record<number, Page>, number, number[]]>([
		[
			'neighbouring pages of a rising list',
			{ 1: page(0, 1, 2, 3), 2: page(4, 5, 6, 7) },
			4,
			[2, 4, 6],
		],
		['and of a falling one', { 1: page(7, 6, 5, 4), 2: page(3, 2, 1, 0) }, 4, [2, 4, 6]],
		['pages in no order', { 1: page(6, 0, 4, 2), 2: page(5, 7, 1, 3) }, 4, [2, 4, 6]],
		['one window', { 1: page(0, 1) }, 1, []],
		['no window', { 1: page(0, 1) }, 0, []],
		['times that cannot be read', { 1: page(0, NaN, 1, NaN, 2, 3) }, 2, [2]],
		['times by the digit', { 1: page(-9, 5, 10, 11) }, 2, [10]],
		['more windows than leads', { 1: page(0, 5) }, 4, [0, 5]],
		// Three pages lie between, of two leads each: at 2.1, 3.3, 4.4, 5.6, 6.7, 7.9.
		['missing pages of a sorted list', { 1: page(0, 1), 5: page(9, 10) }, 5, [2, 4, 6, 9]],
		['missing pages of a falling list', { 1: page(10, 9), 5: page(1, 0) }, 5, [2, 4, 6, 9]],
		// Pages in no order are a sample as they are.
		['missing pages of an unsorted list', { 1: page(0, 9, 1), 5: page(10, 2, 8) }, 3, [2, 9]],
		['a page between that lacks times', { 1: page(0, 1), 3: page(NaN), 5: page(9, 10) }, 2, [9]],
	])('%s', (_, pages, count, expected) => {
		expect(cuts(pages, count)).toEqual(expected);
	});
});

it.each([
	[true, [page(1, 2), page(9, 8)]],
	[true, [page(), page(1), page(1, 2)]],
	[false, [page(1, NaN)]],
	[false, [page(1, 2, 3), page(1, 3, 2)]],
	[false, [page(1, 3, 2), page(1, 2, 3)]],
])('each page is sorted: %s', (expected, pages) => {
	expect(isSorted(pages)).toBe(expected);
});
