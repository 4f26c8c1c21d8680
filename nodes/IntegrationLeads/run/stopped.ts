/**
 * Says how far the last execution came if it was stopped. n8n 2.41.1 stores an execution that is stopped by hand as it was at its
 * begin (`stopDuringRun` in execution.service.ts), and saves static data only of one that ends by itself (`setupCancellation` in
 * workflow-execute.ts; read on 2026-11-29). So neither the next run nor Retry gets the ledger, and this process has to remember.
 */
import { range } from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { nameRows } from '../output/hints';
import type { Job } from './itemLoop';

/** What the next run of a node says of the last one, by workflow and node. */
const sentences = new Map<string, string>();

/** How far the items of one run are. */
export class Progress {
	private readonly begun = new Set<number>();
	private readonly done = new Set<number>();
	private readonly key: string;

	constructor(
		private readonly context: Pick<
			IExecuteFunctions,
			'getWorkflow' | 'getNode' | 'getExecutionId' | 'getInputData'
		>,
	) {
		this.key = `${context.getWorkflow().id} ${context.getNode().id}`;
	}

	/** Returns the same job, whose begin and end are noted. */
	watch(job: Job): Job {
		const run = async () => {
			for (const { itemIndex } of job.items) this.begun.add(itemIndex);
			const results = await job.run();
			for (const { itemIndex } of job.items) this.done.add(itemIndex);
			return results;
		};
		return { ...job, run };
	}

	/** Must be called when the execution is stopped. A single item needs no count. */
	remember(): void {
		const rows = this.context.getInputData().map(({ json }) => json);
		if (rows.length > 1) sentences.set(this.key, this.inWords(rows));
	}

	/** What is to be said of the last run, once. */
	takeLast(): string | undefined {
		const last = sentences.get(this.key);
		sentences.delete(this.key);
		return last;
	}

	private inWords(rows: IDataObject[]): string {
		const { begun, done } = this;
		const open = begun.size - done.size;
		const more = open > 0 ? `, and up to ${open} more were being sent` : '';
		const first = range(rows.length).find((itemIndex) => !done.has(itemIndex)) ?? 0;
		return `Execution ${this.context.getExecutionId()} was stopped when ${done.size} of ${rows.length} items of this node were done${more}. The first that was not done was ${nameRows([first], rows)}. If this run had the same items, it sent them all again: a change that is made twice makes no difference, but what was created, such as a note, may exist twice.`;
	}
}
