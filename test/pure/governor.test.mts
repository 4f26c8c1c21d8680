import fc from 'fast-check';

import type { Permit } from '../../nodes/IntegrationLeads/transport/governor';
import type { RateLimitHeaders } from '../../nodes/IntegrationLeads/transport/headers';
import { readRateLimit } from '../../nodes/IntegrationLeads/transport/headers';
import type { Pace, RateLimitWindow } from '../../nodes/IntegrationLeads/transport/pace';
import { Governor, governorFor } from '../../nodes/IntegrationLeads/transport/governor';
import {
	admit,
	CONCURRENCY,
	observe,
	reserveFor,
	start,
	STARTING_PACE,
	throttle,
} from '../../nodes/IntegrationLeads/transport/pace';
import type { Model } from './rateLimitedService.mts';
import { saturate } from './rateLimitedService.mts';
import { START, virtualClock } from './virtualClock.mts';

const NOW = START;
const window = (more: Partial<RateLimitWindow> = {}): RateLimitWindow => {
	const seen = { seenAt: NOW, first: 500, answers: 0 };
	const ends = more.resetAt ?? NOW + 30_000;
	return { limit: 1000, remaining: 500, resetAt: ends, serverResetAt: ends, ...seen, ...more };
};
const pace = (more: Partial<Pace> = {}): Pace => ({ ...STARTING_PACE, window: window(), ...more });

describe('admit', () => {
	it.each<[string, Pace, ReturnType<typeof admit>]>([
		['the first request is a probe', STARTING_PACE, 'probe'],
		['one probe at a time', pace({ window: undefined, probing: true }), 'after-answer'],
		['room', pace(), 'go'],
		['as many as may be in flight', pace({ inFlight: CONCURRENCY }), 'after-answer'],
		['a stale window', pace({ window: window({ seenAt: NOW - 2001 }) }), 'probe'],
		[
			'a stale window with nothing left',
			pace({ window: window({ seenAt: NOW - 2001, remaining: 0, first: 0 }) }),
			{ waitMs: 30_000 },
		],
		['a window just fresh', pace({ window: window({ seenAt: NOW - 2000 }) }), 'go'],
		['a window that is over', pace({ window: window({ resetAt: NOW }) }), 'probe'],
		['one beyond the reserve', pace({ window: window({ remaining: 3, first: 3 }) }), 'go'],
		['the reserve', pace({ window: window({ remaining: 2, first: 2 }) }), { waitMs: 30_000 }],
		[
			'all that is left is in flight',
			pace({ inFlight: 5, window: window({ remaining: 7, first: 7 }) }),
			{ waitMs: 30_000 },
		],
		['a pause', pace({ pausedUntil: NOW + 5 }), { waitMs: 5 }],
		['a pause that is over', pace({ pausedUntil: NOW }), 'go'],
		[
			'no headers, too soon',
			pace({ window: undefined, headerless: { perSecond: 10, nextAt: NOW + 60 } }),
			{ waitMs: 60 },
		],
		[
			'no headers, in time',
			pace({ window: undefined, headerless: { perSecond: 10, nextAt: NOW } }),
			'go',
		],
	])('%s', (_, given, expected) => {
		expect(admit(given, NOW)).toEqual(expected);
	});
});

describe('reserveFor', () => {
	it.each<[string, Pace, number]>([
		['nobody else', pace(), 2],
		['a limit of 30', pace({ window: window({ limit: 30 }) }), 1],
		['a limit of 10', pace({ window: window({ limit: 10 }) }), 0],
		['no limit stated', pace({ window: window({ limit: undefined }) }), 2],
		['one peer, known from before', pace({ peers: 1 }), CONCURRENCY],
		['a crowd', pace({ peers: 1000 }), 200],
		['our own answers only', pace({ window: window({ remaining: 400, answers: 100 }) }), 2],
	])('%s', (_, given, least) => {
		expect(reserveFor(given)).toBeGreaterThanOrEqual(least);
		expect(reserveFor(given)).toBeLessThanOrEqual(Math.min(200, least * 2));
	});

	it('grows with what others use', () => {
		const reserves = [0, 50, 100, 200, 400].map((others) =>
			reserveFor(pace({ window: window({ remaining: 450 - others, first: 500, answers: 50 }) })),
		);
		expect(reserves).toEqual([...new Set(reserves)].sort((a, b) => a - b));
	});
});

