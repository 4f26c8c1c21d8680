/**
 * Stores what is known about the leads, by the time of their creation, which never changes: a row of buckets, each an interval
 * whose leads fit into one answer.
 */
import { chunk, orderBy, partition, sortBy } from 'lodash';
import { z } from 'zod';

import type { Bounds } from './bounds';
import { KEY_LENGTH } from './leads';

/** How long after its stated creation time a lead may appear in the list: created at 12:00, listed at 12:09. */
export const LOOK_BACK_MS = 10 * 60_000;
/** How full a joined bucket may be, as a share of a page, so that late leads find room. */
const FILL = 0.9;
/** The least weight of waiting, for buckets in which little happens, and after how many buckets the weight is half. */
const LEAST_WEIGHT = 0.1;
const HALF_WEIGHT = 20;
/** The digits of base64url, and one for {@link UNKNOWN_STATUS}. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.';
export const MAX_STATUSES = 64;
/** Stands for the status of a lead that was read while statuses were not watched. */
export const UNKNOWN_STATUS = MAX_STATUSES;
/** How many tags one digit stands for. */
const TAGS_PER_DIGIT = 6;

/** Stands for the time of reading of a bucket in which no new lead can appear any more. */
export const SETTLED = Infinity;

/** An interval of creation times, which ends where the next one starts. */
export interface Bucket {
	/** Milliseconds, or -Infinity. */
	start: number;
	/**
	 * The service's clock (ms) when it was last read whole and all its events were emitted: an unknown lead is new if it was
	 * created after this, less the look-back. Null: never; {@link SETTLED}.
	 */
	readAt: number | null;
	/** The poll that read it last. */
	pollNumber: number;
	/** The poll that last found something new in it. */
	changed: number;
	/**
	 * The indexes of the watched tags of which it is known whether the leads have them: those that were watched when it was last
	 * read whole.
	 */
	tags: number[];
	/**
	 * Six characters for each lead, its key and the index of its status, since n8n stores all of them after each poll, and one more
	 * for every six tags.
	 */
	entries: string;
}

/** What is known about a lead: the indexes of its status, and of the watched tags that it has. */
export interface KnownLead {
	status: number;
	tags: number[];
}

export function emptyBucket(start: number, readAt: number | null): Bucket {
	return { start, readAt, pollNumber: 0, changed: 0, tags: [], entries: '' };
}

/** A stored bucket: its members in order, the tags last, with times in seconds. */
const members = z
	.tuple([z.number().nullable(), z.number().nullable(), z.number(), z.number(), z.string()])
	.rest(z.number());
type StoredBucket = z.infer<typeof members>;

/** Validates a stored bucket, and decodes it. */
export const storedBucket = members.transform(decodeBucket);

export function encodeBucket(bucket: Bucket): StoredBucket {
	const { start, readAt, pollNumber, changed, entries, tags } = bucket;
	const read = readAt === SETTLED ? 0 : readAt && Math.floor(readAt / 1000);
	const stored = start === -Infinity ? null : start / 1000;
	return [stored, read, pollNumber, changed, entries, ...tags];
}

/** @throws Error if the text of the entries was cut */
function decodeBucket([
	start,
	readAt,
	pollNumber,
	changed,
	entries,
	...tags
]: StoredBucket): Bucket {
	if (entries.length % entryLength(tags) > 0) throw new Error('incomplete entries');
	return {
		start: start === null ? -Infinity : start * 1000,
		readAt: readAt === 0 ? SETTLED : readAt && readAt * 1000,
		pollNumber,
		changed,
		tags,
		entries,
	};
}

const entryLength = (tags: number[]) => KEY_LENGTH + 1 + Math.ceil(tags.length / TAGS_PER_DIGIT);

/** What is known about the leads of a bucket, by their keys. */
export function decodeEntries({
	entries,
	tags,
}: Pick<Bucket, 'entries' | 'tags'>): Map<string, KnownLead> {
	const leads = new Map<string, KnownLead>();
	const length = entryLength(tags);
	for (let at = 0; at < entries.length; at += length) {
		const key = entries.slice(at, at + KEY_LENGTH);
		const [status, ...bits] = entries.slice(at + KEY_LENGTH, at + length);
		const isSet = (place: number) =>
			(DIGITS.indexOf(bits[Math.floor(place / TAGS_PER_DIGIT)]) >> place % TAGS_PER_DIGIT) & 1;
		leads.set(key, {
			status: DIGITS.indexOf(status),
			tags: tags.filter((_, place) => isSet(place)),
		});
	}
	return leads;
}

