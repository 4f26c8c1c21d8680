/** Decides what became of one lead of a batch, from what the answer states and from the record that was read afterwards. Pure. */
import { ageOf, isCreatedAfter } from '../contract/outcome';
import type { LeadAnswer } from '../contract/batchAnswer';
import { differencesIn, hiddenIn } from '../contract/differences';
import type { ServiceRecord } from '../values/json';

/** The record that the service has for a lead after it was sent, compared with the lead. */
export type StoredLead =
	/** Created since the request. */
	| { kind: 'new'; record: ServiceRecord }
	/** The lead existed before, and has every value that was sent. */
	| { kind: 'same'; record: ServiceRecord }
	| { kind: 'different'; differences: string }
	/** The lead existed before, and does not show every field that was sent. */
	| { kind: 'hidden'; fields: string[] }
	/** The record was read for another external ID as well. */
	| { kind: 'ambiguous'; record: ServiceRecord; externalIds: string[] }
	| { kind: 'missing' };

export type LeadOutcome =
	/** `record`: the lead as it was read. Without it, the answer itself confirmed the lead. */
	| { kind: 'recorded'; record?: ServiceRecord }
	/** The lead is output with `unconfirmed`. */
	| { kind: 'unconfirmed' }
	/** `isOfRequest`: the request as a whole was refused, and not this lead. */
	| { kind: 'refused'; isOfRequest: boolean }
	/** The item fails, because the lead may or may not be recorded. `reason`: why reading it did not settle that. */
	| { kind: 'unclear'; reason?: string };

/** Facts about the whole answer to a batch. */
export interface BatchFacts {
	/** The request was refused. */
	failed: boolean;
	/** An earlier attempt may have been carried out: its answer was lost. */
	isSentBefore: boolean;
	/** Nothing is written yet (202). */
	isAcceptedOnly: boolean;
	/** Whether leads about which the answer is unclear are read. Otherwise they are output as unconfirmed. */
	reads: boolean;
}

/**
 * Decides what became of a lead. Where the answer does not state it, the record does: one that has every value that was sent is
 * the lead.
 *
 * @param stored undefined if it was not read
 */
export function outcomeOfLead(
	statement: LeadAnswer['statement'],
	stored: StoredLead | undefined,
	{ failed, isSentBefore, isAcceptedOnly, reads }: BatchFacts,
): LeadOutcome {
	if (statement === 'recorded') return { kind: 'recorded' };
	if (stored?.kind === 'new' || stored?.kind === 'same') {
		return { kind: 'recorded', record: stored.record };
	}
	// After a 202, a lead may be recorded later; one that was not read may be recorded already.
	const isUnconfirmed =
		statement === 'nothing'
			? !stored || isAcceptedOnly
			: statement === 'unclear' && !failed && !reads;
	if (isUnconfirmed) return { kind: 'unconfirmed' };
	const isUnrecorded = !isSentBefore || stored?.kind === 'missing' || stored?.kind === 'different';
	if (statement === 'refused' || (failed && isUnrecorded)) {
		return { kind: 'refused', isOfRequest: statement !== 'refused' };
	}
	return { kind: 'unclear', reason: stored && reasonOf(stored) };
}

/**
 * Compares a lead with the record that was read after the request. A lead that existed before may have been refused and still
 * have most of the values, so it counts as recorded only if it shows every one.
 *
 * @param record undefined if there is none
 * @param serverSentAt on the service's clock, if that is shown
 */
export function compareStored(
	sent: ServiceRecord,
	record: ServiceRecord | undefined,
	serverSentAt: number | undefined,
): StoredLead {
	if (!record) return { kind: 'missing' };
	const differences = differencesIn(sent, record);
	const isNew =
		ageOf(record, serverSentAt) === 'since' &&
		(differences === undefined || isCreatedAfter(record, serverSentAt));
	if (isNew) return { kind: 'new', record };
	if (differences !== undefined) return { kind: 'different', differences };
	const fields = hiddenIn(sent, record);
	return fields.length > 0 ? { kind: 'hidden', fields } : { kind: 'same', record };
}

/** The most external IDs in a message. */
const MAX_IDS = 5;

function reasonOf(stored: Exclude<StoredLead, { kind: 'new' | 'same' }>): string {
	switch (stored.kind) {
		case 'ambiguous':
			return `The service shows the lead with the ID "${String(stored.record.id)}" for several external IDs: ${stored.externalIds.slice(0, MAX_IDS).join(', ')}.`;
		case 'missing':
			return 'No lead has this external ID.';
		case 'different':
			return `The service has it with other values: ${stored.differences}`;
		case 'hidden':
			return `The service had it before, and does not show ${stored.fields.join(', ')}.`;
	}
}
