/** Webhooks of checkouts: what is a sale, what is none, and what is not clear. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { cloneDeep, escapeRegExp, set, unset } from 'lodash';

import { parseCheckout } from '../../nodes/IntegrationLeads/checkout/parse';
import { CHECKOUTS } from '../../nodes/IntegrationLeads/checkout/services';
import type { UserError } from '../../nodes/IntegrationLeads/userError';

/** `service | state | when | amount | order | buyer | payment`, `-` for nothing, `! message` for a doubt. */
function outcome(body: unknown): string {
	try {
		const found = parseCheckout(body);
		if (!found) return '-';
		const { service, state, paidAt, amount, currency, order, buyer, payment } = found;
		const { name, email, phone, document } = buyer;
		return [
			service,
			state,
			paidAt ?? '?',
			`${amount ?? '?'} ${currency ?? '?'}`,
			order ?? '?',
			[name, email, phone, document].map((each) => each ?? '').join(', '),
			...(payment ? [payment] : []),
		].join(' | ');
	} catch (error) {
		return `! ${(error as Error).message}`;
	}
}

interface Published {
	source: string;
	expect: string;
	body: Record<string, unknown>;
}

const FOLDER = join(__dirname, '../checkouts');

const publishedIn = (file: string): Published[] =>
	readFileSync(join(FOLDER, file), 'utf8')
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as Published);

describe.each(readdirSync(FOLDER))('payloads that others published: %s', (file) => {
	it.each(publishedIn(file))('$source: $expect', ({ body, expect: expected }) => {
		expect(outcome(body)).toBe(expected);
	});
});

/** By service, the published payload that the rows below vary: the part of its source that no other has. */
const BASES: Record<string, string> = {
	Hotmart: 'test_curl_webhook.sh',
	Kiwify: 'purchase-approved.json as above',
	Eduzz: 'myeduzz-invoice-negotiated',
	'Stripe checkout.session': 'object checkout.session',
	'Stripe invoice': 'stripe-subscription-paid',
	'Stripe payment_intent': 'object payment_intent',
	'Stripe charge': 'object charge, as the event charge.succeeded',
	'Stripe dispute': 'object dispute',
	Asaas: 'WEBHOOK_ASAAS',
	'Mercado Pago': 'get_curl_response',
	PagBank: 'ResponsePagSeguro.md, card',
	WooCommerce: '_orders.md, processing',
	Shopify: 'new-paid-order',
	Nuvemshop: 'order.md, GET /orders',
	'RD Station': 'rdstation',
	Pipedrive: 'whatsapp2pipe',
	'Pipedrive 1': 'updated-deal-instant',
};

const published = readdirSync(FOLDER).flatMap(publishedIn);

/** A copy of a published payload with other values at some paths. */
function vary(base: string, changes: object): Record<string, unknown> {
	const { body } = published.find(({ source }) => source.includes(BASES[base]))!;
	const copy = cloneDeep(body);
	for (const [path, value] of Object.entries(changes)) {
		if (value === undefined) unset(copy, path);
		else set(copy, path, value);
	}
	return copy;
}

/** What makes a sale of the published payload, where it is none. */
const SALES: Record<string, object> = {
	Eduzz: { event: 'myeduzz.invoice_paid', 'data.status': 'paid' },
	'Stripe checkout.session': {
		created: 1763561590,
		'data.object.payment_status': 'paid',
		'data.object.amount_total': 19_790,
		'data.object.currency': 'brl',
	},
	'Stripe invoice': {},
	'Stripe payment_intent': {
		type: 'payment_intent.succeeded',
		'data.object.status': 'succeeded',
		'data.object.amount_received': 19_790,
		'data.object.currency': 'brl',
	},
	'Stripe charge': {
		'data.object.captured': true,
		'data.object.amount': 19_790,
		'data.object.amount_captured': 19_790,
		'data.object.currency': 'brl',
	},
	'Mercado Pago': { operation_type: 'regular_payment', currency_id: 'BRL' },
	WooCommerce: { currency: 'BRL' },
	Shopify: { currency: 'BRL', email: 'ana@example.com' },
	Nuvemshop: { currency: 'BRL' },
	'RD Station': {
		event_name: 'crm_deal_updated',
		'document.status': 'won',
		'document.amount_total': 5000,
		'document.closed_at': '2023-09-18T15:04:34.515-03:00',
	},
	Pipedrive: { 'data.value': 1500.5, 'data.currency': 'BRL' },
	'Pipedrive 1': {
		'current.status': 'won',
		'current.value': 1500.5,
		'current.currency': 'BRL',
		'current.won_time': '2015-09-23 21:59:49',
	},
};

