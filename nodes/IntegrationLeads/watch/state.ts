/** Validates the stored state when it is read, and compresses it when it is written. */
import { createHash } from 'node:crypto';
import { attempt, isError } from 'lodash';
import { z } from 'zod';

import { isRecord } from '../values/json';
import { encodeBucket, storedBucket } from './timeline';
import type { LeadEvent, Notice, Settings } from './types';

const STATE_VERSION = 4;

/** Events of one poll. */
const emittedBatch = z.object({
	/** The process that emitted them. */
	process: z.string(),
	/** When they were first emitted (ms). */
	detectedAt: z.number(),
	/** When this process emitted them (ms). */
	emittedAt: z.number(),
	/** The number of polls that had emitted events when these were found: part of the event IDs. */
	revision: z.number(),
	/** Each with the lead's ID, and members of {@link Change}. */
	events: z.array(
		z.object({
			id: z.string(),
			from: z.number().optional(),
			to: z.number(),
			tag: z.string().optional(),
		}),
	),
});
export type EmittedBatch = z.infer<typeof emittedBatch>;

const storedState = z.object({
	version: z.literal(STATE_VERSION),
	/** A hash of the account. */
	account: z.string(),
	/** The statuses whose indexes are in the entries. */
	statuses: z.array(z.string()),
	/** The tags whose indexes are in the buckets. */
	tags: z.array(z.string()),
	/** How finely the service compares bounds, in ms; 0 if it ignores them, null if that was not needed so far. */
	unit: z.number().nullable(),
	/**
	 * The service's clock at activation (ms), or the time since which existing leads are emitted: in a bucket that was never read,
	 * leads created later are new. Null: all are new.
	 */
	activated: z.number().nullable(),
	/** The filters of the last poll. */
	filters: z.record(z.string(), z.string()),
	/**
	 * The service's clock (ms) at the last poll with other filters, or `activated`: in a bucket that was read, no lead created
	 * earlier is new, however late it is listed, unless events were left at that poll. Null: all are new.
	 */
	filteredSince: z.number().nullable(),
	/** The number of polls so far. */
	pollNumber: z.number(),
	/** The number of polls that emitted events: it gives the same change, when it happens again, another event ID. */
	revision: z.number(),
	/** The timeline, oldest first. */
	buckets: z.array(storedBucket).min(1),
	/** Events that are not known to have started an execution; see delivery.ts. */
	lastEvents: z.array(emittedBatch),
});

/** Stored until a request of the trigger was answered: all that is created since then is new. */
const waitingState = z.object({ version: z.literal(STATE_VERSION), waitingSince: z.number() });

/** The state as n8n stores it. */
type StoredState = z.input<typeof storedState>;
/** The state with its buckets decoded. */
export type State = Omit<z.output<typeof storedState>, 'version'>;

/** The result of one poll. */
export interface PollResult {
	/** A new object of plain JSON. The old one is unchanged. */
	state: StoredState;
	events: LeadEvent[];
	notices: Notice[];
}

/** Whether changes of status are watched. */
export function watchesStatus({ triggerOn }: Settings): boolean {
	return triggerOn.includes('lead.statusChanged');
}

/** Whether changes of leads are watched, and not only their creation. */
export function watchesChanges(settings: Settings): boolean {
	return watchesStatus(settings) || settings.tags.length > 0;
}

/** Identifies the account, about whose leads alone the stored state knows something. */
export function accountHash({ account }: Settings): string {
	return createHash('sha256').update(account).digest('base64url').slice(0, 16);
}

/**
 * Parses a state. Other filters, events or days need no new one: leads that come under the filters are new only if they were
 * created since the last poll.
 *
 * @param stored what n8n gives back, which may be anything
 * @returns the state, or why there is none; for a trigger that starts for the first time, since when leads are new (ms)
 */
export function parseState(
	stored: unknown,
	account: string,
): { state?: State; notice?: Notice; newSince?: number } {
	if (!isRecord(stored) || Object.keys(stored).length === 0) return { newSince: Infinity };
	const waiting = waitingState.safeParse(stored);
	if (waiting.success) return { newSince: waiting.data.waitingSince };
	const state = attempt(() => storedState.parse(stored));
	if (isError(state)) return { notice: 'stateUnreadable' };
	return state.account === account ? { state } : { notice: 'accountChanged' };
}

/** Whether a request of the trigger was answered. */
export function hasBegun(stored: unknown): boolean {
	return stored !== undefined && !waitingState.safeParse(stored).success;
}

/** The state of a trigger that could not start at this time (ms). */
export function toWaiting(since: number): z.infer<typeof waitingState> {
	return { version: STATE_VERSION, waitingSince: since };
}

export function writeState(state: State): StoredState {
	return { version: STATE_VERSION, ...state, buckets: state.buckets.map(encodeBucket) };
}
