/** How fast one key may be used: pure functions on what the rate-limit headers have shown (spec part 8). */
import type { Concurrency } from './concurrency';
import { GROWTH, LEAST_IN_OUTAGE, narrow, STARTING_CONCURRENCY, widen } from './concurrency';
import type { RateLimitHeaders } from './headers';
import { LONGEST_WINDOW_MS } from './headers';
import { LONGEST_WAIT_MS } from './retry';

/** One window of the rate limit as our answers showed it. */
export interface RateLimitWindow extends RateLimitHeaders {
	seenAt: number;
	/** How many answers have followed the first one of this window. */
	answers: number;
	/** Until then, other clients that waited for this window send their probes: nothing else is sent. */
	settledAt: number;
}

/** Everything that the decision to send depends on. Times are milliseconds since the epoch. */
export interface Pace {
	inFlight: number;
	concurrency: Concurrency;
	/** One request was sent alone to learn where the window stands; the rest wait for its answer. */
	probing: boolean;
	/** When the last pause began, and when it ends. */
	pausedAt: number;
	pausedUntil: number;
	/** The last known window, absent before the first answer and after a 429. */
	window?: RateLimitWindow;
	/** What the service counted lately: requests of all clients, and ours among them. */
	traffic: { all: number; ours: number };
	/** The service sends no rate-limit headers: requests are spaced by the clock instead. */
	headerless?: { perSecond: number; nextAt: number };
}

/** A request that was sent, `isProbe` alone. */
export interface Sent {
	isProbe: boolean;
	sentAt: number;
}

/** How a request ended. */
export interface Ended {
	/** Whether an answer with headers came, and what they state of the rate limit. */
	answered: boolean;
	limits?: RateLimitHeaders;
	/** The service did not work: an outage, or an answer that was lost or cannot be read. */
	failed: boolean;
	/** The rate limit refused the request, for so long. */
	refusedForMs?: number;
}

/** Send now (`probe`: alone), wait for an answer, or wait for a time. */
export type Admission = 'go' | 'probe' | 'after-answer' | { waitMs: number };

/** Other clients may have sent requests since. */
const STALE_MS = 2000;
/** Processes that wait for the end of a window resume within this time, so that they do not all probe at once. */
export const SPREAD_MS = 250;
/** Reset times that differ by less belong to the same window: seconds are rounded. */
const NEW_WINDOW_MS = 1500;
/** A reset in whole seconds may be rounded down. All clients would probe the old window, which is used up. */
const ROUNDING_MS = 1000;
/**
 * Clients resume within {@link SPREAD_MS} of the end of a window, and the first answers take their time. A client that
 * is early by a few round trips would think itself alone and use up a small window before the others have begun.
 */
const SETTLING_MS = 800;
/** Spec part 8 states the limit for each minute. */
const WINDOW_MS = 60_000;
const DEFAULT_LIMIT = 1000;
/** Others vary around their average, and their answers are as late as ours. */
const RESERVE_MARGIN = 1.5;
/** With more in flight, others have grown by as much since the answer that we know of: the margin grows too. */
const LAGGING = 4;
/** Left unused while there are others, for clients that join and must probe a window to learn that it is used up. */
const JOINERS_SHARE = 0.02;
/** A reserve that is larger than what a fresh window offers would let only the probe through, and so never shrink. */
const LARGEST_RESERVE_SHARE = 0.5;
/** No more than this share of what remains is in flight, so that clients not known yet find something left. */
const IN_FLIGHT_SHARE = 0.1;
/** All clients together may have this share of what remains in flight at once, before more answers show who is there. */
const FIRST_SHARE = 0.05;
/** Our answers that {@link Pace.traffic} covers: fewer, and chance decides in small windows; more, and it lags. */
const TRAFFIC_ANSWERS = 32;
/** What is left of the number of peers after a window in which only the probe was sent, since nothing was learned. */
const PEERS_KEPT = 0.75;
/** A process that begins does so as if it were one of 16; one answer of its own counts as much as this guess. */
const UNKNOWN_TRAFFIC = { all: 16, ours: 1 };
const HEADERLESS_PER_SECOND = { start: 10, lowest: 0.5, regain: 0.1 };

export const STARTING_PACE: Pace = {
	inFlight: 0,
	concurrency: STARTING_CONCURRENCY,
	probing: false,
	pausedAt: 0,
	pausedUntil: 0,
	traffic: UNKNOWN_TRAFFIC,
};

