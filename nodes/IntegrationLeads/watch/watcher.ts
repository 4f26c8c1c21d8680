/** Reads the leads of a timeline, and compares them with what was known. */
import { without } from 'lodash';

import { isWhole, readWhole } from '../transport/paginate';
import { within, type Lead, type LeadPage } from './leads';
import type { Change, Outbox } from './outbox';
import { inBatches, type PollSession } from './session';
import { watchesStatus } from './state';
import {
	decodeEntries,
	encodeEntries,
	LOOK_BACK_MS,
	SETTLED,
	type Bucket,
	type Timeline,
} from './timeline';

export class Watcher {
	constructor(
		private readonly session: PollSession,
		private readonly timeline: Timeline,
		private readonly outbox: Outbox,
		/** In buckets never read, leads created at this time (ms) or later are new. */
		private readonly newSinceUnread: number,
		/** The number of this poll, and of those that emitted events. */
		private readonly count: { turn: number; revision: number },
	) {}

	/**
	 * First the buckets in which leads can appear, then the others in turn, with all requests that are left: at least a
	 * third. What is not read waits for the next poll. In every other poll the first of one kind may use all requests, so that
	 * whatever one poll can read is read in time.
	 */
	async read(): Promise<void> {
		const { session, timeline } = this;
		const { recent, others } = timeline.inOrder(watchesStatus(session.settings), this.count.turn);
		const [first] = this.count.turn % 2 ? recent : others;
		if (first) await this.readBucket(first);
		const readAll = async (buckets: Bucket[]) =>
			await inBatches(without(buckets, first), async (each) => await this.readBucket(each));
		await session.keepingThird(async () => await readAll(recent));
		await readAll(others);
	}

	/** An answer that holds all leads of a bucket is consistent, whatever changes meanwhile; a larger bucket is cut. */
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

	/** Leads so close together that no bound comes between them: twice, unless the first reading shows all that are known. */
	private async readByPages(bucket: Bucket, first: LeadPage): Promise<void> {
		const { session, timeline } = this;
		const span = { start: bucket.start, end: timeline.endOf(bucket) };
		const known = [...decodeEntries(bucket.entries).keys()];
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
		// What cannot be read goes to the end of the queue.
		if (!complete) bucket.turn = this.count.turn - 1;
		await this.compare(bucket, within([...leads.values()], span), complete);
	}

	/** @param isComplete no lead may be missing; only then is one that is missing known to be gone */
	private async compare(bucket: Bucket, leads: Lead[], isComplete: boolean): Promise<void> {
		const { session, outbox, timeline, count } = this;
		const known = decodeEntries(bucket.entries);
		const newSince = bucket.readAt === null ? this.newSinceUnread : bucket.readAt - LOOK_BACK_MS;
		const next = new Map(isComplete ? [] : known);
		const changes: Array<Change & { key: string }> = [];
		for (const { key, id, createdAt, status, record } of leads) {
			const to = session.indexOf(status);
			const from = known.get(key);
			next.set(key, to);
			const isEvent = from === undefined ? createdAt >= newSince : from !== to;
			if (isEvent) changes.push({ key, id, from, to, record, revision: count.revision });
		}
		if (changes.length > 0) bucket.changed = count.turn;
		let waiting = 0;
		await inBatches(changes, async ({ key, ...change }) => {
			if (await outbox.tryAdd(change)) return;
			// A lead whose event has to wait is stored as it was.
			waiting += 1;
			if (change.from === undefined) next.delete(key);
			else next.set(key, change.from);
		});
		bucket.entries = encodeEntries(next);
		if (!isComplete || waiting > 0) return;
		bucket.turn = count.turn;
		bucket.readAt = session.firstReadAt!;
		if (timeline.isOld(bucket)) bucket.readAt = SETTLED;
	}
}
