/** Notes in the history of a lead which order its sale is of, and finds it there: a lead has no field for it (spec 2). Pure. */
import {
	compact,
	findLast,
	intersection,
	intersectionBy,
	isEqual,
	isNil,
	isString,
	sortBy,
} from 'lodash';
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

type Order = Pick<Checkout, 'service' | 'order' | 'otherIds'>;

/** Names an order with its service, since two services may use one number. */
export const orderInWords = ({ service, order }: Order): string =>
	order === undefined ? service : `${service}, order ${order}`;

const idsOf = ({ order, otherIds = [] }: Order): string[] => compact([order, ...otherIds]);

/** The prefix with which a service shows what an ID is of, such as `pi_` for a payment and `in_` for an invoice. */
const prefixOf = (id: string): string => /^[a-z]+_/.exec(id)?.[0] ?? '';

/** Whether two orders are the same; undefined if their IDs are of different kinds, which cannot be compared, or one has none. */
export function isSameOrder(one: Order, other: Order): boolean | undefined {
	if (one.service !== other.service) return false;
	const [ids, otherIds] = [idsOf(one), idsOf(other)];
	if (intersection(ids, otherIds).length > 0) return true;
	return intersectionBy(ids, otherIds, prefixOf).length > 0 ? false : undefined;
}

/**
 * The interaction that keeps the order of a sale.
 *
 * @param recorded the date and value of the sale as they were sent
 */
export function orderNote(
	{ service, order, otherIds, ...sale }: Order & Pick<Checkout, 'amount' | 'currency'>,
	{ saleDate, estimatedValue }: IDataObject,
): IDataObject {
	return {
		type: 'NOTE',
		title: 'Sale recorded',
		description: `${orderInWords({ service, order })}: ${sale.amount} ${sale.currency}`,
		metadata: {
			service,
			order,
			...(otherIds && { otherIds: otherIds.join(' ') }),
			saleDate,
			estimatedValue,
		},
	};
}

/** The orders of sales that the notes of a lead name, the newest last, with the date and value of each. */
export const ordersIn = (interactions: ServiceRecord[]): Array<Order & ServiceRecord> =>
	sortBy(interactions, 'createdAt')
		.map(({ metadata }) => toRecord(metadata))
		.filter(({ service, order }) => !isNil(service) && !isNil(order))
		.map(({ service, order, otherIds, ...sale }) => ({
			...sale,
			service: String(service),
			order: String(order),
			...(isString(otherIds) && { otherIds: otherIds.split(' ') }),
		}));

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
): Order | undefined {
	const sale = saleIn(lead, timezone);
	return findLast(ordersIn(interactions), (noted) => isEqual(saleIn(noted, timezone), sale));
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
