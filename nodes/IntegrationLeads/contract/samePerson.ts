/**
 * Decides whether a record is that of the person who is meant, by name, email and phone, and what each operation does then. The only
 * place that decides it. Pure.
 */
import { uniq } from 'lodash';

import { UserError } from '../userError';
import { isBlank } from '../values/convert';
import type { ServiceRecord } from '../values/json';
import { namesAgree } from '../values/names';
import { bareText, mobileVariants, toInternational } from '../values/phone';
import type { ContactKey } from './records';
import { contactLabel } from './shown';

/**
 * What is known of a person, on either side: `name`, `email` and `phone` of a contact, `id` and `externalId` of the lead. An
 * ID that a model gives may be made up, and is left out.
 */
export type PersonFacts = ServiceRecord & {
	/** The external IDs of a person who wrote in WhatsApp. With these, the phone is the number that wrote. */
	chatIds?: string[];
};

export type PersonMatch = 'same' | 'other' | 'unknown';

/** The external IDs of leads that *Log From WhatsApp* creates begin with it. */
export const CHAT_ID_PREFIX = 'whatsapp-';

/**
 * Whether a record is that of the person who is meant.
 *
 * - same: names that agree, or an address in common and nothing that contradicts it
 * - other: neither the name nor an address agrees
 * - unknown: too little is known of both, or only one of them contradicts
 *
 * @param record a contact, with the external ID of its lead. A field that is not shown cannot be compared
 */
export function matchPerson(sought: PersonFacts, record: PersonFacts): PersonMatch {
	const { name, email, phone } = compareFacts(sought, record);
	if (sought.chatIds) {
		const byChat = matchChat(sought.chatIds, record, phone);
		if (byChat) return byChat;
	}
	if (name) return 'same';
	const differs = email === false || phone === false;
	const hasSameId = ['id', 'externalId'].some(
		(field) => !isBlank(sought[field]) && String(sought[field]) === String(record[field]),
	);
	const agrees = email === true || phone === true || hasSameId;
	if (name === false) {
		// A record without an address is nobody's yet.
		const isOfSomeone = !isBlank(record.email) || !isBlank(record.phone);
		return differs || (!agrees && isOfSomeone) ? 'other' : 'unknown';
	}
	if (agrees) return differs ? 'unknown' : 'same';
	return differs ? 'other' : 'unknown';
}

const compareFacts = (sought: PersonFacts, record: PersonFacts) => ({
	name: namesAgree(sought.name, record.name),
	email: compareAddress('email', sought, record),
	phone: compareAddress('phone', sought, record),
});

/**
 * Whether what a contact lacks may be filled: the names agree, or nothing that is known of both differs. A relative who shares a
 * phone would otherwise become a part of the contact.
 */
export function mayFill(sought: PersonFacts, contact: PersonFacts): boolean {
	const { name, ...addresses } = compareFacts(sought, contact);
	return name ?? !Object.values(addresses).includes(false);
}

function compareAddress(
	field: 'email' | 'phone',
	sought: PersonFacts,
	record: PersonFacts,
): boolean | undefined {
	if (isBlank(sought[field]) || isBlank(record[field])) return undefined;
	return contactHas({ [field]: record[field] }, field, String(sought[field]));
}

/** An ID of a person in WhatsApp decides, then the number: names there are arbitrary, and codes are forwarded. */
function matchChat(
	chatIds: string[],
	{ externalId, phone: shown }: PersonFacts,
	phone: boolean | undefined,
): PersonMatch | undefined {
	const id = String(externalId ?? '');
	if (chatIds.includes(id)) return 'same';
	const isOfChat = id.startsWith(CHAT_ID_PREFIX);
	if (isOfChat && chatIds.some((chatId) => kindOf(chatId) === kindOf(id))) return 'other';
	if (phone !== undefined) return phone ? 'same' : 'other';
	const isHidden = !isBlank(shown) && chatIds.every((chatId) => kindOf(chatId) !== 'number');
	return isOfChat || isHidden ? 'other' : undefined;
}

