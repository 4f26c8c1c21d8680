/** Compares what was read with what was known, and puts it in its place. */
import type { Entry } from './codes';
import { GONE } from './codes';
import { align } from './align';
import type { Candidate, Outbox } from './events';
import type { Piece } from './crowd';
import { cutBetween, FILL } from './explore';
import type { Lead } from './lead';
import type { Session } from './session';
import type { Item, Slot, Timeline } from './timeline';
import { differs, itemOf, liveCount } from './timeline';

/** What decides whether a lead that is unknown is new. */
export interface Horizon {
	/** Where the timeline was read before: created at this time or later (ms). */
	newSince: number;
	/** Where it is read for the first time. */
	newSinceUnread: number;
	/** No bucket ends later than this, a time at which no lead can have been created yet (ms). */
	latestCut: number;
}

export class Settler {
	/** Buckets that were begun anew. */
	restarted = 0;

	constructor(
		private readonly session: Session,
		private readonly timeline: Timeline,
		private readonly outbox: Outbox,
		private readonly horizon: Horizon,
	) {}

	/** Whether all leads known in an interval of a bucket are among those read. */
	isKnown(slot: Slot, piece: Piece): boolean {
		const prints = new Set(piece.leads.map(({ print }) => print));
		return this.entriesWithin(slot, piece.start, piece.end).every(
			({ print, status }) => status === GONE || prints.has(print),
		);
	}

	/**
	 * A bucket whose leads cannot be told apart by time, and that was read in pieces which together cover it.
	 */
	whole(slot: Slot, pieces: Piece[]): void {
		const end = this.timeline.endOf(this.timeline.slots.indexOf(slot));
		const leads = pieces.flatMap((piece) => piece.leads);
		const partial = pieces.some((piece) => piece.partial);
		const unsure = pieces.some((piece) => piece.unsure);
		const piece = { start: slot.start, end, leads, partial, unsure };
		const entries = this.timeline.entriesOf(slot);
		const parts = this.parts(slot, entries, piece);
		if (partial && end <= this.horizon.newSince && !differs(entries, parts)) {
			// Cut off before anything showed: whoever comes to it later in this poll may have more requests for it.
			slot.cutOff = true;
			return;
		}
		this.timeline.replace(slot, parts);
	}

	/** Whether a bucket holds nothing that would pass for new, were it forgotten. */
	canRestart(end: number): boolean {
		const { newSince, newSinceUnread } = this.horizon;
		return end <= newSince && newSince <= newSinceUnread;
	}

	/** Forgets what a bucket held. */
	restart(slot: Slot): void {
		this.restarted += 1;
		this.timeline.replace(slot, [{ ...slot, unread: true, items: [], done: false }]);
	}

	/** Part of a bucket whose entries have times; what was not read stays as it was. */
	piece(piece: Piece): void {
		const index = this.timeline.indexAt(piece.start);
		const slot = this.timeline.slots[index];
		const end = this.timeline.endOf(index);
		const rest = (start: number, stop: number): Slot[] =>
			start < stop
				? [{ ...slot, start, items: this.entriesWithin(slot, start, stop), done: false }]
				: [];
		const entries = this.entriesWithin(slot, piece.start, piece.end);
		this.timeline.replace(slot, [
			...rest(slot.start, piece.start),
			...this.parts(slot, entries, piece),
			...rest(piece.end, end),
		]);
	}

	/** Cuts a bucket of which nothing has been read. */
	cutUnread(start: number): void {
		const index = this.timeline.indexAt(start);
		const slot = this.timeline.slots[index];
		if (!slot.unread || slot.start >= start) return;
		const end = this.timeline.endOf(index);
		this.timeline.replace(slot, [
			{ ...slot, items: this.entriesWithin(slot, slot.start, start) },
			{ ...slot, start, items: this.entriesWithin(slot, start, end) },
		]);
	}

	private entriesWithin(slot: Slot, start: number, end: number): Item[] {
		const entries = this.timeline.entriesOf(slot);
		if (entries.some(({ at }) => Number.isNaN(at))) return entries;
		return entries.filter(({ at }) => at >= start && at < end);
	}

