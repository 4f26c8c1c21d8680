import type { Alternative, Operation, Report } from '../operation';
import type { About, Client, ServiceRequest } from '../transport/send';
import type { Hints } from './hints';

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
	/** See {@link Operation.report}. */
	report?: Report;
	/** Returns the converted value of a parameter without a place. */
	read: ReadParameter;
	/** Fields of the input item that are not sent. */
	unsent: string[];
}

/** What all items share. */
export interface RunServices {
	client: Client;
	hints: Hints;
}

/** What messages about the request of an item name. */
export function requestInfo({ operation, request, targets }: Plan): About {
	const { action, scope, batch } = operation;
	const notFound = operation.notFound?.(request);
	return { action, scope, targets, notFound, hasBatchSize: batch !== undefined };
}
