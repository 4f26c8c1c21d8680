/**
 * What was written is compared with the record that came back, since a service may keep what it has or change what it
 * gets. Only what the record shows is compared, and values that mean the same are equal. Pure.
 */
import { startCase } from 'lodash';

import { parseTime } from '../contract/age';
import { normalizeKey, SUCCESS } from '../contract/batchFacts';
import { contactHas } from '../contract/contactMatch';
import type { ServiceRecord } from '../contract/envelope';
import { isRecord, shorten } from '../contract/envelope';
import { isSameWord } from '../values/converter';
import type { Operation } from '../operation';
import type { ServiceRequest } from '../transport/send';
import { isBlank, isScalar } from './sameRecord';

/** A field that came back with another value than the one sent. */
interface Difference {
	/** e.g. `contact.name` */
	field: string;
	sent: unknown;
	now: unknown;
}

/** What is sent to find or choose a record, and is not written to it. */
const NOT_WRITTEN = ['createContactIfNotFound', 'protocol'];
/** The service spells these values in its own way (spec 2). */
const WORDS = ['status', 'priority', 'source', 'type', 'tags'];
/** Times may be cut to seconds. */
const TIME_TOLERANCE_MS = 1000;
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
 * @returns the same in words, with the values, for the output
 */
export function noteDifferences(
	{ name: own, output }: Operation,
	{ method, body }: ServiceRequest,
	record: ServiceRecord | undefined,
	hints: Set<string>,
): { differences?: string } {
	const isWrite = output.kind === 'one' && method !== 'GET';
	if (!isWrite || !isRecord(body) || !record) return {};
	const { singular } = output.record;
	const texts = differencesOf(body, record, method === 'PUT').map(({ field, sent, now }) => {
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

/** @param replaces lists replace those of the record, so that an empty one empties it */
export function differencesOf(
	body: ServiceRecord,
	record: ServiceRecord,
	replaces: boolean,
	parent = '',
): Difference[] {
	return Object.entries(body).flatMap(([name, sent]) => {
		const field = parent + name;
		const now = shown(name, record);
		const isFallback = field === 'externalId' && !isBlank(body.protocol);
		if (NOT_WRITTEN.includes(name) || isFallback) return [];
		if (isRecord(sent) && isRecord(now)) return differencesOf(sent, now, replaces, `${field}.`);
		const isList = Array.isArray(sent) && !replaces;
		const isEmptied = isBlank(sent) && !isBlank(now) && !isList;
		const isOther = isBlank(sent) ? isEmptied : !isSame(name, sent, now, record);
		return isOther ? [{ field, sent, now }] : [];
	});
}

/** The value of a field of a record. Spec 2: a lead shows its `contactId` as the ID of its contact. */
function shown(name: string, { [name]: value, contact }: ServiceRecord): unknown {
	return name === 'contactId' && value === undefined && isRecord(contact) ? contact.id : value;
}

/** Whether a value means what was sent, or does not show whether it does. */
function isSame(name: string, sent: unknown, now: unknown, record: ServiceRecord): boolean {
	if (now === undefined) return true;
	if (isBlank(now)) return false;
	if (Array.isArray(sent)) {
		if (!Array.isArray(now)) return true;
		// A tag may come as a record, too.
		const values = now.flatMap((each: unknown) => (isRecord(each) ? Object.values(each) : [each]));
		return sent.every((each) => values.some((value) => isSameScalar(name, each, value)));
	}
	if (!isScalar(sent) || !isScalar(now)) return true;
	if (name === 'email' || name === 'phone') {
		return contactHas(record, name, String(sent), 'whole') !== false;
	}
	// An answer may report on itself.
	const isOutcome = typeof now === 'number' || SUCCESS.has(normalizeKey(String(now)));
	return (name === 'status' && isOutcome) || isSameScalar(name, sent, now);
}

function isSameScalar(name: string, sent: unknown, now: unknown): boolean {
	if (WORDS.includes(name)) return isSameWord(sent, now);
	const isNumber = typeof sent === 'number' || typeof now === 'number';
	if (isNumber && Number(sent) === Number(now)) return true;
	const [one, other] = [sent, now].map((each) =>
		String(each).normalize().replace(/\s+/g, ' ').trim(),
	);
	if (one === other) return true;
	// Upper and lower case count in texts, but not in addresses and IDs.
	const isAddress = /^\S+@\S+$/.test(one) || /id$/i.test(name);
	if (isAddress && one.toLowerCase() === other.toLowerCase()) return true;
	const time = parseTime(one);
	if (Number.isNaN(time)) return false;
	const times = [parseTime(other), Number(other), Number(other) * 1000];
	return (
		times.some((each) => Math.abs(each - time) < TIME_TOLERANCE_MS) ||
		times.every((each) => Number.isNaN(each))
	);
}

function inWords(value: unknown): string {
	if (isBlank(value)) return 'empty';
	const text = isScalar(value) ? String(value) : JSON.stringify(value);
	return `"${shorten(Array.isArray(value) ? value.join(', ') : text, LONGEST_VALUE)}"`;
}
