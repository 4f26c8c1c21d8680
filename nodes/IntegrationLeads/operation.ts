/**
 * How an operation is declared. Everything known about an operation is one value of type {@link Operation}; the panel,
 * the request, the messages, the README's table and the output previews are derived from it.
 */
import { memoize } from 'lodash';
import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { HintSink, Remedy } from './userError';
import type { ServiceRecord } from './values/json';
import type { RecordShape, ContactKey } from './contract/records';
import type { ErrorContext } from './transport/errors';
import type { ServiceRequest } from './transport/request';
import type { Convert, ConvertContext } from './values/context';
import type { LookupMode } from './values/identity';

/** What the conversions of all values of an item share. */
export type RunContext = Omit<ConvertContext, 'label'> & {
	/** Milliseconds since the epoch, the same for all items. */
	now: number;
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
	/** A filter: blank is a mistake, since without it all records match. An agent gives a blank for one that it does not want. */
	refusesBlank?: boolean;
	/** The value is an object whose members are sent as fields of their own. */
	spread?: boolean;
	/** A resource locator's modes whose values are no IDs: the record is looked up before anything is sent, see find/find.ts. */
	lookup?: { record: RecordShape; modes: LookupMode[] };
	/** How to find the record that the value names, in full sentences. */
	findHint?: string | Remedy;
	/** A path value that may hold any printable character (an external ID); others must be IDs. */
	printable?: boolean;
	/**
	 * The options are values of the API, which an AI agent enters as text. `open`: the spec lists only some of them (2), and others
	 * are sent as well. `closed`: others are refused.
	 */
	enumeration?: 'open' | 'closed';
	options?: Array<INodePropertyOptions | Parameter>;
};

/** A value that leads to a record. */
export interface Lookup {
	record: RecordShape;
	/** The label of the parameter, for messages. */
	label: string;
	by: 'id' | 'externalId' | ContactKey;
	value: string;
}

/** The values of an item, converted, by where they are sent. */
export interface Values {
	/** The IDs in the path, by the names of their parameters. */
	path: Record<string, string>;
	query: IDataObject;
	body: IDataObject;
	/** What the records of a list are compared with. */
	filter: Partial<Record<ContactKey, string>>;
	/** Values without a place, by the names of their parameters. */
	settings: IDataObject;
	/** Those of the parameter Options. */
	options: IDataObject;
}

export type Output =
	| {
			kind: 'one';
			record: RecordShape;
			/** The lead that is sent is created, updated or linked: the output says which, see contract/outcome.ts. */
			upserts?: boolean;
	  }
	| {
			kind: 'many';
			record: RecordShape;
			/** The list can be bounded by the time of creation, see transport/returnAll.ts. */
			hasTimeBounds?: boolean;
	  }
	| { kind: 'deleted' }
	/** The response as it is. */
	| { kind: 'raw' };

/** An operation is one request, or a function of several. */
export type Operation = RequestOperation | ComposedOperation;

interface Declared {
	/** The label in the drop-down, Title Case. */
	name: string;
	/** Sentence case, names the resource, no article: an entry in n8n's node list. */
	action: string;
	description: string;
	/** When an AI agent should choose it and what it needs to know, in full sentences. Only agents read it. */
	when: string;
	/** The scope the key needs (spec 5). `assumed` where it names none, not even by what a scope grants. */
	scope?: string | { assumed: string };
	parameters: Parameter[];
	output: Output;
	/** Offers *Input With Result*: each item of the output is its input, with what became of it in words. */
	outputsInput?: true;
	/** The answers of a form that are no fields of a lead are its setting `answers`, in words. */
	takesAnswers?: true;
	/**
	 * Checks rules between values before anything is sent, also where a value is wrong: then `true` stands in its place.
	 * Throws InputError.
	 */
	check?: (values: Values, context: RunContext) => void;
	/** The message for a 404 that does not mean that a record is missing. */
	notFound?: (body: IDataObject) => ErrorContext['notFound'];
}

export interface RequestOperation extends Declared {
	/** Method and path below the prefix. Each `{name}` is a parameter with `in: 'path'`. Or the request that the values give. Pure. */
	route:
		| `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`
		| ((values: Values) => Omit<ServiceRequest, 'repeatable'>);
	/** See {@link ServiceRequest.repeatable}. By default GET, PUT and DELETE are, by the definition of HTTP (RFC 9110, 9.2.2). */
	repeatable?: boolean | ((request: ServiceRequest) => boolean);
	/**
	 * The operation that lists what this one creates, below the same path. Where an answer was lost, the list shows whether
	 * nothing was created.
	 */
	listOperation?: RequestOperation & { output: { kind: 'many' } };
	/**
	 * Many items are sent in one request, see requests/batch.ts. `lookups`: by what a lead without an ID is found, nothing where it
	 * has one. `changes`: what `update` is sent for one that is found and has no external ID either. Pure.
	 */
	batch?: {
		lookups: (body: ServiceRecord) => Lookup[];
		update: RequestOperation;
		changes: (found: ServiceRecord, body: ServiceRecord) => Pick<Values, 'path' | 'body'>;
		/** Carried out after the batch for rows of which something was left out the last time: the lead is there by now. */
		correct?: ComposedOperation;
	};
}

/**
 * An operation of several requests. All its values are converted and checked before the first request of any item is sent.
 */
export interface ComposedOperation extends Declared {
	compose: AnyComposition;
}

