/** Holds the state that all items of a run share. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Finder } from '../find/find';
import { ListedValues } from '../find/listedValues';
import type { Hints } from '../output/hints';
import { clock } from '../transport/clock';
import { Permissions } from '../transport/permissions';
import type { Client } from '../transport/send';
import type { HintSink } from '../userError';
import { Ledger } from './ledger';
import { PendingRecords } from './onlyCheck';
import { ProcessedEntries } from './processed';
import { isTool } from './tool';
import { CreatedRecords, Outage } from './unanswered';

export interface RunState {
	/** The input items. */
	rows: IDataObject[];
	/** The workflow's time zone, as an IANA name. */
	timezone: string;
	client: Client;
	finder: Finder;
	listedValues: ListedValues;
	/** Remembers what earlier tries of this execution have done. */
	ledger: Ledger;
	/** Remembers what earlier executions have done. */
	processed: ProcessedEntries;
	createdRecords: CreatedRecords;
	/** Texts shown under the output, each once however many items it concerns. */
	hints: HintSink;
	/** Returns the same hints, for texts about one item. */
	hintsOf: (itemIndex: number) => HintSink;
	permissions: Permissions;
	/** Items stop before their first write, see onlyCheck.ts. */
	onlyChecks: boolean;
	/** What items would write, where they are only checked. */
	pending: PendingRecords;
	/** How many writes had ended when the last turn at a record ended, by the ID of the record. */
	turns: Map<string, number>;
	/** When the run began, in ms on {@link clock}. */
	begunAt: number;
	outage: Outage;
}

export function createRunState(
	context: IExecuteFunctions,
	client: Client,
	hints: Hints,
	onlyChecks: boolean,
): RunState {
	const ledger = new Ledger(context, client);
	const permissions = new Permissions(hints);
	return {
		rows: context.getInputData().map(({ json }) => json),
		timezone: context.getTimezone(),
		client,
		finder: new Finder(client, permissions),
		listedValues: new ListedValues(client, permissions, hints, isTool(context)),
		ledger,
		processed: new ProcessedEntries(context, hints),
		createdRecords: new CreatedRecords(ledger),
		hints,
		hintsOf: (itemIndex) => hints.of(itemIndex),
		permissions,
		onlyChecks,
		pending: new PendingRecords(),
		turns: new Map(),
		begunAt: clock.now(),
		outage: new Outage(client, context.getMode() === 'manual' || isTool(context)),
	};
}

/**
 * Returns the state for one item, or for the items of one request. All of its requests share the place in the queue that it
 * takes now.
 *
 * @param isList whether it reads a list
 * @param hints those of the item
 */
export function stateOfItem(runState: RunState, isList: boolean, hints = runState.hints): RunState {
	const client = runState.client.forItem(isList);
	const permissions = runState.permissions.of(hints);
	return {
		...runState,
		client,
		hints,
		permissions,
		finder: runState.finder.with(client, permissions),
	};
}
