/** Converts values that identify one record, and refuses incomplete ones, which would make one record of two people. Pure. */
import { compact, maxBy, toLower, uniqBy } from 'lodash';

import { shorten } from './json';
import { emptyError, InputError, type Remedy } from '../userError';
import type { Convert, ConvertContext } from './context';
import { isSecret } from './secrets';
import { isBlank, assertNotPlaceholder, show, toIdentifier } from './convert';
import { isNoEntry, isPlaceholder } from './words';
import {
	bareText,
	howToWrite,
	isLikePhone,
	mobileVariants,
	toInternational,
	WHATSAPP_DOMAIN,
} from './phone';

/** Modes of a resource locator whose values are not IDs of the service. */
export type LookupMode = 'externalId' | 'emailOrPhone';

/** One address. Excludes asterisks, bullets and ellipses, which mask a part of it. */
const EMAIL =
	/^[^\s@<>()[\]\\,;:"*\u2022\u2026]+@(?:[\p{L}\p{M}\p{N}_-]+\.)+[\p{L}\p{M}\p{N}-]{2,}$/u;
/** An email with a name before it, as mail programs and CRMs write it. */
const WITH_NAME = /^([^<>()]*)[<(]([^<>()]*)[>)]$/;
/** A `mailto:` link, which may also contain fields of the message. */
const LINK = /^mailto:([^?]*).*/is;

/** JSON, which a model may give instead of the ID in it. */
const JSON_TEXT = /^[[{].*[\]}]$/s;
/** Left behind in an ID by an expression that found nothing or was not evaluated. */
const EMPTY_PART = /(?<![\p{L}\p{N}])(?:undefined|null|NaN)(?![\p{L}\p{N}])|\[object \w+\]|\{\{/u;
/** Where an expression that found nothing leaves a gap: behind a separator at the end, or between two. The `//` of a URL is none. */
const GAP = /[-\u2010-\u2015_:/.|#,;+]$|(?<!:)([-_:/.|#,;+])\1/;
/** Letters of both cases with digits among them: nanoid and others draw such IDs, with `_` and `-` as letters. */
const RANDOM = /^(?=.*\p{Lu})(?=.*\p{Ll}).*\d\p{L}|^(?=.*\p{Ll}\p{Lu}).*\d_$/u;

/** Converts to an email address, also from `Ana <ana@example.com>` or a link. Throws InputError for any text that is not exactly one address. */
export const toEmail: Convert = (value, context) => {
	const remedy =
		'Give one address, e.g. name@example.com. Leave the field blank for people without one.';
	return parseEmail(value, context) ?? refuse(value, context, 'must be one email address', remedy);
};

/**
 * Converts to an external ID. A whole number is the same with the `.0` that programs add to it. Throws InputError if a part of the ID
 * is missing, since all leads that lack the part would become one.
 */
export const toExternalId: Convert = (value, context) => {
	const id = toIdentifier(value, context);
	assertCompleteId(id, context.label);
	return typeof id === 'string' ? id.replace(/^(\d+)\.0$/, '$1') : id;
};

/**
 * Makes sure that the expressions in an external ID have found something.
 *
 * @throws InputError naming the field
 */
export function assertCompleteId(id: unknown, label: string): void {
	assertNotPlaceholder(id, label, (word) => isPlaceholder(word) || saysNone(word));
	const text = String(id ?? '').trim();
	if (JSON_TEXT.test(text)) {
		throw new InputError(`"${label}" must be one ID, not JSON: ${show(id)}`, 'Give the ID alone.');
	}
	if (!EMPTY_PART.test(text) && (!GAP.test(text) || RANDOM.test(text))) return;
	throw new InputError(`"${label}" lacks a part: ${show(id)}`, {
		all: 'Give the whole ID.',
		panel:
			'An expression in it found nothing, or the field is not switched to Expression. All leads without this part would become one.',
	});
}

/** Parses the value that identifies a record in a mode of a resource locator. */
export function parseLookup(
	mode: LookupMode,
	value: unknown,
	context: ConvertContext,
): { by: 'externalId' | 'email' | 'phone'; value: string } {
	if (mode === 'externalId') return { by: mode, value: String(toExternalId(value, context)) };
	const email = parseEmail(value, context);
	if (email !== undefined) return { by: 'email', value: email };
	const { countryCode } = context;
	const phone = toInternational(String(toIdentifier(value, context)), countryCode);
	if (phone !== undefined) return { by: 'phone', value: phone };
	const remedy = { all: howToWrite(countryCode), panel: 'To search for a name, choose From List.' };
	return refuse(value, context, 'must be an email, or a whole phone number', remedy);
}

export const isEmail = (value: unknown): boolean =>
	typeof value === 'string' && EMAIL.test(value.trim());

/** Whether a value has the form of an email or a phone. */
export const isLikeAddress = (value: unknown): boolean =>
	isEmail(bareText(String(value))) || isLikePhone(value);

/** Whether a text says that there is no ID: `0`, `?`, `sem id`. `-` lacks a part. */
const saysNone = (text: string) =>
	/^(?:0+|[^\p{L}\p{N}\s]+)$/u.test(text.trim())
		? !GAP.test(text.trim())
		: /[\p{L}\p{N}]/u.test(text) && isNoEntry(text);

/** Converts an email or a phone to an external ID, the same for all spellings. */
export const toAddress: Convert = (value, context) =>
	canonicalAddress(parseLookup('emailOrPhone', value, context).value);

/** Returns an email in lower case, or a phone with the digit that some spellings of mobile numbers lack. */
export function canonicalAddress(address: string): string {
	return maxBy([address.toLowerCase(), ...mobileVariants(address)], 'length')!;
}

/** Returns the email and the phone by which the service finds a contact, in canonical form. Both may come from users' own JSON. */
export function addressesOf({ email, phone }: Record<string, unknown>): string[] {
	const number = isBlank(phone) ? '' : String(phone).trim();
	const addresses = [isBlank(email) ? '' : String(email).trim(), toInternational(number) ?? number];
	return compact(addresses).map(canonicalAddress);
}

function parseEmail(value: unknown, context: ConvertContext): string | undefined {
	const whole = bareText(String(toIdentifier(value, context)));
	// Some programs repeat it, with a separator between.
	const [one, ...others] = uniqBy(compact(whole.split(/[;,|\s]+/)), toLower);
	const text = one !== undefined && others.length === 0 ? one : whole;
	const [, name, address = text] = WITH_NAME.exec(text) ?? [];
	const email = address
		.trim()
		.replace(LINK, '$1')
		.replace(/[,;.]$/, '');
	// Some programs repeat the address as the name.
	const withoutQuotes = name?.replace(/["'\s]/g, '').toLowerCase() ?? '';
	const isOther = withoutQuotes.includes('@') && withoutQuotes !== email.toLowerCase();
	return EMAIL.test(email) && !isOther && !WHATSAPP_DOMAIN.test(email) ? email : undefined;
}

function refuse(value: unknown, { label }: ConvertContext, what: string, remedy: Remedy): never {
	if (isBlank(value)) throw emptyError(label);
	const shown = isSecret(value) ? show(value) : `"${shorten(String(value), 60)}"`;
	throw new InputError(`"${label}" ${what}, not ${shown}`, remedy);
}
