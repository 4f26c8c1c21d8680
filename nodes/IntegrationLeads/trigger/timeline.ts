/** The buckets during a poll: as they are stored, and as they were read. */
import type { Entry, StoredBucket } from './encoding';
import { countStatuses, decodeEntries, encodeEntries, GONE } from './encoding';

export const DAY_MS = 86_400_000;
/** A lead may be listed so long after the creation time that it states. */
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
	first?: boolean;
	/** It may hold leads whose events are to be emitted again. */
	isAwaited?: boolean;
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
		let [low, high] = [0, this.buckets.length];
		while (high - low > 1) {
			const middle = (low + high) >>> 1;
			if (this.buckets[middle].start <= time) low = middle;
			else high = middle;
		}
		return low;
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

	/** The number of leads of each status. */
	totals(statuses: number): Int32Array {
		const totals = new Int32Array(statuses);
		for (const bucket of this.buckets) countIn(bucket, (status) => (totals[status] += 1));
		return totals;
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
export function isComplete({ done, items }: Bucket): boolean {
	return done && !items?.some(({ event }) => event && !event.emitted);
}

/** The entries to be stored: a lead whose event has to wait is as it was before. */
export function entriesToStore(items: Item[], start: number): string {
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
