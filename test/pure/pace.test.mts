/** When a request may be sent, and what its end changes. What this adds up to: rateLimitedService.test.mts. */
import type { Pace, RequestEnd } from '../../nodes/IntegrationLeads/transport/pace';
import { parseRateLimit } from '../../nodes/IntegrationLeads/transport/headers';
import { admit, finish, start, STARTING_PACE } from '../../nodes/IntegrationLeads/transport/pace';
import { LONGEST_WAIT_MS } from '../../nodes/IntegrationLeads/transport/retry';
import { START } from './virtualClock.mts';

const NOW = START;
const MINUTE = 60_000;
const reset = NOW + 30_000;
/** Half of the window left, in time and in requests; others have used the rest. */
const half = {
	...{ limit: 1000, remaining: 500, resetAt: reset, serverResetAt: reset },
	...{ seenAt: NOW, answers: 0 },
};
const pace = (more: Partial<Pace> = {}, window: Partial<typeof half> = {}): Pace => ({
	...STARTING_PACE,
	window: { ...half, ...window },
	...more,
});

describe('admit', () => {
	const spaced = (nextAt: number) => ({ ...STARTING_PACE, nextAt });
	const refusedAt = (refused: number) => ({ reserve: 0.2, refusedAt: refused });

	it.each<[string, Pace, ReturnType<typeof admit>]>([
		['the first request is a probe', STARTING_PACE, 'probe'],
		['one probe at a time', { ...STARTING_PACE, inFlight: 1, probing: true }, 'after-answer'],
		['a probe beside an answer that is long in coming', { ...STARTING_PACE, inFlight: 1 }, 'probe'],
		['room', pace(), 'go'],
		['one less than may be in flight', pace({ inFlight: 7 }), 'go'],
		['as many as may be in flight', pace({ inFlight: 8 }), 'after-answer'],
		['an answer that is just fresh', pace({}, { seenAt: NOW - 2000 }), 'go'],
		['a stale one', pace({}, { seenAt: NOW - 2001 }), 'probe'],
		['a stale one, with nothing left', pace({}, { seenAt: 0, remaining: 0 }), { waitMs: 30_000 }],
		['a window that is over', pace({}, { resetAt: NOW }), 'probe'],
		['one more than the reserve', pace({}, { remaining: 51 }), 'go'],
		['the reserve', pace({}, { remaining: 50 }), { waitMs: 30_000 }],
		['what is in flight', pace({ inFlight: 3 }, { remaining: 53 }), { waitMs: 30_000 }],
		['a reserve of less than one request', pace({}, { limit: 19, remaining: 1 }), 'go'],
		['a share of what remains', pace({ inFlight: 5 }, { remaining: 200 }), 'go'],
		['more than that', pace({ inFlight: 5 }, { remaining: 199 }), 'after-answer'],
		[
			'as many as answers came in this window, if nobody else has used it',
			pace({ inFlight: 5 }, { limit: 106, remaining: 100, answers: 6 }),
			'go',
		],
		[
			'the same, with what is in flight',
			pace({ inFlight: 5 }, { limit: 111, remaining: 100, answers: 6 }),
			'go',
		],
		[
			'more than answers came',
			pace({ inFlight: 5 }, { limit: 105, remaining: 100, answers: 5 }),
			'after-answer',
		],
		[
			'a window that another has used',
			pace({ inFlight: 5 }, { limit: 112, remaining: 100, answers: 6 }),
			'after-answer',
		],
		['one request, however little remains', pace({}, { limit: 40, remaining: 10 }), 'go'],
		['a larger reserve', pace(refusedAt(NOW), { remaining: 200 }), { waitMs: 30_000 }],
		['the same, a minute later', pace(refusedAt(NOW - MINUTE), { remaining: 181 }), 'go'],
		['the same, an hour later', pace(refusedAt(NOW - 60 * MINUTE), { remaining: 51 }), 'go'],
		['a pause', pace({ pausedUntil: NOW + 5 }), { waitMs: 5 }],
		['a pause that is over', pace({ pausedUntil: NOW }), 'go'],
		['no headers, too soon', spaced(NOW + 60), { waitMs: 60 }],
		['no headers, in time', spaced(NOW), 'go'],
	])('%s', (_, given, expected) => {
		expect(admit(given, NOW)).toEqual(expected);
	});
});

describe('a probe', () => {
	it('is known from its start to its own end, whatever else starts and ends', () => {
		const ordinary = start(pace(), false, NOW);
		expect(ordinary.probing).toBe(false);
		const probed = start(start(ordinary, true, NOW), false, NOW);
		const end = (isProbe: boolean) => finish(probed, { isProbe, sentAt: NOW }, undefined, NOW);
		expect([end(false).probing, end(true).probing]).toEqual([true, false]);
	});
});

/** Headers as the service sends them. */
const stating = (remaining: number, resetAt = reset): RequestEnd => ({
	headers: {
		'x-ratelimit-limit': '1000',
		'x-ratelimit-remaining': String(remaining),
		'x-ratelimit-reset': String(resetAt),
	},
});
const end = (given: Pace, ended?: RequestEnd, now = NOW + 50, sentAt = NOW) =>
	finish({ ...given, inFlight: 8 }, { isProbe: false, sentAt }, ended, now);

it.each<[string, RequestEnd | undefined, limit: number, pausedUntil: number]>([
	['accepted', stating(499), 9, 0],
	['cancelled', undefined, 8, 0],
	['failed', { ...stating(499), failed: true }, 4, 0],
	['without an answer', { failed: true }, 4, 0],
	['refused, while the window has room', { ...stating(499), refusedForMs: 1000 }, 4, 0],
	['refused, and the window is used up', { ...stating(0), refusedForMs: 1000 }, 4, NOW + 1050],
])('a request that was %s', (_, ended, limit, pausedUntil) => {
	const after = end(pace(), ended);
	expect(after).toMatchObject({ inFlight: 7, concurrency: { limit }, pausedUntil });
});

