/** Stores the state of the trigger in the workflow's static data or, with durable polling, in a table of n8n. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { clock } from '../transport/clock';
import { isRecord } from '../values/json';
import { ARRIVAL_MS } from '../watch/delivery';
import { toWaiting, type PollResult, type State } from '../watch/state';
import type { LeadEvent } from '../watch/types';

const PROCESS = randomUUID().slice(0, 8);
const STARTED_AT = clock.now();
/** How long this process remembers what it emitted. */
const REMEMBERED_MS = 3_600_000;
/** The events that this process emitted with durable polling, by trigger. */
const emittedBy = new Map<string, RecentEvents>();

/** The stored state of a trigger during one poll. */
export interface TriggerStore {
	/** Identifies this process. */
	process: string;
	/** Events that another process emitted before this time (ms) may not have arrived, and are emitted again. */
	repeatOthersBefore: number;
	/** The state before this poll, as n8n gives it back. */
	stored: unknown;
	/** Whether the state is older than what this process has just emitted, see {@link RecentEvents}. */
	isStale: boolean;
	/** Whether this is the poll with which n8n starts the trigger: when the workflow is published, or n8n starts. */
	isStart: boolean;
	/** Stores that the trigger waits for its first answer, and since when (ms). If it had one, the state stays. */
	wait(since: number): void;
	/**
	 * Stores the new state. Must be called once, at the very end of a poll: n8n stores all of what is assigned, or nothing.
	 *
	 * @returns the events; those that were emitted before are marked
	 */
	write(result: PollResult): LeadEvent[];
}

/** n8n watches static data of the workflow for changes. The cursor of durable polling is a plain copy from a table. */
const isWatched = (data: IDataObject) => '__dataChanged' in data;

/** n8n polls a published workflow in one context, except with durable polling. */
const polledIn = new WeakSet<IPollFunctions>();

/** @param key identifies the trigger */
export function storeOf(context: IPollFunctions, key: string): TriggerStore {
	const hasDurableCursor =
		!isWatched(context.getWorkflowStaticData('node')) &&
		isWatched(context.getWorkflowStaticData('global'));
	return hasDurableCursor ? durableStore(context, key) : workflowStore(context);
}

/** Keeps the state in the static data of the workflow, which n8n stores with the execution that the events start. */
function workflowStore(context: IPollFunctions): TriggerStore {
	const nodeData = context.getWorkflowStaticData('node');
	const isStart = !polledIn.has(context);
	polledIn.add(context);
	return {
		process: PROCESS,
		repeatOthersBefore: Infinity,
		stored: nodeData.state,
		isStale: false,
		isStart,
		wait(since) {
			nodeData.state ??= toWaiting(since);
		},
		write({ state, events }) {
			nodeData.state = { ...state };
			return events;
		},
	};
}

/** Keeps the state in the table of durable polling, from which several processes may poll in turn. */
function durableStore(context: IPollFunctions, key: string): TriggerStore {
	const nodeData = context.getWorkflowStaticData('node');
	const shared = context.getWorkflowStaticData('global');
	const name = `integrationLeadsTrigger ${context.getNode().id}`;
	const emitted = emittedBy.get(key) ?? new RecentEvents();
	emittedBy.set(key, emitted);
	// All polls but the one at activation have this mode. A baseline of an earlier activation would be too old.
	const isLater = context.getActivationMode() === 'update';
	const stored = nodeData.state ?? (isLater ? shared[name] : undefined);
	return {
		process: PROCESS,
		// A process that emits while this one runs will poll again itself.
		repeatOthersBefore: STARTED_AT,
		stored,
		isStale: emitted.isStale(stored, clock.now()),
		isStart: !isLater,
		wait(since) {
			if (stored === undefined) shared[name] = toWaiting(since);
		},
		write(result) {
			// n8n does not store the cursor of the poll at activation if there are no events, but does store global static data.
			const isLost = nodeData.state === undefined && result.events.length === 0;
			if (isLost) shared[name] = { ...result.state };
			nodeData.state = { ...result.state };
			return emitted.mark(result, clock.now());
		},
	};
}

/**
 * What this process emitted for one trigger with durable polling. n8n may start a poll from a state that it read before it
 * stored the last one: such a poll would find the latest events again, and forget what was read.
 */
export class RecentEvents {
	private readonly times = new Map<string, number>();

	private last?: Pick<State, 'account' | 'activated' | 'pollNumber'> & { time: number };

	/**
	 * @param now in ms
	 * @returns whether the last poll, a moment ago, already went further than this state. A poll now would find the same events
	 * again; a later one will show whether they were stored.
	 */
	isStale(state: unknown, now: number): boolean {
		if (!this.last || now - this.last.time >= ARRIVAL_MS || !isRecord(state)) return false;
		const { account, activated, pollNumber } = this.last;
		return (
			state.account === account &&
			state.activated === activated &&
			Number(state.pollNumber) < pollNumber
		);
	}

	/** Remembers the events of a poll, and marks those that were emitted before. */
	mark({ events, state }: PollResult, now: number): LeadEvent[] {
		const { account, activated, pollNumber } = state;
		this.last = { account, activated, pollNumber, time: now };
		if (events.length === 0) return events;
		const marked = events.map((event) =>
			this.times.has(event.eventId) ? { ...event, redelivered: true } : event,
		);
		for (const [id, time] of this.times) if (now - time > REMEMBERED_MS) this.times.delete(id);
		for (const { eventId } of events) this.times.set(eventId, now);
		return marked;
	}
}
