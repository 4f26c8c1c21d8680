/** The one item loop: order, pairing, failed items and cancellation are decided here and nowhere else. */
import { sortBy } from 'lodash';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { shorten } from '../contract/envelope';
import { InputError, UserError } from '../userError';
import { yielder } from './yield';

const MESSAGE_CHARACTERS = 1000;

/** The output of an item, or why it failed. */
export type Outcome = IDataObject[] | Error;

/** The work for one item, or for several at once. */
export interface Job {
	/** Indexes of the items. */
	items: number[];
	/** Jobs that share a key run one after another, in the order given. */
	recordKeys: string[];
	/** Returns one outcome for each of `items`; what it throws is the outcome of all. */
	run(): Promise<Outcome[]>;
}

export interface PlannedItem<T> {
	itemIndex: number;
	plan: T;
}

/**
 * Runs the node on all input items, up to `concurrency()` jobs at once. The output keeps the order of the input. If the
 * node is set to continue, a failed item fails alone. If not, all items are planned before the first is sent, so that
 * an invalid value in the last row shows before anything is recorded.
 *
 * @param planItem reads and checks an item; what it throws fails that item
 * @param completePlan reads from the service what a plan lacks, for all items before the first is sent; what it throws
 *   fails that item
 * @param toJobs groups planned items into jobs, in order
 * @param identify fields that a failed item keeps; without a plan for an item that could not be planned
 */
export async function runItems<T>(
	context: IExecuteFunctions,
	concurrency: () => number,
	planItem: (itemIndex: number) => T,
	completePlan: (plan: T, itemIndex: number) => Promise<T>,
	toJobs: (planned: Array<PlannedItem<T>>) => Job[],
	identify: (itemIndex: number, plan?: T) => IDataObject = () => ({}),
): Promise<INodeExecutionData[]> {
	const signal = context.getExecutionCancelSignal?.();
	const queue = new KeyedQueue(concurrency);
	const output: INodeExecutionData[][] = context.getInputData().map(() => []);
	const failures = new Map<number, Error>();
	const plans: T[] = [];
	const yieldNow = yielder();

	const settle = (itemIndex: number, outcome: Outcome) => {
		if (!(outcome instanceof Error)) {
			output[itemIndex] = outcome.map((json) => ({ json, pairedItem: { item: itemIndex } }));
			return;
		}
		const failure = toNodeError(context, outcome, itemIndex);
		if (context.continueOnFail() && !signal?.aborted) {
			// On the error output, n8n adds the input item.
			const isRegular = context.getNode().onError !== 'continueErrorOutput';
			const { externalId = undefined } = outcome instanceof InputError ? outcome : {};
			const kept = externalId ? { externalId } : identify(itemIndex, plans[itemIndex]);
			output[itemIndex] = [failedItem(failure, itemIndex, isRegular ? (kept as IDataObject) : {})];
		} else failures.set(itemIndex, failure);
	};
	const throwFirst = () => {
		if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
	};

	const runJob = async ({ items, recordKeys, run }: Job): Promise<void> => {
		await queue.add(recordKeys, async () => {
			// After a failure no further items are sent.
			if (failures.size > 0) return;
			const outcomes = await Promise.resolve()
				.then(() => signal?.throwIfAborted())
				.then(run)
				.catch((reason: unknown) => items.map(() => toError(reason)));
			// Before the next job starts.
			items.forEach((itemIndex, position) => settle(itemIndex, outcomes[position]));
		});
	};

	const runAll = async (jobs: Job[]): Promise<void> => {
		const running: Array<Promise<void>> = [];
		for (const each of jobs) {
			await yieldNow();
			running.push(runJob(each));
		}
		// Jobs that have started are awaited even after another has failed, so that none runs on unseen.
		await Promise.all(running);
		throwFirst();
	};

	for (const itemIndex of output.keys()) {
		try {
			await yieldNow();
			signal?.throwIfAborted();
			plans[itemIndex] = planItem(itemIndex);
		} catch (error) {
			settle(itemIndex, toError(error));
			throwFirst();
		}
	}
	const completed: Array<PlannedItem<T>> = [];
	// An item that could not be planned has no plan, and flatMap leaves it out.
	const completions = plans.flatMap((plan, itemIndex) => ({
		items: [itemIndex],
		recordKeys: [],
		run: async () => {
			completed.push({ itemIndex, plan: await completePlan(plan, itemIndex) });
			return [[]];
		},
	}));
	await runAll(completions);
	await runAll(toJobs(sortBy(completed, 'itemIndex')));
	return output.flat();
}

function toError(reason: unknown): Error {
	return reason instanceof Error ? reason : new Error(String(reason));
}

/**
 * For the error output, every version of n8n recognises a failed item by having only `error` and `message` (2.41 allows
 * `details` as well). With an `error` beside `json`, n8n 2.41 drops both.
 */
function failedItem(
	{ message: error, description }: NodeApiError | NodeOperationError,
	itemIndex: number,
	kept: IDataObject,
): INodeExecutionData {
	const json = { ...kept, error, ...(description && { message: description }) };
	return { json, pairedItem: { item: itemIndex } };
}

function toNodeError(
	context: IExecuteFunctions,
	error: Error,
	itemIndex: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (!(error instanceof UserError)) {
		return new NodeOperationError(context.getNode(), error, { itemIndex });
	}
	const { description } = error;
	// It may quote what users gave.
	const message = shorten(error.message, MESSAGE_CHARACTERS);
	const nodeError = new NodeOperationError(context.getNode(), message, { description, itemIndex });
	// The constructor replaces messages that contain the letters of a system code.
	nodeError.message = message;
	return nodeError;
}

/** Limits how many jobs run at once, and runs those that share a key one after another, in the order they were added. */
class KeyedQueue {
	private running = 0;

	private readonly waiting: Array<() => void> = [];

	private readonly lastOfKey = new Map<string, Promise<unknown>>();

	/** @param concurrency asked whenever a job may start, since it changes */
	constructor(private readonly concurrency: () => number) {}

	async add(keys: string[], work: () => Promise<void>): Promise<void> {
		const before = keys.map((key) => this.lastOfKey.get(key));
		const own = Promise.allSettled(before).then(async () => await this.limited(work));
		for (const key of keys) this.lastOfKey.set(key, own);
		await own;
	}

	private async limited(work: () => Promise<void>): Promise<void> {
		const turn = new Promise<void>((resolve) => this.waiting.push(resolve));
		this.startNext();
		await turn;
		try {
			await work();
		} finally {
			this.running -= 1;
			this.startNext();
		}
	}

	private startNext(): void {
		while (this.waiting.length > 0 && this.running < this.concurrency()) {
			this.running += 1;
			this.waiting.shift()!();
		}
	}
}
