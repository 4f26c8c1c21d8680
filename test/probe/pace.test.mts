/** The probe never trips the rate limit. */
import { waitAfter } from '../../probe/client.mts';
import { toAnswer } from '../../probe/reply.mts';
import { command, useSandbox } from './bench.mts';

const at = Date.parse('2026-03-01T10:00:00Z');
const inHalfAMinute = String(at / 1000 + 30);

test.each<[string, number, Record<string, string>, object | undefined, number]>([
	['plenty', 200, { 'x-ratelimit-remaining': '6' }, undefined, 0],
	['no headers', 200, {}, undefined, 0],
	[
		'few',
		200,
		{ 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': inHalfAMinute },
		undefined,
		31_000,
	],
	[
		'in milliseconds',
		200,
		{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${inHalfAMinute}000` },
		undefined,
		31_000,
	],
	['from now', 200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' }, undefined, 31_000],
	['no reset', 200, { 'x-ratelimit-remaining': '0' }, undefined, 61_000],
	[
		'a reset that is over',
		200,
		{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700000000' },
		undefined,
		1000,
	],
	['far', 200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9000' }, undefined, 120_000],
	[
		'the service’s clock',
		200,
		{
			'x-ratelimit-remaining': '0',
			'x-ratelimit-reset': inHalfAMinute,
			date: 'Sun, 01 Mar 2026 10:00:20 GMT',
		},
		undefined,
		11_000,
	],
	['refused', 429, { 'retry-after': '7', 'x-ratelimit-remaining': '100' }, undefined, 8000],
	['refused, in the body', 429, {}, { error: { retryAfter: 7 } }, 8000],
	['refused without a word', 429, {}, undefined, 61_000],
])('%s', (_, status, headers, body, expected) => {
	const text = JSON.stringify(body) ?? '';
	const answer = toAnswer('GET', { status, headers, text, receivedAt: at });
	expect(waitAfter(answer)).toBe(expected);
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
