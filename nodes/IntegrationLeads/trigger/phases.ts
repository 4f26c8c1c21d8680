/** What a poll reads, in the order of urgency. */
import { followHints } from './counts';
import type { Run } from './read';
import { isLeft, readSlot, readSlots } from './read';
import type { Listed } from './session';
import type { Opened } from './state';
import { follows } from './state';
import type { Slot } from './timeline';
import { hasHeldEvents, isHeld } from './timeline';
import type { Steps } from './types';

/** What remains of the requests for the sweep, whatever else there is to do: this makes detection complete. */
const SWEEP_SHARE = 1 / 3;

/** The last bucket, where leads appear. It may have grown by more than one poll can read. */
export function* readOpen(run: Run, slot: Slot, page: Listed): Steps<void> {
	run.session.reserve = shareOf(run);
	yield* readSlot(run, slot, page);
	run.session.reserve = 0;
}

/**
 * A bucket on which the sweep, or the first reading, spent in vain what the last poll had left for it. Where the other
 * phases take as much in every poll, it would never be read: for once it goes before them.
 */
export function* readStuck(run: Run, state: Opened): Steps<void> {
	const { slots } = run.timeline;
	const isUnread = ({ waiting, unread }: Slot) => waiting === true && unread;
	const slot = slots.find(isUnread) ?? slots[run.timeline.indexAt(state.position ?? -Infinity)];
	if (!slot.waiting || !(slot.unread || isDue(run, slot))) return;
	yield* readSlots(run, [slot]);
	currentOf(run, slot).tried = true;
}

/**
 * Buckets whose events did not all get out, the oldest first. They come before those where leads may appear, which can
 * take as much as there is in every poll; what waits is done with once it was read.
 */
export function* readWaiting(run: Run): Steps<void> {
	run.session.reserve = shareOf(run);
	yield* readSlots(
		run,
		inner(run).filter(({ waiting, tried }) => waiting && !tried),
	);
	run.session.reserve = 0;
}

/**
 * Other buckets in which leads can still appear, first those that the last poll did not finish. There may be more than
 * one poll can read; then they are read in a round of several polls.
 *
 * @returns where the round goes on, or null when it is complete
 */
export function* readHot(run: Run, state: Opened): Steps<Round> {
	const { timeline } = run;
	const { slots } = timeline;
	const due = slots
		.slice(timeline.indexAt(state.newSince), -1)
		.filter((slot) => isDue(run, slot) || (slot.unread && !slot.items));
	const isWaiting = ({ waiting, unread }: Slot) => waiting === true || unread;
	const rest = due.filter((slot) => !isWaiting(slot));
	const from = state.hotPosition ?? -Infinity;
	const ahead = rest.filter(({ start }) => start >= from);
	run.session.reserve = shareOf(run);
	yield* readSlots(run, due.filter(isWaiting));
	const next = yield* readSlots(run, ahead);
	if (!next) {
		yield* readSlots(
			run,
			rest.filter(({ start }) => start < from),
		);
	}
	run.session.reserve = 0;
	const tail = timeline.slots[timeline.slots.length - 1];
	const position = next?.start ?? (tail.done ? null : tail.start);
	const present = new Set(timeline.slots);
	// A crowd that was read in part is held back by itself.
	const skipped = ahead.some((slot) => present.has(slot) && next && slot.start < next.start);
	return { position, skipped };
}

/** How far the buckets were read in which leads can still appear. */
export interface Round {
	position: number | null;
	/** One took more than there was, and was left out. */
	skipped: boolean;
}

function shareOf({ session }: Run): number {
	return Math.ceil(session.settings.maxRequestsPerPoll * SWEEP_SHARE);
}

/**
 * The past: reads what has not been read yet; then, of a small account everything, of a large one what counts hint
 * at and a part of the whole in turn.
 *
 * @returns where to go on in the next poll
 */
