/** Tells an email, a phone and a name by the form of the value, and by the words of a heading that none of these means alone. Pure. */
import { findLastIndex } from 'lodash';

import {
	AGENT,
	CONTAINERS,
	EMAIL_WORDS,
	FILLERS,
	HOME,
	INFINITIVE,
	NO_NUMBERS,
	NUMBER_WORDS,
	OF,
	OF_FORM,
	PHONE_WORDS,
	ROLES_WITHOUT_NAME,
	SHARED,
	USER,
	YOUR,
} from '../lexicon/headings';
import { NUMBERS, ORDER } from '../lexicon/sales';
import { isEmail } from '../values/identity';
import { bareText, isLikePhone } from '../values/phone';
import { columnName, type Column } from './cells';
import { withoutDeal } from './deal';
import { isPlainlyName } from './fits';
import {
	FIELD_WORDS,
	has,
	HEADS,
	isNameField,
	isPhrase,
	keyOf,
	meaningOf,
	mentions,
	namesOnly,
	PEOPLE,
	wordsOf,
} from './headings';
import type { ColumnMatch } from './match';

/** The words of the key or the question whose value it is. */
export const ownWords = (column: Column) => wordsOf(withoutDeal(columnName(column)));

const KNOWN = [FILLERS, HEADS, SHARED, FIELD_WORDS, USER];
const isKnown = (word: string) => KNOWN.some((table) => has(table, word));

/** Whether a key names somebody by what they do, who is not the person of the item: `provider`, `recruiter`, `instructor`. */
export const isAgent = (part: string) =>
	wordsOf(part).some((word) => AGENT.test(word) && !isKnown(word) && !has(ORDER, word));

/**
 * Whether a heading has a word of a field, and the words that say whose it is are those of the reader: "Deixe seu WhatsApp", "Seu
 * e-mail do cadastro", "E-mail para receber a aula"; no "E-mail da escola", nor "school email".
 */
function asksFor(words: string[], asked: Set<string>): boolean {
	if (!mentions(words, asked)) return false;
	if (words.some((word, at) => has(asked, word) && YOUR.has(words[at - 1]))) return true;
	return words.every((word, at) => {
		const isField = has(FIELD_WORDS, word);
		if (isField && at > 0) return isKnown(words[at - 1]);
		if (!OF.has(word)) return true;
		const next = words.slice(at + 1).find((follower) => !FILLERS.has(follower)) ?? word;
		return isKnown(next) || INFINITIVE.test(next);
	});
}

/** "Para começar, qual o seu nome completo?", "Tu nombre, como en tu pasaporte", but no "Qual o nome do seu cachorro?". */
const asksName = (question: string) =>
	question.split(',').some((clause) => {
		const words = wordsOf(clause);
		const asked = words.slice(findLastIndex(words, (word) => YOUR.has(word)) + 1);
		return asked.length < words.length && isNameField(meaningOf([asked.join(' ')])?.field);
	});

/** What answers a question for several things: `Ana, Loja Sul`. */
const SEVERAL = /[,;/|\n]| - /;

/** "Cliente", "Contato", `contact_number`: whose it is, and no more. */
const namesPerson = (words: string[]) => namesOnly(words, PEOPLE);

/** The same, and "Contact info", "Dados de contato": how they are reached, if the value is plainly that. */
const reachesPerson = (words: string[]) =>
	isPhrase(words, { needs: [PEOPLE], beside: [FILLERS, NUMBERS, CONTAINERS] });

/** A phone by itself: with a +, a space or a bracket, or with its country code. An ID or a tax number is written in another way. */
export const isPlainlyPhone = (value: unknown) =>
	/^\s*\+|[\s(]|^\d{12,}$/.test(String(value).trim());

/** A name and an address in brackets behind it: `Ana Souza (ana@example.com)`. */
const NAMED_ADDRESS = /^([^<>()@]+)[<(]([^<>()]+)[>)]$/;
/** Of several in a cell, each, and the one behind a name. */
const splitAddresses = (value: unknown) => {
	const text = bareText(String(value));
	return (NAMED_ADDRESS.exec(text)?.[2] ?? text).split(/[\s,;|]+/);
};
/** The name before an email in the same cell. */
export function namedIn(email: ColumnMatch): ColumnMatch[] {
	const name = NAMED_ADDRESS.exec(bareText(String(email.value)))?.[1].trim();
	return isPlainlyName(name) ? [{ ...email, field: 'name', value: name, isGuess: true }] : [];
}

type Form = (value: unknown, words: string[], column: Column) => boolean;
/** What the value of a field looks like, and which words its heading needs. */
export const LOOKS: Record<'email' | 'phone' | 'name', Form> = {
	email: (value, words) =>
		splitAddresses(value).every(isEmail) && (asksFor(words, EMAIL_WORDS) || reachesPerson(words)),
	phone: (value, words, { path }) =>
		isLikePhone(value) &&
		(asksFor(words, PHONE_WORDS) ||
			((reachesPerson(words) || namesOnly(words, NUMBER_WORDS)) && isPlainlyPhone(value))) &&
		!mentions(path, HOME) &&
		!mentions(words, NO_NUMBERS),
	name: (value, words, column) =>
		isPlainlyName(value) &&
		((column.path.slice(0, -1).every((part) => OF_FORM.has(keyOf(part))) &&
			namesPerson(words) &&
			!words.every((word) => ROLES_WITHOUT_NAME.has(word))) ||
			(asksName(columnName(column)) && !SEVERAL.test(String(value)))),
};
