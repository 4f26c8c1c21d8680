/**
 * Reads the webhook of a checkout by the table of {@link CHECKOUTS}. Only what is plainly a sale counts: a doubt is an error, since
 * the lead would keep a sale that never was. Pure.
 */
import {
	attempt,
	compact,
	intersection,
	isError,
	map,
	mapValues,
	omit,
	pick,
	pickBy,
	round,
	toUpper,
	uniq,
} from 'lodash';

import { parseDate } from '../dates/date';
import { InputError } from '../userError';
import { isBlank, show } from '../values/convert';
import { isRecord, type ServiceRecord, toRecord } from '../values/json';
import {
	allWrittenAt,
	passes,
	passesOne,
	plainNumber,
	presentAt,
	stateOf,
	sumAt,
	valueAt,
	writtenAt,
} from './paths';
import { CHECKOUTS } from './services';
import type { CheckoutService, Notification, StateWord } from './types';

/** What happened: `free` is a sale of nothing, such as a trial, and `test` was sent to try the webhook. */
export type CheckoutState = Exclude<StateWord, 'cancelled' | 'nothing'> | 'free' | 'test';

export interface Buyer {
	name?: string;
	email?: string;
	phone?: string;
	/** Where the webhook has further ones, or the same with its area code. */
	otherPhones?: string[];
	document?: string;
}

export interface Checkout {
	service: string;
	state: CheckoutState;
	/** ISO 8601, or a day without a time. Known for every sale. */
	paidAt?: string;
	/** In whole units of the currency. Known for every sale. */
	amount?: number;
	/** BRL for every sale. */
	currency?: string;
	/** How much of it was given back, of a part. */
	refunded?: number;
	/** The webhook does not show the currency of the sale. */
	assumesBrl?: true;
	order?: string;
	/** Further IDs of the order, which other webhooks of it may name instead. */
	otherIds?: string[];
	/** It may have been a sale before, which is now waiting or refused. */
	mayReopen?: true;
	buyer: Buyer;
	/** Of a subscription, or of an order that adds to another one. A lead holds one sale, so only the first payment is recorded. */
	payment?: 'first' | 'renewal' | 'addition';
	/** The request that reads the buyer, where the webhook has only an ID. */
	readBuyer?: string;
}

const LABEL = '"Webhook Body"';
const NOT_RECORDED = 'Nothing was recorded, since a sale is never guessed.';
const BY_FIELDS =
	'To record what it is about, choose "Using Fields Below" under "Specify Sale", and map the values of the body.';

const doubt = (what: string, remedy = BY_FIELDS) =>
	new InputError(`${LABEL} ${what}`, { all: NOT_RECORDED, panel: remedy });

/**
 * @param payload the body, or the item of n8n's Webhook node that has it in `body`
 * @returns undefined if no service of the table sent it
 * @throws InputError if it is not clear what it says
 */
export function parseCheckout(payload: unknown): Checkout | undefined {
	const item = toRecord(payload);
	const fits = rowsFor(item);
	if (fits.length > 0 || !isRecord(item.body)) return read(fits, item);
	return read(rowsFor(item.body), item.body);
}

type Row = CheckoutService | Notification;
const isNotification = (row: Row): row is Notification => 'readFirst' in row;

const rootOf = (row: Row, body: ServiceRecord): ServiceRecord => {
	const inner = isNotification(row) || !row.within ? undefined : body[row.within];
	return isRecord(inner) ? inner : body;
};

const rowsFor = (body: ServiceRecord): Row[] =>
	CHECKOUTS.filter((row) => row.is.some((tests) => passes(rootOf(row, body), tests)));

function read(rows: Row[], body: ServiceRecord): Checkout | undefined {
	const services = uniq(rows.map(({ service }) => service));
	if (services.length > 1) throw doubt(`can be of ${services.join(' and of ')}`);
	const row = rows.find((candidate) => !isNotification(candidate)) ?? rows.at(0);
	if (!row) return undefined;
	if (!isNotification(row)) return readRow(row, rootOf(row, body));
	throw doubt(
		`is a notification of ${row.service}, which has no more than an ID`,
		`Read the rest with an HTTP Request node before this one, and give its answer as the body: ${filled(row.readFirst, body)}`,
	);
}

/** A request with the values of the body. */
const filled = (request: string, body: ServiceRecord): string =>
	request.replace(/\{([^{}]+)\}/g, (_, path: string) => writtenAt(body, path) ?? `{${path}}`);

