/** Says under the output of a run what was left out, ignored, read by its value, and what failed. Pure. */
import { groupBy, map, partition, sortBy, trimEnd, uniq, upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { labelOf } from '../columns/headings';
import { listed, nameRows, type Hints } from './hints';
import type { Remarks } from './rowResult';

/** The most reasons, and the most remedies, in one hint. */
const MAX_SENTENCES = 3;

const EMAIL_OR_PHONE = /^(?:[^\s@]+@[^\s@]+|\+?\d{10,15})$/;
/** Whether a value is an email or a phone: the column that holds one is missed most. */
const holdsAddress = (value: unknown) =>
	EMAIL_OR_PHONE.test(
		String(value ?? '')
			.slice(0, 100)
			.replace(/[\s().-]/g, ''),
	);

export const DONE_BEFORE =
	'were done by an earlier try of this execution, before it failed or was stopped. They were not sent again.';

/** The columns that were not read as fields of a lead, first those that hold emails or phones. */
export function notSentIn(remarks: Remarks[], rows: IDataObject[]): string[] {
	const all = uniq(remarks.flatMap(({ notSent = [] }) => notSent));
	return partition(all, (name) => rows.some((row) => holdsAddress(row[name]))).flat();
}

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

/** The items that failed, by their indexes, and why; see ItemLoop. */
interface Failures {
	failed: Set<number>;
	reasons: Map<number, string>;
	remedies: Set<string>;
}

/** How many items failed, where to read why and, if their rows say so, the first reasons and remedies. */
export function failuresInWords(
	{ failed, reasons, remedies }: Failures,
	rows: IDataObject[],
	inRows: boolean,
): string {
	const happened = inRows ? 'were not recorded' : 'failed';
	const which = nameRows(sortBy([...failed]), rows);
	const place = inRows ? '"result"' : '"error"';
	const what = `${failed.size} of ${rows.length} items ${happened} (${which}). ${place} in their output says why.`;
	return [what, ...firstReasons(reasons, rows), ...[...remedies].slice(0, MAX_SENTENCES)].join(' ');
}

/** One sentence for each of the first rows that failed. */
const firstReasons = (reasons: Map<number, string>, rows: IDataObject[]) =>
	sortBy([...reasons], 0)
		.slice(0, MAX_SENTENCES)
		.map(([index, why]) => `${upperFirst(nameRows([index], rows))}: ${trimEnd(why, '.')}.`);

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
