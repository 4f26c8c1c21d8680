import type { ExchangeResult } from '../../nodes/IntegrationLeads/transport/request';
import {
	isHealthy,
	isRateLimited,
	isUnclear,
	mayStillRun,
	retryWaitMs,
} from '../../nodes/IntegrationLeads/transport/request';

const refused = (status: number, more: object = {}): ExchangeResult => {
	return { kind: 'refused', status, ...more };
};
const unreachable = (code: string, sent = true): ExchangeResult => {
	return { kind: 'unreachable', code, sent };
};
const wait = (result: ExchangeResult, more: Partial<Parameters<typeof retryWaitMs>[0]> = {}) =>
	retryWaitMs({
		result,
		repeatable: true,
		failures: 0,
		waitedMs: 0,
		othersPass: false,
		random: 0,
		...more,
	});

const healthy = { again: 'never', unclear: false, healthy: true, running: false };
const limited = { ...healthy, again: 'always' };
const outage = { again: 'if repeatable', unclear: true, healthy: false, running: false };
const running = { ...outage, running: true };
const elsewhere = { ...healthy, healthy: false };

/** When it is sent again, whether it may have been carried out, and whether the service may still be at work. */
const results: Array<[ExchangeResult, typeof healthy]> = [
	[{ kind: 'accepted', status: 200, data: {}, envelope: {} }, healthy],
	...[200, 400, 401, 403, 404, 409, 422].map((status) => [refused(status), healthy] as never),
	[refused(429), limited],
	[refused(400, { code: 'RATE_LIMIT_EXCEEDED' }), limited],
	[refused(408), outage],
	[refused(500), outage],
	[refused(503), outage],
	[refused(504), running],
	[{ kind: 'broken', status: 201 }, outage],
	[unreachable('ECONNRESET'), outage],
	[unreachable('ECONNABORTED'), running],
	[unreachable('ETIMEDOUT'), running],
	[unreachable('ESOCKETTIMEDOUT'), running],
	[unreachable('ECONNREFUSED', false), { ...elsewhere, again: 'always' }],
	[
		{ kind: 'otherServer', status: 200, shown: 'page' },
		{ ...elsewhere, unclear: true },
	],
	[{ kind: 'otherServer', status: 302, shown: 'redirect' }, elsewhere],
];

it.each(results)('%j', (result, expected) => {
	const [ifRepeatable, ifNot] = [true, false].map(
		(repeatable) => wait(result, { repeatable }) !== undefined,
	);
	const again = ifNot ? 'always' : 'if repeatable';
	expect({
		again: ifRepeatable ? again : 'never',
		unclear: isUnclear(result),
		healthy: isHealthy(result),
		running: mayStillRun(result),
	}).toEqual(expected);
	// After the third failure only a 429 is repeated; after the fifth where other requests have passed since.
	expect(wait(result, { failures: 2 }) !== undefined).toBe(isRateLimited(result));
	const othersPass = true;
	expect(wait(result, { failures: 3, othersPass })).toEqual(wait(result) && expect.any(Number));
	expect(wait(result, { failures: 4, othersPass }) !== undefined).toBe(isRateLimited(result));
});

const asked = (status: number, retryAfterMs: number) => refused(status, { retryAfterMs });

it.each<[string, ExchangeResult, object, number | undefined]>([
	['asked for', asked(429, 7000), {}, 7000],
	['not stated', refused(429), {}, 5000],
	['zero', asked(429, 0), {}, 1000],
	['not spread', asked(429, 7000), { random: 0.5 }, 7000],
	['beyond a quarter of an hour', asked(429, 900_001), {}, undefined],
	['all of it', asked(429, 900_000), {}, 900_000],
	['twice as long as before', asked(429, 1000), { waitedMs: 7000 }, 8000],
	['no longer than a window', asked(429, 1000), { waitedMs: 100_000 }, 60_000],
	['longer if asked for', asked(429, 90_000), { waitedMs: 7000 }, 90_000],
	['all that is left', asked(429, 7000), { waitedMs: 893_000 }, 7000],
	['all that is left, if less is asked for', asked(429, 1000), { waitedMs: 893_000 }, 7000],
	['beyond what is left', asked(429, 7000), { waitedMs: 893_001 }, undefined],
	['first jitter, low', refused(500), {}, 250],
	['first jitter, high', refused(500), { random: 1 }, 1000],
	['second jitter, low', refused(500), { failures: 1 }, 250],
	['second jitter, high', refused(500), { random: 1, failures: 1 }, 4000],
	['Retry-After of 503', asked(503, 20_000), {}, 20_000],
	['Retry-After of 503, all of it', asked(503, 900_000), {}, 900_000],
	['Retry-After of 503 beyond it', asked(503, 900_001), {}, undefined],
	['Retry-After of 503, all that is left', asked(503, 7000), { waitedMs: 893_000 }, 7000],
	['Retry-After of 503 beyond what is left', asked(503, 7000), { waitedMs: 893_001 }, undefined],
	['jitter, all that is left', refused(500), { waitedMs: 899_750 }, 250],
	['jitter beyond what is left', refused(500), { waitedMs: 899_751 }, undefined],
])('waits: %s', (_, result, more, expected) => {
	expect(wait(result, more)).toBe(expected);
});
