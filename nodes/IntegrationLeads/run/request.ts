/** Builds the request of one item from its operation's declaration and its parameters. Pure. */
import { get, isEmpty, isNil, isUndefined, omitBy, set, sortBy, uniq } from 'lodash';
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
import type { Listing, Plan, ReadParameter, WaysToFind } from './plan';
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
	agent?: WaysToFind;
	/** A value of several fields is wrong: it may have held what seems to be missing. */
	lacksFields?: boolean;
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
	agent?: WaysToFind;
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
	const { agent, found } = planContext;
	const lookups: Lookup[] = [];
	const find = (lookup: Lookup) => {
		const key = lookupKey(lookup);
		if (!found?.has(key)) lookups.push(lookup);
		return found?.get(key);
	};
	const mistakes: InputError[] = [];
	const context = { ...runContextOf(read, planContext, find), mistakes };
	const targets: About['targets'] = [];
	const settings: IDataObject = {};
	const places: Places = { path: {}, query: {}, body: {}, match: {}, settings, targets, agent };
	// In their order, so that the user's own JSON, which is declared last, wins.
	for (const parameter of parametersOf(operation)) {
		placeParameter(parameter, read(parameter.name), context, places);
	}
	const readSetting: ReadParameter = (name) => settings[name];
	if (!places.lacksFields) {
		const check = () => operation.check?.(requestTo(operation, places, readSetting), readSetting);
		convertOrNote(mistakes, check);
	}
	throwMistakes(mistakes);
	if (operation.output.kind === 'deleted') {
		for (const { value, label, wayToFind } of targets) {
			requireOneRecord(value, label, agent && wayToFind);
		}
	}
	const given = requestTo(operation, places, readSetting);
	let existing: ServiceRecord | undefined;
	const findExisting = (lookup: Lookup) => (existing = find(lookup));
	const request = operation.identify?.(given, readSetting, findExisting) ?? given;
	const { repeatable = IDEMPOTENT.includes(request.method) } = operation;
	request.repeatable = typeof repeatable === 'function' ? repeatable(request) : repeatable;
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
		about: aboutOf(operation, request, { targets, agent }),
		recordKeys: keysOf(request, places, searches, existing),
		lookups,
		existing,
		parent,
		find: searches,
		listing: listingOf(operation, request, { targets, agent }, parent),
		list: { match: places.match, report },
		read: readSetting,
	};
}

function runContextOf(
	read: ReadParameter,
	{ input = {}, now = clock.now(), countryCode, agent, ...shared }: PlanContext,
	find: (lookup: Lookup) => ServiceRecord | undefined,
): RunContext {
	const options = read('options') as IDataObject | undefined;
	return {
		...shared,
		...parseConventions(options, countryCode),
		options,
		addressIdentifies: isByAddress(read),
		input,
		tool: agent !== undefined,
		locate: (lookup) => String(find(lookup)?.id ?? lookup.value),
		now,
	};
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
	named: Pick<About, 'targets' | 'agent'>,
	parent: Plan['parent'],
): Listing | undefined {
	if (listedBy?.output.kind !== 'many' || !isRecord(body)) return undefined;
	const { record } = listedBy.output;
	const fields = parameters
		.flatMap((each) =>
			each.type === 'collection' && !each.in ? (each.options as Parameter[]) : [each],
		)
		.filter((each) => each.in === 'body' && !each.spread);
	const namesOf = (given: Parameter[]) => uniq(given.map(({ field, name }) => field ?? name));
	const sent = {
		body,
		comparable: namesOf(fields),
		texts: namesOf(fields.filter(({ type }) => type === 'string')),
	};
	const request = { method: 'GET' as const, path, query: {}, repeatable: true };
	const about = aboutOf(listedBy, request, named);
	return { key: `${parentPath({ parent })} ${path}`, path, about, record, sent };
}

/** Converts the value of a parameter, and puts it where it is sent, or among the settings. */
function placeParameter(
	parameter: Parameter,
	raw: unknown,
	context: RunContext,
	places: Places,
	settings = places.settings,
): void {
	const { name, displayName: label, in: where } = parameter;
	if (parameter.type === 'collection' && !where) {
		const own = (settings[name] = {} as IDataObject);
		// The user's own JSON wins here as well.
		for (const [field, value] of sortBy(given(parameter, raw), ([{ spread }]) => spread ?? false)) {
			placeParameter(field, value, context, places, own);
		}
		return;
	}
	const value = converted(parameter, raw, context);
	if (parameter.spread && value === true) places.lacksFields = true;
	if (where === 'path') {
		const printable = parameter.printable ?? isLookupMode(locatorOf(raw).mode);
		const text = String(value ?? '').trim();
		const ofAgent = places.agent?.forParameter(name);
		places.path[name] = String(
			convertOrNote(context.mistakes, () => encodeSegment(text, label, printable, ofAgent)),
		);
		places.targets.push({ label, value: text, wayToFind: ofAgent ?? parameter.wayToFind });
	} else if (value !== undefined) place(parameter, value, where ? places[where] : settings);
	// Of a field that is shown with some settings only, the operation checks whether it is given.
	else if (where && parameter.required && !parameter.displayOptions) {
		const known = parameter.options?.flatMap((option) => ('value' in option ? option.value : []));
		const examples = known ? `, such as ${known.join(', ')}` : '';
		const forAgent = context.tool ? `Give a value for "${label}"${examples}.` : undefined;
		context.mistakes?.push(emptyError(label, forAgent));
	}
}

/** The fields of a collection that have a value. */
function given({ options }: Parameter, raw: unknown): Array<[field: Parameter, value: unknown]> {
	if (!isRecord(raw)) return [];
	const fields = (options ?? []) as Parameter[];
	return fields.filter(({ name }) => name in raw).map((field) => [field, raw[field.name]]);
}

function place({ field, name, spread }: Parameter, value: unknown, target: IDataObject): void {
	const path = field ?? name;
	if (spread) Object.assign(target, value);
	else set(target, path, joined(get(target, path), value));
}

/** Two parameters may fill one list: tags that are picked and tags that are typed. */
function joined(before: unknown, value: unknown): unknown {
	return Array.isArray(before) && Array.isArray(value) ? uniq([...before, ...value]) : value;
}

function converted(parameter: Parameter, raw: unknown, shared: RunContext): unknown {
	const { lookup, displayName: label, type } = parameter;
	if (type === 'collection') {
		const fields = given(parameter, raw);
		const values = fields.map(([field, value]) => [field.name, converted(field, value, shared)]);
		const inside = omitBy(Object.fromEntries(values), isUndefined);
		return isEmpty(inside) ? undefined : inside;
	}
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
