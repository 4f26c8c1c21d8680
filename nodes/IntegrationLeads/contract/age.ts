/** Reads the times that the service shows, and tells whether a record existed before a request was sent. Pure. */
import type { ServiceRecord } from '../values/json';

/** Clocks of one service may differ by this much, and times may be cut to minutes. */
const CLOCK_TOLERANCE_MS = 60_000;
/** A time with seconds and a zone: anything less cannot tell whether a record came before or after a request. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;

/** A time in ms since the epoch, or NaN for a value that does not match {@link TIME}. */
function parseTime(value: unknown): number {
	return TIME.test(String(value)) ? Date.parse(String(value)) : NaN;
}

/** Whether two times are the same. Either may be cut to seconds, or be in another zone. */
export function isSameTime(one: unknown, other: unknown): boolean {
	return Math.abs(parseTime(one) - parseTime(other)) < 1000;
}

/**
 * @param since when the request was sent, in ms on the service's clock, or a little earlier
 * @param toleranceMs how much earlier a record must have been created to count as one from before
 */
export function ageOf(
	{ createdAt }: ServiceRecord,
	since: number | undefined,
	toleranceMs = CLOCK_TOLERANCE_MS,
): 'before' | 'since' | 'unclear' {
	const created = parseTime(createdAt);
	if (since === undefined || Number.isNaN(created)) return 'unclear';
	// A time in whole seconds was cut.
	const latest = created % 1000 === 0 ? created + 999 : created;
	if (latest >= since) return 'since';
	return created < since - toleranceMs ? 'before' : 'unclear';
}

/**
 * Whether a record was created more than a second after a request. Times of less may be cut to seconds, so another client may have
 * created the record just before.
 *
 * @param since see {@link ageOf}
 */
export function isCreatedAfter({ createdAt }: ServiceRecord, since: number | undefined): boolean {
	return since !== undefined && parseTime(createdAt) >= since + 1000;
}