describe('observe', () => {
	const reading = (more: Partial<RateLimitHeaders> = {}): RateLimitHeaders => {
		const { seenAt: _, first: __, answers: ___, ...read } = window({ remaining: 700, ...more });
		return read;
	};

	it.each<[string, Partial<Pace>, Partial<RateLimitHeaders>, object]>([
		['the first window', { window: undefined }, {}, { first: 700, remaining: 700, answers: 0 }],
		['a next window', {}, { resetAt: NOW + 90_000 }, { first: 700, remaining: 700, answers: 0 }],
		['the same window, less', {}, { remaining: 400 }, { first: 500, remaining: 400, answers: 1 }],
		['the same, overtaken', {}, { remaining: 600 }, { first: 500, remaining: 500, answers: 1 }],
		['a reset that wavers', {}, { resetAt: NOW + 31_400 }, { answers: 1, resetAt: NOW + 30_000 }],
		['a more exact reset', {}, { resetAt: NOW + 29_400 }, { answers: 1, resetAt: NOW + 29_400 }],
		['a window that is over', {}, { resetAt: NOW - 30_000 }, { remaining: 500, answers: 0 }],
		['no limit stated', {}, { limit: undefined }, { limit: 1000 }],
		[
			'past the end, and still the same',
			{ window: window({ resetAt: NOW - 10 }) },
			{ resetAt: NOW - 10 },
			{ resetAt: NOW + 250 },
		],
	])('%s', (_, before, more, after) => {
		expect(observe(pace(before), reading(more), NOW).window).toMatchObject(after);
	});

	it('takes answers that the service did not count for no negative number of peers', () => {
		const uncounted = pace({ window: window({ answers: 100 }) });
		expect(observe(uncounted, reading({ resetAt: NOW + 90_000 }), NOW).peers).toBe(0);
	});

	it('leaves a known window alone when one answer has no headers', () => {
		expect(observe(pace(), undefined, NOW)).toEqual(pace());
	});

	it('spaces requests by the clock, and saves up no requests while nothing is sent', () => {
		const headerless = (nextAt: number) =>
			pace({ window: undefined, headerless: { perSecond: 10, nextAt } });
		expect(start(headerless(NOW - 5000), false, NOW).headerless?.nextAt).toBe(NOW + 100);
		const later = start(headerless(NOW + 50), false, NOW);
		expect(later.headerless?.nextAt).toBe(NOW + 150);
		expect(observe(later, undefined, NOW).headerless?.nextAt).toBe(NOW + 150);
	});

	it('paces by the clock without headers, until headers come', () => {
		const first = observe(STARTING_PACE, undefined, NOW);
		expect(first.headerless).toEqual({ perSecond: 10, nextAt: 0 });
		expect(observe(first, reading(), NOW)).toMatchObject({
			headerless: undefined,
			window: reading(),
		});
		const slowed = throttle(first, 3000, NOW);
		expect(slowed).toMatchObject({ pausedUntil: NOW + 3000, headerless: { perSecond: 5 } });
		expect(observe(slowed, undefined, NOW).headerless?.perSecond).toBeCloseTo(5.1);
	});
});

describe('throttle', () => {
	it.each([
		['as asked', 0, 7000, NOW + 7000],
		['a wait that a request accepts', 0, 300_000, NOW + 300_000],
		['two minutes for a longer one', 0, 300_001, NOW + 120_000],
		['never shorter than before', NOW + 9000, 7000, NOW + 9000],
	])('%s', (_, pausedUntil, waitMs, until) => {
		const after = throttle(pace({ pausedUntil }), waitMs, NOW);
		expect(after).toMatchObject({ pausedUntil: until, window: undefined });
		expect(admit(after, until)).toBe('probe');
	});

	it('takes refusals of requests that were under way together for one', () => {
		let slowed = observe(STARTING_PACE, undefined, NOW);
		for (let index = 0; index < 8; index += 1) slowed = throttle(slowed, 1000, NOW + index);
		expect(slowed.headerless?.perSecond).toBe(5);
	});

	it('does not slow down without end', () => {
		let slowed = observe(STARTING_PACE, undefined, NOW);
		for (let index = 0; index < 20; index += 1) slowed = throttle(slowed, 1000, NOW + 2000 * index);
		expect(slowed.headerless?.perSecond).toBe(0.5);
	});
});

