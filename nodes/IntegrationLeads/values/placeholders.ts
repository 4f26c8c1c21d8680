/**
 * What programs, spreadsheets and language models write where they have no value, also several times (a first and a last
 * name that are both missing); the last is an object as text. Not `nil` and `na`, which are names.
 */
const PLACEHOLDER =
	/^(?:(?:\(?null\)?|undefined|nan|none|#?n\/a|#(?:ref!|value!|name\?|null!|num!|div\/0!|error!)|\[object \w+\])(?:\s+|$))+$/i;

/** Whether a text, as a whole and in any case, only stands for no value. */
export const isPlaceholder = (text: string) => PLACEHOLDER.test(text.trim());
