/** How the value of a parameter without a conversion of its own is read: by its type. */
import { attempt, isError } from 'lodash';

import type { Convert, ConvertContext, Parameter } from '../operation';
import { InputError } from '../userError';
import { toAmount } from './amount';
import { fromArgument, isSameWord } from './argument';
import { isBlank, toBoolean, toFreeText, toIdentifier, toNumber, toText, toUtc } from './convert';
import { toEmail } from './identity';
import { toPhone } from './phone';

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
	const ofArgument = fromArgument(parameter, convert);
	return (value, context) => {
		if (context.tool) return ofArgument(value, context);
		return isBlank(value) && parameter.in !== 'match' ? undefined : convert(value, context);
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
	const isOfAccount = open && typeOptions?.loadOptionsMethod && !PLAIN.test(given.trim());
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
