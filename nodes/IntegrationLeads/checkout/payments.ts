/** Lists the rows of payment services in Brazil: Asaas, Mercado Pago and PagBank. */
import { ANY, type CheckoutService, joined, type Notification } from './types';

/**
 * https://docs.asaas.com/docs/webhook-para-cobrancas (28 Nov 2026). A chargeback that is lost is reported as PAYMENT_REFUNDED, one that is
 * won as PAYMENT_RECEIVED again. The buyer can be given beside `payment`, as `customer`. Refunds can be pending or cancelled as well:
 * https://docs.asaas.com/docs/refunds (29 Nov 2026). https://docs.asaas.com/docs/chargeback lists the states of a chargeback, and does not
 * say for whom one that is DONE was decided (1 Dec 2026): then only a refund decides.
 */
export const asaas: CheckoutService = {
	service: 'Asaas',
	is: [{ event: /^PAYMENT_/, 'payment.id': ANY }],
	states: {
		event: {
			sale: 'PAYMENT_CONFIRMED PAYMENT_RECEIVED PAYMENT_DUNNING_RECEIVED',
			waiting: joined(
				'PAYMENT_CREATED PAYMENT_AWAITING_RISK_ANALYSIS PAYMENT_APPROVED_BY_RISK_ANALYSIS PAYMENT_AUTHORIZED',
				'PAYMENT_OVERDUE PAYMENT_RESTORED PAYMENT_DUNNING_REQUESTED',
			),
			refused: 'PAYMENT_REPROVED_BY_RISK_ANALYSIS PAYMENT_CREDIT_CARD_CAPTURE_REFUSED',
			cancelled: 'PAYMENT_DELETED',
			disputed: joined(
				'PAYMENT_REFUND_IN_PROGRESS PAYMENT_CHARGEBACK_REQUESTED PAYMENT_CHARGEBACK_DISPUTE',
				'PAYMENT_AWAITING_CHARGEBACK_REVERSAL',
			),
			partlyTakenBack: 'PAYMENT_PARTIALLY_REFUNDED',
			takenBack: 'PAYMENT_REFUNDED PAYMENT_RECEIVED_IN_CASH_UNDONE',
			other: joined(
				'PAYMENT_UPDATED PAYMENT_ANTICIPATED PAYMENT_BANK_SLIP_* PAYMENT_CHECKOUT_VIEWED PAYMENT_SPLIT_*',
				'PAYMENT_REFUND_DENIED',
			),
		},
		'payment.status': {
			sale: 'CONFIRMED RECEIVED RECEIVED_IN_CASH DUNNING_RECEIVED',
			waiting: 'PENDING OVERDUE AUTHORIZED AWAITING_RISK_ANALYSIS DUNNING_REQUESTED',
			disputed: joined(
				'REFUND_REQUESTED REFUND_IN_PROGRESS CHARGEBACK_REQUESTED CHARGEBACK_DISPUTE',
				'AWAITING_CHARGEBACK_REVERSAL',
			),
			takenBack: 'REFUNDED',
		},
		'payment.chargeback.status': {
			disputed: 'REQUESTED IN_DISPUTE DONE',
			takenBack: 'DISPUTE_LOST',
			nothing: 'REVERSED',
		},
		'payment.deleted': { nothing: 'false', cancelled: 'true' },
	},
	test: { 'payment.invoiceUrl': /^https:\/\/sandbox\./ },
	subscription: { is: 'payment.subscription' },
	partOf: 'payment.installment',
	paidAt: 'payment.clientPaymentDate payment.confirmedDate payment.paymentDate',
	amount: 'payment.value',
	refunded: 'payment.refunds.*status=DONE.value',
	order: 'payment.id',
	buyer: {
		name: 'customer.name',
		email: 'customer.email',
		phone: 'customer.mobilePhone customer.phone',
		document: 'customer.cpfCnpj',
	},
	same: { buyers: ['payment.customer', 'customer.id'] },
	readBuyer: 'GET https://api.asaas.com/v3/customers/{payment.customer}',
};