/**
 * Requests of other clients for each of ours. Clients with the same code have as many in flight as we have, so it is
 * also the number of such clients.
 */
export function peersOf({ traffic }: Pace): number {
	return Math.max(0, traffic.all / traffic.ours - 1);
}

/**
 * How many requests to leave unused for other clients if we send one more: for each of ours in flight as many as they
 * send meanwhile. So all clients narrow their concurrency as a window empties, and stop with one request each.
 */
export function reserveFor(pace: Pace): number {
	const { inFlight, window } = pace;
	const limit = window?.limit ?? DEFAULT_LIMIT;
	const least = limit >= 40 ? 2 : limit >= 20 ? 1 : 0;
	const peers = peersOf(pace);
	const joiners = Math.min(1, peers) * limit * JOINERS_SHARE;
	const forOne = Math.min(limit * LARGEST_RESERVE_SHARE, peers * RESERVE_MARGIN + joiners);
	const forEachMore = peers * RESERVE_MARGIN * inFlight * Math.max(1, inFlight / LAGGING);
	return Math.max(least, Math.ceil(forOne + forEachMore));
}

/** What remains in a window now: since a stale answer, others have gone on as before. */
function remainingAt(now: number, window: RateLimitWindow, peers: number): number {
	const { limit = DEFAULT_LIMIT, remaining, resetAt, seenAt } = window;
	if (now - seenAt <= STALE_MS) return remaining;
	const others = ((limit - remaining) * peers) / (1 + peers);
	const elapsedMs = Math.max(1000, seenAt - (resetAt - WINDOW_MS));
	return remaining - (others / elapsedMs) * (now - seenAt);
}

/** What the window has left for us now, without what is in flight and in reserve. */
function room(pace: Pace, window: RateLimitWindow, now: number): number {
	return remainingAt(now, window, peersOf(pace)) - pace.inFlight - reserveFor(pace);
}