export function* watch(run: Run, state: Opened): Steps<number> {
	const { session, timeline } = run;
	const { settings } = session;
	const position = state.position ?? -Infinity;
	const share = shareOf(run);
	const unread = timeline.slots.filter((slot) => slot.unread && !slot.done);
	yield* readUnread(run, unread);
	if (!follows(settings)) return -Infinity;
	const known = inner(run).length;
	if (unread.length > 0 || known <= session.left) {
		return yield* sweep(run, position, session.left, true);
	}
	// The one that is due may need more than what is kept for the sweep. The last bucket, which is read in every poll,
	// is part of the sweep too.
	const next = yield* sweep(run, position, 1, true);
	session.reserve = share - 2;
	const counted = yield* followHints(run, state.offsets);
	session.reserve = 0;
	const end = yield* sweep(run, next, counted ? share - 2 : session.left, false);
	return timeline.slots.some(({ stuck }) => stuck) ? next : end;
}

/**
 * Goes on with what has not been read yet. First comes that of which the least is known, so that one that is too much
 * for any poll does not keep the others waiting.
 */
function* readUnread(run: Run, unread: Slot[]): Steps<void> {
	const { session, timeline } = run;
	// What was read in part in this poll has events that are not out yet; read again, it would pass for known.
	const due = unread
		.filter(({ tried, items }) => !tried && !items?.some(({ pending }) => pending))
		.sort((a, b) => a.codes.length - b.codes.length);
	if (due.length === 0) return;
	const known = inner(run).length;
	session.reserve = known > 0 ? Math.min(shareOf(run), Math.floor(session.left / 2)) : 0;
	const [first] = due;
	const end = timeline.endOf(timeline.slots.indexOf(first));
	const before = session.requests;
	for (const slot of due) {
		if (session.left > 0 && timeline.slots.includes(slot)) yield* readSlot(run, slot);
	}
	session.reserve = 0;
	const now = currentOf(run, first);
	const same = timeline.endOf(timeline.slots.indexOf(now)) === end;
	const inVain = same && (now.unread || hasHeldEvents(now)) && session.requests > before;
	// The last bucket comes first in every poll anyway.
	if (inVain && end !== Infinity) now.stuck = true;
}

/**
 * Reads buckets in turn, from where the last poll ended.
 *
 * @param freely the first of them has all the requests that are left
 */
function* sweep(run: Run, position: number, most: number, freely: boolean): Steps<number> {
	const { session, timeline } = run;
	const { slots } = timeline;
	const first = timeline.indexAt(position);
	const turn = [...slots.slice(first), ...slots.slice(0, first)];
	const due = turn.filter((slot) => isDue(run, slot) && !slot.tried && !slot.stuck);
	const before = session.requests;
	yield* readSlots(run, due.slice(0, most));
	const left = due.slice(0, most).find((slot) => isLeft(slot, currentOf(run, slot)));
	if (left && left === due[0] && freely && session.requests > before) {
		currentOf(run, left).stuck = true;
	}
	return (left ?? due[most] ?? due[0])?.start ?? position;
}

/** What has become of a bucket in this poll; the first part, if it was cut. */
function currentOf({ timeline }: Run, { start }: Slot): Slot {
	return timeline.slots[timeline.indexAt(start)];
}

/** Buckets that were read before but not in this poll, without the last one. */
function inner(run: Run): Slot[] {
	return run.timeline.slots.filter((slot) => isDue(run, slot));
}

function isDue({ timeline }: Run, slot: Slot): boolean {
	const isLast = slot === timeline.slots[timeline.slots.length - 1];
	return !slot.done && !slot.unread && !slot.items && !isLast;
}

/** The start of the first bucket whose leads are not all announced. */
export function firstUntold({ timeline }: Run, { newSince }: Opened): number {
	const { slots } = timeline;
	const place = slots.findIndex(
		(slot, index) =>
			timeline.endOf(index) > newSince && (isHeld(slot) || (slot.unread && !slot.done)),
	);
	return place < 0 ? Infinity : slots[place].start;
}
