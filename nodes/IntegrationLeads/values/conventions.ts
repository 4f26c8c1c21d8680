/** How people of a country write phones, dates and numbers. Pure. */
import { InputError } from '../userError';
import type { ConvertContext } from './context';

/**
 * Country codes of countries that write dates in one way in all of their languages, by what they write before decimals
 * (Unicode CLDR 48; test/pure/conventions.test.mts compares them). Of the countries with code 1 the United States count.
 */
const COMMA_DECIMALS = '33 34 39 49 54 55 56 57 58 351 591 593 595 598'.split(' ');
const POINT_DECIMALS = '1 44 51 52 353'.split(' ');

/**
 * @param given the unconverted Default Country Code of the credential: `+55`, `0055`, `55`
 * @throws InputError naming the field
 */
export function parseConventions(
	given: unknown,
): Pick<ConvertContext, 'countryCode' | 'dayFirst' | 'commaDecimals'> {
	const countryCode = String(given ?? '').replace(/^\s*(\+|00)|\s/g, '');
	if (countryCode === '') return {};
	if (!/^[1-9]\d{0,2}$/.test(countryCode)) {
		throw new InputError(
			`"Default Country Code" in the credential must be a country code, not "${countryCode}"`,
			'Give the digits that are dialled before a number from abroad, e.g. 55 for Brazil or 351 for Portugal.',
		);
	}
	const commaDecimals = COMMA_DECIMALS.includes(countryCode);
	const isKnown = commaDecimals || POINT_DECIMALS.includes(countryCode);
	return { countryCode, ...(isKnown && { dayFirst: countryCode !== '1', commaDecimals }) };
}
