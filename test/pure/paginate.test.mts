import fc from 'fast-check';

import { MAX_IN_FLIGHT } from '../../nodes/IntegrationLeads/transport/pace';
import type { Page, ReadPage } from '../../nodes/IntegrationLeads/transport/paginate';
import { inParallel } from '../../nodes/IntegrationLeads/transport/parallel';
import { isLast, paginate, readWhole } from '../../nodes/IntegrationLeads/transport/paginate';
import { pageReader } from '../../nodes/IntegrationLeads/transport/read';
import { draws } from '../helpers/long.mts';
import { businessHours, leadList, type ServiceBehaviour } from './leadList.mts';
import { seeded } from './virtualClock.mts';

const listOf = (count: number, behaviour: ServiceBehaviour = {}) => {
	return leadList(businessHours(count, seeded(count)), behaviour);
};
const ids = (records: Array<Record<string, unknown>>) => records.map(({ id }) => id);

/** Ways of answering in which an unchanged list can still be read in full. */
const manners = fc.record({
	order: fc.constantFrom<ServiceBehaviour['order']>('asc', 'desc', 'random'),
	largestPage: fc.constantFrom(100, 50, 25, 20),
	withoutTotal: fc.boolean(),
});

async function take(list: { read: ReadPage }, limit: number, startPage?: number) {
	const records = [];
	for await (const page of paginate(list.read, limit, { startPage })) records.push(...page.records);
	return records.slice(0, limit);
}

const types = (count: number) => Array.from({ length: count }, (_, n) => ({ type: `T${n}` }));

const unstated: ServiceBehaviour = { withoutTotal: true };
const ignoring: ServiceBehaviour = { ignores: { page: true } };
const nameless: ServiceBehaviour = { nameless: true, ...ignoring };

describe('paginate', () => {
	it('gives as many distinct records as wanted and there, in order, with no more requests than needed', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(700),
				fc.integer({ min: 1, max: 800 }),
				manners,
				async (n, limit, how) => {
					const list = listOf(n, how);
					const records = await take(list, limit);
					const whole = await listOf(n, how).read({ page: 1, limit: 1 });
					expect(records.length).toBe(Math.min(limit, n));
					expect(new Set(ids(records)).size).toBe(records.length);
					if (records.length > 0) expect(records[0]).toEqual(whole.records[0]);
					const size = Math.min(limit, how.largestPage);
					// Where nothing is stated, one more request shows that a page was the last one.
					const more = how.withoutTotal ? 1 : 0;
					const needed = Math.max(1, Math.ceil(Math.min(limit, n) / size));
					expect(list.requests()).toBeLessThanOrEqual(needed + more);
				},
			),
			{ numRuns: draws(30) },
		);
	});

	it.each<[string, number, number, ServiceBehaviour, number, number]>([
		['an empty list', 0, 50, {}, 0, 1],
		['an empty list, unstated', 0, 50, unstated, 0, 1],
		['a page and a bit', 1000, 120, {}, 120, 2],
		['a page and a bit, which is all', 150, 500, {}, 150, 2],
		['exactly a page', 1000, 100, {}, 100, 1],
		['less than there is', 30, 50, {}, 30, 1],
		['a service that ignores the page', 250, 500, ignoring, 100, 3],
		['the same, unstated', 250, 500, { ...ignoring, ...unstated }, 100, 2],
		['a limit that is not understood, unstated', 70, 50, { largestPage: 20, ...unstated }, 50, 3],
		['a list that ends early, unstated', 30, 50, unstated, 30, 2],
		['small pages, unstated', 130, 500, { largestPage: 50, ...unstated }, 130, 4],
	])('%s', async (_, n, limit, behaviour, expected, requests) => {
		const list = listOf(n, behaviour);
		expect(await take(list, limit)).toHaveLength(expected);
		expect(list.requests()).toBe(requests);
	});

	it('reads on from a page, whatever came before', async () => {
		const list = listOf(200);
		expect(ids(await take(list, 30, 2))).toEqual(ids(await take(listOf(200), 60)).slice(30));
		expect(list.requests()).toBe(1);
	});

	it('ends a list without a total and IDs that is never the same', async () => {
		let requests = 0;
		const read = async () => await Promise.resolve({ records: Array(5).fill({ n: ++requests }) });
		expect((await readWhole(read)).complete).toBe(false);
		expect(requests).toBe(10_000);
	});

	it('goes on after a page that brings nothing new, where the total is stated', async () => {
		const { read } = listOf(300);
		const moved: ReadPage = async ({ page, limit }) =>
			await read({ page: Math.max(1, page - 1), limit });
		expect(await take({ read: moved }, 300)).toHaveLength(200);
	});
});

