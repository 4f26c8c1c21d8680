/**
 * Decides whether a row is a sale: an order or a payment that was cancelled, refunded or not paid is not. Each column says something
 * for it, against it or nothing, by its role; {@link ../lexicon/sales} has the words. Pure.
 */
import { attempt, isError, map, partition } from 'lodash';

import { hasTag, REFUND_TAG, TAKEN_BACK_TAG } from '../contract/records';
import { toAmount } from '../values/amount';
import type { ConvertContext } from '../values/context';
import { isBlank, show, toSaleDate } from '../values/convert';
import { documentedFrom } from './documented';
import { blankCurrencyOf } from './fits';
import type { Column } from './cells';
import {
	isIndex,
	isNameField,
	isOfOther,
	isPhrase,
	meaningOf,
	mentions,
	normalizeHeading,
	wordsOf,
} from './headings';
import { rememberByPath } from './remember';
import { isInstallment, isInstallmentIn, isOfSeveral, isLaterPlace } from './installment';
import {
	DENIAL,
	NO,
	NOT_YET,
	ORDER,
	COLUMN_ROLES,
	ESTIMATED,
	PARENT_OF_ORDER,
	PAYMENT_NOUNS,
	PAYOUT,
	RENEWAL,
	SAYINGS,
	STATE_OF_COUNTRY,
	TAKEN_BACK,
	TICK,
	UNDONE,
} from '../lexicon/sales';
import type { ColumnMatch } from './match';
import { isOrderHeading } from './order';
import { hasInColumn } from './shown';

type Role = keyof typeof COLUMN_ROLES | 'value' | 'leadStatus' | 'tags';
/** `unclear` is against the sale unless another column is for it. */
type Verdict = 'for' | 'against' | 'unclear' | undefined;

const says = (value: unknown, saying: keyof typeof SAYINGS) =>
	isPhrase(wordsOf(String(value)), SAYINGS[saying]);

const ROLE_OF_FIELD: Partial<Record<string, Role>> = { status: 'leadStatus', tags: 'tags' };

/** What a column is about, by its heading and the objects that contain it. */
const roleOf = rememberByPath((path): Role | undefined => {
	const field = meaningOf(path)?.field ?? '';
	if (Object.hasOwn(ROLE_OF_FIELD, field)) return ROLE_OF_FIELD[field];
	const words = path.flatMap(wordsOf).filter((word) => !isIndex(word));
	return (Object.keys(COLUMN_ROLES) as Array<keyof typeof COLUMN_ROLES>).find((role) =>
		isPhrase(words, COLUMN_ROLES[role]),
	);
});

/** "Valor pago": the value of a sale, where no other column is. "Total de compras" is that of several. */
export const isPaidAmount = (path: string[]) =>
	roleOf(path) === 'paid' && !path.flatMap(wordsOf).some((word) => word.endsWith('s'));

