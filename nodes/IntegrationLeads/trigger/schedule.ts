/** Which buckets a poll reads, in the order of urgency. */
import type { Listed } from '../windows/listed';
import { findChanges } from './counts';
import type { Lead } from './lead';
import type { Run } from './read';
import { readBucket, readBuckets } from './read';
import type { Session } from './session';
import { watchesStatus } from './state';
import type { Bucket } from './timeline';
import { isOld } from './timeline';

/** The part of the requests that is kept for reading all leads in turn, which makes detection complete. */
const TURN_SHARE = 1 / 3;
/** The part of the requests allowed in a minute that a poll may use, as long as those in turn keep their share. */
const RATE_SHARE = 1 / 5;
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
export async function readTimeline(run: Run, page: Listed<Lead>, turn: number): Promise<void> {
	const { session, timeline } = run;
	const cap = session.settings.maxRequestsPerPoll;
	const share = Math.ceil(cap * TURN_SHARE);
	await keeping(session, share, async () => await readBucket(run, timeline.last, page));
	const kinds = [recent, unread, old];
	const [first] = kinds.map((_, index) => kinds[(turn + index) % 3](run)).flat();
	if (first) {
		first.first = true;
		await readBuckets(run, [first]);
	}
	await keeping(session, share, async () => await readBuckets(run, recent(run)));

	const never = unread(run);
	if (never.length > 0) {
		await keeping(session, share, async () => await readBuckets(run, never));
	} else if (watchesStatus(session.settings) && old(run).length > session.left) {
		await keeping(session, share - 2, async () => await findChanges(run));
	}

	const allowed = Math.floor((session.requestsPerMinute ?? Infinity) * RATE_SHARE);
	const kept = Math.max(0, Math.min(cap - allowed, session.left - share));
	await keeping(session, kept, async () => await readBuckets(run, old(run)));
}

async function keeping(
	session: Session,
	reserve: number,
	read: () => Promise<void>,
): Promise<void> {
	session.reserve = reserve;
	await read();
	session.reserve = 0;
}

/** Buckets in which leads can still appear, or from which events are emitted again; the last one aside. */
function recent(run: Run): Bucket[] {
	return due(
		run,
		(bucket, end) => bucket.readAt !== null && (bucket.isAwaited === true || !isOld(bucket, end)),
	);
}

function unread(run: Run): Bucket[] {
	return due(run, ({ readAt }) => readAt === null);
}

/** Buckets in which only changes of status are of interest. */
function old(run: Run): Bucket[] {
	return watchesStatus(run.session.settings) ? due(run, isOld) : [];
}

/** Buckets of which nothing was read in this poll, the one read longest ago first. The last one is read in any case. */
function due({ timeline }: Run, is: (bucket: Bucket, end: number) => boolean): Bucket[] {
	return timeline.buckets
		.slice(0, -1)
		.filter((bucket, index) => !bucket.items && is(bucket, timeline.endOf(index)))
		.sort((a, b) => a.turn - b.turn);
}
