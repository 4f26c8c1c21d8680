import { isNil, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../values/json';
import type { RecordShape } from '../contract/records';
import type {
	ComposedOperation,
	Lookup,
	Operation,
	Parameter,
	RequestOperation,
	RunContext,
	Values,
} from '../operation';
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
	/** When an earlier try of the item began that may have been carried out, see requests/ledger.ts. */
	triedAt?: number;
}

/** One request: of an item, or of a step. */
export interface RequestPlan extends Planned {
	operation: RequestOperation;
	request: ServiceRequest;
	/** The record that is written to, as it was looked up; null if there is none, undefined where nobody looked. */
	existing?: ServiceRecord | null;
	/** See {@link RequestOperation.listedBy}. */
	listing?: Listing;
}

export interface ComposedPlan extends Planned {
	operation: ComposedOperation;
	context: RunContext;
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
export function aboutOf(operation: Operation, { query, body }: Values, targets: Target[]): About {
	const { action, scope } = operation;
	return {
		action,
		scope,
		targets: [
			...targets.map((target) => pick(target, ['label', 'value', 'wayToFind'])),
			...referencesOf(operation, body),
		],
		notFound: operation.notFound?.({ query, body }),
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

/** The output of an item, or why it failed. */
export type ItemResult = IDataObject[] | Error;

/** One of the things that an input item holds; most hold just one. */
export interface Thing {
	itemIndex: number;
	/** Its position in the item. */
	part: number;
}

export interface PlannedItem extends Thing {
	plan: Plan;
}

/** The work for one thing, or for several at once. */
export interface Job {
	items: Thing[];
	/** Jobs that share a key run one after another, in the order given. */
	recordKeys: string[];
	/** Returns one result for each of `items`; what it throws is the result of all. */
	run(): Promise<ItemResult[]>;
}