describe('what an answer shows', () => {
	it.each<[string, Pace, RequestEnd, Partial<typeof half>]>([
		['the first window', STARTING_PACE, stating(700), { limit: 1000, remaining: 700, answers: 1 }],
		[
			'its end, a second later since it may be rounded',
			STARTING_PACE,
			stating(7),
			{ resetAt: reset + 1000 },
		],
		['a next window', pace(), stating(900, reset + MINUTE), { remaining: 900 }],
		[
			'less in the same window',
			pace(),
			stating(400),
			{ remaining: 400, seenAt: NOW + 50, answers: 1 },
		],
		['more in the same one: overtaken', pace(), stating(600), { remaining: 500 }],
		[
			'a reset rounded otherwise',
			pace(),
			stating(600, reset + 1000),
			{ remaining: 500, resetAt: reset },
		],
		['an earlier reset', pace(), stating(600, reset - 1000), { remaining: 500, resetAt: reset }],
		['a later reset by more', pace(), stating(600, reset + 1001), { remaining: 600 }],
		['a window that is over', pace(), stating(0, reset - 1001), half],
		['no limit', STARTING_PACE, { headers: { 'x-ratelimit-remaining': '90' } }, { limit: 90 }],
		['nothing, once (a page of a proxy)', pace(), { headers: {} }, half],
	])('%s', (_, before, ended, window) => {
		const after = end(before, ended);
		expect(after.window).toMatchObject(window);
		expect(after.nextAt).toBeUndefined();
	});

	it.each([
		['measures anew in a next window how fast the service is', reset + MINUTE, 50],
		['keeps the fastest answer of the same one', reset, 5],
	])('%s', (_, resetAt, fastestMs) => {
		const concurrency = { ...STARTING_PACE.concurrency, fastestMs: 5 };
		expect(end(pace({ concurrency }), stating(9, resetAt)).concurrency.fastestMs).toBe(fastestMs);
	});

	it('no headers: requests are spaced, none is saved up, until headers come', () => {
		const spaced = end(STARTING_PACE, { headers: {} });
		expect(start(spaced, false, NOW)).toMatchObject({ nextAt: NOW + 100 });
		expect(start({ ...spaced, nextAt: NOW + 50 }, false, NOW)).toMatchObject({ nextAt: NOW + 150 });
		expect(end({ ...spaced, nextAt: 7 }, { headers: {} }).nextAt).toBe(7);
		expect(end(spaced, stating(700))).toMatchObject({
			nextAt: undefined,
			window: { remaining: 700 },
		});
	});

	it('no headers: requests are spaced more after a refusal', () => {
		const refused = end(STARTING_PACE, { headers: {}, refusedForMs: 3000 }, NOW);
		expect(refused.pausedUntil).toBe(NOW + 3000);
		expect(start(refused, false, NOW).nextAt).toBe(NOW + 200);
		expect(start(refused, false, NOW + 60 * MINUTE).nextAt).toBe(NOW + 60 * MINUTE + 100);
	});
});

describe('a refusal', () => {
	const usedUp = (refusedForMs: number) => ({ ...stating(0), refusedForMs });

	it.each([
		['as asked', 0, 7000, 7000],
		['no longer than any request waits', 0, LONGEST_WAIT_MS + 1, LONGEST_WAIT_MS],
		['never shorter than before', 9000, 7000, 9000],
	])('pauses the key: %s', (_, pausedFor, waitMs, expected) => {
		const after = end(pace({ pausedUntil: NOW + pausedFor }), usedUp(waitMs), NOW);
		expect(after.pausedUntil).toBe(NOW + expected);
	});

	it('doubles the reserve, once for all that were in flight, up to half of the limit', () => {
		const once = end(pace(), usedUp(1000));
		const twice = end(once, usedUp(1000), NOW + 60, NOW + 50);
		const later = end(twice, usedUp(1000), NOW + 70, NOW + 51);
		const reserves = [once, twice, later].map(({ reserve }) => reserve);
		expect(reserves).toEqual([0.1, 0.1, expect.closeTo(0.2)]);
		expect(end(pace({ reserve: 0.4, refusedAt: NOW - 1 }), usedUp(1000)).reserve).toBe(0.5);
	});

	it.each<[string, Partial<Pace>, Partial<typeof half>, 'pauses' | 'goes on']>([
		['room', {}, {}, 'goes on'],
		['no window known', { window: undefined }, {}, 'pauses'],
		['a window that is over', {}, { resetAt: NOW }, 'pauses'],
		['no more than the reserve and what is in flight', {}, { remaining: 57 }, 'pauses'],
		['one more', {}, { remaining: 58 }, 'goes on'],
		[
			'room, but as few in flight as there are at least',
			{ concurrency: { ...STARTING_PACE.concurrency, limit: 4 } },
			{},
			'pauses',
		],
	])('with %s: the key %s', (_, given, window, expected) => {
		const after = end({ ...pace({}, window), ...given }, { refusedForMs: 1000 }, NOW, NOW - 9);
		expect(after.pausedUntil).toBe(expected === 'pauses' ? NOW + 1000 : 0);
		expect(after.reserve).toBe(expected === 'pauses' ? 0.1 : 0.05);
		expect(after.concurrency.limit).toBe(4);
	});
});

describe('parseRateLimit', () => {
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
		const reading = parseRateLimit({ ...Object.fromEntries(headers), date }, NOW);
		expect(reading && { ...reading, in: reading.resetAt - NOW }).toEqual(
			expected && expect.objectContaining(expected),
		);
	});
});