function readRow(row: CheckoutService, body: ServiceRecord): Checkout {
	const { service, currency, readBuyer, assumesBrl } = row;
	const [order, ...otherIds] = allWrittenAt(body, row.order);
	const isTest = passesOne(body, row.test);
	const amount = amountIn(row, body);
	const refunded = refundedIn(row, body);
	const stated = isTest ? 'test' : stateIn(row, body, amount, refunded);
	const state = stated === 'sale' && amount === 0 ? 'free' : stated;
	const known = {
		amount,
		refunded: state === 'partlyTakenBack' && refunded > 0 ? refunded : undefined,
		currency: currency ? writtenAt(body, currency)?.toUpperCase() : 'BRL',
		paidAt: paidAtIn(row, body),
		order,
		otherIds: otherIds.length > 0 ? otherIds : undefined,
	};
	const [phone, ...otherPhones] = allWrittenAt(body, row.buyer.phone, '');
	const buyer: Buyer = {
		...mapValues(omit(row.buyer, 'phone'), (paths) => writtenAt(body, paths)),
		phone,
		otherPhones: otherPhones.length > 0 ? otherPhones : undefined,
	};
	if (stated === 'sale') assertSame(row, body, ['amounts', 'currencies', 'buyers']);
	if (state === 'sale') assertSale(row, body, known);
	if (OF_REFUNDS.includes(state)) assertSame(row, body, ['buyers']);
	return {
		service,
		state,
		...pickBy(known, (value) => value !== undefined),
		buyer: pickBy(buyer, (value) => value !== undefined),
		...(state === 'sale' && { ...paymentIn(row, body), ...(assumesBrl && { assumesBrl }) }),
		...(OF_REFUNDS.includes(state) && laterPaymentIn(row, body)),
		...(row.reopens && UNPAID.includes(state) && { mayReopen: true }),
		...(readBuyer && isBlank(buyer.email) && { readBuyer: filled(readBuyer, body) }),
	};
}

/** From what hides all others to what all others hide. */
const WORST_FIRST = [
	'takenBack',
	'partlyTakenBack',
	'disputed',
	'refused',
	'waiting',
	'sale',
] as const;

function stateIn(
	row: CheckoutService,
	body: ServiceRecord,
	amount = Infinity,
	refunded: number,
): (typeof WORST_FIRST)[number] | 'other' {
	const shown = Object.entries(row.states)
		.map(([paths, words]) => ({ paths, words, value: presentAt(body, paths) }))
		.filter(({ value }) => value !== undefined)
		.map((one) => ({ ...one, state: stateOf(one.words, String(one.value)) }));
	const states = map(shown, 'state');
	// What is not about a payment needs no other state.
	if (states.includes('other')) return 'other';
	if (states.includes('wonBack')) return 'sale';
	const unknown = shown.find(({ state }) => state === undefined);
	if (unknown) {
		const { value, paths } = unknown;
		throw doubt(`has a state that is not known of ${row.service}: ${show(value)} (${paths})`);
	}
	const [ofNow = {}] = Object.values(row.states);
	const earlierState = stateOf(ofNow, writtenAt(body, row.stateBefore) ?? '');
	const hasState = (...some: Array<StateWord | undefined>) => intersection(states, some).length > 0;
	// A deal that was lost has a day on which it was closed, too.
	const wasPaid =
		hasState('sale', 'partlyTakenBack') ||
		(valueAt(body, row.paidAt) !== undefined && !hasState('waiting', 'refused'));
	const resolved = states.map((state) =>
		state === 'cancelled' ? (wasPaid ? 'takenBack' : 'refused') : state,
	);
	const worst = WORST_FIRST.find((state) => resolved.includes(state));
	if (!worst) throw doubt(`of ${row.service} does not show whether anything was paid`);
	if (earlierState === 'sale' && (worst === 'waiting' || worst === 'refused')) return 'takenBack';
	const mayBeLess = worst === 'sale' || worst === 'partlyTakenBack';
	if (!mayBeLess || refunded === 0) return worst;
	if (Number.isNaN(refunded))
		throw doubt(`has a refund that is not plainly an amount (${row.refunded})`);
	return refunded >= amount ? 'takenBack' : 'partlyTakenBack';
}

/** How much was given back, in whole units; 0 if nothing is shown, NaN if it is not plainly an amount. */
function refundedIn({ refunded, cents }: CheckoutService, body: ServiceRecord): number {
	const sum = refunded ? sumAt(body, refunded) : 0;
	return round(cents ? sum / 100 : sum, 2);
}

function amountIn({ amount, cents }: CheckoutService, body: ServiceRecord): number | undefined {
	const number = plainNumber(valueAt(body, amount));
	if (number === undefined || number < 0) return undefined;
	if (!cents) return number;
	return Number.isInteger(number) ? number / 100 : undefined;
}

