/**
 * How an operation is declared. Everything known about an operation is one value of type {@link Operation}; the panel,
 * the request, the messages, the README's table and the output previews are derived from it.
 */
import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { ServiceRecord } from './contract/envelope';
import type { RecordShape, Trait } from './contract/records';
import type { Answer, ServiceRequest } from './transport/send';
import type { InputError } from './userError';

/**
 * Converts a user's value to what is sent.
 *
 * @throws InputError naming the field
 */
export type Convert = (value: unknown, context: ConvertContext) => unknown;

export interface ConvertContext {
	/** The parameter's label, for messages. */
	label: string;
	/** The workflow's, for dates without one. */
	timezone: string;
	/** Digits, for phones without a country code. */
	countryCode?: string;
	/** Whether 03/04/2026 is 3 April or 4 March. */
	dayFirst?: boolean;
	/** Whether 1.500 is 1500 or 1.5. */
	commaDecimals?: boolean;
	/** Whether a phone, an email, a date, an amount or a listed value that cannot be read is left out. */
	leaveOut?: boolean;
	/** The values are arguments of an AI agent: one that is blank or a placeholder was not given. */
	tool?: boolean;
	/** The input item, for parameters that map its fields by name. */
	input?: IDataObject;
	/** Called with the names of input fields that are not sent. */
	onUnsent?: (fields: string[]) => void;
	/** The email or the phone identifies the record, so neither is left out. */
	addressIdentifies?: boolean;
	/** The values that leads of the account have in a field, as far as they are known. */
	leadValues?: (field: string) => unknown[];
	/** Called with the label of a field, and its value that cannot be read and is left out. */
	onLeftOut?: (label: string, value: unknown) => void;
	/** Returns the ID of a record that is given by something else, or text in its place while it is not known. */
	locate?: (lookup: Lookup) => string;
	/** What the user set under Options, unconverted. */
	options?: IDataObject;
	/** Receives the mistakes in the fields of a value, so that all are named at once. */
	mistakes?: InputError[];
}

/** What the conversions of all values of an item share. */
export type RunContext = Omit<ConvertContext, 'label'> & {
	/** Milliseconds since the epoch, the same for all items. */
	now: number;
};

/** A plain n8n property, and where its value is sent. */
export type Parameter = Omit<INodeProperties, 'options'> & {
	/**
	 * Where the value is sent. `match`: it is not sent, but compared with the email or phone of each record of the list. A
	 * parameter without a place is a setting, read by the code that needs it. A collection with a place is sent as one
	 * object; without, each of its fields has its own place.
	 */
	in?: 'path' | 'query' | 'body' | 'match';
	/** The field's name in the API, where it differs from the parameter's; with points for a field of an object. */
	field?: string;
	/** Defaults to the converter of the type, see values/converter.ts. */
	convert?: Convert;
	/** Any text may be meant, also a word that stands for no value elsewhere, such as `none`. */
	freeText?: boolean;
	/** The value is an object whose members are sent as fields of their own. */
	spread?: boolean;
	/** A resource locator's modes whose values are no IDs: the record is found first, see run/locate.ts. */
	lookup?: { record: RecordShape; modes: LookupMode[] };
	/** How users find the record that the value names, in full sentences. */
	wayToFind?: string;
	/** A path value that may hold any printable character (an external ID); others must be IDs. */
	printable?: boolean;
	/** An open enumeration (spec 2 lists only values seen): other values are sent too, and an AI agent gets a text field. */
	open?: boolean;
	options?: Array<INodePropertyOptions | Parameter>;
};

export type LookupMode = 'externalId' | 'emailOrPhone';

/** A record that is given by something else than its ID. */
export interface Lookup {
	record: RecordShape;
	/** The label of the parameter, for messages. */
	label: string;
	by: 'externalId' | Trait;
	value: string;
	/** That no record has it is an answer, too. */
	optional?: boolean;
}

export type Output =
	| {
			kind: 'one';
			record: RecordShape;
			/**
			 * What the answer shows to have happened to the record that was sent: fields for the output, unless the record that
			 * came back has them. In a batch `answer` is not given, since it is about other records as well.
			 */
			outcome?: (
				sent: ServiceRecord,
				answered: ServiceRecord | undefined,
				answer?: Pick<Answer, 'status' | 'sentAt'> & { existing?: ServiceRecord | null },
			) => ServiceRecord;
	  }
	/** `timeWindows`: the list can be filtered by creation time, see transport/returnAll.ts. */
	| { kind: 'many'; record: RecordShape; timeWindows?: boolean }
	| { kind: 'deleted' }
	/** The response as it is. */
	| { kind: 'anything' };

