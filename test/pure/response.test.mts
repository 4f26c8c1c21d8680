import {
	parseException,
	parseRateLimit,
	parseResponse,
} from '../../nodes/IntegrationLeads/transport/response';

const NOW = Date.parse('2026-03-02T12:00:00Z');

const read = (statusCode: number, body: unknown, headers: object = {}, method = 'GET') =>
	parseResponse(method, { statusCode, body, headers: { ...headers } } as never, NOW);

describe('parseResponse', () => {
	const data = [{ id: '1' }];
	const refusal = (code: string) => `{"success":false,"error":{"code":"${code}"}}`;
	const reset = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' };

	it.each<[string, ReturnType<typeof parseResponse>, object]>([
		['the envelope', read(200, '{"success":true,"data":[{"id":"1"}]}'), { kind: 'accepted', data }],
		['a parsed body', read(200, { success: true, data }), { kind: 'accepted', data }],
		['204', read(204, ''), { kind: 'accepted', data: undefined, envelope: {} }],
		['null', read(200, '{"success":true,"data":null}'), { kind: 'accepted', data: undefined }],
		['a write without a body', read(200, ' ', {}, 'PUT'), { kind: 'accepted', data: undefined }],
		['a read without a body', read(200, ' '), { kind: 'broken', status: 200 }],
		['half of an object', read(200, '{"success":tr'), { kind: 'broken', status: 200 }],
		['a page', read(200, '<p>Hi</p>'), { kind: 'otherServer', status: 200, shown: 'Hi' }],
		['a redirect', read(302, ''), { kind: 'otherServer', status: 302 }],
		['a refusal with 200', read(200, refusal('C')), { kind: 'refused', status: 200, code: 'C' }],
		[
			'one without the envelope',
			read(422, '{"message":"m"}'),
			{ message: 'm', body: { message: 'm' } },
		],
		['a list as refusal', read(422, '[1]'), { kind: 'refused', message: undefined, body: [1] }],
		['429, wait in the body', read(429, '{"retryAfter":9}', reset), { retryAfterMs: 9000 }],
		['429, wait in the reset', read(429, '', reset), { retryAfterMs: 30_000 }],
		['its code', read(400, refusal('RATE_LIMIT_EXCEEDED'), reset), { retryAfterMs: 30_000 }],
		// Its reset is not the end of an outage.
		['503 within a window', read(503, '', reset), { retryAfterMs: undefined }],
		['503 with a wait', read(503, '', { 'retry-after': '7' }), { retryAfterMs: 7000 }],
	])('reads %s', (_, result, expected) => {
		expect(result).toMatchObject(expected);
	});
});

describe('how long the service asks to wait', () => {
	const parse = (headers: object, retryAfter: unknown) => {
		const refusal = read(503, { retryAfter }, headers);
		return refusal.kind === 'refused' && refusal.retryAfterMs;
	};
	const [inTen, inFour] = ['Mon, 02 Mar 2026 12:00:10 GMT', 'Mon, 02 Mar 2026 12:00:04 GMT'];

	it.each<[string, Record<string, unknown>, unknown, number | undefined]>([
		['seconds', { 'retry-after': '7' }, undefined, 7000],
		['parts of a second', { 'retry-after': '0.2504' }, undefined, 251],
		['a date', { 'retry-after': inTen }, undefined, 10_000],
		['a date, by the service', { 'retry-after': inTen, date: inFour }, undefined, 6000],
		['a date in the past', { 'retry-after': 'Mon, 02 Mar 2026 11:00:00 GMT' }, 1, 0],
		['the header before the body', { 'retry-after': '7' }, 9, 7000],
		['the body', {}, 9, 9000],
		['nothing', {}, undefined, undefined],
		['white space', { 'retry-after': ' ' }, 9, 9000],
		['a negative number', { 'retry-after': '-5' }, 9, 9000],
		['a date of another form', { 'retry-after': '2 Mar, 2026' }, 9, 9000],
		['a century', { 'retry-after': '3155760000' }, undefined, 3_155_760_000_000],
	])('understands %s', (_, headers, retryAfter, expected) => {
		expect(parse(headers, retryAfter)).toBe(expected);
	});
});

describe('parseRateLimit', () => {
	const now = Date.parse('2026-03-02T12:00:17.250Z');
	const seconds = Math.floor(now / 1000);
	const ahead = new Date(now + 3_600_000).toUTCString();

	it.each<[string, object, object | undefined]>([
		['seconds', { reset: seconds + 30 }, { limit: 1000, remaining: 7, in: 29_750 }],
		['milliseconds', { reset: now + 30_000 }, { in: 30_000, serverResetAt: now + 30_000 }],
		['seconds from now', { reset: 30 }, { in: 30_000 }],
		['a reset that is over', { reset: seconds - 30 }, { in: 0 }],
		['a reset far away', { reset: seconds + 86_400 }, { in: 120_000 }],
		// The Date header has whole seconds only: the wait is up to one second too long, never too short.
		['a clock ahead of ours', { reset: seconds + 3630, date: ahead }, { in: 30_000 }],
		['no reset', {}, { in: 60_000 }],
		['no limit', { limit: undefined, reset: 30 }, { limit: undefined, in: 30_000 }],
		['nothing left', { remaining: '0', reset: 30 }, { remaining: 0 }],
		['no remaining', { remaining: undefined }, undefined],
		['a negative remaining', { remaining: '-1' }, undefined],
	])('understands %s', (_, given, expected) => {
		const { date, ...named } = { limit: '1000', remaining: '7', ...given } as Record<
			string,
			unknown
		>;
		const headers = Object.entries(named).map(([name, value]) => [
			`x-ratelimit-${name}`,
			typeof value === 'number' && name === 'reset' ? String(value) : value,
		]);
		const reading = parseRateLimit({ ...Object.fromEntries(headers), date }, now);
		expect(reading && { ...reading, in: reading.resetAt - now }).toEqual(
			expected && expect.objectContaining(expected),
		);
	});
});

describe('parseException', () => {
	it.each<[string, unknown, object]>([
		['a code', { code: 'ECONNRESET' }, { code: 'ECONNRESET', sent: true }],
		['a code of the cause', { cause: { code: 'ENOTFOUND' } }, { code: 'ENOTFOUND', sent: false }],
		['a code as n8n names it', { httpCode: 'ETIMEDOUT' }, { code: 'ETIMEDOUT', sent: true }],
		['an empty code', { code: '' }, { code: 'no answer', sent: true }],
		['nothing', undefined, { code: 'no answer', sent: true }],
		...[
			...['EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ERR_TLS_CERT_ALTNAME_INVALID'],
			...['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED', 'ERR_TLS_HANDSHAKE_TIMEOUT'],
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		].map((code): [string, unknown, object] => [code, { code }, { sent: false }]),
	])('reads %s', (_, error, expected) => {
		expect(parseException(error)).toMatchObject({ kind: 'unreachable', ...expected });
	});
});
