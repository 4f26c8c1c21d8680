/**
 * The codes of tracking links in what people write (spec 4.3). The full grammar is not shown: only that a code has segments
 * with hyphens between, after `ML-`. Pure.
 */
import { take, uniqBy } from 'lodash';

import type { CodeForm, Convert } from './context';
import { toFreeText } from './convert';

/** Each form may take a request. */
const MAX_FORMS = 6;

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
/** Words and years, as in the name of an advertisement: `ML-ANUNCIO-2024`. */
const NAME = /^ML(?:-(?:\p{L}+|(?:19|20)\d\d))+$/iu;
/** A code of a form not seen so far: a word of letters and digits with hyphens between. */
const UNSEEN_CODE =
	/^(?=.*\p{N})(?=.*[-\u2010-\u2015])\p{L}[\p{L}\p{N}_\-\u2010-\u2015]*[\p{L}\p{N}]$/u;
/** White space, and how WhatsApp marks bold, italics, strikethrough and code. */
const AROUND_CODE = /^[\s*_~`]+|(?<![\s*_~`])[\s*_~`]+$/g;

/** The codes in a text in their order, each in the forms in which a lead may have it, the most probable first. */
export function codesIn(text: string): CodeForm[] {
	const visible = text.replace(/\p{Cf}/gu, '');
	const forms = [...visible.matchAll(CODE)].flatMap(({ 0: written, index }) =>
		readCode(written, /\p{Ll}$/u.test(visible.slice(0, index))),
	);
	return take(uniqBy(forms, 'code'), MAX_FORMS);
}

/** @param isGlued a word stands before it without a space */
function readCode(written: string, isGlued: boolean): CodeForm[] {
	const whole = written.replace(HYPHENS, '-');
	const withoutWord = whole.replace(WORD_BEHIND, '');
	const isCut = withoutWord !== whole && !/\p{Ll}/u.test(withoutWord);
	const isCertain = !isGlued && !isCut && !/\s/.test(written) && !NAME.test(whole);
	const codes = [...(isCut ? [withoutWord] : []), whole.toUpperCase(), whole];
	return codes.map((code) => ({ code, isCertain }));
}

/** The codes of a field that holds one, or a message with one. A single word built like a code is: it may be of a form not seen so far. */
export function codesOf(text: string): CodeForm[] {
	const found = codesIn(text);
	const word = text.replace(AROUND_CODE, '');
	return found.length === 0 && UNSEEN_CODE.test(word) ? [{ code: word, isCertain: false }] : found;
}

/**
 * The code of a tracking link, from the code itself or from a message that contains it: the first one, in capitals with plain
 * hyphens. A message without a code is not sent.
 */
export const toProtocol: Convert = (value, context) => {
	const text = toFreeText(value, context);
	if (typeof text !== 'string') return text;
	const forms = codesOf(text);
	if (forms.length > 1 || forms[0]?.isCertain === false) context.onCodes?.(forms);
	return forms[0]?.code;
};
