/** How fast one key may be used: pure functions on what the rate-limit headers have shown (spec part 8). */
import type { Concurrency } from './concurrency';
import { FEWEST_IN_FLIGHT, narrow, STARTING_CONCURRENCY, widen } from './concurrency';
import type { RateLimitHeaders } from './headers';
import { parseRateLimit } from './headers';
import { LONGEST_WAIT_MS } from './retry';

/** The window of the rate limit as our answers have shown it: when the last one came, and how many there were. */
interface KnownWindow extends Required<RateLimitHeaders> {
	seenAt: number;
	answers: number;
}

/** Everything that the decision to send depends on. Times are milliseconds since the epoch. */
export interface Pace {
	inFlight: number;
	concurrency: Concurrency;
	/** One request was sent alone to learn what remains; the rest wait for its answer. */
	probing: boolean;
	/** After a refusal, nothing is sent until then. */
	pausedUntil: number;
	/** The share of the limit that is left to other clients, as of `refusedAt`. */
	reserve: number;
	/** When the reserve was last doubled. */
	refusedAt: number;
	/** Absent before the first answer. */
	window?: KnownWindow;
	/** Present if the service sends no rate-limit headers: requests are spaced, and the next one may leave then. */
	nextAt?: number;
}

/** What the end of a request shows about the service. */
export interface RequestEnd {
	/** Of the answer, names in lower case; absent if none came. */
	headers?: Record<string, unknown>;
	/** The service did not work, or its answer was lost. */
	failed?: boolean;
	/** For how long the rate limit refuses the request, if it does. */
	refusedForMs?: number;
}

/** Other clients may have sent requests since. */
const STALE_MS = 2000;
/** Resets are whole seconds, rounded up or down, and so is the `Date` by which they are understood. */
const ROUNDING_MS = 1000;
/** The share of the limit left to others. A refusal doubles it; then it shrinks by a tenth in each minute. */
const RESERVE = { least: 0.05, most: 0.5 };
/**
 * No more than this share of what remains is in flight while others use the window too. With 16 clients that is half of
 * it, and the other half is left for what they had in flight when we last saw how much remains.
 */
const IN_FLIGHT_SHARE = 0.03;
/** Between two requests without rate-limit headers. It grows with the reserve. */
const SPACING_MS = 100;

export const STARTING_PACE: Pace = {
	inFlight: 0,
	concurrency: STARTING_CONCURRENCY,
	probing: false,
	pausedUntil: 0,
	reserve: RESERVE.least,
	refusedAt: 0,
};

/** Whether one more request may be sent now (`probe`: alone), after an answer, or after a time. */
export function admit(
	pace: Pace,
	now: number,
): 'go' | 'probe' | 'after-answer' | { waitMs: number } {
	const { inFlight, window, nextAt } = pace;
	if (now < pace.pausedUntil) return { waitMs: pace.pausedUntil - now };
	if (inFlight + 1 > pace.concurrency.limit) return 'after-answer';
	if (nextAt !== undefined) return now < nextAt ? { waitMs: nextAt - now } : 'go';
	if (window && now < window.resetAt) {
		if (!hasRoom(pace, now)) return { waitMs: window.resetAt - now };
		if (inFlight > 0 && inFlight + 1 > mostInFlight(window, inFlight)) return 'after-answer';
		if (now - window.seenAt <= STALE_MS) return 'go';
	}
	return pace.probing ? 'after-answer' : 'probe';
}

/** Whether the window is known to have more left than what is in flight and in reserve. */
function hasRoom(pace: Pace, now: number): boolean {
	const { window, inFlight } = pace;
	if (!window || now >= window.resetAt) return false;
	return window.remaining > inFlight + Math.floor(window.limit * reserveAt(pace, now));
}

