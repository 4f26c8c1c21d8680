/**
 * At-least-once delivery. n8n may store the state of a poll and stop before it has stored the execution which the
 * events of that poll start, or queued it. So an event stays in the stored state until the process that emitted it polls
 * later; another process emits it once more, with the same id (docs/trigger.md, "After a restart").
 */
import { groupBy } from 'lodash';

import { isRecord } from '../contract/envelope';
import { UNIT } from '../windows/bounds';
import type { Candidate, Outbox } from './events';
import type { Lead } from './watchedLead';
import { keyOf } from './watchedLead';
import type { EmittedBatch, PollResult, State } from './state';
import type { Timeline } from './timeline';
import type { LeadEvent, Settings } from './types';

/**
 * How long n8n may take to store an execution and to queue it. It stops when it has not reached Redis for ten seconds
 * (`QUEUE_BULL_REDIS_TIMEOUT_THRESHOLD`).
 */
const ARRIVAL_MS = 30_000;
/** How long this process knows what it emitted. */
const REMEMBERED_MS = 3_600_000;
/** In place of the status before, for a lead that was created. */
const NONE = -1;

interface Repeat {
	batch: EmittedBatch;
	event: EmittedBatch['events'][number];
	/** Once the lead is read, unless the settings now leave the event out. */
	candidate?: Candidate;
}

/** The events of another process that are to be emitted again, once their leads are read. */
export class Redelivery {
	private readonly repeats: Repeat[];

	/** What this process has just emitted. */
	private readonly recent: EmittedBatch[];

	private readonly byLead = new Map<number, Repeat[]>();

	/** @param now in ms */
	constructor(
		lastEvents: EmittedBatch[],
		private readonly settings: Settings,
		private readonly now: number,
	) {
		const isRepeated = ({ process, detectedAt }: EmittedBatch) =>
			process !== settings.process &&
			detectedAt < settings.repeatsUntil &&
			now - detectedAt < UNIT.day;
		this.repeats = lastEvents
			.filter(isRepeated)
			.sort((a, b) => a.detectedAt - b.detectedAt)
			.flatMap((batch) => batch.events.map((event) => ({ batch, event })));
		this.recent = lastEvents.filter(
			({ process, emittedAt }) => process === settings.process && now - emittedAt < ARRIVAL_MS,
		);
		for (const each of this.repeats) {
			const key = keyOf(leadOf(each.event));
			this.byLead.set(key, [...(this.byLead.get(key) ?? []), each]);
		}
	}

	/** Their buckets are read first. */
	mark(timeline: Timeline): void {
		for (const { event } of this.repeats) {
			timeline.bucketAt(leadOf(event).createdAt).hasRepeats = true;
		}
	}

	candidates(lead: Lead, outbox: Outbox): Candidate[] {
		const found: Candidate[] = [];
		for (const each of this.byLead.get(keyOf(lead)) ?? []) {
			const [, , from, to, revision] = each.event;
			const { detectedAt } = each.batch;
			const change = { from: from === NONE ? undefined : from, to, revision, detectedAt };
			each.candidate = outbox.candidate(lead, change);
			if (each.candidate) found.push(each.candidate);
		}
		return found;
	}

	/** What may not have arrived, with this poll's events. A lead that is gone cannot be emitted. */
	toStore(timeline: Timeline, { emitted }: Outbox): EmittedBatch[] {
		const isDue = ({ event, candidate }: Repeat) => {
			if (candidate) return !candidate.emitted;
			return !timeline.bucketAt(leadOf(event).createdAt).done;
		};
		const due = groupBy(this.repeats.filter(isDue), ({ batch }) => batch.detectedAt);
		const notEmitted = Object.values(due).map((each) => ({
			...each[0].batch,
			events: each.map(({ event }) => event),
		}));
		return [...notEmitted, ...this.recent, ...this.toBatches(emitted)];
	}

	private toBatches(emitted: Candidate[]): EmittedBatch[] {
		const { now, settings } = this;
		const batches = groupBy(emitted, (candidate) => candidate.detectedAt ?? now);
		return Object.entries(batches).map(([time, candidates]) => ({
			process: settings.process,
			detectedAt: Number(time),
			emittedAt: now,
			events: candidates.map(({ lead, from = NONE, to, revision }): Repeat['event'] => {
				return [Math.floor(lead.createdAt / 1000), lead.fingerprint, from, to, revision];
			}),
		}));
	}
}

function leadOf([seconds, fingerprint]: Repeat['event']) {
	return { createdAt: seconds * 1000, fingerprint };
}

/**
 * What this process has emitted for one trigger with durable polling. There n8n may start a poll from a state that it
 * read before it stored the last one: such a poll finds again what has just been emitted, and forgets what was read.
 */
export class Emitted {
	private readonly times = new Map<string, number>();

	private last?: Pick<State, 'watched' | 'activated' | 'turn'> & { time: number };

	/**
	 * @param now in ms
	 * @returns whether the last poll, a moment ago, went further than this state. A poll now would find again what that one
	 * found; a later one shows whether it was stored.
	 */
	isStale(state: unknown, now: number): boolean {
		if (!this.last || now - this.last.time >= ARRIVAL_MS || !isRecord(state)) return false;
		const { watched, activated, turn } = this.last;
		return state.watched === watched && state.activated === activated && Number(state.turn) < turn;
	}

	/** Marks the events of a poll that were emitted before, and remembers all. */
	mark({ events, state }: PollResult, now: number): LeadEvent[] {
		const { watched, activated, turn } = state;
		this.last = { watched, activated, turn, time: now };
		if (events.length === 0) return events;
		const marked = events.map((event) =>
			this.times.has(event.eventId) ? { ...event, redelivered: true } : event,
		);
		for (const [id, time] of this.times) if (now - time > REMEMBERED_MS) this.times.delete(id);
		for (const { eventId } of events) this.times.set(eventId, now);
		return marked;
	}
}
