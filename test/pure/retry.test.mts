import fc from 'fast-check';

import type { AttemptResult, RetryState } from '../../nodes/IntegrationLeads/transport/retry';
import { parseRetryAfter } from '../../nodes/IntegrationLeads/transport/headers';
import {
	decideRetry,
	isHealthy,
	isRateLimited,
	LONGEST_WAIT_MS,
	NO_ATTEMPTS,
	RetryBudget,
} from '../../nodes/IntegrationLeads/transport/retry';

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
type Situation = Partial<RetryState> & { repeatable?: boolean; random?: number };
const decide = (
	result: AttemptResult,
	{ repeatable = true, random = 0, ...state }: Situation = {},
): ReturnType<typeof decideRetry> =>
	decideRetry({ result, repeatable, random, state: { ...NO_ATTEMPTS, ...state } });

describe('decideRetry', () => {
	// [result, sent again when repeatable, sent again when not]
	it.each<[string, AttemptResult, boolean, boolean]>([
		['accepted', { kind: 'accepted', status: 200, data: {}, siblings: {} }, false, false],
		['another server', { kind: 'otherServer', status: 200, shown: '' }, false, false],
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
	])('%s', (_, result, ifRepeatable, ifNot) => {
		expect(decide(result).again).toBe(ifRepeatable);
		expect(decide(result, { repeatable: false }).again).toBe(ifNot);
		// After the third failure only a 429 is repeated.
		expect(decide(result, { failures: 2 }).again).toBe(isRateLimited(result));
	});

	it.each<[string, AttemptResult, Situation, number | false]>([
		['asked for', refused(429, { retryAfterMs: 7000 }), {}, 7000],
		['not stated', refused(429), {}, 5000],
		['zero', refused(429, { retryAfterMs: 0 }), {}, 1000],
		['not spread', refused(429, { retryAfterMs: 7000 }), { random: 0.5 }, 7000],
		['beyond a quarter of an hour', refused(429, { retryAfterMs: 900_001 }), {}, false],
		['all of it', refused(429, { retryAfterMs: 900_000 }), {}, 900_000],
		['all that is left', refused(429, { retryAfterMs: 7000 }), { waitedMs: 893_000 }, 7000],
		['beyond what is left', refused(429, { retryAfterMs: 7000 }), { waitedMs: 893_001 }, false],
		['first jitter, low', refused(500), {}, 250],
		['first jitter, high', refused(500), { random: 1 }, 1000],
		['second jitter, low', refused(500), { failures: 1 }, 250],
		['second jitter, high', refused(500), { random: 1, failures: 1 }, 4000],
		['Retry-After of 503', refused(503, { retryAfterMs: 20_000 }), {}, 20_000],
		['Retry-After of 503, all of it', refused(503, { retryAfterMs: 900_000 }), {}, 900_000],
		['Retry-After of 503 beyond it', refused(503, { retryAfterMs: 900_001 }), {}, false],
	])('waits: %s', (_, result, situation, expected) => {
		const decision = decide(result, situation);
		expect(decision.again && decision.waitMs).toBe(expected);
	});

	const anyResult = fc.oneof(
		fc.record({
			kind: fc.constant('refused' as const),
			status: fc.integer({ min: 200, max: 599 }),
			code: fc.option(fc.constantFrom('RATE_LIMIT_EXCEEDED', 'FORBIDDEN'), { nil: undefined }),
			retryAfterMs: fc.option(fc.nat(1e9), { nil: undefined }),
		}),
		fc.boolean().map(unreachable),
		fc.constantFrom<AttemptResult>(
			{ kind: 'broken', status: 200 },
			{ kind: 'otherServer', status: 200, shown: '' },
		),
	);
	const situation = fc.record({
		result: anyResult,
		repeatable: fc.boolean(),
		state: fc.record({ failures: fc.nat(9), waitedMs: fc.nat(1e6) }),
		random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
	});

	it('repeats nothing that is not repeatable and may have been carried out, except after a 429', () => {
		fc.assert(
			fc.property(situation, (input) => {
				const { result } = input;
				const isUnsent = result.kind === 'unreachable' && !result.sent;
				fc.pre(!input.repeatable && !isUnsent && !isRateLimited(result));
				expect(decideRetry(input)).toEqual({ again: false });
			}),
		);
	});

	it('waits within its limits, counts what it decided, and stops in the end', () => {
		fc.assert(
			fc.property(situation, ({ state, ...input }) => {
				const decision = decideRetry({ ...input, state });
				if (!decision.again) return;
				const { waitMs } = decision;
				const asked = (input.result as { retryAfterMs?: number }).retryAfterMs ?? 0;
				expect(waitMs).toBeGreaterThanOrEqual(Math.max(250, asked));
				expect(waitMs).toBeLessThanOrEqual(LONGEST_WAIT_MS);
				if (isRateLimited(input.result)) {
					expect(state.waitedMs + asked).toBeLessThanOrEqual(LONGEST_WAIT_MS);
					expect(decision.state).toEqual({ ...state, waitedMs: state.waitedMs + waitMs });
				} else {
					expect(state.failures).toBeLessThan(2);
					expect(decision.state).toEqual({ ...state, failures: state.failures + 1 });
				}
			}),
		);
	});
});

