/**
 * The rate limit under load, in simulated time. Prints refusals and use of the limit:
 *
 *   npx jest test/pure/rateLimitedService
 */
import type { Model } from './rateLimitedService.mts';
import { saturate } from './rateLimitedService.mts';

describe('many processes that share one key and only see its headers', () => {
	const report: string[] = [];
	afterAll(() => process.stdout.write(`${report.join('\n')}\n`));

	/** The least use of the limit over all seeds. */
	async function measure(model: Model, seeds = [1, 2]): Promise<{ refusals: number; use: number }> {
		const runs = [];
		for (const seed of seeds) runs.push(await saturate({ minutes: 5, ...model, seed }));
		const refusals = runs.reduce((sum, run) => sum + run.refusals, 0);
		const use = Math.min(...runs.map((run) => run.use));
		report.push(`${JSON.stringify(model)}: ${refusals} refused, ${(use * 100).toFixed(1)} % used`);
		return { refusals, use };
	}

	const grid = [40, 60, 100, 300, 1000].flatMap((limit) =>
		[1, 2, 4, 8, 16].map((processes) => ({ limit, processes })),
	);
	/** Where the limit is small for so many, a fair share of each is a few requests, and being careful costs more. */
	const leastFor = ({ limit, processes }: Model) => (limit < 100 && processes > 2 ? 0.86 : 0.9);

	it.each<Model>([
		...grid,
		...grid.filter(({ processes }) => processes > 2).map((model) => ({ ...model, slowOneIn: 30 })),
		{ limit: 40, processes: 16, wanted: 1 },
		{ limit: 40, processes: 4, aligned: false, reset: 'down' },
		{ limit: 1000, processes: 3, skewMs: 3_600_000 },
		{ limit: 1000, processes: 3, aligned: false, reset: 'ms' },
		{ limit: 300, processes: 16, aligned: false, reset: 'down' },
		{ limit: 100, processes: 8, latency: [5, 30] },
		{ limit: 300, processes: 16, latency: [5, 30] },
		{ limit: 1000, processes: 16, latency: [20, 1000] },
		// All answers arrive together, and all processes grow together.
		{ limit: 300, processes: 8, latency: [95, 105] },
		{ limit: 1000, processes: 8, latency: [95, 105] },
	])('%j are never refused, and use the limit', async (model) => {
		const { refusals, use } = await measure(model);
		expect(refusals).toBe(0);
		expect(use).toBeGreaterThan(leastFor(model));
	});

	it('uses 99 % of a large limit alone', async () => {
		const { use } = await measure({ limit: 1000, processes: 1 });
		expect(use).toBeGreaterThan(0.99);
	});

	it.each<Model>([
		{ limit: 300, processes: 4, pauses: true },
		{ limit: 1000, processes: 8, pauses: true },
		{ limit: 1000, processes: 16, pauses: true },
	])('%j that join a used-up window are not refused either', async (model) => {
		expect((await measure(model, [1, 2, 3])).refusals).toBe(0);
	});

	it.each<Model>([
		...[40, 100, 300].map((limit) => ({ limit, processes: 8, aloneAfter: 5 })),
		{ limit: 100, processes: 1, toolBurst: 25, toolUntil: 5 },
	])('%j: the one that is left recovers within two windows', async (model) => {
		const { perWindow } = await saturate({ ...model, minutes: 9 });
		report.push(`${JSON.stringify(model)}: ${perWindow.join(', ')} in each window`);
		// The others are gone since 17 seconds into the window with index 5.
		expect(perWindow[6]).toBeGreaterThan(model.limit / 2);
		expect(perWindow[8]).toBeGreaterThanOrEqual(model.limit * 0.9);
	});
});
