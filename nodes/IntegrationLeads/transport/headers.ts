/** The headers of an answer: rate limit, `Retry-After` and `Date` (spec parts 7 and 8). All names are in lower case. */

/** What the rate-limit headers of one answer state. Times are milliseconds since the epoch. */
export interface RateLimitHeaders {
	limit?: number;
	remaining: number;
	/** The end of the window by the service's clock. It identifies the window, however late an answer arrives. */
	serverResetAt: number;
	/** The same by the local clock, too late by the time the answer took. */
	resetAt: number;
}

type Headers = Record<string, unknown>;

const DEFAULT_WINDOW_MS = 60_000;
/** A wrong clock must not stop a workflow for hours. */
const LONGEST_WINDOW_MS = 120_000;

/**
 * Reads `X-RateLimit-Limit`, `-Remaining` and `-Reset` (spec part 8). The reset is documented as a Unix timestamp;
 * milliseconds and a number of seconds from now are understood too. The `Date` header corrects for a wrong local clock.
 *
 * @returns undefined without a usable number of remaining requests
 */
export function parseRateLimit(headers: Headers, now: number): RateLimitHeaders | undefined {
	const remaining = toNumber(headers['x-ratelimit-remaining']);
	if (remaining === undefined) return undefined;
	const limit = toNumber(headers['x-ratelimit-limit']);
	const reset = toNumber(headers['x-ratelimit-reset']);
	const serverNow = parseDateHeader(headers) ?? now;
	const stated = reset === undefined ? DEFAULT_WINDOW_MS : msUntil(reset, serverNow);
	const waitMs = Math.min(LONGEST_WINDOW_MS, stated);
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
export function parseRetryAfter(
	headers: Headers,
	retryAfter: unknown,
	now: number,
): number | undefined {
	const header = headers['retry-after'];
	const date = toDate(header);
	const serverNow = parseDateHeader(headers) ?? now;
	const untilDate = date === undefined ? undefined : Math.max(0, date - serverNow) / 1000;
	const seconds = toNumber(header) ?? untilDate ?? toNumber(retryAfter);
	return seconds === undefined ? undefined : Math.ceil(seconds * 1000);
}

/** The service's clock when it answered, in ms since the epoch. */
export function parseDateHeader(headers: Headers = {}): number | undefined {
	return toDate(headers.date);
}

function toDate(value: unknown): number | undefined {
	// `Date.parse` takes almost anything ("-5" is a year); an HTTP date begins with the name of a day.
	const isDate = typeof value === 'string' && /^[A-Z][a-z]{2}, /.test(value);
	const date = isDate ? Date.parse(value) : NaN;
	return Number.isNaN(date) ? undefined : date;
}

/** A number that is not negative, also as text. */
function toNumber(value: unknown): number | undefined {
	const isText = typeof value === 'string' && value.trim() !== '';
	const number = isText || typeof value === 'number' ? Number(value) : NaN;
	return Number.isFinite(number) && number >= 0 ? number : undefined;
}
