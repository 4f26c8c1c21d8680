/**
 * Finds out what became of the leads of a batch, and makes the result of each: those about which its answer is unclear are read, and
 * compared with what was sent.
 */
import { get, isEmpty, map, omit, pick } from 'lodash';

import { excerptOf, parseBatchAnswer, type LeadAnswer } from '../contract/batchAnswer';
import {
	differencesIn,
	hadId,
	hiddenIn,
	noteDifferences,
	noteUnlooked,
	remarkReplaced,
	withRemark,
} from '../contract/differences';
import { parseError, parseRecord } from '../contract/envelope';
import { mayMoveContact, NOT_COMPARED } from '../contract/leadKey';
import { ageOf, isCreatedAfter, sendHistoryOf, withOutcome } from '../contract/outcome';
import { pushed } from '../contract/records';
import type { Result } from '../operation';
import { bodyOf, type BatchedItem } from '../prepare/plan';
import type { RunState } from '../run/runState';
import { readSentLead } from '../run/unanswered';
import { inParallel } from '../transport/parallel';
import type { Answer } from '../transport/request';
import { isExplained, UnconfirmedError, UserError, type HintSink } from '../userError';
import { isBlank } from '../values/convert';
import { hasId, isRecord, shorten, type ServiceRecord } from '../values/json';

/** A lead of a batch, and what the answer states about it. */
interface AnsweredLead extends LeadAnswer {
	item: BatchedItem;
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

/** What became of a lead. */
type LeadOutcome =
	/** `record`: the lead as it was read. Without it, the answer itself confirmed the lead. */
	| { kind: 'recorded'; record?: ServiceRecord }
	/** The lead is output with `unconfirmed`. */
	| { kind: 'unconfirmed' }
	/** `isOfRequest`: the request as a whole was refused, and not this lead. */
	| { kind: 'refused'; isOfRequest: boolean }
	/** The item fails, because the lead may or may not be recorded. `reason`: why reading it did not settle that. */
	| { kind: 'unclear'; reason?: string };

/** What became of the leads of all batches of a run. */
export class LeadOutcomes {
	/** The external IDs for which each record was read, by its ID. */
	private readonly idsOf = new Map<string, Set<string>>();

	/** Makes the results of a batch. Leads about which its answer is unclear are read, unless a refusal shows that none was recorded. */
	async resultsOf(
		items: BatchedItem[],
		answer: Answer,
		runState: RunState,
	): Promise<Array<Result | Error>> {
		const { failed = false, envelope, data, isAcceptedOnly = false } = answer;
		const whole = isEmpty(envelope) ? data : envelope;
		const bodies = map(items, 'requestPlan').map(bodyOf);
		const leads = parseBatchAnswer(whole, bodies, failed).map((stated, position): AnsweredLead => {
			const item = items[position];
			const history = sendHistoryOf(item.requestPlan.prior, answer, runState.client);
			const isToRead = item.plan.values.options.readUnconfirmed !== false;
			return { ...stated, item, body: bodies[position], history, isToRead };
		});
		const isUnclear = ({ statement, history }: AnsweredLead) =>
			['unclear', 'nothing'].includes(statement) && (!failed || history.isSentBefore);
		const stored = await this.read(leads.filter(isUnclear), runState);
		const namesSome = leads.some(({ entries }) => entries.length > 0);
		return leads.map((lead) => {
			const { isSentBefore = false } = lead.history;
			const { isToRead } = lead;
			const facts = { failed, isSentBefore, isAcceptedOnly, isToRead };
			const outcome = outcomeOfLead(lead.statement, stored.get(lead), facts);
			return toResult(lead, outcome, { whole, namesSome }, runState);
		});
	}

