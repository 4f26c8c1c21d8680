/** Compares names, and recognizes placeholder text. Pure. */
import { deburr } from 'lodash';

/** Longer text is not a name; compare it verbatim, since normalizing it is slow. */
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
/**
 * What a spreadsheet in any language shows where a formula failed, by its form: `#N/D`, `#VALOR!`, `#¿NOMBRE?`, `#GETTING_DATA`.
 * A hashtag has neither such a mark nor an underscore between capitals. The last are words of Germany, Turkey and Hungary.
 */
const SHEET_ERROR =
	/^#(?:[¡¿]?\p{Lu}[\p{Lu}\p{N}_]*[!?]|[¡¿]?\p{Lu}{1,3}\/[\p{Lu}\p{N}]{1,2}[!?]?|\p{Lu}+(?:_\p{Lu}+)+|NV|YOK|HIÁNYZIK)$/u;
/** What Google Sheets shows while a formula is computed. */
const LOADING =
	/^(?:loading|carregando|cargando|chargement|caricamento|laden|wird geladen)\s?(?:\.{3}|…)$/i;
/** A number of which a spreadsheet shows the first digits only: `3.91E+16`. `73928e05` is an ID. */
const SHORTENED = /^[+-]?\d(?:[.,]\d+)?e\+\d+$/i;

/** Words for no value that are also names and choices: people are called Null and Nan, and a priority may be `none`. */
const NO_VALUE = /^(?:null|nan|none|n\/a)$/i;
/** What Odoo and others write for an empty text, as a program or a spreadsheet shows it. */
const FALSE = /^(?:false|falso)$/i;
/** A first and a last name that are both missing. */
const MISSING_FULL_NAME = /^null\s+null$/i;

/** What people write where they have no value: `-`, `N/A`, `não tem`, `sem telefone`, `a combinar`, `TBD`. */
const NO_ENTRY =
	/^(?:[\p{Pd}_.?/\s]*|n[./]?[ad]\.?|tbd|x+|nenhum|ninguno|(?:a|por) \p{L}+[aei]r|to be \p{L}+|sob consulta|(?:n[ãa]o|sem|no|sin|without)(?: [\p{L}-]+){0,2})$/iu;

/** Whether a person wrote that a value is missing, in a field whose values are numbers, dates or addresses. */
export const isNoEntry = (text: string) => NO_ENTRY.test(text.trim());

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

/** Whether it may stand for no value. `nil` and `na` are names. */
export const isPlaceholder = (text: string) =>
	LOADING.test(text.trim()) ||
	splitWords(text).every((word) => isErrorWord(word) || NO_VALUE.test(word));
