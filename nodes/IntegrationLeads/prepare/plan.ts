/** Plans an item or a step: everything that is known before it is sent. Sends nothing itself. */
import { isNil, map, memoize, startCase, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isRecord, type ServiceRecord, toRecord } from '../values/json';
import {
	type ComposedOperation,
	type SendOptions,
	type Lookup,
	type RequestOperation,
	type RunContext,
	type Values,
	fieldsOf,
} from '../operation';
import { onlyReads } from '../operation';
import type { ErrorContext } from '../transport/errors';
import { checkedPath, encodeSegment } from '../transport/path';
import type { ServiceRequest } from '../transport/request';
import { addressesOf } from '../values/identity';

/** Returns the value of a parameter as the user gave it, undefined if it is not set or not shown. */
export type ReadParameter = (name: string) => unknown;

/** Looks up the ID of a record before anything is written. Throws UserError unless just one matches. */
export type ResolveId = (lookup: Lookup) => Promise<string>;

/** An item, or a part of one, whose values are converted but not all looked up. */
export interface Draft {
	/** Lookups that complete it. They must be awaited one after another before `plan` is called. */
	lookups: Array<(lookUp: ResolveId) => Promise<void>>;
	plan: () => Plan;
}

/** Everything about an item that is known before anything is written. */
export type Plan = RequestPlan | ComposedPlan;

interface Planned {
	values: Values;
	/** The records in the path. */
	targets: PathRecord[];
	/** When an earlier try of the item began that may have been carried out, see requests/ledger.ts. */
	triedAt?: number;
}

/** The plan of one request, for an item or for a step. */
export interface RequestPlan extends Planned {
	operation: RequestOperation;
	request: ServiceRequest;
	/** The facts for error messages. */
	about: ErrorContext;
	/** The record to write to as it was looked up; null if there is none, undefined if nobody looked. */
	existing?: ServiceRecord | null;
}

export interface ComposedPlan extends Planned {
	operation: ComposedOperation;
	context: RunContext;
	/** The operation of the batch that the item joins if its lead turns out to have an external ID. */
	batchOperation?: RequestOperation;
}

export function isComposed(plan: Plan): plan is ComposedPlan {
	return 'compose' in plan.operation;
}

export function isRead(plan: Plan): boolean {
	return isComposed(plan) ? onlyReads(plan.operation) : plan.request.method === 'GET';
}

/** Whether a plan reads a list, which may take hundreds of requests. */
export function readsList(plan: Plan): boolean {
	return isRead(plan) && plan.operation.output.kind === 'many';
}

/** The fields of a request's body. */
export function bodyOf({ request: { body } }: RequestPlan): ServiceRecord {
	return toRecord(body);
}

/** A record in the path, and the parameter that gives it. */
export type PathRecord = ErrorContext['targets'][number] & { name: string; printable: boolean };

/** The output of an item, or why it failed. */
export type ItemResult = IDataObject[] | Error;

/** A part of an input item. Most items have just one. */
export interface ItemPart {
	itemIndex: number;
	/** The position of the part in its item. */
	part: number;
}

export interface PlannedItem extends ItemPart {
	plan: Plan;
}

/** The work for one part of an item, or for several in one request. */
export interface Job {
	items: ItemPart[];
	/** Jobs that share a key run one after another, in the order given. */
	recordKeys: string[];
	/** Whether it runs even after another has failed. */
	always?: boolean;
	/** Returns one result for each of `items`; what it throws is the result of all. */
	run(): Promise<ItemResult[]>;
}

const IDEMPOTENT = ['GET', 'PUT', 'DELETE'];

