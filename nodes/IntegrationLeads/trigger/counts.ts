/**
 * Finds changes quickly in a large account: where the service's count of a status differs from ours, halving time leads
 * to the buckets to read. Counts cannot show everything, so this is for speed alone; reading all leads in turn finds all changes.
 */
import { groupBy, isEqual } from 'lodash';

import { isWhole } from '../transport/paginate';
import type { Listed } from '../windows/listed';
import type { Lead } from './lead';
import type { Run } from './read';
import { readBuckets } from './read';
import { inBatches } from './session';
import type { Bucket } from './timeline';
import { itemsOf } from './timeline';

/** Finding one change among some hundred thousand leads takes about so many requests. */
const REQUESTS_A_CHANGE = 12;

/** Reads the buckets in which leads have changed, as far as counts show it. */
export async function findChanges(run: Run): Promise<void> {
	const { session, timeline } = run;
	const { names } = session.statuses;
	const affordable = Math.floor(session.settings.maxRequestsPerPoll / 4);
	const statuses = [...names.keys()].filter((status) => names[status] !== '').slice(0, affordable);
	const all = { start: timeline.buckets[0].start, end: Infinity };
	const answers = await inBatches(statuses, async (status) => {
		return await session.list(session.query(all, { limit: 1, status: names[status] }));
	});
	const differing = new Set(statuses.filter((_, index) => answers[index]?.total !== undefined));
	while (differing.size > 0) {
		const totals = timeline.totals(names.length);
		const by = (status: number) => (answers[statuses.indexOf(status)]?.total ?? 0) - totals[status];
		// Arrivals first: every change has one, and departures are explained by them.
		const [next] = [...differing].sort((a, b) => by(b) - by(a) || a - b);
		differing.delete(next);
		if (by(next) !== 0) await bisect(run, next, by(next));
	}
}

async function bisect(run: Run, status: number, by: number): Promise<void> {
	const { session, timeline } = run;
	const { buckets } = timeline;
	const name = session.statuses.names[status];
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
			return await session.list(session.query(span, { status: name }));
		});
		for (const [index, { from, middle, to, by: both }] of halved.entries()) {
			const answer = answers[index];
			if (answer?.total === undefined) continue;
			const lower = answer.total - (sums[middle] - sums[from]);
			const halves = [{ from: middle, to, by: both - lower }];
			if (isWhole(answer)) markSuspects(run, answer, from, middle, status, suspects);
			else halves.push({ from, to: middle, by: lower });
			const differing = halves.filter((half) => half.by !== 0);
			for (const half of differing) if (half.to - half.from === 1) suspects.add(buckets[half.from]);
			ranges.unshift(...differing.filter((half) => half.to - half.from > 1));
		}
	}
	await readBuckets(
		run,
		[...suspects].filter(({ done }) => !done),
	);
}

/** A complete answer for a status shows in which buckets something differs. */
function markSuspects(
	{ timeline }: Run,
	answer: Listed<Lead>,
	from: number,
	to: number,
	status: number,
	suspects: Set<Bucket>,
): void {
	const listed = groupBy(answer.leads, ({ createdAt }) => timeline.indexAt(createdAt));
	const fingerprints = (leads: Array<{ fingerprint: number }>) =>
		leads.map(({ fingerprint }) => fingerprint).sort((a, b) => a - b);
	for (let index = from; index < to; index += 1) {
		const bucket = timeline.buckets[index];
		const known = itemsOf(bucket).filter((item) => item.status === status);
		if (!isEqual(fingerprints(known), fingerprints(listed[index] ?? []))) suspects.add(bucket);
	}
}
