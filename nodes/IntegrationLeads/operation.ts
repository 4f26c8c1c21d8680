/**
 * The whole vocabulary of a declaration. Everything known about an operation stands in one value of type
 * {@link Operation}; the panel, the request, the texts of failures, the README's table and the output
 * previews are derived from it.
 */
import type {
	IDataObject,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { ServiceRecord } from './contract/envelope';
import type { Certainty, RecordShape } from './contract/shape';
import type { ServiceRequest } from './transport/send';

/** Where a value goes. A parameter without a place is read by the code that needs it. */
export type Place = 'path' | 'query' | 'body';

/**
 * Turns what the user gave into what is sent.
 *
 * @throws InputError naming the field, when it cannot
 */
export type Convert = (value: unknown, about: ConvertContext) => unknown;

/** What a value is read with. */
export interface ConvertContext {
	/** The parameter's label, for messages. */
	label: string;
	/** The workflow's, for dates that carry none. */
	timezone: string;
	/** Digits of the country that phones without a country code belong to. */
	countryCode?: string;
	/** The input item, for what maps its fields by name. */
	input?: IDataObject;
	/** Told which fields of the input were not sent. */
	onUnsent?: (fields: string[]) => void;
}

/** What all values of an item are read with. */
export type RunContext = Omit<ConvertContext, 'label'> & {
	/** Milliseconds since the epoch, the same for all items. */
	now: number;
};

/** A plain n8n property, and where its value goes. */
export type Parameter = Omit<INodeProperties, 'options'> & {
	/** A collection with a place is sent as one object; without, each of its fields has its own place. */
	in?: Place;
	/** The name of the field in the API, where the parameter cannot bear it. */
	field?: string;
	/** By default what its type asks for, see fields/converter.ts. */
	convert?: Convert;
	/** The value is an object whose members are sent as if each were a field of its own. */
	spread?: boolean;
	/** The value may hold anything printable (an external id), where a path value else must be an id. */
	printable?: boolean;
	/** The values are those seen so far (spec 2): any other is sent as well, and an AI agent gets a text field. */
	open?: boolean;
	options?: Array<INodePropertyOptions | INodePropertyCollection | Parameter>;
};

/** What an operation outputs. */
export type Output =
	| { kind: 'one'; record: RecordShape }
	/** `timeWindows`: the list can be bounded by creation time, see transport/leadWindows.ts. */
	| { kind: 'many'; record: RecordShape; timeWindows?: boolean }
	| { kind: 'deleted' }
	/** Whatever came. */
	| { kind: 'anything' };

export interface Operation {
	/** The label in the drop-down, Title Case. */
	name: string;
	/** Sentence case, names the resource, no article: an entry of n8n's node list. */
	action: string;
	description: string;
	/** When an AI agent should choose it and what it must know for it, in full sentences. Only agents read it. */
	when: string;
	/** The scope the key needs (spec part 5). `assumed` where the spec names none for this route. */
	scope?: string | { assumed: string };
	/** Method and path below the prefix. Each `{name}` is a parameter with `in: 'path'`. */
	route?: Route;
	/** What is sent, beside what the path says: how we know it. Goes with `route`. */
	sends?: Certainty;
	/** See {@link ServiceRequest.repeatable}; a function where it depends on what is sent. */
	repeatable: boolean | ((request: ServiceRequest) => boolean);
	parameters: Parameter[];
	output: Output;
	/** Rules between fields, checked before anything is sent. Throws InputError. */
	check?: (request: ServiceRequest) => void;
	/** What a 404 means when it is not that the record of the path is missing. */
	notFound?: (request: ServiceRequest) => { message: string; description: string } | undefined;
	/**
	 * Requests to send one after another until one brings a record, in place of the route's alone.
	 * `options` holds the values of the parameter Options, in their types.
	 */
	steps?: (request: ServiceRequest, options: IDataObject) => Step[];
	/** Items are sent together, many in one request. */
	batch?: Batch;
	/**
	 * What is made of a list, always all of it, where the list is not yet what was asked for. Called before anything is
	 * sent, so that what the user gave can be refused. `read` gives the value of a parameter without a place,
	 * in its type.
	 */
	refine?: (read: (name: string) => unknown, about: RunContext) => Refinement;
	/** Builds the request where no route is fixed. `read` as for `refine`. */
	request?: (read: (name: string) => unknown) => Omit<ServiceRequest, 'repeatable'>;
}

export interface Step {
	request: ServiceRequest;
	/** The scope of this request, where it is not the operation's. */
	scope?: Operation['scope'];
	/**
	 * Whether a record that it brings is the one looked for, undefined where the record does not tell: the service may
	 * ignore what a query asks for.
	 */
	isMatch?: (record: ServiceRecord) => boolean | undefined;
	/** Said where nothing but records came that are not the one looked for. */
	note?: string;
	/** Fields for the record that it brings, unless the record has them. */
	adds: IDataObject;
}

/** From a list to items: what to read beside it, then what to make of it. */
export interface Refinement {
	/** More filters for the list. */
	query?: IDataObject;
	/** What the list does not tell. Each is done for all records before the next begins. */
	lookups: Lookup[];
	/** Pure. `notes` are for the user. */
	shape: (records: ServiceRecord[]) => { items: IDataObject[]; notes: string[] };
}

/** A record to be read by itself, for each of a list that does not tell enough. */
export interface Lookup {
	route: `GET /${string}/{id}`;
	scope: Operation['scope'];
	record: RecordShape;
	/** The id to ask for; undefined where what is known is enough. */
	id: (known: ServiceRecord) => string | undefined;
	/** What is known then; undefined leaves the record out. `found` is undefined when it is gone. */
	join: (known: ServiceRecord, found: ServiceRecord | undefined) => ServiceRecord | undefined;
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

export type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

export interface Resource {
	/** The label in the drop-down, Title Case. */
	name: string;
	/** What it is, in a sentence for people who have never seen the service. */
	description: string;
	/** The operation chosen when the resource is. */
	defaultOperation: string;
	operations: Record<string, Operation>;
}
