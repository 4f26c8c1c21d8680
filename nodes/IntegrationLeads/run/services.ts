import type { Client } from '../transport/send';
import type { CreatedRecords } from './created';
import type { Hints } from './hints';
import type { Ledger } from './ledger';
import type { RecordLocator } from './locate';

/** What all items share. */
export interface RunServices {
	client: Client;
	hints: Hints;
	created: CreatedRecords;
	locator: RecordLocator;
	ledger: Ledger;
}
