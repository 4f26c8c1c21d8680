/**
 * Remembers what the items of an execution have done, because n8n may run the node again on the same input: with Retry On
 * Fail, or with Retry in the list of executions. What was carried out is not sent again; its result comes from here. When a run
 * ends well, its entries are deleted.
 */
import { compact, every, isEmpty, isNil, map, max, min, union } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';

import { leadIdsOf } from '../contract/leadKey';
import type { PriorState } from '../contract/outcome';
import type { Lookup } from '../contract/records';
import type { Result } from '../operation';
import { nameRows } from '../output/hints';
import { recordKeysOf, type PlannedItem } from '../prepare/plan';
import type { Client } from '../transport/send';
import { isAmbiguous, UnconfirmedError, UserError } from '../userError';
import { toRecord } from '../values/json';

/** What is known of an item, or of one of its writes. Plain data, because n8n stores it. */
interface LedgerEntry extends Pick<PriorState, 'firstSentAt'>, Partial<SentWrite> {
	/** What came of it, if it was carried out. */
	result?: Result;
	/** When it ended, see {@link Ledger.count}. */
	ended?: number;
	/** Its writes, by the name of the step and their number. */
	writes?: Record<string, LedgerEntry>;
}

/** A write that was carried out. */
interface SentWrite {
	/** Whether it may be carried out a second time without harm. */
	isRepeatable: boolean;
	/** When it was sent, see {@link Ledger.count}. */
	begun: number;
}

/** What the items of a run have done. */
interface RunEntries {
	/** By the key of the item. */
	items: Record<string, LedgerEntry>;
	/** The keys of the items that have created records, by the kind and the ID of these. */
	creators: Record<string, string>;
	/** How many events were counted. */
	count: number;
	/** The IDs that look-ups have found, by what they looked for. Ledgers of earlier versions have none. */
	found?: Record<string, string>;
}

export class Ledger {
	/** n8n keeps them for the node as long as the execution lasts, and stores them with it. */
	private readonly entriesByRun: Record<string, RunEntries>;

	/**
	 * Identifies the run of the node: the same when n8n repeats it in the same execution with the same account, another in the
	 * next turn of a loop. The key does not count, because one that was revoked is replaced before the execution is retried.
	 */
	private readonly run: string;

	/** What is to be noted if the execution is stopped now. */
	private readonly notes = new Set<() => void>();

	constructor(
		context: IExecuteFunctions,
		private readonly client: Client,
	) {
		const { account, isTestKey, signal } = client;
		signal?.addEventListener('abort', this.noteAll, { once: true });
		this.entriesByRun = context.getContext('node');
		const { $runIndex } = context.getWorkflowDataProxy(0);
		this.run = [$runIndex, account, isTestKey].join(' ');
	}

	/** What earlier tries know of an item, or of a write of it. */
	entryOf(item: PlannedItem, write?: string): Readonly<LedgerEntry> {
		const entry = this.entries[entryKeyOf(item)] ?? {};
		return write === undefined ? entry : (entry.writes?.[write] ?? {});
	}

	/** The ID that a look-up finds, or that it found in an earlier try, which may have deleted the record, or given it another email. */
	async idOf(lookup: Lookup, find: () => Promise<string>): Promise<string> {
		const found = (this.runEntries.found ??= {});
		const key = `${lookup.record.singular} ${lookup.by} ${lookup.value}`;
		return (found[key] = await find().catch((reason: unknown) => {
			const isUnknown = !Object.hasOwn(found, key) || isAmbiguous(reason);
			if (isUnknown || !(reason instanceof UserError)) throw reason;
			return found[key];
		}));
	}

	/** Numbers the events of all tries in the order in which they happen. */
	count(): number {
		return ++this.runEntries.count;
	}

	/**
	 * Notes that an item was carried out: by its writes, or else in a request that it shares.
	 *
	 * @returns the result of all tries, in which one item only has created the record
	 */
	keepResult(item: PlannedItem, result: Result, shared?: SentWrite): Result {
		const { writes } = this.entryOf(item);
		const sent = writes ? Object.values(writes) : [{ ...shared, ended: this.count() }];
		const created = this.hasCreated(item, result);
		const ofAll = created === result.created ? result : { ...result, created };
		// The result of the item stands for those of its writes.
		this.entries[entryKeyOf(item)] = {
			result: keptOf(ofAll),
			isRepeatable: every(sent, 'isRepeatable'),
			begun: min(map(sent, 'begun')),
			ended: max(map(sent, 'ended')),
		};
		return ofAll;
	}

	/** Notes that a write of an item was carried out. */
	keepWrite(item: PlannedItem, result: Result, write: string, sent: SentWrite): void {
		this.writesOf(item)[write] = { result: keptOf(result), ...sent, ended: this.count() };
	}

