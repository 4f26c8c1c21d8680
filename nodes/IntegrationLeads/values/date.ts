/** Dates as people and programs write them. The result does not depend on the time of the year it is read in. Pure. */
import { DateTime, Info } from 'luxon';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** In minutes. No zone is further from UTC. */
const FURTHEST_OFFSET = 14 * 60;

/**
 * A day of a month, of a week or of the year, with all of its hyphens or none: `1155-1026` is a phone. Seven digits are
 * not a day of the year: `2026131` is rather 31 January without a zero than 11 May. Eight are a date: `31012026` cannot be
 * mistaken for one, because there is no month 20.
 */
const DAY =
	/(?<year>[+-]\d{6}(?=-)|\d{4})(?<hyphen>-?)(?:(?<month>\d\d)\k<hyphen>(?<day>\d\d)|W(?<week>\d\d)\k<hyphen>(?<weekday>\d)|(?:(?<=-)|(?=\d{3}T))(?<ordinal>\d{3}))/;
/** The fraction is one of the last unit that is written. */
const TIME =
	/(?<hour>\d\d)(?:(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d))?)?(?:[.,](?<fraction>\d+))?/;
/** An offset, the name of a zone, or both (RFC 9557), the offset then counts. `IST` and its like are several zones. */
const ZONE =
	/(?:\s*(?<offset>Z|[+-]\d\d(?::?\d\d)?))?(?:(?:\s+|\s*\[)(?<name>[a-z_]+(?:\/[\w+-]+)+|UTC|GMT)\]?)?/;
const DATE = new RegExp(`^${DAY.source}(?:(?:T|\\s+)${TIME.source}${ZONE.source})?$`, 'i');

type Parts = Partial<Record<string, string>>;

/**
 * A date in the forms of ISO 8601 and SQL; undefined if it has another form or does not exist. Without a time it is the
 * start of the day; 24:00 is the start of the next one, and a leap second the second after it.
 *
 * @param zone of a date that states none, and of the result
 */
export function parseDate(text: string, zone: string): DateTime | undefined {
	const parts: Parts | undefined = DATE.exec(text.trim().replaceAll('\u2212', '-'))?.groups;
	if (!parts) return undefined;
	const { offset, name = zone } = parts;
	const local = parseDay(parts) + parseTime(parts);
	const utc = offset ? local - parseOffset(offset) * MINUTE_MS : resolveLocalTime(local, name);
	// A minute of 61 seconds only ends a day of UTC.
	if (parts.second === '60' && utc % DAY_MS >= SECOND_MS) return undefined;
	const date = DateTime.fromMillis(utc, { zone });
	return date.isValid ? date : undefined;
}

/**
 * From a local time to UTC. A time that clocks show twice, because they are put back, is the first; a time that they skip,
 * because they are put forward, is what they would show otherwise. Luxon's choice of the former depends on the time of the
 * year in which it runs (https://github.com/moment/luxon/issues/1089).
 *
 * @param local in ms since the epoch, as if it were UTC
 * @returns ms since the epoch; NaN for an unknown zone
 */
export function resolveLocalTime(local: number, zone: string): number {
	const clocks = Info.normalizeZone(zone);
	// Before and after a change of clocks.
	const offsets = [clocks.offset(local - DAY_MS), clocks.offset(local + DAY_MS)];
	const [earlier, later] = [Math.max(...offsets), Math.min(...offsets)].map((offset) => ({
		utc: local - offset * MINUTE_MS,
		offset,
	}));
	return clocks.offset(earlier.utc) === earlier.offset ? earlier.utc : later.utc;
}

/** The start of the day, as if it were UTC; NaN for a day that does not exist. */
function parseDay({ year, month, day, week, weekday, ordinal }: Parts): number {
	const named = week
		? { weekYear: year, weekNumber: week, weekday }
		: { year, month, day, ordinal };
	const given = Object.entries(named).filter(([, digits]) => digits !== undefined);
	const numbers = Object.fromEntries(given.map(([unit, digits]) => [unit, Number(digits)]));
	return DateTime.fromObject(numbers, { zone: 'utc' }).toMillis();
}

/** In ms since midnight; NaN for a time that does not exist. */
function parseTime({ hour = '0', minute, second, fraction = '' }: Parts): number {
	if (Number(minute ?? 0) > 59 || Number(second ?? 0) > 60) return NaN;
	const units = [HOUR_MS, MINUTE_MS, SECOND_MS];
	const written = [hour, minute, second].filter((digits) => digits !== undefined);
	const whole = written.reduce((sum, digits, place) => sum + Number(digits) * units[place], 0);
	// In whole numbers: 0.29 is not exact in binary.
	const billionths = Number(fraction.slice(0, 9).padEnd(9, '0'));
	const time = whole + Math.floor((billionths * units[written.length - 1]) / 1e9);
	return Number(hour) < 24 || time === DAY_MS ? time : NaN;
}

/** In minutes; NaN for one that no zone has. */
function parseOffset(offset: string): number {
	const [, sign, hours = 0, minutes = 0] = /([+-])(\d\d):?(\d\d)?/.exec(offset) ?? [];
	const size = Number(hours) * 60 + Number(minutes);
	if (Number(minutes) > 59 || size > FURTHEST_OFFSET) return NaN;
	return sign === '-' ? -size : size;
}
