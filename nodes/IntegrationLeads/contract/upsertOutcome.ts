/**
 * What a lead that was sent became, as far as the answer shows it. The answers to spec 4.3 and 4.6 are not shown, so
 * nothing is claimed that this one leaves open. Pure.
 */
import { isNil, omitBy } from 'lodash';

import { ageOf } from './age';
import type { ServiceRecord } from './envelope';

/** The fields of the outcome. */
export const outcomeFields = {
	/** False for a lead that existed before. */
	created: 'boolean',
	/** Whether the protocol found a lead. */
	linked: 'boolean',
	/** The code that was found in the field Protocol. */
	sentProtocol: 'string',
	/** What came back with another value than the one sent, in words. */
	differences: 'string',
	/** A status, priority or source that no lead had before, in words. */
	newValue: 'string',
} as const;

/**
 * @param sent the fields that were sent
 * @param answered the lead that came back, with what the answer says of it
 * @param status of the answer, if it is about this lead alone
 * @param sentAt when the request was sent, in ms on the service's clock
 * @param existing the lead with the external ID as it was before, null if there was none; undefined where nobody looked
 */
export function upsertOutcome(
	sent: ServiceRecord,
	answered: ServiceRecord = {},
	{
		status,
		sentAt,
		existing,
	}: { status?: number; sentAt?: number; existing?: ServiceRecord | null } = {},
): ServiceRecord {
	const stated = statedIn(answered);
	const existed = ageOf(answered, sentAt) === 'before' ? false : undefined;
	// Without a protocol, it is the lead with the external ID.
	const lacked = existing ? false : existing === null && !sent.protocol ? true : undefined;
	const isNew = stated.created ?? existed ?? lacked ?? (status === 201 ? true : undefined);
	const linked = sent.protocol ? isLinked(sent, answered, { stated, isNew, existing }) : false;
	const created = stated.created ?? (linked === true ? false : isNew);
	return omitBy({ created, linked, sentProtocol: sent.protocol }, isNil);
}

/** By rules 1 to 3 of 4.3: without an external ID only a lead that is found can be the result, and none is created then. */
function isLinked(
	{ externalId }: ServiceRecord,
	answered: ServiceRecord,
	{ stated, isNew, existing }: { stated: Stated; isNew?: boolean; existing?: ServiceRecord | null },
): boolean | undefined {
	if (stated.linked !== undefined) return stated.linked;
	if (stated.created) return false;
	if (isNil(externalId)) return true;
	if ('externalId' in answered && !isSameId(answered.externalId, externalId)) return true;
	// One that had the external ID before was updated, by whatever it was found.
	if (existing) return isNil(answered.id) ? undefined : !isSameId(answered.id, existing.id);
	if (isNew) return false;
	// The lead of the protocol may have been given the external ID.
	return existing === null && isNew === false ? true : undefined;
}

/** The service may store an ID trimmed or in another case. */
function isSameId(one: unknown, other: unknown): boolean {
	const [a, b] = [one, other].map((id) => (isNil(id) ? '' : String(id).trim().toLowerCase()));
	return a === b;
}

interface Stated {
	created?: boolean;
	linked?: boolean;
}

/** Flags, or one word of an outcome. */
function statedIn(answered: ServiceRecord): Stated {
	const flag = (name: string) => {
		const value = answered[name];
		return typeof value === 'boolean' ? value : undefined;
	};
	const words = [answered.result, answered.outcome, answered.action];
	const isWord = (word: string) => words.includes(word) || undefined;
	const isUpdate = isWord('updated') ?? isWord('linked') ?? flag('updated');
	return {
		created: flag('created') ?? isWord('created') ?? (isUpdate ? false : undefined),
		linked: flag('linked') ?? isWord('linked'),
	};
}
