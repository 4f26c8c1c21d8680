/** Dates as people and programs write them. The result does not depend on the time of the year it is read in. Pure. */
import { mapValues } from 'lodash';
import { DateTime, Info } from 'luxon';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** In minutes. No zone is further from UTC. */
const FURTHEST_OFFSET = 14 * 60;

/** With both hyphens or none: `1155-1026` is a phone. */
const DAY = /(?<year>\d{4})(?<hyphen>-?)(?<month>\d\d)\k<hyphen>(?<day>\d\d)/;
const TIME =
	/(?<hour>\d\d)(?:(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?)?/;
/** An offset, the name of a zone, or both (RFC 9557), the offset then counts. `IST` and its like are several zones. */
const ZONE =
	/(?:\s*(?<offset>Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?(?:(?:\s+|\s*\[)(?<name>[a-z_]+(?:\/[\w+-]+)+|UTC)\]?)?/;
const DATE = new RegExp(`^${DAY.source}(?:(?:T|\\s+)${TIME.source}${ZONE.source})?$`, 'i');
/** A day of a week, or of the year: `2026131` is rather 31 January without a zero than 11 May. */
const OTHER_DAY = /^(?:\d{4}(-?)W\d\d\1\d|\d{4}-\d{3}|\d{7}(?=T))(?=$|[T\s])/;

/**
 * A date in the forms of ISO 8601 and SQL; undefined if it has another form or does not exist.
 * Without a time it is the start of the day; 24:00 is the start of the next one.
 *
 * @param zone of a date that states none, and of the result
 */
export function parseDate(text: string, zone: string): DateTime | undefined {
	const plain = text.trim().replaceAll('\u2212', '-');
	const ofMonth = (day: string) => DateTime.fromISO(day, { zone: 'utc' }).toISODate() ?? day;
	const { groups } = DATE.exec(plain.replace(OTHER_DAY, ofMonth)) ?? {};
	if (!groups) return undefined;
	const parts: Partial<Record<string, string>> = groups;
	const { year, month, day, hour, minute, second, fraction = '', offset, name = zone } = parts;
	const millisecond = fraction.padEnd(3, '0').slice(0, 3);
	const units = { year, month, day, hour, minute, second, millisecond };
	const numbers = mapValues(units, (digits = '0') => Number(digits));
	const local = DateTime.fromObject(numbers, { zone: 'utc' }).toMillis();
	const utc = offset ? local - parseOffset(offset) * MINUTE_MS : resolveLocalTime(local, name);
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

/** In minutes; NaN for one that no zone has. */
function parseOffset(offset: string): number {
	const [, sign, hours = 0, minutes = 0] = /([+-])(\d\d):?(\d\d)?/.exec(offset) ?? [];
	const size = Number(hours) * 60 + Number(minutes);
	if (Number(minutes) > 59 || size > FURTHEST_OFFSET) return NaN;
	return sign === '-' ? -size : size;
}