/** A day stays a day, whatever the time zone. */
function paidAtIn(row: CheckoutService, body: ServiceRecord): string | undefined {
	const paidAt = writtenAt(body, row.paidAt) ?? writtenAt(body, row.dated);
	if (paidAt === undefined) return undefined;
	const { clock, zone } = row;
	if (clock) {
		const isTime = (clock === 'ms' ? /^\d{13}$/ : /^\d{10}$/).test(paidAt);
		return isTime ? new Date(Number(paidAt.padEnd(13, '0'))).toISOString() : undefined;
	}
	const date = parseDate(paidAt, zone ?? 'utc');
	if (!date || !zone) return date && paidAt;
	return date.toUTC().toISO() ?? undefined;
}

/** @throws InputError if something that must be the same in two places is not */
function assertSame(
	{ service, same, readBuyer }: CheckoutService,
	body: ServiceRecord,
	kinds: Array<keyof NonNullable<CheckoutService['same']>>,
): void {
	for (const [what, paths] of Object.entries(pick(same, kinds))) {
		const [value, other] = paths.map((path) => writtenAt(body, path));
		if (value === undefined || other === undefined) continue;
		if ((plainNumber(value) ?? toUpper(value)) === (plainNumber(other) ?? toUpper(other))) continue;
		const [one, two] = [`${value} (${paths[0]})`, `${other} (${paths[1]})`];
		const read = what === 'buyers' && readBuyer;
		throw doubt(
			`of ${service} has two ${what}, which differ: ${one} and ${two}`,
			read ? `Read the buyer of the webhook: ${filled(read, body)}` : undefined,
		);
	}
}

/** @throws InputError if a sale is not wholly known */
function assertSale(
	row: CheckoutService,
	body: ServiceRecord,
	{ amount, currency, paidAt }: Pick<Checkout, 'amount' | 'currency' | 'paidAt'>,
): void {
	const { service } = row;
	const is = (path = '') => {
		const value = valueAt(body, path);
		return value === undefined ? 'nothing is there' : show(value);
	};
	if (valueAt(body, row.partOf) !== undefined) {
		throw doubt(
			`is one of several payments of a sale (${row.partOf} of ${service}), and does not have its whole amount`,
		);
	}
	if (currency !== 'BRL') {
		const which = currency === undefined ? 'does not show its currency' : `is in ${currency}`;
		throw doubt(`of ${service} ${which}, and the amounts of leads are in BRL (${row.currency})`);
	}
	if (amount === undefined) {
		throw doubt(`of ${service} has no plain amount: ${is(row.amount)} (${row.amount})`);
	}
	if (paidAt === undefined) {
		const paths = compact([row.paidAt, row.dated]).join(' ');
		throw doubt(`of ${service} does not show when it was paid: ${is(paths)} (${paths})`);
	}
}

const OF_REFUNDS: string[] = ['takenBack', 'partlyTakenBack'];
const UNPAID: string[] = ['waiting', 'refused'];

/** The payment that was given back, if it is plainly another than the one whose sale the lead holds. */
function laterPaymentIn(row: CheckoutService, body: ServiceRecord): Pick<Checkout, 'payment'> {
	const paid = attempt(paymentIn, row, body);
	return isError(paid) || paid.payment === 'first' ? {} : paid;
}

/** Which payment of a subscription or of an order in parts a sale is, if it is one. */
function paymentIn(
	{ service, addition, order, subscription = { is: '' } }: CheckoutService,
	body: ServiceRecord,
): Pick<Checkout, 'payment'> {
	const { is, shown, number, payments, first, renewal } = subscription;
	if (passesOne(body, addition)) return { payment: 'addition' };
	if (passesOne(body, renewal)) return { payment: 'renewal' };
	if (first && passes(body, first)) return { payment: 'first' };
	const isSubscription = valueAt(body, is) !== undefined || passesOne(body, shown);
	const count = isSubscription ? plainNumber(valueAt(body, number)) : undefined;
	if (count !== undefined && count >= 1) return { payment: count === 1 ? 'first' : 'renewal' };
	const place = payments ? placeIn(body, payments, writtenAt(body, order)) : -1;
	if (place >= 0) return { payment: place === 0 ? 'first' : 'renewal' };
	if (!isSubscription) return {};
	throw doubt(
		`is a payment of a subscription of ${service}, and does not show whether it is the first`,
	);
}

/** The place of an order in a list of payments, -1 if it is not there. */
const placeIn = (
	body: ServiceRecord,
	{ list, order }: { list: string; order: string },
	id?: string,
): number => {
	const payments: unknown = valueAt(body, list);
	if (!Array.isArray(payments)) return -1;
	return payments.findIndex((payment) => writtenAt(payment, order) === id);
};
