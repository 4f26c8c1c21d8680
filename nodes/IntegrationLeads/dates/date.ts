/** Parses dates as people, programs, mails and spreadsheets write them. The result does not depend on the day of parsing. Pure. */
import { compact, deburr } from 'lodash';
import { DateTime, Info } from 'luxon';

import { InputError } from '../userError';
import { MONTHS, WEEKDAY } from '../lexicon/values';

const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** The longest texts that are read as dates are those of browsers, with the name of the time zone behind them. */
const MAX_DATE_LENGTH = 150;

/** A date and a time without separators, as databases and banks write them: 20260131143000. */
const DIGITS_ONLY = /^(\d{8})(\d{4}(?:\d\d)?)$/;

/** A day of a month, a week or a year. Luxon reads `1155-1026`, a phone, and a year alone as dates too. */
const WHOLE_DATE =
	/^(?:\d{4}(-?)(?:\d\d\1\d\d|W\d\d\1\d)|\d{4}-\d{3})(?:T[\d:.,]+(?<zone>(?:Z|[+-][\d:]+)?(?:\[.+\])?))?$/;

/**
 * A date in the forms of ISO 8601 and SQL; undefined if it has another form or does not exist.
 * Without a time it is the start of the day; 24:00 is the start of the next one.
 *
 * @param zone of a date that states none, and of the result
 */
export function parseDate(text: string, zone: string): DateTime | undefined {
	if (text.length > MAX_DATE_LENGTH) return undefined;
	const iso = singleSpaced(text)
		.replaceAll('\u2212', '-')
		.replace(/^([\d-]+)(?:t|\s+)/i, '$1T')
		.replace(DIGITS_ONLY, '$1T$2')
		// `14:30:00 UTC`, and `14:30:00 +0000 UTC`.
		.replace(/ ?([+-]\d\d:?\d\d)? ?(?:UTC|GMT|Z)$/i, (_, offset?: string) => offset ?? 'Z')
		.replace(/ (?=[+-])/, '');
	const stated = WHOLE_DATE.exec(iso);
	if (!stated) return undefined;
	const utc = DateTime.fromISO(iso, { zone: 'utc' }).toMillis();
	const hasZone = Boolean(stated.groups?.zone);
	const date = DateTime.fromMillis(hasZone ? utc : resolveLocalTime(utc, zone), { zone });
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
function resolveLocalTime(local: number, zone: string): number {
	const clocks = Info.normalizeZone(zone);
	// Before and after a change of clocks.
	const offsets = [clocks.offset(local - DAY_MS), clocks.offset(local + DAY_MS)];
	const [earliest, after] = [Math.max(...offsets), Math.min(...offsets)];
	const utcAt = (offset: number) => local - offset * MINUTE_MS;
	return utcAt(clocks.offset(utcAt(earliest)) === earliest ? earliest : after);
}

/** What may stand before a time: a space, a comma, a dash, `às`, `a las` or `at`. */
const BEFORE_TIME = /^(?:,| -)?(?: (?:[àa]s|a las?|at))? (?=\d)/i;
/** Two-digit years from 50 to 99 may be in either century. After a hyphen, two digits may be a day: 26-01-31. */
const YEAR_LAST = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|(?<!-)[0-4]\d)(?=$|[ ,])(.*)$/;
const YEAR_FIRST = /^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})(?=$|[ ,])(.*)$/;
/** A date with the name of its month: the day first, or the month first as in English. */
const MONTH_BY_NAME =
	/^(\d{1,2})(?: (?:de|of))?[ /.-]+(\p{L}{3,})\.?(?: del?)?[ /.,-]+(\d{4}|[0-4]\d)(?!\d)(.*)$|^(\p{L}{3,})\.? (\d{1,2}),? (\d{4})(?!\d)(.*)$/iu;
/** `31st`, `1º`. */
const ORDINAL = /(?<=^| )(\d{1,2})(?:[ºª°]|(?:st|nd|rd|th)\b)/gi;
/** The zone in words behind a time, as mails and browsers write it. */
const COMMENT = / ?\([^()]*\)$/;
/** Seconds, or milliseconds, since 1970: of 2011 to 2033. What begins with 20 is rather a date without separators. */
const EPOCH = /^1[3-9]\d{8}(?:\d{3})?$/;
/** `9:30`, `14.30`, `14h30`, `14h30min10s`, `14:30 hs.`, `14 horas e 30 minutos`, `2:30 PM` and `2:30 p. m.` */
const CLOCK =
	/^(\d{1,2})(?:(?: ?h(?:rs?|s|oras?)?(?: [ey])? ?|[:.])(\d\d)(?:(?: ?m(?:in(?:uto)?s?)?(?: [ey])? ?|[:.])(\d\d(?:[.,]\d+)?)(?: ?s(?:eg(?:undo)?s?)?)?)?(?: ?m(?:in(?:uto)?s?)?)?)?(?: ?h(?:rs?|s|oras?)?\b)?\.?(?: ?([ap])\.? ?m\b\.?)?(?=$|[ Z+-])/i;
/** An offset as Google Forms writes it: GMT-3. */
const OFFSET = /(?:GMT|UTC)([+-])(\d(?=:|$))?/i;
/** The zones of the United States by their names (RFC 5322, 4.3), in hours; the others have no one meaning. */
const ZONE_NAME = / ([ECMP])([SD])T$/i;
const ZONE_HOURS: Record<string, number> = { E: 5, C: 6, M: 7, P: 8 };
/** A time before its date, as PayPal writes it: `15:23:54 Apr 15, 2026 PDT`. */
const TIME_FIRST = /^(\d{1,2}:\d\d(?::\d\d)?(?: [ap]m)?),? (.+\d)((?: [a-z]{3})?)$/i;
/** A date of Google Visualization, whose months count from 0, and one of .NET in ms: `Date(2026,0,31)`, `/Date(1769880600000)/`. */
const CONSTRUCTED = /^Date\((\d{4}), ?(\d{1,2}), ?(\d{1,2})((?:, ?\d{1,2}){0,3})\)$/;
const IN_MS = /^\/Date\((\d{1,14})(?:[+-]\d{4})?\)\/$/;

