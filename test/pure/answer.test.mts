import { parseException, parseResponse } from '../../nodes/IntegrationLeads/transport/answer';

const NOW = Date.parse('2026-03-02T12:00:00Z');

const read = (statusCode: number, body: unknown, headers: object = {}, method = 'GET') =>
	parseResponse(method, { statusCode, body, headers: { ...headers } } as never, NOW);

describe('parseResponse', () => {
	const data = [{ id: '1' }];
	const reset = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' };

	it.each<[string, ReturnType<typeof parseResponse>, object]>([
		['the envelope', read(200, '{"success":true,"data":[{"id":"1"}]}'), { kind: 'accepted', data }],
		['data alone', read(201, ' [{"id":"1"}] '), { kind: 'accepted', data, siblings: {} }],
		['a parsed body', read(200, { success: true, data }), { kind: 'accepted', data }],
		['204', read(204, ''), { kind: 'accepted', data: undefined, siblings: {} }],
		['null', read(200, '{"success":true,"data":null}'), { kind: 'accepted', data: undefined }],
		['a write without a body', read(200, ' ', {}, 'PUT'), { kind: 'accepted', data: undefined }],
		['a read without a body', read(200, ' '), { kind: 'broken', status: 200 }],
		['a read without any body', read(200, undefined), { kind: 'broken', status: 200 }],
		['half of an object', read(200, '{"success":tr'), { kind: 'broken', status: 200 }],
		['a page', read(200, '<p>Hi</p>'), { kind: 'otherServer', status: 200, shown: 'Hi' }],
		['a redirect', read(302, ''), { kind: 'otherServer', status: 302 }],
		[
			'a refusal with 200',
			read(200, '{"success":false,"error":{"code":"C","message":"m"}}'),
			{ kind: 'refused', status: 200, code: 'C', message: 'm', retryAfterMs: undefined },
		],
		[
			'a refusal without the envelope',
			read(422, '{"message":"m","row":1}'),
			{ kind: 'refused', status: 422, message: 'm', body: { message: 'm', row: 1 } },
		],
		['a list as refusal', read(422, '[1]'), { kind: 'refused', message: undefined, body: [1] }],
		['a page as refusal', read(502, '<p>Bad</p>'), { kind: 'refused', status: 502 }],
		['429, wait in the body', read(429, '{"retryAfter":9}', reset), { retryAfterMs: 9000 }],
		['429, wait in the reset', read(429, '', reset), { retryAfterMs: 30_000 }],
		['429 without a wait', read(429, ''), { retryAfterMs: undefined }],
		[
			'its code, wait in the reset',
			read(400, '{"success":false,"error":{"code":"RATE_LIMIT_EXCEEDED"}}', reset),
			{ retryAfterMs: 30_000 },
		],
		// Its reset is not the end of an outage.
		['503 within a window', read(503, '', reset), { retryAfterMs: undefined }],
		['503 with a wait', read(503, '', { 'retry-after': '7' }), { retryAfterMs: 7000 }],
	])('reads %s', (_, result, expected) => {
		expect(result).toMatchObject(expected);
	});

	it.each(['<', '<script', '<p>', ' ', '{"', 'a'])('reads a long run of %j at once', (part) => {
		// Seconds where a pattern looks from each place to the end: the test would time out.
		expect(read(200, `x${part.repeat(2_000_000)}`).kind).toBe('otherServer');
	});
});

describe('parseException', () => {
	it.each<[string, unknown, object]>([
		['a code', { code: 'ECONNRESET' }, { code: 'ECONNRESET', sent: true }],
		['a code of the cause', { cause: { code: 'ENOTFOUND' } }, { code: 'ENOTFOUND', sent: false }],
		['a code as n8n names it', { httpCode: 'ETIMEDOUT' }, { code: 'ETIMEDOUT', sent: true }],
		['a status', { httpCode: 500, cause: { code: 'EPIPE' } }, { code: 'EPIPE', sent: true }],
		['an empty code', { code: '' }, { code: 'no answer', sent: true }],
		['nothing', undefined, { code: 'no answer', sent: true }],
		['no name server', { code: 'EAI_AGAIN' }, { sent: false }],
		['no route', { code: 'EHOSTUNREACH' }, { sent: false }],
		['no network', { code: 'ENETUNREACH' }, { sent: false }],
		['a wrong name', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, { sent: false }],
		['an own certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, { sent: false }],
		['an old certificate', { code: 'CERT_HAS_EXPIRED' }, { sent: false }],
		['an unknown issuer', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, { sent: false }],
		['a handshake', { code: 'ERR_TLS_HANDSHAKE_TIMEOUT' }, { sent: false }],
	])('reads %s', (_, error, expected) => {
		expect(parseException(error)).toMatchObject({ kind: 'unreachable', ...expected });
	});
});
