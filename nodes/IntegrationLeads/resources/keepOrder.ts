/** Compares the order of a sale with the history of its lead, and notes it there. */
import { isEqual, lowerFirst, omit, upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import {
	findOrder,
	isAtTime,
	type Order,
	type OrderInHistory,
	orderInWords,
	orderNote,
	saleIn,
} from '../checkout/recordedOrder';
import { requireId } from '../fields/check';
import type { ComposeContext, Result, StepFunctions } from '../operation';
import type { ServiceRecord } from '../values/json';
import { historyOf, type takeBackSteps, WRITE_HISTORY } from './takeBack';

export const SECOND_SALE =
	'A second sale needs a lead of its own: create it with the number of the order as External ID, and give that ID with the sale';

type HistorySteps = Pick<StepFunctions<typeof takeBackSteps>, 'getNotes' | 'createNote'>;

/** A sale to record, with its order if that is known. */
export interface OrderedSale {
	order?: Order;
	/** The date and the value as they are sent. */
	sent: IDataObject;
	overwrite: boolean;
}

/** What the history of the lead that has a sale says of the order of another one. */
export async function readOrder(
	order: Order | undefined,
	lead: Result,
	steps: HistorySteps,
	context: ComposeContext,
): Promise<OrderInHistory> {
	if (!order) return { recorded: [] };
	const notes = await historyOf({ leadId: requireId(lead, 'lead') }, steps, context);
	return findOrder(order, notes, lead.record ?? {}, context.timezone);
}

/**
 * Says, in words, that an order was recorded before and that the lead has another sale since. Webhooks and rows come again, also weeks
 * later, and would put the older sale back.
 *
 * @returns undefined if it may be recorded
 */
export function replacedIn(
	{ current, isCurrent, recorded }: OrderInHistory,
	{ order, sent, overwrite }: OrderedSale,
	lead: ServiceRecord,
	timezone: string,
): string | undefined {
	if (!order) return undefined;
	const [sale, known] = [sent, lead].map((one) => saleIn(one, timezone));
	const wasRecorded = `not recorded: the sale of ${orderInWords(order)} was recorded before, and`;
	if (current && isCurrent === false && recorded.length > 0)
		return `${wasRecorded} that of ${orderInWords(current)} has replaced it`;
	const isChanged = recorded.some((one) => isEqual(one, sale)) && !isEqual(sale, known);
	return isChanged && !overwrite
		? `${wasRecorded} the lead has ${formatSale(known)} since`
		: undefined;
}

export const formatSale = ({ day = 'no date', value }: ReturnType<typeof saleIn>) =>
	`${value ?? 'no value'} on ${day}`;

/** Notes the order of a sale in its lead. */
export async function noteOrder(
	{ order, sent }: OrderedSale,
	lead: Result,
	{ createNote }: HistorySteps,
	{ ifPermitted }: ComposeContext,
): Promise<void> {
	if (!order) return;
	const note = { path: { leadId: requireId(lead, 'lead') }, body: orderNote(order, sent) };
	await ifPermitted(WRITE_HISTORY, async () => await createNote(note, { would: 'note' }));
}

const UNKNOWN_ORDER =
	'A lead has a sale of this value and day already, and nothing shows whether it is of the same order: see "result" in the output.';

/**
 * Compares the order of a sale with that of an equal one, which the lead has already: says so if that is of another order, or if
 * nothing shows of which. Only the same order once more, or the same item, goes without a word.
 *
 * @param equal the result for the same order
 */
export async function compareOrders(
	{ current, isCurrent }: OrderInHistory,
	sale: OrderedSale,
	equal: Result,
	steps: HistorySteps,
	context: ComposeContext,
): Promise<Result> {
	const { hints, timezone, mayHaveArrived } = context;
	if (!sale.order || isCurrent) return equal;
	const order = orderInWords(sale.order);
	if (current && isCurrent === false) {
		if (sale.overwrite) {
			await noteOrder(sale, equal, steps, context);
			const replaced = orderInWords(current);
			return { ...equal, extra: { ...equal.extra, alreadyRecorded: false, replaced } };
		}
		const result = `not recorded: ${order} has the value and the day of ${orderInWords(current)}, which the lead has. ${SECOND_SALE}`;
		hints.add(`${upperFirst(result)}.`);
		return { ...equal, extra: { ...omit(equal.extra, 'alreadyRecorded'), result } };
	}
	const isOwn = isAtTime(equal.record ?? {}, sale.sent.saleDate, timezone) || mayHaveArrived;
	// Before the note: if that fails, the next try takes the sale for one that it has recorded.
	if (!isOwn) hints.add(UNKNOWN_ORDER);
	await noteOrder(sale, equal, steps, context);
	const result = `already recorded: the lead has a sale of this value and day. Nothing shows whether that is ${order}. If it is not: ${lowerFirst(SECOND_SALE)}`;
	return isOwn ? equal : { ...equal, extra: { result, ...equal.extra } };
}