/** A deal of Pipedrive that was won and deleted. */
const DELETED = {
	'meta.action': 'delete',
	'meta.entity_id': '1',
	data: null,
	previous: {
		id: 1,
		value: 1500.5,
		currency: 'BRL',
		status: 'won',
		won_time: '2024-07-01T05:50:19Z',
	},
};
const UNPAID = { 'previous.won_time': null };

const sale = (base: string, changes: object = {}) => vary(base, { ...SALES[base], ...changes });

/** `state payment`, or `! message`. */
const shortOutcome = (body: unknown) => {
	const whole = outcome(body);
	if (whole.startsWith('!')) return whole;
	const [, state, , , , , payment] = whole.split(' | ');
	return [state, payment].filter(Boolean).join(' ');
};

const OTHER_CURRENCY = '! amounts of leads are in BRL';
const WHICH_PAYMENT = '! does not show whether it is the first';

/** Expected is `state payment`, or a part of the message behind `!`. */
type Row = [base: string, what: string, changes: object, expected: string];

// The words are those of the pages that the table names.
test.each<Row>([
	['Hotmart', 'paid', {}, 'sale'],
	[
		'Hotmart',
		'approved',
		{ event: 'PURCHASE_APPROVED', 'data.purchase.status': 'APPROVED' },
		'sale',
	],
	[
		'Hotmart',
		'waiting',
		{
			event: 'PURCHASE_BILLET_PRINTED',
			'data.purchase.status': 'BILLET_PRINTED',
			'data.purchase.approved_date': undefined,
		},
		'waiting',
	],
	['Hotmart', 'late', { event: 'PURCHASE_DELAYED', 'data.purchase.status': 'DELAYED' }, 'waiting'],
	[
		'Hotmart',
		'expired',
		{ event: 'PURCHASE_EXPIRED', 'data.purchase.status': 'EXPIRED' },
		'refused',
	],
	[
		'Hotmart',
		'canceled before it was paid',
		{
			event: 'PURCHASE_CANCELED',
			'data.purchase.status': 'CANCELED',
			'data.purchase.approved_date': undefined,
		},
		'refused',
	],
	[
		'Hotmart',
		'canceled',
		{ event: 'PURCHASE_CANCELED', 'data.purchase.status': 'CANCELED' },
		'takenBack',
	],
	[
		'Hotmart',
		'refunded',
		{ event: 'PURCHASE_REFUNDED', 'data.purchase.status': 'REFUNDED' },
		'takenBack',
	],
	[
		'Hotmart',
		'partly refunded',
		{ event: 'PURCHASE_REFUNDED', 'data.purchase.status': 'PARTIALLY_REFUNDED' },
		'partlyTakenBack',
	],
	[
		'Hotmart',
		'chargeback',
		{ event: 'PURCHASE_CHARGEBACK', 'data.purchase.status': 'CHARGEBACK' },
		'takenBack',
	],
	['Hotmart', 'test', { 'data.product.id': 0 }, 'test'],
	[
		'Hotmart',
		'first payment',
		{ 'data.subscription.status': 'ACTIVE', 'data.purchase.recurrence_number': 1 },
		'sale first',
	],
	[
		'Hotmart',
		'renewal',
		{ 'data.subscription.status': 'ACTIVE', 'data.purchase.recurrence_number': 2 },
		'sale renewal',
	],
	['Hotmart', 'some payment', { 'data.subscription.status': 'ACTIVE' }, WHICH_PAYMENT],
	[
		'Hotmart',
		'renewal without its subscription',
		{ 'data.subscription': undefined, 'data.purchase.recurrence_number': 3 },
		'sale renewal',
	],
	['Hotmart', 'other currency', { 'data.purchase.price.currency_value': 'USD' }, OTHER_CURRENCY],
	['Hotmart', 'no currency', { 'data.purchase.price.currency_value': undefined }, '! its currency'],
	['Hotmart', 'no amount', { 'data.purchase.price.value': undefined }, '! has no plain amount'],
	['Hotmart', 'negative', { 'data.purchase.price.value': -287 }, '! has no plain amount: -287'],
	['Hotmart', 'free', { 'data.purchase.price.value': 0 }, 'free'],
	[
		'Hotmart',
		'no date',
		{ 'data.purchase.approved_date': undefined },
		'! when it was paid: nothing is there',
	],
	['Hotmart', 'seconds', { 'data.purchase.approved_date': 1755543671 }, '! when it was paid'],
	[
		'Hotmart',
		'unknown event',
		{ event: 'PURCHASE_MOVED' },
		'! a state that is not known of Hotmart',
	],
	[
		'Hotmart',
		'unknown state',
		{ 'data.purchase.status': 'SOLD' },
		'! not known of Hotmart: "SOLD"',
	],
	// As https://github.com/michael-lourenco/controle-de-eventos has it (documentacao/payloads-webhook.md, 29 Nov 2026).
	[
		'Hotmart',
		'order bump',
		{ 'data.purchase.order_bump': { is_order_bump: true, parent_purchase_transaction: 'HP1' } },
		'sale addition',
	],
	[
		'Hotmart',
		'order bump that is given back',
		{
			event: 'PURCHASE_REFUNDED',
			'data.purchase.status': 'REFUNDED',
			'data.purchase.order_bump': { is_order_bump: true, parent_purchase_transaction: 'HP1' },
		},
		'takenBack addition',
	],
	['Hotmart', 'no order bump', { 'data.purchase.order_bump': { is_order_bump: false } }, 'sale'],
	['Hotmart', 'contradiction', { 'data.purchase.status': 'CHARGEBACK' }, 'takenBack'],

	['Kiwify', 'paid', {}, 'sale first'],
	['Kiwify', 'paid once', { Subscription: undefined, subscription_id: undefined }, 'sale'],
	['Kiwify', 'paid and given back', { refunded_at: '2026-11-28 10:00' }, 'takenBack'],
	...(['77', '88'] as const).map((end): [string, string, object, string] => [
		'Kiwify',
		`a refund of the payment that ends in ${end}, after the second one`,
		{
			webhook_event_type: 'order_refunded',
			order_status: 'refunded',
			order_id: `cab27483-b3a0-495d-a043-1e5052ccfa${end}`,
			'Subscription.charges.completed.1': { order_id: 'cab27483-b3a0-495d-a043-1e5052ccfa88' },
		},
		end === '77' ? 'takenBack' : 'takenBack renewal',
	]),
	['Kiwify', 'paid, not given back', { refunded_at: null }, 'sale first'],
	['Kiwify', 'within order', { order: vary('Kiwify', {}), order_id: undefined }, 'sale first'],
	[
		'Kiwify',
		'refused',
		{ webhook_event_type: 'order_rejected', order_status: 'refused' },
		'refused',
	],
	['Kiwify', 'renewal', { webhook_event_type: 'subscription_renewed' }, 'sale renewal'],
	['Kiwify', 'some payment', { 'Subscription.charges.completed': [{}, {}] }, WHICH_PAYMENT],
	['Kiwify', 'late', { webhook_event_type: 'subscription_late' }, 'other'],
	['Kiwify', 'no longer', { webhook_event_type: 'subscription_canceled' }, 'other'],
	['Kiwify', 'other currency', { 'Commissions.currency': 'USD' }, OTHER_CURRENCY],
	[
		'Kiwify',
		'not in cents',
		{ 'Commissions.charge_amount': 91.49 },
		'! has no plain amount: 91.49',
	],
	['Kiwify', 'unknown event', { webhook_event_type: 'order_moved' }, '! not known of Kiwify'],

	['Eduzz', 'paid', {}, 'sale'],
	['Eduzz', 'waiting', { event: 'myeduzz.invoice_opened', 'data.status': 'open' }, 'waiting'],
	['Eduzz', 'refused', { event: 'myeduzz.invoice_refused', 'data.status': 'refused' }, 'refused'],
	[
		'Eduzz',
		'canceled',
		{ event: 'myeduzz.invoice_canceled', 'data.status': 'canceled' },
		'refused',
	],
	[
		'Eduzz',
		'refunded',
		{ event: 'myeduzz.invoice_refunded', 'data.status': 'refunded' },
		'takenBack',
	],
	[
		'Eduzz',
		'chargeback',
		{ event: 'myeduzz.invoice_chargeback', 'data.status': 'chargeback' },
		'takenBack',
	],
	[
		'Eduzz',
		'refund that is asked for',
		{ event: 'myeduzz.invoice_waiting_refund', 'data.status': 'waitingRefund' },
		'disputed',
	],
	['Eduzz', 'contract', { event: 'myeduzz.contract_updated', data: { contract: {} } }, 'other'],
	['Eduzz', 'cart', { event: 'sun.cart_abandonment', data: { id: 1 } }, 'other'],
	['Eduzz', 'subscription', { 'data.contract.id': 'c1' }, WHICH_PAYMENT],
	['Eduzz', 'paid as priced', { 'data.paid': { value: 100.5, currency: 'BRL' } }, 'sale'],
	[
		'Eduzz',
		'paid otherwise',
		{ 'data.paid': { value: 297, currency: 'BRL' } },
		'! has two amounts, which differ: 100.5 (data.price.value) and 297 (data.paid.value)',
	],
	[
		'Eduzz',
		'paid in another currency',
		{ 'data.paid': { value: 100.5, currency: 'USD' } },
		'! has two currencies, which differ: BRL (data.price.currency) and USD (data.paid.currency)',
	],
	[
		'Eduzz',
		'installment of a bank slip',
		{ 'data.bankSlipInstallment': { installmentNumber: 2, totalInstallments: 3 } },
		'! does not have its whole amount',
	],
	[
		'Eduzz',
		'order bump',
		{ 'data.orderBump': { has: true, isMainSale: false, mainSaleId: '1' } },
		'sale addition',
	],
	['Eduzz', 'with an order bump', { 'data.orderBump': { has: true, isMainSale: true } }, 'sale'],
	['Eduzz', 'other currency', { 'data.price.currency': 'EUR' }, OTHER_CURRENCY],
	['Eduzz', 'unknown event', { event: 'myeduzz.invoice_moved' }, '! not known of Eduzz'],

	['Stripe checkout.session', 'paid', {}, 'sale'],
	['Stripe checkout.session', 'not yet', { 'data.object.payment_status': 'unpaid' }, 'waiting'],
	[
		'Stripe checkout.session',
		'paid later',
		{ type: 'checkout.session.async_payment_succeeded' },
		'sale',
	],
	[
		'Stripe checkout.session',
		'failed',
		{
			type: 'checkout.session.async_payment_failed',
			'data.object.payment_status': 'unpaid',
		},
		'refused',
	],
	[
		'Stripe checkout.session',
		'first payment',
		{ 'data.object.mode': 'subscription', 'data.object.subscription': 'sub_1' },
		'sale first',
	],
	['Stripe checkout.session', 'test', { livemode: false }, 'test'],
	['Stripe checkout.session', 'other currency', { 'data.object.currency': 'usd' }, OTHER_CURRENCY],
	['Stripe invoice', 'paid', { body: undefined, ...vary('Stripe invoice', {}) }, 'sale first'],
	[
		'Stripe invoice',
		'renewal',
		{ 'body.data.object.billing_reason': 'subscription_cycle' },
		'sale renewal',
	],
	[
		'Stripe invoice',
		'once',
		{ 'body.data.object.billing_reason': 'manual', 'body.data.object.parent': null },
		'sale',
	],
	['Stripe invoice', 'some', { 'body.data.object.billing_reason': 'new' }, WHICH_PAYMENT],
	[
		'Stripe invoice',
		'failed',
		{
			'body.type': 'invoice.payment_failed',
			'body.data.object.status': 'open',
			'body.data.object.status_transitions.paid_at': null,
		},
		'refused',
	],
	[
		'Stripe invoice',
		'a trial',
		{ 'body.data.object.amount_paid': 0, 'body.data.object.amount_due': 0 },
		'free',
	],
	[
		'Stripe invoice',
		'paid elsewhere',
		{ 'body.data.object.amount_paid': 0 },
		'! has two amounts, which differ',
	],
	['Stripe invoice', 'test', { 'body.livemode': false }, 'test'],
	['Stripe payment_intent', 'paid', {}, 'sale'],
	[
		'Stripe payment_intent',
		'renewal',
		{ 'data.object.description': 'Subscription update' },
		'sale renewal',
	],
	['Stripe payment_intent', 'some', { 'data.object.invoice': 'in_1' }, WHICH_PAYMENT],
	[
		'Stripe payment_intent',
		'failed',
		{
			type: 'payment_intent.payment_failed',
			'data.object.status': 'requires_payment_method',
		},
		'refused',
	],
	[
		'Stripe payment_intent',
		'canceled',
		{ type: 'payment_intent.canceled', 'data.object.status': 'canceled' },
		'refused',
	],
	['Stripe charge', 'paid', {}, 'sale'],
	['Stripe charge', 'reserved', { 'data.object.captured': false }, 'waiting'],
	['Stripe charge', 'failed', { type: 'charge.failed', 'data.object.status': 'failed' }, 'refused'],
	[
		'Stripe charge',
		'refunded',
		{ type: 'charge.refunded', 'data.object.amount_refunded': 19_790 },
		'takenBack',
	],
	[
		'Stripe charge',
		'partly refunded',
		{ type: 'charge.refunded', 'data.object.amount_refunded': 1000 },
		'partlyTakenBack',
	],
	// https://github.com/woocommerce/woocommerce-gateway-stripe: is_partial_capture (30 Nov 2026)
	[
		'Stripe charge',
		'captured in part',
		{
			type: 'charge.captured',
			'data.object.amount_captured': 9000,
			'data.object.amount_refunded': 10_790,
		},
		'sale',
	],
	[
		'Stripe charge',
		'captured in part, and then refunded in part',
		{
			type: 'charge.refunded',
			'data.object.amount_captured': 9000,
			'data.object.amount_refunded': 11_790,
		},
		'partlyTakenBack',
	],
	[
		'Stripe charge',
		'doubtful refund',
		{ type: 'charge.refunded', 'data.object.amount_refunded': 'all' },
		'! a refund that is not plainly an amount',
	],
	[
		'Stripe dispute',
		'lost',
		{ type: 'charge.dispute.closed', 'data.object.status': 'lost' },
		'takenBack',
	],
	[
		'Stripe dispute',
		'won',
		{ type: 'charge.dispute.closed', 'data.object.status': 'won' },
		'other',
	],

	['Asaas', 'paid', {}, 'sale'],
	['Asaas', 'created', { event: 'PAYMENT_CREATED', 'payment.status': 'PENDING' }, 'waiting'],
	['Asaas', 'overdue', { event: 'PAYMENT_OVERDUE', 'payment.status': 'OVERDUE' }, 'waiting'],
	[
		'Asaas',
		'refused',
		{ event: 'PAYMENT_CREDIT_CARD_CAPTURE_REFUSED', 'payment.status': 'PENDING' },
		'refused',
	],
	['Asaas', 'refunded', { event: 'PAYMENT_REFUNDED', 'payment.status': 'REFUNDED' }, 'takenBack'],
	[
		'Asaas',
		'partly refunded',
		{ event: 'PAYMENT_PARTIALLY_REFUNDED', 'payment.status': 'RECEIVED' },
		'partlyTakenBack',
	],
	// https://docs.asaas.com/docs/refunds (29 Nov 2026)
	[
		'Asaas',
		'received, a part of it given back',
		{ 'payment.refunds': [{ status: 'DONE', value: 2 }] },
		'partlyTakenBack',
	],
	[
		'Asaas',
		'received, a refund cancelled and one pending',
		{
			'payment.refunds': [
				{ status: 'CANCELLED', value: 2 },
				{ status: 'PENDING', value: 2 },
			],
		},
		'sale',
	],
	[
		'Asaas',
		'chargeback',
		{ event: 'PAYMENT_CHARGEBACK_REQUESTED', 'payment.status': 'CHARGEBACK_REQUESTED' },
		'disputed',
	],
	[
		'Asaas',
		'deleted after payment',
		{ event: 'PAYMENT_DELETED', 'payment.deleted': true },
		'takenBack',
	],
	[
		'Asaas',
		'deleted',
		{
			event: 'PAYMENT_DELETED',
			'payment.status': 'PENDING',
			'payment.deleted': true,
			'payment.confirmedDate': null,
			'payment.paymentDate': null,
		},
		'refused',
	],
	['Asaas', 'seen', { event: 'PAYMENT_BANK_SLIP_VIEWED', 'payment.status': 'PENDING' }, 'other'],
	['Asaas', 'test', { 'payment.invoiceUrl': 'https://sandbox.asaas.com/i/1' }, 'test'],
	[
		'Asaas',
		'dispute lost',
		{
			event: 'PAYMENT_CHARGEBACK_DISPUTE',
			'payment.status': 'CHARGEBACK_DISPUTE',
			'payment.chargeback': { status: 'DISPUTE_LOST' },
		},
		'takenBack',
	],
	// https://docs.asaas.com/docs/chargeback (1 Dec 2026)
	['Asaas', 'chargeback done', { 'payment.chargeback': { status: 'DONE' } }, 'disputed'],
	['Asaas', 'chargeback asked for', { 'payment.chargeback': { status: 'REQUESTED' } }, 'disputed'],
	['Asaas', 'chargeback reversed', { 'payment.chargeback': { status: 'REVERSED' } }, 'sale'],
	[
		'Asaas',
		'chargeback done, refunded',
		{ event: 'PAYMENT_REFUNDED', 'payment.chargeback': { status: 'DONE' } },
		'takenBack',
	],
	[
		'Asaas',
		'with another customer',
		{ 'payment.customer': 'cus_1', customer: { id: 'cus_2', name: 'Bia Lima' } },
		'! has two buyers, which differ: cus_1 (payment.customer) and cus_2 (customer.id)',
	],
	['Asaas', 'subscription', { 'payment.subscription': 'sub_1' }, WHICH_PAYMENT],
	['Asaas', 'installment', { 'payment.installment': 'i1' }, '! does not have its whole amount'],
	['Asaas', 'unknown event', { event: 'PAYMENT_MOVED' }, '! not known of Asaas'],

	['Mercado Pago', 'paid', {}, 'sale'],
	['Mercado Pago', 'waiting', { status: 'in_process', date_approved: null }, 'waiting'],
	['Mercado Pago', 'refused', { status: 'rejected', date_approved: null }, 'refused'],
	['Mercado Pago', 'cancelled', { status: 'cancelled', date_approved: null }, 'refused'],
	['Mercado Pago', 'refunded', { status: 'refunded' }, 'takenBack'],
	[
		'Mercado Pago',
		'chargeback',
		{ status: 'charged_back', status_detail: 'in_process' },
		'disputed',
	],
	['Mercado Pago', 'lost', { status: 'charged_back', status_detail: 'settled' }, 'takenBack'],
	['Mercado Pago', 'won', { status: 'charged_back', status_detail: 'reimbursed' }, 'sale'],
	['Mercado Pago', 'opened', { status: 'charged_back', status_detail: 'in_process' }, 'disputed'],
	['Mercado Pago', 'no detail', { status: 'charged_back', status_detail: null }, 'disputed'],
	['Mercado Pago', 'in mediation', { status: 'in_mediation' }, 'disputed'],
	['Mercado Pago', 'partly refunded', { transaction_amount_refunded: 50 }, 'partlyTakenBack'],
	// https://www.mercadopago.com.br/developers/pt/docs/checkout-api-payments/response-handling/collection-results (30 Nov 2026)
	[
		'Mercado Pago',
		'partly refunded by its detail',
		{ status_detail: 'partially_refunded' },
		'partlyTakenBack',
	],
	['Mercado Pago', 'test', { live_mode: false }, 'test'],
	['Mercado Pago', 'subscription', { 'metadata.preapproval_id': 'p1' }, WHICH_PAYMENT],
	['Mercado Pago', 'other currency', { currency_id: 'ARS' }, OTHER_CURRENCY],
	['Mercado Pago', 'a transfer', { operation_type: 'money_transfer' }, 'other'],

	['PagBank', 'paid', {}, 'sale'],
	[
		'PagBank',
		'waiting',
		{ 'charges.0.status': 'WAITING', 'charges.0.paid_at': undefined },
		'waiting',
	],
	['PagBank', 'declined', { 'charges.0.status': 'DECLINED' }, 'refused'],
	['PagBank', 'canceled', { 'charges.0.status': 'CANCELED', 'charges.0.paid_at': null }, 'refused'],
	['PagBank', 'refunded', { 'charges.0.status': 'CANCELED' }, 'takenBack'],
	['PagBank', 'partly refunded', { 'charges.0.amount.summary.refunded': 50 }, 'partlyTakenBack'],
	['PagBank', 'test', { 'links.0.href': 'https://sandbox.api.pagseguro.com/orders/1' }, 'test'],
	['PagBank', 'first payment', { 'charges.0.recurring.type': 'INITIAL' }, 'sale first'],
	['PagBank', 'renewal', { 'charges.0.recurring.type': 'SUBSEQUENT' }, 'sale renewal'],
	['PagBank', 'other currency', { 'charges.0.amount.currency': 'USD' }, OTHER_CURRENCY],
	['PagBank', 'two charges', { 'charges.1': { status: 'PAID' } }, '! whether anything was paid'],

	['WooCommerce', 'paid', {}, 'sale'],
	['WooCommerce', 'waiting', { status: 'on-hold', date_paid: null }, 'waiting'],
	['WooCommerce', 'paid on delivery', { date_paid: null, date_paid_gmt: null }, 'waiting'],
	['WooCommerce', 'dispute lost', { status: 'failed' }, 'takenBack'],
	['WooCommerce', 'failed', { status: 'failed', date_paid: null, date_paid_gmt: null }, 'refused'],
	['WooCommerce', 'cancelled', { status: 'cancelled' }, 'takenBack'],
	['WooCommerce', 'refunded', { status: 'refunded' }, 'takenBack'],
	['WooCommerce', 'all refunded', { refunds: [{ total: '-20' }, { total: '-9.35' }] }, 'takenBack'],
	['WooCommerce', 'partly refunded', { refunds: [{ total: '-9.00' }] }, 'partlyTakenBack'],
	[
		'WooCommerce',
		'all refunded, in parts that do not add up exactly as binary numbers',
		{ total: '0.80', refunds: [{ total: '-0.7' }, { total: '-0.1' }] },
		'takenBack',
	],
	['WooCommerce', 'renewal', { created_via: 'subscription' }, 'sale renewal'],
	...['wps_sfw_renewal_order', 'is_a_renew'].map(
		(key): Row => [
			'WooCommerce',
			`renewal by its ${key}`,
			{ meta_data: [{ id: 1, key, value: 'yes' }] },
			'sale renewal',
		],
	),
	['WooCommerce', 'other currency', { currency: 'USD' }, OTHER_CURRENCY],
	['WooCommerce', 'amount in words', { total: '29,35' }, '! has no plain amount: "29,35"'],
	['WooCommerce', 'own state', { status: 'shipped' }, '! not known of WooCommerce: "shipped"'],

	['Shopify', 'paid', {}, 'sale'],
	['Shopify', 'waiting', { financial_status: 'authorized' }, 'waiting'],
	['Shopify', 'voided', { financial_status: 'voided' }, 'refused'],
	['Shopify', 'cancelled', { cancelled_at: '2023-03-25T12:37:26-04:00' }, 'takenBack'],
	[
		'Shopify',
		'cancelled before it was paid',
		{ cancelled_at: '2023-03-25T12:37:26-04:00', financial_status: 'pending' },
		'refused',
	],
	['Shopify', 'refunded', { financial_status: 'refunded' }, 'takenBack'],
	['Shopify', 'partly refunded', { financial_status: 'partially_refunded' }, 'partlyTakenBack'],
	...[
		['failure', 'sale'],
		['success', 'partlyTakenBack'],
	].map(
		([status, expected]): Row => [
			'Shopify',
			`a refund whose transaction is a ${status}`,
			{ refunds: [{ transactions: [{ kind: 'refund', status, amount: '9.00' }] }] },
			expected,
		],
	),
	['Shopify', 'test', { test: true }, 'test'],
	['Shopify', 'renewal', { source_name: 'subscription_contract' }, 'sale renewal'],
	['Shopify', 'renewal by its tag', { tags: 'vip, Subscription Recurring Order' }, 'sale renewal'],
	['Shopify', 'other currency', { currency: 'USD' }, OTHER_CURRENCY],

	['Nuvemshop', 'paid', {}, 'sale'],
	['Nuvemshop', 'waiting', { payment_status: 'pending', paid_at: null }, 'waiting'],
	['Nuvemshop', 'abandoned', { payment_status: 'abandoned', paid_at: null }, 'refused'],
	['Nuvemshop', 'voided', { payment_status: 'voided', paid_at: null }, 'refused'],
	['Nuvemshop', 'cancelled', { status: 'cancelled' }, 'takenBack'],
	['Nuvemshop', 'refunded', { payment_status: 'refunded' }, 'takenBack'],
	['Nuvemshop', 'other currency', { currency: 'ARS' }, OTHER_CURRENCY],

	['RD Station', 'won', {}, 'sale'],
	['RD Station', 'ongoing', { 'document.status': 'ongoing' }, 'waiting'],
	['RD Station', 'lost', { 'document.status': 'lost' }, 'refused'],
	['RD Station', 'deleted', { event_name: 'crm_deal_deleted' }, 'takenBack'],
	[
		'RD Station',
		'open, deleted',
		{ event_name: 'crm_deal_deleted', 'document.status': 'ongoing', 'document.closed_at': null },
		'refused',
	],
	[
		'RD Station',
		'lost, deleted',
		{ event_name: 'crm_deal_deleted', 'document.status': 'lost' },
		'refused',
	],
	['RD Station', 'no state', { 'document.status': undefined }, '! whether anything was paid'],
	['RD Station', 'won without a value', { 'document.amount_total': 0 }, 'free'],

	['Pipedrive', 'won', {}, 'sale'],
	['Pipedrive', 'open', { 'data.status': 'open', previous: null }, 'waiting'],
	['Pipedrive', 'lost', { 'data.status': 'lost', 'previous.status': 'open' }, 'refused'],
	['Pipedrive', 'open again', { 'data.status': 'open', 'previous.status': 'won' }, 'takenBack'],
	['Pipedrive', 'lost after all', { 'data.status': 'lost', 'previous.status': 'won' }, 'takenBack'],
	['Pipedrive', 'deleted', DELETED, 'takenBack'],
	['Pipedrive', 'deleted, with its data', { 'meta.action': 'delete', previous: null }, 'takenBack'],
	[
		'Pipedrive',
		'open and deleted',
		{ ...DELETED, 'previous.status': 'open', ...UNPAID },
		'refused',
	],
	[
		'Pipedrive',
		'lost and deleted',
		{ ...DELETED, 'previous.status': 'lost', ...UNPAID },
		'refused',
	],
	['Pipedrive', 'merged and deleted', { ...DELETED, 'meta.merged_to_id': '2' }, 'other'],
	[
		'Pipedrive',
		'without its value',
		{ 'data.value': null, 'previous.value': 5 },
		'! no plain amount',
	],
	[
		'Pipedrive',
		'with another person',
		{ 'data.person_id': 7, person: { id: 8, name: 'Bia Lima' } },
		'! has two buyers, which differ: 7 (data.person_id current.person_id) and 8 (person.id)',
	],
	[
		'Pipedrive',
		'with a person as its first API has them',
		{ 'data.person_id': { value: 7, name: 'Ana Souza' }, person: { id: 7 } },
		'sale',
	],
	['Pipedrive', 'other currency', { 'data.currency': 'EUR' }, OTHER_CURRENCY],
	['Pipedrive 1', 'won', {}, 'sale'],
	[
		'Pipedrive 1',
		'open again',
		{ 'current.status': 'open', 'previous.status': 'won' },
		'takenBack',
	],
	[
		'Pipedrive 1',
		'deleted',
		{ 'meta.action': 'deleted', current: null, previous: { id: 9, status: 'won', value: 5 } },
		'takenBack',
	],
	['Pipedrive 1', 'other currency', { 'current.currency': 'EUR' }, OTHER_CURRENCY],
])('%s, %s', (base, _, changes, expected) => {
	const found = shortOutcome(sale(base, changes));
	if (!expected.startsWith('!')) expect(found).toBe(expected);
	else expect(found).toMatch(new RegExp(`^!.*${escapeRegExp(expected.slice(2))}`));
});

