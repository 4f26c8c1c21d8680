/** Leads so close together that no bound comes between them. */
import type { Listed, Span, Steps, TimedLead } from './listed';
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
export function* readCrowd<L extends TimedLead>(
	span: Span,
	first: Listed<L>,
	isKnown: (piece: Piece<L>) => boolean,
): Steps<L, Piece<L>> {
	const all = new Map<string, L>();
	let proofs = 0;
	let start: Listed<L> | undefined = first;
	for (let pass = 1; pass <= PASSES && start; pass += 1) {
		const { total }: Listed<L> = start;
		const pages = yield* readPages(span, start);
		const own = new Set<string>();
		for (const { leads } of pages.read) {
			for (const lead of leads) {
				own.add(lead.id);
				all.set(lead.id, lead);
			}
		}
		if (!pages.complete) break;
		const isCalm = pages.read.every((page) => page.total === total);
		if (total === undefined || (isCalm && own.size === total)) proofs += 1;
		const piece = toPiece(true);
		if (proofs === 2 || (proofs === 1 && isKnown(piece))) return piece;
		if (pass < PASSES) [start] = yield [{ span, page: 1 }];
	}
	return toPiece(false);

	function toPiece(settled: boolean): Piece<L> {
		const leads = within([...all.values()], span).sort(byTime);
		return { ...span, leads, partial: proofs === 0, unsure: !settled, total: first.total };
	}
}

/** All pages of an interval; without a total, until one is shorter than the first. */
function* readPages<L extends TimedLead>(
	span: Span,
	first: Listed<L>,
): Steps<L, { read: Array<Listed<L>>; complete: boolean }> {
	const size = Math.max(1, first.length);
	const last = first.total === undefined ? Infinity : Math.ceil(first.total / size);
	const read = [first];
	while (read.length < last && (last < Infinity || read[read.length - 1].length === size)) {
		const count = last < Infinity ? Math.min(PAGES_AT_ONCE, last - read.length) : 1;
		const answers = yield Array.from({ length: count }, (_, index) => {
			return { span, page: read.length + 1 + index };
		});
		const received = answers.filter((answer) => answer !== undefined);
		read.push(...received);
		if (received.length < count) return { read, complete: false };
	}
	return { read, complete: true };
}
