/** Lists the rows of the platforms where courses are sold: Hotmart, Kiwify and Eduzz. */
import { ANY, type CheckoutService, joined } from './types';

/**
 * https://developers.hotmart.com/docs/en/2.0.0/webhook/purchase-webhook/ (28 Nov 2026), states of a purchase as in
 * https://developers.hotmart.com/docs/en/v1/sales/sales-history/, of which only an excerpt was read. `price` is what was offered,
 * without the interest of installments. The panel's test has the product 0.
 */
export const hotmart: CheckoutService = {
	service: 'Hotmart',
	is: [{ version: /^2\./, event: /^[A-Z_]+$/, data: ANY }],
	states: {
		event: {
			sale: 'PURCHASE_APPROVED PURCHASE_COMPLETE',
			waiting: 'PURCHASE_BILLET_PRINTED PURCHASE_DELAYED',
			refused: 'PURCHASE_EXPIRED',
			cancelled: 'PURCHASE_CANCELED',
			disputed: 'PURCHASE_PROTEST',
			// Also of a part.
			partlyTakenBack: 'PURCHASE_REFUNDED',
			takenBack: 'PURCHASE_CHARGEBACK',
			other: joined(
				'PURCHASE_OUT_OF_SHOPPING_CART SUBSCRIPTION_CANCELLATION SWITCH_PLAN UPDATE_SUBSCRIPTION_CHARGE_DATE',
				'CLUB_FIRST_ACCESS CLUB_MODULE_COMPLETED',
			),
		},
		'data.purchase.status': {
			sale: 'APPROVED COMPLETE COMPLETED',
			waiting: joined(
				'STARTED PRINTED_BILLET BILLET_PRINTED WAITING_PAYMENT PROCESSING_TRANSACTION PRE_ORDER',
				'UNDER_ANALISYS OVERDUE DELAYED',
			),
			refused: 'EXPIRED NO_FUNDS BLOCKED',
			cancelled: 'CANCELED CANCELLED',
			disputed: 'DISPUTE PROTESTED',
			partlyTakenBack: 'PARTIALLY_REFUNDED',
			takenBack: 'REFUNDED CHARGEBACK',
		},
	},
	test: { 'data.product.id': /^0+$/ },
	subscription: {
		is: 'data.subscription.status data.purchase.recurrence_number',
		number: 'data.purchase.recurrence_number',
	},
	addition: { 'data.purchase.order_bump.is_order_bump': /^true$/ },
	paidAt: 'data.purchase.approved_date',
	clock: 'ms',
	amount: 'data.purchase.price.value',
	currency: 'data.purchase.price.currency_value data.purchase.price.currency_code',
	order: 'data.purchase.transaction',
	buyer: {
		name: 'data.buyer.name',
		email: 'data.buyer.email',
		phone: 'data.buyer.checkout_phone data.buyer.checkout_phone_code+data.buyer.checkout_phone',
		document: 'data.buyer.document',
	},
};

/**
 * https://docs.kiwify.com.br/api-reference/webhooks/receiving (28 Nov 2026). It names no time zone. A paid order in public code has
 * `approved_date` 2026-06-08 11:53 beside a charge that was created at 2026-06-08T14:53:19.981Z (29 Nov 2026), so times are those of
 * Brazil; those of the panel's test, which always has this email, are in UTC.
 */
export const kiwify: CheckoutService = {
	service: 'Kiwify',
	is: [
		{ webhook_event_type: ANY, order_id: ANY },
		{ checkout_link: ANY, status: /^abandoned$/ },
	],
	within: 'order',
	states: {
		webhook_event_type: {
			sale: 'order_approved subscription_renewed',
			waiting: 'billet_created pix_created',
			refused: 'order_rejected',
			takenBack: 'order_refunded chargeback',
			other: 'subscription_canceled subscription_late',
		},
		order_status: {
			sale: 'paid',
			waiting: 'waiting_payment',
			refused: 'refused',
			takenBack: 'refunded chargedback',
		},
		status: { other: 'abandoned' },
		refunded_at: { takenBack: '20*', nothing: 'null' },
	},
	test: { 'Customer.email': /^johndoe@example\.com$/i },
	subscription: {
		is: 'subscription_id Subscription.id',
		first: {
			webhook_event_type: /^order_approved$/,
			'Subscription.charges.completed.length': /^[01]$/,
		},
		renewal: { webhook_event_type: /^subscription_renewed$/ },
		payments: { list: 'Subscription.charges.completed', order: 'order_id' },
	},
	paidAt: 'approved_date',
	zone: 'America/Sao_Paulo',
	amount: 'Commissions.charge_amount',
	cents: true,
	currency: 'Commissions.currency',
	order: 'order_id order_ref',
	buyer: {
		name: 'Customer.full_name',
		email: 'Customer.email',
		phone: 'Customer.mobile',
		document: 'Customer.CPF Customer.cpf Customer.cnpj Customer.CNPJ',
	},
};

/**
 * https://developers.eduzz.com/reference/webhook/myeduzz-invoice-negotiated and its siblings (28 Nov 2026). Its older webhook ended on
 * 30 Apr 2026. An event is sent when the state changes. `paid`, `bankSlipInstallment` and `orderBump` are on none of the pages that were
 * read, and in public code that reads what came (29 Nov 2026).
 */
export const eduzz: CheckoutService = {
	service: 'Eduzz',
	is: [{ event: /^(?:myeduzz|sun)\./, data: ANY }],
	states: {
		event: {
			sale: 'myeduzz.invoice_paid',
			waiting: joined(
				'myeduzz.invoice_opened myeduzz.invoice_waiting_payment myeduzz.invoice_scheduled',
				'myeduzz.invoice_recovering myeduzz.invoice_negotiated myeduzz.invoice_overdue',
			),
			refused: 'myeduzz.invoice_refused myeduzz.invoice_expired',
			cancelled: 'myeduzz.invoice_canceled',
			disputed: 'myeduzz.invoice_waiting_refund',
			takenBack: 'myeduzz.invoice_refunded myeduzz.invoice_chargeback',
			other: 'myeduzz.contract_* myeduzz.commission_* sun.*',
		},
		'data.status': {
			sale: 'paid',
			waiting:
				'open processing analysing recovering trial waitingPayment overdue scheduled negotiated',
			refused: 'refused expired duplicated deleted internal',
			cancelled: 'canceled',
			disputed: 'waitingDocuments waitingRefund',
			partlyTakenBack: 'partialRefund',
			takenBack: 'refunded chargeback',
		},
	},
	subscription: { is: 'data.contract.id' },
	addition: { 'data.orderBump.isMainSale': /^false$/ },
	partOf: 'data.bankSlipInstallment.installmentNumber',
	paidAt: 'data.paidAt',
	dated: 'sentDate',
	amount: 'data.price.value',
	currency: 'data.price.currency',
	same: {
		amounts: ['data.price.value', 'data.paid.value'],
		currencies: ['data.price.currency', 'data.paid.currency'],
	},
	order: 'data.id',
	buyer: {
		name: 'data.buyer.name',
		email: 'data.buyer.email',
		phone: 'data.buyer.cellphone data.buyer.phone data.buyer.phone2',
		document: 'data.buyer.document',
	},
};
