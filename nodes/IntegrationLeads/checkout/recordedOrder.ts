/** Notes in the history of a lead which order its sale is of, and finds it there: a lead has no field for it (spec 2). Pure. */
import { findLast, isEqual, isNil, sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { parseDate } from '../dates/date';
import { isBlank } from '../values/convert';
import { type ServiceRecord, toRecord } from '../values/json';
import type { Checkout } from './parse';

/** The sale of a lead: its day in a time zone, and its value. Two sales are the same if both are. */
export function saleIn({ saleDate, estimatedValue }: ServiceRecord, timezone: string) {
	const date = isBlank(saleDate) ? undefined : String(saleDate);
	return {
		day: date && (parseDate(date, timezone)?.toISODate() ?? date),
		value: isBlank(estimatedValue) ? undefined : Number(estimatedValue),
	};
}

/** Names an order with its service, since two services may use one number. */
export const orderInWords = ({ service, order }: Pick<Checkout, 'service' | 'order'>): string =>
	order === undefined ? service : `${service}, order ${order}`;

/**
 * The interaction that keeps the order of a sale.
 *
 * @param recorded the date and value of the sale as they were sent
 */
export function orderNote(
	{ service, order, ...sale }: Pick<Checkout, 'service' | 'order' | 'amount' | 'currency'>,
	{ saleDate, estimatedValue }: IDataObject,
): IDataObject {
	return {
		type: 'NOTE',
		title: 'Sale recorded',
		description: `${orderInWords({ service, order })}: ${sale.amount} ${sale.currency}`,
		metadata: { service, order, saleDate, estimatedValue },
	};
}

/**
 * Finds the order of the sale that a lead has, by its notes. A note counts for the sale with which it was written: the lead may have
 * got another one since.
 *
 * @returns undefined if no order is noted
 */
export function orderOfSale(
	interactions: ServiceRecord[],
	lead: ServiceRecord,
	timezone: string,
): string | undefined {
	const sale = saleIn(lead, timezone);
	const note = findLast(
		sortBy(interactions, 'createdAt').map(({ metadata }) => toRecord(metadata)),
		({ service, order, ...noted }) =>
			!isNil(service) && !isNil(order) && isEqual(saleIn(noted, timezone), sale),
	);
	return note && orderInWords({ service: String(note.service), order: String(note.order) });
}

/**
 * Whether the sale of a lead has the very time of a payment. Midnight stands for a day, and two payments of one day are not the same.
 */
export function isAtTime({ saleDate }: ServiceRecord, paidAt: unknown, timezone: string): boolean {
	const [sold, paid] = [saleDate, paidAt].map((date) => parseDate(String(date), timezone));
	if (!sold || !paid || +paid === +paid.startOf('day')) return false;
	// A service may keep no milliseconds.
	return Math.abs(+sold - +paid) < 1000;
}
