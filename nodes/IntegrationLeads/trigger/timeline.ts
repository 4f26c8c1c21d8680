/** The buckets of one poll, as they are and as they were read. */
import type { Bucket, Entry } from './codes';
import { countStatuses, decodeEntries, encodeEntries, GONE } from './codes';
import type { Lead } from './lead';

/** An entry whose event may still be held back. */
export interface Item extends Entry {
	/** The event that this entry is. Until it is emitted, the entry stays as it was before, or absent. */
	pending?: { readonly emitted: boolean };
	before?: Entry;
}

/** A bucket of the timeline, whose revision is the stored one until the poll ends. */
export interface Slot extends Bucket {
	/** What was read in this poll; the codes then are out of date. */
	items?: Item[];
	/** It was read in full, in this poll. */
	done: boolean;
	/** It was read for the first time, in this poll. */
	first?: boolean;
	/** It is or was cut from a bucket whose codes hold times of creation. */
	timed?: boolean;
	/** The last poll could not finish it. */
	waiting?: boolean;
	/** A part of it was read in this poll, in which nothing differed. */
	cutOff?: boolean;
	/** The sweep, or the first reading, spent all on it that was left, in vain. */
	stuck?: boolean;
	/** It went before all others in this poll. */
	tried?: boolean;
}

export class Timeline {
	constructor(public slots: Slot[]) {}

	endOf(index: number): number {
		return this.slots[index + 1]?.start ?? Infinity;
	}

	/** Codes of this bucket hold times of creation. */
	isTimed(slot: Slot): boolean {
		return slot.unread || slot === this.slots[this.slots.length - 1];
	}

	/** The bucket of a time; the first one for times before all. */
	indexAt(time: number): number {
		let [low, high] = [0, this.slots.length];
		while (high - low > 1) {
			const middle = (low + high) >>> 1;
			if (this.slots[middle].start <= time) low = middle;
			else high = middle;
		}
		return low;
	}

	/** Puts parts in the place of a bucket; they must cover the same time. */
	replace(slot: Slot, parts: Slot[]): void {
		this.slots.splice(this.slots.indexOf(slot), 1, ...parts);
	}

	/**
	 * Buckets with events that did not get out are as if they had not been read. What was cut from the last bucket and not
	 * read keeps its times: it may hold more than one poll can read, and without them it could not be read in parts.
	 */
	reopen(): void {
		const last = this.slots[this.slots.length - 1];
		for (const slot of this.slots) {
			if (slot !== last && slot.timed && slot.items && !slot.done) slot.unread = true;
			if (!hasHeldEvents(slot)) continue;
			slot.done = false;
			// What is not announced of a first reading is announced however old it has become by then.
			slot.unread ||= slot.first === true;
		}
	}

	entriesOf(slot: Slot): Item[] {
		return slot.items ?? decodeEntries(slot.codes, this.isTimed(slot));
	}

	/** For each bucket how many leads of a status it holds; of any status, when that is left out. */
	countsOf(status?: number): Int32Array {
		return Int32Array.from(this.slots, (slot) => {
			let count = 0;
			this.count(slot, (each) => {
				if (status === undefined || each === status) count += 1;
			});
			return count;
		});
	}

	/** How many leads there are of each status. */
	totals(statuses: number): Int32Array {
		const totals = new Int32Array(statuses);
		for (const slot of this.slots) this.count(slot, (status) => (totals[status] += 1));
		return totals;
	}

	private count(slot: Slot, count: (status: number) => void): void {
		if (!slot.items) return countStatuses(slot.codes, this.isTimed(slot), count);
		for (const { status } of slot.items) if (status !== GONE) count(status);
	}
}

/** Events of this bucket were found and did not get out. */
export function hasHeldEvents({ items }: Slot): boolean {
	return items?.some(({ pending }) => pending && !pending.emitted) === true;
}

/** A bucket with events that still have to get out, or that was not read in full. */
export function isHeld({ done, unread, items, waiting, stuck }: Slot): boolean {
	if (done) return false;
	if (unread) return stuck === true;
	return items !== undefined || waiting === true || stuck === true;
}

/** The codes of a bucket as this poll leaves them: what was held back is as it was before. */
export function settledCodes(slot: Slot, timed: boolean): string {
	if (!slot.items) return slot.codes;
	const entries = slot.items.flatMap((item): Entry[] => {
		if (!item.pending || item.pending.emitted) return [item];
		// The order stays; the time is needed where the bucket has become the last one.
		return item.before ? [{ ...item.before, at: item.at }] : [];
	});
	return encodeEntries(entries, timed);
}

/** How many of a bucket's entries are leads that are there. */
export function liveCount(items: readonly Entry[]): number {
	let count = 0;
	for (const { status } of items) if (status !== GONE) count += 1;
	return count;
}

export function itemOf({ print, status, at }: Lead): Item {
	return { print, status, at };
}

/** Whether what was read of a bucket tells anything that was not known. */
export function differs(entries: readonly Entry[], parts: readonly Slot[]): boolean {
	const items = parts.flatMap((part) => part.items ?? []);
	const changed = items.some(({ before, status }) => before && before.status !== status);
	return changed || items.length !== entries.length;
}
