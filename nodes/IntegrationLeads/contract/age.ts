/** The times that the service shows, and whether a record existed before a request was sent. Pure. */
import type { ServiceRecord } from '../values/json';

/** Clocks of one service may differ by this much, and times may be cut to minutes. */
const CLOCK_TOLERANCE_MS = 60_000;
/** To the second at least, with a zone: anything less does not place a record before or after a request. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;

/** A time in ms since the epoch; NaN for what is not one to the second, with a zone. */
function parseTime(value: unknown): number {
	return TIME.test(String(value)) ? Date.parse(String(value)) : NaN;
}

/** Either may be cut to seconds, and in another zone. */
export function isSameTime(one: unknown, other: unknown): boolean {
	return Math.abs(parseTime(one) - parseTime(other)) < 1000;
}

/** @param since when the request was sent, in ms on the service's clock, or a little earlier */
export function ageOf(
	{ createdAt }: ServiceRecord,
	since: number | undefined,
): 'before' | 'since' | 'unclear' {
	const created = parseTime(createdAt);
	if (since === undefined || Number.isNaN(created)) return 'unclear';
	// Whole seconds are cut.
	const latest = created % 1000 === 0 ? created + 999 : created;
	if (latest >= since) return 'since';
	return created < since - CLOCK_TOLERANCE_MS ? 'before' : 'unclear';
}
