/** Pushes the items of a batch in one request, unless an earlier try may have and a second time may do harm. */
import { isError, map } from 'lodash';

import { parseBatchAnswer } from '../contract/batchAnswer';
import { decide } from '../contract/outcome';
import type { Result } from '../operation';
import { toOutputItems } from '../output/output';
import { bodyOf, type BatchedItem } from '../prepare/plan';
import type { ItemResult } from '../run/itemLoop';
import { unclearError } from '../run/ledger';
import type { RunState } from '../run/runState';
import { clock } from '../transport/clock';
import type { Answer, ServiceRequest } from '../transport/request';
import { mayHaveArrived } from '../userError';
import type { LeadOutcomes } from './leadOutcome';

/** The field of the request with the leads. Assumed: the spec names the route only. */
const LIST = 'leads';

/** Pushes one batch. */
export class BatchPush {
	/** When it was first sent, see {@link Ledger.count}. */
	private begun?: number;

	constructor(
		private readonly runState: RunState,
		private readonly outcomes: LeadOutcomes,
	) {}

	/** @param items of which all, or none, may be sent again after a lost answer */
	async push(items: BatchedItem[]): Promise<ItemResult[]> {
		const toSend = items.filter((item) => isToSend(this.withPrior(item)));
		const sent = toSend.length > 0 ? await resultOrError(this.pushUntilAnswered(toSend)) : [];
		return items.map((item): ItemResult => {
			const position = toSend.indexOf(item);
			if (position < 0) return unclearError();
			const result = isError(sent) ? sent : sent[position];
			if (isError(result)) return result;
			const { repeatable: isRepeatable } = item.requestPlan.request;
			const shared = { isRepeatable, begun: this.begun ?? 0 };
			const kept = this.runState.ledger.keepResult(item, result, shared);
			return toOutputItems(item.plan, kept);
		});
	}

	/**
	 * Sends the request, again and again in an outage, and finds out what became of each lead. Of what may have arrived, the ledger
	 * notes that.
	 */
	private async pushUntilAnswered(items: BatchedItem[]): Promise<Array<Result | Error>> {
		const { ledger, outage } = this.runState;
		const { tried, sentAt, answer } = await outage.retry(async () => await this.sendOnce(items));
		const find = async () => await this.outcomes.resultsOf(tried, answer, this.runState);
		const results = await ledger.ifStopped(() => this.noteMayHaveArrived(tried, sentAt), find);
		const unclear = tried.filter((_, position) => mayHaveArrived(results[position]));
		this.noteMayHaveArrived(unclear, sentAt);
		return results;
	}

	/** @returns also the items with what is known of their earlier tries, such as the one before in an outage */
	private async sendOnce(
		items: BatchedItem[],
	): Promise<{ tried: BatchedItem[]; sentAt: number; answer: Answer }> {
		const { ledger } = this.runState;
		const tried = items.map((item) => this.withPrior(item));
		if (!tried.every(isToSend)) throw unclearError();
		const sentAt = clock.now();
		const noteAll = () => this.noteMayHaveArrived(tried, sentAt);
		let isSent = false;
		const onSend = () => {
			isSent = true;
			this.begun ??= ledger.count();
		};
		const send = async () => await this.sendRequest(tried, onSend);
		const sending = ledger.ifStopped(() => isSent && noteAll(), send);
		const answer = await sending.catch((reason: unknown) => {
			if (mayHaveArrived(reason)) noteAll();
			throw reason;
		});
		return { tried, sentAt, answer };
	}

	private noteMayHaveArrived(items: BatchedItem[], sentAt: number): void {
		for (const item of items) this.runState.ledger.noteMayHaveArrived(item, sentAt);
	}

	/** The item with what is known of its earlier tries now. */
	private withPrior(item: BatchedItem): BatchedItem {
		const { firstSentAt } = this.runState.ledger.entryOf(item);
		const { requestPlan } = item;
		const prior = { ...requestPlan.prior, firstSentAt };
		return { ...item, requestPlan: { ...requestPlan, prior } };
	}

	private async sendRequest(items: BatchedItem[], onSend: () => void): Promise<Answer> {
		const leads = map(items, 'requestPlan').map(bodyOf);
		const request: ServiceRequest = {
			...items[0].requestPlan.request,
			body: { [LIST]: leads },
			onSend,
			mayHaveArrived: items.some(({ requestPlan }) => requestPlan.prior.firstSentAt !== undefined),
			// Of what was sent before, some may be recorded although this request is refused as a whole.
			isAnswer: (body, isSentAgain) =>
				isSentAgain ||
				parseBatchAnswer(body, leads, true).some(({ statement }) => statement !== 'unclear'),
		};
		// What is known of the first lead alone does not explain why several are refused.
		const context = {
			...items[0].requestPlan.errorContext,
			...(items.length > 1 && { hasOnlyCode: false }),
		};
		return await this.runState.client.send(request, context);
	}
}

/** Resolves with the error instead of rejecting. */
export const resultOrError = async <T>(work: Promise<T>) =>
	await work.catch((reason: Error) => reason);

/** Whether nothing speaks against sending a lead. */
const isToSend = ({ requestPlan: { prior, request } }: BatchedItem) =>
	decide(prior, { isRepeatable: request.repeatable, isListed: false }) === 'send';
