/** Compares names, and recognizes placeholder text. Pure. */
import { deburr } from 'lodash';

import {
	ERROR,
	FALSE,
	LOADING,
	MISSING_FULL_NAME,
	NO_ENTRY,
	NO_ENTRY_IN_WORDS,
	NO_VALUE,
	OBJECT_IN_TEXT,
	SHEET_ERROR,
} from '../lexicon/values';

/** Longer text is not a name; compare it verbatim, since normalizing it is slow. */
const MAX_NAME_LENGTH = 1000;

/** A name without what people write in several ways: case, accents, spaces, invisible characters, underscores and hyphens. */
export function plainWord(name: unknown): string {
	const text = String(name);
	if (text.length > MAX_NAME_LENGTH) return text;
	return deburr(text)
		.toLowerCase()
		.replace(/[\s\p{Cf}_-]/gu, '');
}

/** Whether two names differ at most in what {@link plainWord} leaves out. */
export const isSameWord = (one: unknown, other: unknown): boolean =>
	plainWord(one) === plainWord(other);

/** A number of which a spreadsheet shows the first digits only: `3.91E+16`. `73928e05` is an ID. */
const SHORTENED = /^[+-]?\d(?:[.,]\d+)?e\+\d+$/i;

/** Whether a person wrote that a value is missing, in a field whose values are numbers, dates, addresses or IDs. */
export const isNoEntry = (text: string) =>
	NO_ENTRY.test(text.trim()) || NO_ENTRY_IN_WORDS.test(text.trim());

/** Whether the text is "false", used as "no value" by some programs. */
export const isFalseWord = (text: string) => FALSE.test(text.trim());

/** The words of a text, of which `[object Object]` is one. */
const splitWords = (text: string) => text.trim().split(/(?<!\[object)\s+/i);

/** Whether a text is a number whose last digits a spreadsheet did not show. */
export const isShortened = (text: string) => SHORTENED.test(text.trim());

const isErrorWord = (word: string) => ERROR.test(word) || SHEET_ERROR.test(word);

/** Whether a text, as a whole, can only come from something that found no value. */
export const isErrorValue = (text: string) =>
	MISSING_FULL_NAME.test(text.trim()) ||
	LOADING.test(text.trim()) ||
	splitWords(text).every(isErrorWord);

/** Whether a text has the word for an object where the text of one of its fields was meant. */
export const holdsObject = (text: string) => OBJECT_IN_TEXT.test(text);

/** Whether it may stand for no value. `nil` and `na` are names. */
export const isPlaceholder = (text: string) =>
	LOADING.test(text.trim()) ||
	splitWords(text).every((word) => isErrorWord(word) || NO_VALUE.test(word));
