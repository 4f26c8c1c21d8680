/**
 * One poll of the trigger. It takes the stored state and returns a new one together with the events. It reads no clock
 * and sends nothing itself, so every poll can be replayed. docs/trigger.md says what it promises and why it works.
 */
import type { Page } from '../transport/paginate';
import { isWhole } from '../transport/paginate';
import { UNIT } from '../windows/bounds';
import type { Listed } from '../windows/listed';
import { Comparer } from './changes';
import { Redelivery } from './delivery';
import { Outbox } from './events';
import type { Lead } from './watchedLead';
import { TimelineReader } from './readBuckets';
import { Session } from './session';
import type { PollResult, State } from './state';
import { parseState, watchedOf, watchesStatus, writeState } from './state';
import { compact, LOOK_BACK_MS, Timeline } from './timeline';
import type { Ask, Notice, Settings } from './types';

/** How fast this machine's clock may be. */
const CLOCK_SKEW_MS = 10 * 60_000;

/**
 * @param stored what the last poll returned as `state`; anything else is taken for no state
 * @param now this machine's clock in ms; may be wrong by minutes
 * @param ask is called for requests at the same time where they do not depend on each other
 * @returns undefined when too little was answered for anything to be known; the state is as before then
 * @throws UserError when the account cannot be watched
 */
export async function poll(
	stored: unknown,
	settings: Settings,
	now: number,
	ask: Ask,
): Promise<PollResult | undefined> {
	const { state: known, notice, first } = parseState(stored, watchedOf(settings));
	const session = new Session(ask, settings, known);
	const start: { state: State; page?: Listed<Lead> } | undefined = known
		? { state: known }
		: await readStart(session, now, first === true);
	if (!start) return undefined;
	const { state } = start;
	const timeline = new Timeline(state.buckets.map((bucket) => ({ ...bucket, done: false })));
	const redelivery = new Redelivery(state.lastEvents, settings, now);
	redelivery.mark(timeline);
	const openSpan = { start: timeline.last.start, end: Infinity };
	const page = start.page ?? (await session.readList(openSpan));
	if (!page) return undefined;

	const outbox = new Outbox(session, settings);
	const newSinceUnread = state.activated ?? -Infinity;
	const comparer = new Comparer(session, timeline, outbox, redelivery, newSinceUnread);
	// Everything is read after this time.
	const readAt = serverTime(page, now);
	await new TimelineReader(session, timeline, comparer).read(page, state.turn);
	if (settings.includeFullLead) await outbox.readFullLeads();
	const events = outbox.toEvents(now);
	const turn = state.turn + 1;
	const next = writeState({
		...state,
		statuses: session.statuses,
		unit: session.bounds.unit ?? null,
		activated: state.activated === Infinity ? readAt : state.activated,
		turn,
		buckets: compact(timeline, session, { readAt, turn, emits: events.length > 0 }),
		lastEvents: redelivery.toStore(timeline, outbox),
	});
	const notices = noticesOf(session, comparer);
	return { state: next, events, notices: notice ? [notice, ...notices] : notices };
}

/** The service's clock when it answered, or an earlier time where answers do not state it (ms). */
function serverTime({ serverNow }: Page, now: number): number {
	return serverNow ?? now - CLOCK_SKEW_MS;
}

/**
 * The first poll, or the first after what is watched has changed: a page of the newest leads, and a timeline of which
 * nothing was read. It has two buckets, the past and the open interval, which is read first.
 *
 * @param first there was no state at all, so that existing leads are emitted if that is wanted
 * @returns undefined when the service could not be asked; `page` is the answer for the open interval, if known
 */
async function readStart(
	session: Session,
	now: number,
	first: boolean,
): Promise<{ state: State; page?: Listed<Lead> } | undefined> {
	const { bounds, settings } = session;
	const { watchWithinDays, emitExisting } = settings;
	const emitsExisting = first && emitExisting;
	// A whole day, which is a bound that means the same to every service.
	const day = Math.floor(now / UNIT.day) - watchWithinDays;
	const oldest = watchWithinDays > 0 ? day * UNIT.day : -Infinity;
	const page = await session.readList({ start: oldest, end: Infinity });
	if (!page) return undefined;
	const state = (...starts: number[]): State => ({
		watched: watchedOf(settings),
		statuses: [],
		unit: bounds.unit ?? null,
		// Of what exists, nothing is new.
		activated: emitsExisting ? null : Infinity,
		turn: 0,
		buckets: starts.map((start) => ({ start, readAt: null, turn: 0, revision: 0, entries: '' })),
		lastEvents: [],
	});
	if (isWhole(page)) return { state: state(oldest), page };
	await bounds.probeUnit(session.readSpan, page);
	if (bounds.unit === undefined) return undefined;
	const open = bounds.floor(serverTime(page, now) - LOOK_BACK_MS);
	if (bounds.unit === UNIT.none) return { state: state(oldest), page };
	return { state: watchesStatus(settings) || emitsExisting ? state(oldest, open) : state(open) };
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
