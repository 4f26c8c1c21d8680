import fc from 'fast-check';

import type { Permit } from '../../nodes/IntegrationLeads/transport/governor';
import type { RateLimitHeaders } from '../../nodes/IntegrationLeads/transport/headers';
import { readRateLimit } from '../../nodes/IntegrationLeads/transport/headers';
import type { Ended, Pace, RateLimitWindow } from '../../nodes/IntegrationLeads/transport/pace';
import { Governor, governorFor } from '../../nodes/IntegrationLeads/transport/governor';
import { MOST_IN_FLIGHT } from '../../nodes/IntegrationLeads/transport/concurrency';
import {
	admit,
	finish,
	observe,
	peersOf,
	reserveFor,
	start,
	STARTING_PACE,
	throttle,
} from '../../nodes/IntegrationLeads/transport/pace';
import { draws } from '../helpers/long.mts';
import { START, virtualClock } from './virtualClock.mts';

const NOW = START;
const window = (more: Partial<RateLimitWindow> = {}): RateLimitWindow => {
	const seen = { seenAt: NOW, answers: 100, settledAt: 0 };
	const ends = more.resetAt ?? NOW + 30_000;
	return { limit: 1000, remaining: 500, resetAt: ends, serverResetAt: ends, ...seen, ...more };
};
/** Alone with the key, unless it says otherwise. */
const pace = (more: Partial<Pace> = {}): Pace => ({
	...STARTING_PACE,
	traffic: { all: 32, ours: 32 },
	window: window(),
	...more,
});
const eight = STARTING_PACE.concurrency;
const sent = { isProbe: false, sentAt: NOW };
/** As much traffic as 32 answers show when each of ours comes with so many of others. */
const beside = (peers: number) => ({ traffic: { all: 32 * (1 + peers), ours: 32 } });

