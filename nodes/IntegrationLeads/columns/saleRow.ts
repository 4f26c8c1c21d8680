/** Converts the row of a sale, by the headings of its columns. Pure. */
import { attempt, groupBy, intersection, isError, map, sortBy, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { leadIdText } from '../fields/leadFields';
import { MONEY } from '../lexicon/headings';
import { OFTEN_IN_CENTS } from '../lexicon/sales';
import { InputError } from '../userError';
import { toAmount, toSaleAmount } from '../values/amount';
import type { Convert, ConvertContext } from '../values/context';
import { show } from '../values/convert';
import { columnsOf, type Column } from './cells';
import { cellsOf, leadFrom, mappableFields, refuseHeadings } from './columns';
import { readColumns, reportOfFirm, type ReadColumns } from './evidence';
import { isIndex, isOfPerson, meaningOf, mentions, saleDateRank, saleFieldOf } from './headings';
import type { ColumnMatch } from './match';
import { orderOfRow } from './order';
import { isOrderEvent, isPaidAmount, judgeSale } from './sold';
import { findInRun } from './remember';
import { hasInColumn } from './shown';

/** The fields that say whose sale it is. */
export const SALE_OWNER_FIELDS = ['externalId', 'leadId', 'email', 'phone'];

const ofSale = [...SALE_OWNER_FIELDS, 'name', 'estimatedValue', 'saleDate'];
const saleColumns = [...mappableFields, { field: leadIdText }]
	.filter(({ field: { name } }) => ofSale.includes(name))
	.map(({ field, ...place }) => ({
		...place,
		field: field.name === 'estimatedValue' ? { ...field, convert: toSaleAmount } : field,
	}));

const ownerColumns = saleColumns.filter(({ field: { name } }) => SALE_OWNER_FIELDS.includes(name));

/** Converts the columns of an input item to a sale. Its other columns are ignored. */
export const toSaleOfRow: Convert = (specified, context) => {
	if (specified !== 'columns') return undefined;
	const row = readSaleRow(context.input ?? {}, context);
	const { all, matches, order } = row;
	reportOfFirm(row, context);
	refuseHeadings(matches);
	const { notSold, isTakenBack, isPlain, unjudged } = row.judgement;
	// The row is not sent, so it does not matter what is missing or unreadable in it.
	if (notSold !== undefined) {
		const undone = isTakenBack ? undoneOrder(row, context) : undefined;
		return { notSold, notSoldTo: ownerOf(matches), isTakenBack, ...(undone && { undone }) };
	}
	if (unjudged.length > 0) context.onUnjudged?.(unjudged, isPlain);
	const [date, ...otherDates] = datesIn(all);
	if (matches.some(({ column }) => column === date))
		for (const { heading } of otherDates)
			context.onLeftOut?.(heading, `is another date than "${date.heading}", which is sent`);
	if (order) refuseParts(order.order, context);
	refuseCents(row, context);
	return {
		...leadFrom(cellsOf(all, matches, context), context, saleColumns),
		...(order && { order }),
	};
};

interface ReadSale extends ReadColumns {
	all: Column[];
	judgement: ReturnType<typeof judgeSale>;
	order: ReturnType<typeof orderOfRow>;
}

/** Reads a row of the run, once: the other rows of its order ask for it as well. */
function readSaleRow(input: IDataObject, context: ConvertContext): ReadSale {
	const { inputs = [input] } = context;
	const rows = findInRun(inputs, 'sales', () => new Map<IDataObject, ReadSale>());
	const known = rows.get(input);
	if (known) return known;
	const ofRow = { ...context, input };
	const all = columnsOf(input);
	const read = columnsOfSale(all, ofRow);
	const judgement = judgeSale(all, read.matches, ofRow);
	const row = { ...read, all, judgement, order: orderOfRow(all) };
	rows.set(input, row);
	return row;
}

/** Whether a heading is the key of a program for an amount, where people write words: `paid_amount`, `amountPaid`. */
const isAmountOfProgram = (key: string) => /^[a-z]\w*$/.test(key) && mentions(key, OFTEN_IN_CENTS);
const hasDecimals = (value: unknown) => /\.\d{1,2}$/.test(String(value));

/**
 * Refuses a whole number in the event of an order or under the key of a program, where no amount beside it and none of the other rows
 * has cents.
 *
 * @throws InputError since the program may count in cents
 */
function refuseCents({ all, matches }: ReadSale, context: ConvertContext): void {
	const amount = matches.find(({ field }) => field === 'estimatedValue');
	if (!amount || !isIndex(String(amount.value))) return;
	const isOfProgram =
		typeof amount.value === 'number' && isAmountOfProgram(amount.keys.at(-1) ?? '');
	if (!isOfProgram && (amount.keys.length < 2 || !all.some(isOrderEvent))) return;
	const amounts = all.filter(({ path }) => mentions(path, MONEY));
	if (amounts.some(({ value }) => hasDecimals(value))) return;
	if (hasInColumn('decimals', hasDecimals, amount, context)) return;
	throw new InputError(`"${amount.heading}" may be in cents: ${show(amount.value)}`, {
		panel:
			'Choose From the Webhook of a Checkout if it is one, and else Using Fields Below, with the value as it is, or divided by 100.',
	});
}

/** The order of a row that was cancelled or refunded, and whose it is; undefined if the row does not plainly name both. */
function undoneOrder({ all, matches, order }: ReadSale, context: ConvertContext) {
	// Nothing of it is reported, and the first mistake is thrown.
	const silent = { ...context, onLeftOut: undefined, onRead: undefined, mistakes: undefined };
	const owner = attempt(() => leadFrom(cellsOf(all, matches, silent), silent, ownerColumns));
	return order && !isError(owner) ? { ...order, owner } : undefined;
}

/** The columns of which each may have the sale date; that of the first is it. */
const datesIn = (all: Column[]): Column[] =>
	sortBy(
		all.filter(({ path }) => saleDateRank(path) !== undefined),
		({ path }) => saleDateRank(path),
	);

function columnsOfSale(all: Column[], context: ConvertContext): ReadColumns {
	// If a column has the sale date, "Date" is another date. With two values, however, the user has to choose.
	const hasDate = all.some(({ path }) => meaningOf(path)?.field === 'saleDate');
	const [date] = hasDate ? [] : datesIn(all);
	const hasValue = all.some(({ path }) => saleFieldOf(path) === 'estimatedValue');
	return readColumns(all, context, (column) => {
		const meaning = meaningOf(column.path);
		const isPaidValue = !hasValue && isPaidAmount(column.path);
		const field = isPaidValue ? 'estimatedValue' : (saleFieldOf(column.path) ?? '');
		if (field === 'saleDate' && !meaning && column !== date) return undefined;
		const isOfSale = isOfPerson(field) || saleColumns.some(({ field: { name } }) => name === field);
		return isOfSale ? (meaning ?? { field, person: '', group: '', entry: '' }) : undefined;
	});
}

/** The values that would find the lead of a row, unconverted. */
const ownerOf = (matches: ColumnMatch[]): Record<string, unknown> =>
	Object.fromEntries(
		matches
			.filter(({ field }) => SALE_OWNER_FIELDS.includes(field))
			.map(({ field, value }) => [field, value]),
	);

/** A sale of the run that names its order. */
interface OrderRow {
	order: string;
	value: unknown;
	owner: Record<string, unknown>;
}

/** The sales of a run by their orders. Rows that were not paid, or have no value, are left out. */
function ordersOf(inputs: IDataObject[], context: ConvertContext): Record<string, OrderRow[]> {
	const rows = inputs.flatMap((input): OrderRow[] => {
		const { matches, judgement, order } = readSaleRow(input, context);
		if (!order) return [];
		const amount = matches.find(({ field }) => field === 'estimatedValue')?.value;
		const value: unknown = attempt(toAmount, amount, { ...context, input });
		const isSale = typeof value === 'number' && judgement.notSold === undefined;
		return isSale ? [{ order: order.order, value, owner: ownerOf(matches) }] : [];
	});
	return groupBy(rows, 'order');
}

/** Whether two rows name different people: the fields that both have all differ. */
function areOfDifferentPeople({ owner }: OrderRow, { owner: other }: OrderRow): boolean {
	const shared = intersection(Object.keys(owner), Object.keys(other));
	const written = (value: unknown) =>
		String(value)
			.replace(/[^\p{L}\p{N}@]/gu, '')
			.toLowerCase();
	return (
		shared.length > 0 && shared.every((field) => written(owner[field]) !== written(other[field]))
	);
}

/** @throws InputError for an order that has rows with different values, such as its articles, or of different people */
function refuseParts(order: string, context: ConvertContext): void {
	const { inputs = [] } = context;
	if (inputs.length < 2) return;
	const rows = findInRun(inputs, 'orders', () => ordersOf(inputs, context))[order] ?? [];
	const values = map(rows, 'value');
	if (rows.some((row) => areOfDifferentPeople(rows[0], row))) {
		throw new InputError(
			`Order "${order}" is in rows of different people`,
			'A sale is recorded in one lead. Leave the order in the row of the buyer, and remove it from the others.',
		);
	}
	if (uniq(values).length > 1) {
		throw new InputError(
			`Order "${order}" is in ${values.length} rows with different values: ${values.slice(0, MAX_VALUES).join(', ')}`,
			'A sale has one value. If they are the articles of the order, add them up before, e.g. with a Summarize node; if one corrects another, leave only that one.',
		);
	}
}

const MAX_VALUES = 5;
