/**
 * Decides whether an item created or linked its record. The documentation does not show the answers to 4.3 and 4.6, so nothing is
 * claimed that an answer does not state. No other file decides this. Pure.
 */
import { isNil } from 'lodash';

import { ageOf } from './age';
import type { Attempt, Sendings } from './attempt';
import type { ServiceRecord } from '../values/json';

/** The facts that show whether an item created its record. */
export interface Evidence extends Sendings {
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
	/** See {@link Attempt}. Here it is the record as it was before the first sending. */
	existing?: Attempt['existing'];
}

/** @returns only what is known */
export function outcomeOf({
	by,
	sent = {},
	record = {},
	status,
	serverSentAt,
	existing,
	isSentBefore = false,
}: Evidence): { created?: boolean; linked?: boolean } {
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
	evidence: Evidence,
): R & { created?: boolean } {
	const { created, linked } = outcomeOf({ ...evidence, sent, record: result.record });
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
	existing?: Attempt['existing'],
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
