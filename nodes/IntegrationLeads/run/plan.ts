import type { IDataObject } from 'n8n-workflow';

import type { RecordShape } from '../contract/records';
import type { Alternative, Operation, Report } from '../operation';
import type { About, Client, ServiceRequest } from '../transport/send';
import type { CreatedRecords } from './created';
import type { Hints } from './hints';
import type { Sent } from './sameRecord';

/** Returns the value of a parameter, undefined if it is not set or not shown. */
export type ReadParameter = (name: string) => unknown;

/** Everything about one item that is known before anything is sent. */
export interface Plan {
	operation: Operation;
	request: ServiceRequest;
	/** The records in the path, by their parameters' labels. */
	targets: Array<{ label: string; value: string }>;
	/** What the item changes: items that share a key keep their order. Empty for reads. */
	recordKeys: string[];
	/** See {@link Operation.alternatives}. */
	alternatives?: Alternative[];
	/** See {@link Operation.parent}. Until it has run, its place in the paths of this plan is empty. */
	parent?: Plan;
	/** See {@link Operation.onceBy}. `key` identifies what the item creates. */
	once?: { key: string; label: string; value: string };
	/** See {@link Operation.listedBy}. */
	listing?: Listing;
	/** See {@link Operation.report}. */
	report?: Report;
	/** Returns the converted value of a parameter without a place. */
	read: ReadParameter;
	/** Fields of the input item that are not sent. */
	unsent: string[];
}

/** The list that shows what an item creates. */
export interface Listing {
	/** Identifies the list before its path is known. */
	key: string;
	operation: Operation;
	request: ServiceRequest;
	record: RecordShape;
	targets: Plan['targets'];
	/** What its records are compared with. */
	sent: Sent;
}

/** What all items share. */
export interface RunServices {
	client: Client;
	hints: Hints;
	created: CreatedRecords;
	/** What was created in this execution, by `once.key`; null if it is not known whether it was. */
	recorded: Record<string, IDataObject | null>;
}

/** What messages about the request of an item name. */
export function requestInfo({
	operation,
	request,
	targets,
}: Pick<Plan, 'operation' | 'request' | 'targets'>): About {
	const { action, scope, batch, listedBy, alternatives } = operation;
	const notFound = operation.notFound?.(request);
	const hasSkipOption = listedBy !== undefined && !alternatives;
	return { action, scope, targets, notFound, hasBatchSize: batch !== undefined, hasSkipOption };
}
