import type { Client } from '../transport/send';
import type { CreatedRecords } from './created';
import type { Ledger } from './ledger';
import type { RecordLocator } from './locate';
import type { NewValues } from './newValues';

/** What all items share. */
export interface RunServices {
	client: Client;
	/** Texts shown under the output, each once however many items it concerns. */
	hints: Set<string>;
	created: CreatedRecords;
	locator: RecordLocator;
	ledger: Ledger;
	newValues: NewValues;
}
