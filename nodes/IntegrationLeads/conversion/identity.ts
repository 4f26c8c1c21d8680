/**
 * E-mail and phone of a buyer in the form that advertising platforms match, then hashed. What cannot be brought into that
 * form is left out: its hash would match nobody, or somebody else.
 */
import { createHash } from 'node:crypto';
import { attempt } from 'lodash';

import { toEmail } from '../values/identity';
import { toInternational } from '../values/phone';

/** SHA-256 in lower-case hexadecimal, which both platforms take. */
export function sha256(text: string): string {
	return createHash('sha256').update(text, 'utf8').digest('hex');
}

/**
 * The e-mail in lower case, without what copying leaves around an address: as Meta matches it (`em`).
 *
 * https://developers.facebook.com/documentation/ads-commerce/conversions-api/parameters/customer-information-parameters
 */
export function emailOf(value: unknown): string | undefined {
	const email: unknown = attempt(toEmail, value, { label: 'Email', timezone: 'UTC' });
	return typeof email === 'string' ? email.toLowerCase() : undefined;
}

/**
 * The phone in E.164, that is a plus, the country code and digits only: as Google matches it (`phone_number`).
 *
 * https://developers.google.com/data-manager/api/devguides/concepts/formatting
 *
 * @param countryCode digits of the country of phones without a country code
 */
export function phoneOf(value: unknown, countryCode?: string): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	return toInternational(String(value), countryCode);
}
