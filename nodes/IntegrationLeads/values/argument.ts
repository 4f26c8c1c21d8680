/**
 * Arguments of a language model. n8n makes every field of a tool required, so for a field that it does not want to set, a
 * model gives an empty text, list or object, or a word such as `null`. Pure.
 */
import { deburr } from 'lodash';

import type { Convert, Parameter } from '../operation';
import { isBlank } from './convert';
import { isPlaceholder } from './placeholders';

const EMPTY_TEXT = /^(?:\[\s*\]|\{\s*\}|"")?$/;

/** Whether an argument only stands for no value. */
export function isAbsent(value: unknown): boolean {
	if (typeof value === 'string') {
		return isPlaceholder(value) || EMPTY_TEXT.test(value.trim());
	}
	if (Array.isArray(value)) return value.every(isAbsent);
	return isBlank(value);
}

/** The conversion of an argument: undefined for one that is absent, before or after it is converted. */
export function fromArgument({ type, convert: own }: Parameter, convert: Convert): Convert {
	// Free text, which no converter reads, stays as it is.
	const isFree = type === 'string' && !own;
	return (value, context) => {
		const given = typeof value === 'string' && !isFree ? withoutQuotes(value) : value;
		if (isAbsent(given)) return undefined;
		const converted = convert(given, context);
		return isAbsent(converted) ? undefined : converted;
	};
}

/** A text without the quotes of JSON. */
function withoutQuotes(text: string): string {
	return /^\s*"/.test(text) ? parseQuoted(text) : text;
}

/** The text itself where the quotes are not those of JSON. */
function parseQuoted(text: string): string {
	try {
		return JSON.parse(text) as string;
	} catch {
		return text;
	}
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
