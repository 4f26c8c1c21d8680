/** The one item loop: order, pairing, failed items and cancellation stand here and nowhere else. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { UserError } from '../userError';
import { isTool } from './tool';

/** What an item gives for the output, or why it failed. */
export type Outcome = IDataObject[] | Error;

/** The work for one item, or for several at once, split so that order can be decided before anything is sent. */
export interface Job {
	/** The items it is for. */
	items: number[];
	/** Jobs that share a key run one after another, in the order given. */
	recordKeys: string[];
	/** One outcome for each of `items`; what it throws is the outcome of all. */
	run(): Promise<Outcome[]>;
}

/** What was planned for an item. */
export interface PlannedItem<T> {
	itemIndex: number;
	plan: T;
}

/**
 * Works on all input items. Jobs run side by side up to `concurrency`; the output keeps the order of the input. A failed
 * item fails alone when the node is set to continue. When it is not, all items are planned before the first is sent: a
 * mistake in the last row shows before anything has been recorded.
 *
 * @param planItem reads and checks an item; what it throws fails that item
 * @param toJobs puts what was planned into jobs, in order
 */
export async function runItems<T>(
	context: IExecuteFunctions,
	concurrency: number,
	planItem: (itemIndex: number) => T,
	toJobs: (planned: Array<PlannedItem<T>>) => Job[],
): Promise<INodeExecutionData[]> {
	const signal = context.getExecutionCancelSignal?.();
	const goesOn = () => context.continueOnFail() && !signal?.aborted;
	const turns = new Turns(concurrency);
	const output: INodeExecutionData[][] = context.getInputData().map(() => []);
	const failures = new Map<number, Error>();

	const settle = (itemIndex: number, outcome: Outcome) => {
		if (!(outcome instanceof Error)) {
			output[itemIndex] = outcome.map((json) => ({ json, pairedItem: { item: itemIndex } }));
			return;
		}
		const failure = toNodeError(context, outcome, itemIndex);
		if (goesOn()) output[itemIndex] = [failedItem(failure, itemIndex)];
		else failures.set(itemIndex, isTool(context) ? inOne(failure) : failure);
	};
	const throwFirst = () => {
		if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
	};

	const runJob = async ({ items, recordKeys, run }: Job): Promise<void> => {
		await turns.take(recordKeys, async () => {
			// Items that have not begun stay unsent.
			if (failures.size > 0) return;
			const outcomes = await abortable(run, signal).catch((reason: unknown) =>
				items.map(() => toError(reason)),
			);
			// Before the next one takes the turn.
			items.forEach((itemIndex, position) => settle(itemIndex, outcomes[position]));
		});
	};

	const planned: Array<PlannedItem<T>> = [];
	for (const itemIndex of output.keys()) {
		try {
			planned.push({ itemIndex, plan: planItem(itemIndex) });
		} catch (error) {
			settle(itemIndex, toError(error));
		}
	}
	throwFirst();
	// Whatever has been sent is waited for, also when another item has failed: nothing goes on unseen.
	await Promise.all(toJobs(planned).map(runJob));
	throwFirst();
	return output.flat();
}

async function abortable<T>(run: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	signal?.throwIfAborted();
	return await run();
}

function toError(reason: unknown): Error {
	return reason instanceof Error ? reason : new Error(String(reason));
}

/**
 * What happened, and how to go on. By just these two fields n8n knows a failed item (in every version), and adds what
 * came in on the error output. An `error` beside `json` would make n8n 2.41 drop both.
 */
function failedItem(
	{ message: error, description }: NodeApiError | NodeOperationError,
	itemIndex: number,
): INodeExecutionData {
	const json = { error, ...(description && { message: description }) };
	return { json, pairedItem: { item: itemIndex } };
}

/** Of a tool that fails, n8n gives the agent the message alone: the way out has to stand in it. */
function inOne<T extends NodeApiError | NodeOperationError>(failure: T): T {
	const { message, description } = failure;
	if (description && !message.includes(description)) {
		failure.message = `${message.replace(/[.:]$/, '')}. ${description}`;
	}
	return failure;
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
	if (error instanceof UserError) {
		const { message, description } = error;
		const problem = new NodeOperationError(context.getNode(), message, { description, itemIndex });
		// The constructor replaces messages in which it finds the letters of a system code.
		problem.message = message;
		return problem;
	}
	return new NodeOperationError(context.getNode(), error, { itemIndex });
}

/** Lets a bounded number run at once, and those that share a key one after another, all in the order of asking. */
class Turns {
	private running = 0;

	private readonly waiting: Array<() => void> = [];

	private readonly lastOfKey = new Map<string, Promise<unknown>>();

	constructor(private readonly atOnce: number) {}

	async take<T>(keys: string[], work: () => Promise<T>): Promise<T> {
		const before = keys.map((key) => this.lastOfKey.get(key));
		const mine = Promise.allSettled(before).then(async () => await this.inTurn(work));
		for (const key of keys) this.lastOfKey.set(key, mine);
		return await mine;
	}

	private async inTurn<T>(work: () => Promise<T>): Promise<T> {
		if (this.running >= this.atOnce) {
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		} else {
			this.running += 1;
		}
		try {
			return await work();
		} finally {
			// The place is handed on, so that nobody can slip in between.
			const next = this.waiting.shift();
			if (next) next();
			else this.running -= 1;
		}
	}
}
