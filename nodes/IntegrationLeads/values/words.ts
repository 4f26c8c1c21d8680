/** When two words are the same, and when a text stands for no value. Pure. */
import { deburr } from 'lodash';

/** Longer texts are no names, and are compared as they are: spelling takes long to normalize. */
const MAX_NAME_LENGTH = 1000;

/** Whether two names differ at most in case, accents, spaces, invisible characters, underscores and hyphens. */
export function isSameWord(...names: [unknown, unknown]): boolean {
	const [one, other] = names.map((name) => {
		const text = String(name);
		if (text.length > MAX_NAME_LENGTH) return text;
		return deburr(text)
			.toLowerCase()
			.replace(/[\s\p{Cf}_-]/gu, '');
	});
	return one === other;
}

/** What programs and spreadsheets write where they have no value. */
const ERROR =
	/^(?:undefined|#n\/a|#(?:ref!|value!|name\?|null!|num!|div\/0!|error!)|\[object \w+\]|\(null\))$/i;
/** Words for no value that are also names and choices: people are called Null and Nan, and a priority may be `none`. */
const NO_VALUE = /^(?:null|nan|none|n\/a)$/i;
/** A first and a last name that are both missing. */
const NO_NAMES = /^null\s+null$/i;

/** The words of a text, of which `[object Object]` is one. */
const wordsOf = (text: string) => text.trim().split(/(?<!\[object)\s+/i);

/** Whether a text, as a whole and in any case, can only come from something that found no value. */
export const isMissing = (text: string) =>
	NO_NAMES.test(text.trim()) || wordsOf(text).every((word) => ERROR.test(word));

/** Whether it may stand for no value. `nil` and `na` are names. */
export const isPlaceholder = (text: string) =>
	wordsOf(text).every((word) => ERROR.test(word) || NO_VALUE.test(word));
