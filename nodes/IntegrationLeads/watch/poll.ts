/**
 * Runs one poll of the trigger: takes the stored state, and returns a new one together with the events. It reads no clock and
 * sends nothing itself, so every poll can be replayed. docs/trigger.md says what it promises and why it works.
 */
import { isEqual, without } from 'lodash';

import { isWhole } from '../transport/paginate';
import { UNIT } from './bounds';
import { emitAgain, toBatches } from './delivery';
import { Outbox } from './outbox';
import { PollSession } from './session';
import type { PollResult, State } from './state';
import { accountHash, parseState, watchesChanges, writeState } from './state';
import { emptyBucket, LOOK_BACK_MS, SETTLED, Timeline } from './timeline';
import type { Ask, Settings } from './types';
import { Watcher } from './watcher';

/**
 * @param stored what the last poll returned as `state`; anything else is taken for no state
 * @param now this machine's clock in ms, which may be wrong by minutes
 * @param ask makes one request; it is called in parallel for requests that do not depend on each other
 * @returns undefined if too few requests were answered to learn anything; the stored state then stays
 * @throws UserError if the account cannot be watched
 */
export async function poll(
	stored: unknown,
	settings: Settings,
	now: number,
	ask: Ask,
): Promise<PollResult | undefined> {
	const { state: known, notice, newSince } = parseState(stored, accountHash(settings));
	// Only where there was no state at all are existing leads emitted.
	const emitSince = newSince === undefined ? Infinity : Math.min(newSince, settings.emitSince);
	const session = new PollSession(ask, settings, now, known);
	const state = known ?? (await readStart(session, emitSince));
	if (!state) return undefined;
	const outbox = new Outbox(session);
	const timeline = new Timeline(state.buckets);
	const oldest = oldestWatched(settings, now);
	if (watchesChanges(settings)) timeline.extendTo(oldest);
	const count = { pollNumber: state.pollNumber + 1, revision: state.revision };
	// This comes first, since a newer event of a lead must not overtake a repeated one.
	const kept = await emitAgain(state.lastEvents, outbox);
	const activated = known ? (known.activated ?? -Infinity) : emitSince;
	const filteredSince = known ? lastFiltered(known, settings) : emitSince;
	await new Watcher(session, timeline, outbox, { activated, filteredSince }, count).read();
	const { firstReadAt } = session;
	if (firstReadAt === undefined && outbox.taken.length === 0) return undefined;
	timeline.compact(oldest, watchesChanges(settings), session, count.pollNumber);
	const begun = known ? Infinity : firstReadAt!;
	const next = writeState({
		...state,
		statuses: session.statuses,
		tags: session.tags,
		unit: session.bounds.unit ?? null,
		activated: toStored(Math.min(activated, begun)),
		filters: settings.filters,
		filteredSince: toStored(Math.min(filteredSince, begun)),
		pollNumber: count.pollNumber,
		revision: count.revision + Number(outbox.taken.length > 0),
		buckets: timeline.buckets,
		lastEvents: [...kept, ...toBatches(outbox)],
	});
	if (notice) session.notices.add(notice);
	return { state: next, events: outbox.toEvents(), notices: [...session.notices] };
}

/** The time since which leads are watched: the start of a day, a bound that means the same however finely the service compares. */
function oldestWatched({ watchWithinDays }: Settings, now: number): number {
	const day = Math.floor(now / UNIT.day) - watchWithinDays;
	return watchWithinDays > 0 ? day * UNIT.day : -Infinity;
}

/**
 * Makes the state for the first poll, or for the first in another account: a timeline of unread buckets. In an
 * account with more than a page of leads there are two, the past and the open interval, which is read first.
 *
 * @param emitSince existing leads that were created at this time (ms) or later are emitted
 * @returns undefined if the service did not answer
 */
async function readStart(session: PollSession, emitSince: number): Promise<State | undefined> {
	const { bounds, settings, now } = session;
	const watched = watchesChanges(settings) ? oldestWatched(settings, now) : Infinity;
	// A time ahead would leave out what is created until then.
	const past = emitSince === Infinity ? Infinity : Math.min(emitSince, now - UNIT.day);
	const emitted = Math.floor(past / UNIT.day) * UNIT.day;
	const isOnlyOpen = Math.min(watched, emitted) === Infinity;
	const oldest = isOnlyOpen ? -Infinity : Math.min(watched, emitted);
	const page = await session.readSpan({ start: oldest, end: Infinity }, 1);
	if (!page) return undefined;
	const starts = [oldest];
	if (!isWhole(page)) {
		await bounds.probeUnit(session.readSpan, page.leads);
		if (bounds.unit === undefined) return undefined;
		const open = bounds.floor(session.firstReadAt! - LOOK_BACK_MS);
		if (bounds.unit !== UNIT.none && open > oldest) starts.push(open);
		if (starts.length > 1 && isOnlyOpen) starts.shift();
	}
	return {
		account: accountHash(settings),
		statuses: [],
		tags: [],
		unit: bounds.unit ?? null,
		activated: toStored(emitSince),
		filters: settings.filters,
		filteredSince: toStored(emitSince),
		pollNumber: 0,
		revision: 0,
		buckets: starts.map((start) => emptyBucket(start, null)),
		lastEvents: [],
	};
}

/** The time (ms) since which leads are watched with these filters: when they were last read with others. */
function lastFiltered({ filters, filteredSince, buckets }: State, settings: Settings): number {
	const earlier = filteredSince ?? -Infinity;
	if (isEqual(filters, settings.filters)) return earlier;
	const times = buckets.map(({ readAt }) => readAt ?? -Infinity);
	return Math.max(earlier, ...without(times, SETTLED));
}

/** The earliest time at which a new lead can have been created, as it is stored. */
function toStored(time: number): number | null {
	return time === -Infinity ? null : time;
}
