/**
 * Tells whether a contact in an answer has the phone or the email that is meant, by the fields that the spec names (2). Pure.
 *
 * If the service found the contact itself, rejecting it creates a second contact of the same person, so it is rejected only if
 * it plainly states another phone or email.
 */
import { uniq } from 'lodash';

import { bareText, mobileVariants, toInternational } from '../values/phone';
import type { ContactKey } from './records';

/** The fewest digits of a number within its country (the plans of values/phone.ts), and the most of any. */
const MIN_DIGITS = 8;
const MAX_DIGITS = 15;
/** One address in full: asterisks, or several dots, hide a part of it. */
const ONE_EMAIL = /^[^\s@*\u2022\u2026#]+@[^\s@*\u2022\u2026#]+$/;
const ONE_PHONE = /^[+\d\s().\-\u2010-\u2015\u2212]+$/;

/**
 * Whether a contact has this phone or email, in any spelling.
 *
 * @param value a phone in international format, or an email
 * @returns undefined if the record shows neither the value nor plainly another
 */
export function contactHas(
	record: Record<string, unknown>,
	trait: ContactKey,
	value: string,
): boolean | undefined {
	const shown = bareText(String(record[trait] ?? ''));
	if (shown === '') return trait in record ? false : undefined;
	return trait === 'email' ? hasEmail(shown, value) : hasPhone(shown, value);
}

function hasEmail(shown: string, email: string): boolean | undefined {
	const addresses = shown.toLowerCase().split(/[\s<>,;]|mailto:/);
	if (addresses.includes(bareText(email).toLowerCase())) return true;
	return ONE_EMAIL.test(shown) && !shown.includes('..') ? false : undefined;
}

function hasPhone(shown: string, phone: string): boolean | undefined {
	const shownForms = formsOf(shown);
	if (shownForms.includes(digitsOf(phone))) return true;
	const isPart = formsOf(phone).some((sought) =>
		shownForms.some((form) => isSameNumber(sought, form)),
	);
	const { length } = shownForms[0];
	const isOne = ONE_PHONE.test(shown) && length >= MIN_DIGITS && length <= MAX_DIGITS;
	return isOne && !isPart ? false : undefined;
}

/**
 * Search terms that together find all contacts with an email or a phone, the best first. Phones may be stored without their
 * beginning, so the last digits come first; how the service searches is not shown (4.1), so the whole number follows.
 */
export function searchTerms(trait: ContactKey, value: string): string[] {
	return trait === 'email'
		? uniq([value, value.toLowerCase()])
		: uniq([value.slice(-MIN_DIGITS), value, ...mobileVariants(value)]);
}

/** Whether two numbers are the same. One may lack the country and the area code. */
function isSameNumber(one: string, other: string): boolean {
	const [short, long] = one.length < other.length ? [one, other] : [other, one];
	return short.length >= MIN_DIGITS && long.endsWith(short);
}

/** The digits of a number, with and without the extra digit of mobile numbers. */
function formsOf(number: string): string[] {
	const digits = digitsOf(toInternational(number) ?? number).replace(/^0+/, '');
	return [digits, ...mobileVariants(`+${digits}`).map(digitsOf)];
}

const digitsOf = (text: string) => text.replace(/\D/g, '');
