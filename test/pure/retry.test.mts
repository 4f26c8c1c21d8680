import fc from 'fast-check';

import type { AttemptResult } from '../../nodes/IntegrationLeads/transport/retry';
import {
	decideRetry,
	DEFAULT_LIMITS,
	isRateLimited,
	readRetryAfter,
	RetryBudget,
} from '../../nodes/IntegrationLeads/transport/retry';

const limits = DEFAULT_LIMITS;
const refused = (status: number, more: object = {}): AttemptResult => ({
	kind: 'refused',
	status,
	...more,
});
const unreachable = (sent: boolean): AttemptResult => ({
	kind: 'unreachable',
	code: 'ECONNRESET',
	sent,
});
const decide = (
	outcome: AttemptResult,
	more: Partial<Parameters<typeof decideRetry>[0]> = {},
): ReturnType<typeof decideRetry> =>
	decideRetry({
		outcome,
		repeatable: true,
		attempt: 1,
		refusals: 0,
		waitedMs: 0,
		random: 0,
		limits,
		...more,
	});

describe('decideRetry', () => {
	// [outcome, sent again when repeatable, sent again when not]
	it.each<[string, AttemptResult, boolean, boolean]>([
		['accepted', { kind: 'accepted', status: 200, data: {}, siblings: {} }, false, false],
		['somebody else', { kind: 'foreign', status: 200, shown: '' }, false, false],
		...[400, 401, 403, 404, 409, 422].map((status): [string, AttemptResult, boolean, boolean] => {
			return [String(status), refused(status), false, false];
		}),
		['success: false with 200', refused(200), false, false],
		['408', refused(408), true, false],
		['500', refused(500), true, false],
		['503', refused(503), true, false],
		['a broken body', { kind: 'broken', status: 200 }, true, false],
		['a lost connection', unreachable(true), true, false],
		['no connection', unreachable(false), true, true],
		['429', refused(429), true, true],
		['the code of 429', refused(400, { code: 'RATE_LIMIT_EXCEEDED' }), true, true],
	])('%s', (_, outcome, ifRepeatable, ifNot) => {
		expect(decide(outcome).again).toBe(ifRepeatable);
		expect(decide(outcome, { repeatable: false }).again).toBe(ifNot);
		// After the last attempt only what never reached the service goes on.
		expect(decide(outcome, { attempt: 3 }).again).toBe(isRateLimited(outcome));
	});

	it.each<[string, AttemptResult, object, number | false]>([
		['asked for', refused(429, { retryAfterMs: 7000 }), {}, 7000],
		['not told', refused(429), {}, 5000],
		['zero', refused(429, { retryAfterMs: 0 }), {}, 1000],
		['spread', refused(429, { retryAfterMs: 7000 }), { random: 0.5 }, 7250],
		['beyond the budget', refused(429, { retryAfterMs: 300_001 }), {}, false],
		['all of the budget', refused(429, { retryAfterMs: 300_000 }), {}, 300_000],
		['for the sixth time', refused(429, { retryAfterMs: 1000 }), { refusals: 5 }, false],
		['for the fifth time', refused(429, { retryAfterMs: 1000 }), { refusals: 4 }, 1000],
		['beyond what is left', refused(429, { retryAfterMs: 7000 }), { waitedMs: 293_001 }, false],
		['first jitter, low', refused(500), {}, 500],
		['first jitter, high', refused(500), { random: 1 }, 2000],
		['second jitter, high', refused(500), { random: 1, attempt: 2 }, 4000],
		[
			'tenth jitter',
			refused(500),
			{ random: 1, attempt: 9, limits: { ...limits, attempts: 10 } },
			8000,
		],
		['Retry-After of 503', refused(503, { retryAfterMs: 20_000 }), {}, 20_000],
		['Retry-After of 503 beyond the budget', refused(503, { retryAfterMs: 400_000 }), {}, false],
	])('waits: %s', (_, outcome, more, expected) => {
		const decision = decide(outcome, more);
		expect(decision.again && decision.waitMs).toBe(expected);
	});

	const anyOutcome = fc.oneof(
		fc.record({
			kind: fc.constant('refused' as const),
			status: fc.integer({ min: 200, max: 599 }),
			code: fc.option(fc.constantFrom('RATE_LIMIT_EXCEEDED', 'FORBIDDEN'), { nil: undefined }),
			retryAfterMs: fc.option(fc.nat(1e9), { nil: undefined }),
		}),
		fc.boolean().map(unreachable),
		fc.constantFrom<AttemptResult>(
			{ kind: 'broken', status: 200 },
			{ kind: 'foreign', status: 200, shown: '' },
		),
	);
	const situation = fc.record({
		outcome: anyOutcome,
		repeatable: fc.boolean(),
		attempt: fc.integer({ min: 1, max: 10 }),
		refusals: fc.nat(8),
		waitedMs: fc.nat(400_000),
		random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
		limits: fc.constant(limits),
	});

	it('never repeats what must not be repeated and may have been seen, but after a 429', () => {
		fc.assert(
			fc.property(situation, (input) => {
				const { outcome } = input;
				const unseen = outcome.kind === 'unreachable' && !outcome.sent;
				fc.pre(!input.repeatable && !unseen && !isRateLimited(outcome));
				expect(decideRetry(input)).toEqual({ again: false });
			}),
		);
	});

	it('waits within its limits, and stops in the end', () => {
		fc.assert(
			fc.property(situation, (input) => {
				const decision = decideRetry(input);
				if (!decision.again) return;
				const asked = (input.outcome as { retryAfterMs?: number }).retryAfterMs ?? 0;
				expect(decision.waitMs).toBeGreaterThanOrEqual(Math.max(500, asked));
				expect(decision.waitMs).toBeLessThanOrEqual(limits.rateLimitWaitMs + 500);
				if (decision.pauseKey) {
					expect(input.waitedMs + asked).toBeLessThanOrEqual(limits.rateLimitWaitMs);
				} else {
					expect(input.attempt).toBeLessThan(limits.attempts);
				}
			}),
		);
	});
});

