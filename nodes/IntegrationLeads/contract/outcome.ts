/**
 * Decides what became of a write that may have been carried out: n8n runs a node again after a failure, and an answer may be lost.
 * First whether it is sent, and then whether it created or linked its record. The documentation does not show the answers to 4.3
 * and 4.6, so nothing is claimed that an answer does not state. No other file decides this. Pure.
 */
import { isNil, minBy } from 'lodash';

import { hasId, type ServiceRecord } from '../values/json';
import { differencesIn, hiddenIn, parseTime } from './differences';

/** What is known of a write before it is sent. Plain data, because n8n stores it. */
export interface PriorState {
	/** When it was first sent, in ms since the epoch, if it may have been carried out; undefined if it was not. */
	firstSentAt?: number;
	/** The record that it writes, as each try looks it up: null if there is none, undefined if it was not looked up. */
	existing?: ServiceRecord | null;
}

/** What a request does if it is sent twice. */
export interface Repetition {
	/** The second has no effect. */
	isRepeatable: boolean;
	/** The second creates another record, and a list shows those that exist. */
	isListed: boolean;
}

/**
 * `send`: nothing speaks against it. `lookUp`: the list shows whether the record was created. `done`: the record was created
 * by the earlier try. `refuse`: it may have been carried out, and a second time would do harm.
 */
export type Decision = 'send' | 'lookUp' | 'done' | 'refuse';

/** When a write was first sent, and whether more than once. */
export interface SendHistory {
	/** When it was first sent, in ms on the service's clock or a little earlier, if shown. */
	serverSentAt?: number;
	/** A sending before the last one may have been carried out as well: its answer was lost. */
	isSentBefore?: boolean;
}

/**
 * Since when a write may have been carried out, and whether it was sent before: by the request that was answered, or by an earlier
 * try. `existing` is the record as it was before all of them, if that is known.
 *
 * @param answered what is known of the request that was answered, if one was sent
 */
export const sendHistoryOf = (
	{ firstSentAt, existing }: PriorState,
	{ serverSentAt, isSentBefore }: SendHistory,
	service: { toServerTime(time: number): number | undefined },
): SendHistory & Pick<PriorState, 'existing'> =>
	firstSentAt === undefined
		? { serverSentAt, isSentBefore, existing }
		: { serverSentAt: service.toServerTime(firstSentAt), isSentBefore: true };

export function decide(
	{ firstSentAt, existing }: PriorState,
	{ isRepeatable, isListed }: Repetition,
): Decision {
	if (firstSentAt === undefined || isRepeatable) return 'send';
	// That no lead has the external ID says nothing of the lead of a tracking code.
	if (existing === null) return isListed ? 'send' : 'refuse';
	if (existing === undefined) return isListed ? 'lookUp' : 'refuse';
	// A record that was found is the one which was created, or the one to update.
	return isListed ? 'done' : 'send';
}

/**
 * Finds the record that a request has created whose answer was lost.
 *
 * @param sent the fields that were sent
 * @param records all records that exist
 * @param since when the request was first sent, in ms on the service's clock or a little earlier; undefined if it shows none
 * @returns null if none was created, undefined if the records do not show it
 */
export function createdIn(
	sent: ServiceRecord,
	records: ServiceRecord[],
	since: number | undefined,
): ServiceRecord | null | undefined {
	// Of two equal records of one minute, the time decides: taking the first for the second would lose the second unseen.
	const possible = records.filter(
		(record) => differencesIn(sent, record) === undefined && ageOf(record, since, 0) !== 'before',
	);
	const isSame = (record: ServiceRecord) =>
		hasId(record) && ageOf(record, since, 0) === 'since' && hiddenIn(sent, record).length === 0;
	if (possible.length === 0) return null;
	// The earliest: a later one may be that of another item whose answer was lost as well.
	return minBy(possible.filter(isSame), ({ createdAt }) => Date.parse(String(createdAt)));
}

/** The facts that show whether an item created its record. */
export interface Evidence extends SendHistory {
	/**
	 * `found`: the record was found, and nothing was sent. `create`: a request that creates a record, unless the service
	 * answers with one that it has. `upsert`: one that creates, updates or links a lead (4.3).
	 */
	by: 'found' | 'create' | 'upsert';
	/** The fields that were sent. */
	sent?: ServiceRecord;
	/** The record that came back, with what the answer says about it. */
	record?: ServiceRecord;
	/** The HTTP status of the answer, if it is about this record alone. */
	status?: number;
	/** See {@link PriorState}. Here it is the record as it was before the first sending. */
	existing?: PriorState['existing'];
	/** The record was read after the request, so its age decides as after a lost answer. */
	isRead?: boolean;
}

