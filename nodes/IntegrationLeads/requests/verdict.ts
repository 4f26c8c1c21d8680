/** What became of one lead of a batch, by what the answer states and by what the service holds after it. Pure. */
import { ageOf } from '../contract/age';
import type { LeadAnswer } from '../contract/batchAnswer';
import { differencesIn, hiddenIn } from '../contract/differences';
import type { ServiceRecord } from '../values/json';

/** What the service holds of a lead that was sent. */
export type Held =
	/** Created since the request. */
	| { is: 'new'; record: ServiceRecord }
	/** It was there before, and has every value that was sent. */
	| { is: 'same'; record: ServiceRecord }
	| { is: 'different'; differences: string }
	/** It was there before, and does not show all that was sent. */
	| { is: 'hidden'; fields: string[] }
	| { is: 'missing' };

export type Verdict =
	/** `record`: as it was read; without it, the answer says so. */
	| { is: 'recorded'; record?: ServiceRecord }
	/** It is output with `unconfirmed`. */
	| { is: 'passed' }
	/** `isOfRequest`: the request was refused, and not this lead. */
	| { is: 'refused'; isOfRequest: boolean }
	/** It fails, since it may be recorded or not. `reason`: why what the service holds does not settle it. */
	| { is: 'unknown'; reason?: string };

/** What holds for all leads of an answer. */
export interface BatchFacts {
	/** The request was refused. */
	failed: boolean;
	/** Nothing is written yet (202). */
	isAcceptedOnly: boolean;
	/** Leads about which the answer is unclear are read; without it, they pass. */
	reads: boolean;
	/** The answer counts fewer leads as recorded than were found. */
	isTooMany: boolean;
}

export function verdictOf(
	{ states, isMentioned }: Pick<LeadAnswer, 'states' | 'isMentioned'>,
	held: Held | undefined,
	{ failed, isAcceptedOnly, reads, isTooMany }: BatchFacts,
): Verdict {
	if (states === 'recorded') return { is: 'recorded' };
	// One that was there before passes only if the answer, read as doubtfully as can be, leaves room for it.
	const isThere = held?.is === 'new' || (held?.is === 'same' && !isMentioned && !isTooMany);
	if (isThere) return { is: 'recorded', record: held.record };
	// What is only accepted may be recorded later, and what was not asked may be recorded.
	const passes =
		states === 'nothing' ? !held || isAcceptedOnly : states === 'unclear' && !failed && !reads;
	if (passes) return { is: 'passed' };
	if (states === 'refused' || failed) return { is: 'refused', isOfRequest: states !== 'refused' };
	return { is: 'unknown', reason: held && reasonOf(held, isMentioned) };
}

/**
 * An older lead may have been refused, and have most of its values from before: every one that was sent must be there.
 *
 * @param found as it was read after the request
 * @param serverSentAt on the service's clock, if that is shown; undefined where an item before this one may have created it
 */
export function heldOf(
	sent: ServiceRecord,
	found: ServiceRecord | undefined,
	serverSentAt: number | undefined,
): Held {
	if (!found) return { is: 'missing' };
	if (ageOf(found, serverSentAt) === 'since') return { is: 'new', record: found };
	const differences = differencesIn(sent, found);
	if (differences !== undefined) return { is: 'different', differences };
	const fields = hiddenIn(sent, found);
	return fields.length > 0 ? { is: 'hidden', fields } : { is: 'same', record: found };
}

function reasonOf(held: Held, isMentioned: boolean): string {
	switch (held.is) {
		case 'missing':
			return 'No lead has this external ID.';
		case 'different':
			return `The service has it with other values: ${held.differences}`;
		case 'hidden':
			return `The service had it before, and does not show ${held.fields.join(', ')}.`;
		default: {
			const doubt = isMentioned ? 'says something of it' : 'counts fewer leads as recorded';
			return `The service had it before with the same values, and the answer ${doubt}.`;
		}
	}
}
