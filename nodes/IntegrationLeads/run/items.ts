/** The one item loop: order, pairing, failed items and cancellation are decided here and nowhere else. */
import { compact, groupBy, map, minBy, sortBy, uniq, upperFirst } from 'lodash';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { shorten } from '../values/json';
import {
	isExplained,
	ItemError,
	partsOf,
	remedyFor,
	type Reader,
	toHtml,
	UserError,
} from '../userError';
import type { Draft, ResolveId, ItemResult, Job, PlannedItem, ItemPart } from '../prepare/plan';
import { nameRows } from '../output/hints';
import { failureInWords, isOfRow, rowWith, type Remarks } from '../output/rowResult';
import { inParallel, recordLocks, yielder } from '../transport/parallel';
import { isTool, nameTools } from './tool';

/** How much a message shows, and how much of each of several failures. */
const MESSAGE_CHARACTERS = 1000;
const LINE_CHARACTERS = 200;
const MAX_MESSAGE_LINES = 10;

/**
 * The input items of one run of the node on their way to the output, which keeps their order. If the node is set to continue,
 * a failed item fails alone. If not, a step with a failed item is the last one: all are planned before the first is sent, so
 * every mistake in the rows shows before anything is recorded. With `inRows`, an item that fails for a reason of its own is
 * no failure of the node, whatever its settings are: its row says why.
 */
export class ItemRun {
	private readonly signal?: AbortSignal;

	/** By item and part. */
	private readonly outputs: INodeExecutionData[][][];

	private readonly failures: Array<{ itemIndex: number; error: Error }> = [];

	/** The items are being sent: after a failure no further ones are. */
	private isSending = false;

	private isStopped = false;

	/** Indexes of items of which something failed. */
	readonly failed = new Set<number>();

	/** Why items failed that only rows show, by their index. */
	readonly reasons = new Map<number, string>();

	/** What can be done about them in the panel alone. */
	readonly remedies = new Set<string>();

	/**
	 * @param account jobs about one record of it run one after another, in other executions as well
	 * @param actions of all operations, by how the panel leads to them
	 * @param remarks fields for the output of items, by their index
	 * @param inRows each item of the output is its input, with what became of it in words
	 */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly account: string,
		private readonly actions: Record<string, string>,
		private readonly remarks: Array<Remarks | undefined> = [],
		private readonly inRows = false,
	) {
		this.signal = context.getExecutionCancelSignal?.();
		this.outputs = context.getInputData().map(() => []);
	}

	/** The items of the output. */
	get output(): INodeExecutionData[] {
		return this.outputs.flat(2);
	}

	/**
	 * Converts the items one after another, and then asks what they need, several at once. An item of which something fails is
	 * left out.
	 */
	async plan(draftItem: (itemIndex: number) => Draft[], lookUp: ResolveId): Promise<PlannedItem[]> {
		const drafted: Array<ItemPart & { draft: Draft }> = [];
		const yieldNow = yielder();
		for (const itemIndex of this.outputs.keys()) {
			await this.attempt({ itemIndex, part: 0 }, yieldNow, () => {
				const drafts = draftItem(itemIndex);
				for (const [part, draft] of drafts.entries()) drafted.push({ itemIndex, part, draft });
			});
		}
		this.throwFailures();
		const planned: PlannedItem[] = [];
		const yieldBetween = yielder();
		await inParallel([...drafted.entries()], async ([position, { draft, ...item }]) => {
			await this.attempt(item, yieldBetween, async () => {
				for (const ask of draft.lookups) await ask(lookUp);
				planned[position] = { ...item, plan: draft.plan() };
			});
		});
		this.throwFailures();
		// In their order, without those that failed.
		return Object.values(planned);
	}

	/** Does something for an item, unless the run has stopped. What it throws fails the item. */
	private async attempt(
		item: ItemPart,
		yieldNow: () => Promise<void>,
		work: () => Promise<void> | void,
	): Promise<void> {
		if (this.isStopped) return;
		try {
			await yieldNow();
			this.signal?.throwIfAborted();
			await work();
		} catch (error) {
			this.settle(item, error as Error);
		}
	}

	/** Carries jobs out, several at once, and those that share a key in their order. */
	async carryOut(jobs: Job[]): Promise<void> {
		this.isSending = true;
		const yieldNow = yielder();
		await inParallel(jobs, async (job) => {
			// Before anything is awaited, so that jobs with the same key keep their order.
			const keys = job.recordKeys.map((key) => `${this.account} ${key}`);
			await recordLocks.take(keys, async () => {
				await yieldNow();
				if (this.isStopped && !job.always) return;
				const results = await Promise.resolve()
					.then(() => this.signal?.throwIfAborted())
					.then(job.run)
					.catch((reason: Error) => job.items.map(() => reason));
				// Before the next job starts.
				job.items.forEach((item, position) => this.settle(item, results[position]));
			});
		});
		this.throwFailures();
	}

	private settle({ itemIndex, part }: ItemPart, result: ItemResult): void {
		// Not `instanceof Error`, which an error of another context is not.
		if (Array.isArray(result)) {
			this.outputs[itemIndex][part] = result.map((record) =>
				this.inRows
					? this.row(itemIndex, record.result as string[])
					: { json: { ...record, ...this.remarks[itemIndex] }, pairedItem: { item: itemIndex } },
			);
			return;
		}
		if (this.inRows && !this.signal?.aborted && isOfRow(result)) {
			this.failed.add(itemIndex);
			this.reasons.set(itemIndex, result.message);
			for (const { remedy } of partsOf(result)) {
				if (typeof remedy === 'object' && remedy.panel) this.remedies.add(remedy.panel);
			}
			this.outputs[itemIndex][part] = [this.row(itemIndex, [failureInWords(result)])];
			return;
		}
		if (!this.context.continueOnFail() || this.signal?.aborted) {
			this.failures.push({ itemIndex, error: result });
			this.isStopped ||= this.isSending || !isMistake(result);
			return;
		}
		this.failed.add(itemIndex);
		const { message: error, description } = this.toNodeError(result, itemIndex);
		// For the error output, every version of n8n recognises a failed item by having only `error` and `message` (2.41 allows
		// `details` as well), and adds the input. With an `error` beside `json`, n8n 2.41 drops both.
		const addsInput = this.context.getNode().onError !== 'continueErrorOutput';
		const json = {
			error,
			...(description && { message: description }),
			// Apart from the fields of a record: the next node might take an ID among them for that of the lead.
			...(addsInput &&
				!isTool(this.context) && { input: this.context.getInputData()[itemIndex].json }),
		};
		this.outputs[itemIndex][part] = [{ json, pairedItem: { item: itemIndex } }];
	}

	private row(itemIndex: number, words: string[]): INodeExecutionData {
		const { json, binary } = this.context.getInputData()[itemIndex];
		return {
			json: rowWith(json, words, this.remarks[itemIndex]),
			...(binary && { binary }),
			pairedItem: { item: itemIndex },
		};
	}

	private throwFailures(): void {
		const first = minBy(this.failures, 'itemIndex');
		if (!first) return;
		const { itemIndex, error } = first;
		const rows = this.context.getInputData().map(({ json }) => json);
		const isOfSeveral = isMistake(error) && rows.length > 1;
		const reader = isTool(this.context) ? 'model' : 'panel';
		const shown = isOfSeveral
			? explainFailures(this.failures, rows, !this.isSending, reader)
			: error;
		const nodeError = this.toNodeError(shown, isOfSeveral ? undefined : itemIndex);
		// What n8n itself throws has HTML of its own; models read text.
		if (isExplained(error) && nodeError.description && reader === 'panel') {
			nodeError.description = toHtml(nodeError.description);
		}
		throw nodeError;
	}

	private toNodeError(error: Error, itemIndex?: number): NodeApiError | NodeOperationError {
		const nodeError = asNodeError(this.context, error, itemIndex);
		if (isExplained(error)) {
			nodeError.description = isTool(this.context)
				? nameTools(remedyFor('model', error.remedy), this.actions)
				: remedyFor('panel', error.remedy);
		}
		return nodeError;
	}
}

