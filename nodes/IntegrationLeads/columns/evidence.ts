/**
 * Finds what the values of an item are: by their headings, and, for an email, a phone or a name that no heading means, by the
 * form of the value. What was found by its form is named in the output. Pure.
 */
import {
	difference,
	dropRightWhile,
	filter,
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
import { isLikePhone } from '../values/phone';
import { leaveOut } from './cell';
import type { Column } from './cells';
import { isCountryInLetters } from './country';
import { isTitle, ofDealIn } from './deal';
import {
	FIELD_NAMES,
	has,
	identityIn,
	isCalledPerson,
	isIndex,
	isNameField,
	isOfOther,
	isOfPerson,
	isValueKey,
	meaningOf,
	mentions,
	PEOPLE,
	wordsOf,
	type Meaning,
} from './headings';
import { DWELLING, SHARED, USER } from '../lexicon/headings';
import { isAgent, isPlainlyPhone, LOOKS, namedIn, ownWords } from './looks';
import {
	areOfOnePerson,
	groupOf,
	isAddress,
	isNamePart,
	matchesOf,
	type ColumnMatch,
} from './match';
import { areTwo } from './parties';
import { findInRun } from './remember';
import { nameSides } from './sides';

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

const isTitleOf = (match: ColumnMatch, context: ConvertContext) =>
	isNamePart(match) && isTitle(match, context);
const isBareName = ({ field, person, group, isAnswer }: ColumnMatch) =>
	field === 'name' &&
	person === '' &&
	group !== '' &&
	!isAnswer &&
	!group.split('.').some(isCalledPerson);
const isAddressBeside = (name: ColumnMatch) => (match: ColumnMatch) =>
	isAddress(match) && areOfOnePerson(match.group, name.group);
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
	const columns = nameSides(all, context);
	const named = reject(columns, isCountryInLetters).flatMap((column) => {
		const meant = saleMeaning ? saleMeaning(column) : meaningOf(column.path);
		// The contacts of WhatsApp have their phone as their ID, and forms of Zoho as their country code.
		const isPhone =
			(meant?.field === 'contactId' && isPlainlyPhone(column.value)) ||
			(meant?.field === 'countryCode' && isLikePhone(column.value));
		return matchesOf(column, isPhone ? { ...meant, field: 'phone' } : meant);
	});
	const guesses = guessesIn(columns, named, context, saleMeaning !== undefined);
	const [ofFirm, ofPeople] = partition(guesses, (match) => isOfFirm(match, context));
	const matches = [...named, ...ofPeople].map((match) => {
		const column = all[columns.indexOf(match.column)];
		return column === match.column ? match : { ...match, column, isGuess: true };
	});
	return { matches, ofFirm };
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
	// The name of a thing: of a deal, or in an object of which nobody has an address, `event.name`.
	const isOfObject = (match: ColumnMatch) =>
		isBareName(match) && !named.some(isAddressBeside(match));
	const isOfThing = (match: ColumnMatch) => isTitleOf(match, context) || isOfObject(match);
	const missing = Object.entries(LOOKS).filter(
		([field]) => !named.some((match) => isField(match, field) && !isOfThing(match)),
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
		found.push(...filter([...named, ...found], { field: 'email' }).flatMap(namedIn));
	// Beside the name of a person, that of a thing says nothing of who it is.
	const hasPerson = found.some(isNamePart);
	const understood = named.filter((match) => (hasPerson ? !isOfThing(match) : !isOfObject(match)));
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
	// Where somebody else is known, it may be about another person.
	const isNobodyKnown = missing.length === Object.keys(LOOKS).length;
	const isLast = found.length === 0 && isNobodyKnown;
	const wanted = onlyGroup(isLast ? rest.flatMap(namesItself) : found);
	return wanted.filter((match) => missing.some((field) => isField(match, field)));
}

/** The matches, if one object has them all. */
const onlyGroup = (found: ColumnMatch[]) => (uniq(map(found, 'group')).length > 1 ? [] : found);

/** A key that says that its value is somebody's, wherever it stands: `guest_name`, `first_name`, but no `name`. */
function namesItself(column: Column): ColumnMatch[] {
	const key = dropRightWhile(column.path, isValueKey).slice(-1);
	const meaning = meaningOf(key);
	if (!meaning || !isOfPerson(meaning.field)) return [];
	const isPartOfName = isNameField(meaning.field) && meaning.field !== 'name';
	return isPartOfName || mentions(key, PEOPLE)
		? [{ ...meaning, ...guess(column, meaning.field) }]
		: [];
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
