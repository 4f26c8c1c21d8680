/** Spans of sale dates, as people name them. Pure. */
import { DateTime } from 'luxon';

import { resolveLocalTime } from '../values/date';

/** From the first moment to just before the last, in ms since the epoch. */
export interface SaleWindow {
	from: number;
	to: number;
}

/** Dates, as midnights of UTC: no clock is put forward or back while days are counted. */
type Day = (today: DateTime) => DateTime;

/** First day, and the day after the last. Whole days: those of runs that follow each other share no moment and leave none out. */
const WINDOWS: Record<string, [from: Day, to: Day]> = {
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

/** The names that {@link relativeWindow} knows. */
export const windowNames = Object.keys(WINDOWS);

/**
 * @param now in ms since the epoch
 * @param zone in which days begin
 * @returns undefined for a name that is none
 */
export function relativeWindow(name: string, now: number, zone: string): SaleWindow | undefined {
	if (!Object.hasOwn(WINDOWS, name)) return undefined;
	const { year, month, day } = DateTime.fromMillis(now, { zone });
	const today = DateTime.utc(year, month, day);
	const [from, to] = WINDOWS[name].map((date) => resolveLocalTime(date(today).toMillis(), zone));
	// A date that was left out of the calendar (Samoa, 2011-12-30) was nobody's yesterday.
	return from === to ? relativeWindow('today', to - 1, zone) : { from, to };
}

export function isWithin({ from, to }: SaleWindow, moment: number): boolean {
	return from <= moment && moment < to;
}
