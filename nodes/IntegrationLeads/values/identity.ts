/** Values that identify one record: an email or a phone that cannot be compared as a whole is refused. Pure. */
import { shorten } from '../contract/envelope';
import type { Convert, ConvertContext, Lookup, LookupMode } from '../operation';
import { InputError } from '../userError';
import { toEmail, toText } from './convert';
import { toInternational, WHATSAPP_DOMAIN } from './phone';

const EMAIL = /^[^\s@]+@[^\s@]+$/;

const WRITE_PHONE =
	'Write the phone with its country code, e.g. +55 11 90000-0000, or set the default country code of the credential.';

/** An email, as it is given. */
export const toWholeEmail: Convert = (value, context) => {
	const email = readEmail(value, context);
	return email ?? refuse(value, context, 'an email', 'Give one address, e.g. name@example.com.');
};

/** A phone in international format. */
export const toWholePhone: Convert = (value, context) => {
	const phone = readPhone(value, context);
	return phone ?? refuse(value, context, 'a phone with its country code', WRITE_PHONE);
};

/** What identifies a record in a mode of a resource locator. */
export function readLookup(
	mode: LookupMode,
	value: unknown,
	context: ConvertContext,
): Pick<Lookup, 'by' | 'value'> {
	if (mode === 'externalId') return { by: mode, value: String(toText(value, context)) };
	const email = readEmail(value, context);
	if (email !== undefined) return { by: 'email', value: email };
	const phone = readPhone(value, context);
	if (phone !== undefined) return { by: 'phone', value: phone };
	return refuse(
		value,
		context,
		'an email, or a phone with its country code',
		`${WRITE_PHONE} To search for a name, choose From List.`,
	);
}

function readEmail(value: unknown, context: ConvertContext): string | undefined {
	const text = toEmail(value, context);
	return typeof text === 'string' && EMAIL.test(text) && !WHATSAPP_DOMAIN.test(text)
		? text
		: undefined;
}

function readPhone(value: unknown, context: ConvertContext): string | undefined {
	return toInternational(String(toText(value, context) ?? ''), context.countryCode);
}

function refuse(value: unknown, { label }: ConvertContext, what: string, wayOut: string): never {
	const given = String(value ?? '').trim();
	throw new InputError(
		given === ''
			? `"${label}" is empty`
			: `"${label}" must be ${what}, not "${shorten(given, 60)}"`,
		given === '' ? 'Check what the expression gives, or remove the field.' : wayOut,
	);
}
