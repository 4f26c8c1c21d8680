/**
 * Finds changes quickly in a large account: where the service's counts by status differ from ours, halving time
 * leads to the buckets to read. Counts cannot show everything; only the sweep finds all changes.
 */
import type { Lead } from './lead';
import type { Listed } from './session';
import { isWhole } from './session';
import type { Run } from './read';
import { readBuckets } from './read';
import { GONE } from './encoding';
import type { Bucket } from './timeline';
import { itemsOf } from './timeline';
import type { Steps } from './types';

/** A status whose count differs; `undefined` stands for all leads. */
interface Difference {
	status: number | undefined;
	by: number;
}

/**
 * Reads the buckets in which leads have changed, as far as counts tell.
 *
 * @param offsets by status plus one, that of all leads first: differences known to mean nothing. Is updated.
 * @returns whether the service counts at all
 */
export function* findChanges(run: Run, offsets: number[]): Steps<boolean> {
	const { session, timeline } = run;
	const { names } = session.statuses;
	const affordable = Math.floor(session.settings.maxRequestsPerPoll / 4);
	const counted = names
		.map((_, status) => status)
		.filter((status) => names[status] !== '')
		.slice(0, affordable);
	const start = timeline.buckets[0].start;
	const ask = [undefined, ...counted];
	const answers = yield* session.list(
		ask.map((status) => session.query(start, Infinity, { limit: 1, ...ofStatus(names, status) })),
	);
	if (answers.some((answer) => answer && answer.total === undefined)) return false;
	const differences = (): Difference[] => {
		const totals = timeline.totals(names.length);
		const all = totals.reduce((sum, count) => sum + count, 0);
		return ask.flatMap((status, index) => {
			const told = answers[index]?.total;
			if (told === undefined) return [];
			const ours = status === undefined ? all : totals[status];
			const by = told - ours - (offsets[status === undefined ? 0 : status + 1] ?? 0);
			return by === 0 ? [] : [{ status, by }];
		});
	};
	const tried = new Set<number | undefined>();
	for (;;) {
		// Arrivals first: every change has one, and departures are explained by them.
		const [next] = differences()
			.filter(({ status }) => !tried.has(status))
			.sort((a, b) => Number(b.by > 0) - Number(a.by > 0) || Math.abs(b.by) - Math.abs(a.by));
		if (!next) break;
		tried.add(next.status);
		if (!(yield* localise(run, next))) return true;
	}
	// Everything that differs was looked at: what is left is due to how the service counts.
	for (const { status, by } of differences()) {
		const place = status === undefined ? 0 : status + 1;
		while (offsets.length <= place) offsets.push(0);
		offsets[place] += by;
	}
	return true;
}

/** About what it takes to find one change among some hundred thousand leads. */
const REQUESTS_A_CHANGE = 12;

interface Range {
	/** Places of buckets. */
	from: number;
	to: number;
	by: number;
}

/** @returns false when the poll could not afford to finish */
function* localise(run: Run, { status, by }: Difference): Steps<boolean> {
	const { session, timeline } = run;
	const ours = timeline.countsOf(status);
	const sums = new Int32Array(ours.length + 1);
	ours.forEach((count, index) => (sums[index + 1] = sums[index] + count));
	let ranges: Range[] = [{ from: 0, to: ours.length, by }];
	const suspects = new Set<Bucket>();
	let finished = true;
	while (ranges.length > 0) {
		for (const { from } of ranges.filter((range) => range.to - range.from === 1)) {
			suspects.add(timeline.buckets[from]);
		}
		ranges = ranges.filter((range) => range.to - range.from > 1);
		// Few at once: where there is much to find, some is found to the end instead of everything by half.
		const width = Math.max(1, Math.floor(session.left / REQUESTS_A_CHANGE));
		const batch = ranges.slice(0, Math.max(0, Math.min(width, session.left - suspects.size)));
		if (batch.length === 0) {
			finished = ranges.length === 0;
			break;
		}
		const answers = yield* session.list(
			batch.map(({ from, to }) => {
				const start = timeline.buckets[from].start;
				const middle = timeline.buckets[(from + to) >> 1].start;
				return session.query(start, middle, ofStatus(session.statuses.names, status));
			}),
		);
		const halves = batch.flatMap((range, index): Range[] => {
			const answer = answers[index];
			if (answer?.total === undefined) {
				finished = false;
				return [];
			}
			const middle = (range.from + range.to) >> 1;
			const lower = answer.total - (sums[middle] - sums[range.from]);
			const parts = [{ from: middle, to: range.to, by: range.by - lower }];
			if (isWhole(answer)) markSuspects(run, answer, range.from, middle, status, suspects);
			else parts.push({ from: range.from, to: middle, by: lower });
			return parts.filter((part) => part.by !== 0);
		});
		ranges = [...halves, ...ranges.slice(batch.length)];
	}
	// Those read in this poll already are what they are.
	const buckets = [...suspects].filter((bucket) => !bucket.done);
	yield* readBuckets(run, buckets);
	return finished && session.left > 0;
}

/** A complete answer for a status tells the very buckets in which something differs. */
function markSuspects(
	{ timeline }: Run,
	answer: Listed,
	from: number,
	to: number,
	status: number | undefined,
	suspects: Set<Bucket>,
): void {
	const listed = new Map<number, Lead[]>();
	const [start, end] = [timeline.buckets[from].start, timeline.endOf(to - 1)];
	for (const lead of answer.leads) {
		if (lead.createdAt < start || lead.createdAt >= end) continue;
		const place = timeline.indexAt(lead.createdAt);
		listed.set(place, [...(listed.get(place) ?? []), lead]);
	}
	for (let place = from; place < to; place += 1) {
		const bucket = timeline.buckets[place];
		const known = itemsOf(bucket).filter((entry) =>
			status === undefined ? entry.status !== GONE : entry.status === status,
		);
		const fingerprints = (entries: Array<{ fingerprint: number }>) =>
			entries
				.map(({ fingerprint }) => fingerprint)
				.sort((a, b) => a - b)
				.join();
		if (fingerprints(known) !== fingerprints(listed.get(place) ?? [])) suspects.add(bucket);
	}
}

function ofStatus(names: string[], status: number | undefined): { status?: string } {
	return status === undefined ? {} : { status: names[status] };
}
