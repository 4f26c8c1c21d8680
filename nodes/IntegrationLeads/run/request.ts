/** Builds the request of one item from its operation's declaration and its parameters. Pure. */
import { get, isNil, set, sortBy, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { isResourceLocatorValue } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import { isBlank } from '../values/convert';
import { parseConventions } from '../values/conventions';
import { converterOf } from '../values/converter';
import { isByAddress, parseLookup } from '../values/identity';
import { parametersOf } from '../fields/options';
import type {
	ConvertContext,
	Lookup,
	LookupMode,
	Operation,
	Parameter,
	RunContext,
	Search,
} from '../operation';
import type { InputError } from '../userError';
import { convertOrNote, emptyError, throwMistakes } from '../userError';
import { clock } from '../transport/clock';
import type { About } from '../transport/errors';
import { checkedPath, encodeSegment, requireOneRecord } from '../transport/path';
import type { ServiceRequest } from '../transport/send';
import type { Finder, Listing, Plan, ReadParameter } from './plan';
import { aboutOf, lookupKey, parentPath } from './plan';

const IDEMPOTENT = ['GET', 'PUT', 'DELETE'];

/** Where the values of parameters go. */
interface Places {
	path: Record<string, string>;
	query: IDataObject;
	body: IDataObject;
	match: Plan['list']['match'];
	/** Values without a place, by the names of their parameters. */
	settings: IDataObject;
	targets: About['targets'];
	finder?: Finder;
	/** JSON of the user is wrong: it may hold what seems to be missing. */
	lacksJson?: boolean;
}

/** The item, and what all items of a run share. */
export interface PlanContext extends Pick<ConvertContext, 'leadValues' | 'onUnsent' | 'onLeftOut'> {
	/** The workflow's, for dates without one. */
	timezone: string;
	/** The item, for parameters that map its fields by name. */
	input?: IDataObject;
	/** In ms since the epoch. */
	now?: number;
	/** The country code of the credential, unconverted. */
	countryCode?: unknown;
	/** Given if the values are arguments of an AI agent. */
	finder?: Finder;
	/** Records that are given by something else than an ID, by {@link lookupKey}; undefined for one that is not there. */
	found?: ReadonlyMap<string, ServiceRecord | undefined>;
}

/**
 * @param read returns unconverted values
 * @throws InputError naming the field
 */
export function planRequest(
	operation: Operation,
	read: ReadParameter,
	planContext: PlanContext,
): Plan {
	const { finder, found } = planContext;
	const lookups: Lookup[] = [];
	const find = (lookup: Lookup) => {
		const key = lookupKey(lookup);
		if (!found?.has(key)) lookups.push(lookup);
		return found?.get(key);
	};
	const mistakes: InputError[] = [];
	const context = { ...runContextOf(read, planContext, find), mistakes };
	const places: Places = {
		...{ path: {}, query: {}, body: {}, match: {}, settings: {}, targets: [] },
		finder,
	};
	// In their order, so that the user's own JSON, which is declared last, wins.
	for (const parameter of parametersOf(operation)) {
		placeParameter(parameter, read(parameter.name), context, places);
	}
	const { settings, targets } = places;
	const readSetting: ReadParameter = (name) => settings[name];
	const { check } = operation;
	if (check && !places.lacksJson) {
		convertOrNote(mistakes, () => check(requestTo(operation, places, readSetting), readSetting));
	}
	throwMistakes(mistakes);
	if (operation.output.kind === 'deleted') {
		for (const { value, label, wayToFind } of targets) {
			requireOneRecord(value, label, finder && wayToFind);
		}
	}
	const given = requestTo(operation, places, readSetting);
	let existing: ServiceRecord | undefined;
	const findExisting = (lookup: Lookup) => (existing = find(lookup));
	const request = operation.identify?.(given, readSetting, findExisting) ?? given;
	request.repeatable = isRepeatable(operation, request);
	const searches = operation.find?.(request, (settings.options ?? {}) as IDataObject);
	const parent = operation.parent && {
		...planRequest(operation.parent, read, planContext),
		operation: operation.parent,
	};
	const report = operation.report?.(readSetting, context);
	Object.assign(request.query, report?.query);
	return {
		operation,
		request,
		about: aboutOf(operation, request, { targets, agent: finder }),
		recordKeys: keysOf(request, places, searches, existing),
		lookups,
		existing,
		parent,
		find: searches,
		listing: listingOf(operation, request, places, parent),
		list: { match: places.match, report },
		read: readSetting,
	};
}

function runContextOf(
	read: ReadParameter,
	{ input = {}, now = clock.now(), countryCode, finder, ...shared }: PlanContext,
	find: (lookup: Lookup) => ServiceRecord | undefined,
): RunContext {
	const options = read('options') as IDataObject | undefined;
	return {
		...shared,
		...parseConventions(options, countryCode),
		options,
		addressIdentifies: isByAddress(read),
		input,
		tool: finder !== undefined,
		locate: (lookup) => String(find(lookup)?.id ?? lookup.value),
		now,
	};
}

function isRepeatable({ repeatable }: Operation, request: ServiceRequest): boolean {
	if (typeof repeatable === 'function') return repeatable(request);
	return repeatable ?? IDEMPOTENT.includes(request.method);
}

function requestTo(
	{ route }: Operation,
	{ path: values, query, body }: Places,
	read: ReadParameter,
): ServiceRequest {
	if (typeof route === 'function') {
		const request = route(read);
		return { ...request, path: checkedPath(request.path, 'Path'), repeatable: false };
	}
	const [method, template] = route.split(' ') as [ServiceRequest['method'], string];
	const path = template.replace(/\{(\w+)\}/g, (part, name: string) => values[name] ?? part);
	const hasBody = method !== 'GET' && method !== 'DELETE';
	return { method, path, query, ...(hasBody && { body }), repeatable: false };
}

function listingOf(
	{ listedBy, parameters }: Operation,
	{ path, body }: ServiceRequest,
	places: Places,
	parent: Plan['parent'],
): Listing | undefined {
	if (listedBy?.output.kind !== 'many' || !isRecord(body)) return undefined;
	const { record } = listedBy.output;
	const fields = parameters
		.flatMap((each) =>
			each.type === 'collection' && !each.in ? (each.options as Parameter[]) : [each],
		)
		.filter((each) => each.in === 'body' && !each.spread);
	const nameOf = ({ field, name }: Parameter) => field ?? name;
	// The service may replace a value of an open enumeration that it does not know.
	const mayBeReplaced = (each: Parameter) =>
		each.open === true &&
		!each.options?.some((it) => 'value' in it && it.value === body[nameOf(each)]);
	const request = { method: 'GET' as const, path, query: {}, repeatable: true };
	const sent = {
		body,
		comparable: uniq(fields.filter((each) => !mayBeReplaced(each)).map(nameOf)),
		texts: uniq(fields.filter(({ type }) => type === 'string').map(nameOf)),
	};
	const key = `${parentPath({ parent })} ${path}`;
	const { targets, finder: agent } = places;
	const about = aboutOf(listedBy, request, { targets, agent });
	return { key, path, about, record, sent };
}

/** Converts the value of a parameter, and puts it where it is sent, or among the settings. */
function placeParameter(
	parameter: Parameter,
	raw: unknown,
	context: RunContext,
	places: Places,
): void {
	const { name, displayName: label, in: where } = parameter;
	if (parameter.type === 'collection' && !where) {
		const fields = fieldsOf(parameter, raw, context);
		places.settings[name] = valuesOf(fields.filter(([field]) => !field.in));
		// The user's own JSON wins here as well.
		for (const [field, value] of sortBy(fields, ([{ spread }]) => spread ?? false)) {
			if (value !== undefined) place(field, value, places);
		}
		return;
	}
	const value = converted(parameter, raw, context);
	if (where === 'path') {
		const printable = parameter.printable ?? isLookupMode(locatorOf(raw).mode);
		const given = String(value ?? '').trim();
		const ofAgent = places.finder?.forParameter(name);
		places.path[name] = String(
			convertOrNote(context.mistakes, () => encodeSegment(given, label, printable, ofAgent)),
		);
		places.targets.push({ label, value: given, wayToFind: ofAgent ?? parameter.wayToFind });
	} else if (!where) places.settings[name] = value as IDataObject[string];
	else if (value !== undefined) place(parameter, value, places);
	// Of a field that is shown with some settings only, the operation checks whether it is given.
	else if (parameter.required && !parameter.displayOptions) {
		const known = parameter.options?.flatMap((option) => ('value' in option ? option.value : []));
		const examples = known ? `, such as ${known.join(', ')}` : '';
		const forAgent = context.tool ? `Give a value for "${label}"${examples}.` : undefined;
		context.mistakes?.push(emptyError(label, forAgent));
	}
}

function valuesOf(fields: Array<[field: Parameter, value: unknown]>): IDataObject {
	const given = fields.filter(([, value]) => value !== undefined);
	return Object.fromEntries(given.map(([{ name }, value]) => [name, value])) as IDataObject;
}

function fieldsOf(
	collection: Parameter,
	raw: unknown,
	context: RunContext,
): Array<[field: Parameter, value: unknown]> {
	if (!isRecord(raw)) return [];
	const fields = (collection.options ?? []) as Parameter[];
	const given = fields.filter(({ name }) => name in raw);
	return given.map((field) => {
		const value = raw[field.name];
		if (field.type !== 'collection') return [field, converted(field, value, context)];
		const inside = valuesOf(fieldsOf(field, value, context));
		return [field, isBlank(inside) ? undefined : inside];
	});
}

function place(parameter: Parameter, value: unknown, places: Places): void {
	if (parameter.in === undefined || parameter.in === 'path') return;
	const target = places[parameter.in];
	if (parameter.spread && isRecord(value)) Object.assign(target, value);
	else if (parameter.spread) places.lacksJson = true;
	else {
		const name = parameter.field ?? parameter.name;
		set(target, name, joined(get(target, name), value));
	}
}

/** Two parameters may fill one list or object, such as tags that are picked and tags that are typed. */
function joined(before: unknown, value: unknown): unknown {
	if (isRecord(before) && isRecord(value)) return { ...before, ...value };
	return Array.isArray(before) && Array.isArray(value) ? uniq([...before, ...value]) : value;
}

function converted(parameter: Parameter, raw: unknown, shared: RunContext): unknown {
	const { lookup, displayName: label } = parameter;
	const context = { ...shared, label };
	const { mode, value } = locatorOf(raw);
	return convertOrNote(shared.mistakes, () => {
		if (lookup && isLookupMode(mode) && lookup.modes.includes(mode) && !isBlank(value)) {
			const { record } = lookup;
			return shared.locate?.({ record, label, ...parseLookup(mode, value, context) });
		}
		const convert = converterOf(parameter);
		return convert ? convert(value, context) : value;
	});
}

/** A resource locator is an object with a mode and a value. */
function locatorOf(raw: unknown): { mode?: unknown; value: unknown } {
	return isResourceLocatorValue(raw) ? raw : { value: raw };
}

function isLookupMode(mode: unknown): mode is LookupMode {
	return mode === 'externalId' || mode === 'emailOrPhone';
}

/** Values that identify a record: in the path, in the body of an upsert, and in the queries that look for it. */
function keysOf(
	{ method, body }: ServiceRequest,
	places: Places,
	find: Search[] = [],
	existing?: ServiceRecord,
): string[] {
	if (method === 'GET') return [];
	const named = isRecord(body) ? [body.externalId, body.protocol, body.id] : [];
	// An email is the same in any case.
	const searched = find.map(({ by }) => by?.[1].toLowerCase());
	const keys = [...places.targets.map(({ value }) => value), ...named, ...searched, existing?.id];
	return uniq(keys.filter((key) => !isNil(key) && key !== '').map(String));
}