describe('readWhole', () => {
	it('reads an unchanged list in full, each record once, twice over where it has several pages', async () => {
		await fc.assert(
			fc.asyncProperty(fc.nat(1500), manners, async (n, how) => {
				const list = listOf(n, how);
				const { records, complete } = await readWhole(list.read);
				expect(new Set(ids(records)).size).toBe(n);
				expect(records).toHaveLength(n);
				expect(complete).toBe(true);
				const needed = Math.max(1, Math.ceil(n / how.largestPage));
				const readings = needed > 1 ? 2 : 1;
				const end = how.withoutTotal ? 2 : 0;
				expect(list.requests()).toBeLessThanOrEqual(readings * needed + end);
			}),
			{ numRuns: draws(30) },
		);
	});

	it.each<[string, n: number, ServiceBehaviour, complete: boolean, found: number, most: number]>([
		['a service that ignores the page', 250, ignoring, false, 100, 9],
		['the same, unstated', 250, { ...ignoring, ...unstated }, false, 100, 2],
		['no ids, several pages', 250, { nameless: true }, false, 250, 3],
		['the same, unstated', 250, { nameless: true, ...unstated }, false, 250, 4],
		['no ids, and a service that ignores the page', 250, nameless, false, 100, 3],
		['the same, unstated', 250, { ...nameless, ...unstated }, false, 100, 2],
		['no ids, one page', 60, { nameless: true }, true, 60, 1],
		['the same, unstated', 60, { nameless: true, ...unstated }, true, 60, 2],
		['a size that nobody would choose', 61, { ...nameless, ...unstated }, true, 61, 1],
	])('gives each record once: %s', async (_, n, behaviour, complete, length, most) => {
		const list = listOf(n, behaviour);
		expect(await readWhole(list.read)).toMatchObject({ records: { length }, complete });
		expect(list.requests()).toBeLessThanOrEqual(most);
	});

	it.each<[string, ServiceBehaviour, requests: number]>([
		['is stated, after its first page', {}, 1],
		['is not, after as many pages', unstated, 3],
	])('gives up a list that is too long, where its length %s', async (_, behaviour, requests) => {
		const list = listOf(500, behaviour);
		expect((await readWhole(list.read, { mostPages: 3 })).complete).toBe(false);
		expect(list.requests()).toBe(requests);
	});

	describe('pass by pass', () => {
		const pageOf = (total: number | undefined, ...ids: number[]) => ({
			records: ids.map((id) => ({ id })),
			total,
		});
		type Pass = Array<Page | undefined>;

		/** Reads a list while the service answers each pass as given; the last one is repeated. */
		async function readPasses(passes: Pass[], isEnough = false) {
			let pass = 0;
			const requested: number[] = [];
			const first = passes[0][0];
			const read = async ({ page }: { page: number }) => {
				if (page === 1) pass += 1;
				requested.push(page);
				return (passes[pass] ?? passes.at(-1))[page - 1];
			};
			const list = await readWhole(read, { first, isEnough: () => isEnough });
			return { found: ids(list.records).sort(), requested, complete: list.complete };
		}
		const still: Pass = [pageOf(4, 3, 1), pageOf(4, 4, 2)];
		const moved: Pass = [pageOf(4, 3, 1), pageOf(3, 4, 2)];
		const twice: Pass = [pageOf(4, 3, 1), pageOf(4, 1, 2)];
		const uncounted: Pass = [pageOf(undefined, 3, 1)];
		const five = pageOf(undefined, 1, 2, 3, 4, 5);
		const [withSix, withSeven] = [6, 7].map((id): Pass => [five, pageOf(undefined, id)]);
		const shrunk: Pass = [pageOf(3, 3, 4), pageOf(3, 1)];
		const all = [1, 2, 3, 4];

		it.each<[string, Pass[], found: number[], requested: number[]]>([
			['two passes in which every page counts what came', [still], all, [2, 1, 2]],
			['a third pass after one with two totals', [moved, still], all, [2, 1, 2, 1, 2]],
			['a third pass after one with a record twice', [twice, still], all, [2, 1, 2, 1, 2]],
			['a second pass that lacks a record', [still, shrunk], all, [2, 1, 2]],
			['a second pass without a total', [still, uncounted], all, [2, 1]],
			['two passes without totals', [withSix], [...all, 5, 6], [2, 1, 2]],
			['a third pass without totals', [withSix, withSeven], [...all, 5, 6, 7], [2, 1, 2, 1, 2]],
			['a single page', [[pageOf(2, 2, 1)]], [1, 2], []],
		])('is complete after %s', async (_, passes, found, requested) => {
			const list = await readPasses(passes);
			expect(list).toEqual({ found, requested, complete: true });
		});

		it('is complete after one pass that is enough', async () => {
			expect((await readPasses([still], true)).requested).toEqual([2]);
			expect((await readPasses([moved, still], true)).requested).toEqual([2, 1, 2]);
		});

		it.each<[string, Pass[], found: number[], requests?: number]>([
			['it never stays the same', [moved], all],
			['it always has a record twice', [twice], [1, 2, 3]],
			['it stayed the same in one pass only', [still, moved], all],
			['requests end in the first pass', [[pageOf(4, 3, 1), undefined]], [1, 3], 1],
			['they end in the second', [still, [pageOf(4, 3, 1), undefined]], all, 3],
			['they end at its start', [still, [undefined]], all, 2],
			['one page holds more than its total', [[pageOf(2, 1, 2, 3)]], [1, 2, 3], 2],
			['they end in a list without a total', [[five, undefined]], [...all, 5], 1],
		])('is not complete if %s', async (_, passes, found, requests = 5) => {
			const { requested, ...list } = await readPasses(passes);
			expect(list).toEqual({ found, complete: false });
			expect(requested).toHaveLength(requests);
		});
	});
});

