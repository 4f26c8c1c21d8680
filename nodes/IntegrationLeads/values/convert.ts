/** From what users and expressions give to what the service takes. Pure; what cannot be read is refused, never guessed. */
import { isNil } from 'lodash';
import { DateTime } from 'luxon';

import { isRecord } from '../contract/envelope';
import { isPlaceholder } from './placeholders';
import type { Convert } from '../operation';
import { InputError } from '../userError';
import { parseDate } from './date';

/**
 * A moment as ISO 8601 in UTC with milliseconds (spec 2, `saleDate`, `createdAt`). Takes what {@link parseDate} reads,
 * Luxon and JS dates. A date without a zone is read in the workflow's time zone; what the clocks there show twice is the
 * first time.
 */
export const toUtc: Convert = (value, { label, timezone }) => {
	if (isBlank(value)) return value;
	const moment = momentOf(value, timezone);
	if (moment?.isValid) return moment.toUTC().toISO();
	const dayless = typeof value === 'string' && DAYLESS.test(value.trim());
	throw new InputError(
		dayless
			? `"${label}" is not a whole date, its day is missing: ${show(value)}`
			: `"${label}" is not a date: ${show(value)}`,
		'Give it as ISO 8601, e.g. 2026-01-31T14:30:00Z or 2026-01-31. A date without a zone is read in the time zone of the workflow.',
	);
};

/** A year, a month or a week: ISO 8601 with reduced precision. */
const DAYLESS = /^\d{4}(?:-\d\d|-?W\d\d)?$/i;

function momentOf(value: unknown, zone: string): DateTime | undefined {
	if (DateTime.isDateTime(value)) return value;
	if (value instanceof Date) return DateTime.fromJSDate(value);
	// A Luxon date that went through another copy of the library, or through JSON.
	const text = isRecord(value) && typeof value.toISO === 'function' ? value.toISO() : value;
	return typeof text === 'string' ? parseDate(text, zone) : undefined;
}

/** A number, also one typed as text. `1.500,50` is refused: which mark is the decimal one would be a guess. */
export const toNumber: Convert = (value, { label }) => {
	if (isBlank(value)) return value;
	const text = typeof value === 'string' ? value.trim() : '';
	const written = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
	const number = written ? Number(text) : value;
	// 1e400 is written as a number, and is none that can be sent.
	if (typeof number === 'number' && Number.isFinite(number)) return number;
	throw new InputError(
		`"${label}" is not a number: ${show(value)}`,
		'Write it with a point before the decimals and without thousands separators, e.g. 1500.50',
	);
};

/** Names as a list, from a list, its JSON, or text separated by commas (spec 2, `tags`). */
export const toList: Convert = (value, { label }) => {
	if (isNil(value)) return value;
	const given =
		typeof value === 'number' ? [value] : typeof value === 'string' ? listIn(value) : value;
	if (!Array.isArray(given) || given.some((each) => each !== null && typeof each === 'object')) {
		throw new InputError(
			`"${label}" is not a list of names: ${show(value)}`,
			'Give names separated by commas, or a list of texts.',
		);
	}
	return given.map((each) => String(each ?? '').trim()).filter((each) => each !== '');
};

