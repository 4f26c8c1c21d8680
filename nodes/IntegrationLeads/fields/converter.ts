/**
 * Converts the values of parameters, by their own converters or by their types. Pure.
 *
 * n8n makes every field of a tool required, so for a field that it does not want to set, a language model gives an empty
 * text, list or object, or a word such as `null`.
 */
import { attempt, clamp, isEmpty, isError, isUndefined, memoize, omitBy } from 'lodash';
import { isResourceLocatorValue } from 'n8n-workflow';

import { type Parameter, fieldsOf } from '../operation';
import type { Convert, ConvertContext } from '../values/context';
import { blankFilterError, convertOrNote, InputError } from '../userError';
import { isRecord } from '../values/json';
import { toAmount } from '../values/amount';
import { cleanValue } from '../values/clean';
import {
	isBlank,
	show,
	toBoolean,
	toFreeText,
	toIdentifier,
	toNumber,
	toSaleDate,
	toText,
} from '../values/convert';
import { toEmail } from '../values/identity';
import { lacksCountryCode, toPhone } from '../values/phone';
import { isNoEntry, isPlaceholder, isSameWord } from '../values/words';

/**
 * The function that converts the value of an expression or a language model, which may be anything. A blank value becomes
 * undefined and is not sent, so that the field stays as it is. Only a filter refuses it.
 */
export const converterOf = memoize((parameter: Parameter): Convert | undefined => {
	const converter = parameter.convert ?? BY_TYPE[parameter.type]?.(parameter);
	if (!converter) return undefined;
	const { refusesBlank, type } = parameter;
	const convert =
		ADDRESSES.includes(converter) && !refusesBlank ? noteUnreadable(converter) : converter;
	// A text without a converter keeps its quotes.
	const isFree = type === 'string' && [toText, toFreeText].includes(converter);
	return (value, context) => {
		const { tool, label } = context;
		const argument = tool && !isFree ? withoutQuotes(value) : value;
		const isNone = tool ? isBlankForModel : isBlank;
		const isLeftEmpty =
			NOT_WORDS.includes(converter) && typeof argument === 'string' && isNoEntry(argument);
		const result =
			isNone(argument) || isLeftEmpty
				? undefined
				: convert(documentedValue(parameter, argument) ?? argument, context);
		if (result === undefined && refusesBlank && !tool) throw blankFilterError(label);
		return tool && isBlankForModel(result) ? undefined : result;
	};
});

/** The fields of a collection that have a value. */
export function fieldsIn(
	parameter: Parameter,
	raw: unknown,
): Array<[field: Parameter, value: unknown]> {
	if (!isRecord(raw)) return [];
	return fieldsOf(parameter)
		.filter(({ name }) => name in raw)
		.map((field) => [field, raw[field.name]]);
}

/** Converts the value of a parameter, or the fields of a collection. A mistake is added to `mistakes`, or thrown without them. */
export function convertParameter(
	parameter: Parameter,
	raw: unknown,
	shared: Omit<ConvertContext, 'label'>,
): unknown {
	const { displayName: label, type } = parameter;
	if (type === 'collection') {
		const fields = fieldsIn(parameter, raw);
		const values = fields.map(([field, value]) => [
			field.name,
			convertParameter(field, value, shared),
		]);
		const inside = omitBy(Object.fromEntries(values), isUndefined);
		return isEmpty(inside) ? undefined : inside;
	}
	const value = cleanValue(isResourceLocatorValue(raw) ? raw.value : raw);
	const convert = converterOf(parameter);
	const context = { ...shared, label };
	return convertOrNote(shared.mistakes, () => (convert ? convert(value, context) : value));
}

/** Converters whose values identify a person. */
const ADDRESSES = [toEmail, toPhone];

/** Converters of values other than words: people without one write `-` or `a combinar`. */
const NOT_WORDS: Convert[] = [...ADDRESSES, toAmount, toSaleDate];

/**
 * What happens to a value that cannot be read: an email or a phone of a person is added to `unreadable`, and prepare/draft.ts
 * leaves it out if something else identifies the lead. All others fail, as does a phone that only lacks the country code of the
 * credential.
 */
function noteUnreadable(convert: Convert): Convert {
	return (value, context) => {
		const { label, countryCode, unknownCountry, unreadable } = context;
		const result: unknown = attempt(() => convert(value, context));
		if (!isError(result)) return result;
		const lacksSetting = convert === toPhone && unknownCountry === undefined;
		const lacksCode = lacksSetting && lacksCountryCode(String(value), countryCode);
		if (!unreadable || lacksCode || !(result instanceof InputError)) throw result;
		unreadable.push({ label, value, mistake: result });
		return undefined;
	};
}

/** The entries of a drop-down. */
const dropDownOptions = ({ options = [] }: Parameter) =>
	options.flatMap((option) => ('value' in option ? [option] : []));

/** The documented value for any spelling of it or of its label. */
function documentedValue(parameter: Parameter, value: unknown): unknown {
	const isSame = (documented: unknown) =>
		typeof value === 'string' && isSameWord(documented, value);
	return dropDownOptions(parameter).find(({ value, name }) => isSame(value) || isSame(name))?.value;
}

const BY_TYPE: Partial<Record<Parameter['type'], (parameter: Parameter) => Convert>> = {
	options: (parameter) => (parameter.enumeration === 'open' ? toText : toEntryOf(parameter)),
	string: () => toText,
	resourceLocator: () => toIdentifier,
	boolean: () => toBoolean,
	number: ({ typeOptions }) => toNumberWithin(typeOptions),
};

/** Converts to one of a closed list of values. Throws InputError for any other, which an expression may return. */
function toEntryOf(parameter: Parameter): Convert {
	return (value, { label }) => {
		const entries = dropDownOptions(parameter);
		if (entries.some((entry) => entry.value === value)) return value;
		throw new InputError(
			`"${label}" has no value ${show(value)}`,
			`Choose from ${entries.map(({ name }) => name).join(', ')}.`,
		);
	};
}

/** A number outside of the field's bounds, which an expression can return, becomes the nearest one within them. */
function toNumberWithin(bounds: Parameter['typeOptions'] = {}): Convert {
	const { minValue = -Infinity, maxValue = Infinity, numberPrecision } = bounds;
	return (value, context) => {
		const number = Number(toNumber(value, context));
		return clamp(numberPrecision === 0 ? Math.floor(number) : number, minValue, maxValue);
	};
}

const EMPTY_TEXT = /^(?:\[\s*\]|\{\s*\}|"")?$/;

/** Whether an argument of a language model stands for no value. */
export function isBlankForModel(value: unknown): boolean {
	if (typeof value === 'string') return isPlaceholder(value) || EMPTY_TEXT.test(value.trim());
	if (Array.isArray(value)) return value.every(isBlankForModel);
	return isBlank(value);
}

/** Removes the quotes of JSON around a text. Any other value is returned as it is. */
function withoutQuotes(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*"/.test(value)) return value;
	const parsed: unknown = attempt(JSON.parse, value);
	return isError(parsed) ? value : parsed;
}
