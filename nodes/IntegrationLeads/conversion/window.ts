/** Spans of sale dates, as people name them. Pure. */
import { DateTime } from 'luxon';

/** From the first moment to just before the last, in ms since the epoch. */
export interface SaleWindow {
	from: number;
	to: number;
}

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
	const today = DateTime.fromMillis(now, { zone }).startOf('day');
	// Where clocks are put forward at midnight a day begins at one o'clock, and the days around it do not.
	const [from, to] = WINDOWS[name].map((day) => day(today).startOf('day').toMillis());
	return { from, to };
}

export function isWithin({ from, to }: SaleWindow, moment: number): boolean {
	return from <= moment && moment < to;
}
