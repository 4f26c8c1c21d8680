/** Compares what was read with what was known, and updates the timeline. */
import { findLast } from 'lodash';

import type { Piece } from '../windows/pieces';
import type { Entry } from './encoding';
import { GONE } from './encoding';
import type { Candidate, Outbox } from './events';
import type { Redelivery } from './delivery';
import type { Lead } from './watchedLead';
import { keyOf } from './watchedLead';
import type { Session } from './session';
import type { Bucket, Item, Timeline } from './timeline';
import { FILL, itemsOf, LOOK_BACK_MS } from './timeline';

export class Comparer {
	/** How many known leads were listed, and were not; and how many others that are too old to be new. */
	private readonly seen = { found: 0, missing: 0, unexpected: 0 };

	constructor(
		private readonly session: Session,
		private readonly timeline: Timeline,
		private readonly outbox: Outbox,
		private readonly redelivery: Redelivery,
		/** In buckets never read, leads created at this time (ms) or later are new. */
		private readonly newSinceUnread: number,
	) {}

	/**
	 * Every lead that was known is gone, and others are listed that were not listed before, though they existed. So it is
	 * with another account, or when changed leads have left and entered the filters.
	 */
	get isOtherAccount(): boolean {
		const { found, missing, unexpected } = this.seen;
		return found === 0 && missing > 0 && unexpected > 0;
	}

	/** Whether all leads known in an interval are among those read. */
	isKnown({ start, end, leads }: Piece<Lead>): boolean {
		const bucket = this.timeline.bucketAt(start);
		const keys = new Set(leads.map(keyOf));
		return itemsOf(bucket, start, end).every(
			(item) => item.status === GONE || keys.has(keyOf(item)),
		);
	}

	/** Takes a part of a bucket; what was not read stays as it was. */
	take(piece: Piece<Lead>): void {
		const index = this.timeline.indexAt(piece.start);
		const bucket = this.timeline.buckets[index];
		const rest = (start: number, end: number): Bucket[] =>
			start < end ? [{ ...bucket, start, items: itemsOf(bucket, start, end), done: false }] : [];
		const items = this.compare(bucket, piece);
		const done = piece.completeness === 'complete';
		const read = { ...bucket, start: piece.start, items, done };
		const parts = [
			...rest(bucket.start, piece.start),
			...(done && piece.end === Infinity ? this.split(read) : [read]),
			...rest(piece.end, this.timeline.endOf(index)),
		];
		this.timeline.replace(index, parts);
	}

	/** The items of an interval as it was read, in the order of creation. */
	private compare(bucket: Bucket, piece: Piece<Lead>): Item[] {
		const { readAt } = bucket;
		const newSince = readAt === null ? this.newSinceUnread : readAt - LOOK_BACK_MS;
		// Leads with the same key are matched in order.
		const known = new Map<number, Item[]>();
		for (const item of itemsOf(bucket, piece.start, piece.end)) {
			known.set(keyOf(item), [...(known.get(keyOf(item)) ?? []), item]);
		}
		const items: Item[] = [];
		const found: Candidate[] = [];
		for (const lead of piece.leads) {
			const before = known.get(keyOf(lead))?.shift();
			const event = this.candidateFor(bucket, lead, before, newSince);
			found.push(...this.redelivery.candidates(lead, this.outbox));
			if (event) found.push(event);
			if (before) this.seen.found += 1;
			else if (readAt !== null && lead.createdAt < newSince) this.seen.unexpected += 1;
			const { fingerprint, status } = lead;
			items.push({ fingerprint, status, createdAt: secondOf(lead), event, before });
		}
		const missing = [...known.values()].flat();
		const mayBeMissing = piece.completeness !== 'complete';
		if (!mayBeMissing) this.seen.missing += missing.filter(({ status }) => status !== GONE).length;
		// As long as it would be new if it came back, a lead that is gone is remembered.
		const kept = mayBeMissing || readAt === null || piece.end > newSince;
		for (const item of kept ? missing : []) {
			items.push(mayBeMissing ? item : { ...item, status: GONE });
		}
		this.outbox.accept(found);
		return items.sort((a, b) => a.createdAt - b.createdAt);
	}

	private candidateFor(
		{ revision }: Bucket,
		lead: Lead,
		before: Entry | undefined,
		newSince: number,
	): Candidate | undefined {
		if (!before) {
			if (lead.createdAt < newSince) return undefined;
			return this.outbox.candidate(lead, { to: lead.status, revision });
		}
		if (before.status === GONE || before.status === lead.status) return undefined;
		return this.outbox.candidate(lead, { from: before.status, to: lead.status, revision });
	}

	/** Cuts the last bucket, which goes on growing, before one answer cannot hold it. */
	private split(bucket: Bucket): Bucket[] {
		const { bounds, pageSize } = this.session;
		const { items = [], start } = bucket;
		const most = Math.floor(pageSize * FILL);
		if (items.length <= most || !bounds.unit) return [bucket];
		const cuts = items.slice(1, most + 1).map(({ createdAt }, index) => {
			return bounds.between(items[index].createdAt, createdAt) ?? -Infinity;
		});
		const cut = findLast(cuts, (each) => each > start);
		if (cut === undefined) return [bucket];
		return [
			{ ...bucket, items: itemsOf(bucket, start, cut) },
			{ ...bucket, start: cut, items: itemsOf(bucket, cut) },
		];
	}
}

function secondOf({ createdAt }: { createdAt: number }): number {
	return Math.floor(createdAt / 1000) * 1000;
}
