/** Parses dates as people, programs, mails and spreadsheets write them. The result does not depend on the day of parsing. Pure. */
import { compact, deburr, findKey } from 'lodash';
import { DateTime, Info } from 'luxon';

import { InputError } from '../userError';

import {
	BEFORE_TIME,
	MONTHS,
	OF_DATE,
	ORDINALS,
	WEEKDAYS,
	WORDS_OF_TIME,
	ZONES,
} from '../lexicon/values';
import { howToDecide, chooseWay, type Shown } from './twoWays';

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** The longest texts that are read as dates are those of browsers, with the name of the time zone behind them. */
const MAX_DATE_LENGTH = 150;

/** A date and a time without separators, as databases and banks write them: 20260131143000. */
const DIGITS_ONLY = /^(\d{8})(\d{4}(?:\d\d)?)$/;

/** Names of a zone behind a time, also with its offset: `UTC`, `EST`, `+0000 UTC`. */
const ZONE_NAME = / ?([+-]\d\d:?\d\d)? ?([a-z]{1,3})$/i;
/** An offset as Google Forms writes it: GMT-3. */
const OFFSET_BY_NAME = /([a-z]{3})([+-])(\d(?=:|$))?/i;

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
		.replace(OFFSET_BY_NAME, (whole, name: string, sign: string, hour?: string) => {
			return zoneOf(name) === 'Z' ? sign + (hour ? `0${hour}` : '') : whole;
		})
		.replace(ZONE_NAME, (whole, offset: string | undefined, name: string) => {
			const zone = zoneOf(name);
			return zone === undefined ? whole : (offset ?? zone);
		})
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

/** Two-digit years from 50 to 99 may be in either century. After a hyphen, two digits may be a day: 26-01-31. */
const YEAR_LAST = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|(?<!-)[0-4]\d)(?=$|[ ,])(.*)$/;
const YEAR_FIRST = /^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})(?=$|[ ,])(.*)$/;
/** A date with the name of its month: the day first, or the month first as in English. */
const MONTH_BY_NAME =
	/^(\d{1,2})[ /.-]+(\p{L}{3,})\.?[ /.,-]+(\d{4}|[0-4]\d)(?!\d)(.*)$|^(\p{L}{3,})\.? (\d{1,2}),? (\d{4})(?!\d)(.*)$/u;
/** Words at the places where some may stand: `sáb., 31st de ...`. */
const FIRST_WORD = /^(\p{L}{3,}(?:-\p{L}+)?)\.?,? /u;
const BEHIND_DAY = /(?<=^| )(\d{1,2})([\p{L}°]{1,2})(?![\p{L}°])/gu;
const WORD_BETWEEN = / (\p{L}+)(?= )/gu;
const BETWEEN_DATE_AND_TIME = /^(?:,| -)? (?:(\p{L}[\p{L} ]*) )?(?=\d)/u;
/** The zone in words behind a time, as mails and browsers write it. */
const COMMENT = / ?\([^()]*\)$/;
/** Seconds, or milliseconds, since 1970: of 2011 to 2033. What begins with 20 is rather a date without separators. */
const EPOCH = /^1[3-9]\d{8}(?:\d{3})?$/;
/** `9:30`, `14.30`, `14h30`, `14h30m10s`, `14:30 h`, `14 h 30 m`, `2:30 PM` and `2:30 p m` */
const CLOCK =
	/^(?!\d+ ?h.*h)(\d{1,2})(?:(?: ?h *|[:.])(\d\d)(?:(?: ?m *|[:.])(\d\d(?:[.,]\d+)?)(?: ?s)?)?(?: ?m)?)?(?: ?h)?(?: ?([apAP]) ?[mM])?(?=$|[ Z+-])/;
/** A time before its date, as PayPal writes it: `15:23:54 Apr 15, 2026 PDT`. */
const TIME_FIRST = /^(\d{1,2}:\d\d(?::\d\d)?(?: [ap]m)?),? (.+\d)((?: [a-z]{3})?)$/i;
/** A date of Google Visualization, whose months count from 0, and one of .NET in ms: `Date(2026,0,31)`, `/Date(1769880600000)/`. */
const CONSTRUCTED = /^Date\((\d{4}), ?(\d{1,2}), ?(\d{1,2})((?:, ?\d{1,2}){0,3})\)$/;
const IN_MS = /^\/Date\((\d{1,14})(?:[+-]\d{4})?\)\/$/;

