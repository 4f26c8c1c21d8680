/** The probe never trips the rate limit. */
import { waitAfter } from '../../probe/client.mts';
import { toAnswer } from '../../probe/reply.mts';
import { command, useSandbox } from './bench.mts';

const at = Date.parse('2026-03-01T10:00:00Z');
const inHalfAMinute = String(at / 1000 + 30);

/** Headers of the limit: what remains, and until when. */
const left = (remaining: number, reset?: string, date?: string) => ({
	'x-ratelimit-remaining': String(remaining),
	...(reset && { 'x-ratelimit-reset': reset }),
	...(date && { date }),
});
const refusal = JSON.stringify({ error: { retryAfter: 7 } });

test.each<[string, Record<string, string>, waitMs: number, status?: number, text?: string]>([
	['plenty', left(6), 0],
	['no headers', {}, 0],
	['few', left(5, inHalfAMinute), 31_000],
	['in milliseconds', left(0, `${inHalfAMinute}000`), 31_000],
	['from now', left(0, '30'), 31_000],
	['no reset', left(0), 61_000],
	['a reset that is over', left(0, '1700000000'), 1000],
	['far', left(0, '9000'), 120_000],
	['the service’s clock', left(0, inHalfAMinute, 'Sun, 01 Mar 2026 10:00:20 GMT'), 11_000],
	['refused', { 'retry-after': '7', ...left(100) }, 8000, 429],
	['refused, in the body', {}, 8000, 429, refusal],
	['refused without a word', {}, 61_000, 429],
])('%s', (_, headers, waitMs, status = 200, text = '') => {
	expect(waitAfter(toAnswer('GET', { status, headers, text, receivedAt: at }))).toBe(waitMs);
});

describe('with a small limit', () => {
	const bench = useSandbox({ rpm: 30, windowMs: 1500 });
	test('it waits for the next window', async () => {
		const { url, keys } = bench.sandbox;
		const { code, text } = await command(['--base-url', url, '--api-key', keys.full]);
		expect([code, text]).toEqual([0, expect.stringMatching(/^Waiting \d s, because/m)]);
		const windows = bench.sandbox.controls.rates().full;
		expect(windows.length).toBeGreaterThan(1);
		expect(windows.every(({ rejected, accepted }) => rejected === 0 && accepted <= 25)).toBe(true);
	});

	test('refused all the same, it waits as long as the service asks', async () => {
		const { controls, url, keys } = bench.sandbox;
		const headers = { 'Retry-After': '0' };
		controls.limit({ rpm: 0 });
		controls.fault({ kind: 'status', status: 429, headers, match: { path: '/contacts' } });
		const { code } = await command(['--base-url', url, '--api-key', keys.full]);
		expect(code).toBe(1);
		expect(controls.requests().filter(({ status }) => status === 429)).toHaveLength(1);
	});
});
