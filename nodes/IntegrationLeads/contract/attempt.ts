/**
 * Decides what to do with a write that may have been carried out already: n8n runs a node again after a failure, and an answer
 * may be lost. Pure.
 */
import { minBy } from 'lodash';

import { hasId, type ServiceRecord } from '../values/json';
import { ageOf } from './age';
import { differencesIn, hiddenIn } from './differences';

/** What is known about a write before it is sent. Plain data, because n8n stores it. */
export interface Attempt {
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

/** Which sendings of a write may have been carried out. */
export interface Sendings {
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
export const sendingsOf = (
	{ firstSentAt, existing }: Attempt,
	{ serverSentAt, isSentBefore }: Sendings,
	service: { toServerTime(time: number): number | undefined },
): Sendings & Pick<Attempt, 'existing'> =>
	firstSentAt === undefined
		? { serverSentAt, isSentBefore, existing }
		: { serverSentAt: service.toServerTime(firstSentAt), isSentBefore: true };

export function decide(
	{ firstSentAt, existing }: Attempt,
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
