/** Builds the request of one item from its operation's declaration and its parameters. Pure. */
import { isNil, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { isResourceLocatorValue } from 'n8n-workflow';

import { isRecord } from '../contract/envelope';
import { converterOf } from '../values/converter';
import { outputParameters } from '../fields/output';
import type { Alternative, Operation, Parameter, RunContext } from '../operation';
import { InputError } from '../userError';
import { clock } from '../transport/clock';
import { checkedPath, encodeSegment, requireOneRecord } from '../transport/path';
import type { ServiceRequest } from '../transport/send';
import type { Listing, Plan, ReadParameter } from './plan';

const IDEMPOTENT = ['GET', 'PUT', 'DELETE'];

interface Places {
	path: Record<string, string>;
	query: IDataObject;
	body: IDataObject;
	targets: Plan['targets'];
}

/**
 * @param read returns unconverted values
 * @param timezone the workflow's, for dates without one
 * @param input the item, for parameters that map its fields by name
 * @param now in ms since the epoch
 * @throws InputError naming the field
 */
export function planRequest(
	operation: Operation,
	read: ReadParameter,
	timezone: string,
	input: IDataObject = {},
	now = clock.now(),
): Plan {
	const unsent: string[] = [];
	const context: RunContext = {
		timezone,
		countryCode: readCountryCode(read('options')),
		input,
		onUnsent: (fields) => unsent.push(...fields),
		now,
	};
	const places: Places = { path: {}, query: {}, body: {}, targets: [] };
	// In their order, so that the user's own JSON, which is declared last, wins.
	for (const parameter of operation.parameters) {
		placeTopLevel(parameter, read(parameter.name), context, places);
	}
	const settings = settingsOf(operation, read, context);
	const readSetting: ReadParameter = (name) => settings[name];
	const { targets } = places;
	if (operation.output.kind === 'deleted') {
		for (const { value, label } of targets) requireOneRecord(value, label);
	}
	const fixed = operation.route
		? fromRoute(operation.route, places)
		: fromFunction(operation, readSetting);
	const request: ServiceRequest = { ...fixed, repeatable: false };
	operation.check?.(request);
	const { repeatable = IDEMPOTENT.includes(request.method) } = operation;
	request.repeatable = typeof repeatable === 'function' ? repeatable(request) : repeatable;
	const alternatives = operation.alternatives?.(request, (settings.options ?? {}) as IDataObject);
	const parent =
		operation.parent && planRequest(operation.parent.operation, read, timezone, input, now);
	const recordKeys = keysOf(request, places, alternatives);
	const report = operation.report?.(readSetting, context);
	Object.assign(request.query, report?.query);
	return {
		operation,
		request,
		targets,
		recordKeys,
		alternatives,
		parent,
		once: onceOf(operation, readSetting, parent),
		listing: listingOf(operation, request, places, parent),
		report,
		read: readSetting,
		unsent,
	};
}

function fromRoute(route: string, places: Places): Omit<ServiceRequest, 'repeatable'> {
	const [method, template] = route.split(' ') as [ServiceRequest['method'], string];
	const path = template.replace(/\{(\w+)\}/g, (part, name: string) => places.path[name] ?? part);
	const hasBody = method !== 'GET' && method !== 'DELETE';
	return { method, path, query: places.query, ...(hasBody && { body: places.body }) };
}

function fromFunction(
	operation: Operation,
	read: ReadParameter,
): Omit<ServiceRequest, 'repeatable'> {
	if (!operation.request)
		throw new Error(`${operation.name} declares neither a route nor a request`);
	const request = operation.request(read);
	return { ...request, path: checkedPath(request.path, 'Path') };
}

function listingOf(
	{ listedBy, parameters }: Operation,
	{ body }: ServiceRequest,
	places: Places,
	parent?: Plan,
): Listing | undefined {
	if (!listedBy?.route || listedBy.output.kind !== 'many' || !isRecord(body)) return undefined;
	const { record } = listedBy.output;
	const fields = parameters.filter((each) => each.in === 'body' && !each.spread);
	const nameOf = ({ field, name }: Parameter) => field ?? name;
	// The service may replace a value of an open enumeration that it does not know.
	const mayBeReplaced = (each: Parameter) =>
		each.open === true &&
		!each.options?.some((it) => 'value' in it && it.value === body[nameOf(each)]);
	const request = { ...fromRoute(listedBy.route, { ...places, query: {} }), repeatable: true };
	const sent = {
		body,
		comparable: uniq(fields.filter((each) => !mayBeReplaced(each)).map(nameOf)),
		texts: uniq(fields.filter(({ type }) => type === 'string').map(nameOf)),
	};
	const key = `${pathOf(parent)} ${request.path}`;
	return { key, operation: listedBy, request, record, targets: places.targets, sent };
}

/** Distinguishes what is below one parent from what is below another before their IDs are known. */
function pathOf(parent?: Plan): string {
	return parent?.request.path ?? '';
}

function onceOf(
	{ onceBy, parameters }: Operation,
	read: ReadParameter,
	parent?: Plan,
): Plan['once'] {
	const parameter = parameters.find(({ name }) => name === onceBy);
	const value = String((parameter && read(parameter.name)) ?? '').trim();
	if (!parameter || value === '') return undefined;
	return { key: `${pathOf(parent)} ${value}`, label: parameter.displayName, value };
}

function settingsOf(operation: Operation, read: ReadParameter, context: RunContext): IDataObject {
	const parameters = [...operation.parameters, ...outputParameters(operation)].filter(isUnplaced);
	const settings = parameters.map((parameter) => {
		const { type, options = [] } = parameter;
		const raw = read(parameter.name);
		return type === 'collection'
			? collected(
					{ ...parameter, options: (options as Parameter[]).filter(isUnplaced) },
					raw,
					context,
				)
			: converted(parameter, valueOf(raw), context);
	});
	return Object.fromEntries(
		parameters.map(({ name }, index) => [name, settings[index]]),
	) as IDataObject;
}

function isUnplaced({ in: place }: Parameter): boolean {
	return place === undefined;
}

/** A required or top-level parameter left empty is not sent. */
function placeTopLevel(
	parameter: Parameter,
	raw: unknown,
	context: RunContext,
	places: Places,
): void {
	if (!parameter.in) {
		placeCollection(parameter, raw, context, places);
		return;
	}
	const value =
		parameter.type === 'collection'
			? collected(parameter, raw, context)
			: converted(parameter, valueOf(raw), context);
	if (parameter.in === 'path') {
		const text = String(value ?? '');
		const printable = parameter.printable ?? modeOf(raw) === 'externalId';
		const given = printable ? text : text.trim();
		places.path[parameter.name] = encodeSegment(given, parameter.displayName, printable);
		places.targets.push({ label: parameter.displayName, value: given });
		return;
	}
	if (isEmpty(value)) {
		if (!parameter.required) return;
		throw new InputError(
			`"${parameter.displayName}" is empty`,
			`Enter a value for "${parameter.displayName}", or check what its expression gives.`,
		);
	}
	place(parameter, value, places);
}

/** A field that the user added to a collection is sent as it is, empty included; undefined is not sent. */
function placeCollection(
	collection: Parameter,
	raw: unknown,
	context: RunContext,
	places: Places,
): void {
	for (const [field, value] of fieldsOf(collection, raw, context)) {
		if (value !== undefined) place(field, value, places);
	}
}

function collected(collection: Parameter, raw: unknown, context: RunContext): IDataObject {
	const fields = fieldsOf(collection, raw, context);
	const sent = fields.filter(([, value]) => value !== undefined);
	return Object.fromEntries(sent.map(([field, value]) => [field.name, value])) as IDataObject;
}

function fieldsOf(
	collection: Parameter,
	raw: unknown,
	context: RunContext,
): Array<[field: Parameter, value: unknown]> {
	if (!isRecord(raw)) return [];
	const fields = (collection.options ?? []) as Parameter[];
	return fields
		.filter(({ name }) => name in raw)
		.map((field) => {
			const given = raw[field.name];
			const value =
				field.type === 'collection'
					? collected(field, given, context)
					: converted(field, valueOf(given), context);
			return [field, value];
		});
}

function place(parameter: Parameter, value: unknown, places: Places): void {
	if (parameter.in !== 'query' && parameter.in !== 'body') return;
	const target = places[parameter.in];
	if (parameter.spread && isRecord(value)) Object.assign(target, value);
	else {
		const name = parameter.field ?? parameter.name;
		target[name] = joined(target[name], value) as IDataObject[string];
	}
}

/** Two parameters may fill one list, such as tags that are picked and tags that are typed. */
function joined(before: unknown, value: unknown): unknown {
	if (!Array.isArray(before)) return value;
	return uniq([...before, ...(Array.isArray(value) ? value : [])]);
}

function converted(parameter: Parameter, value: unknown, context: RunContext): unknown {
	// An empty filter filters nothing. If sent, it would match records whose field is empty, or none.
	if (parameter.in === 'query' && isBlank(value)) return undefined;
	const convert = converterOf(parameter);
	return convert ? convert(value, { ...context, label: parameter.displayName }) : value;
}

function isBlank(value: unknown): boolean {
	return isNil(value) || (typeof value === 'string' && value.trim() === '');
}

/** A resource locator is an object with a mode and a value. */
function valueOf(raw: unknown): unknown {
	return isResourceLocatorValue(raw) ? raw.value : raw;
}

function modeOf(raw: unknown): unknown {
	return isResourceLocatorValue(raw) ? raw.mode : undefined;
}

function isEmpty(value: unknown): boolean {
	if (isNil(value) || value === '') return true;
	if (Array.isArray(value)) return value.length === 0;
	return isRecord(value) && Object.keys(value).length === 0;
}

/** Values that identify a record: in the path, in the body of an upsert, and in the queries that look for it. */
function keysOf(
	{ method, body }: ServiceRequest,
	places: Places,
	alternatives: Alternative[] = [],
): string[] {
	if (method === 'GET') return [];
	const named = isRecord(body) ? [body.externalId, body.protocol, body.id] : [];
	// An email is the same in any case.
	const searched = alternatives.flatMap(({ request }) =>
		Object.values(request.query).map((value) => String(value).toLowerCase()),
	);
	const keys = [...places.targets.map(({ value }) => value), ...named, ...searched];
	return [...new Set(keys.filter((key) => !isNil(key) && key !== '').map(String))];
}

/** Digits, however they were written: `+55`, `0055`, `55`. */
function readCountryCode(options: unknown): string | undefined {
	const { defaultCountryCode } = isRecord(options) ? options : {};
	const digits = String(defaultCountryCode ?? '').replace(/^\s*(\+|00)|\s/g, '');
	if (digits === '') return undefined;
	if (/^[1-9]\d{0,2}$/.test(digits)) return digits;
	throw new InputError(
		`"Default Country Code" must be a country code, not "${digits}"`,
		'Give the digits that are dialled before a number from abroad, e.g. 55 for Brazil or 351 for Portugal.',
	);
}
