/** Carries out the steps of one item. */
import { isEmpty, isNil } from 'lodash';

import { decide, outcomeOf, sendHistoryOf, withOutcome } from '../contract/outcome';
import { contact as contactShape, type Lookup } from '../contract/records';
import {
	type FindOptions,
	type FindStep,
	type ListOptions,
	type RequestStep,
	type Result,
	type SendOptions,
	type StepFunction,
	type Values,
	onlyReads,
} from '../operation';
import { type PlannedItem, planRequest, type RequestPlan, bodyOf } from '../prepare/plan';
import { clock } from '../transport/clock';
import {
	addRemarks,
	isExplained,
	isNotFound,
	isOutage,
	mayHaveArrived,
	UserError,
} from '../userError';
import { unclearError } from './ledger';
import { readItems } from './listItems';
import { PendingWrite } from './onlyCheck';
import type { RunState } from './runState';
import { readUnshownLead } from './unanswered';
import { hasId, type ServiceRecord, isRecord } from '../values/json';
import { noteDifferences } from '../contract/differences';
import { parseRecord } from '../contract/envelope';
import { unexpectedAnswer } from '../transport/read';

/** Carries out the steps of an item, each write once although n8n may run the node again, and records what they created. */
export class StepRunner {
	/** The record that was looked up last. */
	lastFound?: ServiceRecord;

	private hasSent = false;

	/** Whether a write was carried out. */
	private hasWritten = false;

	/** When writes were sent of which it is not known whether they were carried out. */
	private readonly unanswered = new Map<string, number>();

	/** Sentences about what the steps created. */
	private readonly created: string[] = [];

	/** How often each step was sent. The ledger identifies a write by its step and this number. */
	private readonly counts = new Map<string, number>();

	constructor(
		private readonly item: PlannedItem,
		private readonly runState: RunState,
	) {}

	/** The function for a step, which is passed to `run` of the operation. */
	functionOf(step: RequestStep | FindStep, name: string): StepFunction {
		if ('finds' in step) {
			return async (lookups: Array<Omit<Lookup, 'record'>>, options?: FindOptions) =>
				await this.find(step, lookups, options);
		}
		const { output } = step;
		if (output.kind === 'many') {
			return async (values: Partial<Values>, options?: ListOptions) =>
				await readItems({ ...step, output }, values, this.item.plan, this.runState, options);
		}
		return async (values: Partial<Values>, options?: SendOptions) =>
			await this.carryOut(step, name, values, options);
	}

	/** Notes in the ledger what may have been carried out: when the item has failed, or its execution is stopped. */
	noteMayHaveArrived(begunAt: number): void {
		const { item, runState, unanswered } = this;
		for (const [write, sentAt] of unanswered)
			runState.ledger.noteMayHaveArrived(item, sentAt, write);
		if (this.hasWritten || unanswered.size > 0) runState.ledger.noteMayHaveArrived(item, begunAt);
	}

	/** Adds to a failure what the user has to know about the earlier steps. */
	explain(reason: unknown): unknown {
		if (!isExplained(reason) || onlyReads(this.item.plan.operation)) return reason;
		// The message of a failed request already says whether it was carried out.
		const { hasSent, item } = this;
		const isUntried = !hasSent && isEmpty(this.runState.ledger.entryOf(item));
		const isUnsent = isUntried && reason instanceof UserError;
		return addRemarks(reason, isUnsent ? ['Nothing was sent for this item.'] : this.created);
	}

	private async find(
		{ route, looksUp, finds: record }: FindStep,
		lookups: Array<Omit<Lookup, 'record'>>,
		options?: FindOptions,
	): Promise<Result | undefined> {
		const { client, finder, ledger } = this.runState;
		const { firstSentAt } = ledger.entryOf(this.item);
		const findOptions = { ...options, route: looksUp ? route.slice('GET '.length) : undefined };
		const wanted = lookups.map((lookup) => ({ ...lookup, record }));
		const found = await finder.find(wanted, findOptions);
		this.lastFound = found;
		const history = sendHistoryOf({ firstSentAt }, {}, client);
		const { created } = outcomeOf({ ...history, by: 'found', record: found });
		return found && { record: found, extra: {}, created };
	}

