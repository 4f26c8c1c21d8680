/** Says what was left out, ignored, noted or read by its value, and what failed: in the output of items, and under that of the run. */
import {
	compact,
	get,
	groupBy,
	map,
	partition,
	set,
	sortBy,
	trimEnd,
	uniq,
	upperFirst,
} from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { labelOf } from '../columns/headings';
import { isExplained, mistakesOf, type Reader, remedyFor, UserError } from '../userError';
import type { ConvertContext } from '../values/context';
import { isLikeAddress } from '../values/identity';
import { shorten } from '../values/json';
import { listed, nameRows, withItems, type Hints } from './hints';
import { failureWord, isOfRow, type Remarks } from './output';

/** The most reasons, and the most remedies, in one hint. */
const MAX_SENTENCES = 3;

export const DONE_BEFORE =
	'were done by an earlier try of this execution, before it failed or was stopped. They were not sent again.';

export const RECORDED_FIRST =
	'Recorded before an earlier item about the same record, and not sent again, because a second time may do harm. If they give a field different values, check which it has.';

/** What a run says of its items besides what became of them: in their output, and in hints under it. */
export class RunReport {
	/** Remarks for the output of items, by their index. */
	readonly remarks: Remarks[] = [];

	/** Headings with their fields, in words, where items are only checked. */
	private readonly read = new Set<string>();

	private readonly noted = new Set<string>();

	private readonly unjudged = new Set<string>();

	constructor(
		private readonly rows: IDataObject[],
		private readonly modes: { inRows: boolean; onlyChecks: boolean },
	) {}

	/** Returns functions that note what is said of an item while it is converted. */
	listenersOf(
		itemIndex: number,
	): Pick<ConvertContext, 'onUnsent' | 'onUnjudged' | 'onNoted' | 'onLeftOut' | 'onRead'> {
		const { inRows, onlyChecks } = this.modes;
		const note = (path: string[], remark: unknown) =>
			void set(this.remarks, [itemIndex, ...path], remark);
		return {
			onUnsent: (fields) => note(['notSent'], fields),
			onUnjudged: (headings, isPlain) => {
				for (const heading of headings) this.unjudged.add(heading);
				if (!isPlain) note(['notConsidered'], headings);
			},
			onNoted: (fields) => {
				for (const field of fields) this.noted.add(field);
				// In other outputs, `noted` has all of it.
				if (inRows) note(['noted'], fields);
			},
			onLeftOut: (label, reason) => note(['leftOut', label], reason),
			onRead: (heading, field, byValue) => {
				const remark = onlyChecks && byValue ? ' (by its value)' : '';
				if (onlyChecks) this.read.add(`"${heading}" as ${labelOf(field)}${remark}`);
				// A row says of itself only what may be a mistake.
				if (inRows ? byValue : byValue || onlyChecks)
					note(['read', heading], inRows ? field : field + remark);
			},
		};
	}

	/** The columns of all items: those that were read with their fields, and the headings of those for the note and of the others. */
	get columns(): { read: string[]; noted: string[]; notSent: string[] } {
		const notSent = uniq(this.remarks.flatMap((remark) => remark?.notSent ?? []));
		return {
			read: [...this.read],
			noted: this.addressesFirst([...this.noted]),
			notSent: this.addressesFirst(notSent),
		};
	}

	/**
	 * Adds the hints on all items.
	 *
	 * @param failed why items failed, by their indexes
	 */
	addHints(hints: Hints, failed: Map<number, Error>): void {
		this.hintLeftOut(hints);
		this.hintUnjudged(hints);
		if (this.modes.onlyChecks) return;
		const [notSent, noted] = [this.columns.notSent, this.columns.noted].map((names) =>
			listed(names.map((name) => `"${name}"`)),
		);
		if (notSent !== '') {
			hints.add(
				`Ignored, because they are not lead fields: ${notSent}. Rename a column that is one (External ID, Name, Email, …), or map the columns by hand. A lead has no field for an owner, a lost reason, a date of creation or fields of your own: "Options > Note Other Columns" keeps them in a note.`,
			);
		}
		if (noted !== '') {
			hints.add(
				`Left for the note, because they are not lead fields: ${noted}. Rename a column that is one (Lead Status, Estimated Value, Sale Date, …), or map the columns by hand.`,
			);
		}
		this.hintRead(hints);
		if (failed.size > 0) hints.add(failuresInWords(failed, this.rows, this.modes.inRows));
	}

	/** The names of columns, first those that hold emails or phones. */
	private addressesFirst(names: string[]): string[] {
		const isAddress = (name: string) =>
			this.rows.some((row) => isLikeAddress(row[name] ?? get(row, name)));
		return partition(names, isAddress).flat();
	}

