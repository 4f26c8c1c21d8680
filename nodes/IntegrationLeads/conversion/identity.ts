/**
 * E-mail and phone of a buyer in the form that an advertising platform matches, then hashed. What cannot be brought into
 * that form is left out: its hash would match nobody, or somebody else.
 */
import { createHash } from 'node:crypto';

import { bareText, toInternational, WHATSAPP_DOMAIN } from '../values/phone';

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
 * The e-mail as Meta matches it: trimmed and in lower case, without what copying leaves around an address; undefined where
 * it is no address.
 *
 * https://developers.facebook.com/documentation/ads-commerce/conversions-api/parameters/customer-information-parameters (`em`)
 */
export function metaEmail(value: unknown): string | undefined {
	const text = typeof value === 'string' ? bareText(value.replace(/\p{Cf}/gu, '')) : '';
	// As copied: Ana <ana@example.com>, mailto:ana@example.com?subject=…, ana@example.com;
	const [, inBrackets = text] = /<([^<>]*)>$/.exec(text) ?? [];
	const [, address = ''] = /^(?:mailto:)?([^?]*?)[.,;]*(?:\?.*)?$/i.exec(inBrackets.trim()) ?? [];
	if (!ADDRESS.test(address) || WHATSAPP_DOMAIN.test(address)) return undefined;
	return address.toLowerCase();
}

const ADDRESS = /^[^\s@<>()[\],;:"]+@[^\s@<>()[\],;:"]+\.[^\s@<>()[\],;:".]+$/;

/**
 * First and last name as Meta matches them (`fn`, `ln`): lower case, letters only. Which words are which is a guess: the
 * first and the last; a single word is a first name.
 */
export function metaName(value: unknown): [first?: string, last?: string] {
	if (typeof value !== 'string') return [];
	const letters = value
		.normalize('NFC')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\s]/gu, '');
	const words = letters.split(/\s+/).filter((word) => word !== '');
	return words.length > 1 ? [words[0], words.at(-1)] : (words.slice(0, 1) as [string?]);
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
 * https://developers.facebook.com/documentation/ads-commerce/conversions-api/parameters/customer-information-parameters (`ph`)
 */
export function metaPhone(value: unknown, countryCode?: string): string | undefined {
	return googlePhone(value, countryCode)?.slice(1);
}