test.each([
	undefined,
	null,
	'',
	[],
	{},
	{ body: {} },
	{ event: 'Message', data: {} },
	{ object: 'event', type: 'customer.created', data: { object: { object: 'customer' } } },
	{ object: 'whatsapp_business_account', entry: [] },
	{ email: 'ana@example.com', value: 100, status: 'paid' },
])('%j is of no checkout', (body) => {
	expect(parseCheckout(body)).toBeUndefined();
});

it('reads the item of n8n that has the body in it', () => {
	const body = vary('Hotmart', {});
	const item = { headers: {}, params: {}, query: {}, body, webhookUrl: 'https://n8n' };
	expect(parseCheckout(item)).toEqual(parseCheckout(body));
});

it('does not choose between two services', () => {
	const body = { ...sale('WooCommerce'), ...sale('Shopify') };
	expect(outcome(body)).toBe('! "Webhook Body" can be of WooCommerce and of Shopify');
});

/** What the panel says below the message. */
function remedyOf(body: unknown): string {
	try {
		parseCheckout(body);
		return '';
	} catch (error) {
		return (error as UserError).description;
	}
}

test.each([
	[{ action: 'payment.updated', data: { id: '9' } }, 'https://api.mercadopago.com/v1/payments/9'],
	[{ store_id: 123, event: 'order/paid', id: 5 }, 'https://api.nuvemshop.com.br/v1/123/orders/5'],
])('says how to read the rest of %j', (body, request) => {
	expect(remedyOf(body)).toContain(`with an HTTP Request node before this one`);
	expect(remedyOf(body)).toContain(`GET ${request}`);
});