	/**
	 * Finds the items whose values may have been replaced by an earlier item of their record that was carried out after them: in a
	 * later try, or because an email has led to the record of the one, and a phone to that of the other. They can then be carried out
	 * again.
	 *
	 * @param items in their order
	 * @returns `again`: lists that are to be carried out one after another; `kept`: those of which a second time may do harm
	 */
	reopenReplaced(items: PlannedItem[]): { again: PlannedItem[][]; kept: PlannedItem[] } {
		const lastOf = new Map<string, { ended: number; round: number }>();
		const again: PlannedItem[][] = [];
		const kept: PlannedItem[] = [];
		for (const item of items) {
			const { result, isRepeatable, begun = 0, ended = 0 } = this.entryOf(item);
			if (!result) continue;
			const keys = keysOfResult(item, result);
			const earlier = compact(keys.map((key) => lastOf.get(key)));
			const isReplaced = earlier.some((other) => other.round >= 0 || other.ended > begun);
			const isAgain = isReplaced && isRepeatable === true;
			const lastRound = max(map(earlier, 'round')) ?? -1;
			const round = isAgain ? lastRound + 1 : lastRound;
			const last = { ended: max([ended, ...map(earlier, 'ended')])!, round };
			for (const key of keys) lastOf.set(key, last);
			if (isReplaced && !isAgain) kept.push(item);
			if (!isAgain) continue;
			(again[round] ??= []).push(item);
			delete this.entries[entryKeyOf(item)];
		}
		return { again, kept };
	}

	/** Notes that an item, or a write of it, may have been carried out. The time of the first try is kept. */
	noteMayHaveArrived(item: PlannedItem, firstSentAt: number, write?: string): void {
		const entry =
			write === undefined
				? (this.entries[entryKeyOf(item)] ??= {})
				: (this.writesOf(item)[write] ??= {});
		entry.firstSentAt ??= firstSentAt;
	}

	/** Carries out work. If the execution is stopped meanwhile, `note` is called at once: n8n stores it before the work can react. */
	async ifStopped<T>(note: () => void, work: () => Promise<T>): Promise<T> {
		this.notes.add(note);
		return await work().finally(() => this.notes.delete(note));
	}

	/**
	 * Must be called at the end of the run. What it did is forgotten, unless n8n will repeat it: even if the node is set to continue,
	 * n8n does so if the first item of the output has an `error` (checkFailure in n8n-core's workflow-execute).
	 */
	close(first?: { error?: unknown }): void {
		this.client.signal?.removeEventListener('abort', this.noteAll);
		if (first?.error === undefined) delete this.entriesByRun[this.run];
	}

	/**
	 * Notes that an item has created a record, so that it is not taken for that of another.
	 *
	 * @param kind such as `lead`
	 * @returns whether no other item has
	 */
	noteCreated(item: PlannedItem, kind: string, id: unknown): boolean {
		const { creators } = this.runEntries;
		return (
			isNil(id) || (creators[`${kind} ${String(id)}`] ??= entryKeyOf(item)) === entryKeyOf(item)
		);
	}

	/** Whether an item has created the record, in this try or an earlier one. */
	isCreated(kind: string, id: unknown): boolean {
		return `${kind} ${String(id)}` in this.runEntries.creators;
	}

	/** Whether an item has created the record of its result, in this try or an earlier one. */
	private hasCreated(item: PlannedItem, { created, record }: Result): boolean | undefined {
		const { output } = item.plan.operation;
		if (output.kind !== 'one') return created;
		const { singular } = output.record;
		if (created !== true && !this.isCreated(singular, record?.id)) return created;
		if (this.noteCreated(item, singular, record?.id)) return true;
		return created === true ? false : created;
	}

	private readonly noteAll = () => this.notes.forEach((note) => note());

	private get runEntries(): RunEntries {
		return (this.entriesByRun[this.run] ??= { items: {}, creators: {}, count: 0 });
	}

	private get entries(): RunEntries['items'] {
		return this.runEntries.items;
	}

	private writesOf(item: PlannedItem): Record<string, LedgerEntry> {
		const entry = (this.entries[entryKeyOf(item)] ??= {});
		return (entry.writes ??= {});
	}
}

/** What is sent once more is the record, without the envelope. */
const keptOf = ({ record, data, created, extra }: Result): Result =>
	record ? { record, created, extra } : { data, created, extra };

/** Identifies an item by its position and its record, not by its values: an expression with $now has another value in the next try. */
function entryKeyOf({ itemIndex, part, plan: { operation, targets } }: PlannedItem): string {
	return [itemIndex, part, operation.action, ...targets.map(({ value }) => value)].join(' ');
}

/** What identifies the record of an item that was carried out, among those of a run. */
function keysOfResult({ plan }: PlannedItem, { record, data }: Result): string[] {
	const ids = union(leadIdsOf(toRecord(record ?? data)), leadIdsOf(plan.values.body));
	return isEmpty(ids) ? recordKeysOf(plan) : ids;
}

/** The error for a write that must not be sent again. */
export const unclearError = () =>
	new UnconfirmedError(
		'This item was sent earlier in this execution and may have been recorded',
		'It was not sent again. Check the leads service before you send it again.',
	);

/**
 * What the next run of a node says of the last one if that was stopped, by workflow and node. n8n 2.41.1 stores an execution that is
 * stopped by hand as it was at its begin (`stopDuringRun` in execution.service.ts), and saves static data only of one that ends by
 * itself (`setupCancellation` in workflow-execute.ts; read on 2026-11-29). So neither the next run nor Retry gets the ledger, and
 * this process has to remember.
 */
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
