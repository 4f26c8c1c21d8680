/** The one item loop: order, pairing, failed items and cancellation stand here and nowhere else. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { InputProblem } from '../problem';

/** One item's work, split so that order can be decided before anything is sent. */
export interface Job {
	/** Jobs that share a key run one after another, in the order of the items. */
	recordKeys: string[];
	run(): Promise<IDataObject[]>;
}

/**
 * Runs one job for each input item. Jobs run side by side up to `concurrency`; the output keeps the order of the
 * input. A failed item fails alone when the node is set to continue. When it is not, all items are planned before the
 * first is sent: a mistake in the last row shows before anything has been recorded.
 *
 * @param plan makes an item's job; what it throws fails that item
 */
export async function runItems(
	context: IExecuteFunctions,
	concurrency: number,
	plan: (itemIndex: number) => Job,
): Promise<INodeExecutionData[]> {
	const signal = context.getExecutionCancelSignal?.();
	const turns = new Turns(concurrency);
	let stopped = false;

	const runOne = async (itemIndex: number): Promise<INodeExecutionData[]> => {
		try {
			const { recordKeys, run } = plan(itemIndex);
			const records = await turns.take(recordKeys, async () => {
				signal?.throwIfAborted();
				if (stopped) return [];
				return await run().catch((error: unknown) => {
					// Before the next one takes the turn: items that have not begun stay unsent.
					stopped = !context.continueOnFail();
					throw error;
				});
			});
			return records.map((json) => ({ json, pairedItem: { item: itemIndex } }));
		} catch (error) {
			const failure = toNodeError(context, error, itemIndex);
			if (signal?.aborted || !context.continueOnFail()) {
				stopped = true;
				throw failure;
			}
			return [failedItem(failure, itemIndex)];
		}
	};

	const items = context.getInputData();
	// Whatever has been sent is waited for, also when another item has failed: nothing goes on unseen.
	const outcomes = await Promise.allSettled(items.map(async (_, index) => await runOne(index)));
	return outcomes.flatMap((outcome) => {
		if (outcome.status === 'rejected') throw outcome.reason;
		return outcome.value;
	});
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

function toNodeError(
	context: IExecuteFunctions,
	error: unknown,
	itemIndex: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (error instanceof InputProblem) {
		const { message, description } = error;
		const problem = new NodeOperationError(context.getNode(), message, { description, itemIndex });
		// The constructor replaces messages in which it finds the letters of a system code.
		problem.message = message;
		return problem;
	}
	const cause = error instanceof Error ? error : new Error(String(error));
	return new NodeOperationError(context.getNode(), cause, { itemIndex });
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
