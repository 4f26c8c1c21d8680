/** Says what was left out, ignored, noted or read by its value: in the output of items, and under that of the run. */
import { get, groupBy, map, partition, set, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { labelOf } from '../columns/headings';
import type { ConvertContext } from '../values/context';
import { isLikeAddress } from '../values/identity';
import { summarizeFailures } from './failures';
import { listed, type Hints } from './hints';
import type { Remarks } from './output';

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
		if (failed.size > 0) hints.add(summarizeFailures(failed, this.rows, this.modes.inRows));
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
