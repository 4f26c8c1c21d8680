/**
 * What was sent is compared with the record that came back or is listed: values that mean the same are equal, and only what
 * the record shows counts. What came back with another value, since a service may keep what it has or change what it gets,
 * is stated in the output. Pure.
 */
import { deburr, findLast, isEqual, isObject, startCase, uniq } from 'lodash';

import { parseTime } from '../contract/age';
import { isSuccess } from '../contract/batchAnswer';
import { contactHas } from '../contract/contactMatch';
import type { ServiceRecord } from '../contract/envelope';
import { isRecord, shorten } from '../contract/envelope';
import type { Operation } from '../operation';
import type { ServiceRequest } from '../transport/send';
import { isBlank } from '../values/convert';
import { isSameWord } from '../values/converter';

/** What is sent to find or choose a record, and is not written to it. */
export const NOT_WRITTEN = ['createContactIfNotFound', 'protocol'];
const LONGEST_VALUE = 60;

/** What changes a field, by the beginning of its name, which has the kind of its record before it. */
const WAYS: Array<[field: string, operation: string]> = [
	['lead.contact.', 'Contact > Update'],
	['contact.', 'Contact > Update'],
	['lead.status', 'Lead > Update Status'],
	['lead.tags', 'Lead > Add Tags or Remove Tag'],
	['lead.', 'Lead > Update'],
];

/**
 * Adds hints about what came back with another value than the one sent.
 *
 * @param record what came back
 * @param mayReport whether the record may be an answer that reports on itself, in its status
 * @returns the same in words, with the values, for the output
 */
export function noteDifferences(
	{ name: own, output }: Operation,
	{ method, body }: ServiceRequest,
	record: ServiceRecord | undefined,
	hints: Set<string>,
	mayReport = true,
): { differences?: string } {
	const isWrite = output.kind === 'one' && method !== 'GET';
	if (!isWrite || !isRecord(body) || !record) return {};
	const { singular } = output.record;
	const how = { replaces: method === 'PUT', mayReport };
	const texts = differencesOf(body, record, how).map(([field, sent, now]) => {
		const label = startCase(field).replace(/\bId\b/g, 'ID');
		const [, operation] = WAYS.find(([start]) => `${singular}.${field}`.startsWith(start)) ?? [];
		const isOwn = operation === `${startCase(singular)} > ${own}`;
		const way = `Change it ${operation && !isOwn ? `with ${operation}` : 'in the leads service'}.`;
		hints.add(
			`The service returned another "${label}" than the one sent, see "differences" in the output. ${way}`,
		);
		return `${label} is ${inWords(now)}, not ${inWords(sent)}. ${way}`;
	});
	return texts.length > 0 ? { differences: texts.join(' ') } : {};
}

/**
 * The fields that came back with another value, such as `contact.name`.
 *
 * @param how.replaces lists replace those of the record, so that an empty one empties it
 */
function differencesOf(
	body: ServiceRecord,
	record: ServiceRecord,
	how: { replaces: boolean; mayReport: boolean },
	parent = '',
): Array<[field: string, sent: unknown, now: unknown]> {
	return Object.entries(body).flatMap(([name, sent]) => {
		const field = parent + name;
		const now = shown(name, record);
		if (isRecord(sent) && isRecord(now)) return differencesOf(sent, now, how, `${field}.`);
		const isFallback = name === 'externalId' && !isBlank(body.protocol);
		const isNotWritten =
			NOT_WRITTEN.includes(name) ||
			isFallback ||
			(isBlank(sent) && Array.isArray(sent) && !how.replaces);
		const isAsSent =
			meansSame(compareValues(name, sent, now)) ||
			(!isBlank(sent) && mayMean(name, sent, now, record, how.mayReport));
		return isNotWritten || isAsSent ? [] : [[field, sent, now]];
	});
}

/** The value of a field of a record. Spec 2: a lead shows its `contactId` as the ID of its contact. */
function shown(name: string, { [name]: value, contact }: ServiceRecord): unknown {
	return name === 'contactId' && value === undefined && isRecord(contact) ? contact.id : value;
}

/** Fields of which the record may show more than the one value. */
function mayMean(
	name: string,
	sent: unknown,
	now: unknown,
	record: ServiceRecord,
	mayReport: boolean,
): boolean {
	if (name === 'email' || name === 'phone') {
		return contactHas(record, name, String(sent), 'whole') !== false;
	}
	return mayReport && name === 'status' && (typeof now === 'number' || isSuccess(String(now)));
}

