/** Reads buckets of the timeline. */
import type { Listed, Span } from '../windows/listed';
import type { Comparer } from './compare';
import { readPieces, widthFor } from '../windows/pieces';
import type { Lead } from './lead';
import type { Session } from './session';
import type { Bucket, Timeline } from './timeline';

/** Buckets that are read at the same time. */
const BATCH = 8;

/** What the phases of a poll share. */
export interface Run {
	session: Session;
	timeline: Timeline;
	comparer: Comparer;
}

/** Reads buckets, as many as the poll has requests for. */
export async function readBuckets(run: Run, buckets: Bucket[]): Promise<void> {
	const { session, timeline } = run;
	for (let next = 0; next < buckets.length && session.left > 0; ) {
		// The first was read longest ago, perhaps because it takes many requests.
		const batch = buckets.slice(next, next === 0 ? 1 : next + BATCH);
		next += batch.length;
		const pages = await Promise.all(
			batch.map(async (bucket) => await session.readSpan(spanOf(bucket, timeline), 1)),
		);
		for (const [index, page] of pages.entries()) {
			if (page) await readBucket(run, batch[index], page);
		}
	}
}

/** Reads one bucket, of which the first page is known; what there are no requests for stays as it was. */
export async function readBucket(
	{ session, timeline, comparer }: Run,
	bucket: Bucket,
	page: Listed<Lead>,
): Promise<void> {
	const { bounds, settings } = session;
	await readPieces<Lead>(
		{ ...spanOf(bucket, timeline), page },
		{
			read: session.readSpan,
			bounds,
			take: (piece) => {
				const pages = Math.ceil((piece.total ?? piece.leads.length) / Math.max(1, session.longest));
				if (pages > Math.max(1, settings.maxRequestsPerPoll / 3)) session.tooManyInOneSecond = true;
				comparer.take(piece);
			},
			isKnown: (piece) => comparer.isKnown(piece),
			width: () => widthFor(session.left),
		},
	);
}

function spanOf({ start }: Bucket, timeline: Timeline): Span {
	return { start, end: timeline.endOf(timeline.indexAt(start)) };
}