/** The text itself where it was meant as JSON and is none; a name may stand in brackets, too. */
function listIn(text: string): unknown {
	const { parsed } = tryJson(text);
	if (Array.isArray(parsed)) return parsed;
	return /^\s*\[\s*["']/.test(text) ? text : text.split(',');
}

/**
 * Segments after `ML-`, as long as they go on: the full grammar is not shown, so much is taken for a code (4.3). The
 * hyphen may be one that a word processor or a phone made of it. Underscores at the ends are WhatsApp's mark of italics.
 * In the text of a link, spaces and marks before it are written as % with two digits, which are no part of a word.
 * What stands before is looked at only where an ML is: to look from each underscore of many would take seconds.
 */
const PROTOCOL =
	/(?=ML)(?:(?<![\p{L}\p{N}\-\u2010-\u2015]_*)|(?<=%(?:25)*(?:0[\da-f]|2[\da-cef]|3[a-f]|5[b-f]|60|7[b-e])))ML(?:[-\u2010-\u2015][\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)*)+/iu;
/** A code of a form not seen so far: a word of letters and digits with hyphens between. */
const UNSEEN_PROTOCOL =
	/^(?=.*\p{N})(?=.*[-\u2010-\u2015])\p{L}(?:[\p{L}\p{N}_\-\u2010-\u2015]*[\p{L}\p{N}])?$/u;
/** How WhatsApp marks what is bold, in italics, struck out or in code. */
const FORMATTING = /[*_~`]/;

/**
 * The protocol of a tracking link, from the code itself or from a message that holds it; the first one, as it
 * stands there. A message without a code is no protocol, and is not sent as one. A single word that is built like one
 * is: it may be a code of a form not seen so far.
 */
export const toProtocol: Convert = (value, about) => {
	const text = toText(value, about);
	if (typeof text !== 'string') return text;
	const found = PROTOCOL.exec(text)?.[0];
	if (found !== undefined) return found;
	const word = without(FORMATTING, text.trim());
	return UNSEEN_PROTOCOL.test(word) ? word : undefined;
};

/** An object, given as such or as JSON text. */
export const toObject: Convert = (value, about) => {
	if (isBlank(value)) return undefined;
	const parsed = toJson(value, about);
	if (isRecord(parsed)) return parsed;
	throw new InputError(
		`"${about.label}" is not a JSON object: ${show(value)}`,
		'It begins with { and ends with }, e.g. {"source": "whatsapp"}',
	);
};

/** Any JSON value, given as such or as text. */
export const toJson: Convert = (value, { label }) => {
	if (isBlank(value)) return undefined;
	if (typeof value !== 'string') return value;
	const { parsed, reason } = tryJson(value);
	if (reason === undefined) return parsed;
	throw new InputError(
		`"${label}" is not valid JSON`,
		`${reason}. Names and texts stand in double quotes, and there is no comma after the last entry.`,
	);
};

function tryJson(text: string): { parsed?: unknown; reason?: string } {
	try {
		return { parsed: JSON.parse(text) as unknown };
	} catch (error) {
		return { reason: error instanceof Error ? error.message : String(error) };
	}
}

/** true or false, also as text; undefined where it was left empty. */
export const toBoolean: Convert = (value, { label }) => {
	if (isBlank(value)) return undefined;
	if (typeof value === 'boolean') return value;
	const text = String(value).trim().toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true';
	throw new InputError(
		`"${label}" is neither true nor false: ${show(value)}`,
		'Choose true or false, or an entry of the list where there is one.',
	);
};

/** Text. A number (an id from a spreadsheet) becomes text, so that the service always sees the same type. */
export const toText: Convert = (value, { label }) => {
	if (typeof value === 'number') return String(value);
	if (isBlank(value) || typeof value === 'string') return value;
	throw new InputError(`"${label}" is not a text: ${show(value)}`, 'Give a text or a number.');
};

/**
 * What tells a record apart from others. A word for nothing is refused: all leads with the external ID "undefined" would
 * be one and the same (4.3, rule 5).
 */
export const toId: Convert = (value, about) => {
	const text = toText(value, about);
	refusePlaceholder(text, about.label);
	return text;
};

/** An email without what copying leaves around it: white space, and marks that have no width. */
export const toEmail: Convert = (value, about) => {
	const text = toId(value, about);
	return typeof text === 'string' ? without(AROUND_EMAIL, text) : text;
};

const AROUND_EMAIL = /[\s\p{White_Space}\p{Cf}]/u;

/**
 * A text without such characters around it. An expression that ends in `+$` would try again at each of them that stands
 * within the text, which takes seconds where there are many.
 */
function without(around: RegExp, text: string): string {
	const characters = [...text];
	let [first, end] = [0, characters.length];
	while (first < end && around.test(characters[first])) first += 1;
	while (end > first && around.test(characters[end - 1])) end -= 1;
	return characters.slice(first, end).join('');
}

/**
 * Makes sure that an expression has found something.
 *
 * @throws InputError naming the field
 */
export function refusePlaceholder(value: unknown, label: string): void {
	if (typeof value !== 'string' || !isPlaceholder(value)) return;
	throw new InputError(
		`"${label}" is not a value, but the word "${value.trim()}"`,
		'The expression found nothing: check the name of the field that it reads. Give the value itself, or leave the field empty where it may be. Nothing was sent.',
	);
}

export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

function show(value: unknown): string {
	const text = typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? String(value));
	return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
