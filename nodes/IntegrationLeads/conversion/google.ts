/**
 * Rows of a file for Google Ads: offline conversions that are matched by email and phone ("enhanced conversions for
 * leads", https://support.google.com/google-ads/answer/7014069 links the template).
 *
 * The template itself could not be read. Column names are from Adobe's description of the same file
 * (https://github.com/AdobeDocs/advertising.en, upload-data-offline-conversions.md), `Order ID` from Google's page on
 * such files (https://support.google.com/google-ads/answer/6386790).
 */
import type { IDataObject } from 'n8n-workflow';

import { googleEmail, googlePhone, sha256 } from './identity';
import type { Sale } from './sale';
import { CURRENCY } from './sale';

/**
 * The API's format, "yyyy-mm-dd hh:mm:ss+|-hh:mm" (`conversion_date_time` in
 * https://developers.google.com/google-ads/api/reference/rpc/latest/ClickConversion), with the offset at the time of the
 * sale. Adobe's description of the file has offsets of four digits, -0500; that files take the colon could not be
 * verified.
 */
const TIME_FORMAT = 'yyyy-MM-dd HH:mm:ssZZ';

/** @returns undefined without email and phone, since Google could match the conversion to nobody */
export function toGoogleRow(
	{ leadId, soldAt, value, contact }: Sale,
	conversionName: string,
	countryCode?: string,
): IDataObject | undefined {
	const email = googleEmail(contact.email);
	const phone = googlePhone(contact.phone, countryCode);
	if (email === undefined && phone === undefined) return undefined;
	return {
		Email: email === undefined ? '' : sha256(email),
		'Phone Number': phone === undefined ? '' : sha256(phone),
		'Conversion Name': conversionName,
		'Conversion Time': soldAt.toFormat(TIME_FORMAT, { locale: 'en-US' }),
		'Conversion Value': value,
		'Conversion Currency': CURRENCY,
		// Google counts only the first conversion with the same action and order ID (answer 6386790), so running twice
		// does not double a sale: the lead's ID never changes.
		'Order ID': leadId,
	};
}
