/** From a declaration and the parameters of one item to the request: pure. */
import { isNil, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { isResourceLocatorValue } from 'n8n-workflow';

import { isRecord } from '../contract/envelope';
import { converterOf } from '../values/converter';
import { outputChoice } from '../fields/output';
import type { Operation, Parameter, Refinement, Step, RunContext } from '../operation';
import { InputError } from '../userError';
import { clock } from '../transport/clock';
import { checkedPath, encodeSegment, requireOneRecord } from '../transport/path';
import type { ServiceRequest } from '../transport/send';

/** Gives the value of a parameter, undefined when it is not set or not shown. */
export type ReadParameter = (name: string) => unknown;

/** What one item asks for. */
export interface Planned {
	request: ServiceRequest;
	/** The records the path names, by their parameters' labels. */
	targets: Array<{ label: string; value: string }>;
	/** What the item changes: items that share a key must keep their order. Empty for reads. */
	recordKeys: string[];
	/** See {@link Operation.steps}. */
	steps?: Step[];
	/** See {@link Operation.refine}. */
	refinement?: Refinement;
	/** What is not sent but says how to work: the values of parameters without a place, in their types. */
	settings: IDataObject;
	/** Fields of the input item that were not sent. */
	unsent: string[];
}

interface Places {
	path: Record<string, string>;
	query: IDataObject;
	body: IDataObject;
	targets: Planned['targets'];
}

/**
 * @param read gives raw values
 * @param timezone the workflow's, for dates that carry none
 * @param input the item, for parameters that map its fields by name
 * @param now in ms since the epoch
 * @throws InputError naming the field, before anything is sent
 */
export function planRequest(
	operation: Operation,
	read: ReadParameter,
	timezone: string,
	input: IDataObject = {},
	now = clock.now(),
): Planned {
	const unsent: string[] = [];
	const reading: RunContext = {
		timezone,
		countryCode: readCountryCode(read('options')),
		input,
		onUnsent: (fields) => unsent.push(...fields),
		now,
	};
	const places: Places = { path: {}, query: {}, body: {}, targets: [] };
	// What is spread (a user's own JSON) comes last, so that it wins.
	const isSpread = ({ spread = false }: Parameter) => Number(spread);
	const ordered = [...operation.parameters].sort((a, b) => isSpread(a) - isSpread(b));
	for (const parameter of ordered) {
		placeTopLevel(parameter, read(parameter.name), reading, places);
	}
	const settings = settingsOf(operation, read, reading);
	const readSetting: ReadParameter = (name) => settings[name];
	if (operation.output.kind === 'deleted') {
		for (const { value, label } of places.targets) requireOneRecord(value, label);
	}
	const fixed = operation.route
		? fromRoute(operation.route, places)
		: fromFunction(operation, readSetting);
	const request: ServiceRequest = { ...fixed, repeatable: false };
	operation.check?.(request);
	const { repeatable } = operation;
	request.repeatable = typeof repeatable === 'function' ? repeatable(request) : repeatable;
	const { options } = settings;
	const steps = operation.steps?.(request, isRecord(options) ? (options as IDataObject) : {});
	const recordKeys = keysOf(request, places, steps);
	const refinement = operation.refine?.(readSetting, reading);
	Object.assign(request.query, refinement?.query);
	return { request, targets: places.targets, recordKeys, steps, refinement, settings, unsent };
}

function fromRoute(route: string, places: Places): Omit<ServiceRequest, 'repeatable'> {
	const [method, template] = route.split(' ') as [ServiceRequest['method'], string];
	const path = template.replace(/\{(\w+)\}/g, (_, name: string) => places.path[name]);
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

function settingsOf(operation: Operation, read: ReadParameter, reading: RunContext): IDataObject {
	const parameters = [...operation.parameters, ...outputChoice(operation)].filter(isUnplaced);
	const settings = parameters.map((parameter) => {
		const { type, options = [] } = parameter;
		const raw = read(parameter.name);
		return type === 'collection'
			? collected(
					{ ...parameter, options: (options as Parameter[]).filter(isUnplaced) },
					raw,
					reading,
				)
			: converted(parameter, valueOf(raw), reading);
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
	reading: RunContext,
	places: Places,
): void {
	if (parameter.type === 'collection' && !parameter.in) {
		placeCollection(parameter, raw, reading, places);
		return;
	}
	if (!parameter.in) return;
	const value =
		parameter.type === 'collection'
			? collected(parameter, raw, reading)
			: converted(parameter, valueOf(raw), reading);
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
	reading: RunContext,
	places: Places,
): void {
	for (const [field, value] of fieldsOf(collection, raw, reading)) {
		if (value !== undefined) place(field, value, places);
	}
}

function collected(collection: Parameter, raw: unknown, reading: RunContext): IDataObject {
	const fields = fieldsOf(collection, raw, reading);
	const sent = fields.filter(([, value]) => value !== undefined);
	return Object.fromEntries(sent.map(([field, value]) => [field.name, value])) as IDataObject;
}

function fieldsOf(
	collection: Parameter,
	raw: unknown,
	reading: RunContext,
): Array<[field: Parameter, value: unknown]> {
	if (!isRecord(raw)) return [];
	const fields = (collection.options ?? []) as Parameter[];
	return fields
		.filter(({ name }) => name in raw)
		.map((field) => {
			const given = raw[field.name];
			const value =
				field.type === 'collection'
					? collected(field, given, reading)
					: converted(field, valueOf(given), reading);
			return [field, value];
		});
}

function place(parameter: Parameter, value: unknown, places: Places): void {
	const target = parameter.in === 'query' ? places.query : parameter.in === 'body' && places.body;
	if (!target) return;
	if (parameter.spread && isRecord(value)) Object.assign(target, value);
	else {
		const name = parameter.field ?? parameter.name;
		target[name] = joined(target[name], value) as IDataObject[string];
	}
}

/** Two parameters may fill one list, such as the tags that are picked and those that are typed. */
function joined(before: unknown, value: unknown): unknown {
	if (!Array.isArray(before)) return value;
	return uniq([...before, ...(Array.isArray(value) ? value : [])]);
}

function converted(parameter: Parameter, value: unknown, reading: RunContext): unknown {
	// An empty filter filters nothing; sent, it would ask for records whose field is empty, or for none.
	if (value === undefined || (parameter.in === 'query' && isBlank(value))) return undefined;
	const convert = converterOf(parameter);
	return convert ? convert(value, { ...reading, label: parameter.displayName }) : value;
}

function isBlank(value: unknown): boolean {
	return value === null || (typeof value === 'string' && value.trim() === '');
}

/** A resource locator's value stands in an object beside its mode. */
function valueOf(raw: unknown): unknown {
	return isResourceLocatorValue(raw) ? raw.value : raw;
}

function modeOf(raw: unknown): unknown {
	return isResourceLocatorValue(raw) ? raw.mode : undefined;
}

function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return true;
	if (Array.isArray(value)) return value.length === 0;
	return isRecord(value) && Object.keys(value).length === 0;
}

/** Values that name a record: those of the path, those an upsert goes by, and those it is looked for by. */
function keysOf({ method, body }: ServiceRequest, places: Places, steps: Step[] = []): string[] {
	if (method === 'GET') return [];
	const named = isRecord(body) ? [body.externalId, body.protocol, body.id] : [];
	// An email is one person's, however it is written.
	const lookedFor = steps.flatMap(({ request }) =>
		Object.values(request.query).map((value) => String(value).toLowerCase()),
	);
	const keys = [...places.targets.map(({ value }) => value), ...named, ...lookedFor];
	return [...new Set(keys.filter((key) => !isNil(key) && key !== '').map(String))];
}

/** Digits, however they were written: `+55`, `0055`, `55`. */
function readCountryCode(options: unknown): string | undefined {
	const { defaultCountryCode } = isRecord(options) ? options : {};
	const digits = String(defaultCountryCode ?? '').replace(/^\s*(\+|00)|\s/g, '');
	if (digits === '') return undefined;
	if (/^[1-9]\d{0,2}$/.test(digits)) return digits;
	throw new InputError(
		`"Default Country Code" is not a country code: "${digits}"`,
		'Give the digits that stand before a number from abroad, e.g. 55 for Brazil or 351 for Portugal.',
	);
}
