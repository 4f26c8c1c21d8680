import { Bounds, UNIT } from '../../nodes/IntegrationLeads/windows/bounds';
import { gapsBetween } from '../../nodes/IntegrationLeads/windows/gaps';

const START = Date.parse('2026-03-02T12:00:00Z');
/** Leads with these numbers, created in that order, a second apart, on pages of two. */
const page = (total: number, ...numbers: number[]) => ({
	total,
	records: numbers.map((number) => ({
		id: `l${number}`,
		createdAt: new Date(START + number * 1000).toISOString(),
	})),
});
type Pages = Array<ReturnType<typeof page>>;
const gaps = (pages: Pages, unit: number = UNIT.second) =>
	gapsBetween(pages as never, new Bounds(UNIT.millisecond, unit));
const at = (number: number) => START + number * 1000;

it.each<[string, Pages]>([
	['nothing changed', [page(4, 0, 1), page(4, 2, 3)]],
	['the last page is not full', [page(3, 0, 1), page(3, 2)]],
	['a lead went that no later page holds', [page(2, 0, 1), page(1)]],
	['a total grew', [page(4, 0, 1), page(5, 2, 3), page(5, 4)]],
	['nothing changed in a list in no order', [page(4, 0, 3), page(4, 1, 2)]],
])('no gap: %s', (_, pages) => {
	expect(gaps(pages)).toEqual([]);
});

it.each<[string, Pages, number?]>([
	['a page lacks a lead', [page(4, 0, 1), page(4, 2)]],
	['only the first page lacks one', [page(4, 0), page(4, 2, 3)]],
	['a page has too many', [page(3, 0, 1), page(3, 2, 3)]],
	['two pages of one state share a lead', [page(4, 0, 1), page(4, 1, 2)]],
	['of two states, one has a lead twice', [page(7, 0, 1), page(6, 2, 3), page(6, 3, 4)]],
	['the list is not sorted', [page(5, 0, 3), page(4, 1, 2)]],
	['bounds are ignored', [page(5, 0, 1), page(4, 3, 4)], UNIT.none],
])('nothing is proved: %s', (_, pages, unit = UNIT.second) => {
	expect(gaps(pages, unit)).toBeUndefined();
});

it.each<[string, Pages, from: number, to: number]>([
	['between two pages', [page(5, 0, 1), page(4, 3, 4)], 1, 3],
	['later', [page(6, 0, 1), page(6, 2, 3), page(5, 5)], 3, 5],
	['between pages of three', [page(7, 0, 1, 2), page(6, 4, 5, 6)], 2, 4],
	['before a page read later than the next', [page(6, 0, 1), page(5, 3, 4), page(6, 4, 5)], 1, 3],
	['before an empty page, rising', [page(3, 0, 1), page(2)], 1, Infinity],
	['before an empty page, falling', [page(3, 1, 0), page(2)], -Infinity, 0],
])('a gap %s', (_, pages, from, to) => {
	// It includes the second of the lead at each edge.
	const edges = [from, to].filter(Number.isFinite).map((edge) => `l${edge}`);
	expect(gaps(pages)).toEqual([{ start: at(from), end: at(to + 1), edges }]);
});
