/** From the values of an item or a step to what is sent. Sends nothing itself. */
import { isNil, isUndefined, omitBy, startCase, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values/json';
import type { HowToSend, RequestOperation, RunContext, Values } from '../operation';
import { onlyReads } from '../operation';
import { checkedPath, encodeSegment } from '../transport/path';
import type { ServiceRequest } from '../transport/send';
import { addressesOf } from '../values/identity';
import type { ComposedPlan, Listing, RequestPlan, Target } from './plan';
import { aboutOf } from './plan';

const IDEMPOTENT = ['GET', 'PUT', 'DELETE'];

/** A step of an item. Its values have been converted, or are the service's. */
export function planStep(
	operation: RequestOperation,
	given: Partial<Values>,
	{ targets: ofItem, about: { action }, triedAt }: ComposedPlan,
	{ searchedFirst, existing, mayBeMissing }: HowToSend = {},
): RequestPlan {
	const values = { ...emptyValues(), ...omitBy(given, isUndefined) };
	const targets = Object.entries(values.path).map(([name, value]): Target => {
		const own = ofItem.find((each) => each.name === name && each.value === value);
		const label = `ID of the ${startCase(name).replace(/ Id$/, '').toLowerCase()}`;
		return own ?? { name, label, value, printable: false };
	});
	const plan = planRequest(operation, values, targets);
	// Users know the operation that they chose, and its options.
	return {
		...plan,
		request: { ...plan.request, mayBeMissing },
		triedAt,
		existing: searchedFirst ? null : existing,
		about: { ...plan.about, action },
	};
}

/** Empty values. */
export function emptyValues(): Values {
	return { path: {}, query: {}, body: {}, match: {}, settings: {}, options: {} };
}

/** The plan of an operation of several requests. */
export function planComposed(
	operation: ComposedPlan['operation'],
	values: Values,
	targets: Target[],
	context: RunContext,
): ComposedPlan {
	const about = aboutOf(operation, values, targets);
	const keys = operation.compose.keys?.(values) ?? [];
	const recordKeys = onlyReads(operation) ? [] : keysFrom([...namedIn(values, targets), ...keys]);
	return { operation, values, targets, about, recordKeys, context };
}

/**
 * The plan of one request.
 *
 * @throws InputError when the path cannot be sent
 */
export function planRequest(
	operation: RequestOperation,
	values: Values,
	targets: Target[],
): RequestPlan {
	const request = requestOf(operation, values, targets);
	const { repeatable = IDEMPOTENT.includes(request.method) } = operation;
	request.repeatable = typeof repeatable === 'function' ? repeatable(request) : repeatable;
	const sent = { ...values, body: (isRecord(request.body) ? request.body : {}) as IDataObject };
	return {
		operation,
		values,
		targets,
		request,
		about: aboutOf(operation, sent, targets),
		recordKeys: request.method === 'GET' ? [] : keysFrom(namedIn(sent, targets)),
		listing: listingOf(operation, request.path, targets),
	};
}

/** The request with these values; `repeatable` is not known yet. Throws InputError when the path cannot be sent. */
export function requestOf(
	{ route }: RequestOperation,
	values: Values,
	targets: Target[],
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

function listingOf(
	{ listedBy }: RequestOperation,
	path: string,
	targets: Target[],
): Listing | undefined {
	if (listedBy?.output.kind !== 'many') return undefined;
	const { record } = listedBy.output;
	return { path, about: aboutOf(listedBy, emptyValues(), targets), record };
}

/**
 * Values that identify a record: in the path, and in the body of an upsert. An email or a phone identifies the contact, which
 * two requests at once might both find missing and create.
 */
function namedIn({ body }: Values, targets: Target[]): unknown[] {
	const { externalId, protocol, id, contact = body } = body;
	const addresses = isRecord(contact) ? addressesOf(contact) : [];
	return [...targets.map(({ value }) => value), externalId, protocol, id, ...addresses];
}

function keysFrom(values: unknown[]): string[] {
	return uniq(values.filter((value) => !isNil(value) && value !== '').map(String));
}
