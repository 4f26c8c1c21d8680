/**
 * The pace at which one key may be used: pure functions on what the service's headers have shown (spec part 8).
 */
import { DEFAULT_LIMITS, readDate } from './retry';

/** What the rate-limit headers of one answer say. Times are milliseconds since the epoch. */
export interface RateLimitHeaders {
	limit?: number;
	remaining: number;
	/** The end of the window by the service's clock: what tells one window from the next, however late an answer is. */
	serverResetAt: number;
	/** The same by the local clock. Late rather than early, by the time the answer took. */
	resetAt: number;
}

/** One window as our answers showed it. */
export interface Window extends RateLimitHeaders {
	seenAt: number;
	/** What the first answer of this window said remained, and how many answers we have had since. */
	first: number;
	answers: number;
}

/** Everything the decision to send depends on. */
export interface Pace {
	inFlight: number;
	/** A request was let through alone to learn where the window stands; the rest wait for its answer. */
	probing: boolean;
	pausedUntil: number;
	/** The last known window, absent before the first answer and after a 429. */
	window?: Window;
	/** Requests of others for each of ours, learnt in the windows before this one. */
	peers: number;
	/** The service shows no rate-limit headers: pace by the clock instead. */
	headerless?: { perSecond: number; nextAt: number };
}

export type Admission = 'go' | 'probe' | 'after-answer' | { waitMs: number };

/** Requests in flight for one key. n8n opens a connection for each, so concurrency is what hides latency. */
export const CONCURRENCY = 8;
/** Older knowledge than this may hide what others have used up. */
const STALE_MS = 2000;
/** Bounds of any wait taken from a header: a wrong clock must not stop a workflow for hours. */
export const WAIT_MS = { shortest: 1000, longest: 120_000 };
/** Spread over which waiting processes resume, so that they do not all probe at once. */
export const SPREAD_MS = 250;
/** The smallest step in which two reset times are taken for different windows: seconds are rounded. */
const NEW_WINDOW_MS = 1500;
/** Others are not all average: without it, ten and more of them run into a handful of 429s a minute. */
const RESERVE_MARGIN = 1.25;
/** As many answers as weigh what earlier windows showed of others. */
const PEERS_WEIGHT = 8;
const HEADERLESS_PER_SECOND = { start: 10, lowest: 0.5, regain: 0.1 };

export function startingPace(): Pace {
	return { inFlight: 0, probing: false, pausedUntil: 0, peers: 0 };
}

/**
 * Requests of others for each of ours. What went from `remaining` beyond our own answers was theirs (or is
 * still on its way to us, which errs on the safe side); few answers lean on what earlier windows showed.
 */
function peersIn({ window, peers }: Pace): number {
	if (!window) return peers;
	const others = Math.max(0, window.first - window.remaining - window.answers);
	return (peers * PEERS_WEIGHT + others) / (PEERS_WEIGHT + window.answers);
}

/**
 * How many requests to leave unused: what the others may send while ours are under way. A small limit
 * keeps a small reserve, or little of it would be usable.
 */
export function reserveFor(pace: Pace): number {
	const limit = pace.window?.limit ?? Infinity;
	const least = limit >= 40 ? 2 : limit >= 20 ? 1 : 0;
	return Math.min(200, Math.max(least, Math.ceil(peersIn(pace) * CONCURRENCY * RESERVE_MARGIN)));
}

/** May one more request be sent now? Pure. */
export function admit(pace: Pace, now: number): Admission {
	if (now < pace.pausedUntil) return { waitMs: pace.pausedUntil - now };
	if (pace.inFlight >= CONCURRENCY) return 'after-answer';
	if (pace.headerless) {
		return now < pace.headerless.nextAt ? { waitMs: pace.headerless.nextAt - now } : 'go';
	}
	const { window } = pace;
	if (window && now < window.resetAt) {
		// Within a window what remains only shrinks, so old knowledge of too little is knowledge enough.
		if (window.remaining - pace.inFlight - reserveFor(pace) <= 0) {
			return { waitMs: window.resetAt - now };
		}
		if (now - window.seenAt <= STALE_MS) return 'go';
	}
	return pace.probing ? 'after-answer' : 'probe';
}

