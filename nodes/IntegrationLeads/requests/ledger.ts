/**
 * Remembers what the items of an execution have done, because n8n may run the node again on the same input: with Retry On
 * Fail, or with Retry in the list of executions. An item that was carried out is not sent again; its result comes from here.
 * When a run ends well, its entries are deleted.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Result } from '../operation';
import { clock } from '../transport/clock';
import type { Client } from '../transport/send';
import { isTemporary, mayBeRecorded, UnconfirmedError, type UserError } from '../userError';
import { isComposed, type Plan, type PlannedItem } from '../prepare/plan';

/** A result or, if it is unknown whether the request was carried out, when it was first sent (on {@link clock}). */
type LedgerEntry = Result | number;

interface RepeatOptions {
	unclear?: () => Error;
	isAbsent?: (sentAt: number) => Promise<boolean>;
	begunAt?: number;
}

export class Ledger {
	/** Entries by run and key. n8n keeps them for the node as long as the execution lasts, and stores them with it. */
	private readonly entriesByRun: Record<string, Record<string, LedgerEntry>>;

	/**
	 * Identifies the run of the node: the same when n8n repeats it in the same execution with the same account, another in the
	 * next turn of a loop. The key does not count, because one that was revoked is replaced before the execution is retried.
	 */
	private readonly run: string;

	constructor(context: IExecuteFunctions, { account, isTestKey }: Client) {
		this.entriesByRun = context.getContext('node');
		const { $runIndex } = context.getWorkflowDataProxy(0);
		this.run = [$runIndex, account, isTestKey].join(' ');
	}

	/**
	 * Carries something out, unless that was done before: an item, or one of its steps.
	 *
	 * @param key the same in every try
	 * @param how.unclear thrown if it is not known whether it was carried out; without it, it is carried out once more
	 * @param how.isAbsent whether the service shows that nothing came of it since it was first sent: then it is carried out once more
	 * @param how.begunAt when it was first sent, if that was before this call
	 */
	async once(
		key: string,
		carryOut: () => Promise<Result>,
		{ unclear, isAbsent, begunAt = clock.now() }: RepeatOptions = {},
	): Promise<Result> {
		const before = this.entries[key];
		if (typeof before === 'object') return before;
		if (before !== undefined && unclear && !(await isAbsent?.(before))) throw unclear();
		const sentAt = before ?? begunAt;
		const result = await carryOut().catch((reason: Error) => {
			// Even a repeatable request may have arrived, so the time of its first try is kept.
			if (mayBeRecorded(reason) || (isTemporary(reason) && !unclear)) this.entries[key] = sentAt;
			throw reason;
		});
		const { record, created, extra } = result;
		this.entries[key] = record ? { record, created, extra } : result;
		return result;
	}

	/** Notes when something began that may have been carried out in part. */
	note(key: string, startedAt: number): void {
		this.entries[key] ??= startedAt;
	}

	/** Whether an item was carried out in an earlier try, or may have been and must not be sent again. */
	isSettled(item: PlannedItem): boolean {
		const before = this.entries[itemKey(item)];
		return (
			typeof before === 'object' ||
			(before !== undefined && unclearErrorFor(item.plan) !== undefined)
		);
	}

	/** When an earlier try that may have been carried out began; undefined if there was none. */
	triedAt(item: PlannedItem): number | undefined {
		const before = this.entries[itemKey(item)];
		return typeof before === 'number' ? before : undefined;
	}

	/**
	 * Must be called at the end of the run. What it did is forgotten, unless n8n will repeat it: even if the node is set to continue,
	 * n8n does so if the first item of the output has an `error` (checkFailure in n8n-core's workflow-execute).
	 */
	close(first?: { error?: unknown }): void {
		if (first?.error === undefined) delete this.entriesByRun[this.run];
	}

	private get entries(): Record<string, LedgerEntry> {
		return (this.entriesByRun[this.run] ??= {});
	}
}

/** Identifies an item by its position and its record, not by its values: an expression with $now has another value in the next try. */
export function itemKey(item: PlannedItem): string {
	const { itemIndex, part, plan } = item;
	const address = isComposed(plan)
		? plan.targets.map(({ value }) => value).join(' ')
		: plan.request.path;
	return [itemIndex, part, plan.operation.action, address].join(' ');
}

/** Returns a function that makes the error for an item that must not be sent again; undefined if it may be, or if its steps decide. */
export function unclearErrorFor(plan: Plan): (() => UserError) | undefined {
	if (isComposed(plan) || plan.request.repeatable) return undefined;
	return () =>
		new UnconfirmedError(
			'This item was sent earlier in this execution and may have been recorded',
			'It was not sent again. Check the leads service before you send it again.',
		);
}