/** @param tags those of which it is known whether the leads have them */
export function encodeEntries(leads: Map<string, KnownLead>, tags: number[]): string {
	const groups = chunk(tags, TAGS_PER_DIGIT);
	const digit = (has: number[], group: number[]) =>
		DIGITS[group.reduce((bits, tag, place) => bits | (Number(has.includes(tag)) << place), 0)];
	return [...leads]
		.map(([key, { status, tags: has }]) =>
			[key, DIGITS[status], ...groups.map((group) => digit(has, group))].join(''),
		)
		.join('');
}

export class Timeline {
	constructor(public buckets: Bucket[]) {}

	/** Adds a bucket for older leads, if they are watched from now on. None of them is new. */
	extendTo(oldest: number): void {
		if (this.buckets[0].start <= oldest) return;
		this.buckets.unshift(emptyBucket(oldest, SETTLED));
	}

	endOf(bucket: Bucket): number {
		return this.buckets[this.buckets.indexOf(bucket) + 1]?.start ?? Infinity;
	}

	/** Whether no new lead can appear in a bucket any more. */
	isOld(bucket: Bucket): boolean {
		return bucket.readAt !== null && bucket.readAt >= this.endOf(bucket) + LOOK_BACK_MS;
	}

	/**
	 * The buckets in which leads can appear, and the others that are watched, each in the order in which to read them: the one that
	 * has waited longest first. Waiting counts more where something changed lately, since more changes are likely there.
	 */
	inOrder(watchesChanges: boolean, pollNumber: number): { recent: Bucket[]; others: Bucket[] } {
		const last = this.buckets.at(-1);
		const [recent, others] = partition(
			sortBy(this.buckets, 'pollNumber'),
			(bucket) => bucket === last || (bucket.readAt !== null && !this.isOld(bucket)),
		);
		const isWatched = ({ readAt }: Bucket) => readAt === null || watchesChanges;
		const latestFirst = orderBy(others.filter(isWatched), ['changed', 'start'], ['desc', 'desc']);
		const weights = latestFirst.map(({ readAt }, rank) =>
			readAt === null ? 1 : Math.max(LEAST_WEIGHT, 1 / (1 + rank / HALF_WEIGHT)),
		);
		const waited = new Map(
			latestFirst.map((bucket, rank) => [bucket, (pollNumber - bucket.pollNumber) * weights[rank]]),
		);
		return { recent, others: orderBy(latestFirst, (bucket) => waited.get(bucket), 'desc') };
	}

	/** Cuts a bucket in two. Until they are read, both know all leads of both. */
	cut(bucket: Bucket, at: number): Bucket {
		const after = { ...bucket, start: at };
		this.buckets.splice(this.buckets.indexOf(bucket) + 1, 0, after);
		return after;
	}

	/**
	 * Drops the oldest buckets that are no longer watched, and were read, and joins neighbours if they are small, or if the service turned out to
	 * compare by the day and cannot tell them apart. Both must have been read whole in this poll: until then, the parts of a bucket
	 * that was cut know the same leads, and one part may be further than the other.
	 *
	 * @param oldest buckets that end before this time are not watched
	 * @param pollNumber the number of this poll
	 */
	compact(
		oldest: number,
		watchesChanges: boolean,
		{ bounds, pageSize }: { bounds: Bounds; pageSize: number },
		pollNumber: number,
	): void {
		const isUnwatched = (bucket: Bucket) =>
			bucket.readAt !== null &&
			(watchesChanges ? this.endOf(bucket) <= oldest : this.isOld(bucket));
		while (this.buckets.length > 1 && isUnwatched(this.buckets[0])) this.buckets.shift();
		const most = Math.floor(pageSize * FILL);
		const sizeOf = ({ entries, tags }: Bucket) => entries.length / entryLength(tags);
		const areSmall = (one: Bucket, next: Bucket) =>
			one.readAt === SETTLED && next.readAt === SETTLED && sizeOf(one) + sizeOf(next) <= most;
		const joined: Bucket[] = [];
		for (const bucket of this.buckets) {
			const previous = joined.at(-1);
			const isInOneUnit = bounds.unit && bounds.floor(bucket.start) < bucket.start;
			const canJoin = previous?.pollNumber === pollNumber && bucket.pollNumber === pollNumber;
			if (canJoin && (isInOneUnit || areSmall(previous, bucket))) {
				previous.entries += bucket.entries;
				previous.readAt = Math.min(previous.readAt!, bucket.readAt!);
				previous.changed = Math.max(previous.changed, bucket.changed);
			} else joined.push(bucket);
		}
		this.buckets = joined;
	}
}
