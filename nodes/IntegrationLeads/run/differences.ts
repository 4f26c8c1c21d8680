/**
 * What was written is compared with the record that came back, since a service may keep what it has or change what it
 * gets. Only what the record shows is compared, and values that mean the same are equal. Pure.
 */
import { isObject, startCase } from 'lodash';

import { parseTime } from '../contract/age';
import { isSuccess } from '../contract/batchParts';
import { contactHas } from '../contract/contactMatch';
import type { ServiceRecord } from '../contract/envelope';
import { isRecord, shorten } from '../contract/envelope';
import type { Operation } from '../operation';
import type { ServiceRequest } from '../transport/send';
import { isBlank } from '../values/convert';
import { compareValues } from './compare';

/** A field that came back with another value than the one sent. */
interface Difference {
	/** e.g. `contact.name` */
	field: string;
	sent: unknown;
	now: unknown;
}

/** What is sent to find or choose a record, and is not written to it. */
const NOT_WRITTEN = ['createContactIfNotFound', 'protocol'];
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
function differencesOf(
	body: ServiceRecord,
	record: ServiceRecord,
	replaces: boolean,
	parent = '',
): Difference[] {
	return Object.entries(body).flatMap(([name, sent]) => {
		const field = parent + name;
		const now = shown(name, record);
		if (isRecord(sent) && isRecord(now)) return differencesOf(sent, now, replaces, `${field}.`);
		const isFallback = name === 'externalId' && !isBlank(body.protocol);
		const isNotWritten =
			NOT_WRITTEN.includes(name) ||
			isFallback ||
			(isBlank(sent) && Array.isArray(sent) && !replaces);
		const isAsSent =
			['equal', 'same'].includes(compareValues(name, sent, now)) ||
			(!isBlank(sent) && mayMean(name, sent, now, record));
		return isNotWritten || isAsSent ? [] : [{ field, sent, now }];
	});
}

/** The value of a field of a record. Spec 2: a lead shows its `contactId` as the ID of its contact. */
function shown(name: string, { [name]: value, contact }: ServiceRecord): unknown {
	return name === 'contactId' && value === undefined && isRecord(contact) ? contact.id : value;
}

/** Fields of which the record may show more than the one value. */
function mayMean(name: string, sent: unknown, now: unknown, record: ServiceRecord): boolean {
	if (name === 'email' || name === 'phone') {
		return contactHas(record, name, String(sent), 'whole') !== false;
	}
	// A time in a form that is not known does not show which it is.
	const isTimeless = Number.isNaN(parseTime(now)) && Number.isNaN(Number(now));
	if (isTimeless && !Number.isNaN(parseTime(sent))) return true;
	// An answer may report on itself.
	return name === 'status' && (typeof now === 'number' || isSuccess(String(now)));
}

function inWords(value: unknown): string {
	if (isBlank(value)) return 'empty';
	const isPlainList = Array.isArray(value) && !value.some(isObject);
	const text = isObject(value) ? JSON.stringify(value) : String(value);
	return `"${shorten(isPlainList ? value.join(', ') : text, LONGEST_VALUE)}"`;
}
