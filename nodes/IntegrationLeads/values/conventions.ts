/** How the users of an item write phones, dates and numbers. Pure. */
import { isRecord } from '../contract/envelope';
import type { ConvertContext } from '../operation';
import { InputError } from '../userError';
import { isBlank, parseEntry } from './convert';

/**
 * Country codes of countries that write the day before the month in all of their languages, by what they write before
 * decimals (Unicode CLDR 48; test/pure/conventions.test.mts compares them). Code 1 is not listed: the United States,
 * Canada and Jamaica, which share it, write dates in three ways.
 */
const COMMA_DECIMALS = new Set<unknown>(
	'33 34 39 49 54 55 56 57 58 351 591 593 595 598'.split(' '),
);
const POINT_DECIMALS = new Set<unknown>('44 51 52 353'.split(' '));

const DATES = { dayFirst: true, monthFirst: false };
const NUMBERS = { commaDecimals: true, pointDecimals: false };
const UNREADABLE = { fail: false, leaveOut: true };

/**
 * @param options the unconverted values of the parameter Options
 * @param credentialCountryCode the unconverted Default Country Code of the credential, which counts if the options have none
 * @throws InputError naming the option
 */
export function parseConventions(
	options: unknown,
	credentialCountryCode?: unknown,
): Pick<ConvertContext, 'countryCode' | 'dayFirst' | 'commaDecimals' | 'leaveOut'> {
	const given = isRecord(options) ? options : {};
	const countryCode =
		parseCountryCode(given.defaultCountryCode, 'under Options') ??
		parseCountryCode(credentialCountryCode, 'in the credential');
	const hasCommas = COMMA_DECIMALS.has(countryCode);
	const isKnown = hasCommas || POINT_DECIMALS.has(countryCode);
	const ofCountry = isKnown ? { dayFirst: true, commaDecimals: hasCommas } : {};
	const entry = (name: string, label: string, entries: Record<string, boolean>) =>
		isBlank(given[name]) ? undefined : parseEntry(given[name], label, entries);
	return {
		countryCode,
		dayFirst: entry('datesAreWritten', 'Dates Are Written', DATES) ?? ofCountry.dayFirst,
		commaDecimals:
			entry('numbersAreWritten', 'Numbers Are Written', NUMBERS) ?? ofCountry.commaDecimals,
		leaveOut: entry('unreadable', 'Values That Cannot Be Read', UNREADABLE),
	};
}

/** Digits, however they were written: `+55`, `0055`, `55`. */
function parseCountryCode(value: unknown, place: string): string | undefined {
	const digits = String(value ?? '').replace(/^\s*(\+|00)|\s/g, '');
	if (digits === '') return undefined;
	if (/^[1-9]\d{0,2}$/.test(digits)) return digits;
	throw new InputError(
		`"Default Country Code" ${place} must be a country code, not "${digits}"`,
		'Give the digits that are dialled before a number from abroad, e.g. 55 for Brazil or 351 for Portugal.',
	);
}
