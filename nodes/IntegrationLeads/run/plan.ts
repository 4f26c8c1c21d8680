import { isRecord } from '../contract/envelope';
import type { RecordShape, Trait } from '../contract/records';
import type { Alternative, Lookup, Operation, Parameter, Report } from '../operation';
import type { Attempted } from '../transport/errors';
import type { About, ServiceRequest } from '../transport/send';
import type { Sent } from './sameRecord';

/** Returns the value of a parameter, undefined if it is not set or not shown. */
export type ReadParameter = (name: string) => unknown;

/** Everything about one item that is known before anything is sent. */
export interface Plan {
	operation: Operation;
	request: ServiceRequest;
	/** The records in the path, by their parameters' labels. */
	targets: Attempted['targets'];
	/** Given for the tool of an agent. */
	agent: Attempted['agent'];
	/** What is compared with each record of the list. */
	match: Partial<Record<Trait, string>>;
	/** Records of which the ID is not known yet. */
	lookups: Lookup[];
	/** The same plan with the IDs of `lookups`, by {@link lookupKey}. */
	withIds: (ids: ReadonlyMap<string, string>) => Plan;
	/** What the item changes: items that share a key keep their order. Empty for reads. */
	recordKeys: string[];
	/** See {@link Operation.alternatives}. */
	alternatives?: Alternative[];
	/** See {@link Operation.parent}. Until it has run, the paths of this plan name its place in braces. */
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
	/** What the user should know about the values of the item. */
	hints: string[];
}

/** The list that shows what an item creates. */
export interface Listing {
	/** Identifies the list before its path is known. */
	key: string;
	operation: Operation;
	request: ServiceRequest;
	record: RecordShape;
	targets: Plan['targets'];
	agent: Plan['agent'];
	/** What its records are compared with. */
	sent: Sent;
}

/** Identifies what is looked up: equal lookups find the same record. */
export function lookupKey({ record, by, value }: Lookup): string {
	return `${record.singular} ${by} ${value}`;
}

/** What messages about the request of an item name. */
export function requestInfo({
	operation,
	request,
	targets,
	agent,
}: Pick<Plan, 'operation' | 'request' | 'targets' | 'agent'>): About {
	const { action, scope, batch, listedBy, alternatives } = operation;
	const notFound = operation.notFound?.(request);
	if (notFound && agent?.list && request.method === 'GET') {
		notFound.description += ` To search, use ${agent.list}.`;
	}
	const hasSkipOption = listedBy !== undefined && !alternatives;
	return {
		action,
		scope,
		targets: [...targets, ...referencesOf(operation, request.body)],
		agent,
		notFound,
		hasBatchSize: batch !== undefined,
		hasSkipOption,
	};
}

/** The records that the body refers to, such as an existing contact: a 404 may mean any of them. */
function referencesOf({ parameters }: Operation, body: unknown): Plan['targets'] {
	if (!isRecord(body)) return [];
	return parameters
		.flatMap((each) => (each.type === 'collection' ? (each.options as Parameter[]) : [each]))
		.filter(({ type, in: place }) => type === 'resourceLocator' && place === 'body')
		.map(({ displayName, name }) => ({ label: displayName, value: String(body[name] ?? '') }))
		.filter(({ value }) => value !== '');
}
