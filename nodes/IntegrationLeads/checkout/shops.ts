/** Lists the rows of shops, and of CRMs whose deals are won: WooCommerce, Shopify, Nuvemshop, RD Station and Pipedrive. */
import { ANY, type CheckoutService, type Notification } from './types';

/**
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#order-properties (15 Mar 2024). An order that is paid on delivery is
 * `processing` without a date of payment. Orders of renewals are created via `subscription` (woocommerce-subscriptions-core), and have
 * the subscription among their `meta_data`, as those that change or resume one do. A subscription itself has the form of an order,
 * with `billing_period`. Its gateway of Stripe puts a paid order that is disputed on hold, and fails it when the dispute is lost
 * (woocommerce-gateway-stripe, class-wc-stripe-webhook-handler.php, 30 Nov 2026). Other plugins mark renewals in `meta_data`
 * (subscriptions-for-woocommerce, yith-woocommerce-subscription, 30 Nov 2026).
 */
export const wooCommerce: CheckoutService = {
	service: 'WooCommerce',
	is: [{ order_key: /^wc_order_/, status: ANY, total: ANY }],
	states: {
		status: {
			sale: 'processing completed',
			waiting: 'pending on-hold checkout-draft auto-draft',
			cancelled: 'failed cancelled trash',
			takenBack: 'refunded',
			nothing: 'active pending-cancel expired switched',
		},
		billing_period: { other: '*' },
		date_paid: { waiting: 'null', nothing: '*' },
	},
	subscription: {
		is: 'subscription_renewal meta_data.key=_subscription_switch.value meta_data.key=_subscription_resubscribe.value',
		renewal: {
			created_via: /^subscription$/,
			'meta_data.key=_subscription_renewal.value': ANY,
			'meta_data.key=wps_sfw_renewal_order.value': /^yes$/,
			'meta_data.key=is_a_renew.value': /^yes$/,
		},
	},
	paidAt: 'date_paid_gmt',
	zone: 'utc',
	amount: 'total',
	currency: 'currency',
	refunded: 'refunds.*.total',
	order: 'id',
	buyer: {
		name: 'billing.first_name+billing.last_name',
		email: 'billing.email',
		phone: 'billing.cellphone billing.phone',
		document: 'billing.cpf billing.cnpj',
	},
};

/**
 * https://shopify.dev/docs/api/admin-rest/latest/resources/order, of which only an excerpt was read (28 Nov 2026). An order has no
 * date of payment, so that of the order counts. Orders that a subscription creates come from `subscription_contract`, or have a tag of
 * Recharge (https://support.getrecharge.com, "Subscription Recurring Order", 30 Nov 2026).
 */
export const shopify: CheckoutService = {
	service: 'Shopify',
	is: [{ financial_status: ANY, total_price: ANY, order_number: ANY }],
	states: {
		financial_status: {
			sale: 'paid',
			waiting: 'pending authorized partially_paid',
			refused: 'voided expired',
			partlyTakenBack: 'partially_refunded',
			takenBack: 'refunded',
		},
		cancelled_at: { nothing: 'null', cancelled: '*' },
	},
	test: { test: /^true$/ },
	subscription: {
		is: 'subscription',
		renewal: {
			source_name: /^subscription_contract$/,
			tags: /\bsubscription recurring order\b/i,
		},
	},
	dated: 'processed_at created_at',
	amount: 'total_price',
	// What is left after articles were removed.
	same: { amounts: ['total_price', 'current_total_price'] },
	currency: 'currency',
	// A refund that fails keeps its transaction.
	refunded: 'refunds.*.transactions.*status=success.amount',
	order: 'id order_number',
	buyer: {
		name: 'customer.first_name+customer.last_name billing_address.name',
		email: 'email contact_email customer.email',
		phone: 'phone customer.phone billing_address.phone',
	},
};

/** https://tiendanube.github.io/api-documentation/resources/order (28 Nov 2026; https://github.com/TiendaNube/api-docs) */
export const nuvemshop: CheckoutService = {
	service: 'Nuvemshop',
	is: [{ store_id: ANY, payment_status: ANY, total: ANY, gateway: ANY }],
	states: {
		payment_status: {
			sale: 'paid',
			waiting: 'pending authorized partially_paid',
			refused: 'abandoned',
			partlyTakenBack: 'partially_refunded',
			cancelled: 'voided',
			takenBack: 'refunded',
		},
		status: { nothing: 'open closed', cancelled: 'cancelled' },
	},
	paidAt: 'paid_at',
	amount: 'total',
	currency: 'currency',
	order: 'id number',
	buyer: {
		name: 'contact_name customer.name',
		email: 'contact_email customer.email',
		phone: 'contact_phone customer.phone',
		document: 'contact_identification customer.identification',
	},
};

