/**
 * Finds out what became of the leads of a batch about which its answer is unclear: reads them, compares each with what was sent,
 * and decides.
 */
import { isEmpty, pick } from 'lodash';

import type { LeadAnswer } from '../contract/batchAnswer';
import { differencesIn, hiddenIn } from '../contract/differences';
import { ageOf, isCreatedAfter, type sendHistoryOf } from '../contract/outcome';
import type { RunState } from '../run/runState';
import { readSentLead } from '../run/unanswered';
import { inParallel } from '../transport/parallel';
import { isExplained } from '../userError';
import { isBlank } from '../values/convert';
import { hasId, type ServiceRecord } from '../values/json';

/** A lead of a batch, and what the answer states about it. */
export interface AnsweredLead extends LeadAnswer {
	/** As it was sent. */
	body: ServiceRecord;
	history: ReturnType<typeof sendHistoryOf>;
	/** Whether it is read if the answer is unclear about it. Otherwise it is output as unconfirmed. */
	isToRead: boolean;
}

/** The record that the service has for a lead after it was sent, compared with the lead. */
export type StoredLead =
	/** Created since the request, or it has every value that was sent. */
	| { kind: 'confirmed'; record: ServiceRecord }
	/**
	 * It existed before, and does not show every field that was sent; or the record was read for another external ID as well.
	 * `reason`: why it does not confirm the lead.
	 */
	| { kind: 'missing' | 'different' | 'hidden' | 'ambiguous'; reason: string };

export type LeadOutcome =
	/** `record`: the lead as it was read. Without it, the answer itself confirmed the lead. */
	| { kind: 'recorded'; record?: ServiceRecord }
	/** The lead is output with `unconfirmed`. */
	| { kind: 'unconfirmed' }
	/** `isOfRequest`: the request as a whole was refused, and not this lead. */
	| { kind: 'refused'; isOfRequest: boolean }
	/** The item fails, because the lead may or may not be recorded. `reason`: why reading it did not settle that. */
	| { kind: 'unclear'; reason?: string };

/**
 * Decides what became of a lead. Where the answer does not state it, the record does: one that has every value that was sent is
 * the lead.
 *
 * @param stored undefined if it was not read
 * @param facts.failed the request was refused
 * @param facts.isSentBefore an earlier request may have been carried out: its answer was lost
 * @param facts.isAcceptedOnly nothing is written yet (202)
 * @param facts.isToRead see {@link AnsweredLead}
 */
export function outcomeOfLead(
	statement: LeadAnswer['statement'],
	stored: StoredLead | undefined,
	facts: { failed: boolean; isSentBefore: boolean; isAcceptedOnly: boolean; isToRead: boolean },
): LeadOutcome {
	const { failed, isSentBefore, isAcceptedOnly, isToRead } = facts;
	if (statement === 'recorded') return { kind: 'recorded' };
	if (stored?.kind === 'confirmed') return { kind: 'recorded', record: stored.record };
	// After a 202, a lead may be recorded later; one that was not read may be recorded already.
	const isUnconfirmed =
		statement === 'nothing'
			? !stored || isAcceptedOnly
			: statement === 'unclear' && !failed && !isToRead;
	if (isUnconfirmed) return { kind: 'unconfirmed' };
	const isUnrecorded = !isSentBefore || stored?.kind === 'missing' || stored?.kind === 'different';
	if (statement === 'refused' || (failed && isUnrecorded)) {
		return { kind: 'refused', isOfRequest: statement !== 'refused' };
	}
	return { kind: 'unclear', reason: stored?.reason };
}

/**
 * Compares a lead with the record that was read after the request. A lead that existed before may have been refused and still
 * have most of the values, so it counts as recorded only if it shows every one.
 *
 * @param record null if there is none
 * @param serverSentAt on the service's clock, if that is shown
 */
export function compareStored(
	sent: ServiceRecord,
	record: ServiceRecord | null,
	serverSentAt: number | undefined,
): StoredLead {
	if (!record) return { kind: 'missing', reason: 'No lead has this external ID.' };
	const differences = differencesIn(sent, record);
	const isNew =
		ageOf(record, serverSentAt) === 'since' &&
		(differences === undefined || isCreatedAfter(record, serverSentAt));
	if (isNew) return { kind: 'confirmed', record };
	if (differences !== undefined) {
		return {
			kind: 'different',
			reason: `The service has it with other values: ${differences}`,
		};
	}
	const fields = hiddenIn(sent, record);
	if (fields.length === 0) return { kind: 'confirmed', record };
	const reason = `The service had it before, and does not show ${fields.join(', ')}.`;
	return { kind: 'hidden', reason };
}

/** Reads leads about which an answer is unclear, for all batches of a run. */
export class UnclearLeads {
	/** The external IDs for which each record was read, by its ID. */
	private readonly idsOf = new Map<string, Set<string>>();

	/** Reads leads by their external ID (spec 4.2), one request each, and compares them with what was sent. */
	async read(leads: AnsweredLead[], runState: RunState): Promise<Map<AnsweredLead, StoredLead>> {
		const stored = new Map<AnsweredLead, StoredLead>();
		const readOne = async (lead: AnsweredLead) => {
			const { body, history } = lead;
			const read = async () => {
				const shown = await readSentLead(body.externalId, runState, LEADS_UNREAD);
				const isHidden = shown && !isEmpty(hiddenIn(pick(body, 'contact'), shown));
				// Leads show no phone (spec 2).
				return isHidden ? { ...shown, contact: await runState.finder.contactOf(shown) } : shown;
			};
			const found = await runState.outage.retry(read).catch((reason: unknown) => {
				if (!isExplained(reason)) throw reason;
				const { message, description } = reason;
				runState.hints.add(`Unconfirmed leads could not be read. ${message}. ${description}`);
				return undefined;
			});
			if (found === undefined) return;
			stored.set(lead, compareStored(body, found, history.serverSentAt));
		};
		const named = leads.filter(({ body, isToRead }) => isToRead && !isBlank(body.externalId));
		// The first one shows whether the key permits it.
		const [first, ...others] = named;
		if (first) await readOne(first);
		await inParallel(others, readOne);
		this.rejectAmbiguous(stored);
		return stored;
	}

	/**
	 * One record is one lead: a record that was read for several external IDs confirms none of them. One that an earlier batch
	 * has confirmed is named.
	 */
	private rejectAmbiguous(stored: Map<AnsweredLead, StoredLead>): void {
		const withRecord = [...stored].flatMap(([lead, found]) =>
			found.kind === 'confirmed' && hasId(found.record)
				? { lead, id: String(found.record.id) }
				: [],
		);
		for (const { lead, id } of withRecord) {
			const externalIds = this.idsOf.get(id) ?? new Set();
			this.idsOf.set(id, externalIds.add(String(lead.body.externalId)));
		}
		for (const { lead, id } of withRecord) {
			const externalIds = [...this.idsOf.get(id)!];
			if (externalIds.length === 1) continue;
			const named = externalIds.slice(0, MAX_IDS).join(', ');
			const reason = `The service shows the lead with the ID "${id}" for several external IDs: ${named}.`;
			stored.set(lead, { kind: 'ambiguous', reason });
		}
	}
}

const LEADS_UNREAD =
	'Unconfirmed leads could not be read: the API key needs the scope "leads:read".';

/** The most external IDs in a message. */
const MAX_IDS = 5;
