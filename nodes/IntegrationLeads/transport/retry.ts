/**
 * When to send a request again, and after how long: pure functions on plain data.
 *
 * Rule of safety: a 429 was refused before anything happened, so it may always be repeated. After any other
 * failure only a `repeatable` request is sent again, because the service may have carried the first one out.
 */

import { isRecord } from '../contract/envelope';

/** What came of one attempt. Times are milliseconds. */
export type AttemptResult =
	/** The service accepted: 2xx with its own envelope, or without a body. */
	| { kind: 'accepted'; status: number; data: unknown; siblings: Record<string, unknown> }
	/** The service refused, by status or by `success: false`. */
	| {
			kind: 'refused';
			status: number;
			code?: string;
			message?: string;
			retryAfterMs?: number;
			/** As it came, where it is JSON. */
			body?: unknown;
	  }
	/** The answer broke off or came without the data asked for. */
	| { kind: 'broken'; status: number }
	/** No answer. `sent: false` when no connection was made, so the service has seen nothing. */
	| { kind: 'unreachable'; code: string; sent: boolean }
	/** Somebody else answered. */
	| { kind: 'foreign'; status: number; shown: string };

/** Limits of one request. Times are milliseconds. */
export interface RetryLimits {
	/** How often a request may be sent for failures other than 429. */
	attempts: number;
	/** How often it may be refused by 429: a limit that others use up again and again is not waited for. */
	refusals: number;
	/** How long all waits for the rate limit together may take. */
	rateLimitWaitMs: number;
}

export const DEFAULT_LIMITS: RetryLimits = { attempts: 3, refusals: 6, rateLimitWaitMs: 300_000 };

export type Decision =
	| { again: false }
	/** `pauseKey`: the whole key has to wait, not just this request. */
	| { again: true; waitMs: number; pauseKey: boolean };

const SHORTEST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
const RATE_LIMIT_WAIT_MS = { shortest: 1000, fallback: 5000 };
const STOP: Decision = { again: false };

/** True for "too many requests", in the status or in the envelope (spec parts 5 and 7). */
export function isRateLimited(outcome: AttemptResult): boolean {
	return (
		outcome.kind === 'refused' && (outcome.status === 429 || outcome.code === 'RATE_LIMIT_EXCEEDED')
	);
}

/** How long a refusal by the rate limit is to be waited out, in ms. */
export function waitOf(outcome: AttemptResult): number {
	const asked = outcome.kind === 'refused' ? outcome.retryAfterMs : undefined;
	return Math.max(asked ?? RATE_LIMIT_WAIT_MS.fallback, RATE_LIMIT_WAIT_MS.shortest);
}

/** The service works: it said yes, or no for a reason of its own. */
export function isAlive(outcome: AttemptResult): boolean {
	return outcome.kind === 'accepted' || (outcome.kind === 'refused' && !isPassing(outcome));
}

/**
 * Decides what follows an attempt.
 *
 * @param attempt how many attempts have been made for other reasons than 429, this one included
 * @param refusals how many attempts have ended in 429 before this one
 * @param waitedMs how long this request has already waited for the rate limit
 * @param random a number in [0, 1)
 */
export function decideRetry(input: {
	outcome: AttemptResult;
	repeatable: boolean;
	attempt: number;
	refusals: number;
	waitedMs: number;
	random: number;
	limits: RetryLimits;
}): Decision {
	const { outcome, repeatable, attempt, refusals, waitedMs, random, limits } = input;
	if (isRateLimited(outcome)) {
		const waitMs = waitOf(outcome);
		// Waiting less than asked would only earn the next 429; waiting more than the budget helps nobody.
		if (refusals + 1 >= limits.refusals) return STOP;
		if (waitedMs + waitMs > limits.rateLimitWaitMs) return STOP;
		return { again: true, waitMs: waitMs + Math.round(random * 500), pauseKey: true };
	}
	if (!isPassing(outcome) || attempt >= limits.attempts) return STOP;
	const unseen = outcome.kind === 'unreachable' && !outcome.sent;
	if (!repeatable && !unseen) return STOP;
	const asked = outcome.kind === 'refused' ? (outcome.retryAfterMs ?? 0) : 0;
	if (asked > limits.rateLimitWaitMs) return STOP;
	const ceiling = Math.min(LONGEST_WAIT_MS, 1000 * 2 ** attempt);
	const jitter = SHORTEST_WAIT_MS + random * (ceiling - SHORTEST_WAIT_MS);
	return { again: true, waitMs: Math.max(asked, Math.round(jitter)), pauseKey: false };
}

/** Failures that pass by themselves: time-outs, server errors, broken connections and broken bodies. */
function isPassing(outcome: AttemptResult): boolean {
	if (outcome.kind === 'refused') return outcome.status === 408 || outcome.status >= 500;
	return outcome.kind === 'broken' || outcome.kind === 'unreachable';
}

/**
 * How long the service asks to wait (spec parts 7 and 8): the `Retry-After` header in seconds or as a date,
 * then `retryAfter` in the body, then `X-RateLimit-Reset`.
 *
 * @param headers names in lower case
 * @param resetMs what the rate-limit headers say, in ms from now
 * @returns milliseconds, or undefined when nothing usable was said
 */
export function readRetryAfter(
	headers: Record<string, unknown>,
	body: unknown,
	now: number,
	resetMs?: number,
): number | undefined {
	const header = headers['retry-after'];
	const seconds = toSeconds(header) ?? secondsUntil(header, readDate(headers) ?? now);
	const fromBody = toSeconds(isRecord(body) ? body.retryAfter : body);
	const chosen = seconds ?? fromBody;
	return chosen === undefined ? resetMs : Math.ceil(chosen * 1000);
}

function toSeconds(value: unknown): number | undefined {
	const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
	return /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

/** A date is read against the service's own clock when it shows it, so that a wrong clock here does no harm. */
function secondsUntil(value: unknown, serverNow: number): number | undefined {
	// `Date.parse` takes almost anything ("-5" is a year); an HTTP date begins with the name of a day.
	if (typeof value !== 'string' || !/^[A-Z][a-z]{2}, /.test(value)) return undefined;
	const at = Date.parse(value);
	return Number.isNaN(at) ? undefined : Math.max(0, (at - serverNow) / 1000);
}

/** The service's clock when it answered, in ms since the epoch. `headers` have names in lower case. */
export function readDate(headers: Record<string, unknown> | undefined): number | undefined {
	const date = typeof headers?.date === 'string' ? Date.parse(headers.date) : NaN;
	return Number.isNaN(date) ? undefined : date;
}

/**
 * Keeps an outage from being multiplied: each retry takes a token, each sign of life of the service gives one
 * back, and one comes back every second. One budget per key.
 */
export class RetryBudget {
	private tokens: number;

	private filledAt: number;

	constructor(
		now: number,
		private readonly capacity = 60,
	) {
		this.tokens = capacity;
		this.filledAt = now;
	}

	/** The service answered: it is alive. */
	give(): void {
		this.tokens = Math.min(this.capacity, this.tokens + 1);
	}

	/** @returns false when the budget is used up and the request must not be repeated */
	take(now: number): boolean {
		const seconds = Math.max(0, now - this.filledAt) / 1000;
		this.tokens = Math.min(this.capacity, this.tokens + seconds);
		this.filledAt = now;
		if (this.tokens < 1) return false;
		this.tokens -= 1;
		return true;
	}
}