/** https://tiendanube.github.io/api-documentation/resources/webhook (28 Nov 2026) */
export const nuvemshopNotification: Notification = {
	service: 'Nuvemshop',
	is: [{ store_id: ANY, event: /^order\//, id: ANY }],
	readFirst: 'GET https://api.nuvemshop.com.br/v1/{store_id}/orders/{id}',
};

/**
 * https://developers.rdstation.com/reference/webhooks-payload-crm and, with the same payload,
 * https://developers.rdstation.com/reference/webhooks-payload (28 and 29 Nov 2026). Neither shows a currency. Older payloads have
 * `win` instead of `status`.
 */
export const rdStation: CheckoutService = {
	service: 'RD Station',
	is: [
		{ event_name: /^crm_deal_/, 'document.id': ANY },
		{ event_name: /^crm_deal_/, 'document._id': ANY },
	],
	states: {
		'document.status': { sale: 'won', waiting: 'ongoing paused', refused: 'lost' },
		'document.win': { sale: 'true', waiting: 'null', refused: 'false' },
		event_name: { nothing: 'crm_deal_created crm_deal_updated', cancelled: 'crm_deal_deleted' },
	},
	reopens: true,
	paidAt: 'document.closed_at',
	amount: 'document.amount_total',
	assumesBrl: true,
	order: 'document.id document._id',
	buyer: {
		name: 'document.contacts.one.name',
		email: 'document.contacts.one.emails.0.email',
		phone: 'document.contacts.one.phones.0.phone',
	},
};

/**
 * https://pipedrive.readme.io/docs/guide-for-webhooks-v2 (28 Nov 2026); of version 1, only payloads were read. Version 1 has the deal
 * in `current`, version 2 in `data`. Times without a zone are in UTC. The person can be given beside the deal, as `person`.
 */
export const pipedrive: CheckoutService = {
	service: 'Pipedrive',
	is: [{ 'meta.entity meta.object': /^deal$/, 'meta.action': /^(?!deleted?$)/ }],
	states: {
		'data.status current.status': { sale: 'won', waiting: 'open', refused: 'lost deleted' },
		'meta.action': {
			nothing: 'create change added updated',
			other: 'merged',
		},
	},
	stateBefore: 'previous.status',
	paidAt: 'data.won_time current.won_time',
	zone: 'utc',
	amount: 'data.value current.value',
	currency: 'data.currency current.currency',
	order: 'data.id current.id',
	buyer: {
		name: 'person.name current.person_name',
		email: 'person.email.0.value person.emails.0.value person.primary_email',
		phone: 'person.phone.0.value person.phones.0.value',
	},
	same: { buyers: ['data.person_id current.person_id', 'person.id'] },
	readBuyer: 'GET https://api.pipedrive.com/v1/persons/{data.person_id current.person_id}',
};

const lastState = (field: string) => `data.${field} current.${field} previous.${field}`;

/**
 * The same page (29 Nov 2026): of a deleted deal, `data` is null, and `previous` is its last state. The sale of one that was merged is
 * that of the other deal.
 */
export const pipedriveDeletion: CheckoutService = {
	...pipedrive,
	is: [{ 'meta.entity meta.object': /^deal$/, 'meta.action': /^deleted?$/ }],
	states: {
		[lastState('status')]: { sale: 'won', waiting: 'open', refused: 'lost', nothing: 'deleted' },
		'meta.action': { cancelled: 'delete deleted' },
		'meta.merged_to_id': { other: '*' },
	},
	stateBefore: undefined,
	paidAt: lastState('won_time'),
	amount: lastState('value'),
	currency: lastState('currency'),
	order: `${lastState('id')} meta.entity_id`,
	buyer: { ...pipedrive.buyer, name: `person.name ${lastState('person_name')}` },
	same: { buyers: [lastState('person_id'), 'person.id'] },
	readBuyer: `GET https://api.pipedrive.com/v1/persons/{${lastState('person_id')}}`,
};