	/** Carries out a step of one request: reads, or writes once. */
	private async carryOut(
		step: RequestStep,
		name: string,
		values: Partial<Values>,
		{ existing, mayBeMissing, ifNotFound, isFresh, ...check }: SendOptions = {},
	): Promise<Result> {
		const number = (this.counts.get(name) ?? 0) + 1;
		this.counts.set(name, number);
		const write = `${name} ${number}`;
		const carryOutWith = async (sent: Partial<Values>) => {
			const { firstSentAt } = this.runState.ledger.entryOf(this.item, write);
			const prior = { firstSentAt, existing };
			const requestPlan = planRequest(step, sent, this.item.plan, prior);
			requestPlan.request.mayBeMissing = mayBeMissing;
			if (requestPlan.request.method === 'GET') return await this.read(requestPlan, isFresh);
			if (this.runState.onlyChecks) throw new PendingWrite(requestPlan, check);
			return await this.write(requestPlan, write);
		};
		return await carryOutWith(values).catch(async (reason: unknown) => {
			if (!ifNotFound || !isNotFound(reason)) throw reason;
			return await carryOutWith(ifNotFound());
		});
	}

	/**
	 * Writes once in all tries of the item: one that was carried out returns its result, and the others are noted.
	 *
	 * @param write identifies it in the ledger
	 */
	private async write(requestPlan: RequestPlan, write: string): Promise<Result> {
		const { ledger } = this.runState;
		const { step, prior } = requestPlan;
		const { result: earlier } = ledger.entryOf(this.item, write);
		this.hasSent = true;
		// Looked up just now and not there: what an earlier try wrote is gone, so it is written again.
		const isAbsent = prior.existing === null && (requestPlan.request.repeatable || step.listStep);
		if (earlier && !isAbsent) {
			this.keepSentence(requestPlan, earlier);
			return earlier;
		}
		const sentAt = clock.now();
		let begun: number | undefined;
		requestPlan.request.onSend = () => {
			begun ??= ledger.count();
			this.unanswered.set(write, sentAt);
		};
		const result = await this.writeUnlessSent(requestPlan).catch((reason: Error) => {
			if (!mayHaveArrived(reason)) this.unanswered.delete(write);
			throw reason;
		});
		this.unanswered.delete(write);
		this.hasWritten = true;
		const { repeatable: isRepeatable } = requestPlan.request;
		ledger.keepWrite(this.item, result, write, { isRepeatable, begun: begun ?? ledger.count() });
		this.keepSentence(requestPlan, result);
		return result;
	}

	/** Sends a write that no earlier try may have sent; for others, `decide` says whether to send, to look it up or to refuse. */
	private async writeUnlessSent(requestPlan: RequestPlan): Promise<Result> {
		const { step, request, prior } = requestPlan;
		const { createdRecords, client } = this.runState;
		const repetition = {
			isRepeatable: request.repeatable,
			isListed: step.listStep !== undefined,
		};
		const { firstSentAt, existing } = prior;
		request.mayHaveArrived = firstSentAt !== undefined && existing !== null;
		switch (decide(prior, repetition)) {
			case 'send':
				return await this.sendWrite(requestPlan);
			case 'done':
				return { record: existing ?? undefined, created: true, extra: {} };
			case 'lookUp': {
				const search = createdRecords.find(this.item, requestPlan, firstSentAt!, client);
				const created = await search.catch((reason: unknown) => {
					throw isExplained(reason) ? addRemarks(reason, [SENT_EARLIER]) : reason;
				});
				if (created === undefined) throw unclearError();
				return await this.writeUnlessSent({
					...requestPlan,
					prior: { firstSentAt, existing: created },
				});
			}
			case 'refuse':
				throw unclearError();
		}
	}