describe('admit', () => {
	it.each<[string, Pace, ReturnType<typeof admit>]>([
		['the first request is a probe', STARTING_PACE, 'probe'],
		['one probe at a time', pace({ window: undefined, probing: true }), 'after-answer'],
		['room', pace(), 'go'],
		['as many as may be in flight', pace({ inFlight: 8 }), 'after-answer'],
		['one less', pace({ inFlight: 7 }), 'go'],
		['a stale window', pace({ window: window({ seenAt: NOW - 2001 }) }), 'probe'],
		[
			'a stale window with nothing left',
			pace({ window: window({ seenAt: NOW - 2001, remaining: 0 }) }),
			{ waitMs: 30_000 },
		],
		['a window just fresh', pace({ window: window({ seenAt: NOW - 2000 }) }), 'go'],
		['a window that is over', pace({ window: window({ resetAt: NOW }) }), 'probe'],
		['one beyond the reserve', pace({ window: window({ remaining: 3 }) }), 'go'],
		['the reserve', pace({ window: window({ remaining: 2 }) }), { waitMs: 30_000 }],
		['a narrow window', pace({ inFlight: 4, window: window({ remaining: 50 }) }), 'go'],
		[
			'all that may be in flight',
			pace({ inFlight: 5, window: window({ remaining: 50 }) }),
			'after-answer',
		],
		[
			'all that is left is in flight',
			pace({ inFlight: 5, window: window({ remaining: 7 }) }),
			'after-answer',
		],
		['the first request after the probe', pace({ window: window({ answers: 0 }) }), 'go'],
		[
			'a second one',
			pace({ inFlight: 1, window: window({ answers: 1, remaining: 39 }) }),
			'after-answer',
		],
		[
			'a second one, two answers later',
			pace({ inFlight: 1, window: window({ answers: 2, remaining: 39 }) }),
			'go',
		],
		[
			'a second one, of twenty that remain for each in flight',
			pace({ inFlight: 1, window: window({ answers: 0, remaining: 40 }) }),
			'go',
		],
		[
			'a fifth one, of fewer that remain for each in flight of all clients',
			pace({ ...beside(1), inFlight: 4, window: window({ answers: 1, remaining: 199 }) }),
			'after-answer',
		],
		[
			'a fifth one, of as many',
			pace({ ...beside(1), inFlight: 4, window: window({ answers: 1, remaining: 200 }) }),
			'go',
		],
		['others probe', pace({ window: window({ settledAt: NOW + 9 }) }), { waitMs: 9 }],
		['others have probed', pace({ window: window({ settledAt: NOW }) }), 'go'],
		[
			'others, enough left for all',
			pace({ ...beside(3), inFlight: 7, window: window({ remaining: 88 }) }),
			'go',
		],
		[
			'others, not enough left for as many of each',
			pace({ ...beside(3), inFlight: 7, window: window({ remaining: 87 }) }),
			'after-answer',
		],
		[
			'others, not enough left once what is in flight has been counted',
			pace({ ...beside(6), inFlight: 5, window: window({ remaining: 91 }) }),
			'after-answer',
		],
		[
			'others, enough left once what is in flight has been counted',
			pace({ ...beside(6), inFlight: 5, window: window({ remaining: 92 }) }),
			'go',
		],
		[
			'others, after an answer that is just fresh',
			pace({ ...beside(1), window: window({ seenAt: NOW - 2000, remaining: 23 }) }),
			'go',
		],
		[
			'others, who have gone on since the last answer',
			pace({ ...beside(1), window: window({ seenAt: NOW - 20_000, resetAt: NOW + 30_000 }) }),
			{ waitMs: 30_000 },
		],
		[
			'others, who have not used up the rest since the last answer',
			pace({ ...beside(1), window: window({ seenAt: NOW - 15_000, resetAt: NOW + 30_000 }) }),
			'probe',
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

describe('the probe', () => {
	it('is known from its start to its own end, whatever else starts and ends', () => {
		const ordinary = start(pace(), false, NOW);
		expect(ordinary.probing).toBe(false);
		const probed = start(ordinary, true, NOW);
		const end = (isProbe: boolean, of: Pace) =>
			finish(of, { isProbe, sentAt: NOW }, undefined, NOW).probing;
		expect(end(false, start(probed, false, NOW))).toBe(true);
		expect(end(true, probed)).toBe(false);
	});
});

describe('a request that ends', () => {
	const end = (more: Partial<Ended>) =>
		finish(pace({ inFlight: 8 }), sent, { answered: true, failed: false, ...more }, NOW + 50);
	const { resetAt, serverResetAt } = window();
	const limits = { remaining: 0, resetAt, serverResetAt };

	it.each<[string, Partial<Ended> | undefined, limit: number, pausedUntil: number]>([
		['accepted', {}, 8.5, 0],
		['cancelled', undefined, 8, 0],
		['failed', { failed: true }, 4, 0],
		['without an answer', { answered: false, failed: true }, 4, 0],
		['refused, while the window has room', { refusedForMs: 1000 }, 4, 0],
		['refused, and the window is used up', { refusedForMs: 1000, limits }, 4, NOW + 1050],
	])('%s', (_, more, limit, pausedUntil) => {
		const after = more ? end(more) : finish(pace({ inFlight: 8 }), sent, undefined, NOW + 50);
		expect(after).toMatchObject({ inFlight: 7, concurrency: { limit }, pausedUntil });
	});

	it('leaves the window that its refusal showed', () => {
		expect(end({ refusedForMs: 1000, limits }).window).toMatchObject({ remaining: 0, answers: 0 });
	});
});

describe('reserveFor', () => {
	it.each<[string, Pace, number]>([
		['nobody else', pace(), 2],
		['a limit of 40', pace({ window: window({ limit: 40 }) }), 2],
		['a limit of 39', pace({ window: window({ limit: 39 }) }), 1],
		['a limit of 20', pace({ window: window({ limit: 20 }) }), 1],
		['a limit of 19', pace({ window: window({ limit: 19 }) }), 0],
		['no limit stated', pace({ ...beside(1), window: window({ limit: undefined }) }), 22],
		['one peer', pace(beside(1)), 22],
		['half a peer', pace(beside(0.5)), 11],
		['one peer, three in flight', pace({ ...beside(1), inFlight: 3 }), 26],
		['one peer, four in flight', pace({ ...beside(1), inFlight: 4 }), 28],
		['one peer, twelve in flight', pace({ ...beside(1), inFlight: 12 }), 76],
		['one peer, a limit of 100', pace({ ...beside(1), window: window({ limit: 100 }) }), 4],
		['a crowd', pace(beside(1000)), 500],
		['a crowd, a limit of 100', pace({ ...beside(1000), window: window({ limit: 100 }) }), 50],
		['answers that the service did not count', pace({ traffic: { all: 10, ours: 32 } }), 2],
		['a process that begins', { ...STARTING_PACE, window: window({ limit: 40 }) }, 20],
	])('%s', (_, given, expected) => {
		expect(reserveFor(given)).toBe(expected);
	});
});

describe('observe', () => {
	const reading = (more: Partial<RateLimitHeaders> = {}): RateLimitHeaders => {
		const { seenAt: _, answers: __, settledAt: ___, ...read } = window({ remaining: 700, ...more });
		return read;
	};

	it.each<[string, Partial<Pace>, Partial<RateLimitHeaders>, object]>([
		['the first window', { window: undefined }, {}, { remaining: 700, answers: 0, settledAt: 0 }],
		['a next window', {}, { resetAt: NOW + 90_000 }, { remaining: 700, answers: 0 }],
		['the same window, less', {}, { remaining: 400 }, { remaining: 400, answers: 101 }],
		['the same, overtaken', {}, { remaining: 600 }, { remaining: 500, answers: 101 }],
		['a reset that wavers', {}, { resetAt: NOW + 31_400 }, { answers: 101, resetAt: NOW + 30_000 }],
		['a more exact reset', {}, { resetAt: NOW + 29_400 }, { answers: 101, resetAt: NOW + 29_400 }],
		['a window that is over', {}, { resetAt: NOW - 30_000 }, { remaining: 500, answers: 100 }],
		['no limit stated', {}, { limit: undefined }, { limit: 1000 }],
		[
			'a reset in whole seconds, perhaps rounded down',
			{ window: undefined },
			{ resetAt: NOW + 29_750 },
			{ resetAt: NOW + 30_750 },
		],
		[
			'past the end, and still the same',
			{ window: window({ resetAt: NOW - 10 }) },
			{ resetAt: NOW - 10 },
			{ resetAt: NOW + 250 },
		],
	])('%s', (_, before, more, after) => {
		expect(observe(pace(before), reading(more), NOW).window).toMatchObject(after);
	});

	it.each([
		['a next window measures anew how fast the service is', NOW + 90_000, Infinity],
		['the same window keeps the fastest answer', NOW + 30_000, 5],
	])('%s', (_, resetAt, fastestMs) => {
		const before = pace({ concurrency: { ...eight, fastestMs: 5 } });
		expect(observe(before, reading({ resetAt }), NOW).concurrency.fastestMs).toBe(fastestMs);
	});

	it('counts what `remaining` falls by, up to two seconds after the last answer', () => {
		const before = pace({ traffic: { all: 20, ours: 10 } });
		expect(observe(before, reading({ remaining: 495 }), NOW + 2000).traffic).toEqual({
			all: 25,
			ours: 11,
		});
		expect(observe(before, reading({ remaining: 495 }), NOW + 2001).traffic).toEqual({
			all: 20,
			ours: 10,
		});
	});

	it('counts no more than 32 answers in full', () => {
		const { traffic } = observe(pace(beside(3)), reading({ remaining: 496 }), NOW);
		expect(traffic).toEqual({ all: 128, ours: 32 });
	});

	describe('a next window', () => {
		const next = { resetAt: NOW + 60_300, serverResetAt: NOW + 60_300, remaining: 988 };
		const over = (more: Partial<RateLimitWindow> = {}) => window({ resetAt: NOW, ...more });

		it.each<[string, Partial<Pace>, number, object, number]>([
			[
				'that we waited for',
				{ traffic: { all: 20, ours: 10 } },
				2000,
				{ all: 32, ours: 11 },
				NOW + 800,
			],
			[
				'that begins before the last one was to end',
				{ traffic: { all: 20, ours: 10 } },
				-14_000,
				{ all: 32, ours: 11 },
				NOW - 14_000 + 800,
			],
			['that began before', { traffic: { all: 20, ours: 10 } }, 2001, { all: 20, ours: 10 }, 0],
			['that few wait for', { traffic: { all: 14, ours: 10 } }, 0, { all: 26, ours: 11 }, 0],
			[
				'that some wait for',
				{ traffic: { all: 15, ours: 10 } },
				0,
				{ all: 27, ours: 11 },
				NOW + 800,
			],
		])('%s', (_, before, late, traffic, settledAt) => {
			const after = observe(pace({ window: over(), ...before }), reading(next), NOW + late);
			expect(after).toMatchObject({ traffic, window: { settledAt } });
		});

		it('does not count what is not stated', () => {
			const before = pace({ window: over(), ...beside(3) });
			const { traffic } = observe(before, reading({ ...next, limit: undefined }), NOW);
			expect(traffic).toEqual({ all: 128, ours: 32 });
		});

		it('forgets others while only the probe is let through', () => {
			let starved = pace({ ...beside(20), window: window({ answers: 0, resetAt: NOW }) });
			for (let minute = 1; minute <= 3; minute += 1) {
				const end = NOW + minute * 60_000 + 300;
				const seen = reading({ resetAt: end + 60_000, serverResetAt: end + 60_000, remaining: 10 });
				starved = observe(starved, seen, end + 30_000);
			}
			expect(peersOf(starved)).toBeCloseTo(20 * 0.75 ** 3);
		});
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
		const slowed = throttle(first, sent, 3000, NOW);
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
		const usedUp = pace({ pausedUntil, window: window({ remaining: 0 }) });
		const after = throttle(usedUp, sent, waitMs, NOW);
		expect(after).toMatchObject({ pausedUntil: until, pausedAt: NOW, window: undefined });
		expect(after.concurrency.limit).toBe(4);
		expect(admit(after, until)).toBe('probe');
	});

	describe('a request that was in flight when the pause began', () => {
		const paused = pace({ pausedAt: NOW, pausedUntil: NOW + 1000, window: undefined });

		it.each([
			['ends with it', NOW, 500, 500, NOW + 1000],
			['makes it longer as long as it holds, if it asks for more', NOW, 999, 30, NOW + 1029],
			['does not begin another', NOW, 1000, 1000, NOW + 1000],
			['does, if it was sent later', NOW + 1, 1000, 1000, NOW + 2000],
		])('%s', (_, sentAt, later, waitMs, until) => {
			const after = throttle(paused, { isProbe: false, sentAt }, waitMs, NOW + later);
			expect(after.pausedUntil).toBe(until);
		});
	});

	it.each<[string, Partial<Pace>, 'pauses' | 'goes on']>([
		['room', {}, 'goes on'],
		['no window known', { window: undefined }, 'pauses'],
		['a window that is over', { window: window({ resetAt: NOW }) }, 'pauses'],
		['no more than the reserve left', { window: window({ remaining: 2 }) }, 'pauses'],
		['room, but refused though alone', { concurrency: { ...eight, limit: 1 } }, 'pauses'],
	])('of one request, with %s: the key %s', (_, given, expected) => {
		const after = throttle(pace(given), sent, 1000, NOW);
		expect(after.pausedUntil).toBe(expected === 'pauses' ? NOW + 1000 : 0);
		expect(after.concurrency.limit).toBe(given.concurrency ? 1 : 4);
	});

	it('takes refusals of requests that were under way together for one', () => {
		let slowed = observe(STARTING_PACE, undefined, NOW);
		for (let index = 0; index < 8; index += 1) slowed = throttle(slowed, sent, 1000, NOW + index);
		expect(slowed.headerless?.perSecond).toBe(5);
	});

	it('does not slow down without end', () => {
		let slowed = observe(STARTING_PACE, undefined, NOW);
		for (let now = NOW; now < NOW + 40_000; now += 2000) {
			slowed = throttle(slowed, { isProbe: true, sentAt: now }, 1000, now);
		}
		expect(slowed.headerless?.perSecond).toBe(0.5);
	});
});

describe('readRateLimit', () => {
	const seconds = Math.floor(NOW / 1000);
	const ahead = new Date(NOW + 3_600_000).toUTCString();

	it.each<[string, object, object | undefined]>([
		['seconds', { reset: seconds + 30 }, { limit: 1000, remaining: 7, in: 29_750 }],
		['milliseconds', { reset: NOW + 30_000 }, { in: 30_000, serverResetAt: NOW + 30_000 }],
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

describe('the queue', () => {
	let time: ReturnType<typeof virtualClock>;
	beforeEach(() => {
		time = virtualClock();
	});
	afterEach(() => time.restore());

	const answer = (remaining: number, seconds: number) => ({
		headers: {
			'x-ratelimit-remaining': String(remaining),
			'x-ratelimit-reset': String(seconds),
		},
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
					permit?.release(answered ? answer(remaining, 1) : undefined);
				});
				await time.runUntil(START + 3_600_000);
				await Promise.all(all);
				expect(begun).toEqual([...begun].sort((a, b) => a - b));
				expect(begun.length + gone.length).toBe(requests.length);
				expect(most).toBeLessThanOrEqual(MOST_IN_FLIGHT);
				// As many go side by side as before: no place was lost.
				const [probe] = await Promise.all([governor.acquire()]);
				probe?.release(answer(500, 60));
				for (let each = 0; each < 16; each += 1) {
					(await governor.acquire())?.release(answer(500, 60));
				}
				const may = governor.concurrency;
				const permits = Array.from({ length: may + 1 }, () => governor.acquire());
				let open = 0;
				for (const each of permits) void each.then(() => (open += 1));
				await time.runUntil(time.now());
				expect(open).toBe(may);
			}),
			{ numRuns: draws(60) },
		);
	});

	it('gives no permit to what waits when the key is revoked', async () => {
		const governor = new Governor();
		const probe = await governor.acquire();
		const waiting = [governor.acquire(), governor.acquire()];
		governor.stopWaiting();
		expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
		probe?.release(answer(900, 60));
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
		probe?.release(answer(0, 40));
		await time.runUntil(START + 60_000);
		expect(probe?.delayMs).toBe(0);
		expect((await late)?.delayMs).toBeGreaterThanOrEqual(40_000);
	});

	it('lets one request ask again after a 429', async () => {
		const governor = new Governor();
		const probe = await governor.acquire();
		probe?.release({ refusedForMs: 5000 });
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
