/**
 * Declares operations. Everything known about an operation is one value of type {@link Operation}; the panel, the requests,
 * the messages, the README's table and the output previews are derived from it.
 */
import { compact, map, memoize, uniq } from 'lodash';
import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { HintSink, NeededScopes, Remedy } from './userError';
import type { ServiceRecord } from './values/json';
import type { PriorState } from './contract/outcome';
import type { RecordShape, ContactKey, Lookup } from './contract/records';
import type { ErrorContext } from './transport/errors';
import type { ServiceRequest } from './transport/request';
import type { Convert, ConvertContext, Extracted } from './values/context';
import type { LookupMode } from './values/identity';

/** The context that the conversions of all values of an item share. */
export type RunContext = Omit<ConvertContext, 'label'> & {
	/** Milliseconds since the epoch, the same for all items. */
	now: number;
	/** Whether an earlier run did not send all of the row. */
	isCorrection?: boolean;
	/** By what the user gave the record in the path, if not by its ID. */
	lookup?: Lookup;
};

/** A plain n8n property, and where its value is sent. */
export type Parameter = Omit<INodeProperties, 'options'> & {
	/**
	 * Where the value is sent. `filter`: it is not sent, but compared with the email or phone of each record of the list. A
	 * parameter without a place is a setting, read by the code that needs it. A collection with a place is sent as one
	 * object; without, each of its fields has its own place.
	 */
	in?: 'path' | 'query' | 'body' | 'filter';
	/** The field's name in the API, where it differs from the parameter's; with points for a field of an object. */
	field?: string;
	/** Defaults to the converter of the type, see fields/converter.ts. */
	convert?: Convert;
	/**
	 * For filters: a blank value is refused, since without it all records match. Agents may leave it blank, because they have
	 * to fill every field.
	 */
	refusesBlank?: boolean;
	/** The value is an object, and each of its members is sent as a field. */
	spread?: boolean;
	/**
	 * The modes of a resource locator whose values are not IDs: the record is looked up before anything is sent, see
	 * find/find.ts.
	 */
	lookup?: { record: RecordShape; modes: LookupMode[] };
	/** How to find the record that the value names, in full sentences. */
	findHint?: string | Remedy;
	/** A path value that may contain any printable character, such as an external ID. Others must look like IDs. */
	printable?: boolean;
	/**
	 * The options are values of the API, which an AI agent enters as text. `open`: the spec lists only some of them (2), and others
	 * are sent as well. `closed`: others are refused.
	 */
	enumeration?: 'open' | 'closed';
	options?: Array<INodePropertyOptions | Parameter>;
};

/** The fields of a collection. */
export const fieldsOf = ({ options = [] }: Parameter): Parameter[] =>
	options.filter((option): option is Parameter => 'type' in option);

/** The converted values of an item, by where they are sent. */
export interface Values {
	/** The IDs in the path, by the names of their parameters. */
	path: Record<string, string>;
	query: IDataObject;
	body: IDataObject;
	/** Values with which the records of a list are compared. */
	filter: Partial<Record<ContactKey, string>>;
	/** Values that are not sent, by the names of their parameters. */
	settings: IDataObject;
	/** The values of the parameter Options. */
	options: IDataObject;
	extracted: Extracted;
}

export type Output =
	| {
			kind: 'one';
			record: RecordShape;
			/** The lead that is sent is created, updated or linked, and the output says which; see contract/outcome.ts. */
			upserts?: boolean;
	  }
	| {
			kind: 'many';
			record: RecordShape;
			/** The list can be bounded by the time of creation, see transport/returnAll.ts. */
			hasTimeBounds?: boolean;
	  }
	| { kind: 'deleted' }
	/** The response, unchanged. */
	| { kind: 'raw' };

/** What the panel, an AI agent and the README need to know about an operation. */
interface Declared {
	/** The label in the drop-down, Title Case. */
	name: string;
	/** Sentence case, names the resource, no article: an entry in n8n's node list. */
	action: string;
	description: string;
	/** For AI agents only: when to choose the operation and what to know about it, in full sentences. */
	when: string;
	/** The scope that the key needs (spec 5). `assumed` if the spec does not name it. */
	scope?: string | { assumed: string };
	/** What the scopes of its other steps are for, in words for README.md, such as `{ 'find the lead': ['leads:read'] }`. */
	otherScopes?: Record<string, string[]>;
	parameters: Parameter[];
	output: Output;
	/** Offers the output *Input With Result*: each input item, with what became of it in words. */
	outputsInput?: true;
	/** What becomes of an item, in one word for *Only Check*. By default it is taken from the first request that writes. */
	would?: 'record' | 'log' | 'update' | 'merge' | 'delete';
	/** Answers and ads of forms are extracted, see {@link Extracted}. */
	takesAnswers?: true;
	/**
	 * Checks rules between values before anything is sent. A value that could not be converted is MISTAKEN.
	 *
	 * @throws InputError
	 */
	check?: (values: Values, context: RunContext) => void;
}

