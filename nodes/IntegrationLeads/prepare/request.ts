/** Makes the request of a step: what is known before it is sent. Sends nothing itself. */
import { isNil, memoize, startCase } from 'lodash';
import type { Attempt } from '../contract/attempt';
import { fieldsOf, type RequestStep, type Values } from '../operation';
import type { ErrorContext } from '../transport/errors';
import { checkedPath, encodeSegment } from '../transport/path';
import type { ServiceRequest } from '../transport/request';
import { type ServiceRecord, toRecord } from '../values/json';
import type { PathRecord, Plan } from './plan';

export interface RequestPlan {
	step: RequestStep;
	request: ServiceRequest;
	/** The records in the path. */
	targets: PathRecord[];
	/** The facts for error messages. */
	errorContext: ErrorContext;
	attempt: Attempt;
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
	attempt: Attempt = {},
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
	return { step, request, targets, errorContext, attempt };
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
