import { readCrowd } from '../../nodes/IntegrationLeads/windows/crowd';
import type { Listed, Span } from '../../nodes/IntegrationLeads/windows/listed';

const span = { start: 0, end: 100 };

/** A page with leads of these times, which are their IDs as well. */
const page = (total: number | undefined, ...times: number[]): Listed => ({
	leads: times.map((createdAt) => ({ id: String(createdAt), createdAt })),
	length: times.length,
	total,
	order: 'none',
});
type Pass = Array<Listed | undefined>;

/** Reads the interval while the service answers each pass as given; the last one is repeated. */
async function read(passes: Pass[], isKnown = false) {
	let current = 0;
	const requested: number[] = [];
	const readSpan = async (_: Span, page: number) => {
		if (page === 1) current += 1;
		requested.push(page);
		return (passes[current] ?? passes.at(-1))[page - 1];
	};
	const piece = await readCrowd(readSpan, span, passes[0][0]!, () => isKnown);
	const { leads, partial, unsure, total } = piece;
	return { times: leads.map(({ createdAt }) => createdAt), partial, unsure, total, requested };
}

const calm: Pass = [page(4, 3, 1), page(4, 4, 2)];
const moved: Pass = [page(4, 3, 1), page(5, 4, 2)];
const twice: Pass = [page(4, 3, 1), page(4, 1, 2)];
const uncounted: Pass = [page(undefined, 3, 1), page(undefined, 4)];
const settled = { partial: false, unsure: false };
const all = [1, 2, 3, 4];

it.each<[string, Pass[], object]>([
	['two passes in which every page counts what came', [calm], { ...settled, requested: [2, 1, 2] }],
	['a third pass after one with two totals', [moved, calm], { requested: [2, 1, 2, 1, 2] }],
	['a third pass after one with a lead twice', [twice, calm], { requested: [2, 1, 2, 1, 2] }],
	['two passes, the second without a total', [calm, uncounted], { ...settled, times: all }],
	['two passes without totals', [uncounted], { ...settled, times: [1, 3, 4] }],
	['a single page', [[page(2, 2, 1)]], { ...settled, times: [1, 2], requested: [1] }],
])('is certain after %s', async (_, passes, expected) => {
	expect(await read(passes)).toMatchObject({ ...settled, ...expected });
});

it('is certain after one pass where none that is known is missing', async () => {
	expect(await read([calm], true)).toEqual({ times: all, ...settled, total: 4, requested: [2] });
	expect((await read([moved, calm], true)).requested).toEqual([2, 1, 2]);
});

it.each<[string, Pass[], object]>([
	['it never came to rest', [moved], { partial: true, times: all }],
	['it always has a lead twice', [twice], { partial: true, times: [1, 2, 3] }],
	['only one pass was at rest', [calm, moved], { partial: false, times: all }],
])('is not certain if %s', async (_, passes, expected) => {
	const outcome = await read(passes);
	expect(outcome).toMatchObject({ unsure: true, ...expected });
	// It ends.
	expect(outcome.requested.filter((number) => number === 1).length).toBeLessThan(10);
});

it.each<[string, Pass[], object]>([
	['the first pass', [[page(4, 3, 1), undefined]], { partial: true, requested: [2] }],
	['the second pass', [calm, [page(4, 3, 1), undefined]], { partial: false, requested: [2, 1, 2] }],
	['the start of it', [calm, [undefined]], { partial: false, requested: [2, 1] }],
])('ends where no more requests may be made: in %s', async (_, passes, expected) => {
	expect(await read(passes)).toMatchObject({ unsure: true, ...expected });
});

it('leaves out what is outside of the interval, and keeps what a later pass lacks', async () => {
	const first: Pass = [page(4, 3, 100), page(4, 4, 2)];
	const next: Pass = [page(3, 3, 4), page(3, 1)];
	expect(await read([first, next, next])).toMatchObject({ ...settled, times: all });
});
