/** Lists the rows of Stripe: one for each object that an event can be about. */
import { ANY, type CheckoutService, type Tests } from './types';

/**
 * An event, with an object: https://docs.stripe.com/api/events/types. Objects and their states as in
 * https://github.com/stripe/openapi (21 Aug 2026), since the pages were not read whole. One purchase has a session, an invoice, a payment
 * and a charge, which name each other. Since version 2025-03-31, payments and charges name no invoice.
 */
const STRIPE = {
	service: 'Stripe',
	clock: 's',
	cents: true,
	test: { livemode: /^false$/ },
} as const;
const stripe = (object: RegExp, type = ANY): Tests[] => [
	{ object: /^event$/, type, 'data.object.object': object },
];
const BY_DESCRIPTION = {
	is: 'data.object.invoice',
	first: { 'data.object.description': /^Subscription creation$/ },
	renewal: { 'data.object.description': /^Subscription update$/ },
};

/** https://docs.stripe.com/api/checkout/sessions/object */
const stripeCheckout: CheckoutService = {
	...STRIPE,
	is: stripe(/^checkout\.session$/),
	states: {
		type: {
			nothing: 'checkout.session.completed checkout.session.async_payment_succeeded',
			refused: 'checkout.session.async_payment_failed checkout.session.expired',
		},
		'data.object.payment_status': { sale: 'paid', waiting: 'unpaid no_payment_required' },
	},
	subscription: {
		is: 'data.object.subscription',
		first: { 'data.object.mode': /^subscription$/ },
	},
	dated: 'created',
	amount: 'data.object.amount_total',
	currency: 'data.object.currency',
	order: 'data.object.payment_intent data.object.invoice data.object.id',
	buyer: {
		name: 'data.object.customer_details.name',
		email: 'data.object.customer_details.email data.object.customer_email',
		phone: 'data.object.customer_details.phone',
		document: 'data.object.customer_details.tax_ids.one.value',
	},
};

/** https://docs.stripe.com/api/invoices/object */
const stripeInvoice: CheckoutService = {
	...STRIPE,
	is: stripe(/^invoice$/),
	states: {
		type: {
			sale: 'invoice.paid invoice.payment_succeeded',
			refused: 'invoice.payment_failed',
			other: 'invoice.*',
		},
		'data.object.status': {
			sale: 'paid',
			waiting: 'draft open',
			refused: 'uncollectible',
			cancelled: 'void',
		},
	},
	subscription: {
		is: 'data.object.parent.subscription_details.subscription data.object.subscription',
		first: { 'data.object.billing_reason': /^subscription_create$/ },
		renewal: { 'data.object.billing_reason': /^subscription(?:_cycle|_update|_threshold)?$/ },
	},
	paidAt: 'data.object.status_transitions.paid_at',
	amount: 'data.object.amount_paid',
	// An invoice that is marked as paid elsewhere is paid with nothing (https://docs.stripe.com/invoicing/integration#out-of-band).
	same: { amounts: ['data.object.amount_paid', 'data.object.amount_due'] },
	currency: 'data.object.currency',
	order: 'data.object.id data.object.payment_intent data.object.charge',
	buyer: {
		name: 'data.object.customer_name',
		email: 'data.object.customer_email',
		phone: 'data.object.customer_phone',
		document: 'data.object.customer_tax_ids.one.value',
	},
};

/** https://docs.stripe.com/api/payment_intents/object. Those of a subscription are described as its creation or update. */
const stripePayment: CheckoutService = {
	...STRIPE,
	is: stripe(/^payment_intent$/),
	states: {
		type: {
			sale: 'payment_intent.succeeded',
			refused: 'payment_intent.payment_failed',
			nothing: 'payment_intent.*',
		},
		'data.object.status': {
			sale: 'succeeded',
			waiting:
				'processing requires_action requires_capture requires_confirmation requires_payment_method',
			cancelled: 'canceled',
		},
	},
	subscription: BY_DESCRIPTION,
	dated: 'created',
	amount: 'data.object.amount_received',
	currency: 'data.object.currency',
	order: 'data.object.id data.object.invoice data.object.latest_charge',
	buyer: {
		name: 'data.object.shipping.name',
		email: 'data.object.receipt_email',
		phone: 'data.object.shipping.phone',
	},
};

/** https://docs.stripe.com/api/charges/object */
const stripeCharge: CheckoutService = {
	...STRIPE,
	is: stripe(/^charge$/),
	states: {
		type: {
			sale: 'charge.succeeded charge.captured',
			waiting: 'charge.pending',
			refused: 'charge.failed charge.expired',
			// Also of a part.
			partlyTakenBack: 'charge.refunded',
			other: 'charge.*',
		},
		'data.object.status': { sale: 'succeeded', waiting: 'pending', refused: 'failed' },
		'data.object.captured': { nothing: 'true', waiting: 'false' },
	},
	subscription: BY_DESCRIPTION,
	paidAt: 'data.object.created',
	amount: 'data.object.amount_captured data.object.amount',
	currency: 'data.object.currency',
	order: 'data.object.payment_intent data.object.invoice data.object.id',
	buyer: {
		name: 'data.object.billing_details.name',
		email: 'data.object.billing_details.email data.object.receipt_email',
		phone: 'data.object.billing_details.phone',
		document: 'data.object.billing_details.tax_id',
	},
};

/**
 * Only this event is about a refund: what was not captured of a charge counts as refunded as well (woocommerce-gateway-stripe,
 * class-wc-stripe-webhook-handler.php: is_partial_capture, 30 Nov 2026).
 */
const stripeRefund: CheckoutService = {
	...stripeCharge,
	is: stripe(/^charge$/, /^charge\.refunded$/),
	amount: 'data.object.amount',
	refunded: 'data.object.amount_refunded',
};

/** https://docs.stripe.com/api/disputes/object. It names the buyer only in the evidence. */
const stripeDispute: CheckoutService = {
	...STRIPE,
	is: stripe(/^dispute$/),
	states: {
		type: { nothing: 'charge.dispute.*' },
		'data.object.status': {
			disputed: 'needs_response under_review warning_needs_response warning_under_review',
			takenBack: 'lost',
			other: 'won warning_closed prevented',
		},
	},
	amount: 'data.object.amount',
	currency: 'data.object.currency',
	order: 'data.object.payment_intent data.object.charge',
	buyer: {
		name: 'data.object.evidence.customer_name',
		email: 'data.object.evidence.customer_email_address',
	},
};

export const stripeRows = [
	stripeCheckout,
	stripeInvoice,
	stripePayment,
	stripeRefund,
	stripeCharge,
	stripeDispute,
];
