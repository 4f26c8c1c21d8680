/** Recognises secrets by their name or form, so that none is noted, output or shown. Pure. */
import { deburr, upperCase } from 'lodash';

import { SECRET_END, SECRET_PHRASE, SECRET_STEM } from '../lexicon/values';

const MAX_NAME = 200;

/** Whether what goes by this name is a secret: `api_key`, `senha`, `hottok`. */
export function isSecretName(name: string): boolean {
	const normalized = upperCase(deburr(name.slice(0, MAX_NAME)));
	const isOfSecret = (word: string) => SECRET_STEM.test(word) || SECRET_END.test(word);
	return normalized.split(' ').some(isOfSecret) || SECRET_PHRASE.test(normalized);
}

/** Keys with the prefix of their kind, JSON Web Tokens, and what an Authorization header holds. */
const SECRET_FORM =
	/(?:\b|_)(?:live|test)_[\w-]{8}|\beyJ[\w-]{8}|\b(?:bearer|basic)\s{1,4}[\w+/.=-]{8}|\bxox[abp]-|\bgh[pousr]_\w{16}|\bAKIA[A-Z\d]{12}/i;
/** Letters and digits that only programs write: a token, a hash. */
const MIN_RANDOM_LENGTH = 20;
const MAX_LENGTH = 2000;

/** Whether a text has the form of a secret, whatever it is called. */
export function isSecret(value: unknown): boolean {
	const text = String(value).slice(0, MAX_LENGTH).trim();
	return SECRET_FORM.test(text) || isCardNumber(text);
}

/** Whether a text has a word that only a program writes: it may be a secret, and no person typed it. */
export function hasRandomWord(value: unknown): boolean {
	const words =
		String(value)
			.slice(0, MAX_LENGTH)
			.match(/[a-z\d]+/gi) ?? [];
	return words.some(
		(word) => word.length >= MIN_RANDOM_LENGTH && /\d/.test(word) && /[a-z]/i.test(word),
	);
}

/**
 * The number of a payment card: 16 digits as most networks have, or 15 as American Express has, with the check digit of
 * ISO/IEC 7812-1. Other lengths are those of phones and order numbers, of which one in ten has that digit as well.
 */
function isCardNumber(text: string): boolean {
	if (!/^(?:[2-6]\d{2}|3[47])\d(?:[ -]?\d){12}$/.test(text)) return false;
	const digits = text.replace(/\D/g, '').split('').reverse().map(Number);
	const sum = digits.reduce((total, digit, position) => {
		const doubled = position % 2 === 1 ? digit * 2 : digit;
		return total + (doubled > 9 ? doubled - 9 : doubled);
	}, 0);
	return sum % 10 === 0;
}