/** A day of 1982 to 2099 as spreadsheets store it: days since 30 December 1899, with the time as a share of the day. */
const SERIAL = /^(?:[3-6]\d|7[0-2])\d{3}(?:[.,]\d+)?$/;

interface WrittenDateContext {
	label: string;
	timezone: string;
	dayFirst?: boolean;
	shown?: { dayFirst: Shown };
}

/**
 * @returns undefined for a text of another form, and for a day that does not exist
 * @throws InputError if it is not known whether day or month comes first
 */
export function parseWrittenDate(
	text: string,
	{ label, timezone, dayFirst, shown }: WrittenDateContext,
): DateTime | undefined {
	if (text.length > MAX_DATE_LENGTH) return undefined;
	const counted = countedIn(text, timezone);
	if (counted !== undefined) return DateTime.fromMillis(counted);
	const read = (year: string, month: string, day: string, time: string) => {
		const date = [year.padStart(4, '20'), month.padStart(2, '0'), day.padStart(2, '0')].join('-');
		return parseDate(`${date} ${toClock(time)}`, timezone);
	};
	const plain = inNumbers(text);
	const [, firstYear, , itsMonth, itsDay, itsTime] = YEAR_FIRST.exec(plain) ?? [];
	if (firstYear !== undefined) return read(firstYear, itsMonth, itsDay, itsTime);
	const [, first, , second, year, time] = YEAR_LAST.exec(plain) ?? [];
	if (year === undefined) return undefined;
	const [byDay, byMonth] = [read(year, second, first, time), read(year, first, second, time)];
	const isDayFirst = chooseWay(shown?.dayFirst, dayFirst);
	if (isDayFirst !== undefined) return isDayFirst ? byDay : byMonth;
	const dates = compact([byDay, byMonth]);
	if (dates.length < 2 || Number(first) === Number(second)) return dates[0];
	const [one, other] = dates.map((date) => date.setLocale('en').toFormat('d MMMM yyyy'));
	throw new InputError(`"${label}" can be read in two ways: "${text}" is ${one} or ${other}`, {
		all: `Write it as ${dates.map((date) => date.toISODate()).join(' or ')}.`,
		panel: howToDecide(shown?.dayFirst),
	});
}

/** `Date (UTC)`, `paid_at_gmt`, `createdAtUtc`, `Fecha (GMT-4)`, `Date (PST)`. */
const ZONE_OF_HEADING =
	/(?:[Uu][Tt][Cc]|[Gg][Mm][Tt]|(?<=\()([ECMP][SD]T)(?=\))) ?([+-](?:1[0-4]|0?\d)(?::\d\d)?)?\W*$/;
/** A time of day, also as a part of the day of a spreadsheet. */
const TIME_OF_DAY = /\d[:h]\d|\d ?[ap]\.?m\b|T\d|^\d{5}\.\d/i;
/** The same in front: "UTC Date", `utc_paid_at`. */
const ZONE_FIRST = /(^|\.)((?:utc|gmt)(?: ?[+-]\d{1,2}(?::\d\d)?)?)[\s_]([^.]+)$/i;
const withZoneLast = (heading: string) => heading.replace(ZONE_FIRST, '$1$3 $2');
/** The heading of a column with its zone as a word: `paid_ utc` for `paid_utc`. */
export const withZoneAsWord = (heading: string) =>
	withZoneLast(heading).replace(ZONE_OF_HEADING, ' utc');
/**
 * The zone that the heading of a column names, for a value with a time of day. A day alone is that of the people who wrote it.
 *
 * @returns the name of a zone as Luxon has it, or undefined
 */
export function zoneOfTimes(heading: string, value: unknown): string | undefined {
	const [found, name = '', offset = ZONES[name.toLowerCase()]] =
		ZONE_OF_HEADING.exec(withZoneLast(heading)) ?? [];
	return found && TIME_OF_DAY.test(String(value)) ? `UTC${offset ?? ''}` : undefined;
}

