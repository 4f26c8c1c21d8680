/** Marks the lead of a sale that was refunded or charged back. */
import { compact, isMatch, map, omit, some } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Checkout } from '../checkout/parse';
import { findOrder, type OrderInHistory, orderInWords, saleIn } from '../checkout/recordedOrder';
import { CURRENCY } from '../conversion/sale';
import { REFUND_TAG, TAKEN_BACK_TAG } from '../contract/records';
import { parseDate } from '../dates/date';
import { requireId } from '../fields/check';
import type { ComposeContext, Result, StepFunctions } from '../operation';
import { isBlank } from '../values/convert';
import type { ServiceRecord } from '../values/json';
import { createInteraction, getInteractions } from './interaction';
import { upsertLead, updateLead } from './leadRequests';
import { ensureTags, tagSteps } from './leadTags';

/** What the body of a webhook says, with its buyer converted. */
export type CheckoutSale = Omit<Checkout, 'buyer'> & { buyer: IDataObject };

/** A sale that was refunded, cancelled or charged back, as a webhook or a row says. */
export type Refund = Omit<CheckoutSale, 'service' | 'buyer'> & {
	service?: string;
	/** Why it is not plain what was given back. */
	doubt?: string;
	/** The status that a lead gets whose sale was taken back, if one was chosen. */
	takenBackStatus?: unknown;
};

export const takeBackSteps = {
	...tagSteps,
	getNotes: getInteractions,
	createNote: createInteraction,
	upsert: upsertLead,
	update: updateLead,
};

type TakeBackSteps = StepFunctions<typeof takeBackSteps>;

const NO_HISTORY =
	'Sales and refunds were not noted in their leads, so a refund is compared with the sale by its day and value alone: the API key needs the scopes "interactions:read" and "interactions:write".';
const READ_HISTORY = { scopes: ['interactions:read'], hint: NO_HISTORY };
export const WRITE_HISTORY = { scopes: ['interactions:write'], hint: NO_HISTORY };

/** The history of a lead; empty where the key may not read it. */
export async function historyOf(
	path: { leadId: string },
	{ getNotes }: Pick<TakeBackSteps, 'getNotes'>,
	{ ifPermitted }: Pick<ComposeContext, 'ifPermitted'>,
): Promise<ServiceRecord[]> {
	const listed = await ifPermitted(READ_HISTORY, async () => await getNotes({ path }));
	return compact(map(listed, 'record'));
}

/**
 * Tags a lead and notes in it that its sale was taken back, or that a refund is to be checked. The service shows no way to empty a sale.
 *
 * @param found the lead of the buyer
 * @returns undefined for one that {@link Checkout.mayReopen} where no note shows that it was a sale
 */
export async function takeBack(
	refund: Refund,
	found: Result,
	steps: TakeBackSteps,
	context: ComposeContext,
): Promise<Result | undefined> {
	const path = { leadId: requireId(found, 'lead') };
	const { mayReopen } = refund;
	const isPart = refund.state === 'partlyTakenBack';
	// Two refunds of parts look the same if neither shows its amount.
	const isDistinct = !isPart || refund.refunded !== undefined;
	return await context.inTurn(path.leadId, async () => {
		const lead = await steps.getLead({ path });
		const { record = {} } = lead;
		if (mayReopen && isBlank(record.saleDate)) return undefined;
		const notes = await historyOf(path, steps, context);
		const history = findOrder(refund, notes, record, context.timezone);
		if (mayReopen && !history.isCurrent) return undefined;
		const doubt = isPart
			? 'only a part was given back'
			: (refund.doubt ?? otherSaleIn(record, refund, history, context.timezone));
		const tag = doubt ? REFUND_TAG : TAKEN_BACK_TAG;
		const title = isPart ? 'A part of the sale was given back' : tag;
		const note = { type: 'NOTE', title, description: refundInWords(refund) };
		const isNoted = some(notes, (existing) => isMatch({ ...existing }, omit(note, 'type')));
		if (isNoted && isDistinct) return withResult(lead, `already noted: ${note.description}`);
		const sendOptions = { would: doubt ? ('note' as const) : ('takeBack' as const) };
		const tagged = await ensureTags({ path, body: { tags: [tag] } }, steps, sendOptions);
		const changed = doubt
			? undefined
			: await changeStatus(refund.takenBackStatus, path, record, steps);
		// The note comes last, since a webhook that is noted changes nothing when it is delivered again.
		if (!isNoted) {
			await context.ifPermitted(
				WRITE_HISTORY,
				async () => await steps.createNote({ path, body: note }),
			);
		}
		const { day = 'that day', value } = saleIn(record, context.timezone);
		const result = doubt
			? `not taken back: ${doubt}. The lead has a note and the tag "${tag}".`
			: `taken back: the lead has the tag "${tag}". The service shows no way to empty a sale, so the lead keeps ${value ?? 'its value'} on ${day}.`;
		const after = { ...record, ...tagged.record, ...changed?.record };
		return withResult({ ...lead, record: after, extra: { ...changed?.extra } }, result);
	});
}

const withResult = (lead: Result, result: string): Result => ({
	...lead,
	extra: { result, ...lead.extra },
});

/** Describes a refund: the service, the order, and the amount with the part of it that was given back. */
function refundInWords({ state, amount, currency, refunded, doubt, ...sale }: Refund): string {
	const whole = amount === undefined ? '' : `${amount} ${currency ?? ''}`.trim();
	const part = compact([refunded ?? 'a part', whole]).join(' of ');
	const unknown = refunded === undefined ? '; the webhook does not show how much' : '';
	const amounts = state === 'partlyTakenBack' ? part + unknown : whole;
	return compact([orderInWords(sale), doubt ?? amounts]).join(': ');
}

/**
 * Why what was given back is not plainly the sale of the lead; undefined if it is. The order shows it, or else the day on which it was
 * paid.
 */
function otherSaleIn(
	lead: ServiceRecord,
	{ amount, currency = CURRENCY, paidAt, ...refund }: Refund,
	{ current, isCurrent, recorded }: OrderInHistory,
	timezone: string,
): string | undefined {
	const { day, value } = saleIn(lead, timezone);
	if (lead.saleDate === null || lead.saleDate === '') return 'the lead has no sale';
	if (currency !== CURRENCY) return `what was given back is in ${currency}`;
	// The value of its order may have been corrected since, as after a refund of a part.
	const values = isCurrent ? [value, ...map(recorded, 'value')] : [value];
	if (amount !== undefined && value !== undefined && !values.includes(amount))
		return `the lead has another sale, of ${value}`;
	if (isCurrent) return undefined;
	if (current && isCurrent === false)
		return `the sale of the lead is of ${orderInWords(current)}, not of ${orderInWords(refund)}`;
	const paidOn = isBlank(paidAt) ? undefined : parseDate(String(paidAt), timezone)?.toISODate();
	if (!paidOn || !day)
		return 'neither its order nor the day of its payment shows whether it is the sale of the lead';
	return paidOn === day
		? undefined
		: `it was paid on ${paidOn}, and the sale of the lead is of ${day}`;
}

async function changeStatus(
	sought: unknown,
	path: { leadId: string },
	record: ServiceRecord,
	steps: TakeBackSteps,
): Promise<Result | undefined> {
	if (isBlank(sought) || typeof sought !== 'string') return undefined;
	const { externalId } = record;
	// See writeSale.
	return isBlank(externalId)
		? await steps.update({ path, body: { status: sought } })
		: await steps.upsert({ body: { externalId, status: sought } }, { existing: record });
}