/** Nothing was given back: blank, no, or an amount of zero. */
const isNothing = (value: unknown) => {
	const text = normalizeHeading(String(value));
	return NO.has(text) || /^0*$/.test(text);
};
/** The same, or somebody says so: `Não solicitado`. */
const isDenied = (value: unknown) => isNothing(value) || says(value, 'denied');
/** Of a lead whose sale was taken back, or is to be checked, as *Get Many* lists it. */
const hasRefundTag = (value: unknown) => {
	const tags = [value].flat().flatMap((names) => String(names).split(/[,;|\n]/));
	return [TAKEN_BACK_TAG, REFUND_TAG].some((tag) => hasTag({ tags }, tag));
};
/** No subscription has as many payments. */
const isId = (value: unknown) => /^\d{4,}$/.test(String(value).trim());
/** All of it: `100%`. */
const isHundred = (value: unknown) => Number.parseFloat(String(value)) === 100;
/** `R$ -100,00`, `(100)`, but no `Pendente (2)`. */
const isNegative = (value: unknown) => {
	const [prefix, ...rest] = String(value).split(/\d/);
	return rest.length > 0 && /[-−(]/.test(prefix) && !/\p{L}{4}/u.test(prefix);
};

/** What a program may write before the name of its event: `OPENPIX:CHARGE_COMPLETED`, but not `REFUND:COMPLETED`. */
const SENDER = /^[A-Z]+:/;
/** The name of an event as programs write it: `cart.abandoned`, `PIX_CREATED`. */
const EVENT_NAME = /^[a-z]+(?:[._:/-][a-z]+)+$/i;

const namesOrder = (text: string) => mentions(text, ORDER);

/**
 * What happened: nothing is sold before it is done, or after it is undone, or if something else than an order is done. Of an event
 * that is not known, such as `invoice.updated`, the state beside it says to what.
 *
 * @param isCalledEvent then it need not name an order: `lead.created`
 */
function saysEvent(value: unknown, isCalledEvent: boolean): Verdict {
	const whole = String(value).trim();
	const sent = whole.replace(SENDER, '');
	const isUndone = mentions(whole, [UNDONE, PAYOUT, RENEWAL]);
	if (isUndone || says(whole, 'chargedBack')) return 'against';
	const name = namesOrder(sent) ? sent : whole;
	if (says(name, 'sold') || says(name, 'dealWon')) return 'for';
	const isOfOrder = namesOrder(name);
	const isOfProgram = EVENT_NAME.test(name);
	if (mentions(name, NOT_YET) && (isOfOrder || isOfProgram)) return 'against';
	if (says(name, 'partial')) return 'against';
	if (says(name, 'updated') || says(name, 'sent')) return 'unclear';
	if (!isOfProgram || says(name, 'ofOrder')) return undefined;
	return isOfOrder ? 'unclear' : against(isCalledEvent || says(name, 'done'));
}

/** Whether a program calls what happened the event of an order: `order.paid`. */
export const isOrderEvent = ({ path, value }: Column) =>
	['event', 'kind'].includes(roleOf(path) ?? '') &&
	EVENT_NAME.test(String(value).trim()) &&
	namesOrder(String(value));

interface SaleRow {
	all: Column[];
	matches: ColumnMatch[];
	context: ConvertContext;
}

const numberOfAmount = (value: unknown, { context }: SaleRow) =>
	Number(attempt(toAmount, value, context));

/** "Pago: 215,00", "Pago: 20/11/2026": that it was. */
const isAmountOrDate = (value: unknown, row: SaleRow) =>
	!/\p{L}/u.test(String(value)) ||
	Number.isFinite(numberOfAmount(value, row)) ||
	!isError(attempt(toSaleDate, value, row.context));

const valuesIn = (row: SaleRow): number[] =>
	row.matches
		.filter(({ field }) => field === 'estimatedValue')
		.map(({ value }) => numberOfAmount(value, row));

const REDUCTIONS: Array<Role | undefined> = ['reduction', 'coupon'];

/** Whether a value of the row is more than what was paid of it. Beside a discount, less is the whole. */
function isPaidInPart(paid: number, row: SaleRow): boolean {
	const isReduced = row.all.some(
		({ path, value }) => REDUCTIONS.includes(roleOf(path)) && !isNothing(value),
	);
	return !isReduced && valuesIn(row).some((value) => paid < value);
}

/** `100%`, or as much as the value. Then the value may be the price before it, unless something was paid. */
const isAllOff = (value: unknown, row: SaleRow) =>
	(isHundred(value) && String(value).includes('%')) ||
	(valuesIn(row).includes(numberOfAmount(value, row)) &&
		!row.all.some(({ path, value: paid }) => isPaidAmount(path) && numberOfAmount(paid, row) > 0));

const against = (isIt: boolean): Verdict => (isIt ? 'against' : undefined);
const unclear = (isIt: boolean): Verdict => (isIt ? 'unclear' : undefined);
/** What is under way, or was only sent or billed, may be paid, as another column says. */
const unlessSent = (value: unknown, verdict: Verdict): Verdict =>
	says(value, 'sent') || documentedFrom('status', String(value)) === 'in_progress'
		? 'unclear'
		: verdict;

const VERDICTS: Partial<Record<Role, (value: unknown, row: SaleRow, column: Column) => Verdict>> = {
	state: (value, _, { heading }) => {
		const isPlace =
			STATE_OF_COUNTRY.has(normalizeHeading(heading)) && /^\s*\p{Lu}{2}\s*$/u.test(String(value));
		if (says(value, 'sold')) return 'for';
		return says(value, 'won') ? 'unclear' : unlessSent(value, against(!isPlace));
	},
	stage: (value) => {
		if (says(value, 'sold') || says(value, 'dealWon')) return 'for';
		return says(value, 'won') ? undefined : 'unclear';
	},
	leadStatus: (value) => {
		const status = documentedFrom('status', String(value).trim());
		return status === 'closed_won' ? 'for' : status === undefined ? 'unclear' : 'against';
	},
	tags: (value) => against(hasRefundTag(value)),
	event: (value) => saysEvent(value, true),
	kind: (value) => saysEvent(value, false),
	remark: (value) => against(says(value, 'undone') || says(value, 'toCome')),
	undone: (value) => against(!isDenied(value)),
	takenBack: (value) => against(says(value, 'affirmed')),
	payment: (value) =>
		// "Boleto: Não" names another way to pay.
		isNothing(value)
			? undefined
			: unlessSent(
					value,
					against(isOfSeveral(String(value)) || says(value, 'partial') || says(value, 'toCome')),
				),
	renewal: (value, { context }, column) =>
		against(
			(mentions(column.path, RENEWAL) && says(value, 'affirmed')) ||
				(isLaterPlace(value) && !hasInColumn('ID', isId, column, context)),
		),
	expected: (value) => (isHundred(value) ? undefined : 'unclear'),
	reduction: (value, row) => against(isAllOff(value, row)),
	coupon: (value, row) => against(isAllOff(value, row)),
	live: (value) => against(isNothing(value)),
	done: (value, row, { path }) => {
		const text = String(value);
		const isShare = text.includes('%') && !isHundred(value);
		const isPart = says(value, 'anyPart') || isShare || isOfSeveral(text);
		if (TICK.test(text)) return 'for';
		if (isNothing(value) || says(value, 'toCome') || isPart) return 'against';
		if (says(value, 'sold')) return 'for';
		const isAnswer = !mentions(path, PAYMENT_NOUNS);
		return unlessSent(value, unclear(isAnswer && !isAmountOrDate(value, row)));
	},
	installment: (value, { all }, { path }) => against(isInstallmentIn(path, value, all)),
	owed: (value, row) => against(numberOfAmount(value, row) > 0),
	paid: (value, row) => against(isPaidInPart(numberOfAmount(value, row), row)),
	value: (value, row, { path }) =>
		isNegative(value) || numberOfAmount(value, row) === 0 ? 'against' : unclear(isEstimate(path)),
};

type Saying = keyof typeof SAYINGS;
/** What in a text of any column is against the sale. */
const AGAINST: Saying[] = ['unsold', 'takenBack', 'creditNote', 'ofPart', 'installment', 'renewal'];
/** The same of an article or a coupon, which may be called by any word, such as `Teste`. */
const AGAINST_IN_CALLED: Saying[] = ['takenBack', 'creditNote', 'installment'];
const AGAINST_IN: Partial<Record<Role, Saying[]>> = {
	origin: [],
	coupon: AGAINST_IN_CALLED,
	product: AGAINST_IN_CALLED,
};

/** `Não assinado`, `no pagó`: "Pago no boleto" is. */
function isNotDone(text: string): boolean {
	const [first, ...rest] = wordsOf(text);
	return DENIAL.has(first) && says(rest.join(' '), 'doneOrSale');
}

/** Whether a text speaks against the sale by itself. A family may be called `Perdido`. */
function isAgainst(text: string, path: string[], role: Role | undefined): boolean {
	if (isNameField(meaningOf(path)?.field)) return says(text, 'test');
	const sayings = (role && AGAINST_IN[role]) ?? AGAINST;
	const isSaid = (saying: Saying) =>
		saying === 'installment' ? isInstallment(text) : says(text, saying);
	return isNotDone(text) || sayings.some(isSaid);
}

/** "Valor da proposta", "Ticket médio". The service calls any value estimated. */
const isEstimate = (path: string[]) =>
	normalizeHeading(path.at(-1) ?? '') !== 'estimatedvalue' && mentions(path, ESTIMATED);

/** `Pago?` */
const isDoubted = (value: unknown) => String(value).trimEnd().endsWith('?');

/** What a column says of the sale. */
function verdictOf(column: Column, row: SaleRow): Verdict {
	const { value, path } = column;
	const isValue = row.matches.some(
		(match) => match.column === column && match.field === 'estimatedValue',
	);
	const role = isValue ? 'value' : roleOf(path);
	if (isAgainst(String(value), path, role)) return 'against';
	if (role && isDoubted(value)) return 'unclear';
	return role && VERDICTS[role]?.(value, row, column);
}

/** What was bought, how it was found and with which code say nothing of whether it is a sale. */
const BESIDE_SALE: Array<Role | undefined> = ['origin', 'product', 'coupon'];

/** Whether a column may say something else of a sale, in words that are not known: "Natureza da operação", "Obs", "Desconto". */
function isUnjudged({ column, verdict }: Judged, { matches }: SaleRow): boolean {
	const { path, heading } = column;
	return (
		verdict === undefined &&
		!BESIDE_SALE.includes(roleOf(path)) &&
		(!isOfOther(heading) || mentions(heading, PARENT_OF_ORDER)) &&
		!isOrderHeading(path) &&
		(roleOf(path) === 'remark' || meaningOf(path) === undefined) &&
		!matches.some((match) => match.column === column)
	);
}

interface Judged {
	column: Column;
	verdict: Verdict;
}

/** Whether what speaks against a sale is that it was taken back. */
const isUndone = ({ column: { path, value } }: Judged) =>
	mentions([...path, String(value)], TAKEN_BACK) ||
	says([...path, value].join(' '), 'chargedBack') ||
	isNegative(value);

/**
 * Finds why a row is not recorded as a sale: its order or payment is not plainly done, was cancelled or refunded, its value is
 * negative or zero, only a part was paid, or it is not marked as paid as other rows are.
 *
 * @returns `notSold` is undefined if nothing speaks against the sale, and `isTakenBack` says that it may have been one before.
 * `isPlain` says that a column is for it. `unjudged` are the headings of columns that may speak against it, or of another value, in
 * words that are not known, texts first.
 */
export function judgeSale(
	all: Column[],
	matches: ColumnMatch[],
	context: ConvertContext,
): { notSold?: string; isTakenBack?: boolean; isPlain?: boolean; unjudged: string[] } {
	const row = { all, matches, context };
	const verdicts: Judged[] = all.map((column) => ({ column, verdict: verdictOf(column, row) }));
	const isPlain = verdicts.some(({ verdict }) => verdict === 'for');
	const found = verdicts.filter(
		({ verdict }) => verdict === 'against' || (verdict === 'unclear' && !isPlain),
	);
	if (found.length > 0) {
		// Of an open order that was refunded, the refund matters.
		const undone = found.find(isUndone);
		const { heading, value } = (undone ?? found[0]).column;
		return { ...notSold(`"${heading}" is ${show(value)}`), isTakenBack: undone !== undefined };
	}
	const blanks = blanksIn(context, OF_PAYMENT);
	const currency = blankCurrencyOf(matches, context);
	if (currency !== undefined)
		return notSold(`"${currency}" is empty, and other rows have another currency`);
	// Beside rows in which it is not blank, that is a no.
	const unpaid = [...blanks, ...(isPlain ? [] : blanksIn(context, OF_STATE))].find((key) =>
		hasInColumn('filled', (value) => !isBlank(value), { keys: [key] }, context),
	);
	if (unpaid !== undefined)
		return notSold(`"${unpaid}" is empty, and other rows have a value there`);
	const unjudged = verdicts.filter((judged) => isUnjudged(judged, row)).map(({ column }) => column);
	const texts = partition(unjudged, ({ value }) => /[^\d\s.,/:-]/.test(String(value)));
	return { isPlain, unjudged: [...map(texts.flat(), 'heading'), ...(isPlain ? [] : blanks)] };
}

const notSold = (reason: string) => ({ notSold: reason, unjudged: [] });

const OF_PAYMENT: Array<Role | undefined> = ['done', 'paid'];
const OF_STATE: Array<Role | undefined> = ['state', 'stage', 'leadStatus'];
/** The blank columns that would say whether a row was paid, or what its state is. */
const blanksIn = ({ input = {} }: ConvertContext, roles: Array<Role | undefined>): string[] =>
	Object.keys(input).filter((key) => isBlank(input[key]) && roles.includes(roleOf([key])));