/** A request to the service, as a step of an operation. */
export interface RequestStep extends Pick<Declared, 'action' | 'scope' | 'parameters' | 'output'> {
	/** Method and path below the prefix, with a parameter for each `{name}`; or a pure function that makes the request. */
	route:
		| `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`
		| ((values: Values) => Omit<ServiceRequest, 'repeatable'>);
	/** See {@link ServiceRequest.repeatable}. By default true for GET, PUT and DELETE, which are idempotent (RFC 9110, 9.2.2). */
	repeatable?: boolean | ((request: ServiceRequest) => boolean);
	/**
	 * The request that lists what this one creates, at the same path. After a lost answer, the list shows whether the record was
	 * created.
	 */
	listStep?: RequestStep & { output: { kind: 'many' } };
	/** The message for a 404 that does not mean that a record is missing. */
	notFound?: (body: IDataObject) => ErrorContext['notFound'];
}

/** Finds a record by its values, see find/find.ts. */
export interface FindStep {
	/** The list that is searched, or with `looksUp` the route at which the service looks up one value. */
	route: `GET /${string}`;
	looksUp?: true;
	scope: Declared['scope'];
	finds: RecordShape;
}

type Steps = Record<string, RequestStep | FindStep>;

/** A request that is an operation of its own, see {@link single} and {@link list}, or a step of others. */
export type RequestDeclaration = Declared & RequestStep;

/** How the operation of an item is carried out, with functions for the steps `S` and with values of the type `V`. */
interface Composition<S extends Steps, V extends Values> {
	/** The requests that it may send, by name. The operation is a read if all of them are. */
	steps: S;
	/**
	 * Carries out an item, with a function for each step. All its values are converted and checked before the first request of any
	 * item is sent. When n8n repeats the node, it is called again, and writes that were carried out return their results.
	 *
	 * @returns a result whose `data` is the list of items if the output is `many`
	 */
	run(values: V, steps: StepFunctions<S>, context: ComposeContext): Promise<Result>;
	/**
	 * More values that identify the record: items that share one are carried out in order. The IDs in the path and the body, and
	 * the email and phone of the contact, always count. Pure.
	 */
	keys?(values: V): unknown[];
	/**
	 * Splits an item that holds several things, such as the messages of a webhook. Each is sent, fails and is output individually,
	 * and all are carried out even if one fails. Pure.
	 */
	split?: (values: Values) => V[];
	/** The operation fills blank fields of the contact, and compares the contact on its own. */
	fillsContact?: true;
	/** Sends many leads in one request, see push/. An item that needs more goes alone: it is carried out by `run`. */
	batch?: { request: RequestStep; goesAlone(values: Values, context: RunContext): boolean };
}

/** An operation. Its methods take the values and steps that it declares, which only they know. */
export interface Operation extends Declared, Omit<Composition<Steps, Values>, 'run' | 'keys'> {
	run(
		values: Values,
		steps: Record<string, StepFunction>,
		context: ComposeContext,
	): Promise<Result>;
	keys?(values: Values): unknown[];
}

/** What else an operation gets to carry out an item: how its values were converted, and what all items of the run share. */
export interface ComposeContext
	extends Pick<
		RunContext,
		'tool' | 'input' | 'isCorrection' | 'lookup' | 'countryCode' | 'timezone' | 'now'
	> {
	/** Identifies the account, as a key for what is remembered longer than an item. */
	account: string;
	/** Texts shown under the output, each once however many items it concerns. */
	hints: HintSink;
	/** The record that the item changes, as a push or the value in the path has led to it. */
	found?: ServiceRecord;
	/** An earlier try of the item may have been carried out. */
	mayHaveArrived: boolean;
	/** Works on several things in parallel. The first that throws keeps the rest from starting. */
	inParallel: <T>(things: T[], work: (thing: T) => Promise<void>) => Promise<void>;
	/** Runs while no other item works on the same record, given by its ID. `isLater`: one has, since this one began. */
	inTurn: <T>(id: string, carryOut: (isLater: boolean) => Promise<T>) => Promise<T>;
	/** Carries out what needs scopes. If the key lacks one, returns undefined and adds the hint, from then on without asking. */
	ifPermitted: <T>(needed: NeededScopes, carryOut: () => Promise<T>) => Promise<T | undefined>;
	/** Carries something out unless an earlier execution did; then returns undefined. */
	unlessProcessed: <T>(key: string, carryOut: () => Promise<T>) => Promise<T | undefined>;
}