/** A day of 1982 to 2099 as spreadsheets store it: days since 30 December 1899, with the time as a share of the day. */
const SERIAL = /^(?:[3-6]\d|7[0-2])\d{3}(?:[.,]\d+)?$/;

/**
 * @returns undefined for a text of another form, and for a day that does not exist
 * @throws InputError if it is not known whether day or month comes first
 */
export function parseWrittenDate(
	text: string,
	{ label, timezone, dayFirst }: { label: string; timezone: string; dayFirst?: boolean },
): DateTime | undefined {
	if (text.length > MAX_DATE_LENGTH) return undefined;
	if (SERIAL.test(text)) {
		const seconds = Math.round(Number(text.replace(',', '.')) * 86_400);
		const local = Date.UTC(1899, 11, 30) + seconds * 1000;
		return DateTime.fromMillis(resolveLocalTime(local, timezone));
	}
	const [ms] = IN_MS.exec(text)?.slice(1) ?? EPOCH.exec(text) ?? [];
	if (ms !== undefined)
		return DateTime.fromMillis(Number(EPOCH.test(ms) ? ms.padEnd(13, '0') : ms));
	const read = (year: string, month: string, day: string, time = '') => {
		const date = [year.padStart(4, '20'), month.padStart(2, '0'), day.padStart(2, '0')].join('-');
		return parseDate(`${date} ${toClock(time.replace(BEFORE_TIME, ''))}`, timezone);
	};
	const [, builtYear, builtMonth, builtDay, builtTime] = CONSTRUCTED.exec(text) ?? [];
	if (builtYear !== undefined) {
		const [hour = '0', minute = '00', second = '00'] = builtTime.match(/\d+/g) ?? [];
		const time = [hour, minute.padStart(2, '0'), second.padStart(2, '0')].join(':');
		return read(builtYear, String(Number(builtMonth) + 1), builtDay, ` ${time}`);
	}
	const bare = singleSpaced(text)
		.replace(COMMENT, '')
		.replace(ORDINAL, '$1')
		.replace(TIME_FIRST, '$2 $1$3')
		.replace(/^(\d{4}-\d\d-\d\d)T(?=\d)/, '$1 ');
	// `mar 3, 2026` is in March.
	const plain = withNumbers(MONTH_BY_NAME.test(bare) ? bare : bare.replace(WEEKDAY, ''));
	const [, firstYear, , itsMonth, itsDay, itsTime] = YEAR_FIRST.exec(plain) ?? [];
	if (firstYear !== undefined) return read(firstYear, itsMonth, itsDay, itsTime);
	const [, first, , second, year, time] = YEAR_LAST.exec(plain) ?? [];
	if (year === undefined) return undefined;
	const [byDay, byMonth] = [read(year, second, first, time), read(year, first, second, time)];
	if (dayFirst !== undefined) return dayFirst ? byDay : byMonth;
	const dates = compact([byDay, byMonth]);
	if (dates.length < 2 || Number(first) === Number(second)) return dates[0];
	const [one, other] = dates.map((date) => date.setLocale('en').toFormat('d MMMM yyyy'));
	throw new InputError(`"${label}" can be read in two ways: "${text}" is ${one} or ${other}`, {
		all: `Write it as ${dates.map((date) => date.toISODate()).join(' or ')}.`,
		panel: 'Or set "Default Country Code" in the credential.',
	});
}

/** A date whose month is named, as year, month and day. */
function withNumbers(text: string): string {
	const named = MONTH_BY_NAME.exec(text);
	if (!named) return text;
	const [, day, month, year, time, english, itsDay, itsYear, itsTime] = named;
	const name = deburr(month ?? english).toLowerCase();
	// The month 0 is none.
	const index = MONTHS.findIndex((names) =>
		names.split(' ').some((spelling) => spelling.startsWith(name)),
	);
	return `${(year ?? itsYear).padStart(4, '20')}/${index + 1}/${day ?? itsDay}${time ?? itsTime}`;
}

/** A time with two digits of hours, of the 24 of a day, and an offset as ISO 8601 writes it. */
function toClock(time: string): string {
	return time
		.replace(CLOCK, (_, hour: string, minute?: string, second?: string, half?: string) => {
			const hours = half ? halfDay(Number(hour)) + (/p/i.test(half) ? 12 : 0) : hour;
			return compact([String(hours).padStart(2, '0'), minute, second]).join(':');
		})
		.replace(ZONE_NAME, (_, zone: string, kind: string) => {
			return `-0${ZONE_HOURS[zone.toUpperCase()] - (/d/i.test(kind) ? 1 : 0)}:00`;
		})
		.replace(OFFSET, (_, sign: string, digit?: string) => sign + (digit ? `0${digit}` : ''));
}

/** Lines stay apart: they are several values. */
const singleSpaced = (text: string) => text.trim().replace(/[^\S\r\n]+/g, ' ');

/** Twelve o'clock is the first hour of its half; NaN for an hour that none has. */
const halfDay = (hour: number) => (hour >= 1 && hour <= 12 ? hour % 12 : NaN);