/** Takes in what an answer says about the window. Pure: returns the new pace. */
export function observe(pace: Pace, reading: RateLimitHeaders | undefined, now: number): Pace {
	if (!reading) return observeHeaderless(pace);
	const { window } = pace;
	const next: Pace = { ...pace, headerless: undefined };
	if (!window || reading.serverResetAt > window.serverResetAt + NEW_WINDOW_MS) {
		const fresh = { ...reading, seenAt: now, first: reading.remaining, answers: 0 };
		return { ...next, peers: peersIn(pace), window: fresh };
	}
	// Answers overtake each other; one of a window that is over says nothing about this one.
	if (reading.serverResetAt < window.serverResetAt - NEW_WINDOW_MS) return next;
	const resetAt = Math.min(window.resetAt, reading.resetAt);
	return {
		...next,
		window: {
			...window,
			limit: reading.limit ?? window.limit,
			answers: window.answers + 1,
			remaining: Math.min(window.remaining, reading.remaining),
			// Past the end, and still the same window: its clock is a little behind ours.
			resetAt: now >= resetAt ? now + SPREAD_MS : resetAt,
			seenAt: now,
		},
	};
}

function observeHeaderless(pace: Pace): Pace {
	// One answer without headers among many (a proxy's error page) changes nothing.
	if (pace.window) return pace;
	const { start, regain } = HEADERLESS_PER_SECOND;
	const perSecond = Math.min(start, (pace.headerless?.perSecond ?? start) + regain);
	return { ...pace, headerless: { perSecond, nextAt: pace.headerless?.nextAt ?? 0 } };
}

/** A 429 came: nobody sends until the wait is over, then one request asks how things stand. Pure. */
export function throttle(pace: Pace, waitMs: number, now: number): Pace {
	const pausedUntil = Math.max(pace.pausedUntil, now + clampPause(waitMs));
	if (!pace.headerless) return { ...pace, pausedUntil, peers: peersIn(pace), window: undefined };
	// Requests that were under way together are refused together; that is one refusal.
	if (now < pace.pausedUntil) return { ...pace, pausedUntil };
	const perSecond = Math.max(HEADERLESS_PER_SECOND.lowest, pace.headerless.perSecond / 2);
	return { ...pace, pausedUntil, headerless: { ...pace.headerless, perSecond } };
}

/**
 * Reads `X-RateLimit-Limit`, `-Remaining` and `-Reset` (spec part 8). The reset is stated as a Unix timestamp;
 * milliseconds and a number of seconds from now are understood too. The `Date` header corrects for a local
 * clock that is wrong.
 *
 * @param headers names in lower case
 */
export function readRateLimit(
	headers: Record<string, unknown>,
	now: number,
): RateLimitHeaders | undefined {
	const remaining = toNumber(headers['x-ratelimit-remaining']);
	if (remaining === undefined) return undefined;
	const limit = toNumber(headers['x-ratelimit-limit']);
	const reset = toNumber(headers['x-ratelimit-reset']);
	const serverNow = readDate(headers) ?? now;
	const waitMs = Math.min(
		WAIT_MS.longest,
		reset === undefined ? 60_000 : msUntil(reset, serverNow),
	);
	return { limit, remaining, serverResetAt: serverNow + waitMs, resetAt: now + waitMs };
}

function msUntil(reset: number, serverNow: number): number {
	const [delta, milliseconds] = [1e6, 1e11];
	if (reset < delta) return reset * 1000;
	return Math.max(0, (reset > milliseconds ? reset : reset * 1000) - serverNow);
}

function toNumber(value: unknown): number | undefined {
	const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN;
	return value !== '' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** A time that some request will wait out is kept; an absurd one is cut, so that the key is tried again some day. */
function clampPause(ms: number): number {
	const longest = ms <= DEFAULT_LIMITS.rateLimitWaitMs ? ms : WAIT_MS.longest;
	return Math.max(WAIT_MS.shortest, longest);
}
