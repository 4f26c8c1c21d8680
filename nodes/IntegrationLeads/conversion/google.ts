/**
 * Formats conversions for Google Ads, matched by email and phone ("enhanced conversions for leads") and by click IDs: rows of the
 * file of https://support.google.com/google-ads/answer/7014069, and events of the Data Manager API,
 * https://developers.google.com/data-manager/api/reference/rest/v1/events/ingest.
 */
import type { IDataObject } from 'n8n-workflow';

import { contactOf, CURRENCY, emailOf, phoneOf, sha256, type Sale } from './sale';
import type { ExportSettings } from './settings';

/** "yyyy-MM-dd HH:mm:ss+z" of answer 7014069: 2026-11-20 14:30:00-0300. An offset with a colon is not among its forms. */
const TIME_FORMAT = 'yyyy-MM-dd HH:mm:ssZZZ';

/** @returns undefined without anything by which Google could match the conversion */
export function toGoogleRow(sale: Sale, settings: ExportSettings): IDataObject | undefined {
	const { leadId, soldAt, value, clicks } = sale;
	const [email, phone] = hashesOf(sale, settings);
	if (!email && !phone && !clicks.gclid) return undefined;
	return {
		// The columns of gbraid and wbraid are on no page.
		...(clicks.gclid && { 'Google Click ID': clicks.gclid.id }),
		Email: email ?? '',
		'Phone Number': phone ?? '',
		'Conversion Name': settings.conversionName,
		'Conversion Time': soldAt.toFormat(TIME_FORMAT, { locale: 'en-US' }),
		...(value !== undefined && { 'Conversion Value': value, 'Conversion Currency': CURRENCY }),
		// Google counts only the first conversion with the same action and order ID (answer 6386790), so running twice
		// does not double a sale: the lead's ID never changes.
		'Order ID': leadId,
	};
}

/** An entry of `events`. @returns undefined without anything by which Google could match the conversion */
export function toGoogleEvent(sale: Sale, settings: ExportSettings): IDataObject | undefined {
	const { leadId, soldAt, value, clicks } = sale;
	const [emailAddress, phoneNumber] = hashesOf(sale, settings);
	const userIdentifiers = [{ emailAddress }, { phoneNumber }].filter((identifier) =>
		Object.values(identifier).some(Boolean),
	);
	// An event takes one; the first is the most precise.
	const click = ['gclid', 'gbraid', 'wbraid'].find((name) => clicks[name]);
	if (!click && userIdentifiers.length === 0) return undefined;
	return {
		eventTimestamp: soldAt.startOf('second').toISO({ suppressMilliseconds: true }),
		transactionId: leadId,
		// How a sale was made is not known.
		eventSource: 'OTHER',
		...(value !== undefined && { conversionValue: value, currency: CURRENCY }),
		...(click && { adIdentifiers: { [click]: clicks[click]?.id } }),
		...(userIdentifiers.length > 0 && { userData: { userIdentifiers } }),
	};
}

function hashesOf({ lead }: Sale, { countryCode }: ExportSettings): Array<string | undefined> {
	const { email, phone } = contactOf(lead);
	// A phone is matched in E.164, see the page at `mailboxOf`.
	const values = [mailboxOf(email), phoneOf(phone, countryCode)];
	return values.map((value) => value && sha256(value));
}

/**
 * The e-mail as Google matches it: without any white space; for gmail.com and googlemail.com also without points and
 * without what follows a plus, which all reach the same mailbox. Other domains keep both.
 *
 * https://developers.google.com/data-manager/api/devguides/concepts/formatting ("UserData requirements"). Google's
 * sample upload_enhanced_conversions_for_leads.py (google-ads-python, v23) strips both for every domain, against its own
 * docstring; the page is followed.
 */
function mailboxOf(value: unknown): string | undefined {
	const email = emailOf(typeof value === 'string' ? value.replace(/\s/g, '') : undefined);
	const [local = '', domain = ''] = email?.split('@') ?? [];
	if (domain !== 'gmail.com' && domain !== 'googlemail.com') return email;
	const mailbox = local.split('+')[0].replaceAll('.', '');
	return mailbox === '' ? undefined : `${mailbox}@${domain}`;
}
