/** From the buckets of a poll to those that are stored. */
import type { StoredBucket } from './encoding';
import { countStatuses, decodeEntries, encodeEntries, GONE } from './encoding';
import type { Bucket, Timeline } from './timeline';
import { FILL, isOld, isComplete, entriesToStore } from './timeline';

interface Limits {
	/** Buckets that end before this are no longer watched (ms). */
	oldest: number;
	/** The service's clock when this poll began (ms). */
	readAt: number;
	/** This poll. */
	turn: number;
	/** Old buckets are watched for changes of status. */
	watchesStatus: boolean;
	/** How many leads a bucket may hold. */
	pageSize: number;
	/**
	 * The poll emits events. Only then is the state sure to be stored together with them, and buckets of different
	 * revisions may become one without changing the id of an event that is emitted again.
	 */
	emits: boolean;
}

export function compact(timeline: Timeline, limits: Limits): StoredBucket[] {
	const buckets: StoredBucket[] = [];
	timeline.buckets.forEach((each, index) => {
		const end = timeline.endOf(index);
		const bucket = close(each, end, limits);
		const unwatched = end <= limits.oldest || (!limits.watchesStatus && isOld(bucket, end));
		// Events from it may have to be emitted again.
		const isNeeded = each.isAwaited === true || each.items?.some(({ event }) => event?.emitted);
		const dropped = unwatched && !isNeeded;
		if (dropped && buckets.length === 0) return;
		const before = buckets.at(-1);
		if (before && canJoin(before, bucket, limits)) buckets.splice(-1, 1, join(before, bucket));
		else buckets.push(bucket);
	});
	return buckets;
}

function close(bucket: Bucket, end: number, { readAt, turn }: Limits): StoredBucket {
	const { start, items = [], entries } = bucket;
	const complete = isComplete(bucket);
	const changed = items.some(({ event, before }) => event?.emitted && before);
	// Behind all others but those read in this poll, which it must not be joined with.
	const tried = bucket.first && bucket.items ? turn - 1 : bucket.turn;
	const closed: StoredBucket = {
		start,
		readAt: complete ? Math.max(readAt, bucket.readAt ?? readAt) : bucket.readAt,
		turn: complete ? turn : tried,
		revision: bucket.revision + Number(changed),
		entries,
	};
	const old = isOld(closed, end);
	if (old) closed.readAt = Infinity;
	if (!bucket.items) return closed;
	// A lead that was gone and comes back is not new any more; it need not be remembered.
	const kept = old ? items.filter(({ status }) => status !== GONE) : items;
	return { ...closed, entries: entriesToStore(kept, start) };
}

function canJoin(a: StoredBucket, b: StoredBucket, { pageSize, emits }: Limits): boolean {
	if (a.readAt !== Infinity || b.readAt !== Infinity) return false;
	// If a bucket could be read only in part, the rest is read alone when it has its turn, or the same would happen again.
	if (a.turn !== b.turn) return false;
	if (a.revision !== b.revision && !emits) return false;
	return countOf(a) + countOf(b) <= pageSize * FILL;
}

function join(a: StoredBucket, b: StoredBucket): StoredBucket {
	const entries = [a, b].flatMap((bucket) => decodeEntries(bucket.entries, bucket.start));
	return {
		start: a.start,
		readAt: Infinity,
		turn: a.turn,
		revision: Math.max(a.revision, b.revision),
		entries: encodeEntries(entries, a.start),
	};
}

function countOf({ entries }: StoredBucket): number {
	let count = 0;
	countStatuses(entries, () => (count += 1));
	return count;
}
