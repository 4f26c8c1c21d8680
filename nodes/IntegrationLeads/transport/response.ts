/**
 * Turns a response of n8n's HTTP client, or its absence, into the result of an attempt. Header names are in lower case.
 */
import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { parseEnvelope, parseError, type Envelope } from '../contract/envelope';
import { isRecord, toRecord } from '../values/json';
import { isRateLimited, type ExchangeResult, type Refusal, type ServiceRequest } from './request';

/** The options for n8n's HTTP client. */
export function toHttpOptions({
	method,
	query,
	body,
}: ServiceRequest): Omit<IHttpRequestOptions, 'url'> {
	const contentType = body !== undefined && { 'Content-Type': 'application/json' };
	return {
		method,
		qs: query,
		headers: { Accept: 'application/json', ...contentType },
		body: JSON.stringify(body),
		// The body is read as text, so that a broken one can be distinguished from one of another server.
		encoding: 'text',
		returnFullResponse: true,
		// The status decides, not an exception; also, an exception for 401 makes n8n send twice.
		ignoreHttpStatusErrors: true,
		// Following a redirect would take the key along.
		disableFollowRedirect: true,
		sendCredentialsOnCrossOriginRedirect: false,
	};
}

/** Enough for an excerpt: a web page of any length must not keep the process busy. */
const MAX_PAGE_LENGTH = 10_000;
const DEFAULT_WINDOW_MS = 60_000;
/** A wrong clock must not stop a workflow for hours. */
const MAX_WINDOW_MS = 120_000;

/** What the rate-limit headers of one answer state. Times are milliseconds since the epoch. */
export interface RateLimitHeaders {
	limit?: number;
	remaining: number;
	/** The end of the window by the service's clock. It identifies the window, however late an answer arrives. */
	serverResetAt: number;
	/** The end of the window by the local clock, late by the time that the answer took. */
	resetAt: number;
}

/** @param now in ms since the epoch */
export function parseResponse(
	method: string,
	{ statusCode: status, body, headers }: IN8nHttpFullResponse,
	now: number,
): ExchangeResult {
	if (status >= 300 && status < 400) {
		return { kind: 'otherServer', status, shown: 'a redirect to another address' };
	}
	const text = bodyText(body);
	const envelope = parseEnvelope(text);
	if (status < 200 || status >= 300 || envelope.kind === 'failure') {
		return parseRefusal(status, envelope, headers, now);
	}
	switch (envelope.kind) {
		case 'data':
			return { kind: 'accepted', status, data: envelope.data, envelope: envelope.envelope };
		case 'nothing':
			// A read without a body has lost its data; 204, or null in the envelope, states that there is none.
			if (method === 'GET' && status !== 204 && text === '') return { kind: 'broken', status };
			return { kind: 'accepted', status, data: undefined, envelope: envelope.envelope ?? {} };
		case 'cut':
			return { kind: 'broken', status };
		case 'otherServer':
			return { kind: 'otherServer', status, shown: envelope.shown };
	}
}

function parseRefusal(
	status: number,
	envelope: Envelope,
	headers: IDataObject,
	now: number,
): Refusal {
	const data = envelope.kind === 'data' ? envelope.data : undefined;
	const body = envelope.kind === 'failure' ? envelope.body : data;
	// A proxy, or the service itself, may refuse without the envelope.
	const { code, message, retryAfter } = parseError(body);
	const isForeign = envelope.kind !== 'failure' && code === undefined;
	const refusal: Refusal = { kind: 'refused', status, code, message, body, isForeign };
	const reset = isRateLimited(refusal) ? parseRateLimit(headers, now)?.resetAt : undefined;
	refusal.retryAfterMs = parseRetryAfter(headers, retryAfter, now) ?? (reset && reset - now);
	return refusal;
}

/** The body as text without surrounding space; only the beginning of a web page. */
function bodyText(body: unknown): string {
	const text = typeof body === 'string' ? body.trim() : body ? JSON.stringify(body) : '';
	return /^[[{]/.test(text) ? text : text.slice(0, MAX_PAGE_LENGTH);
}

/** Codes for which no connection was made, so the service received nothing. */
const NOTHING_SENT =
	/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$|^ERR_TLS_|^UNABLE_TO_|CERT/;

/** n8n wraps the error of the HTTP client: the system's code is on the error or on its cause. */
export function parseException(error: unknown): ExchangeResult {
	const codes = [error, toRecord(error).cause].map((source) =>
		isRecord(source) ? (source.code ?? source.httpCode) : undefined,
	);
	const code = codes.find((text): text is string => typeof text === 'string' && text !== '');
	return { kind: 'unreachable', code: code ?? 'no answer', sent: !NOTHING_SENT.test(code ?? '') };
}

/**
 * Reads `X-RateLimit-Limit`, `-Remaining` and `-Reset` (spec part 8). The reset is documented as a Unix timestamp;
 * milliseconds and a number of seconds from now are understood too. The `Date` header corrects for a wrong local clock.
 *
 * @returns undefined without a usable number of remaining requests
 */
export function parseRateLimit(headers: IDataObject, now: number): RateLimitHeaders | undefined {
	const remaining = parseHeaderNumber(headers['x-ratelimit-remaining']);
	if (remaining === undefined) return undefined;
	const limit = parseHeaderNumber(headers['x-ratelimit-limit']);
	const reset = parseHeaderNumber(headers['x-ratelimit-reset']);
	const serverNow = parseDateHeader(headers) ?? now;
	const stated = reset === undefined ? DEFAULT_WINDOW_MS : msUntil(reset, serverNow);
	const waitMs = Math.min(MAX_WINDOW_MS, stated);
	return { limit, remaining, serverResetAt: serverNow + waitMs, resetAt: now + waitMs };
}

function msUntil(reset: number, serverNow: number): number {
	const [delta, milliseconds] = [1e6, 1e11];
	if (reset < delta) return reset * 1000;
	return Math.max(0, (reset > milliseconds ? reset : reset * 1000) - serverNow);
}

/**
 * How long the service asks to wait: the `Retry-After` header in seconds or as a date, else `retryAfter` of the body.
 *
 * @param retryAfter of the body, in seconds
 * @returns milliseconds, or undefined when neither is usable
 */
function parseRetryAfter(
	headers: IDataObject,
	retryAfter: unknown,
	now: number,
): number | undefined {
	const header = headers['retry-after'];
	const date = toDate(header);
	const serverNow = parseDateHeader(headers) ?? now;
	const untilDate = date === undefined ? undefined : Math.max(0, date - serverNow) / 1000;
	const seconds = parseHeaderNumber(header) ?? untilDate ?? parseHeaderNumber(retryAfter);
	return seconds === undefined ? undefined : Math.ceil(seconds * 1000);
}

/** The service's clock when it answered, in ms since the epoch. */
export function parseDateHeader(headers: IDataObject = {}): number | undefined {
	return toDate(headers.date);
}

function toDate(value: unknown): number | undefined {
	// `Date.parse` takes almost anything ("-5" is a year); an HTTP date begins with the name of a day.
	const text = String(value);
	const date = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : date;
}

/** A number, or text with one, that is not negative. */
function parseHeaderNumber(value: unknown): number | undefined {
	const isText = typeof value === 'string' && value.trim() !== '';
	const number = isText || typeof value === 'number' ? Number(value) : NaN;
	return Number.isFinite(number) && number >= 0 ? number : undefined;
}
