/** From an HTTP response, or none, to the result of an attempt. */
import type { IN8nHttpFullResponse } from 'n8n-workflow';

import type { Envelope } from '../contract/envelope';
import { isRecord, parseEnvelope, parseFailure } from '../contract/envelope';
import { parseRateLimit, parseRetryAfter } from './headers';
import type { AttemptResult, Refusal } from './retry';
import { isRateLimited } from './retry';

/** Enough for an excerpt. A page of any length must not keep the process busy. */
const LONGEST_PAGE = 10_000;

/** What a response means. `now` is in ms since the epoch. */
export function parseResponse(
	method: string,
	{ statusCode: status, body, headers }: IN8nHttpFullResponse,
	now: number,
): AttemptResult {
	if (status >= 300 && status < 400) {
		return { kind: 'otherServer', status, shown: 'a redirect to another address' };
	}
	const text = toText(body);
	const envelope = parseEnvelope(text);
	if (status < 200 || status >= 300 || envelope.kind === 'failure') {
		return parseRefusal(status, envelope, headers, now);
	}
	switch (envelope.kind) {
		case 'data':
			return { kind: 'accepted', status, data: envelope.data, siblings: envelope.siblings };
		case 'nothing':
			// A read without a body has lost its data; 204, or null in the envelope, states that there is none.
			if (method === 'GET' && status !== 204 && text === '') return { kind: 'broken', status };
			return { kind: 'accepted', status, data: undefined, siblings: envelope.siblings ?? {} };
		case 'cut':
			return { kind: 'broken', status };
		case 'otherServer':
			return { kind: 'otherServer', status, shown: envelope.shown };
	}
}

function parseRefusal(
	status: number,
	envelope: Envelope,
	headers: IN8nHttpFullResponse['headers'],
	now: number,
): Refusal {
	const data = envelope.kind === 'data' ? envelope.data : undefined;
	const body = envelope.kind === 'failure' ? envelope.body : data;
	// A proxy, or the service itself, may refuse without the envelope.
	const { code, message, retryAfter } = isRecord(body) ? parseFailure(body) : {};
	const refusal: Refusal = { kind: 'refused', status, code, message, body };
	const reset = isRateLimited(refusal) ? parseRateLimit(headers, now)?.resetAt : undefined;
	refusal.retryAfterMs = parseRetryAfter(headers, retryAfter, now) ?? (reset && reset - now);
	return refusal;
}

/** The body as text without surrounding space, of a web page only the beginning. */
function toText(body: unknown): string {
	const text = typeof body === 'string' ? body.trim() : body ? JSON.stringify(body) : '';
	return /^[[{]/.test(text) ? text : text.slice(0, LONGEST_PAGE);
}

/** Codes for which no connection was made, so the service received nothing. */
const NOTHING_SENT =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_TLS_.*|.*CERT.*|UNABLE_TO_.*)$/;

/** n8n wraps what the HTTP client threw; the system's code is on the error or on its cause. */
export function parseException(error: unknown): AttemptResult {
	const codes = [error, (error as { cause?: unknown })?.cause].map((each) =>
		isRecord(each) ? (each.code ?? each.httpCode) : undefined,
	);
	const code = codes.find((each): each is string => typeof each === 'string' && each !== '');
	return { kind: 'unreachable', code: code ?? 'no answer', sent: !NOTHING_SENT.test(code ?? '') };
}