it('says what to do about a doubt', () => {
	const remedy = remedyOf(sale('Hotmart', { 'data.purchase.price.currency_value': 'USD' }));
	expect(remedy).toBe(
		'Nothing was recorded, since a sale is never guessed. To record what it is about, choose "Using Fields Below" under "Specify Sale", and map the values of the body.',
	);
});

test.each([
	['Asaas', { readBuyer: 'GET https://api.asaas.com/v3/customers/cus_987654321' }],
	['Pipedrive', { readBuyer: 'GET https://api.pipedrive.com/v1/persons/1' }],
])('says how to read the buyer of %s', (base, expected) => {
	expect(parseCheckout(sale(base))).toMatchObject({ ...expected, buyer: {} });
});

it('takes the buyer that was read', () => {
	const customer = { name: 'Ana', email: 'ana@example.com', cpfCnpj: '12345678909' };
	const found = parseCheckout(vary('Asaas', { customer }));
	expect(found).toMatchObject({ buyer: { name: 'Ana', email: 'ana@example.com' } });
	expect(found).not.toHaveProperty('readBuyer');
});

// A secret of the sender is in some bodies, such as `hottok`.
it('keeps what it does not need to itself', () => {
	const body = vary('Hotmart', { hottok: 'secret-token' });
	expect(JSON.stringify(parseCheckout(body))).not.toContain('secret-token');
});

it('every row of the table has a published payload', () => {
	const covered = Object.keys(BASES).map((base) => base.split(' ')[0]);
	for (const { service } of CHECKOUTS) expect(covered).toContain(service.split(' ')[0]);
});
