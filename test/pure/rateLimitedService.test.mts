/**
 * The rate limit under load, in simulated time. Prints refusals and use of the limit; all limits with all numbers of
 * processes, over more time and seeds, only in the long run:
 *
 *   npm run test:long -- test/pure/rateLimitedService.test.mts
 */
import { onlyLong } from '../helpers/long.mts';
import type { Model } from './rateLimitedService.mts';
import { saturate } from './rateLimitedService.mts';

const report: string[] = [];
afterAll(() => process.stdout.write(`${report.join('\n')}\n`));

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** The worst of all seeds. */
async function measure(model: Model) {
	const [minutes = 4] = onlyLong([12]);
	const runs = [];
	for (const seed of [1, ...onlyLong([2, 3])]) {
		runs.push(await saturate({ minutes, ...model, seed }));
	}
	const refused = Math.max(...runs.map((run) => run.refused));
	const mostOfOne = Math.max(...runs.map((run) => run.mostOfOne));
	const use = Math.min(...runs.map((run) => run.use));
	const shares = `${percent(refused)} refused, ${percent(use)} used`;
	report.push(`${JSON.stringify(model)}: ${shares}, one up to ${mostOfOne} times`);
	return { refused, mostOfOne, use };
}

/** How many requests may be refused, by the limit: where it is small, 16 processes learn from refusals that they are 16. */
const MOST_REFUSED: Record<number, number> = { 40: 0.2, 60: 0.15, 100: 0.06, 300: 0.02, 1000: 0 };

const grid = Object.keys(MOST_REFUSED).flatMap((limit) =>
	[1, 2, 4, 8, 16].map((processes): Model => ({ limit: Number(limit), processes })),
);
const unusual: Model[] = [
	{ limit: 1000, processes: 3, skewMs: 3_600_000 },
	{ limit: 300, processes: 3, skewMs: -5000, without: 'date' },
	{ limit: 1000, processes: 3, aligned: false, reset: 'ms' },
	{ limit: 300, processes: 16, aligned: false, reset: 'down' },
	{ limit: 100, processes: 16, wanted: 1 },
	{ limit: 300, processes: 16, slowOneIn: 30 },
	// All answers arrive together, and all processes grow together.
	...[40, 100, 300, 1000].map((limit): Model => ({ limit, processes: 16, latency: [95, 105] })),
	{ limit: 1000, processes: 16, latency: [5, 10] },
	{ limit: 300, processes: 4, pauses: true },
	{ limit: 1000, processes: 16, pauses: true },
	{ limit: 300, processes: 4, toolBurst: 10 },
];

it.each<Model>([
	...grid.filter(({ processes }) => processes === 1 || processes === 16),
	...onlyLong(grid.filter(({ processes }) => processes > 1 && processes < 16)),
	...unusual,
])('%j: few are refused, and the limit is used', async (model) => {
	const { refused, mostOfOne, use } = await measure(model);
	expect(refused).toBeLessThanOrEqual(MOST_REFUSED[model.limit]);
	expect(mostOfOne).toBeLessThan(5);
	expect(use).toBeGreaterThanOrEqual(0.95);
});

it.each<Model>([
	{ limit: 1000, processes: 2, without: 'headers' },
	{ limit: 300, processes: 4, without: 'headers' },
	{ limit: 300, processes: 3, skewMs: -90_000, without: 'date' },
	{ limit: 300, processes: 3, skewMs: 90_000, without: 'date' },
	{ limit: 100, processes: 4, toolBurst: 25 },
])('%j: no request is refused again and again', async (model) => {
	const { mostOfOne, use } = await measure(model);
	expect(mostOfOne).toBeLessThan(5);
	expect(use).toBeGreaterThan(0.4);
});

it.each([40, 100, 300])(
	'at %i, the one of eight that is left has all of it again',
	async (limit) => {
		const { perWindow } = await saturate({ limit, processes: 8, aloneAfter: 5, minutes: 9 });
		report.push(`${limit}, seven of eight gone after 5 minutes: ${perWindow.join(', ')}`);
		// They are gone since 17 seconds into the window with index 5.
		expect(perWindow[6]).toBeGreaterThan(limit / 2);
		expect(perWindow[8]).toBeGreaterThan(limit * 0.7);
	},
);
