/** Reads buckets of the timeline. */
import type { Comparer } from './compare';
import { explore } from './explore';
import type { Listed, Session } from './session';
import type { Bucket, Timeline } from './timeline';
import type { Steps } from './types';

/** Buckets that are read at the same time. */
const BATCH = 8;

/** What the phases of a poll share. */
export interface Run {
	session: Session;
	timeline: Timeline;
	comparer: Comparer;
}

/** Reads buckets, as many as the poll has requests for. */
export function* readBuckets(run: Run, buckets: Bucket[]): Steps<void> {
	const { session, timeline } = run;
	for (let next = 0; next < buckets.length && session.left > 0; ) {
		// The first was read longest ago, perhaps because it takes many requests.
		const batch = buckets.slice(next, next === 0 ? 1 : next + BATCH);
		next += batch.length;
		const pages = yield* session.list(
			batch.map(({ start }) => session.query(start, timeline.endOf(timeline.indexAt(start)))),
		);
		for (const [index, page] of pages.entries()) {
			if (page) yield* readBucket(run, batch[index], page);
		}
	}
}

/** Reads one bucket, of which the first page is known. */
export function* readBucket(
	{ session, timeline, comparer }: Run,
	{ start }: Bucket,
	page: Listed,
): Steps<void> {
	yield* explore(
		session,
		{ start, end: timeline.endOf(timeline.indexAt(start)) },
		page,
		(piece) => comparer.take(piece),
		(piece) => comparer.isKnown(piece),
	);
}