/** Whether one more request may be sent now. */
export function admit(pace: Pace, now: number): Admission {
	if (now < pace.pausedUntil) return { waitMs: pace.pausedUntil - now };
	if (pace.inFlight + 1 > pace.concurrency.limit) return 'after-answer';
	if (pace.headerless) {
		return now < pace.headerless.nextAt ? { waitMs: pace.headerless.nextAt - now } : 'go';
	}
	const { window, inFlight } = pace;
	if (window && now < window.resetAt) {
		const wait = (until: number) => (inFlight > 0 ? 'after-answer' : { waitMs: until - now });
		// Within a window `remaining` only falls, so a stale value that is too low is good enough.
		if (room(pace, window, now) <= 0) return wait(window.resetAt);
		if (now < window.settledAt) return wait(window.settledAt);
		// By how much each answer lets the concurrency grow: who comes first sees no others yet.
		const peers = peersOf(pace);
		const remaining = remainingAt(now, window, peers);
		const grown = Math.max(1 + window.answers * GROWTH, (remaining * FIRST_SHARE) / (1 + peers));
		const most = Math.min(grown, remaining * IN_FLIGHT_SHARE);
		if (inFlight > 0 && inFlight + 1 > most) return 'after-answer';
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

/** A request has ended. Without `ended` it was cancelled, which shows nothing. */
export function finish(pace: Pace, sent: Sent, ended: Ended | undefined, now: number): Pace {
	const before = {
		...pace,
		inFlight: pace.inFlight - 1,
		probing: pace.probing && !sent.isProbe,
	};
	if (!ended) return before;
	const after = ended.answered ? observe(before, ended.limits, now) : before;
	if (ended.refusedForMs !== undefined) {
		const paused = throttle(after, sent, ended.refusedForMs, now);
		// After a pause the window is another one.
		return paused.window || !ended.answered ? paused : observe(paused, ended.limits, now);
	}
	const concurrency = ended.failed
		? narrow(pace.concurrency, sent.sentAt, now, LEAST_IN_OUTAGE)
		: widen(after.concurrency, now - sent.sentAt, pace.inFlight);
	return { ...after, concurrency };
}

/** Takes in what the headers of an answer show; undefined when it has no rate-limit headers. */
export function observe(pace: Pace, headers: RateLimitHeaders | undefined, now: number): Pace {
	if (!headers) return observeHeaderless(pace);
	const { window } = pace;
	// A reset in milliseconds is exact.
	const rounding = headers.serverResetAt % 1000 === 0 ? ROUNDING_MS : 0;
	const seen = { ...headers, resetAt: headers.resetAt + rounding, seenAt: now };
	const next: Pace = { ...pace, headerless: undefined };
	if (!window || headers.serverResetAt > window.serverResetAt + NEW_WINDOW_MS) {
		const concurrency = { ...pace.concurrency, fastestMs: Infinity };
		return { ...next, concurrency, ...openWindow(pace, seen) };
	}
	// Answers overtake each other: this one belongs to an earlier window.
	if (headers.serverResetAt < window.serverResetAt - NEW_WINDOW_MS) return next;
	const resetAt = Math.min(window.resetAt, seen.resetAt);
	const remaining = Math.min(window.remaining, headers.remaining);
	// What others sent while we sent nothing for long does not show how many they send during one of our requests.
	const isStale = now - window.seenAt > STALE_MS;
	return {
		...next,
		traffic: isStale ? pace.traffic : count(pace.traffic, window.remaining - remaining),
		window: {
			...window,
			limit: headers.limit ?? window.limit,
			answers: window.answers + 1,
			remaining,
			// The window is over by our clock but not yet by the service's.
			resetAt: now >= resetAt ? now + SPREAD_MS : resetAt,
			seenAt: now,
		},
	};
}

/** The first answer of a window. If we waited for it to begin, all that it lacks was used meanwhile. */
function openWindow(pace: Pace, seen: RateLimitHeaders & { seenAt: number }): Partial<Pace> {
	const { window } = pace;
	const peers = peersOf(pace) * (window?.answers === 0 ? PEERS_KEPT : 1);
	const { ours } = pace.traffic;
	const traffic = { all: ours * (1 + peers), ours };
	const opened = { ...seen, answers: 0, settledAt: 0 };
	if (!window || seen.seenAt - window.resetAt > STALE_MS) return { traffic, window: opened };
	// The service may begin a window earlier than it stated.
	const begunAt = Math.min(window.resetAt, seen.seenAt);
	return {
		traffic: seen.limit === undefined ? traffic : count(traffic, seen.limit - seen.remaining),
		window: { ...opened, settledAt: peers < 0.5 ? 0 : begunAt + SETTLING_MS },
	};
}

/** One more answer of ours, and by how much `remaining` fell with it. */
function count({ all, ours }: Pace['traffic'], fell: number): Pace['traffic'] {
	const kept = ours < TRAFFIC_ANSWERS ? 1 : 1 - 1 / TRAFFIC_ANSWERS;
	return { all: all * kept + fell, ours: ours * kept + 1 };
}

function observeHeaderless(pace: Pace): Pace {
	// One answer without headers among many (a proxy's error page) changes nothing.
	if (pace.window) return pace;
	const { start: most, regain } = HEADERLESS_PER_SECOND;
	const perSecond = Math.min(most, (pace.headerless?.perSecond ?? most) + regain);
	return { ...pace, headerless: { perSecond, nextAt: pace.headerless?.nextAt ?? 0 } };
}

/**
 * A request was refused by the rate limit. If the window is used up, nothing is sent until the wait is over, and then
 * one request probes the window; requests that were in flight when the pause began are refused for the same reason.
 * While the window has room, only the request waits, and half as many as before are in flight.
 */
export function throttle(pace: Pace, { sentAt }: Sent, waitMs: number, now: number): Pace {
	// A wait that no request accepts is cut, so that the key is tried again before long.
	const pauseMs = waitMs <= LONGEST_WAIT_MS ? waitMs : LONGEST_WINDOW_MS;
	const pausedUntil = Math.max(pace.pausedUntil, now + pauseMs);
	if (sentAt <= pace.pausedAt) return now < pace.pausedUntil ? { ...pace, pausedUntil } : pace;
	const { window, headerless } = pace;
	const concurrency = narrow(pace.concurrency, sentAt, now);
	const hasRoom = window && now < window.resetAt && room(pace, window, now) > 0;
	if (hasRoom && pace.concurrency.limit > 1) return { ...pace, concurrency };
	const paused = { ...pace, pausedAt: now, pausedUntil, concurrency };
	if (!headerless) return { ...paused, window: undefined };
	const perSecond = Math.max(HEADERLESS_PER_SECOND.lowest, headerless.perSecond / 2);
	return { ...paused, headerless: { ...headerless, perSecond } };
}