/** A mistake in one item: others may have some too, so all are collected. Any other failure probably concerns all. */
const isMistake = (failure: Error) => failure instanceof UserError;

function asNodeError(
	context: IExecuteFunctions,
	error: Error,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (!(error instanceof UserError)) {
		return new NodeOperationError(context.getNode(), error, { itemIndex });
	}
	// It may quote what users gave.
	const message = shorten(error.message, MESSAGE_CHARACTERS);
	const { description } = error;
	return new ItemError(context.getNode(), error, { message, description, itemIndex });
}

/**
 * Items that failed together: names every mistake, and states once what to do about those with the same remedy.
 *
 * @param rows all items
 * @param areAllUnsent whether nothing was sent for any item
 */
function explainFailures(
	failures: Array<{ itemIndex: number; error: Error }>,
	rows: Array<{ row_number?: unknown }>,
	areAllUnsent: boolean,
	reader: Reader,
): UserError {
	const failed = uniq(failures.map(({ itemIndex }) => itemIndex)).length;
	const mistakes = sortBy(failures, 'itemIndex').flatMap(({ itemIndex, error }) => {
		return partsOf(error).map((each) => ({
			itemIndex,
			message: each.message,
			remedy: isExplained(each) ? remedyFor(reader, each.remedy) : '',
		}));
	});
	const equal = Object.values(groupBy(mistakes, 'message'));
	const lines = equal.slice(0, MAX_MESSAGE_LINES).map((same) => {
		const [{ message, remedy }] = same;
		const name = upperFirst(nameRows(map(same, 'itemIndex'), rows));
		return { line: `${name}: ${shorten(message, LINE_CHARACTERS)}`, remedy };
	});
	const paragraphs = Object.values(groupBy(lines, 'remedy')).map((group) =>
		compact([...group.map(({ line }) => line), group[0].remedy]),
	);
	const rest = equal.slice(MAX_MESSAGE_LINES).flat().length;
	if (rest > 0) paragraphs.push([`and ${rest} more`]);
	if (areAllUnsent) {
		const canContinue = failed < rows.length && reader === 'panel';
		const others = ' To send the others, set Settings > On Error of this node to Continue.';
		paragraphs.unshift([`Nothing was sent.${canContinue ? others : ''}`]);
	}
	const title = `${failed} of ${rows.length} items ${areAllUnsent ? 'cannot be sent' : 'failed'}`;
	return new UserError(
		equal.length === 1 ? mistakes[0].message : title,
		paragraphs.map((paragraph) => paragraph.join('\n')).join('\n\n'),
	);
}