	/** Adds a hint that names the columns that were not considered in whether rows are sales. */
	private hintUnjudged(hints: Hints): void {
		const headings = [...this.unjudged].map((heading) => `"${heading}"`);
		if (headings.length === 0) return;
		// All of them: any may be the one that makes a row no sale.
		hints.add(
			`Not considered: ${headings.join(', ')}. If one of them says that a row is no sale, remove such rows with a Filter node before, or say in a column "Paid" which rows are sales (Yes or No). If one has the value that was paid, rename it "Value".`,
		);
	}

	/** Adds a hint that names the fields for which values were taken by their form. */
	private hintRead(hints: Hints): void {
		const all = this.remarks.flatMap((remark) => Object.entries(remark?.read ?? {}));
		const pairs = uniq(all.map(([heading, field]) => `"${heading}" as ${labelOf(String(field))}`));
		if (pairs.length === 0) return;
		hints.add(
			`Read by their values, since their headings are not known: ${listed(pairs)}. If one of them is something else, map the columns by hand.`,
		);
	}

	/** Adds a hint for each field of which values were left out, with the reason if it is the same in all rows. */
	private hintLeftOut(hints: Hints): void {
		const all = this.remarks.flatMap((remark, itemIndex) =>
			Object.entries(remark?.leftOut ?? {}).map(([label, reason]) => ({
				label,
				reason,
				itemIndex,
			})),
		);
		for (const ofField of Object.values(groupBy(all, 'label'))) {
			const [reason, ...others] = uniq(map(ofField, 'reason'));
			const why = others.length === 0 ? `: ${String(reason)}` : '. The output says why.';
			for (const { label, itemIndex } of ofField)
				hints.add(`"${label}" was left out${why}`, itemIndex);
		}
	}
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
	const happened = ['failed', 'may have been recorded'];
	const counts = groups.map((group, which) => {
		const what = `${group.length} of ${rows.length} items ${happened[which]}`;
		return group.length > 0 && `${what} (${nameRows(map(group, 'itemIndex'), rows)})`;
	});
	const [ofRows, ofRun] = partition(failures, ({ reason }) => inRows && isOfRow(reason));
	const places = [ofRows.length > 0 && '"result"', ofRun.length > 0 && '"error"'];
	const what = `${compact(counts).join(', and ')}. ${compact(places).join(' or ')} in their output says why.`;
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

export interface ItemFailure {
	itemIndex: number;
	error: Error;
}

/** The maximum length of one line in a message about several failures. */
const LINE_CHARACTERS = 200;
const MAX_MESSAGE_LINES = 10;

/**
 * One error for all items that failed: it names each error, and states once what to do about those with the same remedy.
 *
 * @param rows all items
 * @param keysOf the values that identify the record of an item, by its index
 * @param areAllUnsent whether nothing was sent for any item
 */
export function explainFailures(
	failures: ItemFailure[],
	rows: IDataObject[],
	keysOf: Map<number, string[]>,
	areAllUnsent: boolean,
	reader: Reader,
): UserError {
	const failed = uniq(sortBy(map(failures, 'itemIndex')));
	const mistakes = sortBy(failures, 'itemIndex').flatMap(({ itemIndex, error }) => {
		return mistakesOf(error).map((mistake) => ({
			itemIndex,
			message: mistake.message,
			remedy: isExplained(mistake) ? remedyFor(reader, mistake.remedy) : '',
		}));
	});
	const equal = Object.values(groupBy(mistakes, 'message'));
	const lines = equal.slice(0, MAX_MESSAGE_LINES).map((same) => {
		const [{ itemIndex, message, remedy }] = same;
		const short = shorten(message, LINE_CHARACTERS);
		return { line: withItems(short, map(same, 'itemIndex'), rows, keysOf.get(itemIndex)), remedy };
	});
	const isOne = equal.length === 1;
	const paragraphs = Object.values(groupBy(lines, 'remedy')).map((group) =>
		compact([...(isOne ? [] : map(group, 'line')), group[0].remedy]),
	);
	const rest = equal.slice(MAX_MESSAGE_LINES).flat().length;
	if (rest > 0) paragraphs.push([`and ${rest} more`]);
	if (areAllUnsent) {
		const canContinue = failed.length < rows.length && reader === 'panel';
		const others = ' To send the others, set Settings > On Error of this node to Continue.';
		paragraphs.unshift([`Nothing was sent.${canContinue ? others : ''}`]);
	}
	const what = areAllUnsent ? 'cannot be sent' : 'failed';
	const title = `${failed.length} of ${rows.length} items ${what}: ${nameRows(failed, rows)}`;
	return new UserError(
		isOne ? lines[0].line : title,
		compact(paragraphs.map((paragraph) => paragraph.join('\n'))).join('\n\n'),
	);
}
