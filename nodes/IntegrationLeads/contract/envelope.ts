/**
 * Unwraps the answers of the service. No other file knows how they are wrapped.
 *
 * The spec shows one envelope (`{success, data}`, parts 1 and 7) and one list (4.1); all other response bodies are "not
 * shown". Beyond those, reading is tolerant: nothing is dropped, and nothing is required that the next step does not need.
 */
import { compact, uniq } from 'lodash';

import { isRecord, shorten, toRecord, type ServiceRecord } from '../values/json';

/** A parsed response body. */
export type Envelope =
	/** The service answered; `envelope` is the object that holds `data`. */
	| { kind: 'data'; data: unknown; envelope: ServiceRecord }
	/** No body, or only siblings of `data` in it. */
	| { kind: 'nothing'; envelope?: ServiceRecord }
	/** `{success: false, error: …}` (part 7). */
	| { kind: 'failure'; body: ServiceRecord }
	/** JSON that ends in the middle: the connection or a proxy cut it. */
	| { kind: 'cut' }
	/** Another server answered. `shown` is a short excerpt. */
	| { kind: 'otherServer'; shown: string };

/** The longest answer that is parsed. 100 leads are about 40 kB. */
const MAX_BODY_CHARACTERS = 50_000_000;
const EXCERPT_CHARACTERS = 120;
/** How much of a web page is searched for an excerpt. Its beginning is enough to recognise it. */
const SEARCHED_CHARACTERS = 100_000;

