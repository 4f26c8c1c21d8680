/** Says under the output of a run what was left out, ignored, read by its value, and what failed. Pure. */
import { compact, get, groupBy, map, partition, sortBy, trimEnd, uniq, upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { labelOf } from '../columns/headings';
import { isExplained, mistakesOf } from '../userError';
import { isLikeAddress } from '../values/identity';
import { listed, nameRows, type Hints } from './hints';
import { failureWord, isOfRow, type Remarks } from './rowResult';

/** The most reasons, and the most remedies, in one hint. */
const MAX_SENTENCES = 3;

export const DONE_BEFORE =
	'were done by an earlier try of this execution, before it failed or was stopped. They were not sent again.';

export const RECORDED_FIRST =
	'Recorded before an earlier item about the same record, and not sent again, because a second time may do harm. If they give a field different values, check which it has.';

/** The names of columns that are not fields of a lead, first those that hold emails or phones. */
export const addressesFirst = (names: Iterable<string>, rows: IDataObject[]): string[] =>
	partition([...names], (name) =>
		rows.some((row) => isLikeAddress(row[name] ?? get(row, name))),
	).flat();

/** The columns that were not read as fields of a lead. */
export const notSentIn = (remarks: Remarks[], rows: IDataObject[]): string[] =>
	addressesFirst(uniq(remarks.flatMap(({ notSent = [] }) => notSent)), rows);

/** Adds a hint that names the columns that were not read as fields of a lead. */
export function hintNotSent(names: string[], hints: Hints): void {
	if (names.length === 0) return;
	hints.add(
		`Ignored, because they are not lead fields: ${listed(names.map((name) => `"${name}"`))}. Rename a column that is one (External ID, Name, Email, …), or map the columns by hand. A lead has no field for an owner, a lost reason, a date of creation or fields of your own: "Options > Note Other Columns" keeps them in a note.`,
	);
}

/** Adds a hint that names the columns and answers that a note has instead of a field. */
export function hintNoted(names: string[], hints: Hints): void {
	if (names.length === 0) return;
	hints.add(
		`Left for the note, because they are not lead fields: ${listed(names.map((name) => `"${name}"`))}. Rename a column that is one (Lead Status, Estimated Value, Sale Date, …), or map the columns by hand.`,
	);
}

/** Adds a hint that names the fields for which values were taken by their form. */
export function hintRead(remarks: Remarks[], hints: Hints): void {
	const all = remarks.flatMap(({ read = {} }) => Object.entries(read));
	const pairs = uniq(all.map(([heading, field]) => `"${heading}" as ${labelOf(String(field))}`));
	if (pairs.length === 0) return;
	hints.add(
		`Read by their values, since their headings are not known: ${listed(pairs)}. If one of them is something else, map the columns by hand.`,
	);
}

/**
 * How many items failed, where to read why and, if their rows say so, the first reasons and remedies.
 *
 * @param failed why items failed, by their indexes
 */
export function failuresInWords(
	failed: Map<number, Error>,
	rows: IDataObject[],
	inRows: boolean,
): string {
	const failures = sortBy([...failed], 0).map(([itemIndex, reason]) => ({ itemIndex, reason }));
	const groups = partition(failures, ({ reason }) => !inRows || failureWord(reason) !== 'unclear');
	const happened = [inRows ? 'were not recorded' : 'failed', 'may have been recorded'];
	const counts = groups.map((group, which) => {
		const what = `${group.length} of ${rows.length} items ${happened[which]}`;
		return group.length > 0 && `${what} (${nameRows(map(group, 'itemIndex'), rows)})`;
	});
	const place = inRows ? '"result"' : '"error"';
	const what = `${compact(counts).join(', and ')}. ${place} in their output says why.`;
	const ofRows = failures.filter(({ reason }) => inRows && isOfRow(reason));
	const reasons = ofRows.slice(0, MAX_SENTENCES).map(({ itemIndex, reason: { message } }) => {
		return `${upperFirst(nameRows([itemIndex], rows))}: ${trimEnd(message, '.')}.`;
	});
	const remedies = map(ofRows, 'reason').flatMap(panelRemediesOf);
	return [what, ...reasons, ...uniq(remedies).slice(0, MAX_SENTENCES)].join(' ');
}

/** What only the panel can do about the mistakes of a row. */
const panelRemediesOf = (reason: Error): string[] =>
	(isExplained(reason) ? mistakesOf(reason) : []).flatMap(({ remedy }) =>
		typeof remedy === 'object' && remedy.panel ? remedy.panel : [],
	);

/** Adds a hint for each field of which values were left out, with the reason if it is the same in all rows. */
export function hintLeftOut(remarks: Remarks[], hints: Hints): void {
	const all = remarks.flatMap(({ leftOut = {} }, itemIndex) =>
		Object.entries(leftOut).map(([label, reason]) => ({ label, reason, itemIndex })),
	);
	for (const ofField of Object.values(groupBy(all, 'label'))) {
		const [reason, ...others] = uniq(map(ofField, 'reason'));
		const why = others.length === 0 ? `: ${String(reason)}` : '. The output says why.';
		for (const { label, itemIndex } of ofField)
			hints.add(`"${label}" was left out${why}`, itemIndex);
	}
}
