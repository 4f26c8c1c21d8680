/** Carries out the steps of one item. */
import { isEmpty, isNil } from 'lodash';

import { decide, type Attempt } from '../contract/attempt';
import { outcomeOf } from '../contract/outcome';
import { contact as contactShape } from '../contract/records';
import type {
	FindOptions,
	FindStep,
	ListOptions,
	Lookup,
	RequestStep,
	Result,
	SendOptions,
	StepFunction,
	Values,
} from '../operation';
import { onlyReads } from '../operation';
import type { PlannedItem } from '../prepare/plan';
import { planRequest, type RequestPlan } from '../prepare/request';
import { findPermitted } from '../find/contacts';
import { clock } from '../transport/clock';
import { addRemarks, isExplained, UserError } from '../userError';
import { unclearError } from './ledger';
import { readItems } from './listItems';
import { PendingWrite } from './onlyCheck';
import type { RunScope } from './runScope';
import { mayHaveArrived, sendStep } from './sendStep';
import type { ServiceRecord } from '../values/json';

/** Carries out the steps of an item, each write once although n8n may run the node again, and records what they created. */
export class StepRunner {
	/** Whether a write was carried out, or may have been. */
	mayHaveWritten = false;

	/** The record that was looked up last. */
	found?: ServiceRecord;

	private hasSent = false;

	/** Sentences about what the steps created. */
	private readonly created: string[] = [];

	/** How often each step was sent. The ledger identifies a write by its step and this number. */
	private readonly counts = new Map<string, number>();

	constructor(
		private readonly item: PlannedItem,
		private readonly runScope: RunScope,
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
				await readItems({ ...step, output }, values, this.item.plan, this.runScope, options);
		}
		return async (values: Partial<Values>, options?: SendOptions) =>
			await this.send(step, name, values, options);
	}

	/** Adds to a failure what the user has to know about the earlier steps. */
	explain(reason: unknown): unknown {
		if (!isExplained(reason) || onlyReads(this.item.plan.operation)) return reason;
		// The message of a failed request already says whether it was carried out.
		const { hasSent, item } = this;
		const isUntried = !hasSent && isEmpty(this.runScope.ledger.entryOf(item));
		const isUnsent = isUntried && reason instanceof UserError;
		return addRemarks(reason, isUnsent ? ['Nothing was sent for this item.'] : this.created);
	}

	private async find(
		{ route, looksUp, finds: record }: FindStep,
		lookups: Array<Omit<Lookup, 'record'>>,
		options?: FindOptions,
	): Promise<Result | undefined> {
		const { client, finder, ledger } = this.runScope;
		const { firstSentAt } = ledger.entryOf(this.item);
		const findOptions = { ...options, route: looksUp ? route.slice('GET '.length) : undefined };
		const wanted = lookups.map((lookup) => ({ ...lookup, record }));
		const search = async (values: Lookup[]) => await finder.find(values, findOptions);
		const found = await findPermitted(wanted, search, this.runScope);
		this.found = found;
		const isRepeated = firstSentAt !== undefined;
		const serverSentAt = isRepeated ? client.toServerTime(firstSentAt) : undefined;
		const { created } = outcomeOf({ by: 'found', record: found, serverSentAt, isRepeated });
		return found && { record: found, extra: {}, created };
	}

	private async send(
		step: RequestStep,
		name: string,
		values: Partial<Values>,
		{ found, mayBeMissing, isFresh, would }: SendOptions = {},
	): Promise<Result> {
		const { ledger } = this.runScope;
		const number = (this.counts.get(name) ?? 0) + 1;
		this.counts.set(name, number);
		const write = `${name} ${number}`;
		const { firstSentAt, result: earlier } = ledger.entryOf(this.item, write);
		const attempt = { firstSentAt, found };
		const plan = planRequest(step, values, this.item.plan, attempt);
		plan.request.mayBeMissing = mayBeMissing;
		if (plan.request.method === 'GET') return await this.read(plan, isFresh);
		if (this.runScope.onlyChecks) throw new PendingWrite(plan, would);
		this.hasSent = true;
		// What was looked up just now is newer.
		if (earlier && found !== null) {
			this.noteCreated(plan, earlier);
			return earlier;
		}
		const sentAt = clock.now();
		const result = await this.sendOnce(plan, attempt).catch((reason: Error) => {
			if (mayHaveArrived(reason, plan)) {
				this.mayHaveWritten = true;
				ledger.suspect(this.item, sentAt, write);
			}
			throw reason;
		});
		this.mayHaveWritten = true;
		ledger.settle(this.item, result, write);
		this.noteCreated(plan, result);
		return result;
	}

	/** Sends a write, unless an earlier try may have. */
	private async sendOnce(plan: RequestPlan, attempt: Attempt): Promise<Result> {
		const { step, request } = plan;
		const { createdRecords, client } = this.runScope;
		const repetition = {
			isRepeatable: request.repeatable,
			isListed: step.listStep !== undefined,
		};
		const { firstSentAt } = attempt;
		switch (decide(attempt, repetition)) {
			case 'send':
				return await this.request(plan);
			case 'done':
				return { record: attempt.found ?? undefined, created: true, extra: {} };
			case 'lookUp': {
				const found = await createdRecords.find(plan, firstSentAt!, client);
				if (found === undefined) throw unclearError();
				return await this.sendOnce(plan, { firstSentAt, found });
			}
			case 'refuse':
				throw unclearError();
		}
	}

	private async request(plan: RequestPlan): Promise<Result> {
		return await sendStep(plan, this.runScope, this.item.plan.operation.fillsContact);
	}

	/** Reads a record. A contact is read once in a run, see find/contacts.ts. */
	private async read(plan: RequestPlan, isFresh?: boolean): Promise<Result> {
		const { output } = plan.step;
		if (output.kind !== 'one' || output.record !== contactShape) return await this.request(plan);
		const { contacts } = this.runScope.finder;
		const readRecord = async () => (await this.request(plan)).record;
		return { record: await contacts.read(plan.request.path, readRecord, isFresh), extra: {} };
	}

	private noteCreated({ step, attempt }: RequestPlan, { created, record }: Result): void {
		const { output } = step;
		if (output.kind !== 'one' || created !== true || isNil(record?.id)) return;
		const what = `The ${output.record.singular} "${String(record.id)}" was created for this item`;
		const isFoundAgain = attempt.found === null;
		this.created.push(what + (isFoundAgain ? '; running it again finds it.' : ' before that.'));
	}
}
