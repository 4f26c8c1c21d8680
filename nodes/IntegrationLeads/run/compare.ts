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

/**
 * Adds a hint where a value came back otherwise than it was sent.
 *
 * @param record what came back
 * @param mayReport whether the record may be an answer that reports on itself, in its status
 * @returns which, in words
 */
export function noteDifferences(
	{ output }: Operation,
	{ method, body }: ServiceRequest,
	record: ServiceRecord | undefined,
	hints: Set<string>,
	mayReport = true,
): string | undefined {
	const isWrite = output.kind === 'one' && method !== 'GET';
	if (!isWrite || !isRecord(body) || !record) return undefined;
	const found = differencesOf(body, record, { replaces: method === 'PUT', mayReport });
	if (found.length === 0) return undefined;
	hints.add(
		'The service holds other values than those sent, which "differences" in the output names. Change those of a contact with Contact > Update.',
	);
	return found
		.map(([field, sent, now]) => {
			const label = startCase(field).replace(/\bId\b/g, 'ID');
			return `${label} is ${inWords(now)}, not ${inWords(sent)}.`;
		})
		.join(' ');
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
