/**
 * Events of Meta's Conversions API, each an entry of its `data`.
 *
 * Event: https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/server-event
 * Person: https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/customer-information-parameters
 */
import type { IDataObject } from 'n8n-workflow';

import { metaEmail, metaPhone, sha256 } from './identity';
import type { Sale } from './sale';
import { CURRENCY, idOf } from './sale';

/** "If any event_time in data is greater than 7 days in the past, we return an error for the entire request" (server-event). */
export const MAX_EVENT_AGE_MS = 7 * 24 * 3600 * 1000;

export interface MetaSettings {
	eventName: string;
	actionSource: string;
	/** The CRM that leads come from, for events of the CRM integration. */
	leadEventSource?: string;
}

/**
 * @returns undefined without email and phone. An `external_id` alone identifies only people that Meta already knows by
 *   it; whether Meta accepts such an event could not be verified, and one bad event fails a whole request.
 */
export function toMetaEvent(
	{ leadId, soldAt, value, contact }: Sale,
	{ eventName, actionSource, leadEventSource }: MetaSettings,
	countryCode?: string,
): IDataObject | undefined {
	const email = metaEmail(contact.email);
	const phone = metaPhone(contact.phone, countryCode);
	if (email === undefined && phone === undefined) return undefined;
	const contactId = idOf(contact);
	return {
		event_name: eventName,
		// "A Unix timestamp in seconds"; rounded down, so that it is never in the future.
		event_time: Math.floor(soldAt.toMillis() / 1000),
		// Of two events with the same `event_id` and `event_name` within 48 hours Meta keeps the first. Its page says so of
		// an event from the pixel or an app and one from here, not of two from here.
		event_id: leadId,
		action_source: actionSource,
		user_data: {
			...(email !== undefined && { em: [sha256(email)] }),
			...(phone !== undefined && { ph: [sha256(phone)] }),
			// "Hashing recommended". The ID of the person, not of the deal.
			...(contactId !== undefined && { external_id: [sha256(contactId)] }),
		},
		custom_data: {
			currency: CURRENCY,
			value,
			order_id: leadId,
			// https://developers.facebook.com/documentation/ads-commerce/conversions-api/conversion-leads-integration/payload-specification
			...(leadEventSource && { event_source: 'crm', lead_event_source: leadEventSource }),
		},
	};
}
