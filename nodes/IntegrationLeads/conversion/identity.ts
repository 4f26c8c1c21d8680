/**
 * E-mail and phone of a buyer in the form that an advertising platform matches, then hashed. What cannot be brought into
 * that form is left out: its hash would match nobody, or somebody else.
 */
import { createHash } from 'node:crypto';

import { toInternational } from '../values/phone';

/** SHA-256 in lower-case hexadecimal, which both platforms take. */
export function sha256(text: string): string {
	return createHash('sha256').update(text, 'utf8').digest('hex');
}

/**
 * The e-mail as Google matches it: lower case, without any white space; for gmail.com and googlemail.com also without
 * points and without what follows a plus, which all reach the same mailbox. Other domains keep both.
 *
 * https://developers.google.com/data-manager/api/devguides/concepts/formatting ("UserData requirements"). Google's
 * sample upload_enhanced_conversions_for_leads.py (google-ads-python, v23) strips both for every domain, against its own
 * docstring; the page is followed.
 */
export function googleEmail(value: unknown): string | undefined {
	const compact = typeof value === 'string' ? value.replace(/\s/g, '') : value;
	const [local, domain] = metaEmail(compact)?.split('@') ?? [];
	if (local === undefined) return undefined;
	if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${local}@${domain}`;
	const mailbox = local.split('+')[0].replaceAll('.', '');
	return mailbox === '' ? undefined : `${mailbox}@${domain}`;
}

/**
 * The e-mail as Meta matches it: trimmed and in lower case, nothing else; undefined where it is no address.
 *
 * https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/customer-information-parameters (`em`)
 */
export function metaEmail(value: unknown): string | undefined {
	const address = typeof value === 'string' ? value.trim().toLowerCase() : '';
	return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address) ? address : undefined;
}

/**
 * The phone as Google matches it: E.164, that is a plus, the country code and digits only.
 *
 * https://developers.google.com/data-manager/api/devguides/concepts/formatting (`phone_number`)
 *
 * @param countryCode digits of the country of phones without a country code
 */
export function googlePhone(value: unknown, countryCode?: string): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	return toInternational(String(value), countryCode);
}

/**
 * The phone as Meta matches it: digits only, with the country code and without leading zeros.
 *
 * https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/customer-information-parameters (`ph`)
 */
export function metaPhone(value: unknown, countryCode?: string): string | undefined {
	return googlePhone(value, countryCode)?.slice(1);
}