	/** Reads leads by their external ID (spec 4.2), one request each, and compares them with what was sent. */
	private async read(
		leads: AnsweredLead[],
		runState: RunState,
	): Promise<Map<AnsweredLead, StoredLead>> {
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

/** @param answer the whole answer, and whether it is about single leads */
function toResult(
	lead: AnsweredLead,
	outcome: LeadOutcome,
	{ whole, namesSome }: { whole: unknown; namesSome: boolean },
	{ client: { scrub }, hintsOf }: RunState,
): Result | Error {
	const { entries, item, body } = lead;
	const isNamed = entries.length > 0;
	const entry = mergeEntries(entries);
	const quote = isNamed ? (entry ?? entries[0]) : whole;
	const id = externalIdOf(body);
	const which = id === '' ? 'this lead' : `the lead "${shorten(id)}"`;
	switch (outcome.kind) {
		case 'recorded': {
			const { record } = outcome;
			return recorded(lead, record ?? entry ?? {}, record !== undefined, hintsOf(item.itemIndex));
		}
		case 'unconfirmed':
			hintsOf(item.itemIndex).add(NOT_CONFIRMED);
			return {
				data: { ...externalIdField(body), unconfirmed: true, answer: scrub(excerptOf(quote)) },
				extra: {},
			};
		case 'refused': {
			const what = outcome.isOfRequest ? `the request with ${which}` : which;
			// The errors of the whole answer are reasons for other leads.
			const reasons = !isNamed && isRecord(quote) ? omit(quote, 'errors') : quote;
			const stated = isEmpty(reasons) ? OTHERS_REFUSED : parseError(reasons).message;
			const reason = scrub(stated ?? excerptOf(reasons));
			return new UserError(
				`The leads service did not accept ${what}: ${shorten(reason)}`,
				'Correct what it refused and run it again.',
			);
		}
		case 'unclear': {
			const { reason } = outcome;
			const quoted =
				namesSome && !isNamed ? ', and names others only' : `: ${shorten(scrub(excerptOf(quote)))}`;
			const finding = reason ? ', and the service does not hold it as it was sent' : '';
			return new UnconfirmedError(`The answer does not confirm ${which}${finding}${quoted}`, {
				all: scrub(
					reason ?? 'The lead may have been recorded: look it up before it is sent again.',
				),
				panel:
					'Set Options > Batch Size to 1 to see the answer for each lead. If the service records leads later, switch off Options > Read Unconfirmed Leads.',
			});
		}
	}
}

/** @param isRead the record was read after the request */
function recorded(
	{ item, body, history }: AnsweredLead,
	record: ServiceRecord,
	isRead: boolean,
	hints: HintSink,
): Result {
	const { existing } = item.requestPlan.prior;
	const { extra } = withRemark(
		{ extra: isRead ? { confirmedBy: 'reading' } : {} },
		noteDifferences(body, record, hints, !isRead),
		remarkReplaced(body, existing, hints),
	);
	const outcome = withOutcome({ record, extra }, body, { ...history, isRead });
	const { created } = outcome;
	// No lead was found by the email or the phone, which is its external ID.
	const isFoundById = existing === null && created === false;
	const result = isFoundById ? withRemark(outcome, hadId(body, record)) : outcome;
	const isLookedUp = existing !== undefined;
	// A new lead may have got the contact of somebody with the same email, and then its name shows that.
	const isCompared = isLookedUp || (created === true && !isBlank(get(record, 'contact.name')));
	if (!isCompared && mayMoveContact(body)) hints.add(NOT_COMPARED);
	if (!isLookedUp && created !== true) noteUnlooked(body, hints);
	// The outcome comes before the record's fields.
	const happened = { ...(created !== undefined && { created }), ...result.extra };
	return { record: { ...externalIdField(body), ...happened, ...record }, created, extra: {} };
}

/** The external ID of a lead, or an empty string. */
const externalIdOf = ({ externalId }: ServiceRecord) =>
	isBlank(externalId) ? '' : String(externalId);

/** The external ID as a field of the output, if the lead has one. */
const externalIdField = (body: ServiceRecord) =>
	externalIdOf(body) === '' ? {} : pick(body, 'externalId');

const OTHERS_REFUSED = 'its reasons are about other leads of the request';

const NOT_CONFIRMED =
	'The answer does not confirm some leads: they have "unconfirmed" in the output. Check one with Sync > Get.';

/** Merges all entries about one lead into one record. */
function mergeEntries(entries: unknown[]): ServiceRecord | undefined {
	const records = entries.filter(isRecord).map((record) => parseRecord(record, pushed.singular));
	return records.length > 0 ? records.reduce((all, one) => ({ ...all, ...one })) : undefined;
}
