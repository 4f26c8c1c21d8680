/** Pushes items in batches, and makes one result for each item from the answer. */
import { get, isEmpty, isError, omit, pick } from 'lodash';

import { type PriorState, decide, sendHistoryOf, withOutcome } from '../contract/outcome';
import { excerptOf, parseBatchAnswer } from '../contract/batchAnswer';
import {
	hadId,
	noteDifferences,
	noteUnlooked,
	remarkReplaced,
	withRemark,
} from '../contract/differences';
import { parseError, parseRecord } from '../contract/envelope';
import { mayMoveContact, NOT_COMPARED } from '../contract/leadKey';
import { isRecord, shorten, type ServiceRecord } from '../values/json';
import { pushed } from '../contract/records';
import type { RequestStep, Result } from '../operation';
import { clock } from '../transport/clock';
import type { Answer, ServiceRequest } from '../transport/request';
import { mayHaveArrived, UnconfirmedError, UserError } from '../userError';
import { isBlank } from '../values/convert';
import { bodyOf, planRequest, type RequestPlan, type PlannedItem } from '../prepare/plan';
import { toOutputItems } from '../output/output';
import type { ItemResult } from '../run/itemLoop';
import { unclearError } from '../run/ledger';
import type { RunState } from '../run/runState';
import {
	outcomeOfLead,
	type AnsweredLead,
	type LeadOutcome,
	type UnclearLeads,
} from './leadOutcome';

/** The field of the request with the leads. Assumed: the spec names the route only. */
const LIST = 'leads';

/** An item, and the request that would send it alone. */
export type BatchedItem = PlannedItem & { requestPlan: RequestPlan };

/**
 * The item with the request that would send it alone.
 *
 * @param externalId that of the lead which was found, if the item has none
 * @param prior what is known of the lead
 */
export function toBatched(
	item: PlannedItem,
	step: RequestStep,
	externalId?: string,
	prior: PriorState = {},
): BatchedItem {
	const { values } = item.plan;
	const body = externalId === undefined ? values.body : { ...values.body, externalId };
	return { ...item, requestPlan: planRequest(step, { ...values, body }, item.plan, prior) };
}

/** Pushes batches. */
export class BatchPush {
	constructor(
		private readonly runState: RunState,
		private readonly unclear: UnclearLeads,
	) {}

	/** @param items of which all, or none, may be sent again after a lost answer */
	async push(items: BatchedItem[]): Promise<ItemResult[]> {
		const toSend = items.filter((item) => isToSend(this.withPrior(item)));
		let begun: number | undefined;
		const onSend = () => (begun ??= this.runState.ledger.count());
		const sent =
			toSend.length > 0 ? await resultOrError(this.pushUntilAnswered(toSend, onSend)) : [];
		return items.map((item): ItemResult => {
			const position = toSend.indexOf(item);
			if (position < 0) return unclearError();
			const result = isError(sent) ? sent : sent[position];
			if (isError(result)) return result;
			const { repeatable: isRepeatable } = item.requestPlan.request;
			const shared = { isRepeatable, begun: begun ?? 0 };
			const kept = this.runState.ledger.keepResult(item, result, shared);
			return toOutputItems(item.plan, kept);
		});
	}

	/** Sends one request, and tries it again in an outage, and reads the leads about which its answer is unclear. */
	private async pushUntilAnswered(
		items: BatchedItem[],
		onSend: () => void,
	): Promise<Array<Result | Error>> {
		const { ledger, outage } = this.runState;
		const sendOnce = async () => {
			const tried = items.map((item) => this.withPrior(item));
			if (!tried.every(isToSend)) throw unclearError();
			const sentAt = clock.now();
			const noteAllMayHaveArrived = () =>
				tried.forEach((item) => ledger.noteMayHaveArrived(item, sentAt));
			let isSent = false;
			const send = async () =>
				await this.sendRequest(tried, () => {
					isSent = true;
					onSend();
				});
			const answer = await ledger
				.ifStopped(() => isSent && noteAllMayHaveArrived(), send)
				.catch((reason: unknown) => {
					if (mayHaveArrived(reason)) noteAllMayHaveArrived();
					throw reason;
				});
			return { tried, sentAt, noteAllMayHaveArrived, answer };
		};
		const { tried, sentAt, noteAllMayHaveArrived, answer } = await outage.retry(sendOnce);
		const parse = async () => await this.resultsOf(tried, answer);
		const results = await ledger.ifStopped(noteAllMayHaveArrived, parse);
		for (const [position, item] of tried.entries()) {
			if (mayHaveArrived(results[position])) ledger.noteMayHaveArrived(item, sentAt);
		}
		return results;
	}

	/** The item with what is known of its earlier tries now. */
	private withPrior(item: BatchedItem): BatchedItem {
		const { firstSentAt } = this.runState.ledger.entryOf(item);
		const { requestPlan } = item;
		const prior = { ...requestPlan.prior, firstSentAt };
		return { ...item, requestPlan: { ...requestPlan, prior } };
	}

