/**
 * What came back with another value than the one sent, since a service may keep what it has or change what it gets, is stated
 * in the output. Values that mean the same are no difference, and only what the record shows counts. Pure.
 */
import { isEqual, isObject, startCase } from 'lodash';

import { isSameTime } from '../contract/age';
import { isSuccess } from '../contract/batchAnswer';
import { contactHas } from '../contract/contactMatch';
import type { ServiceRecord } from '../contract/envelope';
import { isRecord, shorten } from '../contract/envelope';
import type { Operation } from '../operation';
import type { ServiceRequest } from '../transport/send';
import { isBlank } from '../values/convert';
import { isSameWord } from '../values/sameWord';

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
 * @returns the same with the values, for the output; `inWords` without the way to change them
 */
export function noteDifferences(
	{ name: own, output }: Operation,
	{ method, body }: ServiceRequest,
	record: ServiceRecord | undefined,
	hints: Set<string>,
	mayReport = true,
): { adds: { differences?: string }; inWords: string[] } {
	const isWrite = output.kind === 'one' && method !== 'GET';
	if (!isWrite || !isRecord(body) || !record) return { adds: {}, inWords: [] };
	const { singular } = output.record;
	const how = { replaces: method === 'PUT', mayReport };
	const texts = differencesOf(body, record, how).map(([field, sent, now]) => {
		const label = startCase(field).replace(/\bId\b/g, 'ID');
		const [, operation] = WAYS.find(([start]) => `${singular}.${field}`.startsWith(start)) ?? [];
		const isOwn = operation === `${startCase(singular)} > ${own}`;
		const way = `Change it ${operation && !isOwn ? `with ${operation}` : 'in the leads service'}.`;
		hints.add(
			`The service returned another "${label}" than the one sent, which its output shows. ${way}`,
		);
		return { difference: `${label} is ${inWords(now)}, not ${inWords(sent)}`, way };
	});
	const differences = texts.map(({ difference, way }) => `${difference}. ${way}`).join(' ');
	return {
		adds: differences === '' ? {} : { differences },
		inWords: texts.map(({ difference }) => difference),
	};
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
			meansSame(name, sent, now) ||
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

/** The service spells these values in its own way (spec 2). */
const WORDS = ['status', 'priority', 'source', 'type', 'tags'];

/** Whether a value means what was sent, or is not shown. */
function meansSame(name: string, sent: unknown, shown: unknown): boolean {
	if (shown === undefined || isEqual(sent, shown)) return true;
	if (isBlank(sent) || isBlank(shown)) return isBlank(sent) && isBlank(shown);
	const isSame = (one: unknown, other: unknown) => meansSame(name, one, other);
	if (isRecord(sent) && isRecord(shown)) {
		return Object.entries(sent).every(([key, value]) => isSame(value, shown[key]));
	}
	if (Array.isArray(sent) && Array.isArray(shown)) {
		return sent.every((each) => shown.some((value) => isSame(each, value)));
	}
	return isObject(sent) || isObject(shown) || isSameText(name, sent, shown);
}

function isSameText(name: string, sent: unknown, shown: unknown): boolean {
	const [own, other] = [sent, shown].map(singleSpaced);
	const isNumber = typeof sent === 'number' || typeof shown === 'number';
	// Upper and lower case count in texts, but not in addresses and IDs.
	const isAddress = /^\S+@\S+$/.test(own) || /id$/i.test(name);
	return (
		own === other ||
		(isNumber && Number(sent) === Number(shown)) ||
		isSameTime(sent, shown) ||
		(isAddress && own.toLowerCase() === other.toLowerCase()) ||
		(WORDS.includes(name) && isSameWord(sent, shown))
	);
}

/** In one form of Unicode. */
function singleSpaced(value: unknown): string {
	return String(value).normalize().replace(/\s+/g, ' ').trim();
}
