/** When two words are the same, and when a text stands for no value. Pure. */
import { deburr } from 'lodash';

/** Whether two names differ at most in case, accents, spaces, invisible characters, underscores and hyphens. */
export function isSameWord(...names: [unknown, unknown]): boolean {
	const [one, other] = names.map((name) =>
		deburr(String(name))
			.toLowerCase()
			.replace(/[\s\p{Cf}_-]/gu, ''),
	);
	return one === other;
}

/** What programs and spreadsheets write where they have no value; the last is an object as text. */
const ERRORS =
	'undefined|#n/a|#(?:ref!|value!|name\\?|null!|num!|div/0!|error!)|\\[object \\w+\\]|\\(null\\)|null\\s+null';
/** Words for no value that are also names and choices: people are called Null and Nan, and a priority may be `none`. */
const WORDS = 'null|nan|none|n/a';

/** Once or several times: a first and a last name that are both missing. */
const only = (words: string) => new RegExp(`^(?:(?:${words})(?:\\s+|$))+$`, 'i');
const [ERROR, PLACEHOLDER] = [only(ERRORS), only(`${ERRORS}|${WORDS}`)];

/** Whether a text, as a whole and in any case, can only come from something that found no value. */
export const isMissing = (text: string) => ERROR.test(text.trim());

/** Whether it may stand for no value. `nil` and `na` are names. */
export const isPlaceholder = (text: string) => PLACEHOLDER.test(text.trim());
