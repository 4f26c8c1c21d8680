/** Decides whether a row is a sale: an order or a payment that was cancelled, refunded or not paid is not. Pure. */
import { attempt, partition } from 'lodash';

import { toAmount } from '../values/amount';
import type { ConvertContext } from '../values/context';
import { show } from '../values/convert';
import type { Column } from './cells';
import {
	has,
	hasAny,
	isIndex,
	meaningOf,
	normalizeHeading,
	PEOPLE,
	rememberByPath,
	wordsOf,
} from './headings';
import { TOTALS, FILLERS, INFINITIVE, MONEY, NAME_WORDS } from '../lexicon/headings';
import {
	AROUND_UNDONE,
	BESIDE_UNSOLD,
	BETWEEN,
	CALLED_EVENT,
	CAME_FROM,
	CHANGED,
	CREDIT_NOTE,
	ENDED,
	DONE,
	EVENT,
	INSTALLMENT,
	NO,
	NOT_YET,
	OF_STAGE,
	OF_UNDONE,
	ORDER,
	OWED,
	REDUCTION,
	STAGE,
	STATE,
	STATE_OF_COUNTRY,
	UNDONE,
	UNSOLD,
	YES,
} from '../lexicon/sales';
import type { ColumnMatch } from './match';

/** The name of an event as programs write it: `cart.abandoned`, `PIX_CREATED`. */
const EVENT_NAME = /^[a-z]+(?:[._:/-][a-z]+)+$/i;

/** The words of a text that are not about an order. */
const besidesOrder = (words: string[], ...tables: Array<Set<string>>) =>
	words.filter((word) => ![ORDER, BETWEEN, ...tables].some((table) => has(table, word)));

/** Whether a text has words besides those about an order, and each of them is of a kind. */
function isEach(value: unknown, isOne: (word: string) => boolean, ...tables: Array<Set<string>>) {
	const rest = besidesOrder(wordsOf(String(value)), ...tables);
	return rest.length > 0 && rest.every(isOne);
}
const isYes = (word: string) => hasAny(YES, word);

/** A plain yes, also with a word for what it is about: `Venda concluída`. */
const meansSale = (value: unknown) =>
	isYes(normalizeHeading(String(value))) || isEach(value, isYes);

/** The same of the stage of a deal: `Fechado`, `Negócio ganho`. */
const isLastStage = (value: unknown) =>
	isEach(value, (word) => isYes(word) || hasAny(ENDED, word), OF_STAGE);

/** What is still to come: `Pendente`, `Aguardando pagamento`. */
const isToCome = (value: unknown) => isEach(value, (word) => NOT_YET.test(word));

/** Whether a few words say that an order, a payment or a deal is not a sale. */
function meansNoSale(value: unknown): boolean {
	const all = typeof value === 'string' ? wordsOf(value) : [];
	if (CREDIT_NOTE.has(all.join(''))) return true;
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

/** Whether remarks say that the sale was undone, and no more: "Reembolsado em 20/11", but no "Cancelou o plano antigo". */
function tellsNoSale({ path, value }: Column): boolean {
	const isRemark = wordsOf(path.at(-1) ?? '').some((word) => meaningOf([word])?.field === 'notes');
	if (!isRemark || typeof value !== 'string') return false;
	const [undone, others] = partition(
		wordsOf(value).filter((word) => !isIndex(word)),
		(word) => UNDONE.test(word) && !INFINITIVE.test(word),
	);
	const rest = besidesOrder(others, BESIDE_UNSOLD, PEOPLE, AROUND_UNDONE);
	return undone.length > 0 && rest.length === 0;
}

const isAmountOf = (heading: string, table: Set<string>) => {
	const words = wordsOf(heading).filter((word) => !BETWEEN.has(word));
	return (
		words.some((word) => hasAny(table, word)) &&
		words.some((word) => has(MONEY, word) || has(TOTALS, word)) &&
		words.every((word) => [table, MONEY, TOTALS].some((known) => hasAny(known, word)))
	);
};
const numberOfAmount = (value: unknown, context: ConvertContext): number | undefined => {
	const amount: unknown = attempt(toAmount, value, context);
	return typeof amount === 'number' ? amount : undefined;
};

/**
 * Finds the column that shows that only a part was paid: `Parcela: 2/3`, `Saldo devedor: 50`, or `Valor pago: 50` beside a value of
 * 100. Beside a discount, less is the whole.
 */
function partIn(
	all: Column[],
	matches: ColumnMatch[],
	context: ConvertContext,
): Column | undefined {
	const prices = matches.filter(({ field }) => field === 'estimatedValue');
	const price = prices.length === 1 ? numberOfAmount(prices[0].value, context) : undefined;
	const isReduced = all.some(
		({ heading, value }) =>
			wordsOf(heading).some((word) => has(REDUCTION, word)) && !isNothing(value),
	);
	return all.find(({ path, value }) => {
		const heading = path.at(-1) ?? '';
		const ofSeveral = /^\s*\d+\s*(?:\/|de|of)\s*(\d+)\s*$/i.exec(String(value));
		if (ofSeveral && wordsOf(heading).every((word) => has(INSTALLMENT, word) || FILLERS.has(word)))
			return Number(ofSeveral[1]) > 1;
		if (isAmountOf(heading, OWED)) return Number(numberOfAmount(value, context)) > 0;
		const paid = isAmountOf(heading, DONE) ? numberOfAmount(value, context) : undefined;
		return paid !== undefined && price !== undefined && paid < price && !isReduced;
	});
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
		const heading = all.join(' ');
		if (isEach(heading, (word) => STATE.has(word))) return 'state';
		if (isEach(heading, (word) => STAGE.has(word), OF_STAGE)) return 'stage';
		if (
			isEach(heading, (word) => EVENT.has(word)) &&
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
 * Finds why a row is not recorded as a sale: its order or payment is not plainly done, was cancelled or refunded, its value is
 * negative, or only a part was paid.
 *
 * @returns undefined if nothing speaks against the sale
 */
export function notSoldIn(
	all: Column[],
	matches: ColumnMatch[],
	context: ConvertContext,
): string | undefined {
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
			(kind === 'done' && (isNothing(value) || isToCome(value))) ||
			(meansNoSale(value) && !wordsOf(heading).some((word) => CAME_FROM.has(word))) ||
			tellsNoSale(column);
		if (speaksAgainst) return `"${heading}" is ${show(value)}`;
	}
	const isNegative = (value: unknown) => /[-−(]/.test(String(value).split(/\d/)[0]);
	const negative = matches.find(
		({ field, value }) => field === 'estimatedValue' && isNegative(value),
	);
	const against = negative ?? partIn(all, matches, context);
	return against && `"${against.heading}" is ${show(against.value)}`;
}
