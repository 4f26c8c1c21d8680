/**
 * One poll of the trigger. It takes the stored state and returns a new one together with the events. It reads no clock
 * and sends nothing itself, so every poll can be replayed. docs/trigger.md says what it promises and why it works.
 */
import { begin, CLOCK_SKEW_MS } from './begin';
import { compact } from './compact';
import { Comparer } from './compare';
import { Redelivery, toUnconfirmed } from './delivery';
import { Outbox } from './events';
import { StatusTable } from './lead';
import { readTimeline } from './schedule';
import type { LeadList } from './session';
import { Session } from './session';
import type { State } from './state';
import { readState, scopeOf, watchesStatus, writeState } from './state';
import { DAY_MS, isSettled, Timeline } from './timeline';
import type { Ask, Notice, PollResult, Settings, StoredState } from './types';

/**
 * @param stored what the last poll returned as `state`; anything else is taken for no state
 * @param now this machine's clock in ms; may be wrong by minutes
 * @param ask is called for requests at the same time where they do not depend on each other
 * @throws UserError when the account cannot be watched
 */
export async function poll(
	stored: unknown,
	settings: Settings,
	now: number,
	ask: Ask,
): Promise<PollResult> {
	const known = readState(stored, scopeOf(settings));
	const notices = known.notice ? [known.notice] : [];
	const statuses = new StatusTable([...(known.state?.statuses ?? [])]);
	const session = new Session(ask, settings, statuses, known.state);
	const begun: { state: State; page?: LeadList } | undefined = known.state
		? { state: known.state }
		: await begin(session, now, known.first === true);
	if (!begun) return idle(stored as StoredState, session, notices);
	const { state } = begun;
	const timeline = new Timeline(state.buckets.map((bucket) => ({ ...bucket, done: false })));
	const redelivery = new Redelivery(state.unconfirmed, settings, now);
	redelivery.mark(timeline);
	const openSpan = { start: timeline.last.start, end: Infinity };
	const page = begun.page ?? (await session.list(session.query(openSpan)));
	if (!page) return idle(stored as StoredState, session, notices);

	const clock = page.serverNow ?? now;
	const outbox = new Outbox(session, settings);
	const comparer = new Comparer(
		session,
		timeline,
		outbox,
		redelivery,
		state.activated ?? -Infinity,
	);
	// Everything is read after this time, by the service's clock, or after this lead was listed.
	const readAt = page.serverNow ?? Math.min(Math.max(state.newest, session.newest), now);
	const turn = state.turn + 1;
	await readTimeline({ session, timeline, comparer }, page, state.turn);
	const events = await outbox.deliver(now);
	const settled = timeline.buckets.every(isSettled);
	const { pageSize } = session;
	const { watchWithinDays } = settings;
	const oldest = watchWithinDays > 0 ? clock - watchWithinDays * DAY_MS : -Infinity;
	const emits = events.length > 0;
	const limits = { oldest, readAt, turn, watchesStatus: watchesStatus(settings), pageSize, emits };
	const buckets = compact(timeline, limits);
	// The service's clock is in seconds: what was created in the rest of this second existed before.
	const begunAt = page.serverNow ?? Math.max(session.newest, now - CLOCK_SKEW_MS);
	return {
		state: writeState({
			...state,
			statuses: statuses.names,
			unit: session.bounds.unit ?? null,
			newest: Math.max(readAt, Math.min(session.newest, clock)),
			activated: state.activated === Infinity ? begunAt + 1000 : state.activated,
			turn,
			buckets,
			unconfirmed: [...redelivery.remaining(timeline), ...toUnconfirmed(outbox, settings, now)],
		}),
		events,
		notices: [...notices, ...noticesOf(session)],
		requests: session.requests,
		progressed: session.answered,
		unread: buckets.filter((bucket) => bucket.readAt === null).length,
		complete: settled,
	};
}

function noticesOf({ overcrowded, unreadable }: Session): Notice[] {
	const notices: Notice[] = [];
	if (overcrowded) {
		notices.push({
			kind: 'overcrowded',
			message:
				'The service lists more leads for one second (or one day, if it compares no finer) than one poll can read. Events among them may be missing until you raise "Max Requests per Poll".',
		});
	}
	if (unreadable > 0) {
		notices.push({
			kind: 'noCreationTime',
			message: 'Leads without a readable "createdAt" or "id" cannot be watched.',
		});
	}
	return notices;
}

function idle(state: StoredState, session: Session, notices: Notice[]): PollResult {
	const { requests } = session;
	return { state, events: [], notices, requests, progressed: false, unread: 0, complete: false };
}