/**
 * The payment, as https://www.mercadopago.com.br/developers/pt/reference/payments/_payments_id/get shows it (28 Nov 2026; states in
 * https://github.com/mercadopago/devsite-docs: reference/payments/data_structures/resource.yaml). A chargeback is opened as `in_process`,
 * and decided against the seller as `settled` or for them as `reimbursed`:
 * https://www.mercadopago.com.ar/developers/en/docs/split-payments-1-n/payments-management/chargebacks (29 Nov 2026).
 */
export const mercadoPago: CheckoutService = {
	service: 'Mercado Pago',
	is: [{ transaction_amount: ANY, currency_id: ANY, operation_type: ANY, status: ANY }],
	states: {
		status: {
			sale: 'approved',
			waiting: 'pending authorized in_process',
			refused: 'rejected',
			disputed: 'in_mediation charged_back',
			cancelled: 'cancelled',
			takenBack: 'refunded',
		},
		status_detail: {
			partlyTakenBack: 'partially_refunded',
			takenBack: 'settled',
			wonBack: 'reimbursed',
			nothing: '*',
		},
		operation_type: {
			nothing: 'regular_payment pos_payment recurring_payment payment_addition',
			other: 'money_transfer account_fund cellphone_recharge',
		},
	},
	// Users that are made for tests pay in live mode as well.
	test: { live_mode: /^false$/, 'payer.email': /^test_user_[^@]*@testuser\.com$/i },
	subscription: {
		is: 'metadata.preapproval_id point_of_interaction.transaction_data.subscription_id',
		shown: { operation_type: /^recurring_payment$/ },
	},
	paidAt: 'date_approved',
	amount: 'transaction_amount',
	currency: 'currency_id',
	refunded: 'transaction_amount_refunded',
	order: 'id',
	buyer: {
		name: 'payer.first_name+payer.last_name additional_info.payer.first_name+additional_info.payer.last_name',
		email: 'payer.email',
		phone:
			'payer.phone.area_code+payer.phone.number additional_info.payer.phone.area_code+additional_info.payer.phone.number',
		document: 'payer.identification.number',
	},
};

/**
 * https://www.mercadopago.com.br/developers/pt/docs/your-integrations/notifications/webhooks, of which only an excerpt was read
 * (28 Nov 2026). The older notifications (IPN) have the ID in `resource`.
 */
export const mercadoPagoNotification: Notification = {
	service: 'Mercado Pago',
	is: [
		{ 'data.id': ANY, action: /^payment\./ },
		{ topic: /^payment$/, resource: /^\d+$/ },
	],
	readFirst: 'GET https://api.mercadopago.com/v1/payments/{data.id resource}',
};

/**
 * https://developer.pagbank.com.br/reference/webhooks (26 Aug 2026): the order as the API shows it. A charge that is given back is
 * CANCELED, and has `paid_at`.
 */
export const pagBank: CheckoutService = {
	service: 'PagBank',
	is: [{ id: /^ORDE_/ }],
	states: {
		'charges.one.status': {
			sale: 'PAID',
			waiting: 'WAITING IN_ANALYSIS AUTHORIZED',
			refused: 'DECLINED',
			cancelled: 'CANCELED',
		},
	},
	test: {
		'charges.one.links.0.href': /^https:\/\/sandbox\./,
		'links.0.href': /^https:\/\/sandbox\./,
	},
	subscription: {
		is: 'charges.one.recurring.type',
		first: { 'charges.one.recurring.type': /^INITIAL$/ },
		renewal: { 'charges.one.recurring.type': /^SUBSEQUENT$/ },
	},
	paidAt: 'charges.one.paid_at',
	amount: 'charges.one.amount.value',
	cents: true,
	currency: 'charges.one.amount.currency',
	refunded: 'charges.one.amount.summary.refunded',
	order: 'id',
	buyer: {
		name: 'customer.name',
		email: 'customer.email',
		phone: 'customer.phones.0.country+customer.phones.0.area+customer.phones.0.number',
		document: 'customer.tax_id',
	},
};