/** Parses a body, whatever its status. `text` is the body as received. */
export function parseEnvelope(text: string): Envelope {
	const trimmed = text.trim();
	if (trimmed === '') return { kind: 'nothing' };
	if (text.length > MAX_BODY_CHARACTERS) return { kind: 'otherServer', shown: excerpt(trimmed) };
	let body: unknown;
	try {
		body = parseBody(trimmed);
	} catch {
		// It begins like JSON, so it was cut.
		return /^[[{]/.test(trimmed)
			? { kind: 'cut' }
			: { kind: 'otherServer', shown: excerpt(trimmed) };
	}
	if (Array.isArray(body)) return { kind: 'data', data: body, envelope: {} };
	if (!isRecord(body)) return { kind: 'otherServer', shown: excerpt(trimmed) };
	if (body.success === false) return { kind: 'failure', body };
	if (body.success === true && 'data' in body) {
		const { data } = body;
		return data === null
			? { kind: 'nothing', envelope: body }
			: { kind: 'data', data, envelope: body };
	}
	if (body.success === true && Object.keys(body).length === 1) return { kind: 'nothing' };
	return { kind: 'data', data: body, envelope: {} };
}

/**
 * One record: `data` itself, or under its singular name. When wrapped, the other members of `data`
 * (`created`, `linked`, …) stay with it unless the record has a field of that name.
 */
export function parseRecord(data: ServiceRecord, singular: string): ServiceRecord;
export function parseRecord(data: unknown, singular: string): ServiceRecord | undefined;
export function parseRecord(data: unknown, singular: string): ServiceRecord | undefined {
	if (!isRecord(data)) return undefined;
	const wrapped = data[singular];
	if (!isRecord(wrapped)) return data;
	const siblings = Object.entries(data).filter(([name]) => name !== singular);
	return { ...Object.fromEntries(siblings), ...wrapped };
}

/**
 * A list: `data.<plural>`, `data` as an array, or the only array in `data`.
 *
 * @returns undefined without a list
 */
export function parseList(data: unknown, plural: string, envelope: ServiceRecord) {
	const list = findList(data, plural);
	if (list === undefined) return undefined;
	const inside = toRecord(data);
	return {
		// A list of plain names is not expected, but not discarded either.
		records: list
			.filter((entry) => entry !== null)
			.map((entry): ServiceRecord => (isRecord(entry) ? entry : { data: entry })),
		pagination: parsePagination(inside.pagination) ?? parsePagination(envelope.pagination),
	};
}

function findList(data: unknown, plural: string): unknown[] | undefined {
	if (Array.isArray(data)) return data;
	if (!isRecord(data)) return undefined;
	if (Array.isArray(data[plural])) return data[plural];
	if (data[plural] === null) return [];
	const arrays = Object.values(data).filter((value) => Array.isArray(value));
	return arrays.length === 1 ? arrays[0] : undefined;
}

/** Part 2, "Pagination object". Every member may be missing in an answer we have not seen. */
function parsePagination(value: unknown) {
	if (!isRecord(value)) return undefined;
	return {
		limit: toCount(value.limit),
		total: toCount(value.total),
		totalPages: toCount(value.totalPages),
	};
}

/** A number, also one given as text (which of the two is not shown). */
function toCount(value: unknown): number | undefined {
	if (typeof value !== 'number' && typeof value !== 'string') return undefined;
	const count = value === '' ? NaN : Number(value);
	return Number.isInteger(count) && count >= 0 ? count : undefined;
}

/**
 * Parses why something was refused. The body of a failure has an object in `error` (part 7). It is not shown for invalid values,
 * so it may be a plain text or missing, and its parts may be siblings of `error`.
 *
 * @returns the parts that part 7 names; `retryAfter` is in seconds, and `message` also has the reasons for single fields, cut to
 * a length that people read
 */
export function parseError(body: unknown) {
	if (!isRecord(body)) return { message: cut(parseReasons(body)) };
	const { error, ...siblings } = body;
	const parts = isRecord(error) ? { ...siblings, ...error } : body;
	const { code, retryAfter } = parts;
	const reasonsAt = (names: string[]) => compact(names.map((name) => parseReasons(parts[name])));
	const [summary] = reasonsAt(SUMMARIES);
	const words = uniq(compact([summary, ...reasonsAt(['details', 'issues', 'errors'])]));
	return {
		code: typeof code === 'string' ? code : undefined,
		message: cut(words.join(': ') || undefined),
		retryAfter,
	};
}

/** Names of fields with a reason in words, the best first. */
const SUMMARIES =
	'message reason detail description error_description errorMessage error title'.split(' ');
/** The most reasons that a message states. */
const MAX_REASONS = 10;
/** How deep reasons are looked for: a list of fields, each with a list of reasons. */
const MAX_NESTED_REASONS = 3;
/** More than a message shows, because a key that was cut could not be recognised and removed. */
const REASON_CHARACTERS = 500;

const cut = (reason?: string) => reason && shorten(reason, REASON_CHARACTERS);

/** The reasons of a refusal: a text, a list, an object with a message, or fields with theirs. */
function parseReasons(value: unknown, depth = 0): string | undefined {
	if (typeof value === 'string') return value.trim() || undefined;
	if (depth > MAX_NESTED_REASONS) return undefined;
	const reasons = Array.isArray(value)
		? value.slice(0, MAX_REASONS).map((entry) => parseReasons(entry, depth + 1))
		: isRecord(value)
			? reasonsIn(value, depth + 1)
			: [];
	return reasons.filter((reason) => reason !== undefined).join('; ') || undefined;
}

function reasonsIn(record: ServiceRecord, depth: number): Array<string | undefined> {
	const { field, path, property } = record;
	const place = field ?? path ?? property;
	const reason = parseReasons(record.message ?? record.msg ?? record.reason, depth);
	if (reason !== undefined) return [named(Array.isArray(place) ? place.join('.') : place, reason)];
	// `{ saleDate: ['must be a date'] }`
	return Object.entries(record)
		.slice(0, MAX_REASONS)
		.map(([name, value]) => named(name, parseReasons(value, depth)));
}

/** The reason with the name of its field, unless it contains the name. */
function named(name: unknown, reason: string | undefined): string | undefined {
	const isMissing = typeof name === 'string' && reason?.includes(name) === false;
	return isMissing ? `${name}: ${reason}` : reason;
}

/** `__proto__` as a key is never data. Ordinary bodies skip the slower parsing that removes it. */
function parseBody(text: string): unknown {
	const isProto = (key: string) => key === '__proto__';
	const parsed: unknown = text.includes('__proto__')
		? JSON.parse(text, (key, value: unknown) => (isProto(key) ? undefined : value))
		: JSON.parse(text);
	return parsed;
}

/** Extracts the visible text of a web page, in linear time: no expression starts over at each `<`. */
function excerpt(text: string): string {
	const plain = text
		.slice(0, SEARCHED_CHARACTERS)
		.replace(/<(script|style)[\s\S]*?(?:<\/\1[^<>]*>|$)/gi, ' ')
		.replace(/<[^<>]*>/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	return shorten(plain, EXCERPT_CHARACTERS);
}
