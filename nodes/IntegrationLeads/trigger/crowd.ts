/** Leads that lie so close together that no bound comes between them. */
import type { Lead } from './lead';
import { inOrder } from './lead';
import type { Listed, Session } from './session';
import type { Steps } from './types';

const PASSES = 3;
/** What a complete answer says of a piece. */
export const SURE = { partial: false, unsure: false };

/** An interval that was read. */
export interface Piece {
	start: number;
	end: number;
	/** Sorted. */
	leads: Lead[];
	/** Some may be missing: the list never held still, or was too long. */
	partial: boolean;
	/** Those missing may have slipped past, so they are not taken for gone. */
	unsure: boolean;
}

/**
 * Page by page, until as many distinct leads were found as every page counts; once more if one that is known
 * is missing, since it may have slipped past between two pages.
 */
export function* readCrowd(
	session: Session,
	{ start, end }: { start: number; end: number },
	first: Listed,
	isKnown: (piece: Piece) => boolean,
): Steps<Piece | undefined> {
	const all = new Map<string, Lead>();
	let proofs = 0;
	const pages = Math.ceil((first.total ?? 0) / Math.max(1, first.length));
	if (pages > session.settings.maxRequestsPerPoll / 3) session.overcrowded = true;
	let page: Listed | undefined = first;
	for (let pass = 1; pass <= PASSES && page; pass += 1) {
		const own = new Set<string>();
		let calm = true;
		const add = (listed: Listed) => {
			calm &&= listed.total === page?.total;
			for (const lead of listed.leads) {
				own.add(lead.id);
				all.set(lead.id, lead);
			}
		};
		add(page);
		// Without a total, pages are read until one is short.
		const told = page.total !== undefined;
		const size = Math.max(1, page.length);
		let last: Listed = page;
		for (let number = 2; told ? (number - 1) * size < (page.total ?? 0) : last.length === size; ) {
			const count = told ? Math.min(8, Math.ceil((page.total ?? 0) / size) - number + 1) : 1;
			const answers: Array<Listed | undefined> = yield* session.list(
				Array.from({ length: count }, (_, index) =>
					session.query(start, end, { page: number + index }),
				),
			);
			for (const answer of answers) {
				if (!answer) return partial(all, start, end, proofs > 0);
				add(told ? answer : { ...answer, total: undefined });
				last = answer;
			}
			number += count;
		}
		if (calm && (!told || own.size >= (page.total ?? 0))) proofs += 1;
		const piece = { ...partial(all, start, end), ...SURE };
		if (proofs === 2 || (proofs === 1 && isKnown(piece))) return piece;
		[page] = yield* session.list([session.query(start, end)]);
	}
	return partial(all, start, end, proofs > 0);
}

function partial(all: Map<string, Lead>, start: number, end: number, proven = false): Piece {
	const leads = within([...all.values()], start, end).sort(inOrder);
	return { start, end, leads, partial: !proven, unsure: true };
}

/** Leads created within [start, end). */
export function within(leads: Lead[], start: number, end: number): Lead[] {
	return leads.filter(({ createdAt }) => createdAt >= start && createdAt < end);
}
