/**
 * Finds the values that came back otherwise than they were sent: a service may keep what it has, or change what it gets. Values
 * that mean the same do not count, and only fields that the record shows count. Pure.
 */
import {
	castArray,
	compact,
	get,
	isEqual,
	isNumber,
	isObject,
	map,
	some,
	startCase,
	toString,
} from 'lodash';
import { leadLabel } from './shown';

import type { HintSink } from '../userError';
import { isBlank } from '../values/convert';
import { entriesOf, isRecord, shorten, type ServiceRecord } from '../values/json';
import { isSameWord } from '../values/words';
import { isSuccess } from './batchAnswer';
import { contactHas } from './samePerson';
import { isWon } from './records';

const MAX_SHOWN_LENGTH = 60;

/**
 * Adds a hint if a value came back otherwise than it was sent.
 *
 * @returns see {@link differencesIn}
 */
export function noteDifferences(
	sent: ServiceRecord,
	record: ServiceRecord,
	hints: HintSink,
	mayReport?: boolean,
): string | undefined {
	const differences = differencesIn(sent, record, mayReport);
	if (differences !== undefined) hints.add(DIFFERENT);
	return differences;
}

const DIFFERENT =
	'The service holds other values than those given: see "differences" in the output. Change those of a contact with Contact > Update.';

/**
 * @param record what came back
 * @param mayReport whether its `status` may be that of the request, such as `created`
 * @returns which values came back otherwise than they were sent, in words, such as `Contact Name is "Bia", not "Ana".`
 */
export function differencesIn(
	sent: ServiceRecord,
	record: ServiceRecord,
	mayReport = false,
): string | undefined {
	const found = pairsIn(sent, record).filter((pair) => {
		const isReport = mayReport && pair.name === 'status' && isSuccess(String(pair.now));
		return !isReport && !meansSame(pair.name, pair.sent, pair.now);
	});
	const texts = found.map(
		(difference) =>
			`${fieldLabel(difference)} is ${formatValue(difference.now)}, not ${formatValue(difference.sent)}.`,
	);
	return texts.length > 0 ? texts.join(' ') : undefined;
}

const NO_LONGER_WON =
	'A lead was won, and has another status, value or sale date now: see "differences" in the output. To undo it, set them back with Lead > Update; its history may show the sale.';

const BEFORE_UNSHOWN = ' (the service does not show what it was)';

/** What makes a sale, with how a sentence about its value begins. */
const PARTS_OF_SALE = {
	status: 'its status is now ',
	estimatedValue: 'its value is now ',
	saleDate: 'its sale date is now ',
};

/**
 * Adds a hint if a lead that was won gets another status, value or sale date: a later row of a CRM, or the form of a customer who
 * comes back, may be about something else.
 *
 * @param existing the lead as it was before, if it was looked up
 * @returns the same in a sentence
 */
function noteNoLongerWon(
	sent: ServiceRecord,
	existing: ServiceRecord | null | undefined,
	hints: HintSink,
): string | undefined {
	if (!existing || !isWon(existing.status)) return undefined;
	const changes = entriesOf(PARTS_OF_SALE).flatMap(([field, beginning]) => {
		const [value, earlier] = [sent[field], existing[field]];
		const isSame = differencesIn({ [field]: value }, { [field]: earlier ?? '' }) === undefined;
		if (isBlank(value) || isSame || isWon(value)) return [];
		const isShown = earlier !== undefined;
		const instead = isBlank(earlier) ? '' : ` instead of ${formatValue(earlier)}`;
		return { isShown, text: beginning + formatValue(value) + (isShown ? instead : BEFORE_UNSHOWN) };
	});
	if (changes.length === 0) return undefined;
	if (some(changes, 'isShown')) hints.add(NO_LONGER_WON);
	return `The lead was won: ${map(changes, 'text').join(', ')}.`;
}

/** Whether a lead gets other notes, or after it was won another value or sale date, and does not show its own. */
export const hidesReplaced = (sent: ServiceRecord, lead: ServiceRecord): boolean =>
	['notes', ...(isWon(lead.status) ? ['estimatedValue', 'saleDate'] : [])].some(
		(field) => !isBlank(sent[field]) && lead[field] === undefined,
	);

const UNLOOKED =
	'Leads with an External ID or a tracking code were not looked up first. If one was won, it has the status, the value and the sale date that were sent, and other Notes were replaced. Nothing says so. "Options > Look First" reads the lead of an External ID before, and says it.';

/** Adds a hint if a lead gets what may replace its notes or its sale, and nobody has looked whether it has any. */
export function noteUnlooked(sent: ServiceRecord, hints: HintSink): void {
	const replaces = ['notes', ...Object.keys(PARTS_OF_SALE)].some(
		(field) => !isBlank(sent[field]) && !isWon(sent[field]),
	);
	if (replaces) hints.add(UNLOOKED);
}