interface Composition<S extends StepDeclarations, V extends Values = Values> {
	/** The requests that it may send, by names of its own. It only reads if all of them do. */
	steps: S;
	/**
	 * Values by which the service finds what is written: items that share one keep their order. The IDs in the path and in
	 * the body, and the email and phone of its contact, count anyway. Pure.
	 */
	keys?: (values: V) => unknown[];
	/**
	 * The values of each of the things that an item holds: they are sent, fail and are output individually, and none is left out
	 * because another one failed. Pure.
	 */
	split?: (values: Values) => V[];
	/** It fills what is blank in the contact, and compares the contact itself. */
	fillsContact?: true;
	/** In an outage, it is carried out again for about two minutes, unless somebody runs the workflow by hand and waits. */
	keepsTrying?: true;
	/**
	 * Carries an item out, with a function for each step. Called again when n8n repeats the node: steps that were carried
	 * out in an earlier try then return what they returned.
	 * @returns where the output is `many`, `data` has its items
	 */
	run: (values: V, steps: StepFunctions<S>, context: ComposeContext) => Promise<Result>;
}

/** A composition whose steps only its own function knows. */
type AnyComposition = Omit<Composition<StepDeclarations>, 'run'> & {
	run: (
		values: Values,
		steps: Record<string, StepFunction>,
		context: ComposeContext,
	) => Promise<Result>;
};

export interface ComposeContext extends RunContext {
	/** An earlier try of the item may have been carried out. */
	isRetried: boolean;
	/** Identifies the account, for what is remembered longer than an item. */
	account: string;
	/** Texts shown under the output, each once however many items it concerns. */
	hints: HintSink;
	/** Works on several things at once; the first that throws stops the rest. */
	inParallel: <T>(things: T[], work: (thing: T) => Promise<void>) => Promise<void>;
	/** Waits until no other item works on a record that it has found. */
	inTurn: <T>(id: string, carryOut: () => Promise<T>) => Promise<T>;
	/** Carries something out, unless an earlier execution has: then undefined. See requests/services.ts. */
	unlessProcessed: <T>(key: string, carryOut: () => Promise<T>) => Promise<T | undefined>;
}

type StepDeclarations = Record<string, RequestOperation | FindStep>;

/** A record is found by what is known of it, see find/find.ts. */
export interface FindStep {
	/** The list that is searched, or where the service looks up one value. */
	route: `GET /${string}`;
	scope: Declared['scope'];
	finds: RecordShape;
}

export interface FindOptions {
	/** Fails if there is none. */
	required?: boolean;
	/** None also where several are meant, or may be. */
	orNone?: boolean;
}

/** Finds the one record to which all values lead. */
type FindFunction = (
	lookups: Array<Omit<Lookup, 'record'>>,
	how?: FindOptions,
) => Promise<Result | undefined>;
/** Reads the whole list. Fails if a record may be missing; of leads, a hint says so. */
type ListFunction = (values: Partial<Values>) => Promise<Result[]>;
/** Sends the request. */
type SendFunction = (values: Partial<Values>, how?: SendOptions) => Promise<Result>;

/** What a composed operation gets for a step. It throws ServiceError or UserError. */
export type StepFunction = FindFunction | ListFunction | SendFunction;

export type StepFunctions<S extends StepDeclarations> = {
	[Name in keyof S]: S[Name] extends FindStep
		? FindFunction
		: S[Name] extends { output: { kind: 'many' } }
			? ListFunction
			: SendFunction;
};

export interface SendOptions {
	/** A record that does not exist is a result without a record. */
	mayBeMissing?: boolean;
	/** A search has just found nothing. If the answer is lost, the next try searches again instead of failing. */
	searchedFirst?: boolean;
	/** The record with the external ID that is sent, if it was looked up just now, null if there is none: for what becomes of it. */
	existing?: ServiceRecord | null;
}

/** Declares an operation of several requests: a function that sends what is no step of it does not compile. */
export function compose<S extends StepDeclarations, V extends Values>(
	composition: Composition<S, V>,
): AnyComposition {
	// Its function takes these steps and values only, and nobody calls it with others.
	return composition as unknown as AnyComposition;
}

/** A record, and fields for the output, such as `{ record: { id: 1 }, data: { contact: { id: 1 } }, extra: {} }`. Plain data: n8n stores it. */
export interface Result {
	/** The record that came back, without envelopes. */
	record?: ServiceRecord;
	/** The answer as it came, if it was more than the record, or none. */
	data?: unknown;
	/** Whether the item created it; undefined where that is not shown. Decided in contract/outcome.ts. */
	created?: boolean;
	/** Fields for the output, unless the record has them. */
	extra: IDataObject;
}

/** The routes of an operation, or of its steps. */
export function routesOf(operation: Operation): string[] {
	const declared = 'compose' in operation ? Object.values(operation.compose.steps) : [operation];
	return declared.flatMap(({ route }) => (typeof route === 'string' ? route : []));
}

/** An operation that sends nothing but GET. */
export const onlyReads = memoize((operation: Operation): boolean => {
	const routes = routesOf(operation);
	return routes.length > 0 && routes.every((route) => route.startsWith('GET '));
});

export interface Resource {
	/** The label in the drop-down, Title Case. */
	name: string;
	/** One sentence for people who do not know the service. */
	description: string;
	/** The operation preselected with the resource. */
	defaultOperation: string;
	operations: Record<string, Operation>;
}