describe('readRetryAfter', () => {
	const now = Date.parse('2026-03-02T12:00:00Z');
	const inTen = 'Mon, 02 Mar 2026 12:00:10 GMT';

	it.each<[string, Record<string, unknown>, unknown, number | undefined, number | undefined]>([
		['seconds', { 'retry-after': '7' }, undefined, undefined, 7000],
		['a number', { 'retry-after': 7 }, undefined, undefined, 7000],
		['parts of a second', { 'retry-after': '0.2504' }, undefined, undefined, 251],
		['a date', { 'retry-after': inTen }, undefined, undefined, 10_000],
		[
			'a date, by the clock of the service',
			{ 'retry-after': inTen, date: 'Mon, 02 Mar 2026 12:00:04 GMT' },
			undefined,
			undefined,
			6000,
		],
		['a date, by a Date that is none', { 'retry-after': inTen, date: '?' }, 1, 1, 10_000],
		['a date that is over', { 'retry-after': 'Mon, 02 Mar 2026 11:00:00 GMT' }, 1, 1, 0],
		['the header before the body', { 'retry-after': '7' }, { retryAfter: 9 }, 1, 7000],
		['the body', {}, { retryAfter: 9 }, 1000, 9000],
		['the body as text', {}, { retryAfter: '9' }, 1000, 9000],
		['a bare number as body', {}, 9, 1000, 9000],
		['the reset', {}, {}, 4321, 4321],
		['nothing', {}, undefined, undefined, undefined],
		['a negative number', { 'retry-after': '-5' }, { retryAfter: 9 }, 1, 9000],
		['words', { 'retry-after': 'soon' }, { retryAfter: 'later' }, 4321, 4321],
		['NaN', { 'retry-after': NaN }, { retryAfter: null }, undefined, undefined],
		['infinity', { 'retry-after': 'Infinity' }, undefined, 1, 1],
		['a list', { 'retry-after': ['7'] }, undefined, 1, 1],
		['a century', { 'retry-after': '3155760000' }, undefined, 1, 3_155_760_000_000],
	])('understands %s', (_, headers, body, resetMs, expected) => {
		expect(readRetryAfter(headers, body, now, resetMs)).toBe(expected);
	});

	it('is never negative, whatever comes', () => {
		const any = fc.oneof(
			fc.string(),
			fc.double(),
			fc.date().map((date) => date.toUTCString()),
		);
		fc.assert(
			fc.property(any, any, any, (header, date, retryAfter) => {
				const ms = readRetryAfter({ 'retry-after': header, date }, { retryAfter }, now);
				expect(ms ?? 0).toBeGreaterThanOrEqual(0);
			}),
		);
	});
});

describe('RetryBudget', () => {
	it('is used up by an outage, and filled by answers and by time', () => {
		const budget = new RetryBudget(0, 3);
		const take = (now: number) => budget.take(now);
		expect([0, 0, 0, 0].map(take)).toEqual([true, true, true, false]);
		budget.give();
		expect([0, 999, 1000, 1000].map(take)).toEqual([true, false, true, false]);
		for (let index = 0; index < 9; index += 1) budget.give();
		expect([1000, 1000, 1000, 1000].map(take)).toEqual([true, true, true, false]);
	});

	it('takes no harm from a clock that goes back', () => {
		const budget = new RetryBudget(10_000, 1);
		expect(budget.take(10_000)).toBe(true);
		expect(budget.take(0)).toBe(false);
		expect(budget.take(1000)).toBe(true);
	});
});
