/**
 * Sales as events of Meta's Conversions API, each an entry of its `data`.
 *
 * Event: https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/server-event
 * Person: https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/customer-information-parameters
 */
import type { IDataObject } from 'n8n-workflow';

import { metaEmail, metaPhone, sha256 } from './identity';
import type { Sale } from './sale';
import { CURRENCY, idOf } from './sale';

/** "If any event_time in data is greater than 7 days in the past, we return an error for the entire request" (server-event). */
export const OLDEST_EVENT_MS = 7 * 24 * 3600 * 1000;

export interface MetaSettings {
	eventName: string;
	actionSource: string;
	/** The tool that leads come from, for events of the CRM integration. */
	leadEventSource?: string;
}

/**
 * @returns the event, or the fields one of which it needs. An `external_id` alone would be an identifier too, but only of
 *   people Meta was told of before; whether it takes an event with nothing else could not be verified, and one bad event
 *   refuses a whole request.
 */
export function toMetaEvent(
	{ leadId, at, value, contact }: Sale,
	{ eventName, actionSource, leadEventSource }: MetaSettings,
	countryCode?: string,
): IDataObject | string[] {
	const email = metaEmail(contact.email);
	const phone = metaPhone(contact.phone, countryCode);
	if (email === undefined && phone === undefined) return ['email', 'phone'];
	const contactId = idOf(contact);
	return {
		event_name: eventName,
		// "A Unix timestamp in seconds"; rounded down, so that it never lies in the future.
		event_time: Math.floor(at.toMillis() / 1000),
		// Of two events with one `event_id` and `event_name` within 48 hours Meta takes the first. Its page says so of events
		// from pixel or app and from here; of two from here it says nothing. The lead's id is the same in every run.
		event_id: leadId,
		action_source: actionSource,
		user_data: {
			...(email !== undefined && { em: [sha256(email)] }),
			...(phone !== undefined && { ph: [sha256(phone)] }),
			// "Hashing recommended". The person's id, not the deal's.
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
