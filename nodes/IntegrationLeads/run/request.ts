/** From the parameters of an item to what is sent: drafts, then plans. Pure. */
import { get, isEmpty, isNil, isUndefined, omitBy, set, sortBy, startCase, uniq } from 'lodash';
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
	HowToSend,
	Lookup,
	LookupMode,
	Operation,
	Parameter,
	RequestOperation,
	RunContext,
	Values,
} from '../operation';
import type { InputError } from '../userError';
import { convertOrNote, emptyError, throwMistakes } from '../userError';
import { clock } from '../transport/clock';
import type { About } from '../transport/errors';
import { checkedPath, encodeSegment, requireOneRecord } from '../transport/path';
import type { ServiceRequest } from '../transport/send';
import type {
	ComposedPlan,
	Draft,
	Listing,
	Plan,
	ReadParameter,
	RequestPlan,
	Target,
	WaysToFind,
} from './plan';
import { aboutOf, onlyReads } from './plan';

const IDEMPOTENT = ['GET', 'PUT', 'DELETE'];

/** The item, and what all items of a run share. */
export interface DraftContext extends Pick<ConvertContext, 'onUnsent' | 'onLeftOut'> {
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
}

/**
 * Converts and checks all values of an item.
 *
 * @returns a draft for each thing that the item holds: one, unless the operation splits items
 * @throws InputError that names each mistake, by the field
 */
export function draftItem(
	operation: Operation,
	read: ReadParameter,
	draftContext: DraftContext,
): Draft[] {
	const { agent } = draftContext;
	const mistakes: InputError[] = [];
	const pending: Draft['pending'] = [];
	const values = emptyValues();
	const targets: Target[] = [];
	const context: RunContext = {
		...runContextOf(read, draftContext),
		mistakes,
		onWords: (field, text) => pending.push(spelling(field, text, values)),
	};
	const places: Places = { values, targets, pending, agent };
	// In their order, so that the user's own JSON, which is declared last, wins.
	for (const parameter of parametersOf(operation)) {
		placeParameter(parameter, read(parameter.name), context, places);
	}
	values.options = (values.settings.options ?? {}) as IDataObject;
	if (!places.lacksFields) {
		convertOrNote(mistakes, () => {
			operation.check?.(values);
			// Where a record is looked up, its address may be what is wrong.
			if ('route' in operation && !isLookedUp(operation)) requestOf(operation, values, targets);
		});
	}
	throwMistakes(mistakes);
	if (operation.output.kind === 'deleted') {
		for (const { value, label, wayToFind } of targets) {
			requireOneRecord(value, label, agent && wayToFind);
		}
	}
	if ('compose' in operation) {
		const things = operation.compose.split?.(values) ?? [values];
		return things.map((each) => ({
			pending,
			plan: () => planComposed(operation, each, targets, agent),
		}));
	}
	const { output, route } = operation;
	const report = output.kind === 'many' ? output.report?.(values.settings, context) : undefined;
	const lookup = typeof route === 'string' ? undefined : route.lookup?.(values);
	let existing: ServiceRecord | undefined;
	if (lookup) pending.push(async ({ lookUp }) => void (existing = await lookUp(lookup)));
	const plan = () => planRequest(operation, values, targets, { agent, existing, report });
	return [{ pending, plan }];
}

const isLookedUp = ({ route }: RequestOperation) => typeof route !== 'string' && route.lookup;

/** A step of an item. Its values have been converted, or are the service's. */
export function planStep(
	operation: RequestOperation,
	given: Partial<Values>,
	{ targets: ofItem, about: { agent, action, hasSkipOption } }: ComposedPlan,
	{ isMissing }: HowToSend = {},
): RequestPlan {
	const values = { ...emptyValues(), ...omitBy(given, isUndefined) };
	const targets = Object.entries(values.path).map(([name, value]): Target => {
		const own = ofItem.find((each) => each.name === name && each.value === value);
		const label = `ID of the ${startCase(name).replace(/ Id$/, '').toLowerCase()}`;
		return own ?? { name, label, value, printable: false };
	});
	const plan = planRequest(operation, values, targets, { agent });
	// Users know the operation that they chose, and its options.
	return { ...plan, about: { ...plan.about, action, hasSkipOption: hasSkipOption && !isMissing } };
}

