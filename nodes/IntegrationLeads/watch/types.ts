/** Declares the settings of the trigger, its events, and the requests that it makes. */
import type { ServiceRecord } from '../values/json';
import type { Page } from '../transport/paginate';

/** The user's choices, and a few limits. */
export interface Settings {
	triggerOn: ReadonlyArray<LeadEvent['event']>;
	/** Only changes from these statuses; none means any. */
	fromStatus: readonly string[];
	/** Only changes to these statuses; none means any. */
	toStatus: readonly string[];
	/** The tags that are watched; none unless they start the workflow. */
	tags: readonly string[];
	/** Filters of GET /leads (spec 4.1) that set what is watched, by their names there. */
	filters: Record<string, string>;
	/** Days before now; 0 means all leads. */
	watchWithinDays: number;
	/**
	 * Leads that were created at this time (ms) or later are emitted although they exist already, once, when there is no state yet:
	 * -Infinity for all, Infinity for none.
	 */
	emitSince: number;
	/** Reads each emitted lead and its contact individually, within the same number of requests. */
	includeFullLead: boolean;
	maxRequestsPerPoll: number;
	/** Identifies the account: the base URL, and the ID that n8n gave the credential. */
	account: string;
	/** Identifies the process that polls. */
	process: string;
	/** The last events of another process are emitted again if they were emitted before this time (ms). */
	repeatOthersBefore: number;
	/** The size of a page. Smaller than the largest (spec part 8) only in tests, which need few leads then. */
	pageSize?: number;
	maxEventsPerPoll?: number;
}

/**
 * One request to the service; `query` is that of GET /leads. The answer to `lead` and `contact` is a page with one record, or
 * none if it does not exist or the key may not read it.
 */
export type LeadRequest =
	| { kind: 'list'; query: { page: number; limit: number } & Record<string, string | number> }
	| { kind: 'lead' | 'contact'; id: string };

/** Makes one request. Undefined if neither it nor any later one is answered: time is up, or the service refused. */
export type Ask = (request: LeadRequest) => Promise<Page | undefined>;

/** An event as the trigger emits it. */
export interface LeadEvent {
	event: 'lead.created' | 'lead.statusChanged' | 'lead.tagged';
	/** The same ID comes again with a repeated event. */
	eventId: string;
	/** Whether it was emitted before. n8n may not have started an execution with it. */
	redelivered: boolean;
	/** When it was first emitted: ISO 8601, n8n's clock. */
	detectedAt: string;
	/** Null unless the status has changed, and where the one before is not known. */
	previousStatus: string | null;
	status: string;
	/** The tag that the lead got, as it is written in the settings. */
	tag?: string;
	lead: ServiceRecord;
	/** Set on an event that only shows what events look like. */
	sample?: true;
	/** Says that there was no lead for a sample, or what events lack. */
	note?: string;
}

const restart = 'All leads are read again; changes since the last poll are not reported.';

/** Warnings for the log. */
export const NOTICES = {
	accountChanged: `The credential or its base URL changed. ${restart}`,
	stateUnreadable: `The stored state of the trigger cannot be read. ${restart}`,
	noCreationTime: 'Leads without a readable "createdAt" or "id" cannot be watched.',
	tooManyInOneSecond:
		'The service lists more leads for one second (or one day, if it compares no finer) than one poll can read. Events among them may be missing until you raise "Max Requests per Poll".',
};
export type Notice = keyof typeof NOTICES;
