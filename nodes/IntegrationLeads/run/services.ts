import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../transport/send';
import type { CreatedRecords } from './created';
import type { Hints } from './hints';
import type { RecordLocator } from './locate';

/** What all items share. */
export interface RunServices {
	client: Client;
	hints: Hints;
	created: CreatedRecords;
	locator: RecordLocator;
	/** What was created in this execution, by `once.key`; null if it is not known whether it was. */
	recorded: Record<string, IDataObject | null>;
}