	private async sendRequest(items: BatchedItem[], onSend: () => void): Promise<Answer> {
		const leads = items.map(leadOf);
		const request: ServiceRequest = {
			...items[0].requestPlan.request,
			body: { [LIST]: leads },
			onSend,
			mayHaveArrived: items.some(({ requestPlan }) => requestPlan.prior.firstSentAt !== undefined),
			// Of what was sent before, some may be recorded although this request is refused as a whole.
			isAnswer: (body, isSentBefore) =>
				isSentBefore ||
				parseBatchAnswer(body, leads, true).some(({ statement }) => statement !== 'unclear'),
		};
		// What is known of the first lead alone does not explain why several are refused.
		const context = {
			...items[0].requestPlan.errorContext,
			...(items.length > 1 && { hasOnlyCode: false }),
		};
		return await this.runState.client.send(request, context);
	}

	/** Reads the leads about which the answer is unclear, unless a refusal shows that nothing was recorded. */
	private async resultsOf(items: BatchedItem[], answer: Answer): Promise<Array<Result | Error>> {
		const { failed = false, envelope, data, isAcceptedOnly = false } = answer;
		const { client } = this.runState;
		const whole = isEmpty(envelope) ? data : envelope;
		const leads = parseBatchAnswer(whole, items.map(leadOf), failed).map(
			(stated, position): AnsweredLead => {
				const item = items[position];
				const history = sendHistoryOf(item.requestPlan.prior, answer, client);
				const { readUnconfirmed } = item.plan.values.options;
				return { ...stated, body: leadOf(item), history, isToRead: readUnconfirmed !== false };
			},
		);
		const isUnclear = ({ statement, history }: AnsweredLead) =>
			['unclear', 'nothing'].includes(statement) && (!failed || history.isSentBefore);
		const stored = await this.unclear.read(leads.filter(isUnclear), this.runState);
		const namesSome = leads.some(({ entries }) => entries.length > 0);
		return leads.map((lead, position) => {
			const { isSentBefore = false } = lead.history;
			const { isToRead } = lead;
			const facts = { failed, isSentBefore, isAcceptedOnly, isToRead };
			const outcome = outcomeOfLead(lead.statement, stored.get(lead), facts);
			return this.toResult(items[position], lead, outcome, { whole, namesSome });
		});
	}

	/** @param answer the whole answer, and whether it is about single leads */
	private toResult(
		item: BatchedItem,
		lead: AnsweredLead,
		outcome: LeadOutcome,
		{ whole, namesSome }: { whole: unknown; namesSome: boolean },
	): Result | Error {
		const { scrub } = this.runState.client;
		const { entries } = lead;
		const isNamed = entries.length > 0;
		const entry = mergeEntries(entries);
		const quote = isNamed ? (entry ?? entries[0]) : whole;
		const id = externalIdOf(item);
		const which = id === '' ? 'this lead' : `the lead "${shorten(id)}"`;
		switch (outcome.kind) {
			case 'recorded': {
				const { record } = outcome;
				return this.recorded(item, lead, record ?? entry ?? {}, record !== undefined);
			}
			case 'unconfirmed':
				this.runState.hintsOf(item.itemIndex).add(NOT_CONFIRMED);
				return {
					data: { ...externalIdField(item), unconfirmed: true, answer: scrub(excerptOf(quote)) },
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
					namesSome && !isNamed
						? ', and names others only'
						: `: ${shorten(scrub(excerptOf(quote)))}`;
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
	private recorded(
		item: BatchedItem,
		{ body, history }: AnsweredLead,
		record: ServiceRecord,
		isRead: boolean,
	): Result {
		const hints = this.runState.hintsOf(item.itemIndex);
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
		return { record: { ...externalIdField(item), ...happened, ...record }, created, extra: {} };
	}
}

/** Resolves with the error instead of rejecting. */
export const resultOrError = async <T>(work: Promise<T>) =>
	await work.catch((reason: Error) => reason);

/** Whether nothing speaks against sending a lead. */
const isToSend = ({ requestPlan: { prior, request } }: BatchedItem) =>
	decide(prior, { isRepeatable: request.repeatable, isListed: false }) === 'send';

const leadOf = ({ requestPlan }: BatchedItem) => bodyOf(requestPlan);

/** The external ID of the item's lead, or an empty string. */
const externalIdOf = (item: BatchedItem) =>
	isBlank(leadOf(item).externalId) ? '' : String(leadOf(item).externalId);

/** The external ID as a field of the output, if the lead has one. */
const externalIdField = (item: BatchedItem) =>
	externalIdOf(item) === '' ? {} : pick(leadOf(item), 'externalId');

const OTHERS_REFUSED = 'its reasons are about other leads of the request';

const NOT_CONFIRMED =
	'The answer does not confirm some leads: they have "unconfirmed" in the output. Check one with Sync > Get.';

/** Merges all entries about one lead into one record. */
function mergeEntries(entries: unknown[]): ServiceRecord | undefined {
	const records = entries.filter(isRecord).map((record) => parseRecord(record, pushed.singular));
	return records.length > 0 ? records.reduce((all, one) => ({ ...all, ...one })) : undefined;
}
