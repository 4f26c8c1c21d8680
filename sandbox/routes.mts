import { operations, type Operation as Declared } from '../openapi.mts';
import * as contacts from './operations/contacts.mts';
import * as conversations from './operations/conversations.mts';
import * as leads from './operations/leads.mts';
import * as sync from './operations/sync.mts';
import * as tags from './operations/tags.mts';
import type { Operation } from './operation.mts';

/** The fixed prefix of all paths (head of the spec). */
export const apiPrefix = '/api/v1/integration';

/** One operation of openapi.yaml, and the function that carries it out. */
export interface Route extends Declared {
	run: Operation;
}

/** Named as the operations of openapi.yaml. */
const handlers: Record<string, unknown> = {
	...contacts,
	...conversations,
	...leads,
	...sync,
	...tags,
};

export const routes: readonly Route[] = operations.map((operation) => ({
	...operation,
	run: handlers[operation.id] as Operation,
}));
