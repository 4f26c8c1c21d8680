/** Collects the hints under the output, each text once with the rows it concerns, and names rows in messages. */
import { isNumber, upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { HintSink } from '../userError';
import { shorten } from '../values/json';

/** The most rows that a message names. */
const MAX_NAMED_ROWS = 10;

export class Hints implements HintSink {
	/** The items that each text is about, empty if it is about the whole run. */
	private readonly itemsOf = new Map<string, Set<number>>();

	add(text: string, itemIndex?: number): void {
		const items = this.itemsOf.get(text) ?? new Set();
		if (itemIndex !== undefined) items.add(itemIndex);
		this.itemsOf.set(text, items);
	}

	/** Returns these hints for one item, whose index is added with each text. */
	of(itemIndex: number): HintSink {
		return { add: (text) => this.add(text, itemIndex) };
	}

	/** Returns the texts, each preceded by its rows unless it concerns all. `rows`: all items of the run. */
	inWords(rows: IDataObject[]): string[] {
		return [...this.itemsOf].map(([text, items]) => {
			const isOfAll = items.size === 0 || items.size === rows.length;
			return isOfAll ? text : `${upperFirst(nameRows([...items], rows))}: ${text}`;
		});
	}
}

/**
 * Names rows by their numbers in the sheet, which n8n's Google Sheets node adds, or else by their positions:
 * `rows 3, 4 and 8 more`, `item 2`.
 *
 * @param rows all items of the run
 * @param count how many rows there are, if `itemIndexes` has only the first of them
 */
export function nameRows(
	itemIndexes: number[],
	rows: Array<{ row_number?: unknown }>,
	most = MAX_NAMED_ROWS,
	count = itemIndexes.length,
): string {
	const isSheet = itemIndexes.every((index) => isNumber(rows[index].row_number));
	const numbers = itemIndexes.map((index) => (isSheet ? rows[index].row_number : index + 1));
	const word = `${isSheet ? 'row' : 'item'}${count > 1 ? 's' : ''}`;
	return `${word} ${listed(numbers, most, count)}`;
}

/** The most values that name the record of an item. */
const MAX_NAMED_KEYS = 2;
const MAX_KEY_CHARACTERS = 200;

/**
 * A message with the items that it is about before it, and what identifies the record of a single one: `Item 2 (crm-1,
 * ana@example.com): The service …`. People send the message on from an error workflow, which gets neither the input nor an
 * index. What the message names already is left out, and so is the number of the only item.
 *
 * @param rows all items of the run
 * @param keys the values that identify the record of the first item
 */
export function withItems(
	message: string,
	itemIndexes: number[],
	rows: IDataObject[],
	keys: string[] = [],
): string {
	const isNamed = itemIndexes.length > 1 || keys.some((key) => message.includes(key));
	const record = isNamed ? '' : shorten(listed(keys, MAX_NAMED_KEYS), MAX_KEY_CHARACTERS);
	const isOnly = rows.length === 1 && !isNumber(rows[0].row_number);
	if (isOnly && !record) return message;
	return `${upperFirst(nameRows(itemIndexes, rows))}${record && ` (${record})`}: ${message}`;
}

/** e.g. `1, 2 and 8 more` */
export function listed(entries: unknown[], most = MAX_NAMED_ROWS, count = entries.length): string {
	const rest = count - most;
	return entries.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