function emptyValues(): Values {
	return { path: {}, query: {}, body: {}, match: {}, settings: {}, options: {} };
}

function planComposed(
	operation: ComposedPlan['operation'],
	values: Values,
	targets: Target[],
	agent?: About['agent'],
): Plan {
	const about = aboutOf(operation, values, targets, agent);
	const keys = operation.compose.keys?.(values) ?? [];
	const recordKeys = onlyReads(operation) ? [] : keysFrom([...namedIn(values, targets), ...keys]);
	return { operation, values, targets, about, recordKeys };
}

function planRequest(
	operation: RequestOperation,
	values: Values,
	targets: Target[],
	{ agent, existing, report }: Pick<About, 'agent'> & Pick<RequestPlan, 'existing' | 'report'>,
): RequestPlan {
	const request = requestOf(operation, values, targets, existing);
	Object.assign(request.query, report?.query);
	const { repeatable = IDEMPOTENT.includes(request.method) } = operation;
	request.repeatable = typeof repeatable === 'function' ? repeatable(request) : repeatable;
	const sent = { ...values, body: (isRecord(request.body) ? request.body : {}) as IDataObject };
	const named = [...namedIn(sent, targets), existing?.id];
	return {
		operation,
		values,
		targets,
		request,
		about: aboutOf(operation, sent, targets, agent),
		recordKeys: request.method === 'GET' ? [] : keysFrom(named),
		existing,
		listing: listingOf(operation, request, targets, agent),
		report,
	};
}

function runContextOf(
	read: ReadParameter,
	{ input = {}, now = clock.now(), countryCode, agent, ...shared }: DraftContext,
): RunContext {
	const options = read('options') as IDataObject | undefined;
	return {
		...shared,
		...parseConventions(options, countryCode),
		options,
		addressIdentifies: isByAddress({ options, identifyBy: read('identifyBy') }),
		input,
		tool: agent !== undefined,
		now,
	};
}

