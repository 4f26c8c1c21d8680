/**
 * Finds the codes of tracking links in what people write (spec 4.3). The full grammar is not shown: only that a code has segments
 * with hyphens between, after `ML-`. Pure.
 */
import { take, uniqBy } from 'lodash';

import type { CodeForm, Convert } from './context';
import { toFreeText } from './convert';

/** Each code may take two requests. */
const MAX_CODES = 3;

/**
 * The hyphen may be one that a phone or a word processor made of it, also with spaces around it: then only what has a digit is
 * a segment, since a dash between words has spaces as well. Underscores at the ends are WhatsApp's mark of italics. In the text
 * of a link, spaces and marks before the code are written as % with two digits. A code may follow a word without a space where
 * the case changes. The lookbehinds run only at an ML: at each of many underscores they would take seconds.
 */
const CODE =
	/(?=[Mm][Ll])(?:(?<![\p{L}\p{N}\-\u2010-\u2015]_*)|(?<=\p{Ll}(?=ML))|(?<=%(?:25)*(?:0[\da-fA-F]|2[\da-cefA-CEF]|3[a-fA-F]|5[b-fB-F]|60|7[b-eB-E])))[Mm][Ll](?:[-\u2010-\u2015\u2212][\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)*|[^\S\n]{0,2}[-\u2010-\u2015\u2212][^\S\n]{0,2}(?=\p{L}{0,20}\p{N})[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)*)+/gu;
const HYPHENS = /\s{0,2}[-\u2010-\u2015\u2212]\s{0,2}/gu;
/** A word behind a code, without a space: lower case after a digit. */
const WORD_BEHIND = /(?<=\p{N})\p{Lu}?\p{Ll}+$/u;
/** A code of a form not seen so far: a word of letters and digits with hyphens between. */
const UNSEEN_CODE =
	/^(?=.*\p{N})(?=.*[-\u2010-\u2015])\p{L}[\p{L}\p{N}_\-\u2010-\u2015]*[\p{L}\p{N}]$/u;
/** White space, and how WhatsApp marks bold, italics, strikethrough and code. */
const AROUND_CODE = /^[\s*_~`]+|(?<![\s*_~`])[\s*_~`]+$/g;

/** Whether a code has the form that was seen (spec 4.3): `500 ML-2` is a size. */
export const isShownForm = ({ written }: CodeForm): boolean =>
	/^ML(?:-[A-Z\d]+){2,}$/.test(written);

/** Finds the codes in a text, in their order. */
export function codesIn(text: string): CodeForm[] {
	const visible = text.replace(/\p{Cf}/gu, '');
	const codes = [...visible.matchAll(CODE)].map(([match]): CodeForm => {
		const written = match.replace(HYPHENS, '-');
		const withoutWord = written.replace(WORD_BEHIND, '');
		// In a code that is all in capitals, lower case is a word that follows.
		const code = /\p{Ll}/u.test(withoutWord) ? written : withoutWord;
		return { code: code.toUpperCase(), written };
	});
	return take(uniqBy(codes, 'code'), MAX_CODES);
}

/** Finds the codes of a field that holds one, or a message with one. A single word built like a code may be one of another form. */
export function codesOf(text: string): CodeForm[] {
	const found = codesIn(text);
	const word = text.replace(AROUND_CODE, '');
	return found.length === 0 && UNSEEN_CODE.test(word)
		? [{ code: word.toUpperCase(), written: word }]
		: found;
}

/**
 * The code of a tracking link, from the code itself or from a message that contains it: the first one, in capitals with plain
 * hyphens. A message without a code is not sent.
 */
export const toProtocol: Convert = (value, context) => {
	const text = toFreeText(value, context);
	if (typeof text !== 'string') return text;
	const codes = codesOf(text);
	if (codes.length > 1 || codes[0]?.code !== codes[0]?.written) context.onCodes?.(codes);
	return codes[0]?.code;
};
