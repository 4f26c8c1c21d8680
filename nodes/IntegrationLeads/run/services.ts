import type { IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../transport/send';
import { AccountValues } from './accountValues';
import { CreatedRecords } from './created';
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
	return {
		client,
		hints,
		created,
		locator: new RecordLocator(client),
		ledger: new Ledger(context, client, created, hints),
		values: new AccountValues(client, hints),
	};
}
