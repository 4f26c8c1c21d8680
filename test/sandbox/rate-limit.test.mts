import { useSandbox, type Reply } from './client.mts';

let now = 0;
const bench = useSandbox({ rpm: 3, windowMs: 60_000, clock: () => now });
beforeEach(() => {
	now = Date.parse('2026-03-01T10:00:00.500Z');
});

const rate = ({ headers }: Reply) =>
	['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
const reset = Date.parse('2026-03-01T10:01:01Z') / 1000;

test('a window starts with its first request and ends windowMs later', async () => {
	const first = await bench.call('GET /leads');
	expect(rate(first)).toEqual([3, 2, reset]);
	expect(first.headers.get('date')).toBe('Sun, 01 Mar 2026 10:00:00 GMT');
	now += 30_000;
	expect(rate(await bench.call('GET /leads/nobody'))).toEqual([3, 1, reset]);
	expect(rate(await bench.call('GET /leads'))).toEqual([3, 0, reset]);

	const rejected = await bench.call('GET /leads');
	expect(rejected.status).toBe(429);
	expect(rate(rejected)).toEqual([3, 0, reset]);
	expect(rejected.headers.get('retry-after')).toBe('30');
	expect(rejected.body.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfter: 30 });
	expect(rejected.body.error.message).toContain('30 seconds');

	now += 30_000;
	expect(rate(await bench.call('GET /leads'))).toEqual([3, 2, reset + 60]);
	expect(bench.sandbox.controls.rates().full).toMatchObject([
		{ accepted: 3, rejected: 1 },
		{ accepted: 1, rejected: 0 },
	]);
});

test('each key has its own window; unknown keys and controls use none', async () => {
	const { url, keys } = bench.sandbox;
	for (let i = 0; i < 3; i++) await bench.call('GET /leads');
	expect(rate(await bench.call('GET /leads', undefined, keys.readOnly))[1]).toBe(2);
	expect(rate(await bench.call('GET /leads', undefined, 'unknown'))).toEqual([3, 3, reset]);
	for (let i = 0; i < 5; i++) expect((await fetch(`${url}/_sandbox/state`)).status).toBe(200);
});

test('a limit of 0 is none', async () => {
	bench.sandbox.controls.limit({ rpm: 0 });
	for (let i = 0; i < 5; i++) {
		expect(rate(await bench.call('GET /leads')).slice(0, 2)).toEqual([1_000_000, 1_000_000]);
	}
});
