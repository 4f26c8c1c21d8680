/**
 * How many requests of one key are in flight: additive increase, multiplicative decrease. Pure. Times are milliseconds.
 */

export interface Concurrency {
	/** So many at most, at least one. */
	limit: number;
	/** The shortest answer of this window, whose first request was sent alone: how fast the service is without load. */
	fastestMs: number;
	/** When it was last narrowed. */
	narrowedAt: number;
}

/** Beyond this, more requests at once gain nothing measurable, and cost sockets. */
export const MOST_IN_FLIGHT = 32;
const START = 8;
/** Answers of an outage are slow or never come: one after another, many items would wait for hours. */
export const LEAST_IN_OUTAGE = 4;
/** How much each answer adds. */
export const GROWTH = 0.5;
/** An answer that takes longer than so many times the fastest has waited for others. */
const SLOW = 2;

export const STARTING_CONCURRENCY: Concurrency = {
	limit: START,
	fastestMs: Infinity,
	narrowedAt: 0,
};

/**
 * The service answered after `tookMs`, with `inFlight` requests of ours at work. Where answers slow down, more of them
 * gain nothing: the limit returns to the one it starts with.
 */
export function widen(now: Concurrency, tookMs: number, inFlight: number): Concurrency {
	const fastestMs = Math.min(now.fastestMs, tookMs);
	// A limit that is not made use of was not tried out.
	if (inFlight < now.limit / 2) return { ...now, fastestMs };
	const isSlow = tookMs > SLOW * fastestMs && now.limit >= START;
	const limit = isSlow
		? Math.max(START, now.limit - GROWTH)
		: Math.min(MOST_IN_FLIGHT, now.limit + GROWTH);
	return { ...now, fastestMs, limit };
}

/**
 * A request that was sent at `sentAt` failed. Requests that were in flight together and fail together count once.
 *
 * @param least the limit below which this does not narrow
 */
export function narrow(
	concurrency: Concurrency,
	sentAt: number,
	now: number,
	least = 1,
): Concurrency {
	const { limit, narrowedAt } = concurrency;
	if (sentAt <= narrowedAt) return concurrency;
	return { ...concurrency, limit: Math.min(limit, Math.max(least, limit / 2)), narrowedAt: now };
}
