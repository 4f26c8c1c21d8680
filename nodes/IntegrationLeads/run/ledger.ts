/**
 * What the items of one execution of the workflow have done. An item that was carried out is not carried out again when n8n
 * runs the node once more on the same input, with Retry On Fail or with Retry in the list of executions: its output comes from
 * here. Items that only read are not noted, and of those whose request can be repeated only that they created something. Nothing
 * stays of a run that ended well, except values that are recorded once in an execution (`onceBy` of an operation).
 */
import { pick } from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Client } from '../transport/send';
import { UnconfirmedError, UserError } from '../userError';
import type { CreatedRecords } from './created';
import type { ItemResult, PlannedItem } from './items';
import type { Plan } from './plan';
import { parentPath } from './plan';

/** Characters of JSON on one page. Of the output of items beyond it, only the IDs are kept. */
const MOST_KEPT = 1_000_000;
/** The page of values that are recorded once in an execution. Those of runs begin with a number. */
const VALUES = 'values';

/**
 * What n8n keeps for the node as long as the execution lasts, and stores with it: the output of items, null if it is not
 * known whether an item was carried out. `size` is in characters of JSON.
 */
type Book = Record<string, { size: number; outputs: Record<string, IDataObject[] | null> }>;

export class Ledger {
	private readonly book: Book;

	/**
	 * Identifies the run of the node: the same when n8n repeats it in the same execution with the same account, another in the
	 * next turn of a loop. The key does not count, because one that was revoked is replaced before the execution is retried.
	 */
	private readonly run: string;

	constructor(
		context: IExecuteFunctions,
		{ account, isTestKey }: Client,
		private readonly created: CreatedRecords,
		private readonly hints: Set<string>,
	) {
		this.book = context.getContext('node') as Book;
		const { $runIndex } = context.getWorkflowDataProxy(0);
		this.run = [$runIndex, account, isTestKey].join(' ');
	}

	/** Whether an item was carried out in an earlier try of this run, or may have been. */
	has(item: PlannedItem): boolean {
		return this.outputOf(this.run, positionOf(item)) !== undefined;
	}

	/**
	 * Carries an item out, unless that was done before.
	 *
	 * @throws UserError when it is not known whether it was
	 */
	async carryOut(item: PlannedItem, send: () => Promise<IDataObject[]>): Promise<IDataObject[]> {
		const before = this.before(item);
		if (before) return before;
		const result = this.note(item, await send().catch((reason: Error) => reason));
		if (!Array.isArray(result)) throw result;
		return result;
	}

	/**
	 * Notes what became of an item, and returns it. One that is refused is sent again, and so is one that is looked for first.
	 */
	note(item: PlannedItem, result: ItemResult): ItemResult {
		const { request, find } = item.plan;
		// A record that was deleted would be missing in the next try.
		if (request.repeatable && request.method !== 'DELETE') return this.noteCreated(item, result);
		const failed = !Array.isArray(result);
		if (failed && (find || !mayBeRecorded(result))) return result;
		const output = failed ? null : result;
		this.keep(this.run, positionOf(item), output);
		const once = onceOf(item.plan);
		if (once) this.keep(VALUES, once.key, output);
		return result;
	}

	/** A lead that was created in an earlier try and is sent again: for what follows it is a new one all the same. */
	private noteCreated(item: PlannedItem, result: ItemResult): ItemResult {
		if (!Array.isArray(result)) return result;
		// The external ID: further keys are those of the lead that is found now.
		const key = `created ${positionOf(item)} ${item.plan.recordKeys[0]}`;
		if (this.outputOf(this.run, key)) return result.map((each) => ({ ...each, created: true }));
		if (result[0]?.created === true) this.keep(this.run, key, []);
		return result;
	}

	/**
	 * The run has ended, and what it did is forgotten if n8n does not repeat it. n8n does, even if the node is set to
	 * continue, where the first item of the output has an `error` (checkFailure in n8n-core's workflow-execute).
	 */
	close(first?: IDataObject): void {
		if (first?.error === undefined) delete this.book[this.run];
	}

	private before(item: PlannedItem): IDataObject[] | undefined {
		const { plan } = item;
		const once = onceOf(plan);
		const ofItem = this.outputOf(this.run, positionOf(item));
		if (ofItem) {
			this.created.claim(plan, ofItem);
			return ofItem;
		}
		const ofValue = once && this.outputOf(VALUES, once.key);
		if (ofItem === undefined && ofValue) {
			this.created.claim(plan, ofValue);
			this.hints.add(
				`Items whose "${once?.label}" was recorded earlier in this execution were not sent again. They have "created": false in the output.`,
			);
			return ofValue.map((each) => ({ ...each, created: false }));
		}
		const isUnclear = ofItem === null || ofValue === null;
		const { skipIfRecorded } = (plan.read('options') ?? {}) as IDataObject;
		if (!isUnclear || skipIfRecorded) return undefined;
		const what = once ? `"${once.label}" "${once.value}"` : 'This item';
		throw new UserError(
			`${what} was sent earlier in this execution and may have been recorded`,
			plan.about.hasSkipOption
				? 'It was not sent again. Run the workflow again with Options > Skip If Recorded, which reads the list of the service first.'
				: 'It was not sent again. Look in the leads service before you run the workflow again.',
		);
	}

	private outputOf(page: string, key: string): IDataObject[] | null | undefined {
		return this.book[page]?.outputs[key];
	}

	private keep(name: string, key: string, output: IDataObject[] | null): void {
		const page = (this.book[name] ??= { size: 0, outputs: {} });
		page.size += output ? JSON.stringify(output).length : 0;
		const isFull = page.size > MOST_KEPT;
		page.outputs[key] = output && isFull ? output.map((item) => pick(item, 'id')) : output;
	}
}

/** By position and by what is addressed, not by values: an expression with $now has another value in the next try. */
function positionOf({ itemIndex, plan }: PlannedItem): string {
	const { request } = plan;
	return [itemIndex, request.method, parentPath(plan), request.path].join(' ');
}

/** See {@link Operation.onceBy}. `key` identifies what the item creates. */
function onceOf(plan: Plan): { key: string; label: string; value: string } | undefined {
	const { onceBy, parameters } = plan.operation;
	const parameter = parameters.find(({ name }) => name === onceBy);
	const value = String((parameter && plan.read(parameter.name)) ?? '').trim();
	if (!parameter || value === '') return undefined;
	return { key: `${parentPath(plan)} ${value}`, label: parameter.displayName, value };
}

/** A request failed, and it is not known whether it was carried out. */
export function mayBeRecorded(reason: Error): boolean {
	if (reason instanceof NodeApiError) return reason.context.mayBeRecorded === true;
	return reason instanceof UnconfirmedError;
}
