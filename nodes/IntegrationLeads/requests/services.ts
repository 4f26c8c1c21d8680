import type { IExecuteFunctions } from 'n8n-workflow';

import { clock } from '../transport/clock';
import type { Hints } from '../output/hints';
import type { Client } from '../transport/send';
import { absenceReader } from './created';
import { Ledger } from './ledger';
import { Finder } from '../find/find';
import { ProcessedEntries } from './processed';

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
		isTool: isTool(context),
		hints: hints as Set<string>,
		/** For texts about one item. */
		hintsOf: (itemIndex: number) => hints.of(itemIndex),
		ledger,
		isAbsent: absenceReader(client),
		processed: new ProcessedEntries(context, hints),
		finder: new Finder(client),
		/** Keys of the records that items of this run have written. */
		written: new Set<string>(),
	};
}
