/** How fast one key may be used: pure functions on what the rate-limit headers have shown (spec part 8). */
import type { RateLimitHeaders } from './headers';
import { LONGEST_WINDOW_MS } from './headers';
import { LONGEST_WAIT_MS } from './retry';

/** One window of the rate limit as our answers showed it. */
export interface RateLimitWindow extends RateLimitHeaders {
	seenAt: number;
	/** What remained after the first answer of this window, and how many answers have followed it. */
	first: number;
	answers: number;
}

/** Everything that the decision to send depends on. Times are milliseconds since the epoch. */
export interface Pace {
	inFlight: number;
	/** One request was sent alone to learn where the window stands; the rest wait for its answer. */
	probing: boolean;
	pausedUntil: number;
	/** The last known window, absent before the first answer and after a 429. */
	window?: RateLimitWindow;
	/** Requests of other clients for each of ours, learned in the windows before this one. */
	peers: number;
	/** The service sends no rate-limit headers: requests are spaced by the clock instead. */
	headerless?: { perSecond: number; nextAt: number };
}

/** Send now (`probe`: alone), wait for an answer, or wait for a time. */
export type Admission = 'go' | 'probe' | 'after-answer' | { waitMs: number };

/** Requests in flight for one key. n8n opens a connection for each, so only concurrency hides latency. */
export const CONCURRENCY = 8;
/** Other clients may have sent requests since. */
const STALE_MS = 2000;
/** Processes that wait for the end of a window resume within this time, so that they do not all probe at once. */
export const SPREAD_MS = 250;
/** Reset times that differ by less belong to the same window: seconds are rounded. */
const NEW_WINDOW_MS = 1500;
/** Others vary around their average: without a margin, ten or more of them cause a handful of 429s a minute. */
const RESERVE_MARGIN = 1.25;
const LARGEST_RESERVE = 200;
/** The number of answers that what earlier windows showed of other clients counts for. */
const PEERS_WEIGHT = 8;
const HEADERLESS_PER_SECOND = { start: 10, lowest: 0.5, regain: 0.1 };

export const STARTING_PACE: Pace = { inFlight: 0, probing: false, pausedUntil: 0, peers: 0 };

/**
 * Requests of other clients for each of ours: what `remaining` fell by beyond our own answers. Requests whose answers
 * are still on their way count as theirs, which errs on the safe side.
 */
function peersIn({ window, peers }: Pace): number {
	if (!window) return peers;
	const others = Math.max(0, window.first - window.remaining - window.answers);
	return (peers * PEERS_WEIGHT + others) / (PEERS_WEIGHT + window.answers);
}

/** How many requests to leave unused for other clients while ours are in flight; fewer where the limit is small. */
export function reserveFor(pace: Pace): number {
	const limit = pace.window?.limit ?? Infinity;
	const least = limit >= 40 ? 2 : limit >= 20 ? 1 : 0;
	const expected = Math.ceil(peersIn(pace) * CONCURRENCY * RESERVE_MARGIN);
	return Math.min(LARGEST_RESERVE, Math.max(least, expected));
}

/** Whether one more request may be sent now. */
export function admit(pace: Pace, now: number): Admission {
	if (now < pace.pausedUntil) return { waitMs: pace.pausedUntil - now };
	if (pace.inFlight >= CONCURRENCY) return 'after-answer';
	if (pace.headerless) {
		return now < pace.headerless.nextAt ? { waitMs: pace.headerless.nextAt - now } : 'go';
	}
	const { window } = pace;
	if (window && now < window.resetAt) {
		// Within a window `remaining` only falls, so a stale value that is too low is good enough.
		if (window.remaining - pace.inFlight - reserveFor(pace) <= 0) {
			return { waitMs: window.resetAt - now };
		}
		if (now - window.seenAt <= STALE_MS) return 'go';
	}
	return pace.probing ? 'after-answer' : 'probe';
}

/** A request is sent, as a probe or not. */
export function start(pace: Pace, isProbe: boolean, now: number): Pace {
	const { headerless } = pace;
	return {
		...pace,
		inFlight: pace.inFlight + 1,
		probing: pace.probing || isProbe,
		headerless: headerless && {
			...headerless,
			nextAt: Math.max(headerless.nextAt, now) + 1000 / headerless.perSecond,
		},
	};
}

/** A request has ended, with or without an answer. */
export function finish(pace: Pace, isProbe: boolean): Pace {
	return { ...pace, inFlight: pace.inFlight - 1, probing: pace.probing && !isProbe };
}

/** Takes in what the headers of an answer show; undefined when it has no rate-limit headers. */
export function observe(pace: Pace, headers: RateLimitHeaders | undefined, now: number): Pace {
	if (!headers) return observeHeaderless(pace);
	const { window } = pace;
	const next: Pace = { ...pace, headerless: undefined };
	if (!window || headers.serverResetAt > window.serverResetAt + NEW_WINDOW_MS) {
		const fresh = { ...headers, seenAt: now, first: headers.remaining, answers: 0 };
		return { ...next, peers: peersIn(pace), window: fresh };
	}
	// Answers overtake each other: this one belongs to an earlier window.
	if (headers.serverResetAt < window.serverResetAt - NEW_WINDOW_MS) return next;
	const resetAt = Math.min(window.resetAt, headers.resetAt);
	return {
		...next,
		window: {
			...window,
			limit: headers.limit ?? window.limit,
			answers: window.answers + 1,
			remaining: Math.min(window.remaining, headers.remaining),
			// The window is over by our clock but not yet by the service's.
			resetAt: now >= resetAt ? now + SPREAD_MS : resetAt,
			seenAt: now,
		},
	};
}

function observeHeaderless(pace: Pace): Pace {
	// One answer without headers among many (a proxy's error page) changes nothing.
	if (pace.window) return pace;
	const { start: most, regain } = HEADERLESS_PER_SECOND;
	const perSecond = Math.min(most, (pace.headerless?.perSecond ?? most) + regain);
	return { ...pace, headerless: { perSecond, nextAt: pace.headerless?.nextAt ?? 0 } };
}

/** A 429 came: nothing is sent until the wait is over, then one request probes the window. */
export function throttle(pace: Pace, waitMs: number, now: number): Pace {
	// A wait that no request accepts is cut, so that the key is tried again before long.
	const pauseMs = waitMs <= LONGEST_WAIT_MS ? waitMs : LONGEST_WINDOW_MS;
	const pausedUntil = Math.max(pace.pausedUntil, now + pauseMs);
	if (!pace.headerless) return { ...pace, pausedUntil, peers: peersIn(pace), window: undefined };
	// Requests that were in flight together are refused together: that counts once.
	if (now < pace.pausedUntil) return { ...pace, pausedUntil };
	const perSecond = Math.max(HEADERLESS_PER_SECOND.lowest, pace.headerless.perSecond / 2);
	return { ...pace, pausedUntil, headerless: { ...pace.headerless, perSecond } };
}
