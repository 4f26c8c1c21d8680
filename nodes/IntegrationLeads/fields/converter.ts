/**
 * How the value of a parameter is converted: by its own converter, or by its type. Pure.
 *
 * n8n makes every field of a tool required, so for a field that it does not want to set, a language model gives an empty
 * text, list or object, or a word such as `null`.
 */
import { attempt, isError, memoize } from 'lodash';

import type { Parameter } from '../operation';
import type { Convert } from '../values/context';
import { blankFilterError, InputError } from '../userError';
import { shorten } from '../values/json';
import { isBlank, toBoolean, toFreeText, toIdentifier, toNumber, toText } from '../values/convert';
import { toEmail } from '../values/identity';
import { lacksCountryCode, toPhone } from '../values/phone';
import { isPlaceholder, isSameWord } from '../values/words';

const LONGEST_VALUE = 60;

/**
 * The conversion of what an expression or a language model gives, which may be anything. Blank means that the field stays as
 * it is: undefined, which is not sent. Only a filter refuses it.
 */
export const converterOf = memoize((parameter: Parameter): Convert | undefined => {
	const own = ADDRESSES.includes(parameter.convert)
		? toReadable(parameter.convert!)
		: (parameter.convert ?? converterOfType(parameter));
	if (!own) return undefined;
	const convert: Convert = (value, context) => {
		const known = documentedValue(parameter, value);
		return own(known ?? value, context);
	};
	// Free text, which no converter reads, keeps its quotes.
	const isFree = parameter.type === 'string' && !parameter.convert;
	return (value, context) => {
		if (!context.tool) {
			if (!isBlank(value)) return convert(value, context);
			if (parameter.refusesBlank) throw blankFilterError(context.label);
			return undefined;
		}
		const given = typeof value === 'string' && !isFree ? withoutQuotes(value) : value;
		const converted = isAbsent(given) ? undefined : convert(given, context);
		return isAbsent(converted) ? undefined : converted;
	};
});

/** Of a person. */
const ADDRESSES: Array<Convert | undefined> = [toEmail, toPhone];

/**
 * The rule for what cannot be read: an email or a phone of a person is noted in `unreadable`, and prepare/draft.ts leaves it out
 * if something else identifies the lead. All else fails, and so does a phone that only lacks the country code of the credential.
 */
function toReadable(convert: Convert): Convert {
	return (value, context) => {
		const { label, countryCode, unreadable } = context;
		const result: unknown = attempt(() => convert(value, context));
		if (!isError(result)) return result;
		const lacksCode = convert === toPhone && lacksCountryCode(String(value), countryCode);
		if (!unreadable || lacksCode || !(result instanceof InputError)) throw result;
		unreadable.push({ label, value, mistake: result });
		return undefined;
	};
}

/** The value that the service documents, from any spelling of it or of its label. */
function documentedValue({ options = [] }: Parameter, given: unknown): unknown {
	if (typeof given !== 'string') return undefined;
	const entries = options.flatMap((option) => ('value' in option ? [option] : []));
	const names = (entry: (typeof entries)[number]) => [entry.value, entry.name];
	return entries.find((entry) => names(entry).some((each) => isSameWord(each, given)))?.value;
}

function converterOfType(parameter: Parameter): Convert | undefined {
	const { freeText, open, type, typeOptions = {} } = parameter;
	switch (type) {
		case 'options':
			return open ? toText : toEntryOf(parameter);
		case 'string':
			return freeText ? toFreeText : toText;
		case 'resourceLocator':
			return toIdentifier;
		case 'boolean':
			return toBoolean;
		case 'number':
			return toNumberWithin(typeOptions);
		default:
			return undefined;
	}
}

/** One of a closed list, which an expression need not give. Throws InputError. */
export function toEntryOf({ options = [] }: Pick<Parameter, 'options'>): Convert {
	return (value, context) => {
		const entries = options.flatMap((option) => ('value' in option ? [option] : []));
		if (entries.some((entry) => entry.value === value)) return value;
		throw new InputError(
			`"${context.label}" has no value "${shorten(String(value), LONGEST_VALUE)}"`,
			`Choose from ${entries.map(({ name }) => name).join(', ')}.`,
		);
	};
}

/** A number out of the field's bounds, which an expression can give, becomes the nearest within them. */
function toNumberWithin({
	minValue = -Infinity,
	maxValue = Infinity,
	numberPrecision,
}: NonNullable<Parameter['typeOptions']>): Convert {
	return (value, context) => {
		const given = toNumber(value, context);
		if (typeof given !== 'number') return undefined;
		const fitting = numberPrecision === 0 ? Math.floor(given) : given;
		return Math.min(maxValue, Math.max(minValue, fitting));
	};
}

const EMPTY_TEXT = /^(?:\[\s*\]|\{\s*\}|"")?$/;

/** Whether an argument of a language model only stands for no value. */
export function isAbsent(value: unknown): boolean {
	if (typeof value === 'string') return isPlaceholder(value) || EMPTY_TEXT.test(value.trim());
	if (Array.isArray(value)) return value.every(isAbsent);
	return isBlank(value);
}

/** A text without the quotes of JSON; the text itself where the quotes are others. */
function withoutQuotes(text: string): unknown {
	const parsed: unknown = /^\s*"/.test(text) ? attempt(JSON.parse, text) : text;
	return isError(parsed) ? text : parsed;
}
