/** How many requests of one key are in flight. Pure. Times are milliseconds. */

export interface Concurrency {
	/** So many at most. */
	limit: number;
	/** The shortest answer of this window, whose first request was sent alone: how fast the service is without load. */
	fastestMs: number;
	/** Whether answers of this window have slowed down since. */
	slowed: boolean;
	/** When it was last narrowed. */
	narrowedAt: number;
}

/** Beyond this, more requests at once gain nothing measurable, and cost sockets. */
export const MOST_IN_FLIGHT = 32;
const START = 8;
/** Answers of an outage are slow or never come: one after another, many items would wait for hours. */
export const FEWEST_IN_FLIGHT = 4;
/** An answer that takes longer than so many times the fastest has waited for others. */
const SLOW = 2;

export const STARTING_CONCURRENCY: Concurrency = {
	limit: START,
	fastestMs: Infinity,
	slowed: false,
	narrowedAt: 0,
};

/**
 * The service answered after `tookMs`, with `inFlight` requests of ours at work. The limit doubles with each round trip
 * until answers slow down: more requests gain nothing then, so it falls, not below its start, and grows by one for each
 * round trip.
 */
export function widen(now: Concurrency, tookMs: number, inFlight: number): Concurrency {
	const fastestMs = Math.min(now.fastestMs, tookMs);
	// A limit that is not made use of was not tried out.
	if (inFlight < now.limit / 2) return { ...now, fastestMs };
	if (tookMs > SLOW * fastestMs && now.limit >= START) {
		return { ...now, fastestMs, slowed: true, limit: Math.max(START, now.limit - 1) };
	}
	const growth = now.slowed ? 1 / now.limit : 1;
	return { ...now, fastestMs, limit: Math.min(MOST_IN_FLIGHT, now.limit + growth) };
}

/** A request that was sent at `sentAt` failed. Requests that were in flight together and fail together count once. */
export function narrow(concurrency: Concurrency, sentAt: number, now: number): Concurrency {
	const { limit, narrowedAt } = concurrency;
	if (sentAt <= narrowedAt) return concurrency;
	return { ...concurrency, limit: Math.max(FEWEST_IN_FLIGHT, limit / 2), narrowedAt: now };
}
