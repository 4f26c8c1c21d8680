/** Types of the trigger's core: what goes in, what comes out, and the requests it makes. */
import type { ServiceRecord } from '../contract/envelope';
import type { Page } from '../transport/paginate';

/** What starts a workflow. */
export type EventName = 'lead.created' | 'lead.statusChanged';

/** What the user chose, and a few limits. */
export interface Settings {
	triggerOn: readonly EventName[];
	/** Only changes from these statuses; none means any. */
	fromStatus: readonly string[];
	/** Only changes to these statuses; none means any. */
	toStatus: readonly string[];
	/** Filters of GET /leads (spec 4.1) that set what is watched, by their names there. */
	filters: Record<string, string>;
	/** Days before now; 0 means all leads. */
	watchWithinDays: number;
	/** Emits the leads that exist already, once, when there is no state yet. */
	emitExisting: boolean;
	/** Reads each emitted lead individually, within the same number of requests. */
	includeFullLead: boolean;
	maxRequestsPerPoll: number;
	/** Identifies the account: the base URL, and the ID that n8n gave the credential. */
	account: string;
	/** Identifies the process that polls. */
	process: string;
	/** What another process emitted last is emitted again if that was before this time (ms). */
	repeatsUntil: number;
	/** The largest page (spec part 8); smaller in tests, to reach deep structures with few leads. */
	pageSize?: number;
	maxEventsPerPoll?: number;
}

/** One request to the service. The answer to `lead` is a page with one record, or with none when there is no such lead. */
export type LeadRequest = { kind: 'list'; query: LeadQuery } | { kind: 'lead'; id: string };

/** The query of GET /leads; bounds are ISO 8601. */
export interface LeadQuery {
	page: number;
	limit: number;
	status?: string;
	createdAfter?: string;
	createdBefore?: string;
	[filter: string]: string | number | undefined;
}

/** An answer of the service to one request. */
export interface LeadPage extends Page {
	/** How many requests a minute the API key allows (spec part 8), when the service states it. */
	requestsPerMinute?: number;
}

/** Makes one request. Undefined when it is not answered, and no other will be: time is up, or the service refused. */
export type Ask = (request: LeadRequest) => Promise<LeadPage | undefined>;

/** One event; {@link eventColumns} says what is returned of it. */
export interface LeadEvent {
	event: EventName;
	/** The same when the same event is emitted again. */
	eventId: string;
	/** It was emitted before, but n8n may not have started an execution with it. */
	redelivered: boolean;
	/** When it was first emitted: ISO 8601, n8n's clock. */
	detectedAt: string;
	/** Null for a lead that was created. */
	previousStatus: string | null;
	status: string;
	lead: ServiceRecord;
	/** It only shows what an event looks like. */
	sample?: true;
	/** Of a sample: there was no lead to show. */
	note?: string;
}

/** The output, see contract/simplify.ts: what happened and to whom, then IDs, then the whole lead. */
export const eventColumns = {
	event: 'event',
	name: 'lead.contact.name',
	email: 'lead.contact.email',
	phone: 'lead.contact.phone',
	status: 'status',
	previousStatus: 'previousStatus',
	leadId: 'lead.id',
	externalId: 'lead.externalId',
	detectedAt: 'detectedAt',
	redelivered: 'redelivered',
	eventId: 'eventId',
	sample: 'sample',
	note: 'note',
	lead: 'lead',
};

/** Something the user should read in the log. */
export interface Notice {
	kind:
		| 'watchedChanged'
		| 'stateUnreadable'
		| 'otherAccount'
		| 'noCreationTime'
		| 'tooManyInOneSecond';
	message: string;
}

/** The result of one poll. */
export interface PollResult {
	/** Plain JSON, to be stored as it is; a new object, the old one is untouched. */
	state: StoredState;
	events: LeadEvent[];
	notices: Notice[];
	requests: number;
	/** Whether at least one answer was used. If not, a failure should be thrown and `state` left alone. */
	progressed: boolean;
	/** Buckets that were never read: 0 when the baseline is complete. */
	unread: number;
	/** Every bucket was read whole in this poll, and all events were emitted. */
	complete: boolean;
}

/** The state as n8n stores it. */
export interface StoredState {
	version: number;
	/** Hash of what is watched. */
	watched: string;
	/** Statuses by their index in the entries. */
	statuses: string[];
	/** How finely the service compares bounds, in ms; 0: it ignores them; null: not needed so far. */
	unit: number | null;
	/** The service's clock at activation (ms): in buckets never read, leads created later are new. Null: all are. */
	activated: number | null;
	/** Number of polls so far. */
	turn: number;
	/** The timeline, oldest first; see encoding.ts. */
	buckets: string[];
	/** Events that are not known to have started an execution; see delivery.ts. */
	lastEvents: EmittedBatch[];
}

/** Events of one poll. */
export interface EmittedBatch {
	/** The process that emitted them. */
	process: string;
	/** When they were first emitted (ms). */
	detectedAt: number;
	/** When this process emitted them (ms). */
	emittedAt: number;
	events: EmittedEvent[];
}

/**
 * The lead's creation in seconds and its fingerprint; the indexes of its statuses before (-1: it was created) and
 * after; the revision that the event id was made from.
 */
export type EmittedEvent = [number, number, number, number, number];
