/**
 * Decides how fast one key may be used, and how many of its requests are in flight: pure functions on what answers have shown
 * (spec part 8).
 */
import { parseRateLimit, type RateLimitHeaders } from './response';
import { isHealthy, isRateLimited, MAX_WAIT_MS, rateLimitWaitMs, type Exchange } from './request';

/** The window of the rate limit as our answers have shown it: when the last one came, and how many there were. */
interface KnownWindow extends Required<RateLimitHeaders> {
	seenAt: number;
	answers: number;
}

/** Everything that the decision to send depends on. Times are milliseconds since the epoch. */
interface Pace {
	inFlight: number;
	/** How many may be in flight. */
	concurrency: number;
	/** The shortest answer of this window, whose first request was sent alone: how fast the service is without load. */
	fastestMs: number;
	/** Whether answers have slowed down since then. */
	slowed: boolean;
	/** When the concurrency was last halved. */
	narrowedAt: number;
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

/** Each costs a socket; with 32, an upsert of 500 takes a quarter longer (`npm run bench -- n8n --only upsert`). */
export const MAX_IN_FLIGHT = 48;
const START_IN_FLIGHT = 8;
/** Answers of an outage are slow or never come: one after another, many items would wait for hours. */
const MIN_IN_FLIGHT = 4;
/** An answer that takes this many times as long as the fastest has waited behind others. */
const SLOW = 2;
/** Other clients may have sent requests since. */
const STALE_MS = 2000;
/** Resets are whole seconds, rounded up or down, and so is the `Date` by which they are understood. */
const ROUNDING_MS = 1000;
/** The share of the limit that is left to other clients. A refusal doubles it; then it shrinks by a tenth per minute. */
const RESERVE = { least: 0.05, most: 0.5 };
/**
 * No more than this share of what remains is in flight while others use the window too. With 16 clients that is half of
 * it, and the other half is left for what they had in flight when we last saw how much remains.
 */
const IN_FLIGHT_SHARE = 0.03;
/** The time between two requests if the service sends no rate-limit headers. It grows with the reserve. */
const SPACING_MS = 100;

export const STARTING_PACE: Pace = {
	inFlight: 0,
	concurrency: START_IN_FLIGHT,
	fastestMs: Infinity,
	slowed: false,
	narrowedAt: 0,
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
	if (inFlight + 1 > pace.concurrency) return 'after-answer';
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

/** If no more of the window is used up than we have sent, no other client uses it yet: then our answers set the pace. */
function mostInFlight({ limit, remaining, answers }: KnownWindow, inFlight: number): number {
	const isAlone = limit - remaining <= answers + inFlight;
	return Math.max(remaining * IN_FLIGHT_SHARE, isAlone ? answers : 0);
}

function reserveAt({ reserve, refusedAt }: Pace, now: number): number {
	const minutes = (now - refusedAt) / 60_000;
	return Math.max(RESERVE.least, reserve * 0.9 ** minutes);
}

/** The pace after a request was sent. */
export function start(pace: Pace, isProbe: boolean, now: number): Pace {
	const spacingMs = (SPACING_MS * reserveAt(pace, now)) / RESERVE.least;
	const nextAt = pace.nextAt === undefined ? undefined : Math.max(pace.nextAt, now) + spacingMs;
	return { ...pace, inFlight: pace.inFlight + 1, probing: pace.probing || isProbe, nextAt };
}

/** The pace after a request has ended. Without `exchange` it was cancelled, which shows nothing. */
export function finish(
	pace: Pace,
	sent: { isProbe: boolean; sentAt: number },
	exchange: Exchange | undefined,
	now: number,
): Pace {
	const inFlight = pace.inFlight - 1;
	const earlier = { ...pace, inFlight, probing: pace.probing && !sent.isProbe };
	if (!exchange) return earlier;
	const { result, headers } = exchange;
	const after = headers ? observe(earlier, parseRateLimit(headers, now), now) : earlier;
	if (isRateLimited(result)) return throttle(after, sent.sentAt, rateLimitWaitMs(result), now);
	if (!isHealthy(result)) return narrow(after, sent.sentAt, now);
	return widen(after, now - sent.sentAt, pace.inFlight);
}

/** @param limits what an answer states about the rate limit, if it does */
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
		return { ...known, fastestMs: Infinity, slowed: false, window: opened };
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
 * The service answered after `tookMs`, while `inFlight` of our requests were in flight. The concurrency doubles with each round
 * trip until answers slow down: more requests gain nothing then, so it falls, not below its start, and grows by one for
 * each round trip.
 */
function widen(pace: Pace, tookMs: number, inFlight: number): Pace {
	const fastestMs = Math.min(pace.fastestMs, tookMs);
	const now = { ...pace, fastestMs };
	// Do not grow a limit that is not being reached.
	if (inFlight < pace.concurrency / 2) return now;
	if (tookMs > SLOW * fastestMs && pace.concurrency >= START_IN_FLIGHT) {
		return { ...now, slowed: true, concurrency: Math.max(START_IN_FLIGHT, pace.concurrency - 1) };
	}
	const growth = pace.slowed ? 1 / pace.concurrency : 1;
	return { ...now, concurrency: Math.min(MAX_IN_FLIGHT, pace.concurrency + growth) };
}

/** A request that was sent at `sentAt` failed. Requests that were in flight together and fail together count once. */
function narrow(pace: Pace, sentAt: number, now: number): Pace {
	if (sentAt <= pace.narrowedAt) return pace;
	const concurrency = Math.max(MIN_IN_FLIGHT, pace.concurrency / 2);
	return { ...pace, concurrency, narrowedAt: now };
}

/**
 * The rate limit refused a request. If the window is used up or unknown, nothing is sent until the wait is over. While
 * it has room, only the request waits and fewer are in flight, until there are the fewest.
 */
function throttle(pace: Pace, sentAt: number, waitMs: number, now: number): Pace {
	const narrowed = narrow(pace, sentAt, now);
	if (hasRoom(pace, now) && pace.concurrency > MIN_IN_FLIGHT) return narrowed;
	// A wait that no request accepts is cut, so that the key is tried again before long.
	const pausedUntil = Math.max(pace.pausedUntil, now + Math.min(waitMs, MAX_WAIT_MS));
	const paused = { ...narrowed, pausedUntil };
	// Requests that were in flight together are refused for one reason.
	if (sentAt <= pace.refusedAt) return paused;
	return { ...paused, reserve: Math.min(RESERVE.most, 2 * reserveAt(pace, now)), refusedAt: now };
}