/** So far nobody else has used the window if it lacks no more than our requests: then our answers set the pace. */
function mostInFlight({ limit, remaining, answers }: KnownWindow, inFlight: number): number {
	const isAlone = limit - remaining <= answers + inFlight;
	return Math.max(remaining * IN_FLIGHT_SHARE, isAlone ? answers : 0);
}

function reserveAt({ reserve, refusedAt }: Pace, now: number): number {
	const minutes = (now - refusedAt) / 60_000;
	return Math.max(RESERVE.least, reserve * 0.9 ** minutes);
}

/** A request is sent, as a probe or not. */
export function start(pace: Pace, isProbe: boolean, now: number): Pace {
	const spacingMs = (SPACING_MS * reserveAt(pace, now)) / RESERVE.least;
	const nextAt = pace.nextAt === undefined ? undefined : Math.max(pace.nextAt, now) + spacingMs;
	return { ...pace, inFlight: pace.inFlight + 1, probing: pace.probing || isProbe, nextAt };
}

/** A request has ended. Without `end` it was cancelled, which shows nothing. */
export function finish(
	pace: Pace,
	sent: { isProbe: boolean; sentAt: number },
	end: RequestEnd | undefined,
	now: number,
): Pace {
	const inFlight = pace.inFlight - 1;
	const before = { ...pace, inFlight, probing: pace.probing && !sent.isProbe };
	if (!end) return before;
	const after = end.headers ? observe(before, parseRateLimit(end.headers, now), now) : before;
	if (end.refusedForMs !== undefined) return throttle(after, sent.sentAt, end.refusedForMs, now);
	const concurrency = end.failed
		? narrow(after.concurrency, sent.sentAt, now)
		: widen(after.concurrency, now - sent.sentAt, pace.inFlight);
	return { ...after, concurrency };
}

/** @param limits what an answer states of the rate limit, if it does */
function observe(pace: Pace, limits: RateLimitHeaders | undefined, now: number): Pace {
	const { window, nextAt = 0 } = pace;
	// One answer without headers among many (a proxy's error page) changes nothing.
	if (!limits) return window ? pace : { ...pace, nextAt };
	const known = { ...pace, nextAt: undefined };
	const resetAt = limits.resetAt + ROUNDING_MS;
	const laterMs = limits.serverResetAt - (window?.serverResetAt ?? 0);
	if (!window || laterMs > ROUNDING_MS) {
		const limit = limits.limit ?? limits.remaining;
		const opened = { ...limits, limit, resetAt, seenAt: now, answers: 1 };
		const concurrency = { ...pace.concurrency, fastestMs: Infinity, slowed: false };
		return { ...known, concurrency, window: opened };
	}
	// Answers overtake each other: this one belongs to an earlier window.
	if (laterMs < -ROUNDING_MS) return known;
	const same = {
		...window,
		remaining: Math.min(window.remaining, limits.remaining),
		resetAt: Math.min(window.resetAt, resetAt),
		seenAt: now,
		answers: window.answers + 1,
	};
	return { ...known, window: same };
}

/**
 * The rate limit refused a request. If the window is used up or unknown, nothing is sent until the wait is over. While
 * it has room, only the request waits and fewer are in flight, until there are the fewest.
 */
function throttle(pace: Pace, sentAt: number, waitMs: number, now: number): Pace {
	const concurrency = narrow(pace.concurrency, sentAt, now);
	if (hasRoom(pace, now) && pace.concurrency.limit > FEWEST_IN_FLIGHT) {
		return { ...pace, concurrency };
	}
	// A wait that no request accepts is cut, so that the key is tried again before long.
	const pausedUntil = Math.max(pace.pausedUntil, now + Math.min(waitMs, LONGEST_WAIT_MS));
	const paused = { ...pace, concurrency, pausedUntil };
	// Requests that were in flight together are refused for one reason.
	if (sentAt <= pace.refusedAt) return paused;
	return { ...paused, reserve: Math.min(RESERVE.most, 2 * reserveAt(pace, now)), refusedAt: now };
}
