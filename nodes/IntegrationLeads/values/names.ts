/**
 * Compares names of people as they write them: with titles, short forms, other spellings and other last names. Two names that
 * differ by a letter are often two people (Bruno and Breno, Mário and Maria), so only letters that sound alike are interchanged.
 * Pure.
 */
import { deburr, sortBy } from 'lodash';

import { NOT_OF_NAME, RELATIVES } from './lexicon';
import { SHORT_FORMS } from './shortForms';
import { isSameWord } from './words';

/** A name of more characters is not a name; normalizing it would be slow. */
const LONGEST_NAME = 200;

/** Behind a dash with a space before it, a bar, or in brackets: a company, a place, or how somebody is known. */
const ADDITION = /\s[-\u2010-\u2015|/].*$|[([{][^)\]}]*[)\]}]?/gsu;

/** Letters that sound alike in Portuguese, Spanish or English, in the order in which they are replaced. */
const SOUNDS: Array<[RegExp, string]> = [
	[/ph/g, 'f'],
	[/z|c(?=[eiy])/g, 's'],
	[/ck|k/g, 'c'],
	[/(?<=[^aeiou])h|h$/g, ''],
	[/w/g, 'v'],
	[/y/g, 'i'],
	[/ct(?=[aeiou])/g, 't'],
	[/m$/, 'n'],
	[/(.)\1+/g, '$1'],
];

/**
 * Whether two names may be those of one person: all words of the shorter are in the longer, or the first names are equal. Words
 * are equal in other spellings and as short forms. In the middle, an initial stands for a word that begins with it.
 *
 * @returns undefined if one of them has no word that names a person
 */
export function namesAgree(one: unknown, other: unknown): boolean | undefined {
	const [shorter, longer] = sortBy([nameWords(one), nameWords(other)], 'length');
	if (!shorter.some(isFullWord) || !longer.some(isFullWord)) return undefined;
	if (isSameWord(shorter.join(''), longer.join(''))) return true;
	// The mother of Bia is not Bia.
	if (shorter.some(isRelative) !== longer.some(isRelative)) return false;
	const isInLonger = (word: string) =>
		longer.some(
			(candidate) =>
				isSameName(word, candidate) || isInitialOf(word, candidate) || isInitialOf(candidate, word),
		);
	return isSameName(shorter[0], longer[0]) || shorter.every(isInLonger);
}

/** The words that name the person, without accents and in lower case. An email or a number names nobody. */
function nameWords(name: unknown): string[] {
	const text = String(name ?? '');
	if (text.length > LONGEST_NAME || /\S@\S/.test(text)) return [];
	return deburr(text.replace(ADDITION, ' ').replace(/ç/giu, 's'))
		.toLowerCase()
		.replace(/['\u2019\p{Cf}]/gu, '')
		.split(/[^\p{L}\p{M}]+/u)
		.filter((word) => word !== '' && !NOT_OF_NAME.has(word));
}

const isFullWord = (word: string) => word.length > 1;
const isRelative = (word: string) => RELATIVES.has(word);
const isInitialOf = (one: string, word: string) => one.length === 1 && word.startsWith(one);

function isSameName(one: string, other: string): boolean {
	const [a, b] = [spellingOf(one), spellingOf(other)];
	return isFullWord(a) && (a === b || isShortFor(a, b) || isShortFor(b, a));
}

const spellingOf = (word: string) =>
	SOUNDS.reduce((text, [letters, sound]) => text.replace(letters, sound), word);

const isShortFor = (short: string, name: string) => FULL_NAMES.get(short)?.has(name) ?? false;

/** The names for which a word is short, in the spelling in which words are compared. */
const FULL_NAMES = new Map(
	Object.entries(SHORT_FORMS).map(([short, names]) => [
		spellingOf(short),
		new Set(names.split(' ').map(spellingOf)),
	]),
);
