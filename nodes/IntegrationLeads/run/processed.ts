/** Remembers across executions what was carried out. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { KeyedMutex } from '../transport/parallel';
import { addRemarks, type HintSink, isExplained } from '../userError';

/** n8n rewrites all of them with each new one. A repeated delivery comes within minutes, rarely hours. */
const MAX_ENTRIES = 1000;
const OPTIONS = { mode: 'entries' as const, maxEntries: MAX_ENTRIES };
/** Modes in which a person runs a workflow or an old execution on purpose, and expects it to be carried out. */
const REPEATS_ON_PURPOSE = ['manual', 'retry', 'evaluation'];

/** What is noted while it is tried makes another worker skip a second delivery, which does not come again. */
const SKIPPED_MEANWHILE =
	'If it was delivered again meanwhile, that was skipped: Retry in the list of executions logs it.';

/** n8n reads all entries and writes them back, so one of two simultaneous calls would be lost. */
const turns = new KeyedMutex();

/**
 * Remembers what earlier executions have carried out, in the store behind n8n's *Remove Duplicates* node. It is kept for this
 * node of this workflow in n8n's database, so all workers see it.
 */
export class ProcessedEntries {
	/** The entries of this run, which count even if the store does not answer. */
	private readonly ofRun = new Set<string>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly hints: HintSink,
	) {}

	/**
	 * Carries something out, unless this execution or an earlier one has. If that fails, a later execution may try again.
	 *
	 * @returns undefined if it was carried out earlier
	 */
	async unlessProcessed<T>(entry: string, carryOut: () => Promise<T>): Promise<T | undefined> {
		if (this.ofRun.has(entry)) {
			this.hints.add('Skipped: this execution already logged this message.');
			return undefined;
		}
		this.ofRun.add(entry);
		return await this.unlessStored(entry, carryOut).catch((reason: unknown) => {
			this.ofRun.delete(entry);
			throw reason;
		});
	}

	private async unlessStored<T>(entry: string, carryOut: () => Promise<T>): Promise<T | undefined> {
		if (REPEATS_ON_PURPOSE.includes(this.context.getMode())) return await carryOut();
		const { helpers } = this.context;
		const checked = await this.ask(
			async () => await helpers.checkProcessedAndRecord([entry], 'node', OPTIONS),
		);
		if (checked?.new.length === 0) {
			this.hints.add('Skipped: another execution has logged this message, or is still trying to.');
			return undefined;
		}
		return await carryOut().catch(async (reason: unknown) => {
			await this.ask(async () => await helpers.removeProcessed([entry], 'node', OPTIONS));
			throw isExplained(reason) ? addRemarks(reason, [SKIPPED_MEANWHILE]) : reason;
		});
	}

	/** A store that does not answer, or that an older n8n lacks, must not stop a message. */
	private async ask<T>(question: () => Promise<T>): Promise<T | undefined> {
		return await turns.take([''], question).catch(() => {
			this.hints.add(
				"n8n's store of processed entries did not answer, so a later execution may record a message again, or skip it after a failure.",
			);
			return undefined;
		});
	}
}