function inWords(value: unknown): string {
	if (isBlank(value)) return 'empty';
	const isPlainList = Array.isArray(value) && !value.some(isObject);
	const text = isObject(value) ? JSON.stringify(value) : String(value);
	return `"${shorten(isPlainList ? value.join(', ') : text, LONGEST_VALUE)}"`;
}

/**
 * From alike to unlike. `same`: means the same in another form, or does not show whether it does. `similar`: services
 * store texts so, for example cut or in lower case.
 */
const LIKENESS = ['equal', 'same', 'similar', 'different'] as const;
type Likeness = (typeof LIKENESS)[number];

const meansSame = (likeness: Likeness) => ['equal', 'same'].includes(likeness);

/** The service spells these values in its own way (spec 2). */
const WORDS = ['status', 'priority', 'source', 'type', 'tags'];
/** Times may be cut to seconds. */
const TIME_TOLERANCE_MS = 1000;
/** Services cut longer texts only. */
const SHORTEST_CUT = 50;
/** The digits that all forms of a phone share. */
const PHONE_END = 8;

/**
 * @param shown the value of the field in a record; undefined where it does not show the field
 * @param normalize kept by who compares one value with many
 */
export function compareValues(
	name: string,
	sent: unknown,
	shown: unknown,
	normalize = normalizeText,
): Likeness {
	if (isEqual(sent, shown) || (isBlank(sent) && isBlank(shown))) return 'equal';
	if (shown === undefined) return 'same';
	// The service may fill what is empty.
	if (isBlank(sent)) return 'similar';
	if (isBlank(shown)) return 'different';
	const compare = (one: unknown, other: unknown) => compareValues(name, one, other, normalize);
	if (isRecord(sent) && isRecord(shown)) {
		const inside = Object.keys({ ...sent, ...shown }).map((key) => compare(sent[key], shown[key]));
		return findLast(LIKENESS, (each) => inside.includes(each)) ?? 'equal';
	}
	if (Array.isArray(sent) && Array.isArray(shown)) {
		const isShown = (each: unknown) => shown.some((value) => meansSame(compare(each, value)));
		return sent.every(isShown) ? 'same' : 'similar';
	}
	return isObject(sent) || isObject(shown) ? 'same' : compareTexts(name, sent, shown, normalize);
}

function compareTexts(
	name: string,
	sent: unknown,
	shown: unknown,
	normalize: typeof normalizeText,
): Likeness {
	const isNumber = typeof sent === 'number' || typeof shown === 'number';
	if (isNumber && Number(sent) === Number(shown)) return 'same';
	const [own, other] = [sent, shown].map((each) => normalize(String(each)));
	if (Math.abs(own.time - other.time) < TIME_TOLERANCE_MS) return 'same';
	const mayBeCut = String(shown).length >= SHORTEST_CUT;
	// A number may be the same time, in whatever unit.
	const mayBeTime = !Number.isNaN(own.time) && !Number.isNaN(Number(other.text));
	const isSimilar =
		mayBeTime ||
		(own.phone !== undefined && own.phone === other.phone) ||
		own.letters.some((letters) =>
			other.letters.some((each) => letters === each || (mayBeCut && letters.startsWith(each))),
		);
	if (!isSimilar) return 'different';
	// Upper and lower case count in texts, but not in addresses and IDs.
	const isAddress = /^\S+@\S+$/.test(own.text) || /id$/i.test(name);
	const isSame =
		own.text === other.text ||
		(isAddress && own.text.toLowerCase() === other.text.toLowerCase()) ||
		(WORDS.includes(name) && isSameWord(sent, shown));
	return isSame ? 'same' : 'similar';
}

/** What is left of a text whatever services change when they store it. */
export function normalizeText(text: string) {
	// Without case, accents, spaces, punctuation and escapes of HTML; also without its tags, if it has any.
	const letters = uniq([lettersOf(text), lettersOf(text.replace(/<[^<>]*>/g, ''))]);
	return {
		// In one form of Unicode, with single spaces.
		text: text.normalize().replace(/\s+/g, ' ').trim(),
		letters,
		phone: /^\d{8,}$/.test(letters[0]) ? letters[0].slice(-PHONE_END) : undefined,
		time: parseTime(text),
	};
}

function lettersOf(text: string): string {
	return deburr(text.replace(/&#?\w+;/g, ''))
		.normalize('NFKD')
		.replace(/[^\p{L}\p{N}]/gu, '')
		.toLowerCase();
}
