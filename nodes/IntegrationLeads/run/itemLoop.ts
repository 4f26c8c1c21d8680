/** Runs the items, as the only item loop: decides order, pairing, what a failed item does to the others, and when to stop. */
import { filter, map, minBy, some, sortBy, uniq } from 'lodash';
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { shorten } from '../values/json';
import {
	endsRun,
	isExplained,
	isForbidden,
	isTemporary,
	remedyFor,
	toHtml,
	toN8nError,
	UserError,
} from '../userError';
import { completePlan, type Draft, type PendingLookup } from '../prepare/draft';
import type { ItemPart, PlannedItem } from '../prepare/plan';
import { comparePeople } from '../prepare/people';
import { explainFailures, failureInWords, isOfRow, type ItemFailure } from '../output/failures';
import { withItems } from '../output/hints';
import { rowWith, type Remarks, type RowOutcome } from '../output/output';
import { inParallel, recordLocks, yielder } from '../transport/parallel';
import { isTool, nameTools } from './tool';

/** The output of an item, or why it failed. */
export type ItemResult = IDataObject[] | Error;

/** The work for one part of an item, or for several in one request. */
export interface Job {
	items: ItemPart[];
	/** Jobs that share a key run one after another, in the order given. */
	recordKeys: string[];
	/** Whether it runs even after another has failed. */
	always?: boolean;
	/** Returns one result for each of `items`; what it throws is the result of all. */
	run(): Promise<ItemResult[]>;
}

/** The maximum length of a message. */
const MESSAGE_CHARACTERS = 1000;

/**
 * Takes the input items of one run to the output, in their order. All items are planned before the first is sent, so that all
 * errors in them are reported before anything is recorded. If the node is set to continue, other items are carried out even if
 * one fails; otherwise the run ends after the phase in which one failed. With `inRows`, an item that fails for a reason of its
 * own never fails the node: its row says why.
 */
export class ItemLoop {
	private readonly signal?: AbortSignal;

	/** The output by item and part. Rows are made at the end, when all is known about them. */
	private readonly outputs: Array<Array<Array<INodeExecutionData | (() => INodeExecutionData)>>>;

	private readonly failures: ItemFailure[] = [];

	/** The items are being sent. After a failure, no further ones are. */
	private isSending = false;

	private isStopped = false;

	/** The values that identify the record of an item which is sent individually, by its index. */
	private readonly keysOf = new Map<number, string[]>();

	/** Why items failed, or a part of them, by their indexes. */
	readonly failed = new Map<number, Error>();

	/** With `inRows`, what identifies the leads of items that were carried out, in this order, by their index. */
	readonly leads = new Map<number, string[]>();

