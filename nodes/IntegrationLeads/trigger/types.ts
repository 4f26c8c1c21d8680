/** The words of the trigger's core: what goes in, what comes out, what is asked of the service. */
import type { ServiceRecord } from '../contract/envelope';
import type { Page } from '../transport/paginate';

/** What starts a workflow. */
export type EventName = 'lead.created' | 'lead.statusChanged';

/** Filters of GET /leads (spec 4.1) that set what is watched. */
export interface Filters {
	priority?: string;
	source?: string;
	tag?: string;
	search?: string;
}

/** What the user chose, and a few limits. */
export interface Settings {
	triggerOn: readonly EventName[];
	/** Only changes from these statuses; none means any. */
	fromStatus: readonly string[];
	/** Only changes to these statuses; none means any. */
	toStatus: readonly string[];
	filters: Filters;
	/** Days before now; 0 means all leads. */
	watchWithinDays: number;
	/** Announces the leads there are already, once, when there is no state yet. */
	emitExisting: boolean;
	/** Reads each announced lead by itself, within the same number of requests. */
	includeFullLead: boolean;
	maxRequestsPerPoll: number;
	/** Tells credentials apart: base URL and a hash of the key, never the key. */
	account: string;
	/** The largest page (spec part 8); smaller in tests, to reach deep structures with few leads. */
	pageSize?: number;
	maxEventsPerPoll?: number;
}

/** One request to the service. The answer to `lead` is a page with one record, or with none when there is no such lead. */
export type LeadRequest =
	| { kind: 'list'; query: LeadQuery }
	| {
			kind: 'lead';
			id: string;
	  };

/** The query of GET /leads; bounds are ISO 8601. */
export interface LeadQuery extends Filters {
	page: number;
	limit: number;
	status?: string;
	createdAfter?: string;
	createdBefore?: string;
}

/** What came of a batch: an answer for each request, or nothing for one that was not answered. */
export interface Reply {
	answers: ReadonlyArray<Page | undefined>;
	/** Nothing more can be asked in this poll: time is up, or the service refused. */
	stop?: boolean;
}

/** A computation that asks in batches, whose requests may run at the same time. */
export type Steps<T> = Generator<LeadRequest[], T, Reply>;

/** One item of the output. */
export interface LeadEvent {
	event: EventName;
	/** The same when the same event is emitted again after a crash. */
	eventId: string;
	/** ISO 8601, the poll's own clock. */
	detectedAt: string;
	/** Null for a lead that was created. */
	previousStatus: string | null;
	status: string;
	lead: ServiceRecord;
}

/** Something the user should read in the log and beside the output. */
export interface Notice {
	kind: 'scopeChanged' | 'stateUnreadable' | 'noCreationTime' | 'overcrowded' | 'partRestarted';
	message: string;
}

/** What one poll came to. */
export interface PollResult {
	/** Plain JSON, to be stored as it is; a new object, the old one is untouched. */
	state: StoredState;
	events: LeadEvent[];
	notices: Notice[];
	requests: number;
	/** Whether at least one answer was used. If not, a failure should be thrown and `state` left alone. */
	progressed: boolean;
	/** Parts of the timeline that have not been read even once: 0 when the baseline is complete. */
	unread: number;
}

/** The state as n8n stores it. */
export interface StoredState {
	version: number;
	/** Hash of what is watched. */
	scope: string;
	/** Statuses by their index in the codes. */
	statuses: string[];
	/** How finely the service compares bounds, in ms; 0: it does not heed them; null: not needed so far. */
	unit: number | null;
	/** Bits: which bounds include themselves, where the unit is a day. */
	inclusive: number;
	/** A lead unknown so far is new if it was created at this time or later (ms). */
	newSince: number;
	/** The latest time of creation seen (ms), 0 at first. */
	newest: number;
	/** The service's clock at activation (ms); tells old from new where nothing has been read yet. */
	activated: number | null;
	/** Leads that were there at activation are announced. */
	existing: boolean;
	/** Where to go on among the buckets in which leads can still appear (ms), when there were too many for one poll. */
	hotPosition: number | null;
	/** The latest time of creation seen when reading those buckets was begun (ms). */
	roundNewest: number;
	/** Where the rolling sweep goes on (ms), or null at the first bucket. */
	position: number | null;
	/** Starts of buckets whose events did not all get out. */
	waiting: Array<number | null>;
	/** By how much the service's counts differ from ours for reasons that are known to mean nothing. */
	offsets: number[];
	/** The timeline, oldest first; see codes.ts. */
	buckets: string[];
}