/** @returns only what is known */
export function outcomeOf({
	by,
	sent = {},
	record = {},
	status,
	serverSentAt,
	existing,
	isSentBefore: wasSentBefore = false,
	isRead = false,
}: Evidence): { created?: boolean; linked?: boolean } {
	const isSentBefore = wasSentBefore || isRead;
	// A creation time that was sent, such as that of a message which is logged later, shows nothing.
	const age = isNil(sent.createdAt) ? ageOf(record, serverSentAt) : 'unclear';
	const isUpsert = by === 'upsert';
	if (isSentBefore && age === 'since') return { created: true, ...(isUpsert && { linked: false }) };
	if (by === 'found') return { created: isSentBefore && age !== 'before' ? undefined : false };
	const stated = statedIn(record);
	// Without a protocol, the lead with the external ID is the only one that can be meant.
	const lacked = existing ? false : existing === null && !sent.protocol ? true : undefined;
	const isShownNew = age === 'before' ? false : lacked;
	const usual = !isUpsert || status === 201 || undefined;
	// "Updated" may be said of a record that the attempt whose answer was lost has created.
	const isDoubtful = isSentBefore && stated.created === false;
	const isNew = isDoubtful ? isShownNew : (stated.created ?? isShownNew ?? usual);
	if (!isUpsert) return { created: isNew };
	const shown = stated.created ? false : isLinked(sent, record, existing, isNew);
	const linked = sent.protocol ? (stated.linked ?? shown) : false;
	return { created: linked ? false : isNew, linked };
}

/** The result with whether the lead was created or linked, as far as the evidence shows. */
export function withOutcome<R extends { record?: ServiceRecord; extra: ServiceRecord }>(
	result: R,
	sent: ServiceRecord,
	evidence: Omit<Evidence, 'by' | 'sent' | 'record'>,
): R & { created?: boolean } {
	const { record } = result;
	const { created, linked } = outcomeOf({ ...evidence, by: 'upsert', sent, record });
	const outcome = {
		...(linked !== undefined && { linked }),
		...(sent.protocol && { sentProtocol: sent.protocol }),
	};
	return { ...result, created, extra: { ...outcome, ...result.extra } };
}

/** Whether a protocol found a lead, by rules 1 to 3 of 4.3: without an external ID, none is created. */
function isLinked(
	{ externalId }: ServiceRecord,
	answered: ServiceRecord,
	existing?: PriorState['existing'],
	isNew?: boolean,
): boolean | undefined {
	if (isNil(externalId)) return true;
	if ('externalId' in answered && !isSameId(answered.externalId, externalId)) return true;
	// A lead that had the external ID before was updated, whether the ID or the protocol found it.
	if (existing) return isNil(answered.id) ? undefined : !isSameId(answered.id, existing.id);
	if (isNew) return false;
	// The lead of the protocol may have been given the external ID.
	return existing === null && isNew === false ? true : undefined;
}

/** Whether two IDs are the same: the service may store one trimmed or in another case. */
function isSameId(one: unknown, other: unknown): boolean {
	const [a, b] = [one, other].map((id) => String(id ?? '').trim());
	return a.toLowerCase() === b.toLowerCase();
}

/** The outcome that an answer states, in flags or in one word. */
function statedIn(answered: ServiceRecord): { created?: boolean; linked?: boolean } {
	const words = [answered.result, answered.outcome, answered.action];
	const says = (word: string) => {
		const flag = answered[word];
		return words.includes(word) || (typeof flag === 'boolean' ? flag : undefined);
	};
	return {
		created: says('created') ?? (says('updated') ? false : undefined),
		linked: says('linked'),
	};
}

/** Clocks of one service may differ by this much, and times may be cut to minutes. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Whether a record existed before a request was sent.
 *
 * @param since when the request was sent, in ms on the service's clock, or a little earlier
 * @param toleranceMs how much earlier a record must have been created to count as one from before
 */
export function ageOf(
	{ createdAt }: ServiceRecord,
	since: number | undefined,
	toleranceMs = CLOCK_TOLERANCE_MS,
): 'before' | 'since' | 'unclear' {
	const created = parseTime(createdAt);
	if (since === undefined || Number.isNaN(created)) return 'unclear';
	// A time in whole seconds was cut.
	const latest = created % 1000 === 0 ? created + 999 : created;
	if (latest >= since) return 'since';
	return created < since - toleranceMs ? 'before' : 'unclear';
}

/**
 * Whether a record was created more than a second after a request. Times of less may be cut to seconds, so another client may have
 * created the record just before.
 *
 * @param since see {@link ageOf}
 */
export function isCreatedAfter({ createdAt }: ServiceRecord, since: number | undefined): boolean {
	return since !== undefined && parseTime(createdAt) >= since + 1000;
}