/** Whether a date shows by itself that its day comes first: undefined for 03/04/2026 and for dates in another form. */
export function dayFirstShownBy(text: string): boolean | undefined {
	const [, first, , second] = YEAR_LAST.exec(inNumbers(text.slice(0, MAX_DATE_LENGTH))) ?? [];
	const [isDay, isSecondDay] = [first, second].map((number) => Number(number) > 12);
	return isDay === isSecondDay ? undefined : isDay;
}

/** The time in ms since the epoch of a text that counts days, seconds or ms; undefined for others. */
function countedIn(text: string, timezone: string): number | undefined {
	if (SERIAL.test(text)) {
		const seconds = Math.round(Number(text.replace(',', '.')) * 86_400);
		return resolveLocalTime(Date.UTC(1899, 11, 30) + seconds * 1000, timezone);
	}
	const [ms] = IN_MS.exec(text)?.slice(1) ?? EPOCH.exec(text) ?? [];
	return ms === undefined ? undefined : Number(EPOCH.test(ms) ? ms.padEnd(13, '0') : ms);
}

/** A date without words: its month as a number, and no day of the week. */
function inNumbers(text: string): string {
	const dayAndTime = singleSpaced(text)
		.replace(CONSTRUCTED, (_, year: string, month: string, day: string, time: string) => {
			const clock = (time.match(/\d+/g) ?? []).map((part) => part.padStart(2, '0')).join(':');
			return `${year}/${Number(month) + 1}/${day} ${clock}`;
		})
		.replace(COMMENT, '')
		.replace(BEHIND_DAY, (whole, day: string, word: string) =>
			ORDINALS.has(inLexicon(word)) ? day : whole,
		)
		.replace(WORD_BETWEEN, (whole, word: string) => (OF_DATE.has(inLexicon(word)) ? '' : whole))
		.replace(TIME_FIRST, '$2 $1$3')
		.replace(/^(\d{4}-\d\d-\d\d)T(?=\d)/, '$1 ');
	// `mar 3, 2026` is in March.
	const date = MONTH_BY_NAME.test(dayAndTime)
		? dayAndTime
		: dayAndTime.replace(FIRST_WORD, (whole, word: string) =>
				[...WEEKDAYS].some(isShortFor(word)) ? '' : whole,
			);
	return date.replace(
		MONTH_BY_NAME,
		(_, day: string, month: string, year: string, time: string, ...english: string[]) => {
			const [itsMonth, itsDay, itsYear, itsTime] = english;
			// The month 0 is none.
			const index = MONTHS.findIndex((names) => [...names].some(isShortFor(month ?? itsMonth)));
			return `${(year ?? itsYear).padStart(4, '20')}/${index + 1}/${day ?? itsDay}${time ?? itsTime}`;
		},
	);
}

/** A time with two digits of hours, of the 24 of a day. */
function toClock(time: string): string {
	return time
		.replace(BETWEEN_DATE_AND_TIME, (whole, words?: string) =>
			words === undefined || BEFORE_TIME.has(inLexicon(words)) ? '' : whole,
		)
		.replace(/(?<=\p{L})\./gu, '')
		.replace(/\p{L}+/gu, (word) => {
			return findKey(WORDS_OF_TIME, (words) => words.has(inLexicon(word))) ?? word;
		})
		.replace(CLOCK, (_, hour: string, minute?: string, second?: string, half?: string) => {
			const hours = half ? halfDay(Number(hour)) + (/p/i.test(half) ? 12 : 0) : hour;
			return compact([String(hours).padStart(2, '0'), minute, second]).join(':');
		});
}

/** Lines stay apart: they are several values. */
const singleSpaced = (text: string) => text.trim().replace(/[^\S\r\n]+/g, ' ');

/** In lower case and without accents, as the lexicon writes words. */
const inLexicon = (word: string) => deburr(word).toLowerCase();
const isShortFor = (word: string) => (name: string) => name.startsWith(inLexicon(word));
const zoneOf = (name: string): string | undefined => ZONES[inLexicon(name)];

/** Twelve o'clock is the first hour of its half; NaN for an hour that none has. */
const halfDay = (hour: number) => (hour >= 1 && hour <= 12 ? hour % 12 : NaN);
