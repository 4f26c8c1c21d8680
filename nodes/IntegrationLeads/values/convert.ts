/**
 * Converts what users enter and expressions return to what the service accepts. A value that cannot be read is refused, never
 * guessed. Blank values do not get here; see fields/converter.ts. Pure.
 */
import { attempt, isEmpty, isError, isNil, isPlainObject, uniqBy } from 'lodash';
import { DateTime } from 'luxon';

import { cleanName, cleanValue } from './clean';
import { isRecord, shorten } from './json';
import { isNoName } from './names';
import {
	holdsObject,
	isErrorValue,
	isFalseWord,
	isPlaceholder,
	plainWord,
	isShortened,
} from './words';
import { isSecret } from './secrets';
import { InputError } from '../userError';
import type { Convert, ConvertContext } from './context';
import { parseDate, parseWrittenDate } from '../dates/date';

/**
 * A date as ISO 8601 in UTC with milliseconds (spec 2, `saleDate`, `createdAt`). Takes what {@link parseDate} and
 * {@link parseWrittenDate} read, Luxon and JS dates. A date without a zone is in the workflow's time zone.
 */
export const toUtc: Convert = (value, context) => requireDate(value, context).toUTC().toISO();

/** Earlier years come from programs that count days or seconds from 1899, 1900, 1970 or the year 1. */
export const MIN_SALE_YEAR = 1990;

/** Converts like {@link toUtc}, but refuses a date on which no sale can have occurred: programs write it for a missing one. */
export const toSaleDate: Convert = (value, context) => {
	const { label, timezone, now = Infinity } = context;
	const date = requireDate(value, context).setZone(timezone);
	const isEarly = date.year < MIN_SALE_YEAR;
	if (!isEarly && !(date.minus({ years: 1 }).toMillis() > now)) return date.toUTC().toISO();
	throw new InputError(
		`"${label}" ${isEarly ? `is before ${MIN_SALE_YEAR}` : 'is more than a year ahead'}: ${show(value)}`,
		'Programs write such a date where they have none. Give the day of the sale, or leave it blank.',
	);
};

function requireDate(value: unknown, context: ConvertContext): DateTime {
	const date = parseGivenDate(value, context);
	if (date?.isValid) return date;
	throw new InputError(`"${context.label}" must be a date: ${show(value)}`, {
		all: 'Give it as 2026-01-31, 2026-01-31T14:30:00Z or 31/01/2026 14:30.',
		panel:
			'Whether the day or the month comes first follows from "Default Country Code" in the credential. A date without a zone is read in the time zone of the workflow.',
	});
}

