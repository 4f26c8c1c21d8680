/** The buckets during a poll: as they are stored, and as they were read. */
import { sortedLastIndexBy } from 'lodash';

import { UNIT } from '../windows/bounds';
import type { Entry, StoredBucket } from './encoding';
import { countStatuses, decodeEntries, encodeEntries, GONE } from './encoding';
import type { Session } from './session';
import { watchesStatus } from './state';

/** A lead may be listed so long after the creation time that it states: created at 12:00, listed at 12:09. */
export const LOOK_BACK_MS = 10 * 60_000;

/** How full a bucket is made, as a share of a page, so that late leads find room. */
export const FILL = 0.9;

/** An entry whose event may still have to wait. */
export interface Item extends Entry {
	/** The event. Until it is emitted, the stored entry stays as it was before, or absent. */
	event?: { readonly emitted: boolean };
	before?: Entry;
}

/** A bucket of the timeline. Its revision, turn and `readAt` are the stored ones until the poll ends. */
export interface Bucket extends StoredBucket {
	/** What is known now, once anything was read; `entries` then are out of date. */
	items?: Item[];
	/** It was read whole in this poll. */
	done: boolean;
	/** It was the first in this poll, with all requests that were left. */
	triedFirst?: boolean;
	/** It may hold leads whose events are to be emitted again. */
	hasRepeats?: boolean;
}

export class Timeline {
	constructor(public buckets: Bucket[]) {}

	get last(): Bucket {
		return this.buckets[this.buckets.length - 1];
	}

	endOf(index: number): number {
		return this.buckets[index + 1]?.start ?? Infinity;
	}

	/** The bucket of a time; the first one for times before all. */
	indexAt(time: number): number {
		return Math.max(
			0,
			sortedLastIndexBy<{ start: number }>(this.buckets, { start: time }, 'start') - 1,
		);
	}

	bucketAt(time: number): Bucket {
		return this.buckets[this.indexAt(time)];
	}

	/** Puts parts in the place of a bucket; they must cover the same time. */
	replace(index: number, parts: Bucket[]): void {
		this.buckets.splice(index, 1, ...parts);
	}

	/** For each bucket the number of leads of a status. */
	countsOf(status: number): Int32Array {
		return Int32Array.from(this.buckets, (bucket) => {
			let count = 0;
			countIn(bucket, (each) => {
				if (each === status) count += 1;
			});
			return count;
		});
	}
}

/** What is known of a bucket's leads, within [start, end). */
export function itemsOf(bucket: Bucket, start = -Infinity, end = Infinity): Item[] {
	const items = bucket.items ?? decodeEntries(bucket.entries, bucket.start);
	return items.filter(({ createdAt }) => createdAt >= start && createdAt < end);
}

/** No lead that is new can appear in it any more. */
export function isOld({ readAt }: StoredBucket, end: number): boolean {
	return readAt !== null && readAt >= end + LOOK_BACK_MS;
}

/** It was read whole, and all of its events were emitted. */
function isComplete({ done, items }: Bucket): boolean {
	return done && !items?.some(({ event }) => event && !event.emitted);
}

/** The entries to be stored: a lead whose event has to wait is as it was before. */
function entriesToStore(items: Item[], start: number): string {
	const entries = items.flatMap((item): Entry[] => {
		if (!item.event || item.event.emitted) return [item];
		return item.before ? [item.before] : [];
	});
	return encodeEntries(entries, start);
}

function countIn({ items, entries }: Bucket, count: (status: number) => void): void {
	if (!items) return countStatuses(entries, count);
	for (const { status } of items) if (status !== GONE) count(status);
}

/**
 * From the buckets of a poll to those that are stored: without those that are no longer watched, small ones joined.
 *
 * @param poll the service's clock when it began (ms), its number, and whether it emits events
 */
export function compact(
	timeline: Timeline,
	{ settings, pageSize }: Session,
	poll: { readAt: number; turn: number; emits: boolean },
): StoredBucket[] {
	const { watchWithinDays } = settings;
	const oldest = watchWithinDays > 0 ? poll.readAt - watchWithinDays * UNIT.day : -Infinity;
	const buckets: StoredBucket[] = [];
	timeline.buckets.forEach((each, index) => {
		const end = timeline.endOf(index);
		const bucket = close(each, end, poll);
		const unwatched = end <= oldest || (!watchesStatus(settings) && isOld(bucket, end));
		// Events from it may have to be emitted again.
		const isNeeded = each.hasRepeats === true || each.items?.some(({ event }) => event?.emitted);
		const dropped = unwatched && !isNeeded;
		if (dropped && buckets.length === 0) return;
		const before = buckets.at(-1);
		const isJoined =
			before &&
			canJoin(before, bucket, poll.emits) &&
			countOf(before) + countOf(bucket) <= pageSize * FILL;
		if (isJoined) buckets.splice(-1, 1, join(before, bucket));
		else buckets.push(bucket);
	});
	return buckets;
}

function close(
	bucket: Bucket,
	end: number,
	{ readAt, turn }: { readAt: number; turn: number },
): StoredBucket {
	const { start, items = [], entries } = bucket;
	const complete = isComplete(bucket);
	const changed = items.some(({ event }) => event?.emitted);
	// Behind all others but those read in this poll, which it must not be joined with.
	const tried = bucket.triedFirst ? turn - 1 : bucket.turn;
	const closed: StoredBucket = {
		start,
		readAt: complete ? readAt : bucket.readAt,
		turn: complete ? turn : tried,
		revision: bucket.revision + Number(changed),
		entries,
	};
	if (isOld(closed, end)) closed.readAt = Infinity;
	return bucket.items ? { ...closed, entries: entriesToStore(items, start) } : closed;
}

/**
 * Those read by the same poll: of a bucket that could be read only in part, the rest is read alone when it has its turn, or
 * the same would happen again.
 *
 * @param emits the poll emits events. Only then is the state sure to be stored together with them, and buckets of
 * different revisions may become one without changing the ID of an event that is emitted again.
 */
function canJoin(a: StoredBucket, b: StoredBucket, emits: boolean): boolean {
	const isSame = a.turn === b.turn && (a.revision === b.revision || emits);
	return isSame && a.readAt === Infinity && b.readAt === Infinity;
}

function join(a: StoredBucket, b: StoredBucket): StoredBucket {
	const entries = [a, b].flatMap((bucket) => decodeEntries(bucket.entries, bucket.start));
	const revision = Math.max(a.revision, b.revision);
	return { ...a, revision, entries: encodeEntries(entries, a.start) };
}

function countOf({ entries }: StoredBucket): number {
	let count = 0;
	countStatuses(entries, () => (count += 1));
	return count;
}
