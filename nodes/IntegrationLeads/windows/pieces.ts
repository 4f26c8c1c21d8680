/**
 * Reads intervals of creation time in pieces, each of which is complete.
 *
 * A piece is complete when one answer held all of it. Where the list is sorted by time, a page that is one end of a
 * larger interval is complete too, once the rest is counted: of 250 leads the page holds the newest 100, and 150 were
 * created before these. Leads so close together that no bound comes between them are read by pages.
 */
import type { ReadList } from '../transport/paginate';
import { isWhole, readWhole } from '../transport/paginate';
import type { Bounds } from './bounds';
import { UNIT } from './bounds';
import type { Listed, ReadSpan, Span, TimedLead } from './listed';
import { byTime, within } from './listed';

/** An interval that was read. */
export interface Piece<L extends TimedLead> extends Span {
	/** Sorted. */
	leads: L[];
	/** Whether leads may be missing; only those missing from a complete piece are known to be deleted. */
	completeness: ReadList['completeness'];
	/** How many leads the service counted. */
	total?: number;
}

/** An interval to read, with its first page where that is known. */
interface SpanJob<L extends TimedLead> extends Span {
	page?: Listed<L>;
	/** The page beside this interval. It is complete if the interval has this total (above: 150). */
	neighbour?: { piece: Piece<L>; total: number };
}

/** What the caller decides. */
interface PieceSettings<L extends TimedLead> {
	read: ReadSpan<L>;
	bounds: Bounds;
	/** Is given each piece as soon as it is complete. */
	take: (piece: Piece<L>) => void;
	/** Whether all leads known in an interval are in this piece; otherwise its pages are read twice. */
	isKnown: (piece: Piece<L>) => boolean;
	/** How many requests may still be made. */
	left: () => number;
}

/** So often an interval of 25,600 leads is halved until one answer holds all of a part. */
const REQUESTS_A_PIECE = 8;
/** Intervals that are read at the same time. */
const AT_ONCE = 8;
/** A page of fewer leads may look sorted by chance. */
const SORTED_LEADS = 20;

/**
 * How many intervals to read at the same time with so many requests left: 8 with 64 or more, one with 15. Nothing is kept
 * of an interval that was only cut. If 15 requests went into cutting 8 intervals side by side, no part would be read to its
 * end, and the next attempt would do the same again.
 */
function widthFor(left: number): number {
	return Math.min(AT_ONCE, Math.max(1, Math.floor(left / REQUESTS_A_PIECE)));
}

/** Pieces that are not taken were not read: no more requests could be made. */
export async function readPieces<L extends TimedLead>(
	start: SpanJob<L>,
	how: PieceSettings<L>,
): Promise<void> {
	const jobs = [start];
	while (jobs.length > 0) {
		const batch = jobs.splice(-widthFor(how.left()));
		const pages = await Promise.all(batch.map(async (job) => job.page ?? (await how.read(job, 1))));
		for (const [index, page] of pages.entries()) {
			if (page) jobs.push(...(await divide(batch[index], page, how)));
		}
	}
}

/** @returns what is still to be read of an interval of which the first page is known; it is read from its end */
async function divide<L extends TimedLead>(
	job: SpanJob<L>,
	page: Listed<L>,
	how: PieceSettings<L>,
): Promise<Array<SpanJob<L>>> {
	const { bounds, take } = how;
	const { start, end, neighbour } = job;
	const again: Array<SpanJob<L>> = [];
	if (neighbour && neighbour.total === page.total) take(neighbour.piece);
	else if (neighbour) again.push({ start: neighbour.piece.start, end: neighbour.piece.end });
	const inside = within(page.leads, job);
	bounds.notice(page, job);
	if (isWhole(page)) {
		take({ start, end, leads: inside, completeness: 'complete', total: page.total });
		return again;
	}
	if (bounds.unit === undefined) await bounds.probeUnit(how.read, page);
	const cuts = bounds.unit === UNIT.none ? [] : cutsOf(page, inside, job, bounds);
	if (cuts.length === 0) {
		take(await readByPages({ start, end }, page, how));
		return again;
	}
	const [cut] = cuts;
	if (page.order === 'none' || !areApart(inside, bounds) || page.total === undefined) {
		const edges = [start, ...cuts, end];
		const parts = edges.slice(1).map((edge, index) => ({ start: edges[index], end: edge }));
		return [...again, ...parts];
	}
	// The page holds the end of the interval where the list begins.
	const upper = { start: cut, end };
	const lower = { start, end: cut };
	const [own, rest] = page.order === 'falling' ? [upper, lower] : [lower, upper];
	const leads = within(inside, own);
	const total = leads.length;
	const piece = { ...own, leads, completeness: 'complete' as const, total };
	return [...again, { ...rest, neighbour: { piece, total: page.total - total } }];
}

/** Reads an interval by pages, twice unless the first reading shows all leads that are known. */
async function readByPages<L extends TimedLead>(
	span: Span,
	first: Listed<L>,
	{ read, isKnown }: PieceSettings<L>,
): Promise<Piece<L>> {
	const leads = new Map<string, L>();
	const keep = (page: Listed<L> | undefined) => {
		for (const lead of page?.leads ?? []) leads.set(lead.id, lead);
		return page;
	};
	const toPiece = (completeness: Piece<L>['completeness']): Piece<L> => ({
		...span,
		leads: within([...leads.values()], span).sort(byTime),
		completeness,
		total: first.total,
	});
	const { completeness } = await readWhole(
		async ({ page }) => keep(await read(span, page)),
		keep(first),
		{ isEnough: () => isKnown(toPiece('complete')) },
	);
	return toPiece(completeness);
}

/**
 * Whether sorted leads show that the rest of their list is on the other side of a bound between them. Those of one
 * moment are in no order: more of them may follow.
 */
function areApart(leads: TimedLead[], bounds: Bounds): boolean {
	if (leads.length < SORTED_LEADS) return false;
	const [first, last] = [leads[0], leads[leads.length - 1]];
	return bounds.floor(first.createdAt) < bounds.floor(last.createdAt);
}

/** Where to cut an interval that one answer could not hold; nothing where no bound comes between its leads. */
function cutsOf<L extends TimedLead>(
	page: Listed<L>,
	inside: L[],
	{ start, end }: Span,
	bounds: Bounds,
): number[] {
	const unit = bounds.unit || UNIT.second;
	const clean = (points: number[]) =>
		[...new Set(points.map((point) => bounds.floor(point)))].filter(
			(point) => point > start && point < end,
		);
	// What came lies beside the interval: its ends are read individually, so that the rest is rid of it.
	if (inside.length === 0) return clean([start + unit, end - unit]);
	const gaps = inside.slice(1).flatMap(({ createdAt }, index) => {
		return bounds.between(inside[index].createdAt, createdAt) ?? [];
	});
	const between = clean(gaps);
	if (page.order !== 'none' && between.length > 0) {
		// Near the far end, so that the page holds most of what it proves.
		return [page.order === 'falling' ? between[0] : between[between.length - 1]];
	}
	const count = Math.max(2, Math.ceil((page.total ?? 0) / page.records.length));
	const shares = Array.from({ length: count - 1 }, (_, index) => (index + 1) / count);
	const cuts = clean(shares.map((share) => inside[Math.floor(share * inside.length)].createdAt));
	if (cuts.length > 0) return cuts;
	return clean([inside[0].createdAt, inside[inside.length - 1].createdAt + unit]);
}
