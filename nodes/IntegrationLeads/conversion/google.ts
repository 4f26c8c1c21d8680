/**
 * Sales as rows of a file for Google Ads: offline conversions that are matched by e-mail and phone ("enhanced conversions
 * for leads", https://support.google.com/google-ads/answer/7014069 links the template).
 *
 * The template itself could not be read. Its column names are taken from Adobe's description of the same file
 * (https://github.com/AdobeDocs/advertising.en, upload-data-offline-conversions.md), `Order ID` from Google's own words
 * on files (https://support.google.com/google-ads/answer/6386790).
 */
import type { IDataObject } from 'n8n-workflow';

import { googleEmail, googlePhone, sha256 } from './identity';
import type { Sale } from './sale';
import { CURRENCY } from './sale';

/**
 * The offset is that of the moment, so summer time comes out right. The form is that of the API, "yyyy-mm-dd
 * hh:mm:ss+|-hh:mm" (https://developers.google.com/google-ads/api/reference/rpc/latest/ClickConversion,
 * `conversion_date_time`); Adobe's description of the file writes the offset as four digits, -0500. That files take the
 * colon could not be verified.
 */
const TIME = 'yyyy-MM-dd HH:mm:ssZZ';

/** @returns the row, or the fields one of which it needs: a row that names nobody is no conversion of anybody */
export function toGoogleRow(
	{ leadId, at, value, contact }: Sale,
	conversionName: string,
	countryCode?: string,
): IDataObject | string[] {
	const email = googleEmail(contact.email);
	const phone = googlePhone(contact.phone, countryCode);
	if (email === undefined && phone === undefined) return ['email', 'phone'];
	return {
		Email: email === undefined ? '' : sha256(email),
		'Phone Number': phone === undefined ? '' : sha256(phone),
		'Conversion Name': conversionName,
		'Conversion Time': at.toFormat(TIME, { locale: 'en-US' }),
		'Conversion Value': value,
		'Conversion Currency': CURRENCY,
		// Of two conversions of one action with the same order ID Google counts the first (answer 6386790): a second run
		// does not double a sale. The lead's id never changes.
		'Order ID': leadId,
	};
}