/** The kind of an ID in WhatsApp: a person has one of each. */
function kindOf(chatId: string): string {
	const id = chatId.slice(CHAT_ID_PREFIX.length);
	return /^\d+$/.test(id) ? 'number' : (/^(?:lid|chatwoot)(?=-)/.exec(id)?.[0] ?? 'user');
}

/** Whether the rest of a contact decides, which has to be read then: a field that is given is not shown. */
export const isDecidedByRest = (sought: PersonFacts, shown: PersonFacts): boolean =>
	matchPerson(sought, shown) !== 'same' &&
	['name', 'email', 'phone'].some((field) => !isBlank(sought[field]) && !(field in shown));

/** The hint where the rest of a contact would decide, and the key may not read it. */
export const PHONES_UNREAD = {
	scopes: ['contacts:read'],
	hint: 'Phones were not compared: the API key lacks the scope "contacts:read", and leads show no phones. The other values decided, so a person who comes back with another email becomes a second lead.',
};

/**
 * - use: it is the record; what differs is in `differences`
 * - say: the same, and the output says whose record it is
 * - leave: another record is used or created, and the output says so
 * - refuse: the item fails, with both people
 */
export type PersonDecision = 'use' | 'say' | 'leave' | 'refuse';

/** What is done with a record, by how it was found. */
const DECISIONS = {
	/** By an ID, an email or a phone; or an earlier row of the same run. */
	found: { same: 'use', unknown: 'use', other: 'refuse' },
	/** By a tracking code that the user gives. */
	code: { same: 'use', unknown: 'use', other: 'say' },
	/** By a tracking code in a message, which may be forwarded. */
	messageCode: { same: 'use', unknown: 'use', other: 'leave' },
	/** By the number of a message: it may have been given to another person. */
	messageNumber: { same: 'use', unknown: 'use', other: 'say' },
} satisfies Record<string, Record<PersonMatch, PersonDecision>>;

/** What is done with a record, see {@link matchPerson}. */
export const decidePerson = (
	foundBy: keyof typeof DECISIONS,
	sought: PersonFacts,
	record: PersonFacts,
): PersonDecision => DECISIONS[foundBy][matchPerson(sought, record)];

/**
 * Makes sure that a record that was found is not another person's.
 *
 * @param which the value that led to it, such as `email "ana@example.com"`
 * @param remedy what to do, see {@link REMEDIES}
 * @throws UserError with both people
 */
export function refuseOther(
	which: string,
	sought: PersonFacts,
	record: PersonFacts,
	remedy: string = REMEDIES.email,
): void {
	if (decidePerson('found', sought, record) !== 'refuse') return;
	throw new UserError(
		`The ${which} is that of another person: ${contactLabel(record)}, not ${contactLabel(sought)}`,
		{
			all: remedy,
			panel: ONE_PERSON,
			model: ONE_PERSON,
		},
		'ambiguous',
	);
}

const IF_SHARED = 'If they share it, give an External ID.';

/** What to do if a value leads to the lead of another person. */
export const REMEDIES = {
	id: 'Correct the ID: Lead > Get Many finds that of this person.',
	externalId:
		'Correct the ID, or leave it out if you do not know the one of this person: the lead is then found by email or phone.',
	email: IF_SHARED,
	phone: IF_SHARED,
};

const ONE_PERSON = 'If it is one person, change the contact with Contact > Update.';

/** The fewest digits of a number within its country (the plans of values/phone.ts), and the most of any. */
const MIN_DIGITS = 8;
const MAX_DIGITS = 15;
/** One address in full: asterisks, or several dots, hide a part of it. */
const ONE_EMAIL = /^[^\s@*\u2022\u2026#]+@[^\s@*\u2022\u2026#]+$/;
const ONE_PHONE = /^[+\d\s().\-\u2010-\u2015\u2212]+$/;

/**
 * Whether a contact has this phone or email, in any spelling. If the service found the contact itself, rejecting it creates a second
 * contact of the same person, so it is rejected only if it plainly states another phone or email.
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
