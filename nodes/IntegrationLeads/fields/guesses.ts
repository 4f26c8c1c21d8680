/**
 * What a column must be to count as the field that its heading names. A heading is a guess: the status may be that of an
 * order, the name that of a form. What does not fit is left out, with a reason, and the rest of the row is sent. Pure.
 */
import { isString } from 'lodash';

import { documentedValues } from '../contract/leadRecord';
import type { ConvertContext } from '../operation';
import { show, toProtocol } from '../values/convert';
import { isSameWord } from '../values/sameWord';
import { isMissing } from '../values/placeholders';
import type { Meaning } from './headings';
import type { Column } from './itemColumns';
import { MAP_BY_HAND } from './options';

/** A column whose heading names a field. */
export type Guess = Column & { meaning: Meaning };

const IDENTIFYING = ['externalId', 'protocol', 'contactId', 'email', 'phone'];
const HAS_LETTER = /\p{L}/u;
/** The number of an order: `#1001`, `EN1001`. */
const ORDER_NUMBER = /^#|^\S*\d{3}\S*$/;
const CODE = /^ml/i;
/** The sign or the name of a currency other than the real, or of a share. */
const OTHER_UNIT =
	/[%‰]|(?!\$)\p{Sc}|\p{L}\$(?<!R\$)|\b(?:USD|EUR|GBP|ARS|MXN|CLP|COP|PEN|UYU|euros?|d[oóô]lar(?:es)?|dollars?|pesos?)\b/iu;
const CURRENCY_HEADING = /^(?:currency|currencycode|moeda|moneda)$/i;
const REAIS = /^(?:BRL|R\$|reais|real)$/i;

/** Of a list that is open: which values count. */
const isListed = (field: string): field is keyof typeof documentedValues =>
	Object.hasOwn(documentedValues, field);

/**
 * Why a column is not taken for the field that its heading names.
 *
 * @param columns all of the row
 * @returns undefined if it fits
 */
export function misfitOf(
	{ heading, value, meaning: { field, isAmbiguous } }: Guess,
	columns: Column[],
	context: ConvertContext,
): string | undefined {
	const text = isString(value) ? value.trim() : '';
	// An ID, an email and a phone have their own rules.
	if (!IDENTIFYING.includes(field) && isMissing(text)) return 'stands for no value';
	if (isAmbiguous) {
		if (context.columnFits?.(heading, fittingIn(field))) return undefined;
		return `is under a heading that may mean something else. Rename the column to "${OWN_HEADINGS[field]}" if it is the lead's own`;
	}
	if (isListed(field)) {
		return isDocumented(field, value) ? undefined : 'is not documented';
	}
	if (/Code$/.test(field) && !/^\D{0,2}\d{1,4}\D?$/.test(String(value))) {
		return 'is no code that is dialled';
	}
	if (/name$/i.test(field) && (!HAS_LETTER.test(String(value)) || ORDER_NUMBER.test(text))) {
		return 'is no name of a person';
	}
	if (field === 'protocol' && !CODE.test(String(toProtocol(value, context) ?? ''))) {
		return 'contains no code of a tracking link, such as ML-AB12-CD34';
	}
	if (field === 'estimatedValue') {
		if (OTHER_UNIT.test(text)) return 'is no amount in reais';
		const currency = columns.find((each) => CURRENCY_HEADING.test(each.heading.trim()));
		if (currency && !REAIS.test(String(currency.value).trim())) {
			return `is no amount in reais, as "${currency.heading}" says`;
		}
	}
	return undefined;
}

/** Whether all values of a column are those of a field whose heading other tools use for other things. */
function fittingIn(field: string): (values: unknown[]) => boolean {
	if (!isListed(field)) {
		return (values) => values.every((each) => isString(each) && FITTING[field].test(each));
	}
	return (values) =>
		values.every((each) => isDocumented(field, each)) &&
		// Orders and tasks are open as well, and would move a won lead back.
		(field !== 'status' || values.some((each) => !SHARED.some((word) => isSameWord(word, each))));
}

const SHARED = ['open', 'in_progress'];

/** A note has words, and a grade of a student none. An amount with decimals or a sign is not in cents. */
const FITTING: Record<string, RegExp> = {
	notes: /\p{L}/u,
	estimatedValue: /R\$|[.,]\d\d$/,
};
/** Headings that can mean nothing else. */
const OWN_HEADINGS: Record<string, string> = {
	status: 'Lead Status',
	source: 'Lead Source',
	priority: 'Lead Priority',
	notes: 'Notes',
	estimatedValue: 'Sale Amount',
};

/** What is left out, why, and the way out. */
export function leftOutBecause(value: unknown, reason: string): string {
	return `${show(value)} ${reason}.${MAP_BY_HAND}`;
}

function isDocumented(field: keyof typeof documentedValues, value: unknown): boolean {
	return documentedValues[field].some((each) => isSameWord(each, value));
}
