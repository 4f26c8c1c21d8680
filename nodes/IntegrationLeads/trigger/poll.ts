/**
 * One poll of the trigger. Pure: it asks for requests and is given answers, takes the stored state and returns a new
 * one beside the events. docs/trigger.md tells what it promises and why it works.
 */
import { begin, CLOCK_SKEW_MS } from './begin';
import { compact } from './compact';
import { Outbox } from './events';
import { LOOK_BACK_MS } from './explore';
import { StatusTable } from './lead';
import { firstUntold, readHot, readOpen, readStuck, readWaiting, watch } from './phases';
import type { Run } from './read';
import type { Listed } from './session';
import { Session } from './session';
import type { Horizon } from './settle';
import { Settler } from './settle';
import type { Opened } from './state';
import { closeState, follows, openState, scopeOf } from './state';
import type { Slot } from './timeline';
import { hasHeldEvents, isHeld, Timeline } from './timeline';
import type { Notice, PollResult, Settings, Steps, StoredState } from './types';

const DAY_MS = 86_400_000;

/**
 * @param stored what the last poll returned as `state`; anything else is taken for no state
 * @param now this machine's clock in ms; may be wrong by minutes
 */
export function* poll(stored: unknown, settings: Settings, now: number): Steps<PollResult> {
	const opened = openState(stored, scopeOf(settings));
	const notices: Notice[] = opened.notice ? [opened.notice] : [];
	const statuses = new StatusTable(opened.state?.statuses ?? []);
	const { unit, inclusive } = opened.state ?? {};
	const session = new Session(settings, statuses, unit ?? undefined, inclusive);
	const begun = opened.state
		? { state: opened.state }
		: yield* begin(session, settings, now, opened.first === true);
	if (!begun) return idle(stored as StoredState, session, notices);
	const state = { ...begun.state, offsets: [...begun.state.offsets] };
	const waiting = new Set(state.waiting.map((start) => start ?? -Infinity));
	const slots = state.buckets.map(
		(bucket): Slot => ({ ...bucket, done: false, waiting: waiting.has(bucket.start) }),
	);
	const timeline = new Timeline(slots);
	for (const slot of slots) slot.timed = timeline.isTimed(slot);

	let last: Listed | undefined = begun.page;
	const lastSlot = slots[slots.length - 1];
	if (!last) [last] = yield* session.list([session.query(lastSlot.start, Infinity)]);
	if (!last) return idle(stored as StoredState, session, notices);
	const clock = last.serverNow ?? now;
	// All other buckets are read after this time, by the service's clock, or after this lead was listed.
	const newest = last.serverNow ?? Math.min(Math.max(state.newest, session.newest), now);

	const horizon: Horizon = {
		newSince: state.newSince,
		newSinceUnread: newSinceUnread(state, !opened.state),
		latestCut: Math.max(clock, now) + DAY_MS,
	};
	const outbox = new Outbox(session, settings);
	const run: Run = { session, timeline, settler: new Settler(session, timeline, outbox, horizon) };
	yield* readOpen(run, lastSlot, last);
	if (!opened.state && last.serverNow === undefined) {
		// Without the service's clock only what was read tells old from new, and our clock where that was not all. It may
		// be fast, and rather too much is announced than too little.
		if (session.stopped && !timeline.slots[timeline.slots.length - 1].done) {
			return idle(stored as StoredState, session, notices);
		}
		state.activated = Math.max(session.newest, now - CLOCK_SKEW_MS) + 1000;
	}
	yield* readStuck(run, state);
	yield* readWaiting(run);
	const round = yield* readHot(run, state);
	const position = follows(settings) || state.existing ? yield* watch(run, state) : null;

	const events = yield* outbox.deliver(new Date(now).toISOString());
	timeline.reopen();
	// What was listed when the round began is known by its end, and what is created later is listed in time.
	let roundNewest = state.hotPosition === null ? newest : state.roundNewest;
	if (round.skipped) roundNewest = 0;
	const ended = round.position === null;
	const closed = Math.min(firstUntold(run, state), roundNewest - LOOK_BACK_MS);
	const newSince = ended ? Math.max(state.newSince, closed) : state.newSince;
	if (run.settler.restarted > 0) {
		notices.push({
			kind: 'partRestarted',
			message:
				'Too many leads came under the filters at once to be compared. They are read anew; what changed among them since the last poll is not reported.',
		});
	}
	if (session.overcrowded) {
		notices.push({
			kind: 'overcrowded',
			message:
				'The service lists more leads for one second (or one day, if it compares no finer) than one poll can read. Events among them may be missing until "Max Requests per Poll" is raised.',
		});
	}
	if (session.unreadable > 0) {
		notices.push({
			kind: 'noCreationTime',
			message: 'Leads without a readable "createdAt" or "id" cannot be followed.',
		});
	}
	const next: Opened = {
		...state,
		scope: scopeOf(settings),
		statuses: statuses.names,
		unit: session.unit ?? null,
		inclusive: session.inclusive,
		newSince,
		newest: Math.max(newest, Math.min(session.newest, clock)),
		hotPosition: round.position === -Infinity ? null : round.position,
		roundNewest,
		position: position === -Infinity ? null : position,
		waiting: timeline.slots
			.filter((slot, place) => isHeld(slot) && !mayWait(slot, timeline.endOf(place) <= newSince))
			.map(({ start }) => (start === -Infinity ? null : start)),
		buckets: [],
	};
	const { watchWithinDays } = settings;
	const oldest = watchWithinDays > 0 ? clock - watchWithinDays * DAY_MS : -Infinity;
	const limits = { oldest, newSince, follows: follows(settings), pageSize: session.pageSize };
	next.buckets = compact(timeline, limits, events.length > 0);
	const unread = next.buckets.filter((bucket) => bucket.unread).length;
	next.existing &&= unread > 0;
	return {
		state: closeState(next),
		events,
		notices,
		requests: session.requests,
		progressed: session.answered,
		unread,
	};
}

/** A bucket where nothing new appears, and that was tried without finding anything, waits for its turn like all others. */
function mayWait(slot: Slot, old: boolean): boolean {
	const tried = slot.items !== undefined || slot.cutOff === true || slot.tried === true;
	return old && tried && !slot.stuck && !hasHeldEvents(slot);
}

/** From when on a lead counts as new where the timeline is read for the first time. */
function newSinceUnread({ existing, activated, newSince }: Opened, firstPoll: boolean): number {
	if (existing) return -Infinity;
	return firstPoll ? Infinity : Math.max(activated ?? Infinity, newSince);
}

function idle(state: StoredState, session: Session, notices: Notice[]): PollResult {
	const { requests } = session;
	return { state, events: [], notices, requests, progressed: false, unread: 0 };
}