export interface Operation {
	/** The label in the drop-down, Title Case. */
	name: string;
	/** Sentence case, names the resource, no article: an entry in n8n's node list. */
	action: string;
	description: string;
	/** When an AI agent should choose it and what it needs to know, in full sentences. Only agents read it. */
	when: string;
	/** The scope the key needs (spec 5). `assumed` where it names none, not even by what a scope grants. */
	scope?: string | { assumed: string };
	/**
	 * Method and path below the prefix. Each `{name}` is a parameter with `in: 'path'`. An operation that may call any path
	 * builds its request; `read` as for `report`.
	 */
	route:
		| `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`
		| ((read: (name: string) => unknown) => Omit<ServiceRequest, 'repeatable'>);
	/** See {@link ServiceRequest.repeatable}. By default GET, PUT and DELETE are, by the definition of HTTP (RFC 9110, 9.2.2). */
	repeatable?: boolean | ((request: ServiceRequest) => boolean);
	parameters: Parameter[];
	output: Output;
	/**
	 * Completes the request where users give the record by something that the service does not take. Called twice: `find`
	 * returns nothing at first, then the record that was found, if there is one.
	 */
	identify?: (
		request: ServiceRequest,
		read: (name: string) => unknown,
		find: (lookup: Lookup) => ServiceRecord | undefined,
	) => ServiceRequest;
	/**
	 * Checks rules between fields before anything is sent, also where a value is wrong: then the request has `true` in its
	 * place. Throws InputError.
	 */
	check?: (request: ServiceRequest, read: (name: string) => unknown) => void;
	/** The message for a 404 that does not mean that the record in the path is missing. */
	notFound?: (request: ServiceRequest) => { message: string; description: string } | undefined;
	/**
	 * Where the record is looked for, in order. What is found is the output, and nothing is written; if nothing is, a
	 * request that writes is sent. `options` holds the converted values of the parameter Options.
	 */
	find?: (request: ServiceRequest, options: IDataObject) => Search[];
	/**
	 * The operation that finds or creates the record in this one's path, where it is named after the record, as in
	 * `{conversationId}`. It runs first, on the same parameters.
	 */
	parent?: Parent;
	/**
	 * A parameter whose value identifies what an item creates below its parent. Within one execution of the workflow a
	 * value is sent once, however many items have it and however often n8n retries or repeats the node.
	 */
	onceBy?: string;
	/**
	 * The operation that lists what this one creates, with the same parent. Where an answer was lost, the list shows
	 * whether the record was created; with the option *Skip If Recorded* it is read before anything is sent.
	 */
	listedBy?: Operation;
	/** Sends many items in one request. */
	batch?: Batch;
	/**
	 * Reads the whole list and computes the output from it. Called before anything is sent, so that settings can be
	 * refused. `read` returns the converted value of a parameter without a place.
	 */
	report?: (read: (name: string) => unknown, context: RunContext) => Report;
}

export type Parent = Operation & { output: { kind: 'one' } };

/** Whether a record is the one; undefined where it does not show. */
export type Verdict = boolean | undefined;

/** A request that may return the record of an operation. */
export interface Search {
	path: string;
	scope: Operation['scope'];
	/**
	 * The field and the value by which the service looks: it may ignore them, and where none of its records shows
	 * them, it is believed. Without, the request reads a list, all pages of it.
	 */
	by?: [name: Trait, value: string];
	isMatch: (record: ServiceRecord) => Verdict;
	/**
	 * Takes one of the records that match.
	 *
	 * @throws UserError when they do not show which one it is
	 */
	choose?: (matches: ServiceRecord[]) => ServiceRecord;
}

/** How the output of an operation is computed from a list. */
export interface Report {
	/** More filters for the list. */
	query?: IDataObject;
	/** Reads what the list leaves out. One finishes for all records before the next begins. */
	enrichments: Enrichment[];
	/** Pure. */
	build: (records: ServiceRecord[]) => { items: IDataObject[]; hints: string[] };
}

/** What a list leaves out, read for each of its records. */
export interface Enrichment {
	route: `GET /${string}/{id}${string}`;
	scope: Operation['scope'];
	record: RecordShape;
	/** The route lists records; what was found then has the list under their plural. */
	list?: boolean;
	/** The ID to request; undefined if the record needs nothing. */
	id: (record: ServiceRecord) => string | undefined;
	/** Merges what was read; `found` is undefined if it no longer exists. Returning undefined drops the record. */
	merge: (record: ServiceRecord, found: ServiceRecord | undefined) => ServiceRecord | undefined;
}

/** The defaults of a batch; the user may change each under Options. */
export interface Batch {
	/** The name of the list in the body. */
	listName: string;
	/** The largest number of items in one request. */
	batchSize: number;
	/** What becomes of the item of a lead that the answer neither confirms nor refuses. */
	unconfirmedLeads: 'fail' | 'passThrough';
}

export interface Resource {
	/** The label in the drop-down, Title Case. */
	name: string;
	/** One sentence for people who do not know the service. */
	description: string;
	/** The operation preselected with the resource. */
	defaultOperation: string;
	operations: Record<string, Operation>;
}
