/** Plans an item and each of its requests: everything that is known before they are sent. Sends nothing itself. */
import { isNil, map, uniq, memoize, startCase } from 'lodash';

import { isRecord, type ServiceRecord, toRecord } from '../values/json';
import {
	onlyReads,
	type Operation,
	type RunContext,
	type Values,
	fieldsOf,
	type RequestStep,
} from '../operation';
import type { ErrorContext } from '../transport/errors';
import { addressesOf } from '../values/identity';
import type { PriorState } from '../contract/outcome';
import { checkedPath, encodeSegment } from '../transport/path';
import type { ServiceRequest } from '../transport/request';

/** A record in the path, and the parameter that names it. */
export type PathRecord = ErrorContext['targets'][number] & { name: string; printable: boolean };

/** Everything about an item, or a part of one, that is known before anything is written. */
export interface Plan {
	operation: Operation;
	values: Values;
	/** The records in the path. */
	targets: PathRecord[];
	context: RunContext;
}

/** An item of the input, or one of the things that it holds. Most items have just one. */
export interface ItemPart {
	itemIndex: number;
	/** The position of the part in its item. */
	part: number;
}

export interface PlannedItem extends ItemPart {
	plan: Plan;
	/** The record that it changes, where a push or the value in the path has led to it already. */
	found?: ServiceRecord;
	/** In a push: it is sent individually, since another person of the run has its email or phone. */
	sharesAddress?: boolean;
	/** In a push, the request that it shares with others, as it would send this item alone. */
	requestPlan?: RequestPlan;
}

/** In a push, an item with its request. */
export type BatchedItem = PlannedItem & { requestPlan: RequestPlan };

/** Whether a plan reads a list, which may take hundreds of requests. */
export function readsList({ operation, values }: Plan): boolean {
	if (values.settings.paginate === true) return true;
	return operation.output.kind === 'many' && onlyReads(operation);
}

/**
 * Keys of the records that an item changes: items that share one keep their order. They are the values that identify a record,
 * in the path and in the body of an upsert. An email or a phone counts too, since two simultaneous requests might both find no
 * contact and create one. An address comes after what decides where both are given. Empty for reads.
 */
export function recordKeysOf({ operation, values, targets }: Plan): string[] {
	if (onlyReads(operation)) return [];
	const { externalId, protocol, id, contact = values.body } = values.body;
	const addresses = isRecord(contact) ? addressesOf(contact) : [];
	const ids = [...map(targets, 'value'), externalId, protocol, id];
	const all = [...ids, ...(operation.keys?.(values) ?? []), ...addresses];
	return uniq(all.filter((value) => !isNil(value) && value !== '').map(String));
}

export interface RequestPlan {
	step: RequestStep;
	request: ServiceRequest;
	/** The records in the path. */
	targets: PathRecord[];
	/** The facts for error messages. */
	errorContext: ErrorContext;
	prior: PriorState;
}

/** Values of a request without path values, query and body. */
export function emptyValues(): Values {
	return { path: {}, query: {}, body: {}, filter: {}, settings: {}, options: {}, extracted: {} };
}

/** The fields of a request's body. */
export function bodyOf({ request: { body } }: Pick<RequestPlan, 'request'>): ServiceRecord {
	return toRecord(body);
}

/**
 * Plans the request of a step. Its values have been converted, or come from the service.
 *
 * @throws InputError if the path cannot be sent
 */
export function planRequest(
	step: RequestStep,
	stepValues: Partial<Values>,
	{ targets: targetsOfItem, operation: { action } }: Plan,
	prior: PriorState = {},
): RequestPlan {
	const values = { ...emptyValues(), ...stepValues };
	const targets = Object.entries(values.path).map(([name, value]): PathRecord => {
		const ofItem = targetsOfItem.find((target) => target.name === name && target.value === value);
		const label = `ID of the ${startCase(name).replace(/ Id$/, '').toLowerCase()}`;
		const { printable = false } =
			step.parameters.find((parameter) => parameter.name === name) ?? {};
		return ofItem ?? { name, label, value, printable };
	});
	const request = requestOf(step, values, targets);
	const { repeatable = IDEMPOTENT.includes(request.method) } = step;
	request.repeatable = typeof repeatable === 'function' ? repeatable(request) : repeatable;
	const body = toRecord(request.body);
	const errorContext = {
		// Users know the operation that they chose, not its steps.
		action,
		scope: step.scope,
		targets: [...targets, ...referencesIn(step, body)],
		notFound: step.notFound?.(body),
		hasOnlyCode: !isNil(body.protocol) && isNil(body.externalId),
	};
	return { step, request, targets, errorContext, prior };
}

const IDEMPOTENT = ['GET', 'PUT', 'DELETE'];

/** The request with these values, without `repeatable`. */
function requestOf({ route }: RequestStep, values: Values, targets: PathRecord[]): ServiceRequest {
	if (typeof route !== 'string') {
		const request = route(values);
		return { ...request, path: checkedPath(request.path, 'Path'), repeatable: false };
	}
	const [method, template] = route.split(' ') as [ServiceRequest['method'], string];
	const path = template.replace(/\{(\w+)\}/g, (part, name: string) => {
		const target = targets.find((candidate) => candidate.name === name);
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

/** The records that the body refers to, such as an existing contact: a 404 may be about any of them. */
function referencesIn(step: RequestStep, body: ServiceRecord): ErrorContext['targets'] {
	return locatorsOf(step.parameters)
		.map(({ displayName, name }) => ({ label: displayName, value: String(body[name] ?? '') }))
		.filter(({ value }) => value !== '');
}

const locatorsOf = memoize((parameters: RequestStep['parameters']) =>
	parameters
		.flatMap((parameter) => (parameter.type === 'collection' ? fieldsOf(parameter) : [parameter]))
		.filter(({ type, in: place }) => type === 'resourceLocator' && place === 'body'),
);
