/** Periods of sale dates. Pure. */
import { DateTime } from 'luxon';

import { resolveLocalTime } from '../values/date';

/** In ms since the epoch; `to` is the first moment after it. */
export interface Period {
	from: number;
	to: number;
}

/** Dates are midnights in UTC, so that counting days is not affected by daylight saving time. */
type Day = (today: DateTime) => DateTime;

/** First day, and the day after the last. Whole days, so that consecutive runs neither share nor miss a moment. */
const PERIODS: Record<string, [from: Day, to: Day]> = {
	last7Days: [(today) => today.minus({ days: 7 }), (today) => today],
	last30Days: [(today) => today.minus({ days: 30 }), (today) => today],
	lastMonth: [
		(today) => today.minus({ months: 1 }).startOf('month'),
		(today) => today.startOf('month'),
	],
	thisMonth: [
		(today) => today.startOf('month'),
		(today) => today.plus({ months: 1 }).startOf('month'),
	],
	today: [(today) => today, (today) => today.plus({ days: 1 })],
	yesterday: [(today) => today.minus({ days: 1 }), (today) => today],
};

/** The names that {@link relativePeriod} knows. */
export const periodNames = Object.keys(PERIODS);

/**
 * @param now in ms since the epoch
 * @param timezone in which days begin
 * @returns undefined for an unknown name
 */
export function relativePeriod(name: string, now: number, timezone: string): Period | undefined {
	if (!Object.hasOwn(PERIODS, name)) return undefined;
	const { year, month, day } = DateTime.fromMillis(now, { zone: timezone });
	const today = DateTime.utc(year, month, day);
	const [from, to] = PERIODS[name].map((date) =>
		resolveLocalTime(date(today).toMillis(), timezone),
	);
	// A date that the calendar left out (Samoa, 2011-12-30) has no length; the day before it was yesterday.
	return from === to ? relativePeriod('today', to - 1, timezone) : { from, to };
}

export function isWithin({ from, to }: Period, time: number): boolean {
	return from <= time && time < to;
}