it.each<[count: number, total: number | undefined, isIt: boolean]>([
	[0, 300, true],
	[99, 300, false],
	[50, undefined, false],
	[51, undefined, true],
	[101, undefined, false],
])('a page of %p with a total of %p is the last one whatever comes: %p', (count, total, isIt) => {
	expect(isLast({ records: types(count), total })).toBe(isIt);
});

it.each<[stated: Record<string, number>, requests: number]>([
	// The second time, as the first.
	[{ limit: 24 }, 2 * 3],
	[{ totalPages: 3 }, 2 * 4],
	[{ limit: 100, totalPages: 3 }, 2 * 4],
])('is read to its end by pages of 24 that state %j and no total', async (pagination, requests) => {
	const named = types(60).map(({ type }) => ({ id: type }));
	let requested = 0;
	const { records, complete } = await readWhole(async ({ page }) => {
		requested += 1;
		const data = { tags: named.slice((page - 1) * 24, page * 24), pagination };
		const client = { send: async () => ({ status: 200, data, envelope: {} }) } as never;
		const list = {
			path: '/tags',
			errorContext: { action: '', targets: [] },
			record: { plural: 'tags' },
		};
		return await pageReader(client, list)({ page, limit: 100 });
	});
	expect([records.length, complete, requested]).toEqual([60, true, requests]);
});

describe('inParallel', () => {
	it('works on each job once, with no more at a time than it may', async () => {
		const jobs = fc.array(fc.nat(3), { maxLength: 100 });
		await fc.assert(
			fc.asyncProperty(jobs, async (turns) => {
				const done: number[] = [];
				let now = 0;
				const all = await inParallel(
					turns.map((count, index) => ({ count, index })),
					async ({ count, index }) => {
						expect((now += 1)).toBeLessThanOrEqual(MAX_IN_FLIGHT);
						for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
						done.push(index);
						now -= 1;
					},
				);
				expect(all).toBe(true);
				expect(done.sort((a, b) => a - b)).toEqual(turns.map((_, index) => index));
			}),
		);
	});

	it.each([
		['asks to stop', async () => false, { value: false }],
		['throws', async () => await Promise.reject(new Error('no')), { reason: new Error('no') }],
	])('begins nothing more when one %s', async (_, last, expected) => {
		const begun: number[] = [];
		const jobs = Array.from({ length: 80 }, (_each, index) => index);
		const [outcome] = await Promise.allSettled([
			inParallel(jobs, async (job) => {
				begun.push(job);
				await Promise.resolve();
				return job === 4 ? await last() : undefined;
			}),
		]);
		expect(outcome).toMatchObject(expected);
		expect(begun.length).toBeLessThan(40);
	});
});