	private parts(slot: Slot, entries: Entry[], piece: Piece): Slot[] {
		const newSince = slot.unread ? this.horizon.newSinceUnread : this.horizon.newSince;
		const items = this.compare(slot, entries, piece, newSince);
		const { partial } = piece;
		const unread = slot.unread && partial;
		const first = slot.unread;
		const part = { ...slot, start: piece.start, items, unread, first, done: !partial };
		return piece.partial ? [part] : this.carve(part, piece.end);
	}

	/** The items of a bucket as it was read, in order. */
	private compare(slot: Slot, entries: Item[], piece: Piece, newSince: number): Item[] {
		const untimed = Number.isNaN(entries[0]?.at ?? 0);
		// One that may be new may have the print of one that was not read. Order, which would tell, takes both.
		const doubtful = ({ at }: Lead) => piece.partial && untimed && at >= newSince;
		const found = align(entries, piece.leads).map((row, column) =>
			doubtful(piece.leads[column]) ? -1 : row,
		);
		const matched = new Set(found);
		const items: Item[] = [];
		const group: Candidate[] = [];
		let next = 0;
		let at = 0;
		const keepUntil = (row: number) => {
			for (; next < row; next += 1) {
				const entry = entries[next];
				if (matched.has(next)) continue;
				const gone = piece.unsure ? entry.status : GONE;
				// As long as it would be new if it came back, it is remembered.
				const kept = piece.unsure || piece.end > Math.min(newSince, this.horizon.newSince);
				if (kept)
					items.push({ ...entry, status: gone, at: Number.isNaN(entry.at) ? at : entry.at });
			}
		};
		piece.leads.forEach((lead, column) => {
			const row = found[column];
			if (row >= next) keepUntil(row);
			const entry = entries[row] as Entry | undefined;
			// Where it would stand among those that were not read is not known.
			if (!entry && piece.partial && untimed) return;
			({ at } = lead);
			const candidate = this.candidateFor(slot, lead, entry, newSince);
			if (candidate) group.push(candidate);
			items.push({ ...itemOf(lead), pending: candidate, before: entry });
		});
		keepUntil(entries.length);
		this.outbox.accept(group, slot.waiting === true);
		return items.sort((a, b) => a.at - b.at);
	}

	/** The event that a lead is, if it is one. */
	private candidateFor(
		slot: Slot,
		lead: Lead,
		entry: Entry | undefined,
		newSince: number,
	): Candidate | undefined {
		if (!entry) {
			if (lead.at < newSince) return undefined;
			return this.outbox.candidate(lead, undefined, slot.revision);
		}
		if (entry.status === GONE || entry.status === lead.status) return undefined;
		return this.outbox.candidate(lead, entry.status, slot.revision);
	}

	/** Cuts a bucket that has grown too large for one answer; the last one sooner, since it goes on growing. */
	private carve(slot: Slot, end: number): Slot[] {
		const { session } = this;
		const items = slot.items ?? [];
		const fill = Math.floor(session.pageSize * FILL);
		const most = end === Infinity ? fill : session.pageSize;
		if (liveCount(items) <= most || !session.unit || items.length < 2) return [slot];
		const cut = this.cutOf(items, slot.start, end, end === Infinity ? fill : items.length / 2);
		if (cut === undefined) return [slot];
		const before = items.filter(({ at }) => at < cut);
		const after = items.filter(({ at }) => at >= cut);
		return [
			...this.carve({ ...slot, items: before }, cut),
			...this.carve({ ...slot, start: cut, items: after }, end),
		];
	}

	/** A bound near the wanted place, in the widest gap there is around it. */
	private cutOf(items: Item[], start: number, end: number, wanted: number): number | undefined {
		const reach = Math.max(1, Math.floor(items.length / 8));
		let [best, gap] = [undefined as number | undefined, -1];
		for (let distance = 0; distance < items.length; distance += 1) {
			if (distance > reach && best !== undefined) break;
			for (const index of [Math.floor(wanted) - distance, Math.floor(wanted) + distance]) {
				if (index < 1 || index >= items.length) continue;
				const [before, after] = [items[index - 1].at, items[index].at];
				const cut = cutBetween(this.session, before, after);
				const free = cut !== undefined && cut > start && cut < end;
				if (!free || cut > this.horizon.latestCut || after - before <= gap) continue;
				[best, gap] = [cut, after - before];
			}
		}
		return best;
	}
}
