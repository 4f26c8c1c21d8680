import type { IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../transport/send';
import { AccountValues } from './accountValues';
import { CreatedRecords } from './created';
import { Ledger } from './ledger';
import { RecordLocator } from './locate';

/** What all items of a run share. */
export type RunServices = ReturnType<typeof createServices>;

export function createServices(context: IExecuteFunctions, client: Client) {
	/** Texts shown under the output, each once however many items it concerns. */
	const hints = new Set<string>();
	const created = new CreatedRecords(client, hints);
	const locator = new RecordLocator(client);
	const values = new AccountValues(client, hints);
	return {
		client,
		hints,
		created,
		locator,
		values,
		/** Keys of the records that items of this run have written. */
		written: new Set<string>(),
		ledger: new Ledger(context, client, created, hints),
	};
}