	/**
	 * @param account jobs about the same record of this account run one after another, also those of other executions
	 * @param actions the actions of all operations, by their path in the panel
	 * @param remarks more fields for the output of items, by their index
	 * @param modes.inRows outputs each input item with what became of it, in words
	 * @param modes.scopes all that the operation uses, so that a key which lacks several is mended once
	 * @param modes.onlyChecks an item that cannot be sent does not fail the node: its output says why
	 */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly account: string,
		private readonly actions: Record<string, string>,
		private readonly remarks: Array<Remarks | undefined> = [],
		private readonly modes: { inRows?: boolean; onlyChecks?: boolean; scopes?: string[] } = {},
	) {
		this.signal = context.getExecutionCancelSignal?.();
		this.outputs = context.getInputData().map(() => []);
	}

	/** The items of the output. */
	get output(): INodeExecutionData[] {
		return this.outputs.flat(2).map((made) => (typeof made === 'function' ? made() : made));
	}

	/** The indexes of those of the items that have no result yet, or of which a part has none. */
	unfinished(items: ItemPart[]): number[] {
		const open = items.filter(
			({ itemIndex, part }) =>
				!this.outputs[itemIndex][part] && !some(this.failures, { itemIndex }),
		);
		return uniq(map(open, 'itemIndex'));
	}

	/**
	 * Converts the items one after another, then looks up what they refer to, several in parallel, and compares their people.
	 *
	 * @param lookUp returns the ID of a record, or the spelling of a value. Throws UserError unless just one is meant
	 * @returns the items without those that failed
	 */
	async plan(
		draftItem: (itemIndex: number) => Draft[],
		lookUp: (lookup: PendingLookup['lookup']) => Promise<string>,
	): Promise<PlannedItem[]> {
		const drafted: Array<ItemPart & { draft: Draft }> = [];
		const yieldNow = yielder();
		for (const itemIndex of this.outputs.keys()) {
			await this.tryItem({ itemIndex, part: 0 }, yieldNow, () => {
				const drafts = draftItem(itemIndex);
				for (const [part, draft] of drafts.entries()) drafted.push({ itemIndex, part, draft });
			});
		}
		this.throwFailures();
		const planned: PlannedItem[] = [];
		const yieldBetween = yielder();
		await inParallel([...drafted.entries()], async ([position, { draft, ...item }]) => {
			await this.tryItem(item, yieldBetween, async () => {
				const found: string[] = [];
				for (const { lookup } of draft.lookups) found.push(await lookUp(lookup));
				planned[position] = { ...item, plan: completePlan(draft, found) };
			});
		});
		// In order, without the items that failed.
		const { items, refused } = comparePeople(Object.values(planned));
		for (const [item, reason] of refused) this.putOutput(item, reason);
		this.throwFailures();
		return items;
	}

	/** Calls `work` for an item, unless the run has stopped. If it throws, the item has failed. */
	private async tryItem(
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
			this.putOutput(item, error as Error);
		}
	}

	/** Carries out jobs in parallel, but those that share a key one after another. */
	async runJobs(jobs: Job[]): Promise<void> {
		this.isSending = true;
		const yieldNow = yielder();
		await inParallel(jobs, async (job) => {
			// This comes before anything is awaited, so that jobs with the same key keep their order.
			const keys = job.recordKeys.map((key) => `${this.account} ${key}`);
			if (job.items.length === 1) this.keysOf.set(job.items[0].itemIndex, job.recordKeys);
			const failAll = (reason: Error) => job.items.forEach((item) => this.putOutput(item, reason));
			const carryOut = async () => {
				await yieldNow();
				if (this.isStopped && !job.always) return;
				this.signal?.throwIfAborted();
				const results = await job.run();
				// This comes before the next job starts.
				job.items.forEach((item, position) => this.putOutput(item, results[position]));
			};
			await recordLocks
				.take(keys, async () => await carryOut().catch(failAll), this.signal)
				.catch(failAll);
		});
		this.throwFailures();
	}

	private putOutput({ itemIndex, part }: ItemPart, result: ItemResult): void {
		// Not `instanceof Error`, which is false for an error of another JavaScript context.
		if (Array.isArray(result)) {
			this.outputs[itemIndex][part] = result.map((record) => {
				if (!this.modes.inRows) {
					return {
						json: { ...record, ...this.remarks[itemIndex] },
						pairedItem: { item: itemIndex },
					};
				}
				const { result: words, lead } = record as RowOutcome;
				// One that is carried out again comes last.
				this.leads.delete(itemIndex);
				this.leads.set(itemIndex, lead);
				return this.row(itemIndex, words);
			});
			return;
		}
		const { inRows, onlyChecks } = this.modes;
		// An outage says nothing of an item that is only checked.
		const isInOutput = onlyChecks ? !isTemporary(result) : inRows;
		if (isInOutput && isOfRow(result)) {
			this.failed.set(itemIndex, result);
			const why = failureInWords(result, onlyChecks);
			const { message, description } = result;
			const json = {
				would: 'refuse',
				result: why,
				message,
				remedy: description,
				...this.remarks[itemIndex],
			};
			this.outputs[itemIndex][part] = [
				inRows ? this.row(itemIndex, [why]) : { json, pairedItem: { item: itemIndex } },
			];
			return;
		}
		if (!this.context.continueOnFail() || this.signal?.aborted) {
			this.failures.push({ itemIndex, error: result });
			this.isStopped ||= this.isSending || !isOfOneItem(result);
			return;
		}
		this.failed.set(itemIndex, result);
		const { message: error, description } = this.wordsOf(result);
		// For the error output, every version of n8n recognises a failed item by having only `error` and `message` (2.41 allows
		// `details` as well), and adds the input. With an `error` beside `json`, n8n 2.41 drops both.
		const addsInput = this.context.getNode().onError !== 'continueErrorOutput';
		const json = {
			error,
			...(description && { message: description }),
			// In an object of its own: the next node might take an ID of the input for that of the lead.
			...(addsInput &&
				!isTool(this.context) && { input: this.context.getInputData()[itemIndex].json }),
		};
		this.outputs[itemIndex][part] = [{ json, pairedItem: { item: itemIndex } }];
	}

	private row(itemIndex: number, words: string[]): () => INodeExecutionData {
		const input = this.context.getInputData()[itemIndex];
		return () => rowWith(input, itemIndex, words, this.remarks[itemIndex]);
	}

	private throwFailures(): void {
		const first = minBy(this.failures, 'itemIndex');
		if (!first) return;
		const { itemIndex, error } = first;
		const rows = this.context.getInputData().map(({ json }) => json);
		const isOfSeveral = isOfOneItem(error) && rows.length > 1;
		const reader = isTool(this.context) ? 'model' : 'panel';
		const shown = isOfSeveral
			? explainFailures(this.failures, rows, this.keysOf, !this.isSending, reader)
			: error;
		const index = isOfSeveral ? undefined : itemIndex;
		if (!isExplained(shown)) throw asNodeError(this.context.getNode(), shown, index);
		const words = this.wordsOf(shown);
		const alike = sortBy(map(filter(this.failures, { error }), 'itemIndex'));
		// A model knows the only item of its call, and a key is wrong for all items.
		const message =
			isOfSeveral || reader === 'model' || endsRun(shown)
				? words.message
				: withItems(words.message, alike, rows, this.keysOf.get(itemIndex));
		// What n8n throws contains HTML already, and models read text.
		const description = reader === 'panel' ? toHtml(words.description) : words.description;
		throw toN8nError(this.context.getNode(), shown, { message, description, itemIndex: index });
	}

	/** The texts of a failure for the reader that this run has. */
	private wordsOf(error: Error & { description?: string | null }) {
		if (!isExplained(error))
			return { message: error.message, description: error.description ?? '' };
		const description = isTool(this.context)
			? nameTools(remedyFor('model', error.remedy), this.actions)
			: remedyFor('panel', error.remedy, isForbidden(error) ? allScopes(this.modes.scopes) : '');
		// The message may quote a long value.
		return { message: shorten(error.message, MESSAGE_CHARACTERS), description };
	}
}

const allScopes = (scopes: string[] = []) =>
	scopes.length > 1
		? `In all, this operation uses ${scopes.join(', ')}; README.md says what each is for.`
		: '';

/** Whether an error is about one item. Others may have some as well, so all are collected; any other failure ends the run. */
const isOfOneItem = (failure: Error) => failure instanceof UserError;

/** The error for n8n, with the item, of what n8n threw or of a bug. */
function asNodeError(
	node: INode,
	error: Error,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	const isOfNode = error instanceof NodeApiError || error instanceof NodeOperationError;
	if (!isOfNode) return new NodeOperationError(node, error, { itemIndex });
	if (itemIndex === undefined || error.context.itemIndex !== undefined) return error;
	const { message, description, failure } = error;
	return new NodeOperationError(node, message, {
		description: description ?? undefined,
		itemIndex,
		failure,
	});
}
