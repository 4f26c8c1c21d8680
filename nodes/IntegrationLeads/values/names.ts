/**
 * Compares names of people as they write them: with titles, short forms, other spellings and other last names. Two names that
 * differ by a letter are often two people (Bruno and Breno, Mário and Maria), so only letters that sound alike are interchanged.
 * Pure.
 */
import { deburr, findKey, groupBy, map, mapValues, sortBy } from 'lodash';

import { RELATIVES } from '../lexicon/headings';
import { GENERATIONS, NO_NAME_KNOWN, NOT_OF_NAME, SECOND_NAMES, TITLES } from '../lexicon/values';
import { SHORT_FORMS } from '../lexicon/shortForms';
import { isSameWord } from './words';

/** A name of more characters is not a name; normalizing it would be slow. */
const LONGEST_NAME = 200;

/** Behind a dash with a space before it, a bar, or in brackets: a company, a place, or how somebody is known. */
const ADDITION = /\s[-\u2010-\u2015|/].*$|[([{][^)\]}]*[)\]}]?/gsu;

/** A diminutive or an augmentative: its stem, the letter between them, and the vowel of a diminutive. */
const DIMINUTIVE = /^(\p{L}{2,}?)(?:([zc]?)(?:inh|it)([oa])s?|(?<=\p{L}{2}[^i])ao)$/u;
/** How the name of a diminutive goes on behind its stem, by the vowel of the diminutive. */
const ENDINGS = { o: ['o', 'os', 'io', 'e'], a: ['a', 'ia', 'es', 'e'] };

/** Letters that sound alike in Portuguese, Spanish or English, in the order in which they are replaced. */
const SOUNDS: Array<[RegExp, string]> = [
	[/ph/g, 'f'],
	[/z|(?<![aeiou])c(?=[eiy])/g, 's'],
	[/ck|k/g, 'c'],
	[/(?<=[^aeiouc])h|(?<=c)h(?=[^aeiou])|h$/g, ''],
	[/w/g, 'v'],
	[/y/g, 'i'],
	[/ct(?=[aeiou])/g, 't'],
	[/m$/, 'n'],
	[/(.)\1+/g, '$1'],
];

/** A word of a name, as it is compared. */
interface Word {
	text: string;
	spelling: string;
	/** Spellings of the words of which it may be a diminutive, and its own. */
	stems: string[];
}