describe('readRateLimit', () => {
	const seconds = Math.floor(NOW / 1000);
	const ahead = new Date(NOW + 3_600_000).toUTCString();

	it.each<[string, object, object | undefined]>([
		['seconds', { reset: seconds + 30 }, { limit: 1000, remaining: 7, in: 29_750 }],
		['milliseconds', { reset: NOW + 30_000 }, { in: 30_000 }],
		['seconds from now', { reset: 30 }, { in: 30_000 }],
		['a reset that is over', { reset: seconds - 30 }, { in: 0 }],
		['a reset far away', { reset: seconds + 86_400 }, { in: 120_000 }],
		// The Date header has whole seconds only: the wait is up to one second too long, never too short.
		['a clock ahead of ours', { reset: seconds + 3630, date: ahead }, { in: 30_000 }],
		['a Date that is none', { reset: seconds + 30, date: '?' }, { in: 29_750 }],
		['no reset', {}, { in: 60_000 }],
		['no limit', { limit: undefined, reset: 30 }, { limit: undefined, in: 30_000 }],
		['numbers', { remaining: 7, reset: 30 }, { remaining: 7 }],
		['nothing left', { remaining: '0', reset: 30 }, { remaining: 0 }],
		['no remaining', { remaining: undefined }, undefined],
		['an empty remaining', { remaining: '' }, undefined],
		['a negative remaining', { remaining: '-1' }, undefined],
		['words', { remaining: 'many' }, undefined],
	])('understands %s', (_, given, expected) => {
		const { date, ...named } = { limit: '1000', remaining: '7', ...given } as Record<
			string,
			unknown
		>;
		const headers = Object.entries(named).map(([name, value]) => [
			`x-ratelimit-${name}`,
			typeof value === 'number' && name === 'reset' ? String(value) : value,
		]);
		const reading = readRateLimit({ ...Object.fromEntries(headers), date }, NOW);
		expect(reading && { ...reading, in: reading.resetAt - NOW }).toEqual(
			expected && expect.objectContaining(expected),
		);
	});
});

describe('many processes that share one key and only see its headers', () => {
	const report: string[] = [];
	afterAll(() => process.stdout.write(`${report.join('\n')}\n`));

	it.each<[Model, number]>([
		[{ limit: 60, processes: 1 }, 0.9],
		[{ limit: 100, processes: 1 }, 0.9],
		[{ limit: 300, processes: 1 }, 0.9],
		...Array.from({ length: 16 }, (_, index): [Model, number] => [
			{ limit: 1000, processes: index + 1 },
			0.9,
		]),
		[{ limit: 1000, processes: 3, skewMs: 3_600_000 }, 0.9],
		[{ limit: 1000, processes: 3, aligned: false, reset: 'ms' }, 0.9],
		[{ limit: 1000, processes: 3, aligned: false, reset: 'down' }, 0.9],
		[{ limit: 1000, processes: 16, latency: [20, 1000] }, 0.9],
	])('%j are never refused, and use more than %d of the limit', async (model, least) => {
		const runs = [];
		for (const seed of [1, 2]) runs.push(await saturate({ ...model, seed, minutes: 3 }));
		const use = Math.min(...runs.map((run) => run.use));
		report.push(`${JSON.stringify(model)}: ${(use * 100).toFixed(1)} % used`);
		expect(runs.map(({ rejections }) => rejections)).toEqual([0, 0]);
		expect(use).toBeGreaterThan(least);
	});
});

