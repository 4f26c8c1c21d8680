/** What all items of a run share. */
import { compact } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';

import { clock } from '../transport/clock';
import type { Hints } from '../output/hints';
import type { Client } from '../transport/send';
import { Ledger } from './ledger';
import { Finder } from '../find/find';
import { ageOf } from '../contract/age';
import { readWhole } from '../transport/paginate';
import { pageReader } from '../transport/read';
import { ServiceError, UserError } from '../userError';
import { emptyValues, planRequest, type RequestPlan } from '../prepare/plan';

/** Work that shares a key runs one after another, in the order in which it came. */
class Turns {
	private readonly lastOfKey = new Map<string, Promise<unknown>>();

	/** Rejects as the work does; what came before may have failed. */
	async take<T>(keys: string[], work: () => Promise<T>): Promise<T> {
		const before = compact(keys.map((key) => this.lastOfKey.get(key)));
		const own = before.length > 0 ? Promise.allSettled(before).then(work) : work();
		for (const key of keys) this.lastOfKey.set(key, own);
		try {
			return await own;
		} finally {
			for (const key of keys) if (this.lastOfKey.get(key) === own) this.lastOfKey.delete(key);
		}
	}
}

/**
 * Items of all executions in this process: of eight messages that a person writes at once, each is an execution of its own,
 * and all of them would find no lead and create one.
 */
export const turnsOfProcess = new Turns();

/** n8n runs the node as a tool of an AI agent, in a variant that differs by its name. */
export function isTool(context: Pick<IExecuteFunctions, 'getNode'>): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** What all items of a run share. */
export type RunServices = ReturnType<typeof createServices>;

/** @param hints texts shown under the output, each once however many items it concerns */
export function createServices(context: IExecuteFunctions, client: Client, hints: Hints) {
	const ledger = new Ledger(context, client);
	return {
		client,
		/** When the run began, in ms on {@link clock}. */
		begunAt: clock.now(),
		/** Somebody looks at the editor and waits for the result. */
		isManual: context.getMode() === 'manual',
		hints: hints as Set<string>,
		/** For texts about one item. */
		hintsOf: (itemIndex: number) => hints.of(itemIndex),
		ledger,
		absenceOf: absenceReader(client),
		processed: new ProcessedEntries(context, hints),
		finder: new Finder(client),
		/** Keys of the records that items of this run have written. */
		written: new Set<string>(),
	};
}

/** How long the service has to finish a request whose answer was lost, before the list is read. */
const FINISH_MS = 5000;
/** A longer list is not read. */
const MOST_PAGES = 20;
/** After a list could not be read, no other is during this time: most likely it is an outage. */
const PAUSE_MS = 60_000;

/**
 * A request that creates is not repeatable. After a lost answer, the list of what it creates (`listedBy` of the operation) shows
 * whether nothing was created since: then it is sent again. Nothing in a list is taken for what was sent: another flow may have
 * recorded the same a moment before.
 *
 * @returns for a request that creates, the function that says whether the list shows nothing since `sentAt`, on {@link clock}
 */
function absenceReader(client: Client) {
	let pausedUntil = -Infinity;
	return ({ operation: { listedBy }, targets, request: { path } }: RequestPlan) =>
		listedBy &&
		(async (sentAt: number): Promise<boolean> => {
			if (clock.now() < pausedUntil) return false;
			await client.sleep(FINISH_MS);
			const { about } = planRequest(listedBy, emptyValues(), targets);
			const list = { path, about, record: listedBy.output.record };
			const read = readWhole(pageReader(client, list), { mostPages: MOST_PAGES });
			const { records, complete } = await read.catch((reason: unknown) => {
				if (reason instanceof ServiceError) pausedUntil = clock.now() + PAUSE_MS;
				else if (!(reason instanceof UserError)) throw reason;
				return { records: [], complete: false };
			});
			// The answer with the list may be the first that shows the service's clock.
			const since = client.toServerTime(sentAt);
			return complete && records.every((record) => ageOf(record, since) === 'before');
		});
}

/** n8n writes all of them with each new one. What is delivered again comes within minutes, rarely hours. */
const MOST_ENTRIES = 1000;
const OPTIONS = { mode: 'entries' as const, maxEntries: MOST_ENTRIES };
/** Whoever runs a workflow by hand, or an execution again, wants it carried out. */
const REPEATS_ON_PURPOSE = ['manual', 'retry', 'evaluation'];

/** n8n reads the entries and writes them back, so that of two calls at once one would be lost. */
const turns = new Turns();

/**
 * What earlier executions have carried out, in n8n's own store of processed entries, the one behind *Remove Duplicates*: of
 * this node in this workflow, in n8n's database, so that all workers see it.
 */
class ProcessedEntries {
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly hints: Set<string>,
	) {}

	/**
	 * Carries something out, unless an earlier execution has. What fails may be carried out by a later one.
	 *
	 * @returns undefined where it was carried out before
	 */
	async unlessProcessed<T>(entry: string, carryOut: () => Promise<T>): Promise<T | undefined> {
		if (REPEATS_ON_PURPOSE.includes(this.context.getMode())) return await carryOut();
		const { helpers } = this.context;
		const checked = await this.ask(
			async () => await helpers.checkProcessedAndRecord([entry], 'node', OPTIONS),
		);
		if (checked?.new.length === 0) {
			this.hints.add('Left out, because an earlier execution recorded it.');
			return undefined;
		}
		return await carryOut().catch(async (reason: unknown) => {
			await this.ask(async () => await helpers.removeProcessed([entry], 'node', OPTIONS));
			throw reason;
		});
	}

	/** A store that does not answer, or that an older n8n lacks, stops no message. */
	private async ask<T>(question: () => Promise<T>): Promise<T | undefined> {
		return await turns.take([''], question).catch(() => {
			this.hints.add(
				"n8n's store of processed entries did not answer. What comes again in a later execution may be recorded twice, or left out after it failed.",
			);
			return undefined;
		});
	}
}
