/** Reads the timeline: which buckets a poll reads, in the order of urgency. */
import { chunk, sum } from 'lodash';

import type { Listed, Span } from '../windows/listed';
import { readPieces } from '../windows/pieces';
import type { Comparer } from './changes';
import type { Lead } from './watchedLead';
import type { Session } from './session';
import { AT_ONCE, inBatches } from './session';
import { watchesStatus } from './state';
import type { Bucket, Timeline } from './timeline';
import { isOld } from './timeline';

/** The part of the requests that is kept for reading all leads in turn, which makes detection complete. */
const TURN_SHARE = 1 / 3;
/** The part of the requests allowed in a minute that a poll may use, as long as those in turn keep their share. */
const RATE_SHARE = 1 / 5;

export class TimelineReader {
	constructor(
		private readonly session: Session,
		private readonly timeline: Timeline,
		private readonly comparer: Comparer,
	) {}

	/**
	 * Reads the timeline in three phases: buckets in which leads can appear; those never read, or else those in which
	 * counts show changes; and with all requests that are left the others, the one read longest ago first.
	 *
	 * In each poll one kind of bucket has its turn, and the first of that kind may use all requests: so whatever one poll
	 * can read is read in time, however much the other phases take.
	 *
	 * @param page the answer for the last bucket
	 * @param turn the number of polls before this one
	 */
	async read(page: Listed<Lead>, turn: number): Promise<void> {
		const { session, timeline } = this;
		const cap = session.settings.maxRequestsPerPoll;
		const share = Math.ceil(cap * TURN_SHARE);
		await this.keeping(share, async () => await this.readBucket(timeline.last, page));
		const kinds = [() => this.recent(), () => this.unread(), () => this.old()];
		const [first] = kinds.map((_, index) => kinds[(turn + index) % 3]()).flat();
		if (first) {
			first.triedFirst = true;
			await this.readBuckets([first]);
		}
		await this.keeping(share, async () => await this.readBuckets(this.recent()));

		const never = this.unread();
		if (never.length > 0) {
			await this.keeping(share, async () => await this.readBuckets(never));
		} else if (this.old().length > session.left) {
			await this.keeping(share, async () => await this.readChanged());
		}

		const allowed = Math.floor((session.requestsPerMinute ?? Infinity) * RATE_SHARE);
		const kept = Math.max(0, Math.min(cap - allowed, session.left - share));
		await this.keeping(kept, async () => await this.readBuckets(this.old()));
	}

	private async keeping(reserve: number, read: () => Promise<void>): Promise<void> {
		this.session.reserve = reserve;
		await read();
		this.session.reserve = 0;
	}

	/** Buckets in which leads can still appear, or from which events are emitted again; the last one aside. */
	private recent(): Bucket[] {
		return this.due(
			(bucket, end) =>
				bucket.readAt !== null && (bucket.hasRepeats === true || !isOld(bucket, end)),
		);
	}

	private unread(): Bucket[] {
		return this.due(({ readAt }) => readAt === null);
	}

	/** Buckets in which only changes of status are of interest. */
	private old(): Bucket[] {
		return watchesStatus(this.session.settings) ? this.due(isOld) : [];
	}

	/** Buckets of which nothing was read in this poll, the one read longest ago first. The last one is read in any case. */
	private due(is: (bucket: Bucket, end: number) => boolean): Bucket[] {
		const { timeline } = this;
		return timeline.buckets
			.slice(0, -1)
			.filter((bucket, index) => !bucket.items && is(bucket, timeline.endOf(index)))
			.sort((a, b) => a.turn - b.turn);
	}

	/** Reads buckets, as many as the poll has requests for. */
	private async readBuckets(buckets: Bucket[]): Promise<void> {
		const { session } = this;
		for (const batch of chunk(buckets, AT_ONCE)) {
			const pages = await Promise.all(
				batch.map(async (bucket) => await session.readSpan(this.spanOf(bucket), 1)),
			);
			for (const [index, page] of pages.entries()) {
				if (page) await this.readBucket(batch[index], page);
			}
		}
	}

	/** Reads one bucket, of which the first page is known; what there are no requests for stays as it was. */
	private async readBucket(bucket: Bucket, page: Listed<Lead>): Promise<void> {
		const { session, comparer } = this;
		await readPieces<Lead>(
			{ ...this.spanOf(bucket), page },
			{
				read: session.readSpan,
				bounds: session.bounds,
				take: (piece) => {
					session.noticeSize(piece.total ?? piece.leads.length);
					comparer.take(piece);
				},
				isKnown: (piece) => comparer.isKnown(piece),
				left: () => session.left,
			},
		);
	}

	private spanOf({ start }: Bucket): Span {
		return { start, end: this.timeline.endOf(this.timeline.indexAt(start)) };
	}

	/**
	 * Finds changes by the service's counts of leads by status, for speed alone: counts cannot show that two leads have
	 * swapped their statuses. Reading all leads in turn finds every change.
	 */
	private async readChanged(): Promise<void> {
		const { session, timeline } = this;
		const named = session.statuses.flatMap((name, status) => (name === '' ? [] : [status]));
		const counts = await inBatches(named, async (status) => {
			const all = { start: timeline.buckets[0].start, end: Infinity };
			return { status, total: await this.readCount(all, status) };
		});
		for (const { status, total } of counts) {
			const known = timeline.countsOf(status);
			if (total !== undefined) {
				await this.readDiffering(status, timeline.buckets.slice(), known, total - sum(known));
			}
		}
	}

	/**
	 * Reads the buckets in which the service counts more leads of a status than we know, or fewer. Where the 64 buckets of an
	 * account hold one more in all, and the first 32 none, it counts the next 16, and so on: six counts lead to the bucket.
	 * One is read before the next is looked for, so that when requests run out some changes were found.
	 *
	 * @param known how many leads of the status we know in each of the buckets
	 * @param more how many more the service counts in all of them; negative for fewer
	 */
	private async readDiffering(
		status: number,
		buckets: Bucket[],
		known: Int32Array,
		more: number,
	): Promise<void> {
		if (more === 0) return;
		if (buckets.length === 1) return await this.readBuckets(buckets.filter(({ items }) => !items));
		const middle = buckets.length >> 1;
		const lower = { start: buckets[0].start, end: buckets[middle].start };
		const total = await this.readCount(lower, status);
		if (total === undefined) return;
		const moreBelow = total - sum(known.subarray(0, middle));
		const [below, above] = [buckets.slice(0, middle), buckets.slice(middle)];
		await this.readDiffering(status, below, known.subarray(0, middle), moreBelow);
		await this.readDiffering(status, above, known.subarray(middle), more - moreBelow);
	}

	private async readCount(span: Span, status: number): Promise<number | undefined> {
		const { session } = this;
		return (await session.readList(span, { limit: 1, status: session.statuses[status] }))?.total;
	}
}
