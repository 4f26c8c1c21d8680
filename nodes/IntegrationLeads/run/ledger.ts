/**
 * Remembers what the items of an execution have done, because n8n may run the node again on the same input: with Retry On
 * Fail, or with Retry in the list of executions. What was carried out is not sent again; its result comes from here. When a run
 * ends well, its entries are deleted.
 */
import { every, isNil } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Attempt } from '../contract/attempt';
import type { Result } from '../operation';
import { recordKeysOf, type PlannedItem } from '../prepare/plan';
import type { Client } from '../transport/send';
import { UnconfirmedError } from '../userError';

/** What is known of an item, or of one of its writes. Plain data, because n8n stores it. */
interface LedgerEntry extends Pick<Attempt, 'firstSentAt'> {
	/** What came of it, if it was carried out. */
	result?: Result;
	/** Whether it may be carried out a second time without harm. */
	isRepeatable?: boolean;
	/** Whether an earlier try created its record, though it is carried out again. */
	hasCreated?: boolean;
	/** Its writes, by the name of the step and their number. */
	writes?: Record<string, LedgerEntry>;
}

/** What the items of a run have done. */
interface RunEntries {
	/** By the key of the item. */
	items: Record<string, LedgerEntry>;
	/** The IDs of records that items have created. */
	created: Record<string, true>;
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

	/**
	 * Notes that an item was carried out: by its writes, or else in a request that it shares.
	 *
	 * @returns the result of all tries
	 */
	keepResult(item: PlannedItem, result: Result, isRepeatable = false): Result {
		const { writes, hasCreated } = this.entryOf(item);
		const ofAll = hasCreated ? { ...result, created: true } : result;
		// The result of the item stands for those of its writes.
		this.entries[entryKeyOf(item)] = {
			result: keptOf(ofAll),
			isRepeatable: writes ? every(writes, 'isRepeatable') : isRepeatable,
		};
		return ofAll;
	}

	/** Notes that a write of an item was carried out. */
	keepWrite(item: PlannedItem, result: Result, write: string, isRepeatable: boolean): void {
		this.writesOf(item)[write] = { result: keptOf(result), isRepeatable };
	}

	/**
	 * Lets items be carried out again that an earlier try has carried out, if an earlier item of their record is to be yet, which
	 * would overwrite them. Must be called before the first is.
	 *
	 * @returns those that stay as they are, because a second time may do harm
	 */
	reopenLater(items: PlannedItem[]): PlannedItem[] {
		const open = new Set<string>();
		const kept: PlannedItem[] = [];
		for (const item of items) {
			const keys = recordKeysOf(item.plan);
			const { result, isRepeatable } = this.entryOf(item);
			const isLater = keys.some((key) => open.has(key));
			if (result && isLater && !isRepeatable) kept.push(item);
			if (result && !(isLater && isRepeatable)) continue;
			for (const key of keys) open.add(key);
			if (result) this.entries[entryKeyOf(item)] = { hasCreated: result.created === true };
		}
		return kept;
	}

	/** Notes that an item, or a write of it, may have been carried out. The time of the first try is kept. */
	noteMayBeSent(item: PlannedItem, firstSentAt: number, write?: string): void {
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

	/** Notes that an item has created a record, so that it is not taken for that of another. */
	noteCreated(id: unknown): void {
		if (!isNil(id)) this.runEntries.created[String(id)] = true;
	}

	/** Whether an item has created the record, in this try or an earlier one. */
	isCreated(id: unknown): boolean {
		return this.runEntries.created[String(id)] ?? false;
	}

	private readonly noteAll = () => this.notes.forEach((note) => note());

	private get runEntries(): RunEntries {
		return (this.entriesByRun[this.run] ??= { items: {}, created: {} });
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

/** The error for a write that must not be sent again. */
export const unclearError = () =>
	new UnconfirmedError(
		'This item was sent earlier in this execution and may have been recorded',
		'It was not sent again. Check the leads service before you send it again.',
	);
