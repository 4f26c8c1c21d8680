/** Keeps in the history of a lead which order its sale is of, and compares other orders with it. */
import { lowerFirst, omit, upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import {
	isAtTime,
	isSameOrder,
	orderInWords,
	orderNote,
	orderOfSale,
	ordersIn,
} from '../checkout/recordedOrder';
import { requireId } from '../fields/check';
import type { ComposeContext, Result, StepFunctions } from '../operation';
import { type CheckoutSale, historyOf, type takeBackSteps, WRITE_HISTORY } from './takeBack';

export const SECOND_SALE =
	'A second sale needs a lead of its own: create it with the number of the order as External ID, and give that ID with the sale';

type HistorySteps = Pick<
	StepFunctions<typeof takeBackSteps>,
	'getNotes' | 'createNote' | 'getLead'
>;

/**
 * For *Overwrite*: in words, that the order of a webhook was recorded before, and that another has replaced it since. Webhooks come
 * again, also weeks later, and would put the older sale back.
 *
 * @returns undefined if it may be recorded
 */
export async function replacedBy(
	sale: CheckoutSale,
	found: Result,
	steps: HistorySteps,
	context: ComposeContext,
): Promise<string | undefined> {
	const { timezone } = context;
	if (sale.order === undefined) return undefined;
	const path = { leadId: requireId(found, 'lead') };
	const notes = await historyOf(path, steps, context);
	if (!ordersIn(notes).some((order) => isSameOrder(order, sale))) return undefined;
	const { record = {} } = await steps.getLead({ path });
	const current = orderOfSale(notes, record, timezone);
	if (!current || isSameOrder(current, sale) !== false) return undefined;
	return `not recorded: the sale of ${orderInWords(sale)} was recorded before, and that of ${orderInWords(current)} has replaced it`;
}

/** Whether the sale that a lead has is of an order, by its notes. */
export async function isOfOrder(
	sale: CheckoutSale,
	lead: Result,
	steps: HistorySteps,
	context: ComposeContext,
): Promise<boolean> {
	const path = { leadId: requireId(lead, 'lead') };
	const notes = await historyOf(path, steps, context);
	const current = orderOfSale(notes, lead.record ?? {}, context.timezone);
	return current !== undefined && isSameOrder(current, sale) === true;
}

/**
 * Notes the order of a sale in its lead. Where the lead has an equal sale already, says so if that is of another order, or if nothing
 * shows of which: only the same webhook once more, or the same item, goes without a word.
 */
export async function keepOrder(
	sale: CheckoutSale,
	{ body, options }: { body: IDataObject; options: { overwrite?: unknown } },
	sold: Result,
	steps: HistorySteps,
	context: ComposeContext,
): Promise<Result> {
	const { hints, timezone, ifPermitted } = context;
	const { record: lead } = sold;
	// Another sale was refused, see writeSale.
	if (!lead || sale.order === undefined) return sold;
	const path = { leadId: requireId(sold, 'lead') };
	const note = { path, body: orderNote(sale, body) };
	const keep = async () => await steps.createNote(note, { would: 'note' });
	if (sold.extra.alreadyRecorded === false) {
		await ifPermitted(WRITE_HISTORY, keep);
		return sold;
	}
	const recorded = orderOfSale(await historyOf(path, steps, context), lead, timezone);
	const isSame = recorded && isSameOrder(recorded, sale);
	if (isSame) return sold;
	const isOther = recorded !== undefined && isSame === false;
	const order = orderInWords(sale);
	if (isOther && !options.overwrite) {
		const result = `not recorded: ${order} has the value and the day of ${orderInWords(recorded)}, which the lead has. ${SECOND_SALE}`;
		hints.add(`${upperFirst(result)}.`);
		return { ...sold, extra: { ...omit(sold.extra, 'alreadyRecorded'), result } };
	}
	const isOwn =
		isAtTime(lead, body.saleDate, timezone) || context.attempt.firstSentAt !== undefined;
	const result = `already recorded: the lead has a sale of this value and day. Nothing shows whether that is ${order}. If it is not: ${lowerFirst(SECOND_SALE)}`;
	// Before the note: if that fails, the next try takes the sale for one that it has recorded.
	if (!isOther && !isOwn) hints.add(`${upperFirst(result)}.`);
	await ifPermitted(WRITE_HISTORY, keep);
	if (isOther) {
		const extra = { ...sold.extra, alreadyRecorded: false, replaced: orderInWords(recorded) };
		return { ...sold, extra };
	}
	return isOwn ? sold : { ...sold, extra: { result, ...sold.extra } };
}
