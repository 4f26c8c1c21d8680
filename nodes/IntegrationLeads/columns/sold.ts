/**
 * Decides whether a row is a sale: an order or a payment that was cancelled, refunded or not paid is not. Each column says something
 * for it, against it or nothing, by its role; {@link ../lexicon/sales} has the words. Pure.
 */
import { attempt } from 'lodash';

import { toAmount } from '../values/amount';
import type { ConvertContext } from '../values/context';
import { show } from '../values/convert';
import type { Column } from './cells';
import { isIndex, isPhrase, normalizeHeading, rememberByPath, wordsOf } from './headings';
import { NO, NOT_YET, COLUMN_ROLES, SAYINGS, STATE_OF_COUNTRY, UNDONE } from '../lexicon/sales';
import type { ColumnMatch } from './match';

type Role = keyof typeof COLUMN_ROLES | 'value';
/** `unclear` is against the sale unless another column is for it. */
type Verdict = 'for' | 'against' | 'unclear' | undefined;

const says = (value: unknown, saying: keyof typeof SAYINGS) =>
	isPhrase(wordsOf(String(value)), SAYINGS[saying]);

/** What a column is about, by its heading and the objects that contain it. */
const roleOf = rememberByPath((path) => {
	const words = path.flatMap(wordsOf).filter((word) => !isIndex(word));
	return (Object.keys(COLUMN_ROLES) as Array<keyof typeof COLUMN_ROLES>).find((role) =>
		isPhrase(words, COLUMN_ROLES[role]),
	);
});

/** Nothing was given back: blank, no, or an amount of zero. */
const isNothing = (value: unknown) => {
	const text = normalizeHeading(String(value));
	return text === '' || NO.has(text) || /^(?:[a-z]*)0+$/.test(text);
};
/** `2/3` or `1 de 12`, but not `1/1`. */
const isOneOfSeveral = (value: unknown) =>
	Number(/^\s*\d+\s*(?:\/|de|of)\s*(\d+)\s*$/i.exec(String(value))?.[1]) > 1;
const isNegative = (value: unknown) => /[-−(]/.test(String(value).split(/\d/)[0]);

/** What a program writes before the name of its event: `OPENPIX:CHARGE_COMPLETED`. */
const SENDER = /^[A-Z]+:/;
/** The name of an event as programs write it: `cart.abandoned`, `PIX_CREATED`. */
const EVENT_NAME = /^[a-z]+(?:[._:/-][a-z]+)+$/i;

/**
 * What happened: nothing is sold before it is done, or after it is undone. Of an event that is not known, such as `invoice.updated`,
 * the state beside it says to what.
 *
 * @param isCalledEvent then it need not name an order: `lead.created`
 */
function saysEvent(value: unknown, isCalledEvent: boolean): Verdict {
	const name = String(value).trim().replace(SENDER, '');
	if (says(name, 'sold')) return 'for';
	const words = wordsOf(name);
	const isOfOrder = isPhrase(words, { needs: SAYINGS.ofOrder.needs });
	const isOfProgram = EVENT_NAME.test(name);
	const isLate = words.some((word) => NOT_YET.test(word)) && (isOfOrder || isOfProgram);
	if (isLate || words.some((word) => UNDONE.test(word))) return 'against';
	if (!isOfProgram || says(name, 'ofOrder')) return undefined;
	return isOfOrder ? 'unclear' : against(isCalledEvent);
}

interface SaleRow {
	all: Column[];
	matches: ColumnMatch[];
	context: ConvertContext;
}

const numberOfAmount = (value: unknown, { context }: SaleRow): number => {
	const amount: unknown = attempt(toAmount, value, context);
	return typeof amount === 'number' ? amount : NaN;
};

/** Whether a value of the row is more than what was paid of it. Beside a discount, less is the whole. */
function isPaidInPart(paid: number, row: SaleRow): boolean {
	const prices = row.matches.filter(({ field }) => field === 'estimatedValue');
	const isReduced = row.all.some(
		({ path, value }) => roleOf(path) === 'reduction' && !isNothing(value),
	);
	return prices.length === 1 && paid < numberOfAmount(prices[0].value, row) && !isReduced;
}

const against = (isIt: boolean): Verdict => (isIt ? 'against' : undefined);

const VERDICTS: Partial<Record<Role, (value: unknown, row: SaleRow, heading: string) => Verdict>> =
	{
		state: (value, _, heading) => {
			const isPlace =
				STATE_OF_COUNTRY.has(normalizeHeading(heading)) && /^\s*\p{Lu}{2}\s*$/u.test(String(value));
			return says(value, 'sold') ? 'for' : against(!isPlace);
		},
		stage: (value) => against(!says(value, 'won')),
		event: (value) => saysEvent(value, true),
		kind: (value) => saysEvent(value, false),
		remark: (value) => against(says(value, 'undone')),
		undone: (value) => against(!isNothing(value)),
		done: (value) => against(isNothing(value) || says(value, 'toCome')),
		installment: (value) => against(isOneOfSeveral(value)),
		owed: (value, row) => against(numberOfAmount(value, row) > 0),
		paid: (value, row) => against(isPaidInPart(numberOfAmount(value, row), row)),
		value: (value) => against(isNegative(value)),
	};

/** What a column says of the sale. */
function verdictOf(column: Column, row: SaleRow): Verdict {
	const { value, heading } = column;
	if (typeof value === 'object') return undefined;
	const isValue = row.matches.some(
		(match) => match.column === column && match.field === 'estimatedValue',
	);
	const role = isValue ? 'value' : roleOf(column.path);
	if (typeof value === 'string' && role !== 'origin') {
		if (says(value, 'unsold') || says(value, 'creditNote')) return 'against';
	}
	return role && VERDICTS[role]?.(value, row, heading);
}

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
	const row = { all, matches, context };
	const verdicts = all.map((column) => ({ column, verdict: verdictOf(column, row) }));
	const isPlain = verdicts.some(({ verdict }) => verdict === 'for');
	const found = verdicts.find(
		({ verdict }) => verdict === 'against' || (verdict === 'unclear' && !isPlain),
	);
	return found && `"${found.column.heading}" is ${show(found.column.value)}`;
}