/** What an expression gives that reads an object or an ID: JSON, or digits without a letter. */
const NO_NAME_FORM = /^(?:\{.*\}|\[\s{0,9}["{].*\]|(?=\D*\d)[\d\p{P}\s+]*)$/su;
/** Whether a text, as a whole, is none that somebody is called. Of signs alone a name may be, as in WhatsApp. */
export const isNoName = (text: string) => NO_NAME_FORM.test(text.trim());

/** Whether a text says that no name is known: `Sem nome`, `Não informado`, `Cliente 123`, `N/D`. */
export function saysNoName(text: string): boolean {
	const words = partsOfName(text);
	const isOfNone = words.every((word) => NOT_OF_NAME.has(word));
	return (
		/^[ns][./] ?(?:[adin]|nome)\.?$/i.test(text.trim()) ||
		(isOfNone && words.some((word) => NO_NAME_KNOWN.has(word)))
	);
}

interface Name {
	words: Word[];
	/** Of {@link GENERATIONS}. */
	generation?: string;
	/** Whose title is before it. */
	sex?: keyof typeof TITLES;
}

/**
 * Whether two names may be those of one person: all words of the shorter are in the longer, or the first names are equal. Words
 * are equal in other spellings, as short forms and as diminutives. In the middle, an initial stands for a word that begins with it.
 *
 * @returns undefined if one of them has no word that names a person
 */
export function namesAgree(one: unknown, other: unknown): boolean | undefined {
	const names = [parseName(one), parseName(other)];
	const [shorter, longer] = sortBy(map(names, 'words'), 'length');
	if (!shorter.some(isFullWord) || !longer.some(isFullWord)) return undefined;
	if (isContradicted(...(names as [Name, Name]))) return false;
	if (isSameWord(map(shorter, 'text').join(''), map(longer, 'text').join(''))) return true;
	const isIn = (words: Word[]) => (word: Word) =>
		words.some((candidate) => isSameName(word, candidate) || isInitialOf(word, candidate));
	if (shorter.every(isIn(longer))) return true;
	if (!isSameName(shorter[0], longer[0])) return false;
	const seconds = [shorter[1], longer[1]];
	const areFirstNames = seconds.every((word) => word && SECOND_NAMES.has(word.text));
	return !areFirstNames || isIn(longer)(seconds[0]) || isIn(shorter)(seconds[1]);
}

/** Whether two names are those of a couple, of father and son, or of a relative: the mother of Bia is not Bia. */
function isContradicted(one: Name, other: Name): boolean {
	const isOther = (field: 'generation' | 'sex') =>
		one[field] !== undefined && other[field] !== undefined && one[field] !== other[field];
	const areLastNames = one.words.length === 1 && other.words.length === 1;
	const [isRelative, isOtherRelative] = [one, other].map(({ words }) =>
		words.some(({ text }) => RELATIVES.has(text)),
	);
	return (
		isOther('generation') || (areLastNames && isOther('sex')) || isRelative !== isOtherRelative
	);
}

/** Parses the words that name the person, without accents and in lower case. An email or a number names nobody. */
function parseName(name: unknown): Name {
	const text = String(name ?? '');
	if (text.length > LONGEST_NAME || /\S@\S/.test(text)) return { words: [] };
	const named = partsOfName(text.replace(ADDITION, ' '));
	const all = named.some((word) => !NOT_OF_NAME.has(word)) ? named : partsOfName(text);
	const last = all.at(-1) ?? '';
	const generation = all.length > 2 || !NOT_OF_NAME.has(all[0]) ? GENERATIONS[last] : undefined;
	const hasGeneration = generation !== undefined && all.length > 1;
	const words = (hasGeneration ? all.slice(0, -1) : all).filter((word) => !NOT_OF_NAME.has(word));
	return {
		words: words.flatMap(initialsIn).map(toWord),
		generation: hasGeneration ? generation : undefined,
		sex: findKey(TITLES, (titles) => all.some((word) => titles.has(word))) as Name['sex'],
	};
}

/** Also from the letters of other alphabets that look like ours, such as `𝓐𝓷𝓪`, and `Mª`. */
const partsOfName = (text: string): string[] =>
	deburr(text.normalize('NFKC').replace(/ç/giu, 's'))
		.toLowerCase()
		.replace(/['\u2019\p{Cf}]/gu, '')
		.split(/[^\p{L}\p{M}]+/u)
		.filter((word) => word !== '');

/** `JP` is João Pedro. */
const initialsIn = (word: string) => (/^[^aeiouy]{2,3}$/.test(word) ? [...word] : [word]);

const toWord = (text: string): Word => ({
	text,
	spelling: spellingOf(text),
	stems: [text, ...stemsOf(text)].map(spellingOf),
});

/** What a word may be a diminutive of: `ana` of `aninha`, `juan` of `juanito`, `marcos` of `marcao`. */
function stemsOf(word: string): string[] {
	const [, stem, link, vowel = 'o'] = DIMINUTIVE.exec(word) ?? [];
	if (!stem) return [];
	const hard = stem.replace(/qu$/, 'c').replace(/gu$/, 'g');
	const begins = link ? [hard, hard + link] : [hard];
	// Benito is not Ben.
	const isWhole = link || (vowel === 'o' && stem.length > 3);
	const ends = [...(isWhole ? [''] : []), ...ENDINGS[vowel as keyof typeof ENDINGS]];
	return begins.flatMap((begin) => ends.map((end) => begin + end));
}

const isFullWord = ({ text }: Word) => text.length > 1;

function isInitialOf(one: Word, other: Word): boolean {
	const [short, long] = sortBy([one.text, other.text], 'length');
	return short.length === 1 && long.startsWith(short);
}

const isSameName = (one: Word, other: Word): boolean =>
	isFullWord(one) && isFullWord(other) && (isFormOf(one, other) || isFormOf(other, one));

const isFormOf = ({ stems }: Word, { spelling }: Word) =>
	stems.some((stem) => stem === spelling || FULL_NAMES[stem]?.has(spelling));

const spellingOf = (word: string) =>
	SOUNDS.reduce((text, [letters, sound]) => text.replace(letters, sound), word);

/** The names for which a word is short, in the spelling in which words are compared. */
const FULL_NAMES = mapValues(
	groupBy(Object.keys(SHORT_FORMS), spellingOf),
	(forms) => new Set(forms.flatMap((form) => SHORT_FORMS[form].split(' ')).map(spellingOf)),
);
