/** Finds the number of the order in the row of a sale: "Pedido", "Order ID", "Nº da transação", NSU. Pure. */
import { uniq } from 'lodash';

import { ORDER_HEADINGS, OF_NUMBERED } from '../lexicon/sales';
import type { Column } from './cells';
import { isCalledPerson, isHead, isPhrase, wordsOf } from './headings';
import { rememberByPath } from './remember';

/** Whether a column has the number of an order. */
export const isOrderHeading = rememberByPath((path) => {
	// The ID of a customer is not that of their order.
	const isOuter = (part: string) => isHead(part) && !isCalledPerson(part);
	const words = path
		.filter((part, at) => at === path.length - 1 || !isOuter(part))
		.flatMap(wordsOf);
	// Not in the plural, which counts them.
	const isOne = words.some((word) => OF_NUMBERED.has(word));
	return isOne && isPhrase(words, ORDER_HEADINGS);
});

/** What is counted: `2 camisetas`, `12 meses`. */
const COUNT = /^\d+\s+\p{L}{3}/u;

/** The number as it is written, without the `#` before it; undefined for a text without one: "Pedido: Camiseta". */
function orderNumberIn(value: unknown): string | undefined {
	const text = String(value).trim().replace(/^#\s*/, '');
	return /\d/.test(text) && !COUNT.test(text) ? text : undefined;
}

/** The order that a row names, with its further numbers; undefined if it names none. */
export function orderOfRow(all: Column[]): { order: string; otherIds?: string[] } | undefined {
	const numbers = all.flatMap(({ path, value }) =>
		isOrderHeading(path) ? (orderNumberIn(value) ?? []) : [],
	);
	const [order, ...otherIds] = uniq(numbers);
	if (order === undefined) return undefined;
	return { order, ...(otherIds.length > 0 && { otherIds }) };
}
