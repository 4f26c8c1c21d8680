/** When a request may be sent, and what its end changes. */
import { admit, finish, start, STARTING_PACE } from '../../nodes/IntegrationLeads/transport/pace';
import type { Exchange, ExchangeResult } from '../../nodes/IntegrationLeads/transport/request';
import { MAX_WAIT_MS } from '../../nodes/IntegrationLeads/transport/request';
import { START } from './virtualClock.mts';

const NOW = START;
const MINUTE = 60_000;
const reset = NOW + 30_000;
type Pace = ReturnType<typeof start>;

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
	const alone = (limit: number, answers: number) =>
		pace({ inFlight: 5 }, { limit, remaining: 100, answers });
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
		['as many as answers came, if nobody else has used the window', alone(106, 6), 'go'],
		['the same, with what is in flight', alone(111, 6), 'go'],
		['more than answers came', alone(105, 5), 'after-answer'],
		['a window that another has used', alone(112, 6), 'after-answer'],
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

const ACCEPTED: ExchangeResult = { kind: 'accepted', status: 200, data: {}, envelope: {} };
const BROKEN: ExchangeResult = { kind: 'broken', status: 200 };
const refusedFor = (retryAfterMs: number): ExchangeResult => {
	return { kind: 'refused', status: 429, retryAfterMs };
};
/** With headers as the service sends them. */
const stating = (
	remaining: number,
	resetAt = reset,
	result: ExchangeResult = ACCEPTED,
): Exchange => ({
	result,
	headers: {
		'x-ratelimit-limit': '1000',
		'x-ratelimit-remaining': String(remaining),
		'x-ratelimit-reset': String(resetAt),
	},
});
const end = (given: Pace, attempt?: Exchange, now = NOW + 50, sentAt = NOW) =>
	finish({ ...given, inFlight: 8 }, { isProbe: false, sentAt }, attempt, now);

it.each<[string, Exchange | undefined, concurrency: number, pausedUntil: number]>([
	['accepted', stating(499), 9, 0],
	['cancelled', undefined, 8, 0],
	['failed', stating(499, reset, BROKEN), 4, 0],
	['without an answer', { result: { kind: 'unreachable', code: 'EPIPE', sent: true } }, 4, 0],
	['refused, while the window has room', stating(499, reset, refusedFor(1000)), 4, 0],
	['refused, and the window is used up', stating(0, reset, refusedFor(1000)), 4, NOW + 1050],
])('a request that was %s', (_, attempt, concurrency, pausedUntil) => {
	expect(end(pace(), attempt)).toMatchObject({ inFlight: 7, concurrency, pausedUntil });
});

describe('how many requests are in flight', () => {
	const at = (concurrency: number): Pace => ({ ...STARTING_PACE, concurrency, fastestMs: 50 });
	const answered = (given: Pace, tookMs: number, inFlight: number) =>
		finish({ ...given, inFlight }, { isProbe: false, sentAt: 0 }, { result: ACCEPTED }, tookMs);
	const failed = (given: Pace, sentAt: number, now: number) =>
		finish(given, { isProbe: false, sentAt }, { result: BROKEN }, now);

	it.each([
		['starts at eight', STARTING_PACE, 8],
		['grows by one for each answer', answered(at(8), 50, 8), 9],
		['grows up to 48', answered(at(47.5), 50, 47), 48],
		['grows while answers take up to twice the fastest', answered(at(8), 100, 8), 9],
		['shrinks where they take longer', answered(at(10), 101, 10), 9],
		['grows slowly afterwards', answered(answered(at(11), 101, 11), 50, 10), 10.1],
		['shrinks to eight', answered(at(8.2), 101, 8), 8],
		['stays at eight', answered(at(8), 101, 8), 8],
		['grows below eight all the same', answered(at(6), 101, 6), 7],
		['compares with the fastest', answered(at(9), 20, 9), 10],
		['knows the fastest afterwards', answered(answered(at(10), 20, 1), 41, 10), 9],
		['does not grow when less than half is used', answered(at(8), 50, 3), 8],
		['grows when half is used', answered(at(8), 50, 4), 9],
		['is halved by a failure', failed(at(16), 2, 3), 8],
		['is not halved again by what was in flight then', failed(failed(at(16), 2, 3), 3, 4), 8],
		['is halved again by what was sent later', failed(failed(at(16), 2, 3), 4, 5), 4],
		['is never below four', failed(at(6), 2, 3), 4],
	])('%s', (_, { concurrency }, expected) => {
		expect(concurrency).toBe(expected);
	});
});

