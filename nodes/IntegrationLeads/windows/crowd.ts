/** Leads so close together that no bound comes between them. */
import type { Listed, ReadSpan, Span, TimedLead } from './listed';
import { byTime, within } from './listed';

const PASSES = 3;
const PAGES_AT_ONCE = 8;

/** An interval that was read. */
export interface Piece<L extends TimedLead> extends Span {
	/** Sorted. */
	leads: L[];
	/** Some may be missing: the list never held still, or was too long. */
	partial: boolean;
	/** Those missing may have slipped past, so they do not count as deleted. */
	unsure: boolean;
	/** How many leads the service counted. */
	total?: number;
}

/**
 * Reads an interval page by page, until as many distinct leads were found as every page counts: twice, or once where
 * none that is known is missing.
 */
export async function readCrowd<L extends TimedLead>(
	read: ReadSpan<L>,
	span: Span,
	first: Listed<L>,
	isKnown: (piece: Piece<L>) => boolean,
): Promise<Piece<L>> {
	const all = new Map<string, L>();
	let proofs = 0;
	let start: Listed<L> | undefined = first;
	for (let pass = 1; pass <= PASSES && start; pass += 1) {
		const { total }: Listed<L> = start;
		const { pages, complete } = await readPages(read, span, start);
		const own = new Set<string>();
		for (const { leads } of pages) {
			for (const lead of leads) {
				own.add(lead.id);
				all.set(lead.id, lead);
			}
		}
		if (!complete) break;
		const isCalm = pages.every((page) => page.total === total);
		if (total === undefined || (isCalm && own.size === total)) proofs += 1;
		const piece = toPiece(true);
		if (proofs === 2 || (proofs === 1 && isKnown(piece))) return piece;
		if (pass < PASSES) start = await read(span, 1);
	}
	return toPiece(false);

	function toPiece(settled: boolean): Piece<L> {
		const leads = within([...all.values()], span).sort(byTime);
		return { ...span, leads, partial: proofs === 0, unsure: !settled, total: first.total };
	}
}

/** All pages of an interval; without a total, until one is shorter than the first. */
async function readPages<L extends TimedLead>(
	read: ReadSpan<L>,
	span: Span,
	first: Listed<L>,
): Promise<{ pages: Array<Listed<L>>; complete: boolean }> {
	const size = Math.max(1, first.length);
	const last = first.total === undefined ? Infinity : Math.ceil(first.total / size);
	const pages = [first];
	while (pages.length < last && (last < Infinity || pages[pages.length - 1].length === size)) {
		const count = last < Infinity ? Math.min(PAGES_AT_ONCE, last - pages.length) : 1;
		const numbers = Array.from({ length: count }, (_, index) => pages.length + 1 + index);
		const answers = await Promise.all(numbers.map(async (page) => await read(span, page)));
		const received = answers.filter((answer) => answer !== undefined);
		pages.push(...received);
		if (received.length < count) return { pages, complete: false };
	}
	return { pages, complete: true };
}
