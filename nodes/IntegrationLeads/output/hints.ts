/** Texts about several items: hints under the output, and what failed, each once with the rows that it concerns. */
import { compact, groupBy, isNumber, map, sortBy, uniq, upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { shorten } from '../values/json';
import { InputError, UserError } from '../userError';

/** Of rows that a text names. */
const MOST_NAMED = 10;
/** How much a text about failures shows. */
const LINE_CHARACTERS = 200;
const MOST_LINES = 10;

export class Hints extends Set<string> {
	private readonly itemsOf = new Map<string, number[]>();

	/** For what is carried out for one item: what is added is about it. */
	of(itemIndex: number): Set<string> {
		const own = new Set<string>();
		own.add = (text) => {
			const items = this.itemsOf.get(text);
			if (items) items.push(itemIndex);
			else this.itemsOf.set(text, [itemIndex]);
			this.add(text);
			return own;
		};
		own.has = (text) => this.has(text);
		return own;
	}

	/** @param rows all items of the run */
	inWords(rows: IDataObject[]): string[] {
		return [...this].map((text) => {
			const items = uniq(this.itemsOf.get(text));
			const isOfAll = items.length === 0 || items.length === rows.length;
			return isOfAll ? text : `${upperFirst(nameRows(items, rows))}: ${text}`;
		});
	}
}

/**
 * e.g. `rows 3, 4 and 8 more`, in the numbers of the sheet that n8n's Google Sheets node gives each, or `item 2`
 *
 * @param rows all items of the run
 */
export function nameRows(
	itemIndexes: number[],
	rows: Array<{ row_number?: unknown }>,
	most = MOST_NAMED,
): string {
	const isSheet = itemIndexes.every((index) => isNumber(rows[index].row_number));
	const numbers = itemIndexes.map((index) => (isSheet ? rows[index].row_number : index + 1));
	const word = `${isSheet ? 'row' : 'item'}${numbers.length > 1 ? 's' : ''}`;
	return `${word} ${listed(numbers, most)}`;
}

/** e.g. `1, 2 and 8 more` */
export function listed(entries: unknown[], most = MOST_NAMED): string {
	const rest = entries.length - most;
	return entries.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/**
 * Items that failed together: names every mistake, and states once what to do about those with the same way out.
 *
 * @param rows all items
 * @param areAllUnsent whether nothing was sent for any item
 */
export function explainFailures(
	failures: Array<{ itemIndex: number; error: Error }>,
	rows: Array<{ row_number?: unknown }>,
	areAllUnsent: boolean,
): UserError {
	const failed = uniq(failures.map(({ itemIndex }) => itemIndex)).length;
	const mistakes = sortBy(failures, 'itemIndex').flatMap(({ itemIndex, error }) => {
		const parts: Array<Partial<UserError>> = error instanceof InputError ? error.parts : [error];
		return parts.map(({ message = '', description }) => ({ itemIndex, message, description }));
	});
	const equal = Object.values(groupBy(mistakes, 'message'));
	const lines = equal.slice(0, MOST_LINES).map((same) => {
		const [{ message, description }] = same;
		const name = upperFirst(nameRows(map(same, 'itemIndex'), rows));
		return { line: `${name}: ${shorten(message, LINE_CHARACTERS)}`, description };
	});
	const paragraphs = Object.values(groupBy(lines, 'description')).map((group) =>
		compact([...group.map(({ line }) => line), group[0].description]),
	);
	const rest = equal.slice(MOST_LINES).flat().length;
	if (rest > 0) paragraphs.push([`and ${rest} more`]);
	if (areAllUnsent) {
		const wayOn = ' To send the others, set Settings > On Error of this node to Continue.';
		paragraphs.unshift([`Nothing was sent.${failed < rows.length ? wayOn : ''}`]);
	}
	const title = `${failed} of ${rows.length} items ${areAllUnsent ? 'cannot be sent' : 'failed'}`;
	return new UserError(
		equal.length === 1 ? mistakes[0].message : title,
		paragraphs.map((paragraph) => paragraph.join('\n')).join('\n\n'),
	);
}