describe('what an answer shows', () => {
	const showing = (headers: object, result: ExchangeResult = ACCEPTED): Exchange => {
		return { result, headers: { ...headers } };
	};

	it.each<[string, Pace, Exchange, Partial<typeof half>]>([
		['the first window', STARTING_PACE, stating(700), { limit: 1000, remaining: 700, answers: 1 }],
		['its end, a second later: rounded', STARTING_PACE, stating(7), { resetAt: reset + 1000 }],
		['a next window', pace(), stating(900, reset + MINUTE), { remaining: 900 }],
		[
			'less in the same one',
			pace(),
			stating(400),
			{ remaining: 400, seenAt: NOW + 50, answers: 1 },
		],
		['more in the same one: overtaken', pace(), stating(600), { remaining: 500 }],
		['a reset rounded up', pace(), stating(600, reset + 1000), { remaining: 500, resetAt: reset }],
		['an earlier reset', pace(), stating(600, reset - 1000), { remaining: 500, resetAt: reset }],
		['a later reset by more', pace(), stating(600, reset + 1001), { remaining: 600 }],
		['a window that is over', pace(), stating(0, reset - 1001), half],
		['no limit', STARTING_PACE, showing({ 'x-ratelimit-remaining': '90' }), { limit: 90 }],
		['nothing, once (a page of a proxy)', pace(), showing({}), half],
	])('%s', (_, before, ended, window) => {
		const after = end(before, ended);
		expect(after.window).toMatchObject(window);
		expect(after.nextAt).toBeUndefined();
	});

	it.each([
		['measures anew in a next window how fast the service is', reset + MINUTE, 50],
		['keeps the fastest answer of the same one', reset, 5],
	])('%s', (_, resetAt, fastestMs) => {
		expect(end(pace({ fastestMs: 5 }), stating(9, resetAt)).fastestMs).toBe(fastestMs);
	});

	it('no headers: requests are spaced, none is saved up, until headers come', () => {
		const spaced = end(STARTING_PACE, showing({}));
		expect(start(spaced, false, NOW)).toMatchObject({ nextAt: NOW + 100 });
		expect(start({ ...spaced, nextAt: NOW + 50 }, false, NOW)).toMatchObject({ nextAt: NOW + 150 });
		expect(end({ ...spaced, nextAt: 7 }, showing({})).nextAt).toBe(7);
		expect(end(spaced, stating(700))).toMatchObject({
			nextAt: undefined,
			window: { remaining: 700 },
		});
	});

	it('no headers: requests are spaced more after a refusal', () => {
		const refused = end(STARTING_PACE, showing({}, refusedFor(3000)), NOW);
		expect(refused.pausedUntil).toBe(NOW + 3000);
		expect(start(refused, false, NOW).nextAt).toBe(NOW + 200);
		expect(start(refused, false, NOW + 60 * MINUTE).nextAt).toBe(NOW + 60 * MINUTE + 100);
	});
});

describe('a refusal', () => {
	const usedUp = (refusedForMs: number) => stating(0, reset, refusedFor(refusedForMs));

	it.each([
		['as asked', 0, 7000, 7000],
		['no longer than any request waits', 0, MAX_WAIT_MS + 1, MAX_WAIT_MS],
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
		['room, but as few in flight as there are at least', { concurrency: 4 }, {}, 'pauses'],
	])('with %s: the key %s', (_, given, window, expected) => {
		const after = end(
			{ ...pace({}, window), ...given },
			{ result: refusedFor(1000) },
			NOW,
			NOW - 9,
		);
		expect(after.pausedUntil).toBe(expected === 'pauses' ? NOW + 1000 : 0);
		expect(after.reserve).toBe(expected === 'pauses' ? 0.1 : 0.05);
		expect(after.concurrency).toBe(4);
	});
});