export interface FindOptions {
	/** Fails if there is none. */
	required?: boolean;
	/** Returns undefined instead of failing when no record, or not just one, has all values. */
	orNone?: boolean;
	/** Name, email and phone of the person who is meant: another person who shares an email or a phone with them is refused. */
	person?: unknown;
	/** What is sent next. Lists show no notes and no sale (spec 4.1): where it replaces those of a lead, they are read to be named. */
	sent?: ServiceRecord;
}

/** Finds the one record that all values identify. */
type FindFunction = (
	lookups: Array<Omit<Lookup, 'record'>>,
	options?: FindOptions,
) => Promise<Result | undefined>;

export interface ListOptions {
	/** The most records to read; undefined for all. */
	limit?: number;
	/** If the list changes while it is read, so that records may be missing, a hint says so. By default, the item fails. */
	mayBeIncomplete?: true;
}

type ListFunction = (values: Partial<Values>, options?: ListOptions) => Promise<Result[]>;

export interface SendOptions extends Pick<PriorState, 'existing'> {
	/** The record is read now even if the run has read it before, because it is written next. */
	isFresh?: boolean;
	/** If the record does not exist, the result has no record instead of an error. */
	mayBeMissing?: boolean;
	/** Returns other values, which are sent if the service answers that something was not found. Both are one write in the ledger. */
	ifNotFound?: () => Partial<Values>;
	/** What *Only Check* calls the item that stops before this request, instead of `would` of the operation. */
	would?: 'takeBack' | 'note';
	/** What `differences` would say after this request, for *Only Check*. */
	differences?: unknown;
	/** What a later request of the item sends to the same record, which *Only Check* shows with the body of this one. */
	followedBy?: IDataObject;
}

type SendFunction = (values: Partial<Values>, options?: SendOptions) => Promise<Result>;

/** The function with which an operation carries out a step. It throws ServiceError or UserError. */
export type StepFunction = FindFunction | ListFunction | SendFunction;

export type StepFunctions<S extends Steps> = {
	[Name in keyof S]: S[Name] extends FindStep
		? FindFunction
		: S[Name] extends { output: { kind: 'many' } }
			? ListFunction
			: SendFunction;
};

/** Declares an operation. Sending anything that is not in `steps` does not compile. */
export function compose<S extends Steps, V extends Values>(
	operation: Declared & Composition<S, V>,
): Operation {
	return operation;
}

/** The operation that sends one request. */
export const single = (request: RequestDeclaration): Operation =>
	compose({
		...request,
		steps: { request },
		run: async (values, steps) => await steps.request(values),
	});

/** Used if the field Limit is hidden or empty. */
const DEFAULT_LIMIT = 50;

/** The operation that reads one list, whole or up to the field Limit. */
export const list = (request: RequestDeclaration & { output: { kind: 'many' } }): Operation =>
	compose({
		...request,
		steps: { request },
		run: async (values, steps) => await readChosen(values, steps.request),
	});

/** Reads a list whole, or up to the field Limit. */
export async function readChosen(values: Values, read: ListFunction): Promise<Result> {
	const { returnAll, limit } = values.settings;
	const most = typeof limit === 'number' ? limit : DEFAULT_LIMIT;
	const records = await read(values, {
		limit: returnAll === true ? undefined : most,
		mayBeIncomplete: true,
	});
	return { data: map(records, 'record'), extra: {} };
}

/**
 * A record, and fields for the output, such as `{ record: { id: 1 }, data: { contact: { id: 1 } }, extra: {} }`. Plain data,
 * because n8n stores it.
 */
export interface Result {
	/** The record that came back, without envelopes. */
	record?: ServiceRecord;
	/** The whole answer, if it is not just the record. */
	data?: unknown;
	/** Whether the item created the record; undefined if unknown. Decided in contract/outcome.ts. */
	created?: boolean;
	/** More fields for the output. A field of the record has precedence. */
	extra: IDataObject;
}

/** The routes of an operation, including those of its steps. */
export function routesOf(operation: Operation): string[] {
	const steps = [...Object.values(operation.steps), ...compact([operation.batch?.request])];
	return uniq(steps.flatMap(({ route }) => (typeof route === 'string' ? route : [])));
}

/** Whether an operation sends only GET requests. */
export const onlyReads = memoize((operation: Operation): boolean => {
	const routes = routesOf(operation);
	return routes.length > 0 && routes.every((route) => route.startsWith('GET '));
});

/** All scopes that an operation uses, some of them only for a part of what it does. */
export const scopesOf = ({ scope, otherScopes }: Operation): string[] =>
	uniq(compact([typeof scope === 'object' ? scope.assumed : scope, ...map(otherScopes).flat()]));

export interface Resource {
	/** The label in the drop-down, Title Case. */
	name: string;
	/** One sentence for people who do not know the service. */
	description: string;
	/** The operation preselected with the resource. */
	defaultOperation: string;
	operations: Record<string, Operation>;
}
