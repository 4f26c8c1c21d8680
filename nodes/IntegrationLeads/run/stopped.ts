/**
 * Says how far the last execution came if it was stopped. n8n 2.41.1 stores an execution that is stopped by hand as it was at its
 * begin (`stopDuringRun` in execution.service.ts), and saves static data only of one that ends by itself (`setupCancellation` in
 * workflow-execute.ts; read on 2026-11-29). So neither the next run nor Retry gets the ledger, and this process has to remember.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { nameRows } from '../output/hints';

/** What the next run of a node says of the last one, by workflow and node. */
const sentences = new Map<string, string>();

type StoppedNode = Pick<
	IExecuteFunctions,
	'getWorkflow' | 'getNode' | 'getExecutionId' | 'getInputData'
>;

const nodeKey = (context: StoppedNode) => `${context.getWorkflow().id} ${context.getNode().id}`;

/**
 * Must be called when the execution is stopped. A single item needs no count.
 *
 * @param unfinished the indexes of the items that have no result, in their order
 */
export function rememberStop(context: StoppedNode, unfinished: number[]): void {
	const rows = context.getInputData().map(({ json }) => json);
	if (rows.length === 1 || unfinished.length === 0) return;
	const finished = rows.length - unfinished.length;
	sentences.set(
		nodeKey(context),
		`Execution ${context.getExecutionId()} was stopped when ${finished} of ${rows.length} items of this node were finished. The first that was not is ${nameRows(unfinished.slice(0, 1), rows)}; it and some of those after it may have been sent as well. If this run had the same items, it sent them all again: a change that is made twice makes no difference, but what was created, such as a note, may exist twice.`,
	);
}

/** What is to be said of the last run, once. */
export function takeLastStop(context: StoppedNode): string | undefined {
	const last = sentences.get(nodeKey(context));
	sentences.delete(nodeKey(context));
	return last;
}
