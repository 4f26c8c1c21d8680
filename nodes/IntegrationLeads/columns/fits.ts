/** Checks whether a value fits the field that its heading names, where any text could be read for it. Pure. */
import { difference, mapValues, toString } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { documentedValues } from '../contract/records';
import { isEmail } from '../values/identity';
import type { ConvertContext } from '../values/context';
import { isBlank } from '../values/convert';
import { toProtocol } from '../values/protocol';
import { columnsOf, type Column } from './cells';
import { documentedFrom, documentedIn } from './documented';
import type { ColumnMatch } from './match';
import { findInRun } from './remember';
import { FIELD_WORDS, isPhrase, mentions, wordsOf } from './headings';
import { isNoName, saysNoName } from '../values/names';
import { NO_NAME, NO_PERSON, YES_OR_NO } from '../lexicon/headings';
import { NO } from '../lexicon/sales';
import { CURRENCY_WORDS, OF_REAIS, OTHER_CURRENCIES, RATE_WORDS, REAIS } from '../lexicon/values';

/** The number of an order: `#1001`, `EN1001`. */
const ORDER_NUMBER = /^#|^(?=\S*$).*?\d{3}/;
/** Whether a heading is that of a currency, and not of a rate. */
export const isOfCurrency = (heading: string) =>
	mentions(heading, CURRENCY_WORDS) && !mentions(heading, RATE_WORDS);
/** The column that says in which other currency an amount is. */
export const otherCurrencyIn = (all: Column[]) =>
	all.find(({ path, value }) => {
		const heading = path.at(-1) ?? '';
		if (!isOfCurrency(heading)) return false;
		const words = wordsOf(heading);
		const text = String(value).trim();
		const isAlone = difference(words, ['code']).length === 1;
		const isReais = isPhrase(wordsOf(text), { needs: [], beside: [REAIS, OF_REAIS] });
		return !isReais && (isAlone || /^[a-z]{3}$/i.test(text));
	});

/** A sign of a share or a currency, but for the dollar, which has letters before it if it is not that of reais. */
const OTHER_SIGN = /[%‰]|(?!\$)\p{Sc}|\p{L}\$(?<!R\$)/iu;
const hasOtherUnit = (text: string) => OTHER_SIGN.test(text) || mentions(text, OTHER_CURRENCIES);
/** Whether a value is a number with such a sign. */
export const isOfOtherUnit = (value: unknown) =>
	/\d/.test(String(value)) && hasOtherUnit(String(value));
/** Whether an amount says that it is in reais. The dollar sign alone may be that of another currency. */
export const hasReais = (value: unknown) =>
	/R\$/i.test(String(value)) || mentions(String(value), REAIS);

/** The blank column of currencies of a row whose value does not show one, where other rows have another currency than the real. */
export function blankCurrencyOf(
	matches: ColumnMatch[],
	{ input = {}, inputs = [] }: ConvertContext,
): string | undefined {
	const blank = Object.keys(input).find((key) => isBlank(input[key]) && isOfCurrency(key));
	const isShown = matches.some(({ field, value }) => field === 'estimatedValue' && hasReais(value));
	if (blank === undefined || isShown) return undefined;
	const hasOther = (other: IDataObject) => otherCurrencyIn(columnsOf(other)) !== undefined;
	return findInRun(inputs, 'other currency', () => inputs.some(hasOther)) ? blank : undefined;
}

/** What a template leaves that found nothing: `%FIRSTNAME%`, `*|FNAME|*`, `[Nome]`. */
const UNFILLED = /^(?:\[.*\]|%.*%|#.*#|\$\{.*\}|\*\|.*\|\*)$/su;
/** Refuses letters that were lost, templates, order numbers, and what forms and events are called. */
const looksLikeName = (text: string) =>
	/\p{L}/u.test(text) &&
	!isNoName(text) &&
	!UNFILLED.test(text) &&
	!isEmail(text) &&
	!ORDER_NUMBER.test(text) &&
	!text.includes('\uFFFD') &&
	!wordsOf(text).some((word) => NO_NAME.has(word));
const looksLikeFirstName = (text: string) =>
	looksLikeName(text) && !YES_OR_NO.has(wordsOf(text).join(' '));
const looksLikeWholeName = (text: string) => looksLikeFirstName(text) && !saysNoName(text);
/**
 * What a person is called, where no heading says so: letters, and neither a digit nor an @; no flag such as "S", no way to be
 * reached, no state.
 */
export const isPlainlyName = (value: unknown) =>
	typeof value === 'string' &&
	/\p{L}{2}/u.test(value) &&
	!/[\d@]/.test(value) &&
	!wordsOf(value).some((word) => FIELD_WORDS.has(word) || NO_PERSON.has(word));

const isCode = (text: string) => /^\D{0,2}\d{1,4}\D?$/.test(text);

type Fit = [fits: (text: string, all: Column[]) => boolean, reason: string];

/** The check of each such field, and what is said of a value that does not pass. */
export const FITS: Record<string, Fit> = {
	name: [looksLikeWholeName, "is not a person's name"],
	firstName: [looksLikeFirstName, "is not a person's name"],
	lastName: [looksLikeName, "is not a person's name"],
	areaCode: [isCode, 'is not a dialling code'],
	countryCode: [isCode, 'is not a dialling code'],
	// It would replace what somebody has written.
	notes: [(text) => /\p{L}/u.test(text), 'has no words for the notes'],
	tags: [
		(text) => {
			const word = wordsOf(text).join(' ');
			return !/^[-\u2013\u2014_.]+$/.test(text) && !YES_OR_NO.has(word) && !NO.has(word);
		},
		'names no tag',
	],
	protocol: [
		(text) => /^ml/i.test(toString(toProtocol(text, { label: 'Protocol', timezone: 'UTC' }))),
		'contains no code of a tracking link, such as ML-AB12-CD34',
	],
	estimatedValue: [
		(text, all) => !hasOtherUnit(text) && !otherCurrencyIn(all),
		'is not an amount in reais',
	],
	...mapValues(
		documentedValues,
		(_, field: keyof typeof documentedValues): Fit => [
			(text) => documentedFrom(field, text) !== undefined,
			`is none of ${documentedIn(field)}`,
		],
	),
};
