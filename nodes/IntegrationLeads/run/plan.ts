import { isNil, pick } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import type { RecordShape } from '../contract/records';
import type {
	ComposedOperation,
	Lookup,
	Operation,
	Parameter,
	Report,
	RequestOperation,
	Resource,
	Values,
} from '../operation';
import { onlyReads } from '../operation';
import type { About } from '../transport/errors';
import type { ServiceRequest } from '../transport/send';

/** Returns the value of a parameter as the user gave it, undefined if it is not set or not shown. */
export type ReadParameter = (name: string) => unknown;

/** The ID of a record, asked for before anything is written. Throws UserError if there is not just one. */
export type LookUp = (lookup: Lookup) => Promise<string>;

/** One thing to carry out, with its values converted. */
export interface Draft {
	/** What only the service can complete: to be awaited one after another, before `plan` is called. */
	pending: Array<(lookUp: LookUp) => Promise<void>>;
	plan: () => Plan;
}

/** Everything about an item that is known before anything is written. */
export type Plan = RequestPlan | ComposedPlan;

interface Planned {
	values: Values;
	/** The records in the path. */
	targets: Target[];
	/** What messages name. */
	about: About;
	/** Identify what it changes: items that share a key keep their order. Empty for reads. */
	recordKeys: string[];
}

/** One request: of an item, or of a step. */
export interface RequestPlan extends Planned {
	operation: RequestOperation;
	request: ServiceRequest;
	/** The record that is written to, as it was looked up; null if there is none, undefined where nobody looked. */
	existing?: ServiceRecord | null;
	/** See {@link RequestOperation.listedBy}. */
	listing?: Listing;
	report?: Report;
}

export interface ComposedPlan extends Planned {
	operation: ComposedOperation;
}

export function isComposed(plan: Plan): plan is ComposedPlan {
	return 'compose' in plan.operation;
}

/** A record in the path, and the parameter that gives it. */
export type Target = About['targets'][number] & { name: string; printable: boolean };

/** The list that shows what an item creates. */
export interface Listing {
	path: string;
	about: About;
	record: RecordShape;
}

/** What messages about an item name: the records in its path, and those that its body refers to. */
export function aboutOf(
	operation: Operation,
	{ query, body }: Values,
	targets: Target[],
	agent?: About['agent'],
): About {
	const { action, scope } = operation;
	const notFound = operation.notFound?.({ query, body });
	if (notFound && agent?.list && onlyReads(operation)) {
		notFound.description += ` To search, use ${agent.list}.`;
	}
	return {
		action,
		scope,
		targets: [
			...targets.map((target) => pick(target, ['label', 'value', 'wayToFind'])),
			...referencesOf(operation, body),
		],
		agent,
		notFound,
		hasOnlyCode: !isNil(body.protocol) && isNil(body.externalId),
	};
}

/** The records that the body refers to, such as an existing contact: a 404 may mean any of them. */
function referencesOf({ parameters }: Operation, body: ServiceRecord): About['targets'] {
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
		({ output }) => output.kind === 'many' && !output.report,
	);
	const fields = list?.parameters.flatMap(({ options = [] }) => options) ?? [];
	const canSearch = fields.some((field) => field.name === 'search');
	return list && `${name} > ${list.name}${canSearch ? ' with Search' : ''}`;
}