/** Plans a step of an item. Its values have been converted, or come from the service. */
export function planStep(
	operation: RequestOperation,
	given: Partial<Values>,
	{ targets: ofItem, operation: { action }, triedAt }: Plan,
	{ searchedFirst, existing, mayBeMissing }: SendOptions = {},
): RequestPlan {
	const values = { ...emptyValues(), ...given };
	const targets = Object.entries(values.path).map(([name, value]): PathRecord => {
		const own = ofItem.find((each) => each.name === name && each.value === value);
		const label = `ID of the ${startCase(name).replace(/ Id$/, '').toLowerCase()}`;
		return own ?? { name, label, value, printable: false };
	});
	const plan = planRequest(operation, values, targets);
	// Users know the operation that they chose and its options, not its steps.
	return {
		...plan,
		request: { ...plan.request, mayBeMissing },
		triedAt,
		existing: existing === undefined && searchedFirst ? null : existing,
		about: { ...plan.about, action },
	};
}

/** Values of a request without path values, query and body. */
export function emptyValues(): Values {
	return { path: {}, query: {}, body: {}, filter: {}, settings: {}, options: {} };
}

/** Plans one request with these values. Throws InputError if the path cannot be sent. */
export function planRequest(
	operation: RequestOperation,
	values: Values,
	targets: PathRecord[],
): RequestPlan {
	const request = requestOf(operation, values, targets);
	const { repeatable = IDEMPOTENT.includes(request.method) } = operation;
	request.repeatable = typeof repeatable === 'function' ? repeatable(request) : repeatable;
	const body = toRecord(request.body);
	return { operation, values, targets, request, about: errorContextOf(operation, body, targets) };
}

/** The request with these values, without `repeatable`. Throws InputError if the path cannot be sent. */
export function requestOf(
	{ route }: RequestOperation,
	values: Values,
	targets: PathRecord[],
): ServiceRequest {
	if (typeof route !== 'string') {
		const request = route(values);
		return { ...request, path: checkedPath(request.path, 'Path'), repeatable: false };
	}
	const [method, template] = route.split(' ') as [ServiceRequest['method'], string];
	const path = template.replace(/\{(\w+)\}/g, (part, name: string) => {
		const target = targets.find((each) => each.name === name);
		return target ? encodeSegment(target.value, target.label, target.printable) : part;
	});
	const hasBody = method !== 'GET' && method !== 'DELETE';
	return {
		method,
		path,
		query: values.query,
		...(hasBody && { body: values.body }),
		repeatable: false,
	};
}

/**
 * Keys of the records that an item changes: items that share one keep their order. They are the values that identify a record,
 * in the path and in the body of an upsert. An email or a phone counts too, since two simultaneous requests might both find no
 * contact and create one. Empty for reads.
 */
export function recordKeysOf(plan: Plan): string[] {
	if (isRead(plan)) return [];
	const body = isComposed(plan) ? plan.values.body : bodyOf(plan);
	const own = isComposed(plan) ? plan.operation.compose.keys?.(plan.values) : [];
	const { externalId, protocol, id, contact = body } = body;
	const addresses = isRecord(contact) ? addressesOf(contact) : [];
	const ids = [...map(plan.targets, 'value'), externalId, protocol, id];
	const all = [...ids, ...addresses, ...(own ?? [])];
	return uniq(all.filter((value) => !isNil(value) && value !== '').map(String));
}

/** Collects the facts for error messages about an item: the records in its path, and those that its body refers to. */
function errorContextOf(
	operation: RequestOperation,
	body: IDataObject,
	targets: PathRecord[],
): ErrorContext {
	const { action, scope } = operation;
	return {
		action,
		scope,
		targets: [...targets, ...referencesIn(operation, body)],
		notFound: operation.notFound?.(body),
		hasOnlyCode: !isNil(body.protocol) && isNil(body.externalId),
	};
}

/** The records that the body refers to, such as an existing contact: a 404 may be about any of them. */
function referencesIn(operation: RequestOperation, body: ServiceRecord): ErrorContext['targets'] {
	return locatorsOf(operation)
		.map(({ displayName, name }) => ({ label: displayName, value: String(body[name] ?? '') }))
		.filter(({ value }) => value !== '');
}

const locatorsOf = memoize(({ parameters }: RequestOperation) =>
	parameters
		.flatMap((each) => (each.type === 'collection' ? fieldsOf(each) : [each]))
		.filter(({ type, in: place }) => type === 'resourceLocator' && place === 'body'),
);
