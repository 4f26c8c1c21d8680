/** Reads the timeline: which buckets a poll reads, in the order of urgency. */
import { groupBy, isEqual } from 'lodash';

import { isWhole } from '../transport/paginate';
import type { Listed, Span } from '../windows/listed';
import { readPieces } from '../windows/pieces';
import type { Comparer } from './changes';
import type { Lead } from './watchedLead';
import type { Session } from './session';
import { inBatches } from './session';
import { watchesStatus } from './state';
import type { Bucket, Timeline } from './timeline';
import { isOld, itemsOf } from './timeline';

/** The part of the requests that is kept for reading all leads in turn, which makes detection complete. */
const TURN_SHARE = 1 / 3;
/** The part of the requests allowed in a minute that a poll may use, as long as those in turn keep their share. */
const RATE_SHARE = 1 / 5;
/** Buckets that are read at the same time. */
const BATCH = 8;
/** Finding one change among some hundred thousand leads takes about so many requests. */
const REQUESTS_A_CHANGE = 12;

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
			first.first = true;
			await this.readBuckets([first]);
		}
		await this.keeping(share, async () => await this.readBuckets(this.recent()));

		const never = this.unread();
		if (never.length > 0) {
			await this.keeping(share, async () => await this.readBuckets(never));
		} else if (this.old().length > session.left) {
			await this.keeping(share - 2, async () => await this.readChanged());
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
			(bucket, end) => bucket.readAt !== null && (bucket.isAwaited === true || !isOld(bucket, end)),
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
		for (let next = 0; next < buckets.length && session.left > 0; ) {
			// The first was read longest ago, perhaps because it takes many requests.
			const batch = buckets.slice(next, next === 0 ? 1 : next + BATCH);
			next += batch.length;
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
	 * Reads the buckets in which leads have changed, as far as counts show it: where the service's count of a status
	 * differs from ours, halving time leads to them. Counts cannot show everything, so this is for speed alone; reading
	 * all leads in turn finds all changes.
	 */
	private async readChanged(): Promise<void> {
		const { session, timeline } = this;
		const { statuses: names } = session;
		const affordable = Math.floor(session.settings.maxRequestsPerPoll / 4);
		const statuses = [...names.keys()]
			.filter((status) => names[status] !== '')
			.slice(0, affordable);
		const all = { start: timeline.buckets[0].start, end: Infinity };
		const answers = await inBatches(statuses, async (status) => {
			return await session.list(all, { limit: 1, status: names[status] });
		});
		const differing = new Set(statuses.filter((_, index) => answers[index]?.total !== undefined));
		while (differing.size > 0) {
			const totals = timeline.totals(names.length);
			const by = (status: number) =>
				(answers[statuses.indexOf(status)]?.total ?? 0) - totals[status];
			// Arrivals first: every change has one, and departures are explained by them.
			const [next] = [...differing].sort((a, b) => by(b) - by(a) || a - b);
			differing.delete(next);
			if (by(next) !== 0) await this.bisect(next, by(next));
		}
	}

	/** @param by how many more leads of the status the service counts than we do */
	private async bisect(status: number, by: number): Promise<void> {
		const { session, timeline } = this;
		const { buckets } = timeline;
		const sums = [0];
		for (const count of timeline.countsOf(status)) sums.push(sums[sums.length - 1] + count);
		// Buckets from one index up to another, in which the service counts `by` more leads of the status than we do.
		const ranges = [{ from: 0, to: buckets.length, by }];
		const suspects = new Set<Bucket>();
		while (ranges.length > 0) {
			// Few at once: where there is much to find, some of it is found to the end instead of everything by half.
			const width = Math.max(1, Math.floor(session.left / REQUESTS_A_CHANGE));
			const batch = ranges.splice(0, Math.max(0, Math.min(width, session.left - suspects.size)));
			if (batch.length === 0) break;
			const halved = batch.map((range) => ({ ...range, middle: (range.from + range.to) >> 1 }));
			const answers = await inBatches(halved, async ({ from, middle }) => {
				const span = { start: buckets[from].start, end: buckets[middle].start };
				return await session.list(span, { status: session.statuses[status] });
			});
			for (const [index, { from, middle, to, by: both }] of halved.entries()) {
				const answer = answers[index];
				if (answer?.total === undefined) continue;
				const lower = answer.total - (sums[middle] - sums[from]);
				const halves = [{ from: middle, to, by: both - lower }];
				if (isWhole(answer)) {
					for (const each of this.differing(answer, from, middle, status)) suspects.add(each);
				} else halves.push({ from, to: middle, by: lower });
				const differing = halves.filter((half) => half.by !== 0);
				for (const half of differing)
					if (half.to - half.from === 1) suspects.add(buckets[half.from]);
				ranges.unshift(...differing.filter((half) => half.to - half.from > 1));
			}
		}
		await this.readBuckets([...suspects].filter(({ done }) => !done));
	}

	/** The buckets that differ from a complete answer for a status. */
	private differing(answer: Listed<Lead>, from: number, to: number, status: number): Bucket[] {
		const { timeline } = this;
		const listed = groupBy(answer.leads, ({ createdAt }) => timeline.indexAt(createdAt));
		const fingerprints = (leads: Array<{ fingerprint: number }> = []) =>
			leads.map(({ fingerprint }) => fingerprint).sort((a, b) => a - b);
		return timeline.buckets.slice(from, to).filter((bucket, place) => {
			const known = itemsOf(bucket).filter((item) => item.status === status);
			return !isEqual(fingerprints(known), fingerprints(listed[from + place]));
		});
	}
}
