/** Reads the leads of a timeline, and compares them with what was known. */
import { intersection, without } from 'lodash';

import { isWhole, readWhole } from '../transport/paginate';
import { changesBetween, withoutChanges } from './changes';
import { within, type Lead, type LeadPage } from './leads';
import type { Change, Outbox } from './outbox';
import { inBatches, type PollSession } from './session';
import { watchesChanges } from './state';
import {
	decodeEntries,
	encodeEntries,
	LOOK_BACK_MS,
	SETTLED,
	type Bucket,
	type KnownLead,
	type Timeline,
} from './timeline';

export class Watcher {
	constructor(
		private readonly session: PollSession,
		private readonly timeline: Timeline,
		private readonly outbox: Outbox,
		/** The times (ms) since which leads are watched at all, and with these filters. */
		private readonly watched: { activated: number; filteredSince: number },
		/** The number of this poll, and the number of polls that emitted events. */
		private readonly count: { pollNumber: number; revision: number },
	) {}

	/**
	 * Reads first the buckets in which leads can appear, then the others in turn, with all requests that are left: at least a
	 * third. The rest waits for the next poll. The first bucket of either kind, in alternate polls, may use all requests, so that
	 * a bucket that one poll can read is read in the end.
	 */
	async read(): Promise<void> {
		const { session, timeline } = this;
		const { recent, others } = timeline.inOrder(
			watchesChanges(session.settings),
			this.count.pollNumber,
		);
		const [first] = this.count.pollNumber % 2 ? recent : others;
		if (first) await this.readBucket(first);
		const readAll = async (buckets: Bucket[]) =>
			await inBatches(without(buckets, first), async (bucket) => await this.readBucket(bucket));
		await session.keepingThird(async () => await readAll(recent));
		await readAll(others);
	}

	/** Reads a bucket. One answer with all of its leads is consistent, whatever changes meanwhile, so a larger bucket is cut. */
	private async readBucket(bucket: Bucket): Promise<void> {
		const { session, timeline } = this;
		const { bounds } = session;
		const span = { start: bucket.start, end: timeline.endOf(bucket) };
		const page = await session.readSpan(span, 1);
		if (!page) return;
		bounds.notice(page.leads, span);
		if (isWhole(page)) return await this.compare(bucket, within(page.leads, span), true);
		if (bounds.unit === undefined) await bounds.probeUnit(session.readSpan, page.leads);
		if (bounds.unit === undefined) return;
		const cut = bounds.cut(page, span);
		if (cut === undefined) return await this.readByPages(bucket, page);
		const newer = timeline.cut(bucket, cut);
		await Promise.all([this.readBucket(newer), this.readBucket(bucket)]);
	}

	/** Reads leads that no bound can separate page by page: twice, unless the first reading shows all known leads. */
	private async readByPages(bucket: Bucket, first: LeadPage): Promise<void> {
		const { session, timeline } = this;
		const span = { start: bucket.start, end: timeline.endOf(bucket) };
		const known = [...decodeEntries(bucket).keys()];
		const leads = new Map<string, Lead>();
		const keep = (page: LeadPage | undefined) => {
			for (const lead of page?.leads ?? []) leads.set(lead.key, lead);
			return page;
		};
		const { complete } = await readWhole(
			async ({ page }) => keep(await session.readSpan(span, page)),
			{ first: keep(first), isEnough: () => known.every((key) => leads.has(key)) },
		);
		session.noticeSize(first.total ?? leads.size);
		// A bucket that cannot be read goes to the end of the queue.
		if (!complete) bucket.pollNumber = this.count.pollNumber - 1;
		await this.compare(bucket, within([...leads.values()], span), complete);
	}

	/**
	 * The time (ms) since which the unknown leads of a bucket are new. One that is listed late cannot be told from one that other
	 * filters left out, so none of those that were created with other filters is awaited.
	 */
	private newSince({ readAt }: Bucket): number {
		const { activated, filteredSince } = this.watched;
		if (readAt === null) return activated;
		return Math.max(readAt - LOOK_BACK_MS, Math.min(readAt, filteredSince));
	}

	/**
	 * Finds what has changed, and stores what is known now.
	 *
	 * @param isComplete whether `leads` are all that the bucket has: then a known one that is missing is gone
	 */
	private async compare(bucket: Bucket, leads: Lead[], isComplete: boolean): Promise<void> {
		const { session, outbox, timeline, count } = this;
		const known = decodeEntries(bucket);
		// Of no leads, everything is known.
		const knownTags = known.size > 0 ? bucket.tags : session.watchedTags;
		const newSince = this.newSince(bucket);
		const next = new Map(isComplete ? [] : known);
		const changed: Array<{ key: string; now: KnownLead; changes: Change[] }> = [];
		for (const { key, id, createdAt, status, record } of leads) {
			const now = { status: session.indexOf(status), tags: session.watchedTagsOf(record) };
			next.set(key, now);
			const found = changesBetween(known.get(key), now, knownTags, createdAt >= newSince);
			const changes = found.map(({ tag, ...change }) => ({
				...{ ...change, id, record, revision: count.revision },
				...(tag !== undefined && { tag: session.tags[tag] }),
			}));
			if (changes.length > 0) changed.push({ key, now, changes });
		}
		if (changed.length > 0) bucket.changed = count.pollNumber;
		let waiting = 0;
		await inBatches(changed, async ({ key, now, changes }) => {
			if (await outbox.tryAdd(changes)) return;
			// A lead whose events have to wait is stored as it was.
			waiting += 1;
			const earlier = known.get(key);
			if (earlier) next.set(key, withoutChanges(earlier, now, knownTags));
			else next.delete(key);
		});
		// Until all events are emitted, a lead that is gone would be new again if it came back.
		for (const [key, lead] of waiting > 0 ? known : []) {
			if (next.has(key)) continue;
			next.set(key, withoutChanges(lead, { ...lead, tags: session.watchedTags }, knownTags));
		}
		// Of the leads that were read now, tags that are no longer watched are not known.
		bucket.tags = isComplete ? session.watchedTags : intersection(knownTags, session.watchedTags);
		bucket.entries = encodeEntries(next, bucket.tags);
		if (!isComplete || waiting > 0) return;
		bucket.pollNumber = count.pollNumber;
		bucket.readAt = session.firstReadAt!;
		if (timeline.isOld(bucket)) bucket.readAt = SETTLED;
	}
}
