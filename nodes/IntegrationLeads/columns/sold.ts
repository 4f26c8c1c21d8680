/** Decides whether a row is a sale: an order or a payment that was cancelled, refunded or not paid is not. Pure. */
import { partition } from 'lodash';

import { show } from '../values/convert';
import type { Column } from './cells';
import { has, hasAny, isIndex, normalizeHeading, rememberByPath, wordsOf } from './headings';
import {
	BESIDE_UNSOLD,
	BETWEEN,
	CALLED_EVENT,
	CHANGED,
	ENDED,
	DONE,
	EVENT,
	NAME_WORDS,
	NO,
	NOT_YET,
	OF_STAGE,
	OF_UNDONE,
	ORDER,
	STAGE,
	STATE,
	STATE_OF_COUNTRY,
	UNDONE,
	UNSOLD,
	YES,
} from '../lexicon/headings';
import type { ColumnMatch } from './match';

/** The name of an event as programs write it: `cart.abandoned`, `PIX_CREATED`. */
const EVENT_NAME = /^[a-z]+(?:[._:/-][a-z]+)+$/i;

/** The words of a text that are not about an order. */
const besidesOrder = (words: string[], ...tables: Array<Set<string>>) =>
	words.filter((word) => ![ORDER, BETWEEN, ...tables].some((table) => has(table, word)));

/** A plain yes, also with a word for what it is about: `Venda concluída`. */
function meansSale(value: unknown): boolean {
	if (hasAny(YES, normalizeHeading(String(value)))) return true;
	const rest = besidesOrder(wordsOf(String(value)));
	return rest.length > 0 && rest.every((word) => hasAny(YES, word));
}

/** The same of the stage of a deal: `Fechado`, `Negócio ganho`. */
function isLastStage(value: unknown): boolean {
	const rest = besidesOrder(wordsOf(String(value)), OF_STAGE);
	return rest.length > 0 && rest.every((word) => hasAny(YES, word) || hasAny(ENDED, word));
}

/** Whether a few words say that an order, a payment or a deal is not a sale. */
function meansNoSale(value: unknown): boolean {
	const all = typeof value === 'string' ? wordsOf(value) : [];
	const [undone, others] = partition(all, (word) => UNDONE.test(word) || UNSOLD.test(word));
	return undone.length > 0 && besidesOrder(others, BESIDE_UNSOLD).length === 0;
}

/** What a program writes before the name of its event: `OPENPIX:CHARGE_COMPLETED`. */
const SENDER = /^[A-Z]+:/;

/** Whether an event only says that an order changed, so that its state says to what: `invoice.updated`. */
const meansChange = (event: unknown) =>
	besidesOrder(wordsOf(String(event)), STATE, CHANGED).length === 0;

/**
 * What happened, if an event says so before anything is sold or after it: `Boleto gerado`, `PURCHASE_OUT_OF_SHOPPING_CART`.
 *
 * @param heading where it is called an event, it need not name an order: `lead.created`
 */
function meansNoSaleYet(event: unknown, heading: string): boolean {
	const value = typeof event === 'string' ? event.trim().replace(SENDER, '') : '';
	if (meansSale(value)) return false;
	const all = wordsOf(value);
	if (all.some((word) => UNDONE.test(word))) return true;
	const isOfProgram = EVENT_NAME.test(value);
	const isOfOrder = all.some((word) => has(ORDER, word));
	const isCalledEvent = wordsOf(heading).some((word) => CALLED_EVENT.has(word));
	const isLate = all.some((word) => NOT_YET.test(word));
	return isLate
		? isOfOrder || isOfProgram
		: isOfProgram && (isOfOrder || isCalledEvent) && besidesOrder(all).length > 0;
}

/** Nothing was given back: blank, no, or an amount of zero. */
const isNothing = (value: unknown) => {
	const text = normalizeHeading(String(value));
	return text === '' || NO.has(text) || /^(?:[a-z]*)0+$/.test(text);
};

/** Finds what a column states about the order, from its heading and the objects that contain it. */
const roleOf = rememberByPath(
	(path: string[]): 'state' | 'stage' | 'event' | 'undone' | 'done' | undefined => {
		const all = path.flatMap((part) => wordsOf(part)).filter((word) => !isIndex(word));
		const [undone, rest] = partition(all, (word) => UNDONE.test(word));
		if (undone.length > 0) return besidesOrder(rest, OF_UNDONE).length === 0 ? 'undone' : undefined;
		const others = besidesOrder(all);
		if (others.length > 0 && others.every((word) => STATE.has(word))) return 'state';
		const ofStage = besidesOrder(all, OF_STAGE);
		if (ofStage.length > 0 && ofStage.every((word) => STAGE.has(word))) return 'stage';
		if (
			others.length > 0 &&
			others.every((word) => EVENT.has(word)) &&
			others.some((word) => !NAME_WORDS.has(word)) &&
			all.every((word) => !has(ORDER, word))
		)
			return 'event';
		// "Pago" alone is also among the words for an order.
		const isDone = (word: string) => hasAny(DONE, word);
		return all.some(isDone) && others.every(isDone) ? 'done' : undefined;
	},
);

/**
 * Finds why a row is not recorded as a sale: its order or payment is not plainly done, was cancelled or refunded, or its value
 * is negative.
 *
 * @returns undefined if nothing speaks against the sale
 */
export function notSoldIn(all: Column[], matches: ColumnMatch[]): string | undefined {
	const isPaid = all.some(({ path, value }) => roleOf(path) === 'state' && meansSale(value));
	for (const column of all) {
		const { heading, value } = column;
		const kind = typeof value === 'object' ? undefined : roleOf(column.path);
		const isPlace =
			STATE_OF_COUNTRY.has(normalizeHeading(heading)) && /^\p{Lu}{2}$/u.test(String(value).trim());
		const speaksAgainst =
			(kind === 'state' && !meansSale(value) && !isPlace) ||
			(kind === 'stage' && !isLastStage(value)) ||
			(kind === 'event' && meansNoSaleYet(value, heading) && !(isPaid && meansChange(value))) ||
			(kind === 'undone' && !isNothing(value)) ||
			(kind === 'done' && isNothing(value)) ||
			meansNoSale(value);
		if (speaksAgainst) return `"${heading}" is ${show(value)}`;
	}
	const isNegative = (value: unknown) => /[-−(]/.test(String(value).split(/\d/)[0]);
	const negative = matches.find(
		({ field, value }) => field === 'estimatedValue' && isNegative(value),
	);
	return negative && `"${negative.heading}" is ${show(negative.value)}`;
}
