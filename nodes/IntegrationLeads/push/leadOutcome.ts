/**
 * Finds out what became of the leads of a batch about which its answer is unclear: reads them, compares each with what was sent,
 * and decides.
 */
import { isEmpty, pick } from 'lodash';

import type { LeadAnswer } from '../contract/batchAnswer';
import { differencesIn, hiddenIn } from '../contract/differences';
import { ageOf, isCreatedAfter, type SendHistory } from '../contract/outcome';
import type { RunState } from '../run/runState';
import { readSentLead } from '../run/sentRecord';
import { inParallel } from '../transport/parallel';
import { isExplained } from '../userError';
import { isBlank } from '../values/convert';
import { hasId, type ServiceRecord } from '../values/json';

/** A lead that was sent in a batch. */
export interface SentLead {
	body: ServiceRecord;
	history: SendHistory;
}

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
 * @param record null if there is none
 * @param serverSentAt on the service's clock, if that is shown
 */
export function compareStored(
	sent: ServiceRecord,
	record: ServiceRecord | null,
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

/** Reads leads about which an answer is unclear, for all batches of a run. */
export class UnclearLeads {
	/** The external IDs for which each record was read, by its ID. */
	private readonly idsOf = new Map<string, Set<string>>();

	/** @param areRead without it, they are output as unconfirmed */
	constructor(readonly areRead: boolean) {}

	/** Reads leads by their external ID (spec 4.2), one request each, and compares them with what was sent. */
	async read<L extends SentLead>(leads: L[], runState: RunState): Promise<Map<L, StoredLead>> {
		const stored = new Map<L, StoredLead>();
		const readOne = async (lead: L) => {
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
		const named = leads.filter(({ body }) => !isBlank(body.externalId));
		// The first one shows whether the key permits it.
		const [first, ...others] = this.areRead ? named : [];
		if (first) await readOne(first);
		await inParallel(others, readOne);
		this.rejectAmbiguous(stored);
		return stored;
	}

	/**
	 * One record is one lead: a record that was read for several external IDs confirms none of them. One that an earlier batch
	 * has confirmed is named.
	 */
	private rejectAmbiguous(stored: Map<SentLead, StoredLead>): void {
		const withRecord = [...stored].flatMap(([lead, found]) =>
			'record' in found && hasId(found.record)
				? { lead, record: found.record, id: String(found.record.id) }
				: [],
		);
		for (const { lead, id } of withRecord) {
			const externalIds = this.idsOf.get(id) ?? new Set();
			this.idsOf.set(id, externalIds.add(String(lead.body.externalId)));
		}
		for (const { lead, record, id } of withRecord) {
			const externalIds = [...this.idsOf.get(id)!];
			if (externalIds.length > 1) stored.set(lead, { kind: 'ambiguous', record, externalIds });
		}
	}
}

const LEADS_UNREAD =
	'Unconfirmed leads could not be read: the API key needs the scope "leads:read".';

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
