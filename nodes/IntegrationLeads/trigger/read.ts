/** Reads buckets and settles what was found. */
import type { Piece } from './crowd';
import { explore } from './explore';
import type { Listed, Session } from './session';
import type { Settler } from './settle';
import type { Slot, Timeline } from './timeline';
import type { Steps } from './types';

/** Buckets that are read at the same time. */
const BATCH = 8;

/** What the phases of a poll share. */
export interface Run {
	session: Session;
	timeline: Timeline;
	settler: Settler;
}

/**
 * Reads buckets, as many as the poll can afford.
 *
 * @returns the first that was left, where to go on in the next poll. If that is the very first, and requests were spent
 *   on it in vain, the others come first for once.
 */
export function* readSlots(run: Run, slots: Slot[]): Steps<Slot | undefined> {
	const { session, timeline } = run;
	const before = session.requests;
	for (let next = 0; next < slots.length && session.left > 0; ) {
		// The first may be there because the last poll could not finish it: now it has what there is.
		const batch = slots.slice(next, next === 0 ? 1 : next + BATCH);
		next += batch.length;
		const spans = batch.map((slot) => spanOf(timeline, slot));
		const pages = yield* session.list(spans.map(({ start, end }) => session.query(start, end)));
		for (const [index, page] of pages.entries()) {
			if (page) yield* readSlot(run, batch[index], page);
		}
	}
	const present = new Map(timeline.slots.map((slot) => [slot.start, slot]));
	const left = slots.filter((slot) => isLeft(slot, present.get(slot.start)));
	const inVain = left[0] === slots[0] && session.requests > before;
	return left[inVain && left.length > 1 ? 1 : 0];
}

/**
 * Whether a bucket still has to be read. A crowd that was cut off is in the timeline as far as it was read; if it were
 * passed over, the sweep could come to it with as few requests in every turn, and never read all of it.
 */
export function isLeft(slot: Slot, now: Slot | undefined): boolean {
	if (!now) return false;
	return now === slot || (now.items !== undefined && !now.done && !now.unread);
}

/** Reads one bucket, of which the first page is known. */
export function* readSlot(run: Run, slot: Slot, page?: Listed): Steps<void> {
	const { session, timeline, settler } = run;
	const span = spanOf(timeline, slot);
	if (timeline.isTimed(slot)) {
		const take = (piece: Piece) => settler.piece(piece);
		const isKnown = (piece: Piece) =>
			settler.isKnown(timeline.slots[timeline.indexAt(piece.start)], piece);
		const starts = yield* explore(session, span, page, take, isKnown);
		// What was found out about how leads are spread is not found out again in every poll.
		for (const start of starts) settler.cutUnread(start);
		return;
	}
	const before = session.requests;
	const pieces: Piece[] = [];
	const isKnown = (piece: Piece) => piece.start > span.start || settler.isKnown(slot, piece);
	yield* explore(session, span, page, (piece) => pieces.push(piece), isKnown);
	pieces.sort((a, b) => a.start - b.start);
	if (covers(pieces, span)) return settler.whole(slot, pieces);
	// Its parts cannot be told apart by time, so it must be read in one poll. If even most of a poll is not enough,
	// it is begun anew, which can be done in parts.
	const spent = session.requests - before;
	const hopeless = spent > session.settings.maxRequestsPerPoll / 2;
	if (hopeless && settler.canRestart(span.end)) settler.restart(slot);
}

function spanOf(timeline: Timeline, slot: Slot): { start: number; end: number } {
	return { start: slot.start, end: timeline.endOf(timeline.slots.indexOf(slot)) };
}

function covers(pieces: Piece[], { start, end }: { start: number; end: number }): boolean {
	let reached = start;
	for (const piece of pieces) {
		if (piece.start !== reached) return false;
		reached = piece.end;
	}
	return reached === end;
}
