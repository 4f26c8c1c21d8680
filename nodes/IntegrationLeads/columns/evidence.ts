/**
 * Finds what the values of an item are: by their headings, and, for an email, a phone or a name that no heading means, by the
 * form of the value. What was found by its form is named in the output. Pure.
 */
import {
	difference,
	dropRightWhile,
	groupBy,
	findLastIndex,
	map,
	partition,
	reject,
	some,
	uniq,
} from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ConvertContext } from '../values/context';
import { isEmail } from '../values/identity';
import { bareText, isLikePhone } from '../values/phone';
import { leaveOut } from './cell';
import { columnName, type Column } from './cells';
import { isCountryInLetters } from './country';
import { isPlainlyName } from './fits';
import { isTitle, ofDealIn, withoutDeal } from './deal';
import {
	FIELD_NAMES,
	FIELD_WORDS,
	has,
	HEADS,
	identityIn,
	isCalledPerson,
	isIndex,
	isNameField,
	isOfOther,
	isOfPerson,
	isValueKey,
	keyOf,
	meaningOf,
	mentions,
	namesOnly,
	PEOPLE,
	wordsOf,
	type Meaning,
} from './headings';
import {
	AGENT,
	DWELLING,
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
import { ORDER } from '../lexicon/sales';
import { groupOf, isNamePart, matchesOf, type ColumnMatch } from './match';
import { areTwo } from './parties';
import { findInRun } from './oncePerRun';

/** The words of the key or the question whose value it is. */
const ownWords = (column: Column) => wordsOf(withoutDeal(columnName(column)));
const isShared = ({ path }: Column) => mentions(path, SHARED);
const isOfDwelling = ({ path }: Column) => mentions(path, DWELLING);

/** Whether several rows have a phone with different emails: it is that of a firm, and by it they would be one person. */
function isOfFirm({ field, keys: [key], value }: ColumnMatch, { inputs = [] }: ConvertContext) {
	if (field !== 'phone') return false;
	const emailsOf = (input: IDataObject) => Object.values(input).filter(isEmail).join();
	const rowsOf = findInRun(inputs, `phone ${key}`, () =>
		groupBy(inputs, (input) => String(input[key])),
	);
	return uniq(map(rowsOf[String(value)], emailsOf)).filter(Boolean).length > 1;
}

const KNOWN = [FILLERS, HEADS, SHARED, FIELD_WORDS, USER];
const isKnown = (word: string) => KNOWN.some((table) => has(table, word));

/** Whether a key names somebody by what they do, who is not the person of the item: `provider`, `recruiter`, `instructor`. */
const isAgent = (part: string) =>
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

/** "Para começar, qual o seu nome completo?", but no "Qual o nome do seu cachorro?". */
const asksName = (words: string[]) => {
	const asked = words.slice(findLastIndex(words, (word) => YOUR.has(word)) + 1);
	return asked.length < words.length && isNameField(meaningOf([asked.join(' ')])?.field);
};

/** "Cliente", "Contato", `contact_number`: whose it is, and no more. */
const namesPerson = (words: string[]) => namesOnly(words, PEOPLE);

/** A phone by itself: with a +, a space or a bracket, or with its country code. An ID or a tax number is written in another way. */
const isPlainlyPhone = (value: unknown) => /^\s*\+|[\s(]|^\d{12,}$/.test(String(value).trim());

/** A name and an address in brackets behind it: `Ana Souza (ana@example.com)`. */
const NAMED_ADDRESS = /^([^<>()@]+)[<(]([^<>()]+)[>)]$/;
/** Of several in a cell, each, and the one behind a name. */
const splitAddresses = (value: unknown) => {
	const text = bareText(String(value));
	return (NAMED_ADDRESS.exec(text)?.[2] ?? text).split(/[\s,;|]+/);
};
/** The name before an email in the same cell. */
function namedIn(email: ColumnMatch): ColumnMatch[] {
	const name = NAMED_ADDRESS.exec(bareText(String(email.value)))?.[1].trim();
	return isPlainlyName(name) ? [{ ...email, field: 'name', value: name }] : [];
}

type Form = (value: unknown, words: string[], column: Column) => boolean;
/** What the value of a field looks like, and which words its heading needs. */
const LOOKS: Record<'email' | 'phone' | 'name', Form> = {
	email: (value, words) =>
		splitAddresses(value).every(isEmail) && (asksFor(words, EMAIL_WORDS) || namesPerson(words)),
	phone: (value, words, { path }) =>
		isLikePhone(value) &&
		(asksFor(words, PHONE_WORDS) ||
			((namesPerson(words) || namesOnly(words, NUMBER_WORDS)) && isPlainlyPhone(value))) &&
		!mentions(path, HOME) &&
		!mentions(words, NO_NUMBERS),
	name: (value, words, { path }) =>
		isPlainlyName(value) &&
		((path.slice(0, -1).every((part) => OF_FORM.has(keyOf(part))) &&
			namesPerson(words) &&
			!words.every((word) => ROLES_WITHOUT_NAME.has(word))) ||
			asksName(words)),
};
const isTitleOf = (match: ColumnMatch, context: ConvertContext) =>
	isNamePart(match) && isTitle(match, context);
const isField = (match: ColumnMatch, field: string) =>
	field === 'name' ? isNamePart(match) : match.field === field;

/** The object of a list that holds a value. */
const listEntryOf = ({ keys }: Column) => keys.slice(0, findLastIndex(keys, isIndex) + 1).join('.');

const guess = (column: Column, field: string): ColumnMatch => ({
	...column,
	value: [column.value].flat()[0],
	column,
	field,
	...identityIn(dropRightWhile(column.path, isValueKey)),
	group: groupOf(column),
	isGuess: true,
});

/** The columns of a row that have a field. */
export interface ReadColumns {
	matches: ColumnMatch[];
	/** Phones that have none, since they may be those of a firm. */
	ofFirm: ColumnMatch[];
}

/**
 * The columns that have a field by their headings, then those that have one that is missing by its form.
 *
 * @param saleMeaning the meaning of a column in a list of sales, which have no status or tags
 */
export function readColumns(
	all: Column[],
	context: ConvertContext,
	saleMeaning?: (column: Column) => Meaning | undefined,
): ReadColumns {
	const named = reject(all, isCountryInLetters).flatMap((column) => {
		const meant = saleMeaning ? saleMeaning(column) : meaningOf(column.path);
		// The contacts of WhatsApp have their phone as their ID.
		const isPhone = meant?.field === 'contactId' && isPlainlyPhone(column.value);
		return matchesOf(column, isPhone ? { ...meant, field: 'phone' } : meant);
	});
	const guesses = guessesIn(all, named, context, saleMeaning !== undefined);
	const [ofFirm, ofPeople] = partition(guesses, (match) => isOfFirm(match, context));
	return { matches: [...named, ...ofPeople], ofFirm };
}

/** Reports the phones that were not taken, since they may be those of a firm. */
export function reportOfFirm({ ofFirm }: ReadColumns, context: ConvertContext): void {
	for (const phone of ofFirm)
		leaveOut(context, phone, 'stands in rows of several people, who may share it');
}

/**
 * The columns without a field by their headings that have one by their form.
 *
 * @param named the columns that have one by their headings
 * @param isSale it has no fields of a deal
 */
function guessesIn(
	all: Column[],
	named: ColumnMatch[],
	context: ConvertContext,
	isSale: boolean,
): ColumnMatch[] {
	const isOfOthers = ({ path }: Column) => path.some(isOfOther) || path.slice(0, -1).some(isAgent);
	const rest = reject(difference(all, map(named, 'column')), isOfOthers);
	const missing = Object.entries(LOOKS).filter(
		([field]) => !named.some((match) => isField(match, field) && !isTitleOf(match, context)),
	);
	const isPersonNamed = all.some(({ path }) => path.slice(0, -1).some(isCalledPerson));
	const found = ofPerson(rest, map(missing, 0), isPersonNamed);
	for (const [field, isLike] of missing) {
		if (found.some((match) => isField(match, field))) continue;
		const like = rest.filter((column) => {
			const outer = column.path.slice(0, -1);
			if (outer.some(isUser)) return false;
			const [value, ...others] = [column.value].flat();
			return others.length === 0 && isLike(value, ownWords(column), column);
		});
		const asked = [reject(like, isShared), like.filter(isOfDwelling), like];
		const [first, ...others] = asked.find((columns) => columns.length > 0) ?? [];
		// Two emails are two people, or one of which it is not known which to use; of two phones, the mobile is sent.
		const isOne = others.every(
			(candidate) => field === 'phone' && listEntryOf(candidate) === listEntryOf(first),
		);
		if (first && isOne) found.push(...[first, ...others].map((column) => guess(column, field)));
	}
	if (some(missing, ['0', 'name']) && !found.some(isNamePart))
		found.push(...found.filter(({ field }) => field === 'email').flatMap(namedIn));
	// Beside the name of a person, that of a deal says nothing of who it is.
	const hasPerson = found.some(isNamePart);
	const understood = named.filter((match) => !hasPerson || !isTitleOf(match, context));
	const unread = difference(rest, map(found, 'column'));
	found.push(...witnessesIn(unread, [...understood, ...found]));
	// Of another person than the one whom the headings mean.
	const parties = Object.values(groupBy(found, placeOf));
	const strangers = parties.flatMap((party) => (areTwo(party, understood) ? party : []));
	const left = difference(rest, map(found, 'column'));
	const ofDeal = (isSale ? [] : ofDealIn(left, context))
		.filter(({ field }) => !some(named, { field }))
		.map(({ column, field }) => guess(column, field));
	return [...difference(found, strangers), ...ofDeal];
}

/**
 * The names and emails beside the values that were taken, under any key that means one: where they differ, the item has several
 * people.
 */
function witnessesIn(rest: Column[], matches: ColumnMatch[]): ColumnMatch[] {
	const people = matches.filter(({ field }) => isOfPerson(field));
	const places = new Map(Object.entries(groupBy(people, placeOf)));
	const isOwn = ({ path }: Column) => meaningOf(path.slice(-1)) !== undefined;
	const witnesses = rest.flatMap((column) => {
		const [beside, ...others] = places.get(placeOf(column)) ?? [];
		// Of an email at work, it is known which to use.
		if (!beside || isShared(column)) return [];
		const isEmailOf = LOOKS.email(column.value, ownWords(column), column);
		const meant = meaningOf([stemOf(column).field]);
		const field = isEmailOf ? 'email' : (meant?.field ?? '');
		const kind = ['email', 'name'].find((name) => isField({ ...beside, field }, name));
		const isMissing = kind && ![beside, ...others].some((match) => isField(match, kind));
		const { person, entry, group } = beside;
		return isMissing ? [{ ...guess(column, field), person, entry, group }] : [];
	});
	// Beside `client_name`, `service_name` is that of a thing.
	const isOfThing = (one: ColumnMatch) =>
		!isOwn(one) && witnesses.some((other) => isOwn(other) && placeOf(other) === placeOf(one));
	return reject(witnesses, isOfThing);
}

const isUser = (part: string) => mentions(part, USER);
/**
 * The missing fields in an object that is called a person, wherever it stands: `_embedded.customer`. Several such objects are
 * several people. A user is the person only where nothing else is called one.
 */
function ofPerson(rest: Column[], missing: string[], isPersonNamed: boolean): ColumnMatch[] {
	const found = rest.flatMap((column) => {
		const { path } = column;
		const from = findLastIndex(path.slice(0, -1), isCalledPerson);
		const withoutUser = isPersonNamed
			? path
			: path.map((part) => (isUser(part) ? 'contact' : part));
		const meaning = meaningOf(from > 0 ? path.slice(from) : withoutUser);
		if (!meaning || !isOfPerson(meaning.field)) return [];
		const group = path.slice(0, from > 0 ? from + 1 : path.length - 1).join('.');
		return [{ ...meaning, ...guess(column, meaning.field), group }];
	});
	if (uniq(map(found, 'group')).length > 1) return [];
	return found.filter((match) => missing.some((field) => isField(match, field)));
}

/** The words of a key that name its field, and those that say whose it is, in their object: `name`, `respondent`. */
function stemOf(column: Column): { stem: string; field: string } {
	const [field, rest] = partition(wordsOf(column.path.at(-1) ?? ''), (word) =>
		FIELD_NAMES.has(word),
	);
	const owner = rest.filter((word) => !has(SHARED, word)).join(' ');
	return { stem: owner && `${groupOf(column)} ${owner}`, field: field.join(' ') };
}

/** What values share that stand together: the object, or in a row how the keys begin that mean no field by themselves. */
const placeOf = (column: Column) =>
	groupOf(column) || (meaningOf(column.path) ? '' : stemOf(column).stem);
