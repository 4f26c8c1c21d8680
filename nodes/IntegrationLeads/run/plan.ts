/** What is known before an item is sent, and what it is sent with. */
import type { Operation } from '../operation';
import type { About, Client } from '../transport/send';
import type { Notes } from './hints';
import type { Planned, ReadParameter } from './request';

/** What an item asks for. */
export interface Plan {
	operation: Operation;
	planned: Planned;
	/** Gives the value of a parameter that is not sent, in its type. */
	read: ReadParameter;
}

/** What all items share. */
export interface RunServices {
	client: Client;
	notes: Notes;
}

/** What messages about an item need to know. */
export function aboutOf({ operation, planned: { request, targets } }: Plan): About {
	const { action, scope, batch } = operation;
	const notFound = operation.notFound?.(request);
	return { action, scope, targets, notFound, hasBatchSize: batch !== undefined };
}
