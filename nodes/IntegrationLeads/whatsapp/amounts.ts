/** Formats prices and totals of orders, products and payments as a message shows them. Pure. */
import { memoize } from 'lodash';

import { isRecord, type ServiceRecord } from '../values/json';

/** `currency`, `currencyCode`, `totalCurrencyCode`, `currencyCodeIso4217`. */
const CURRENCY_NAMES = /currency(?:code)?(?:iso4217)?$/i;
const CURRENCY_CODE = /^[A-Z]{3}$/i;
/**
 * Names of amounts, of which the first that is there counts. WhatsApp's own format counts in thousandths
 * (https://github.com/WhiskeySockets/Baileys, May 2026: WAProto).
 */
const AMOUNTS = [/^salePriceAmount1000$/, /amount1000$/i, /^(?:price|item_price|total|value)$/];

interface ShownAmount {
	/** `R$ 1.200,00`, `total R$ 1.200,00`, or empty. */
	amount: string;
	/** Passed on to nested parts, since the items of an order may have no currency of their own. */
	currency: string;
	/** The members that the amount was read from. */
	from: string[];
}

export function amountOf(part: ServiceRecord, outerCurrency: string): ShownAmount {
	const names = Object.keys(part);
	const named = names.find((name) => CURRENCY_NAMES.test(name) && part[name]);
	const currency = named === undefined ? outerCurrency : String(part[named]);
	const amounts = names.filter((name) => !Number.isNaN(readNumber(part[name])));
	const [name] = AMOUNTS.flatMap((form) => amounts.filter((amount) => form.test(amount)));
	if (!CURRENCY_CODE.test(currency) || name === undefined)
		return { amount: '', currency, from: [] };
	// `{ value: 60500, offset: 100 }` is 605.
	const divisor = /1000$/.test(name) ? 1000 : readNumber(part.offset) || 1;
	const shown = showMoney(readNumber(part[name]) / divisor, currency);
	return {
		amount: /total/i.test(name) ? `total ${shown}` : shown,
		currency,
		from: [named ?? '', ...amounts.filter((amount) => AMOUNTS.some((form) => form.test(amount)))],
	};
}

/** Reads a number, also a long one as protobuf writes it: `{ low }`. */
function readNumber(value: unknown): number {
	const number = isRecord(value) ? value.low : value;
	return typeof number === 'number' || (typeof number === 'string' && number)
		? Number(number)
		: NaN;
}

/** Remembered, because making a format takes longer than using it. Codes have three letters, so there are few. */
const formatOf = memoize((currency: string) => {
	// BRL as it is written in Brazil, all other currencies as in English.
	const locale = currency === 'BRL' ? 'pt-BR' : 'en';
	return new Intl.NumberFormat(locale, { style: 'currency', currency });
});

const showMoney = (amount: number, currency: string): string =>
	formatOf(currency.toUpperCase()).format(amount).replace(/\s/g, ' ');