const MAX_NOTES_LENGTH = 5000;
const NOTES_REPLACED =
	'The Notes of a lead were replaced by others: "differences" in the output has the earlier ones.';

/**
 * Adds a hint if the notes of a lead are replaced, which a person may have written.
 *
 * @param existing the lead as it was before, if it was looked up
 * @returns a sentence with the earlier notes
 */
function noteReplacedNotes(
	{ notes }: ServiceRecord,
	existing: ServiceRecord | null | undefined,
	hints: HintSink,
): string | undefined {
	const earlier = toString(existing?.notes).trim();
	if (isBlank(notes) || earlier === '' || String(notes).includes(earlier)) return undefined;
	hints.add(NOTES_REPLACED);
	return `The notes were replaced. Before: "${shorten(earlier, MAX_NOTES_LENGTH)}".`;
}

/**
 * Adds hints of what is lost where a lead gets other values.
 *
 * @returns the sentences of {@link noteNoLongerWon} and {@link noteReplacedNotes}
 */
export const remarkReplaced = (...values: Parameters<typeof noteNoLongerWon>): string | undefined =>
	compact([noteNoLongerWon(...values), noteReplacedNotes(...values)]).join(' ') || undefined;

/** Adds sentences to the `differences` of a result. Blank ones are left out. */
export function withRemark<R extends { extra: ServiceRecord }>(
	result: R,
	...remarks: unknown[]
): R {
	const differences = compact([result.extra.differences, ...remarks]).join(' ');
	return { ...result, extra: { ...result.extra, ...(differences && { differences }) } };
}

/** The fields that were sent and that the record does not show. */
export function hiddenIn(sent: ServiceRecord, record: ServiceRecord): string[] {
	const isHidden = ({ path, now }: Pair) => now === undefined && path !== 'externalId';
	return pairsIn(sent, record).filter(isHidden).map(fieldLabel);
}

/** A field that was sent, with what came back. `path` has the names of the objects that it is in. */
interface Pair {
	name: string;
	path: string;
	sent: unknown;
	now: unknown;
}

/** Fields that find or choose a record, and are not written to it. */
const NOT_WRITTEN = ['createContactIfNotFound', 'protocol'];

function pairsIn(body: ServiceRecord, record: ServiceRecord, parent = ''): Pair[] {
	return Object.entries(body).flatMap(([name, sent]) => {
		const isFallback = name === 'externalId' && !isBlank(body.protocol);
		if (isFallback || NOT_WRITTEN.includes(name)) return [];
		// Spec 2: a lead shows its `contactId` as the ID of its contact.
		const now = record[name] ?? (name === 'contactId' ? get(record, 'contact.id') : record[name]);
		if (isRecord(sent) && isRecord(now)) return pairsIn(sent, now, `${parent}${name}.`);
		return [{ name, path: parent + name, sent, now }];
	});
}

const fieldLabel = ({ path }: Pair) => startCase(path).replace(/\bId\b/g, 'ID');

/** Whether a value means the same as the one that was sent, or is not shown. */
function meansSame(name: string, sent: unknown, now: unknown): boolean {
	if (now === undefined || isEqual(sent, now)) return true;
	if (isBlank(sent) || isBlank(now)) return isBlank(sent) && isBlank(now);
	if (Array.isArray(sent) && Array.isArray(now)) {
		return sent.every((wanted) => now.some((value) => meansSame(name, wanted, value)));
	}
	if (isObject(sent) || isObject(now)) return true;
	if (name === 'email' || name === 'phone') {
		return contactHas({ [name]: now }, name, String(sent)) !== false;
	}
	if ([sent, now].some(isNumber) && Number(sent) === Number(now)) return true;
	return isSameTime(sent, now) || isSameWord(sent, now);
}

function formatValue(value: unknown): string {
	if (isBlank(value)) return 'empty';
	const texts = castArray(value).map((entry) => (isObject(entry) ? JSON.stringify(entry) : entry));
	return `"${shorten(texts.join(', '), MAX_SHOWN_LENGTH)}"`;
}

/** A time with seconds and a zone: anything less cannot tell whether a record came before or after a request. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;

/** A time in ms since the epoch, or NaN for a value that does not match {@link TIME}. */
export function parseTime(value: unknown): number {
	return TIME.test(String(value)) ? Date.parse(String(value)) : NaN;
}

/** Whether two times are the same. Either may be cut to seconds, or be in another zone. */
function isSameTime(one: unknown, other: unknown): boolean {
	return Math.abs(parseTime(one) - parseTime(other)) < 1000;
}

/** Says that the external ID of a lead that nobody's email or phone found is that of an earlier one. */
export const hadId = ({ externalId }: ServiceRecord, record: ServiceRecord = {}) =>
	`No lead was found by the email or phone, but one has the external ID "${String(externalId)}" and was updated: ${leadLabel(record)}. If it is another person's, correct it, and give this person an external ID.`;
