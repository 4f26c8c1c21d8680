/**
 * Reads an interval of creation times in pieces, each of which is complete.
 *
 * A piece is complete when one answer held all of it. Where the list is sorted by time, a page that is the end of a
 * larger interval is taken too, once the rest's total has shrunk by just what the page holds. Leads that lie so close
 * together that no bound comes between them (a crowd) are read by pages.
 */
import { calibrate, noticeBounds } from './bounds';
import type { Piece } from './crowd';
import { readCrowd, SURE, within } from './crowd';
import type { Lead } from './lead';
import type { Listed, Session } from './session';
import { isWhole, UNIT } from './session';
import type { Steps } from './types';

interface Job {
	start: number;
	end: number;
	page?: Listed;
	/** Taken if the job's total turns out to be this. */
	unproven?: { piece: Piece; total: number };
}

/** A page of fewer leads may look sorted by chance. */
const SORTED_LEADS = 20;
/** How full a bucket is made, so that late leads find room. */
export const FILL = 0.9;
/** An interval is cut into so many at once, at most. */
const MOST_PARTS = 12;

/**
 * @param page the answer to the whole interval, when there is one already
 * @param take is given each piece as soon as it is complete
 * @param isKnown whether all leads known in an interval are among these; a crowd is read twice to believe otherwise
 */
export function* explore(
	session: Session,
	{ start, end }: { start: number; end: number },
	page: Listed | undefined,
	take: (piece: Piece) => void,
	isKnown: (piece: Piece) => boolean,
): Steps<void> {
	const jobs: Job[] = [{ start, end, page }];
	while (jobs.length > 0 && (session.left > 0 || jobs[jobs.length - 1].page)) {
		const jobsNow = jobs.splice(-Math.max(1, Math.min(8, session.left)));
		const missing = jobsNow.filter((job) => !job.page);
		const answers = yield* session.list(missing.map((job) => session.query(job.start, job.end)));
		missing.forEach((job, index) => (job.page = answers[index]));
		for (const job of jobsNow.reverse()) {
			if (!job.page) return;
			if (job.unproven) {
				const { piece, total } = job.unproven;
				if (job.page.total === total) take(piece);
				else jobs.push({ start: piece.start, end: piece.end });
			}
			yield* work(session, job, job.page, { take, jobs, isKnown });
		}
	}
}

interface Found {
	take: (piece: Piece) => void;
	jobs: Job[];
	isKnown: (piece: Piece) => boolean;
}

function* work(session: Session, job: Job, page: Listed, found: Found): Steps<void> {
	const { start, end } = job;
	const inside = within(page.leads, start, end);
	noticeBounds(session, page, start, end);
	if (isWhole(page)) {
		found.take({ start, end, leads: inside, ...SURE });
		return;
	}
	if (session.unit === undefined) {
		yield* calibrate(session, page);
		if (session.unit === undefined) return;
	}
	const cuts = session.unit === UNIT.none ? [] : cutsOf(session, page, inside, start, end);
	if (cuts.length === 0) {
		const piece = yield* readCrowd(session, job, page, found.isKnown);
		if (piece) found.take(piece);
		return;
	}
	if (page.sorted && inside.length >= SORTED_LEADS && page.total !== undefined) {
		const [cut] = cuts;
		const upper = { start: cut, end, leads: within(inside, cut, end), ...SURE };
		const lower = { start, end: cut, leads: within(inside, start, cut), ...SURE };
		// The end of the interval that the page holds is the one where leads lie on the page's side of the cut.
		const [piece, rest] = isNewestFirst(page, inside) ? [upper, lower] : [lower, upper];
		const outside = page.length - inside.length;
		const total = page.total - piece.leads.length;
		const unproven = outside === 0 && piece.leads.length > 0 ? { piece, total } : undefined;
		if (!unproven) found.jobs.push({ start: piece.start, end: piece.end });
		found.jobs.push({ start: rest.start, end: rest.end, unproven });
		return;
	}
	const edges = [start, ...cuts, end];
	for (let index = edges.length - 2; index >= 0; index -= 1) {
		found.jobs.push({ start: edges[index], end: edges[index + 1] });
	}
}

/** Where to cut an interval that one answer could not hold; nothing where no bound comes between its leads. */
function cutsOf(
	session: Session,
	page: Listed,
	inside: Lead[],
	start: number,
	end: number,
): number[] {
	const unit = session.unit || UNIT.second;
	const clean = (points: number[]) =>
		[...new Set(points.map((point) => session.floor(point)))]
			.filter((point) => point > start && point < end)
			.sort((a, b) => a - b);
	if (page.sorted && inside.length > 1) {
		const cut = chooseCut(session, inside, start, end, isNewestFirst(page, inside));
		if (cut !== undefined) return [cut];
	}
	if (inside.length === 0) {
		// What came lies beside the interval: its ends are read apart, so that the rest is rid of it.
		const ends = clean([start + unit, end - unit]);
		if (ends.length > 0) return ends;
	}
	const parts = Math.ceil((page.total ?? 2 * page.length) / (FILL * Math.max(1, page.length)));
	const count = Math.min(MOST_PARTS, Math.max(2, parts));
	const inner = Array.from({ length: count - 1 }, (_, index) => (index + 1) / count);
	const quantiles = inner.map(
		(share) => inside[Math.floor(share * inside.length)]?.createdAt ?? NaN,
	);
	const cuts = clean(quantiles);
	if (cuts.length > 0) return cuts;
	if (inside.length > 0) {
		const edges = clean([inside[0].createdAt, inside[inside.length - 1].createdAt + unit]);
		if (edges.length > 0) return edges;
	}
	if (start === -Infinity || end === Infinity || end - start <= unit) return [];
	return clean(inner.map((share) => start + share * (end - start)));
}

/** A cut near the far end of a sorted page, in the widest gap there is, so that it matters least what a bound includes. */
function chooseCut(
	session: Session,
	leads: Lead[],
	start: number,
	end: number,
	newestFirst: boolean,
): number | undefined {
	let [best, gap] = [undefined as number | undefined, -1];
	const reach = Math.max(1, Math.floor(leads.length * (1 - FILL)));
	for (let step = 1; step < leads.length; step += 1) {
		if (step > reach && best !== undefined) break;
		const index = newestFirst ? step : leads.length - step;
		const cut = cutBetween(session, leads[index - 1].createdAt, leads[index].createdAt);
		const width = leads[index].createdAt - leads[index - 1].createdAt;
		if (cut !== undefined && cut > start && cut < end && width > gap) [best, gap] = [cut, width];
	}
	return best;
}

/** A bound after `before` and not after `after`, far from both if there is room. */
export function cutBetween(session: Session, before: number, after: number): number | undefined {
	const middle = session.floor(before + (after - before) / 2);
	if (middle > before) return middle;
	const last = session.floor(after);
	return last > before ? last : undefined;
}

/** In a page that looks sorted: whether it holds the newest leads. The first record tells. */
function isNewestFirst(page: Listed, inside: Lead[]): boolean {
	return page.first === undefined || page.first > inside[0].createdAt;
}