/** @throws InputError when the path cannot be sent */
function requestOf(
	{ route }: RequestOperation,
	values: Values,
	targets: Target[],
	found?: ServiceRecord,
): ServiceRequest {
	if (typeof route !== 'string') {
		const request = route.request(values, found);
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
	{ listedBy, parameters }: RequestOperation,
	{ path, body }: ServiceRequest,
	targets: Target[],
	agent?: About['agent'],
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
	return { path, about: aboutOf(listedBy, emptyValues(), targets, agent), record, sent };
}

/** What the parameters of an item fill. */
interface Places extends Pick<Draft, 'pending'> {
	values: Values;
	targets: Target[];
	agent?: WaysToFind;
	/** A value of several fields is wrong: it may have held what seems to be missing. */
	lacksFields?: boolean;
}

/** Converts the value of a parameter, and puts it where it is sent, or among the settings. */
function placeParameter(
	parameter: Parameter,
	raw: unknown,
	context: RunContext,
	places: Places,
	settings = places.values.settings,
): void {
	const { displayName: label, in: where } = parameter;
	if (parameter.type === 'collection' && !where) {
		const own = (settings[parameter.name] = {} as IDataObject);
		// The user's own JSON wins here as well.
		for (const [field, value] of sortBy(given(parameter, raw), ([{ spread }]) => spread ?? false)) {
			placeParameter(field, value, context, places, own);
		}
		return;
	}
	const lookup = lookupOf(parameter, raw, context);
	const value = lookup ? lookup.value : converted(parameter, raw, context);
	if (parameter.spread && value === true) places.lacksFields = true;
	let put: (id: string) => void;
	if (where === 'path') put = placeInPath(parameter, raw, context, places, String(value ?? ''));
	else if (value !== undefined) {
		const target: IDataObject = where ? places.values[where] : settings;
		place(parameter, value, target);
		// The user's own JSON may have replaced it.
		const isThere = () => get(target, parameter.field ?? parameter.name) === value;
		put = (id) => void (isThere() && place(parameter, id, target));
	}
	// Of a field that is shown with some settings only, the operation checks whether it is given.
	else if (where && parameter.required && !parameter.displayOptions) {
		const known = parameter.options?.flatMap((option) => ('value' in option ? option.value : []));
		const examples = known ? `, such as ${known.join(', ')}` : '';
		const forAgent = context.tool ? `Give a value for "${label}"${examples}.` : undefined;
		context.mistakes?.push(emptyError(label, forAgent));
	}
	if (lookup) places.pending.push(async ({ lookUp }) => put(String((await lookUp(lookup))?.id)));
}

/** @returns puts an ID in its place */
function placeInPath(
	{ name, displayName: label, printable: isPrintable, wayToFind }: Parameter,
	raw: unknown,
	{ mistakes }: RunContext,
	{ values, targets, agent }: Places,
	text: string,
): (id: string) => void {
	const printable = isPrintable ?? isLookupMode(locatorOf(raw).mode);
	const ofAgent = agent?.forParameter(name);
	const value = text.trim();
	const target = { name, label, value, printable, wayToFind: ofAgent ?? wayToFind };
	targets.push(target);
	const put = (id: string) => (values.path[name] = target.value = id);
	put(value);
	if (convertOrNote(mistakes, () => encodeSegment(value, label, printable, ofAgent)) === true) {
		put('true');
	}
	return put;
}

/** Asks how the account spells a value, and puts that in its place. */
function spelling(field: string, text: string, { query, body }: Values): Draft['pending'][number] {
	return async ({ spell }) => {
		const target = [query, body].find((each) => each[field] === text);
		if (target) set(target, field, await spell(field, text));
	};
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

/** The record that a resource locator names by something else than its ID. */
function lookupOf(
	{ lookup, displayName: label }: Parameter,
	raw: unknown,
	context: RunContext,
): Lookup | undefined {
	const { mode, value } = locatorOf(raw);
	if (!lookup || !isLookupMode(mode) || !lookup.modes.includes(mode) || isBlank(value)) return;
	const by = convertOrNote(context.mistakes, () => parseLookup(mode, value, { ...context, label }));
	return { record: lookup.record, label, ...(by === true ? { by: 'email', value: 'true' } : by) };
}

function converted(parameter: Parameter, raw: unknown, shared: RunContext): unknown {
	const { displayName: label, type } = parameter;
	if (type === 'collection') {
		const fields = given(parameter, raw);
		const values = fields.map(([field, value]) => [field.name, converted(field, value, shared)]);
		const inside = omitBy(Object.fromEntries(values), isUndefined);
		return isEmpty(inside) ? undefined : inside;
	}
	const { value } = locatorOf(raw);
	const convert = converterOf(parameter);
	const context = { ...shared, label };
	return convertOrNote(shared.mistakes, () => (convert ? convert(value, context) : value));
}

/** A resource locator is an object with a mode and a value. */
function locatorOf(raw: unknown): { mode?: unknown; value: unknown } {
	return isResourceLocatorValue(raw) ? raw : { value: raw };
}

function isLookupMode(mode: unknown): mode is LookupMode {
	return mode === 'externalId' || mode === 'emailOrPhone';
}

/** Values that identify a record: in the path, and in the body of an upsert. */
function namedIn({ body }: Values, targets: Target[]): unknown[] {
	return [...targets.map(({ value }) => value), body.externalId, body.protocol, body.id];
}

function keysFrom(values: unknown[]): string[] {
	return uniq(values.filter((value) => !isNil(value) && value !== '').map(String));
}