describe('the queue', () => {
	let time: ReturnType<typeof virtualClock>;
	beforeEach(() => {
		time = virtualClock();
	});
	afterEach(() => time.restore());

	const headers = (remaining: number, seconds: number) => ({
		'x-ratelimit-remaining': String(remaining),
		'x-ratelimit-reset': String(seconds),
	});

	/** Requests with an abort each, in an order of answering and aborting that fast-check chooses. */
	const plan = fc.array(
		fc.record({
			/** Aborted at this moment, if at all. */
			abortAt: fc.option(fc.nat(5000), { nil: undefined }),
			takes: fc.nat(400),
			remaining: fc.nat(12),
			answered: fc.boolean(),
		}),
		{ minLength: 1, maxLength: 40 },
	);

	it('is first in, first out; who gives up leaves at once, and no place is lost', async () => {
		await fc.assert(
			fc.asyncProperty(plan, async (requests) => {
				time.restore();
				time = virtualClock();
				const governor = new Governor();
				const begun: number[] = [];
				const gone: number[] = [];
				let inFlight = 0;
				let most = 0;
				const all = requests.map(async ({ abortAt, takes, remaining, answered }, index) => {
					const controller = new AbortController();
					if (abortAt !== undefined) {
						void time.sleep(abortAt).then(() => controller.abort(new Error('enough')));
					}
					let permit: Permit | undefined;
					try {
						permit = await governor.acquire(controller.signal);
					} catch (error) {
						expect(error).toEqual(new Error('enough'));
						expect(time.now()).toBe(START + (abortAt ?? NaN));
						gone.push(index);
						return;
					}
					begun.push(index);
					inFlight += 1;
					most = Math.max(most, inFlight);
					await time.sleep(takes);
					inFlight -= 1;
					permit?.release(answered ? headers(remaining, 1) : undefined);
				});
				await time.runUntil(START + 3_600_000);
				await Promise.all(all);
				expect(begun).toEqual([...begun].sort((a, b) => a - b));
				expect(begun.length + gone.length).toBe(requests.length);
				expect(most).toBeLessThanOrEqual(CONCURRENCY);
				// As many go side by side as before: no place was lost.
				const [probe] = await Promise.all([governor.acquire()]);
				probe?.release(headers(500, 60));
				const permits = Array.from({ length: CONCURRENCY + 1 }, () => governor.acquire());
				let open = 0;
				for (const each of permits) void each.then(() => (open += 1));
				await time.runUntil(time.now());
				expect(open).toBe(CONCURRENCY);
			}),
			{ numRuns: 60 },
		);
	});

	it('gives no permit to what waits when the key is revoked', async () => {
		const governor = new Governor();
		const probe = await governor.acquire();
		const waiting = [governor.acquire(), governor.acquire()];
		governor.stopWaiting();
		expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
		probe?.release(headers(9, 60));
		await expect(governor.acquire()).resolves.toBeDefined();
	});

	it('does not begin for a signal that is already aborted', async () => {
		const reason = new Error('cancelled');
		await expect(new Governor().acquire(AbortSignal.abort(reason))).rejects.toBe(reason);
	});

	it('measures how long a request was delayed by the limit, and only then', async () => {
		const governor = new Governor();
		const probe = await governor.acquire();
		const late = governor.acquire();
		probe?.release(headers(0, 40));
		await time.runUntil(START + 60_000);
		expect(probe?.delayMs).toBe(0);
		expect((await late)?.delayMs).toBeGreaterThanOrEqual(40_000);
	});

	it('lets one request ask again after a 429', async () => {
		const governor = new Governor();
		const probe = await governor.acquire();
		governor.throttled(5000);
		probe?.release();
		let open = 0;
		for (let index = 0; index < 3; index += 1) void governor.acquire().then(() => (open += 1));
		await time.runUntil(START + 4999);
		expect(open).toBe(0);
		await time.runUntil(START + 5300);
		expect(open).toBe(1);
	});

	it('is one for each key, and goes when it has been idle', async () => {
		const first = governorFor('a');
		const busy = governorFor('b');
		void busy.acquire();
		expect(governorFor('a')).toBe(first);
		await time.runUntil(START + 601_000);
		expect(governorFor('b')).toBe(busy);
		expect(governorFor('a')).not.toBe(first);
	});
});
