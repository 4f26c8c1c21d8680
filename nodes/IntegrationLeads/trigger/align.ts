/** Which lead is which known entry. */
import type { Entry } from './codes';
import type { Lead } from './lead';

/** Beyond this, leads of one second in their thousands, order is given up: the table would not fit in memory. */
const LARGEST_TABLE = 4_000_000;

/**
 * For each lead the index of its entry, or -1. Prints of 18 bits may be shared by two leads; both sides stand in the
 * order of creation and id, which never changes, so their neighbours tell such leads apart.
 */
export function align(entries: readonly Entry[], leads: readonly Lead[]): number[] {
	const places = new Map<number, number>();
	entries.forEach(({ print }, index) => places.set(print, index));
	const seen = new Set(leads.map(({ print }) => print));
	if (places.size === entries.length && seen.size === leads.length) {
		return leads.map(({ print }) => places.get(print) ?? -1);
	}
	const affordable = entries.length * leads.length <= LARGEST_TABLE;
	const found = affordable ? alignInOrder(entries, leads) : leads.map(() => -1);
	return alignRest(entries, leads, found);
}

/** The longest common subsequence of prints; between equals, one in which fewer statuses differ. */
function alignInOrder(entries: readonly Entry[], leads: readonly Lead[]): number[] {
	const width = leads.length + 1;
	const best = new Float64Array((entries.length + 1) * width);
	const worth = (row: number, column: number): number => {
		const [entry, lead] = [entries[row], leads[column]];
		if (entry.print !== lead.print) return -1;
		return 4096 + Number(entry.status === lead.status);
	};
	for (let row = entries.length - 1; row >= 0; row -= 1) {
		for (let column = leads.length - 1; column >= 0; column -= 1) {
			const match = worth(row, column);
			best[row * width + column] = Math.max(
				best[(row + 1) * width + column],
				best[row * width + column + 1],
				match < 0 ? 0 : match + best[(row + 1) * width + column + 1],
			);
		}
	}
	const found = leads.map(() => -1);
	for (let row = 0, column = 0; row < entries.length && column < leads.length; ) {
		const here = best[row * width + column];
		const match = worth(row, column);
		if (match >= 0 && here === match + best[(row + 1) * width + column + 1]) {
			found[column] = row;
			row += 1;
			column += 1;
		} else if (here === best[(row + 1) * width + column]) row += 1;
		else column += 1;
	}
	return found;
}

/** The service may have changed a time after all: rather the same lead out of order than a new one. */
function alignRest(entries: readonly Entry[], leads: readonly Lead[], found: number[]): number[] {
	const used = new Set(found);
	const rows = new Map<number, number[]>();
	entries.forEach(({ print }, row) => {
		if (!used.has(row)) rows.set(print, [...(rows.get(print) ?? []), row]);
	});
	return found.map((row, column) =>
		row >= 0 ? row : (rows.get(leads[column].print)?.shift() ?? -1),
	);
}
