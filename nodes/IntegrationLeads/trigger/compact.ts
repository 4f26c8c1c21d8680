/** From the buckets of a poll to those that are stored. */
import type { Bucket } from './codes';
import { GONE } from './codes';
import { FILL } from './explore';
import type { Slot, Timeline } from './timeline';
import { isHeld, settledCodes } from './timeline';

export interface Limits {
	/** Buckets that end before this are not watched any more (ms). */
	oldest: number;
	/** A lead created before this is not new (ms). */
	newSince: number;
	/** Old buckets are watched for changes of status. */
	follows: boolean;
	/** Leads that a bucket may hold. */
	pageSize: number;
}

/**
 * @param emitting whether the poll emits events. Only then is the state sure to be stored together with them, and
 *   buckets of different revisions may become one without changing the id of an event that is emitted again.
 */
export function compact(timeline: Timeline, limits: Limits, emitting: boolean): Bucket[] {
	const buckets: Bucket[] = [];
	const lastPlace = timeline.slots.length - 1;
	timeline.slots.forEach((slot, place) => {
		const end = timeline.endOf(place);
		const dropped =
			end <= limits.oldest || (!limits.follows && !slot.unread && end <= limits.newSince);
		if (dropped && buckets.length === 0 && place < lastPlace) return;
		// Of what is still announced for the first time, a lead may be new at any age.
		const closed = end <= limits.newSince && !slot.unread;
		const bucket = close(slot, timeline.isTimed(slot), closed);
		const before = buckets[buckets.length - 1] as Bucket | undefined;
		// What is held back is looked for at its own start.
		const held = isHeld(slot) || (place > 0 && isHeld(timeline.slots[place - 1]));
		if (before && place < lastPlace && !held && canJoin(before, bucket, limits, emitting)) {
			before.codes += bucket.codes;
			before.revision = Math.max(before.revision, bucket.revision);
		} else buckets.push(bucket);
	});
	return buckets;
}

function close(slot: Slot, timed: boolean, closed: boolean): Bucket {
	const { start, unread } = slot;
	// A lead that was gone and comes back is not new any more; it need not be remembered.
	const items = closed ? slot.items?.filter(({ status }) => status !== GONE) : slot.items;
	const changed = slot.items?.some(({ pending, before }) => pending?.emitted && before);
	const revision = slot.revision + Number(changed === true);
	return { start, revision, unread, codes: settledCodes({ ...slot, items }, timed) };
}

function canJoin(a: Bucket, b: Bucket, { pageSize }: Limits, emitting: boolean): boolean {
	if (a.unread || b.unread || (a.revision !== b.revision && !emitting)) return false;
	return (a.codes.length + b.codes.length) / 4 <= pageSize * FILL;
}
