/** Decides what became of one lead of a batch, from what the answer states and what the service holds afterwards. Pure. */
import { ageOf, isCreatedAfter } from '../contract/age';
import type { LeadAnswer } from '../contract/batchAnswer';
import { differencesIn, hiddenIn } from '../contract/differences';
import type { ServiceRecord } from '../values/json';

/** What the service holds after a lead was sent. */
export type Held =
	/** Created since the request. */
	| { is: 'new'; record: ServiceRecord }
	/** The lead existed before, and has every value that was sent. */
	| { is: 'same'; record: ServiceRecord }
	| { is: 'different'; differences: string }
	/** The lead existed before, and does not show every field that was sent. */
	| { is: 'hidden'; fields: string[] }
	/** The record was read for another external ID as well. */
	| { is: 'shared'; record: ServiceRecord }
	| { is: 'missing' };

export type Verdict =
	/** `record`: the lead as it was read. Without it, the answer itself confirmed the lead. */
	| { is: 'recorded'; record?: ServiceRecord }
	/** The lead is output with `unconfirmed`. */
	| { is: 'passed' }
	/** `isOfRequest`: the request as a whole was refused, and not this lead. */
	| { is: 'refused'; isOfRequest: boolean }
	/** The item fails, because the lead may or may not be recorded. `reason`: why reading it did not settle that. */
	| { is: 'unknown'; reason?: string };

/** Facts about the whole answer to a batch. */
export interface BatchFacts {
	/** The request was refused. */
	failed: boolean;
	/** Nothing is written yet (202). */
	isAcceptedOnly: boolean;
	/** Whether leads about which the answer is unclear are read. Otherwise they pass. */
	reads: boolean;
}

/** What the service holds decides where the answer does not: a lead that has every value that was sent is recorded. */
export function verdictOf(
	states: LeadAnswer['statement'],
	held: Held | undefined,
	{ failed, isAcceptedOnly, reads }: BatchFacts,
): Verdict {
	if (states === 'recorded') return { is: 'recorded' };
	if (held?.is === 'new' || held?.is === 'same') return { is: 'recorded', record: held.record };
	// After a 202, a lead may be recorded later; one that was not read may be recorded already.
	const passes =
		states === 'nothing' ? !held || isAcceptedOnly : states === 'unclear' && !failed && !reads;
	if (passes) return { is: 'passed' };
	if (states === 'refused' || failed) return { is: 'refused', isOfRequest: states !== 'refused' };
	return { is: 'unknown', reason: held && reasonOf(held) };
}

/**
 * Compares a lead with what the service holds. A lead that existed before may have been refused and still have most of the
 * values, so it counts as recorded only if it shows every one.
 *
 * @param found as it was read after the request
 * @param serverSentAt on the service's clock, if that is shown; undefined if an item before this one may have created it
 */
export function heldOf(
	sent: ServiceRecord,
	found: ServiceRecord | undefined,
	serverSentAt: number | undefined,
): Held {
	if (!found) return { is: 'missing' };
	const differences = differencesIn(sent, found);
	const isNew =
		ageOf(found, serverSentAt) === 'since' &&
		(differences === undefined || isCreatedAfter(found, serverSentAt));
	if (isNew) return { is: 'new', record: found };
	if (differences !== undefined) return { is: 'different', differences };
	const fields = hiddenIn(sent, found);
	return fields.length > 0 ? { is: 'hidden', fields } : { is: 'same', record: found };
}

function reasonOf(held: Exclude<Held, { is: 'new' | 'same' }>): string {
	switch (held.is) {
		case 'shared':
			return `The service shows the lead with the ID "${String(held.record.id)}" for several external IDs.`;
		case 'missing':
			return 'No lead has this external ID.';
		case 'different':
			return `The service has it with other values: ${held.differences}`;
		case 'hidden':
			return `The service had it before, and does not show ${held.fields.join(', ')}.`;
	}
}
