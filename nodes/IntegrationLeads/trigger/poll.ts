/**
 * One poll of the trigger. It takes the stored state and returns a new one together with the events. It reads no clock
 * and sends nothing itself, so every poll can be replayed. docs/trigger.md says what it promises and why it works.
 */
import type { Listed } from '../windows/listed';
import { begin, serverTime } from './begin';
import { compact } from './compact';
import { Comparer } from './compare';
import { Redelivery, toEmittedBatches } from './delivery';
import { Outbox } from './events';
import type { Lead } from './lead';
import { StatusTable } from './lead';
import { readTimeline } from './schedule';
import { Session } from './session';
import type { PollResult, State, StoredState } from './state';
import { parseState, watchedOf, watchesStatus, writeState } from './state';
import { DAY_MS, isComplete, Timeline } from './timeline';
import type { Ask, Notice, Settings } from './types';

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
	const known = parseState(stored, watchedOf(settings));
	const notices = known.notice ? [known.notice] : [];
	const statuses = new StatusTable([...(known.state?.statuses ?? [])]);
	const session = new Session(ask, settings, statuses, known.state);
	const begun: { state: State; page?: Listed<Lead> } | undefined = known.state
		? { state: known.state }
		: await begin(session, now, known.first === true);
	if (!begun) return idle(stored as StoredState, session, notices);
	const { state } = begun;
	const timeline = new Timeline(state.buckets.map((bucket) => ({ ...bucket, done: false })));
	const redelivery = new Redelivery(state.lastEvents, settings, now);
	redelivery.mark(timeline);
	const openSpan = { start: timeline.last.start, end: Infinity };
	const page = begun.page ?? (await session.list(session.query(openSpan)));
	if (!page) return idle(stored as StoredState, session, notices);

	const outbox = new Outbox(session, settings);
	const comparer = new Comparer(
		session,
		timeline,
		outbox,
		redelivery,
		state.activated ?? -Infinity,
	);
	// Everything is read after this time.
	const readAt = serverTime(page, now);
	const turn = state.turn + 1;
	await readTimeline({ session, timeline, comparer }, page, state.turn);
	const events = await outbox.deliver(now);
	const complete = timeline.buckets.every(isComplete);
	const { pageSize } = session;
	const { watchWithinDays } = settings;
	const oldest = watchWithinDays > 0 ? readAt - watchWithinDays * DAY_MS : -Infinity;
	const emits = events.length > 0;
	const limits = { oldest, readAt, turn, watchesStatus: watchesStatus(settings), pageSize, emits };
	const buckets = compact(timeline, limits);
	return {
		state: writeState({
			...state,
			statuses: statuses.names,
			unit: session.bounds.unit ?? null,
			// The service's clock is in seconds: what was created in the rest of this second existed before.
			activated: state.activated === Infinity ? readAt + 1000 : state.activated,
			turn,
			buckets,
			lastEvents: [...redelivery.remaining(timeline), ...toEmittedBatches(outbox, settings, now)],
		}),
		events,
		notices: [...notices, ...noticesOf(session, comparer)],
		requests: session.requests,
		progressed: session.answered,
		unread: buckets.filter((bucket) => bucket.readAt === null).length,
		complete,
	};
}

function noticesOf(
	{ tooManyInOneSecond, unreadable }: Session,
	{ isOtherAccount }: Comparer,
): Notice[] {
	const notices: Notice[] = [];
	if (isOtherAccount) {
		notices.push({
			kind: 'otherAccount',
			message:
				'None of the leads that were watched is listed any more, but others that existed before. If the API key is that of another account now, its leads are watched from here on; those created since the last polls are emitted, older ones are not.',
		});
	}
	if (tooManyInOneSecond) {
		notices.push({
			kind: 'tooManyInOneSecond',
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
