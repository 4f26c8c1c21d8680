import { isNil } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import type { RecordShape, Trait } from '../contract/records';
import type { Lookup, Operation, Parameter, Parent, Report, Resource, Search } from '../operation';
import type { About } from '../transport/errors';
import type { ServiceRequest } from '../transport/send';

/** Returns the value of a parameter, undefined if it is not set or not shown. */
export type ReadParameter = (name: string) => unknown;

/** Everything about one item that is known before anything is sent. */
export interface Plan {
	operation: Operation;
	request: ServiceRequest;
	/** What messages about the request name. */
	about: About;
	/** What the item changes: items that share a key keep their order. Empty for reads. */
	recordKeys: string[];
	/** Records of which the ID is not known yet: when it is, the item is planned again. */
	lookups: Lookup[];
	/** The record that is written to, as it was found or read before; null: there is none. Undefined where nobody looked. */
	existing?: ServiceRecord | null;
	/** See {@link Operation.parent}. Until it has run, the paths of this plan name its place in braces. */
	parent?: Plan & { operation: Parent };
	/** See {@link Operation.find}. */
	find?: Search[];
	/** See {@link Operation.listedBy}. */
	listing?: Listing;
	/** How a list is read: what its records are compared with, and what is computed from it. */
	list: { match: Partial<Record<Trait, string>>; report?: Report };
	/** Returns the converted value of a parameter without a place. */
	read: ReadParameter;
}

/** The list that shows what an item creates. */
export interface Listing {
	/** Identifies the list before its path is known. */
	key: string;
	path: string;
	about: About;
	record: RecordShape;
	/** What its records are compared with. */
	sent: {
		body: ServiceRecord;
		/** Fields in which a plain difference shows another record. The service may replace the values of others. */
		comparable: string[];
		/** Fields that are empty in the record if they are not sent. */
		texts: string[];
	};
}

/** Identifies what is looked up: equal lookups find the same record. */
export function lookupKey({ record, by, value }: Lookup): string {
	return `${record.singular} ${by} ${value}`;
}

/** Distinguishes what is below one parent from what is below another before their IDs are known. */
export function parentPath({ parent }: Pick<Plan, 'parent'>): string {
	return parent?.request.path ?? '';
}

/** What messages about the request of an item name: the records in its path, and those that its body refers to. */
export function aboutOf(
	operation: Operation,
	request: ServiceRequest,
	{ targets, agent }: Pick<About, 'targets' | 'agent'>,
): About {
	const { action, scope, listedBy, find } = operation;
	const notFound = operation.notFound?.(request);
	if (notFound && agent?.list && request.method === 'GET') {
		notFound.description += ` To search, use ${agent.list}.`;
	}
	return {
		action,
		scope,
		targets: [...targets, ...referencesOf(operation, request.body)],
		agent,
		notFound,
		hasOnlyCode:
			isRecord(request.body) && !isNil(request.body.protocol) && isNil(request.body.externalId),
		hasSkipOption: listedBy !== undefined && !find,
	};
}

/** The records that the body refers to, such as an existing contact: a 404 may mean any of them. */
function referencesOf({ parameters }: Operation, body: unknown): About['targets'] {
	if (!isRecord(body)) return [];
	return parameters
		.flatMap((each) => (each.type === 'collection' ? (each.options as Parameter[]) : [each]))
		.filter(({ type, in: place }) => type === 'resourceLocator' && place === 'body')
		.map(({ displayName, name }) => ({ label: displayName, value: String(body[name] ?? '') }))
		.filter(({ value }) => value !== '');
}

/** How an AI agent that lacks an ID finds it. */
export interface WaysToFind {
	/** How to get the value of a parameter of the path, as a sentence. */
	forParameter: (name: string) => string;
	/** The operation that lists the records of this resource, e.g. `Lead > Get Many with Search`. */
	list?: string;
}

/** @param resource the key of the resource whose operation runs */
export function waysToFind(resources: Record<string, Resource>, resource: string): WaysToFind {
	return {
		forParameter: (name) => {
			// `contactId` is the ID of a record of the resource `contact`; an external ID is a lead's.
			const owner = resources[name.replace(/Id$/, '')];
			const { name: kind } = owner ?? resources.lead;
			const id = owner ? 'ID' : 'external ID';
			return `Use ${listOf(owner ?? resources.lead)} to find the ${id} of the ${kind.toLowerCase()}, or ask the user.`;
		},
		list: listOf(resources[resource]),
	};
}

function listOf({ name, operations }: Resource): string | undefined {
	const list = Object.values(operations).find(
		({ output, report }) => output.kind === 'many' && !report,
	);
	const fields = list?.parameters.flatMap(({ options = [] }) => options) ?? [];
	const canSearch = fields.some((field) => field.name === 'search');
	return list && `${name} > ${list.name}${canSearch ? ' with Search' : ''}`;
}