function parseGivenDate(value: unknown, context: ConvertContext): DateTime | undefined {
	if (value instanceof Date) return DateTime.fromJSDate(value);
	// A Luxon date; not `instanceof`, since it may come from another copy of the library.
	const plain = isRecord(value) && typeof value.toISO === 'function' ? value.toISO() : value;
	// An apostrophe marks what a spreadsheet should not read as a date.
	const text = String(plain).trim().replace(/^'\s*/, '');
	return parseDate(text, context.timezone) ?? parseWrittenDate(text, context);
}

/** A number as programs write it. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Converts to a number, also from text. For amounts as people write them, see values/amount.ts. */
export const toNumber: Convert = (value, { label }) => {
	const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value;
	// 1e400 is written as a number, and cannot be sent as one.
	if (Number.isFinite(number)) return number;
	throw new InputError(
		`"${label}" must be a number: ${show(value)}`,
		'Write it in digits, e.g. 1500 or 1500.50',
	);
};

/**
 * Names as a list, from a list, its JSON, or text separated by commas, semicolons, bars or lines, which may have quotes or bullets
 * (spec 2, `tags`); undefined if there are none.
 */
export const toList: Convert<string[] | undefined> = (value, { label }) => {
	const list =
		typeof value === 'number' ? [value] : typeof value === 'string' ? listIn(value) : value;
	if (!Array.isArray(list) || list.some((name) => name !== null && typeof name === 'object')) {
		throw new InputError(
			`"${label}" must be a list of names: ${show(value)}`,
			'Give names separated by commas, or a JSON list of them.',
		);
	}
	const names = list.map((name) => String(name ?? '').trim()).filter((name) => name !== '');
	for (const name of names) assertNotPlaceholder(name, label, isErrorValue);
	// Two spellings of one name, such as those of a tag, are one everywhere.
	return names.length > 0 ? uniqBy(names, plainWord) : undefined;
};

/** Returns the text itself if it is not valid JSON: `[vip]` is a name in brackets. */
function listIn(text: string): unknown {
	const parsed: unknown = /^\s*\[/.test(text) && attempt(JSON.parse, text);
	if (Array.isArray(parsed)) return parsed;
	return /^\s*\[\s*["']/.test(text)
		? text
		: (withLines(text).match(NAME_IN_LIST) ?? []).map((name) =>
				name.replace(/^\s*[-*•]\s/, '').replace(/^\s*"(.*)"\s*$/, '$1'),
			);
}

/** A name in a list. In quotes, it may have separators itself. A slash may be a part of it. */
const NAME_IN_LIST = /[^\S\n]*"[^"\n]*"[^\S\n]*(?=[,;|\n]|$)|[^,;|\n]+/g;
const HASHTAGS = /^\s*#\S+(?:\s+#\S+)+\s*$/;
/** Google Contacts puts ` ::: ` between labels, and people a space between hashtags. */
const withLines = (text: string) =>
	HASHTAGS.test(text) ? text.replace(/\s+/g, '\n') : text.replaceAll(' ::: ', '\n');

/** Converts to an object, also from JSON text; undefined if it is empty. */
export const toObject: Convert = (value, context) => {
	const parsed = toJson(value, context);
	if (isRecord(parsed)) return isBlank(parsed) ? undefined : parsed;
	throw new InputError(
		`"${context.label}" must be a JSON object: ${show(value)}`,
		'It begins with { and ends with }, e.g. {"source": "whatsapp"}',
	);
};

/** Any JSON value, or one as text. */
export const toJson: Convert = (value, { label }) => {
	if (typeof value !== 'string') return value;
	const parsed: unknown = attempt(JSON.parse, value);
	if (!isError(parsed)) return cleanValue(parsed);
	throw new InputError(
		`"${label}" must be valid JSON`,
		`${parsed.message}. Put names and text in double quotes, and no comma after the last entry.`,
	);
};

/** true or false, also as text. */
export const toBoolean: Convert = (value, { label }) => {
	const text = String(value).trim().toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true';
	throw new InputError(
		`"${label}" must be true or false: ${show(value)}`,
		'Choose true or false, or an entry of the list where there is one.',
	);
};

/**
 * Text, or a number (an ID from a spreadsheet) as text, so that the service sees one type.
 *
 * @param isNoValue whether it stands for no value. Such a text is refused, and the others lose the white space and the
 * invisible characters that copying leaves around them
 */
const textConverter =
	(isNoValue?: (text: string) => boolean): Convert =>
	(value, { label }) => {
		refuseRounded(value, label);
		const text = typeof value === 'number' && !Number.isNaN(value) ? String(value) : value;
		if (!isBlank(text) && typeof text !== 'string') {
			throw new InputError(`"${label}" must be text: ${show(value)}`, 'Give text or a number.');
		}
		if (typeof text === 'string' && holdsObject(text)) {
			throw new InputError(`"${label}" must be text, and holds an object: ${show(text)}`, {
				all: 'Give the text itself.',
				panel:
					'An expression reads an object: add the name of the field inside of it that is meant.',
			});
		}
		if (!isNoValue || typeof text !== 'string') return text;
		const inner = text.replace(AROUND, '');
		assertNotPlaceholder(inner, label, isNoValue);
		return inner;
	};

/** Converts to text that may be any word, without trimming it. */
export const toFreeText = textConverter();

/** Converts to text that names something. `None` is a name; what only a failed expression leaves behind is not. */
export const toText = textConverter(isErrorValue);

/** Converts to the name of a person. */
export const toName: Convert = (value, context) => {
	const text = toText(value, context);
	if (typeof text !== 'string') return text;
	const name = cleanName(text);
	if (!isNoName(name)) return name;
	throw new InputError(`"${context.label}" must be the name of a person: ${show(name)}`, {
		all: 'Give the name alone, or leave it empty if it is not known.',
		panel: 'An expression gave an object or a number: check the field that it reads.',
	});
};

/** Converts to text that identifies something. Refuses "null" and the like: all leads with that external ID would be one (4.3, rule 5). */
export const toIdentifier: Convert = (value, context) => {
	const id = toIdentifierText(value, context);
	if (typeof id !== 'string' || !isShortened(id)) return id;
	throw new InputError(
		`"${context.label}" lacks digits: a spreadsheet has shortened the number to ${show(id)}`,
		'Format the column as text, and enter the whole number again. All rows with this value would become one lead.',
	);
};

const toIdentifierText = textConverter((text) => isPlaceholder(text) || isFalseWord(text));

/** JavaScript keeps about 16 digits of a number, so two long IDs may have become equal before the node received them. */
function refuseRounded(value: unknown, label: string): void {
	if (typeof value !== 'number' || !(Math.abs(value) > Number.MAX_SAFE_INTEGER)) return;
	throw new InputError(
		`"${label}" must be text: n8n has rounded the last digits of so long a number, ${value}`,
		'Have it come as text, such as "820982911946154508" with quotes in JSON, or choose another ID.',
	);
}

/** White space at the ends. The lookbehind keeps a run from being tried at each of its characters, which takes quadratic time. */
const AROUND = /^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu;
/**
 * Makes sure that an expression has found something.
 *
 * @throws InputError naming the field
 */
export function assertNotPlaceholder(value: unknown, label: string, isIt = isPlaceholder): void {
	if (typeof value !== 'string' || !isIt(value)) return;
	throw new InputError(`"${label}" must be a value, not the word "${value.trim()}"`, {
		all: 'Give the value itself, or leave it empty if it is optional.',
		panel: 'An expression found nothing: check the name of the field that it reads.',
	});
}

/** Whether a value is blank. It is then not sent, and the field keeps its value. */
export function isBlank(value: unknown): boolean {
	if (typeof value === 'string') return !/[^\s\p{Cf}]/u.test(value);
	if (Array.isArray(value)) return value.every(isBlank);
	return isNil(value) || (isPlainObject(value) && isEmpty(value));
}

/** Formats a value for a message: shortened, and hidden if it is a secret. */
export function show(value: unknown): string {
	if (isSecret(value)) return '(hidden)';
	return shorten(JSON.stringify(value) ?? String(value), 60);
}