	/** @throws ServiceError if the service refuses; UserError if it answers with something else */
	private async sendWrite(requestPlan: RequestPlan): Promise<Result> {
		const { step, request, errorContext, prior } = requestPlan;
		const { output, listStep } = step;
		const { client, createdRecords, hints, ledger } = this.runState;
		const sent = bodyOf(requestPlan);
		const findCreated = async (firstSentAt: number) =>
			await createdRecords
				.find(this.item, requestPlan, firstSentAt, client)
				.catch((reason: unknown) => {
					// The lost answer tells more than the list that cannot be read.
					if (!isOutage(reason)) throw reason;
					return undefined;
				});
		const answer = await client.send(
			{ ...request, findCreated: listStep && findCreated },
			errorContext,
		);
		// The write succeeded whatever the answer shows; an error would make users repeat it.
		const shown = recordIn(answer.data, output);
		const isUpsert = output.kind === 'one' && output.upserts;
		// A text, such as `queued`, says what it is.
		const isSilent = isEmpty(answer.data) || (shown !== undefined && !hasId(shown));
		const isToRead = isUpsert && isSilent && !answer.isAcceptedOnly;
		const stored = isToRead ? await readUnshownLead(sent, this.runState) : undefined;
		const record = stored ? { ...stored, ...shown } : shown;
		const { contact, ...others } = sent;
		// An operation that may yet fill blank fields of the contact compares it itself.
		const comparesContact = this.item.plan.operation.fillsContact;
		const compared = comparesContact && contact && isRecord(record?.contact) ? others : sent;
		const differences =
			answer.isAcceptedOnly || !record ? undefined : noteDifferences(compared, record, hints, true);
		const result = {
			data: answer.data,
			record,
			extra: differences === undefined ? {} : { differences },
		};
		if (output.kind !== 'one') return result;
		if (output.upserts) {
			const history = sendHistoryOf(prior, answer, client);
			const { status } = answer;
			return withOutcome(result, sent, { status, ...history, isRead: stored !== undefined });
		}
		if (!listStep) return result;
		ledger.noteCreated(this.item, output.record.singular, record?.id);
		return { ...result, ...outcomeOf({ ...answer, by: 'create', sent, record }) };
	}

	/** Reads what a step asks for. A contact is read once in a run, see find/find.ts. */
	private async read(requestPlan: RequestPlan, isFresh?: boolean): Promise<Result> {
		const { output } = requestPlan.step;
		const { finder, pending, onlyChecks } = this.runState;
		const read = async () => await this.sendRead(requestPlan);
		if (output.kind !== 'one') return await read();
		if (output.record === contactShape) {
			const { path } = requestPlan.request;
			const readRecord = async () => (await read()).record;
			return { record: await finder.contacts.read(path, readRecord, isFresh), extra: {} };
		}
		const result = await read();
		const { record } = result;
		return onlyChecks && record
			? { ...result, record: pending.changed(output.record.singular, record) }
			: result;
	}

	/** @throws ServiceError if the service refuses; UserError if it answers without the record */
	private async sendRead({ step, request, errorContext }: RequestPlan): Promise<Result> {
		const { data, status } = await this.runState.client.send(request, errorContext);
		const record = recordIn(data, step.output);
		if (step.output.kind === 'one' && !record && status !== 404) {
			throw unexpectedAnswer(
				data === undefined
					? 'The service answered without a record'
					: 'The service answered with something that is not a record',
				errorContext.action,
			);
		}
		return { data, record, extra: {} };
	}

	private keepSentence({ step, prior }: RequestPlan, { created, record }: Result): void {
		const { output } = step;
		if (output.kind !== 'one' || created !== true || isNil(record?.id)) return;
		const what = `The ${output.record.singular} "${String(record.id)}" was created for this item`;
		const isFoundAgain = prior.existing === null;
		this.created.push(what + (isFoundAgain ? '; running it again finds it.' : ' before that.'));
	}
}

const SENT_EARLIER =
	'This item was sent earlier in this execution and may have been recorded. The next try reads the list first, and sends it only if it is not there.';

/** The record that an answer shows, if the step is about one. */
const recordIn = (data: unknown, output: RequestStep['output']) =>
	output.kind === 'one' ? parseRecord(data, output.record.singular) : undefined;
