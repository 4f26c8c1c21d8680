/**
 * How the value of a parameter is converted: by its own converter, or by its type. Pure.
 *
 * n8n makes every field of a tool required, so for a field that it does not want to set, a language model gives an empty
 * text, list or object, or a word such as `null`.
 */
import { attempt, deburr, isError } from 'lodash';

import type { Convert, ConvertContext, Parameter } from '../operation';
import { InputError } from '../userError';
import { toAmount } from './amount';
import { isBlank, toBoolean, toFreeText, toIdentifier, toNumber, toText, toUtc } from './convert';
import { toEmail } from './identity';
import { toPhone } from './phone';
import { isPlaceholder } from './placeholders';

/**
 * The conversion of what an expression or a language model gives, which may be anything. Blank means that the field stays as
 * it is: undefined, which is not sent. Only a filter of whole values refuses it, since without the filter all would match.
 */
export function converterOf(parameter: Parameter): Convert | undefined {
	const own = parameter.convert ?? converterOfType(parameter);
	if (!own) return undefined;
	const convert: Convert = (value, context) => {
		const result: unknown = attempt(own, knownValue(parameter, value, context), context);
		if (!isError(result)) return result;
		if (!mayBeLeftOut(parameter, context) || !(result instanceof InputError)) throw result;
		context.onLeftOut?.(context.label, value);
		return undefined;
	};
	// Free text, which no converter reads, keeps its quotes.
	const isFree = parameter.type === 'string' && !parameter.convert;
	return (value, context) => {
		if (!context.tool) {
			return isBlank(value) && parameter.in !== 'match' ? undefined : convert(value, context);
		}
		const given = typeof value === 'string' && !isFree ? withoutQuotes(value) : value;
		const converted = isAbsent(given) ? undefined : convert(given, context);
		return isAbsent(converted) ? undefined : converted;
	};
}

/** A field of a record without which the rest is still right. Without a filter or an identifier, another record would be meant. */
function mayBeLeftOut(
	{ convert, in: place = 'body', open, required = false }: Parameter,
	{ leaveOut = false, addressIdentifies = false }: ConvertContext,
): boolean {
	const values = addressIdentifies ? [toAmount, toUtc] : [toAmount, toUtc, toEmail, toPhone];
	const isValue = convert ? values.includes(convert) : open === true;
	return leaveOut && isValue && place === 'body' && !required;
}

/** What programs write as a value. In words, it may be another spelling of one that the account has. */
const PLAIN = /^[a-z\d_-]+$/;

/** A value that the service documents or the account has, from any spelling of it or of its label; any other as it is. */
function knownValue(
	{ name, options = [], open, typeOptions }: Parameter,
	given: unknown,
	{ leadValues }: ConvertContext,
): unknown {
	if (typeof given !== 'string') return given;
	const entries = options.flatMap((option) => ('value' in option ? [option] : []));
	const known = entries.find((entry) =>
		[entry.value, entry.name].some((each) => isSameWord(each, given)),
	);
	if (known) return known.value;
	const isOfAccount = open && typeOptions?.loadOptionsMethod && !PLAIN.test(given);
	const values = (isOfAccount && leadValues?.(name)) || [];
	if (values.includes(given)) return given;
	return values.find((each) => isSameWord(each, given)) ?? given;
}

function converterOfType({ freeText, type, typeOptions = {} }: Parameter): Convert | undefined {
	switch (type) {
		case 'string':
		case 'options':
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

/** Whether two names differ at most in case, accents, spaces, invisible characters, underscores and hyphens. */
export function isSameWord(...names: [unknown, unknown]): boolean {
	const [one, other] = names.map((name) =>
		deburr(String(name))
			.toLowerCase()
			.replace(/[\s\p{Cf}_-]/gu, ''),
	);
	return one === other;
}
