/**
 * When to send a request again, and after how long: pure functions on plain data.
 *
 * A 429 is refused before anything happens, so it may always be repeated. After any other failure only a
 * `repeatable` request is sent again, because the service may have carried out the first one.
 */

/** The result of one attempt. Times are milliseconds. */
export type AttemptResult =
	/** 2xx with the service's envelope, or without a body. */
	| { kind: 'accepted'; status: number; data: unknown; siblings: Record<string, unknown> }
	/** Refused by status or by `success: false`. `body` is the answer where it is JSON. */
	| {
			kind: 'refused';
			status: number;
			code?: string;
			message?: string;
			retryAfterMs?: number;
			body?: unknown;
	  }
	/** The answer was cut off, or lacks the data asked for. */
	| { kind: 'broken'; status: number }
	/** No answer. `sent: false` when no connection was made, so the service received nothing. */
	| { kind: 'unreachable'; code: string; sent: boolean }
	/** The answer is not from the service. `shown` is an excerpt. */
	| { kind: 'otherServer'; status: number; shown: string };

export type Refusal = Extract<AttemptResult, { kind: 'refused' }>;

/** The attempts of one request so far. */
export interface RetryState {
	/** Attempts that failed for reasons other than the rate limit. */
	failures: number;
	/** Attempts refused by the rate limit. */
	refusals: number;
	/** Time spent waiting after these refusals, in ms. */
	waitedMs: number;
}

export type Decision = { again: false } | { again: true; waitMs: number; state: RetryState };

export const NO_ATTEMPTS: RetryState = { failures: 0, refusals: 0, waitedMs: 0 };
/** How long all waits for the rate limit together may take. */
export const LONGEST_WAIT_MS = 300_000;
const MOST_FAILURES = 3;
/** Other users of the key who exhaust its limit again and again are not waited for. */
const MOST_REFUSALS = 6;
const BACKOFF_MS = { shortest: 250, longest: [1000, 4000] };
const RATE_LIMIT_WAIT_MS = { shortest: 1000, fallback: 5000 };
const STOP: Decision = { again: false };

/** Too many requests, by status or by code (spec parts 5 and 7). */
export function isRateLimited(result: AttemptResult): boolean {
	return (
		result.kind === 'refused' && (result.status === 429 || result.code === 'RATE_LIMIT_EXCEEDED')
	);
}

/** How long to wait after a refusal by the rate limit, in ms. */
export function rateLimitWaitMs(result: AttemptResult): number {
	return Math.max(askedMs(result) ?? RATE_LIMIT_WAIT_MS.fallback, RATE_LIMIT_WAIT_MS.shortest);
}

function askedMs(result: AttemptResult): number | undefined {
	return result.kind === 'refused' ? result.retryAfterMs : undefined;
}

/** The service works: it accepted the request, or refused it because of its content, the key or the rate limit. */
export function isHealthy(result: AttemptResult): boolean {
	return result.kind !== 'otherServer' && !isTransient(result);
}

/**
 * Decides what follows an attempt.
 *
 * @param state the attempts before this one
 * @param random a number in [0, 1)
 * @returns `again` with the wait in ms and the state for the next decision
 */
export function decideRetry(input: {
	result: AttemptResult;
	repeatable: boolean;
	state: RetryState;
	random: number;
}): Decision {
	const { result, repeatable, state, random } = input;
	if (isRateLimited(result)) {
		const asked = rateLimitWaitMs(result);
		const refusals = state.refusals + 1;
		if (refusals >= MOST_REFUSALS || state.waitedMs + asked > LONGEST_WAIT_MS) return STOP;
		// Without jitter: after the wait the governor lets requests through one after another.
		const waitedMs = state.waitedMs + asked;
		return { again: true, waitMs: asked, state: { ...state, refusals, waitedMs } };
	}
	const failures = state.failures + 1;
	if (!isTransient(result) || failures >= MOST_FAILURES) return STOP;
	const isUnsent = result.kind === 'unreachable' && !result.sent;
	if (!repeatable && !isUnsent) return STOP;
	const asked = askedMs(result) ?? 0;
	if (asked > LONGEST_WAIT_MS) return STOP;
	const { shortest, longest } = BACKOFF_MS;
	const backoff = shortest + random * (longest[state.failures] - shortest);
	const waitMs = Math.max(asked, Math.round(backoff));
	return { again: true, waitMs, state: { ...state, failures } };
}

/** Timeouts, server errors, broken connections and broken bodies, which may be over a moment later. */
function isTransient(result: AttemptResult): boolean {
	if (result.kind === 'refused') return result.status === 408 || result.status >= 500;
	return result.kind === 'broken' || result.kind === 'unreachable';
}

/**
 * Keeps retries from multiplying the load during an outage: each retry spends a token, each answer of a healthy
 * service and each second refunds one. One budget per key.
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

	refund(tokens = 1): void {
		this.tokens = Math.min(this.capacity, this.tokens + tokens);
	}

	/** @returns false when the budget is exhausted and the request must not be repeated */
	spend(now: number): boolean {
		this.refund(Math.max(0, now - this.filledAt) / 1000);
		this.filledAt = now;
		if (this.tokens < 1) return false;
		this.tokens -= 1;
		return true;
	}
}
