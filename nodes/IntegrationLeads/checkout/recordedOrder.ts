/** Notes in the history of a lead which order its sale is of, and finds it there: a lead has no field for it (spec 2). Pure. */
import {
	compact,
	findLast,
	intersection,
	intersectionBy,
	isEqual,
	isNil,
	isString,
	map,
	sortBy,
	upperFirst,
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

/** An order, by its IDs. One of a row names no service. */
export type Order = Partial<Pick<Checkout, 'service'>> & Pick<Checkout, 'order' | 'otherIds'>;

/** Names an order with its service, since two services may use one number. */
export const orderInWords = ({ service, order }: Order): string =>
	compact([service, order !== undefined && `order ${order}`]).join(', ');

const idsOf = ({ order, otherIds = [] }: Order): string[] => compact([order, ...otherIds]);

/** The prefix with which a service shows what an ID is of, such as `pi_` for a payment and `in_` for an invoice. */
const prefixOf = (id: string): string => /^[a-z]+_/.exec(id)?.[0] ?? '';

/** Whether two orders are the same; undefined if their IDs are of different kinds, which cannot be compared, or one has none. */
function isSameOrder(one: Order, other: Order): boolean | undefined {
	// One ID of two services would be a coincidence, and one of a row is of any.
	if (one.service && other.service && one.service !== other.service) return false;
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
	{ service, order, otherIds }: Order,
	{ saleDate, estimatedValue }: IDataObject,
): IDataObject {
	return {
		type: 'NOTE',
		title: 'Sale recorded',
		description: `${upperFirst(orderInWords({ service, order }))}: ${String(estimatedValue)} BRL`,
		metadata: {
			...(service && { service }),
			order,
			...(otherIds && { otherIds: otherIds.join(' ') }),
			saleDate,
			estimatedValue,
		},
	};
}

/** The orders of sales that the notes of a lead name, the newest last, with the date and value of each. */
const ordersIn = (interactions: ServiceRecord[]): Array<Order & ServiceRecord> =>
	sortBy(interactions, 'createdAt')
		.map(({ metadata }) => toRecord(metadata))
		.filter(({ order, saleDate }) => !isNil(order) && !isNil(saleDate))
		.map(({ service, order, otherIds, ...sale }) => ({
			...sale,
			...(!isNil(service) && { service: String(service) }),
			order: String(order),
			...(isString(otherIds) && { otherIds: otherIds.split(' ') }),
		}));

/** What the history of a lead says of an order. */
export interface OrderInHistory {
	/** The order of the sale that the lead has, if it is noted. */
	current?: Order;
	/** Whether that is this order; undefined if none is noted, or the two cannot be compared. */
	isCurrent?: boolean;
	/** The sales of this order that were recorded. */
	recorded: Array<ReturnType<typeof saleIn>>;
}

/**
 * Finds an order in the history of a lead. A note counts for the sale with which it was written, since the lead may have got another
 * one since; or for one of that day whose value was corrected in the service.
 */
export function findOrder(
	order: Order,
	interactions: ServiceRecord[],
	lead: ServiceRecord,
	timezone: string,
): OrderInHistory {
	const sale = saleIn(lead, timezone);
	const noted = ordersIn(interactions).map((one) => ({ one, sold: saleIn(one, timezone) }));
	const current =
		findLast(noted, ({ sold }) => isEqual(sold, sale)) ??
		findLast(noted, ({ sold }) => sold.day === sale.day);
	return {
		current: current?.one,
		isCurrent: current && isSameOrder(current.one, order),
		recorded: map(
			noted.filter(({ one }) => isSameOrder(one, order)),
			'sold',
		),
	};
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
