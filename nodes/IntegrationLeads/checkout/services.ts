/** Lists the checkouts whose webhooks are understood. A service is named only here and in its row. */
import { map, uniq } from 'lodash';

import { eduzz, hotmart, kiwify } from './courses';
import { asaas, mercadoPago, mercadoPagoNotification, pagBank } from './payments';
import {
	nuvemshop,
	nuvemshopNotification,
	pipedrive,
	pipedriveDeletion,
	rdStation,
	shopify,
	wooCommerce,
} from './shops';
import { stripeRows } from './stripe';
import type { CheckoutService, Notification } from './types';

export const CHECKOUTS: Array<CheckoutService | Notification> = [
	hotmart,
	kiwify,
	eduzz,
	...stripeRows,
	asaas,
	mercadoPago,
	mercadoPagoNotification,
	pagBank,
	wooCommerce,
	shopify,
	nuvemshop,
	nuvemshopNotification,
	rdStation,
	pipedrive,
	pipedriveDeletion,
];

/** Their names, in words. */
export const KNOWN_CHECKOUTS = uniq(map(CHECKOUTS, 'service'))
	.sort()
	.join(', ')
	.replace(/, (?=[^,]*$)/, ' and ');
