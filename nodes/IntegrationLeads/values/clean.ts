/** Removes from texts what cannot be sent, and repairs names that were damaged on the way. Pure. */
import { isPlainObject } from 'lodash';

/** Control characters but line breaks and tabs, and unpaired surrogates: databases refuse the whole request for one of them. */
const UNSENDABLE = /(?![\t\n\r\x80-\x9f])\p{Cc}|\p{Cs}/gu;
/** Control characters as well. In a name they may be what is left of a letter. */
const UPPER_CONTROLS = /[\x80-\x9f]/g;
/** How programs keep a spreadsheet from reading a text as a number: `="00042"`. */
const KEPT_AS_TEXT = /^\s*="([^"]*)"\s*$/;
/** The same before a number, a sign or a formula, as spreadsheets keep it and programs protect them: `'+5511`. */
const MARKED_AS_TEXT = /^\s*'(?=[\d=+@-][^']*$)/;
/** Before a name, with no other behind it: `'Ana`, but not `'t Hart`. */
const MARK_OF_NAME = /^'(?=\p{Lu}[^']*$)/u;

/** Returns a text without what cannot be sent. */
export const cleanText = (text: string): string =>
	text.replace(UNSENDABLE, '').replace(UPPER_CONTROLS, '');

/** Cleans all texts inside a value, and drops `__proto__` as a key, which is never data. */
export function cleanValue(value: unknown): unknown {
	if (typeof value === 'string') return cleanText(value);
	if (Array.isArray(value)) return value.map(cleanValue);
	if (!isPlainObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value as object)
			.filter(([key]) => key !== '__proto__')
			.map(([key, member]) => [cleanText(key), cleanValue(member)]),
	);
}

/** Returns the text of a cell, without the marks of a spreadsheet and what cannot be sent, but with what {@link cleanName} repairs. */
export function cleanCell(text: string): string {
	const plain = text.replace(UNSENDABLE, '').replace(MARKED_AS_TEXT, '');
	return /^\s*=/.test(plain) ? plain.replace(KEPT_AS_TEXT, '$1') : plain;
}

/** Returns a text without quotes around all of it. `Ana "Nina" Souza` keeps its own. */
export const unquote = (text: string) => text.replace(/^\s*"([^"]*)"\s*$/, '$1');

/** A character as HTML writes it, by its number or, of XML and ISO 8859-1, by its name: `&#039;`, `&amp;`, `&eacute;`. */
const ENTITY =
	/&(?:#(\d{2,6})|#x([\da-f]{2,5})|(amp|quot|apos|lt|gt|nbsp)|([a-z])(acute|grave|circ|tilde|uml|cedil));/gi;
const SIGNS: Record<string, string> = {
	amp: '&',
	quot: '"',
	apos: "'",
	lt: '<',
	gt: '>',
	nbsp: ' ',
};
/** The combining marks of accents, by the names that entities have. */
const MARKS: Record<string, string> = {
	acute: '\u0301',
	grave: '\u0300',
	circ: '\u0302',
	tilde: '\u0303',
	uml: '\u0308',
	cedil: '\u0327',
};
const MAX_CODE_POINT = 0x10ffff;

/** What a program puts for the part of a name that it does not have: `Ana undefined`, `null Souza`. */
const MISSING_PART = /(?:^|\s)(undefined|null)(?=\s|$)/g;
/** Without those parts. Somebody may be called Null, and writes it without capitals if the whole name is. */
function withoutMissingParts(name: string): string {
	const hasCapital = /\p{Lu}/u.test(name);
	const rest = name.replace(MISSING_PART, (part, word) =>
		hasCapital || word === 'undefined' ? '' : part,
	);
	return rest.trim() || name;
}

/**
 * Returns a name as people write it: without quotes around it, missing parts, entities of HTML, and letters read in another
 * encoding.
 */
export function cleanName(name: string): string {
	const text = withoutMissingParts(unquote(name.replace(MARK_OF_NAME, '')))
		.replace(
			ENTITY,
			(whole, ...[decimal, hex, sign, letter, accent]: Array<string | undefined>) => {
				if (sign !== undefined) return SIGNS[sign.toLowerCase()];
				if (letter !== undefined)
					return `${letter}${MARKS[String(accent).toLowerCase()]}`.normalize('NFC');
				const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
				return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : whole;
			},
		)
		.replace(/(?:=[\dA-F]{2}){2,}/g, (bytes) => {
			return decode(bytes.match(/[\dA-F]{2}/g)!.map((byte) => parseInt(byte, 16))) ?? bytes;
		});
	return cleanText(fromLatin1(text));
}

/** Windows-1252 where it differs from ISO 8859-1, from 0x80. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';

/** Decodes UTF-8 that was read as ISO 8859-1 or Windows-1252, if all of it decodes. */
function fromLatin1(text: string): string {
	if (!/[\xC2\xC3]./u.test(text)) return text;
	const bytes = [...text].map((letter) => {
		const at = WINDOWS.indexOf(letter);
		return at >= 0 ? 0x80 + at : letter.codePointAt(0)!;
	});
	return bytes.every((byte) => byte < 0x100) ? (decode(bytes) ?? text) : text;
}

function decode(bytes: number[]): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
	} catch {
		return undefined;
	}
}
