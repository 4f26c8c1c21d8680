import type { IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../transport/send';
import { AccountValues } from './accountValues';
import { CreatedRecords } from './created';
import type { Book } from './ledger';
import { Ledger } from './ledger';
import { RecordLocator } from './locate';

/** What all items of a run share. */
export interface RunServices {
	client: Client;
	/** Texts shown under the output, each once however many items it concerns. */
	hints: Set<string>;
	created: CreatedRecords;
	locator: RecordLocator;
	ledger: Ledger;
	values: AccountValues;
}

export function createServices(context: IExecuteFunctions, client: Client): RunServices {
	const hints = new Set<string>();
	const created = new CreatedRecords(client);
	const book = context.getContext('node') as Book;
	return {
		client,
		hints,
		created,
		locator: new RecordLocator(client),
		ledger: new Ledger(book, runOf(context, client), created, hints),
		values: new AccountValues(client, hints),
	};
}

/**
 * Identifies the run of the node, also when n8n repeats it: in the same execution the run of the same number, with the same
 * account. The key does not count, because one that was revoked is replaced before the execution is retried.
 */
function runOf(context: IExecuteFunctions, client: Client): string {
	const { $runIndex } = context.getWorkflowDataProxy(0);
	return [$runIndex, client.account, client.isTestKey].join(' ');
}
