/** Parses amounts of money as people write them: R$ 1.500,00 and 1,500.00. Pure. */
import { compact, uniq } from 'lodash';

import { InputError } from '../userError';
import { REAIS } from '../lexicon/values';
import { howToDecide, chooseWay } from '../dates/twoWays';
import type { Convert } from './context';
import { show, toNumber } from './convert';

/** What stands before an amount, such as a sign, and behind it. */
const BEFORE_AMOUNT = /^([+-]?)([^\d\s.,+-]+)\s*/;
const BEHIND_AMOUNT = /\s([^\d\s]+)$/;
/** How spreadsheets show an amount of nothing as money: `R$ -`. */
const NOTHING = /^[-\u2010-\u2015\u2212]$/;
/** An amount with or without thousands separators, which must all be the same. */
const COMMA_DECIMALS = /^[+-]?(?:[1-9]\d{0,2}([.\s])\d{3}(?:\1\d{3})*|\d+)(?:,\d+)?$/;
const POINT_DECIMALS = /^[+-]?(?:[1-9]\d{0,2}([,\s])\d{3}(?:\1\d{3})*|\d+)(?:\.\d+)?$/;

/**
 * A number. Text may have a currency sign, thousands separators, and decimals after a comma or a point. The country decides
 * where it can be read in two ways: 1.500.
 */
export const toAmount: Convert = (value, context) => {
	if (NOTHING.test(withoutReais(String(value)))) return undefined;
	const amount = parseAmount(value, context);
	if (Math.abs(Number(amount)) <= Number.MAX_SAFE_INTEGER) return amount;
	throw new InputError(
		`"${context.label}" is too large for an amount: ${show(value)}`,
		'Write it in digits, e.g. 1500 or 1500.50',
	);
};

/** An amount without its currency, if it is in reais, as all of the service are (spec 2); the dollar sign is how it is often shortened. */
export const withoutReais = (text: string): string =>
	text
		.trim()
		.replace(BEFORE_AMOUNT, (whole, minus: string, currency: string) =>
			currency === '$' || REAIS.has(currency.toLowerCase()) ? minus : whole,
		)
		.replace(BEHIND_AMOUNT, (whole, currency: string) =>
			REAIS.has(currency.toLowerCase()) ? '' : whole,
		)
		.trimEnd();

const DOLLAR = /(?<!R)\$/i;
/** The amount of a sale, which is reported in reais: of a dollar sign alone, it is not known which currency is meant. */
export const toSaleAmount: Convert = (value, context) => {
	if (DOLLAR.test(`${context.label} ${String(value)}`)) {
		throw new InputError(
			`"${context.label}" has a dollar sign, and sales are in reais: ${show(value)}`,
			'If it is in reais, write it as R$ 1500.00, or without a sign. Else convert it.',
		);
	}
	return toAmount(value, context);
};

/** An amount as it is read with decimals after a comma, and after a point. */
const readingsOf = (text: string) => ({
	byComma: COMMA_DECIMALS.test(text) ? text.replace(/[.\s]/g, '').replace(',', '.') : undefined,
	byPoint: POINT_DECIMALS.test(text) ? text.replace(/[,\s]/g, '') : undefined,
});

/** Whether an amount shows by itself that decimals follow a comma: undefined for `1500` and `1.500`. */
export function commaShownBy(text: string): boolean | undefined {
	const { byComma, byPoint } = readingsOf(withoutReais(text));
	const [isByComma, isByPoint] = [byComma !== undefined, byPoint !== undefined];
	return isByComma === isByPoint ? undefined : isByComma;
}

const parseAmount: Convert = (value, context) => {
	if (typeof value !== 'string') return toNumber(value, context);
	const { label, shown } = context;
	const text = withoutReais(value);
	const { byComma, byPoint } = readingsOf(text);
	const readings = compact([byComma, byPoint]);
	const [one, other] = uniq(readings.map(Number));
	const way = chooseWay(shown?.commaDecimals, context.commaDecimals);
	// Money has two decimals: `9,500` is hardly 9.5, also where that is the custom of the country.
	const isDoubtful = !Number.isInteger(way ? one : other);
	if (other !== undefined && (way === undefined || isDoubtful)) {
		throw new InputError(
			`"${label}" can be read in two ways: ${show(value)} is ${one} or ${other}`,
			{
				all: `Write it without thousands separators and with two decimals, e.g. ${Number.isInteger(one) ? one : other}.00.`,
				panel: howToDecide(shown?.commaDecimals),
			},
		);
	}
	const [reading] = way === false ? [byPoint ?? byComma] : readings;
	return toNumber(reading ?? text, context);
};