test.each<[string, AttemptResult, boolean]>([
	['accepted', { kind: 'accepted', status: 200, data: {}, siblings: {} }, true],
	['refused', refused(422), true],
	['429', refused(429), true],
	['503', refused(503), false],
	['broken', { kind: 'broken', status: 200 }, false],
	['unreachable', unreachable(true), false],
	['another server', { kind: 'otherServer', status: 200, shown: '' }, false],
])('%s is an answer of a healthy service: see the retry budget', (_, result, expected) => {
	expect(isHealthy(result)).toBe(expected);
});

describe('parseRetryAfter', () => {
	const now = Date.parse('2026-03-02T12:00:00Z');
	const inTen = 'Mon, 02 Mar 2026 12:00:10 GMT';

	it.each<[string, Record<string, unknown>, unknown, number | undefined]>([
		['seconds', { 'retry-after': '7' }, undefined, 7000],
		['a number', { 'retry-after': 7 }, undefined, 7000],
		['parts of a second', { 'retry-after': '0.2504' }, undefined, 251],
		['a date', { 'retry-after': inTen }, undefined, 10_000],
		[
			'a date, by the clock of the service',
			{ 'retry-after': inTen, date: 'Mon, 02 Mar 2026 12:00:04 GMT' },
			undefined,
			6000,
		],
		['a date, with an invalid Date', { 'retry-after': inTen, date: '?' }, 1, 10_000],
		['a date in the past', { 'retry-after': 'Mon, 02 Mar 2026 11:00:00 GMT' }, 1, 0],
		['the header before the body', { 'retry-after': '7' }, 9, 7000],
		['the body', {}, 9, 9000],
		['the body as text', {}, '9', 9000],
		['nothing', {}, undefined, undefined],
		['white space', { 'retry-after': ' ' }, 9, 9000],
		['a negative number', { 'retry-after': '-5' }, 9, 9000],
		['words', { 'retry-after': 'soon' }, 'later', undefined],
		['a date of another form', { 'retry-after': '2 Mar, 2026' }, 9, 9000],
		['NaN', { 'retry-after': NaN }, null, undefined],
		['infinity', { 'retry-after': 'Infinity' }, undefined, undefined],
		['a list', { 'retry-after': ['7'] }, undefined, undefined],
		['a century', { 'retry-after': '3155760000' }, undefined, 3_155_760_000_000],
	])('understands %s', (_, headers, retryAfter, expected) => {
		expect(parseRetryAfter(headers, retryAfter, now)).toBe(expected);
	});

	it('is never negative, whatever comes', () => {
		const any = fc.oneof(
			fc.string(),
			fc.double(),
			fc.date().map((date) => date.toUTCString()),
		);
		fc.assert(
			fc.property(any, any, any, (header, date, retryAfter) => {
				const ms = parseRetryAfter({ 'retry-after': header, date }, retryAfter, now);
				expect(ms ?? 0).toBeGreaterThanOrEqual(0);
			}),
		);
	});
});

describe('RetryBudget', () => {
	it('is exhausted by an outage, and refunded by answers and by time', () => {
		const budget = new RetryBudget(0);
		for (let index = 0; index < 57; index += 1) budget.spend(0);
		const spend = (now: number) => budget.spend(now);
		expect([0, 0, 0, 0].map(spend)).toEqual([true, true, true, false]);
		budget.refund();
		expect([0, 999, 1000, 1000].map(spend)).toEqual([true, false, true, false]);
		for (let index = 0; index < 99; index += 1) budget.refund();
		for (let index = 0; index < 57; index += 1) budget.spend(1000);
		expect([1000, 1000, 1000, 1000].map(spend)).toEqual([true, true, true, false]);
	});

	it('is not changed by a clock that goes back', () => {
		const budget = new RetryBudget(10_000);
		for (let index = 0; index < 60; index += 1) expect(budget.spend(10_000)).toBe(true);
		expect(budget.spend(0)).toBe(false);
		expect(budget.spend(1000)).toBe(true);
	});
});
