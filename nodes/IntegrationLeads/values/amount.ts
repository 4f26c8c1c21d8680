/** Parses amounts of money as people write them: R$ 1.500,00 and 1,500.00. Pure. */
import { compact, uniq } from 'lodash';

import { InputError } from '../userError';
import type { Convert } from './context';
import { NUMBER, show, toNumber } from './convert';

/** Signs of the currency: the service's amounts are in BRL (spec 2); `$` is how Brazil's currency is often shortened. */
const CURRENCY_SIGN = /^([+-]?)(?:R\$|\$|BRL)\s*/i;
/** The name of the currency after the number. */
const CURRENCY_NAME = /\s(?:R\$|BRL|reais)$/i;
/** An amount with or without thousands separators, which must all be the same. */
const COMMA_DECIMALS = /^[+-]?(?:[1-9]\d{0,2}([.\s])\d{3}(?:\1\d{3})*|\d+)(?:,\d+)?$/;
const POINT_DECIMALS = /^[+-]?(?:[1-9]\d{0,2}([,\s])\d{3}(?:\1\d{3})*|\d+)(?:\.\d+)?$/;

/**
 * A number. Text may have a currency sign, thousands separators, and decimals after a comma or a point. The country decides
 * where it can be read in two ways: 1.500.
 */
export const toAmount: Convert = (value, context) => {
	const amount = parseAmount(value, context);
	if (Math.abs(Number(amount)) <= Number.MAX_SAFE_INTEGER) return amount;
	throw new InputError(
		`"${context.label}" is too large for an amount: ${show(value)}`,
		'Write it in digits, e.g. 1500 or 1500.50',
	);
};

const parseAmount: Convert = (value, context) => {
	if (typeof value !== 'string') return toNumber(value, context);
	const { label, commaDecimals } = context;
	const text = value.trim().replace(CURRENCY_SIGN, '$1').replace(CURRENCY_NAME, '').trimEnd();
	const byComma = COMMA_DECIMALS.test(text)
		? text.replace(/[.\s]/g, '').replace(',', '.')
		: undefined;
	const byPoint = POINT_DECIMALS.test(text) ? text.replace(/[,\s]/g, '') : undefined;
	const plain = NUMBER.test(text) ? text : undefined;
	const readings = compact([byComma, byPoint]);
	const [one, other] = uniq(readings.map(Number));
	if (commaDecimals === undefined && other !== undefined) {
		throw new InputError(
			`"${label}" can be read in two ways: ${show(value)} is ${one} or ${other}`,
			{
				all: `Write it without thousands separators and with two decimals, e.g. ${Number.isInteger(one) ? one : other}.00.`,
				panel: 'Or set "Default Country Code" in the credential.',
			},
		);
	}
	const [reading] = commaDecimals === false ? [byPoint ?? byComma] : readings;
	return toNumber(reading ?? plain ?? value, context);
};
