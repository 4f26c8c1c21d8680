/** Selects the values of one person from a row, since each item is one person. Pure. */
import {
	compact,
	difference,
	every,
	filter,
	get,
	groupBy,
	isEqual,
	map,
	partition,
	reject,
	toString,
	trimEnd,
	uniq,
} from 'lodash';

import { InputError } from '../userError';
import type { ConvertContext } from '../values/context';
import { isRecord } from '../values/json';
import { toInternational } from '../values/phone';
import { leaveOut } from './cell';
import { columnName, type Column } from './cells';
import { isOfPipeline, isTitle } from './deal';
import { has, mentions, wordsOf } from './headings';
import { CONTAINERS, GUARDIAN, PERSON, PUPIL } from '../lexicon/headings';
import {
	areOfOnePerson,
	contains,
	groupOf,
	isAddress,
	isCodePart,
	isNamePart,
	isSameValue,
	type ColumnMatch,
} from './match';
import { valuesOfOne } from './parties';

const OF_OTHER =
	'is of another person in the row. To choose one, name the column of their email under Options > External ID Column';

const OF_PARENT = 'may be another person than the one of the email or the phone, such as a parent';

/**
 * Selects the values of one person: those of the row itself, and those of one entry of a list or one role, such as `buyer`: that of
 * the chosen external ID, or else the first with an address. Then it joins first and last name,
 * and area code and phone.
 *
 * @param matches the columns with a name, an email or a phone, or with a part of one
 * @param all the columns of the item
 * @param chosen the column that the user has named for the external ID
 * @throws InputError where a list has several people
 */
export function personIn(
	matches: ColumnMatch[],
	all: Column[],
	chosen: ColumnMatch | undefined,
	context: ConvertContext,
): ColumnMatch[] {
	/** An entry of a list, or a role; empty for the person of the row. */
	const identityOf = ({ entry, person }: ColumnMatch) => entry || person;
	const candidates = matches.filter((match) => identityOf(match) !== '');
	const first = candidates.find(isAddress) ?? candidates.at(0);
	const wanted = chosen && identityOf(chosen) !== '' ? chosen : first;
	if (wanted && wanted !== chosen) refuseSeveral(candidates, wanted, context);
	const ofPerson = matches.filter((match) => {
		const identity = identityOf(match);
		return identity === '' || (wanted && `${identityOf(wanted)}.`.startsWith(`${identity}.`));
	});
	const ofOthers = difference(matches, ofPerson);
	const hasGuardian = all.some(({ path }) => mentions(path, GUARDIAN));
	return joinPerson(ofPerson, ofOthers, hasGuardian, context, (named) =>
		valuesOfOne(named, chosen, identityOf),
	);
}

const INDIVIDUALLY = { model: 'Give each of them individually.', row: 'Give each of them a row.' };
/** How to make an item of each entry of a list. */
export const splitOut = (list: string) => ({
	panel: `Put a Split Out node with "${list}" before this one, so that each entry is an item.`,
	...INDIVIDUALLY,
});

const listOf = ({ entry }: ColumnMatch) => trimEnd(entry, '0123456789. ');

/** @throws InputError if a list has addresses of several people, unless they have roles, such as attendees */
function refuseSeveral(
	candidates: ColumnMatch[],
	wanted: ColumnMatch,
	{ input }: ConvertContext,
): void {
	const isOfWanted = ({ entry }: ColumnMatch) => `${wanted.entry}.`.startsWith(`${entry}.`);
	const other = candidates.find(
		(candidate) =>
			(isAddress(candidate) || !isAddress(wanted)) &&
			listOf(candidate) === listOf(wanted) &&
			!isOfWanted(candidate),
	);
	const isSame = candidates.some(
		(one) => other && isOfWanted(one) && isSameValue(one.field, one.value, other.value),
	);
	if (!other || isSame || wanted.entry === '') return;
	const list = listOf(wanted);
	const remedy = Array.isArray(get(input, list))
		? splitOut(list)
		: {
				panel:
					'Make an item of each of them before this node. To take one and leave out the others, name the column of their email under Options > External ID Column.',
				...INDIVIDUALLY,
			};
	throw new InputError(`"${list}" has several people, and an item is one`, remedy);
}

/** Which names are not those of a person, by what else the item has. */
function nobodysIn(matches: ColumnMatch[], context: ConvertContext) {
	const hasAny = matches.some(isAddress);
	// In a container such as `payload`, `name` is a person's only next to an email or phone; otherwise it may be the form's.
	const areTogether = (one: ColumnMatch, other: ColumnMatch) =>
		areOfOnePerson(one.group, other.group) || groupOf(one) === groupOf(other);
	const hasAddress = (match: ColumnMatch) =>
		match.isAnswer || matches.some((address) => isAddress(address) && areTogether(address, match));
	const hasOwner = matches.some((match) => isNamePart(match) && hasAddress(match));
	const hasOther =
		matches.some((match) => isNamePart(match) && !isTitle(match, context)) &&
		!matches.some((match) => isAddress(match) && isTitle(match, context));
	// A name beside the body of a webhook is what a platform adds that delivers it, such as its own customer.
	const isBesideBody = ({ path }: ColumnMatch) =>
		isRecord(context.input?.body) && !CONTAINERS.has(path[0]);
	// Beside a contact person, or a contact of whom all addresses are, a plain name is that of the firm.
	const isPlain = (match: ColumnMatch) => personWordsIn(match, context) === 0;
	const least = hasAny && !matches.some((match) => isAddress(match) && isPlain(match)) ? 1 : 2;
	const hasContact = matches.some(
		(match) => isNamePart(match) && personWordsIn(match, context) >= least,
	);
	// An item of a pipeline without an address is a deal, and its name is none of a person.
	const isDeal = !hasAny && isOfPipeline(context);
	return (match: ColumnMatch) =>
		isNamePart(match) &&
		((match.person === '' &&
			((isDeal && !match.isGuess) ||
				(!hasAddress(match) &&
					(hasOwner || (match.group !== '' && isOfAnything(match, context)))) ||
				(hasContact && isPlain(match)))) ||
			(!hasAny && isBesideBody(match)) ||
			(isTitle(match, context) && hasOther));
}

/** Joins what belongs together, and reports what is left out. */
function joinPerson(
	matches: ColumnMatch[],
	ofOthers: ColumnMatch[],
	hasGuardian: boolean,
	context: ConvertContext,
	keepOne: (matches: ColumnMatch[]) => ColumnMatch[],
): ColumnMatch[] {
	const isNobodys = nobodysIn(matches, context);
	const ofPerson = keepOne(reject(matches, isNobodys));
	const [ofNames, rest] = partition(ofPerson, isNamePart);
	const [codes, addresses] = partition(rest, isCodePart);
	// Of a pupil and a parent, an address without a word for either may be that of both.
	const isOfPupil = ({ person }: ColumnMatch) =>
		hasGuardian && PUPIL.has(person) && addresses.some((address) => address.person === '');
	const [unsure, names] = partition(ofNames, isOfPupil);
	for (const name of unsure) leaveOut(context, name, OF_PARENT);
	for (const code of codes) {
		const hasPhone = addresses.some(
			(address) => address.field === 'phone' && areBeside(address, code),
		);
		if (!hasPhone) leaveOut(context, code, 'is a code without a phone');
	}
	const grouped = Object.values(groupBy(names, ({ person, group }) => [person, group]));
	const [lasts, named] = partition(grouped, (parts) => every(parts, { field: 'lastName' }));
	// A last name that stands alone belongs to the only other name, unless it is that of a role: "Sobrenome do aluno".
	const [only] = named.length === 1 ? named : [];
	const [owned, unowned] = partition(lasts, ([{ person }]) =>
		['', only?.[0].person ?? person].includes(person),
	);
	for (const last of unowned.flat()) leaveOut(context, last, OF_PARENT);
	const people = only ? [[...only, ...owned.flat()]] : grouped;
	const sent = [
		...people.flatMap((matchesOfPerson) => joinName(matchesOfPerson, context)),
		...addresses.map((address) => withCodes(address, codes, context)),
	];
	// Usually both are the same person: do not report values that are sent anyway.
	const isSent = ({ value }: ColumnMatch) =>
		sent.some((cell) => isSameValue(cell.field, cell.value, value));
	for (const match of reject([...difference(matches, ofPerson), ...ofOthers], isSent))
		leaveOut(context, match, isNobodys(match) ? 'may be the name of something else' : OF_OTHER);
	return sent;
}

/** Whether the name may be that of a thing. A first name, and the name of a contact, are those of people. */
const isOfAnything = (match: ColumnMatch, context: ConvertContext) =>
	match.field === 'name' && personWordsIn(match, context) === 0;

/** How many words of a heading say that it is of a contact; 0 for a deal. */
const personWordsIn = (match: ColumnMatch, context: ConvertContext) =>
	isTitle(match, context)
		? 0
		: wordsOf(columnName(match)).filter((word) => has(PERSON, word)).length;

/** Joins the parts of a name. Beside "Apellidos", "Nombre" is a first name, and there may be two last names (Spain, Mexico). */
function joinName(parts: ColumnMatch[], context: ConvertContext): ColumnMatch[] {
	const [[whole], [first], lasts] = ['name', 'firstName', 'lastName'].map((field) =>
		parts.filter((part) => part.field === field),
	);
	const rest = compact([first, ...lasts]);
	if (rest.length === 0) return parts;
	const nameOf = (joined: ColumnMatch[]) =>
		joined.map(({ value }) => String(value).trim()).join(' ');
	const isWhole =
		whole &&
		rest.every((part) => contains(whole.value, part.value)) &&
		!contains(nameOf(rest), whole.value);
	const joined = lasts.reduce(
		(soFar, last) => {
			if (contains(nameOf(soFar), last.value)) return soFar;
			// A last name may be given as the whole name: Ana, Ana Souza.
			return soFar.length > 0 && contains(last.value, nameOf(soFar)) ? [last] : [...soFar, last];
		},
		compact([isWhole ? whole : (first ?? whole)]),
	);
	const value = nameOf(joined);
	for (const part of parts) {
		if (!contains(value, part.value))
			leaveOut(context, part, 'is another name than the one that is sent');
	}
	return [{ ...joined[0], heading: map(joined, 'heading').join(' + '), value, field: 'name' }];
}

const areBeside = (one: ColumnMatch, other: ColumnMatch) =>
	isEqual(one.path.slice(0, -1), other.path.slice(0, -1));

/** Completes a phone with the codes in columns beside it, unless there are two of a kind. */
function withCodes(phone: ColumnMatch, codes: ColumnMatch[], context: ConvertContext): ColumnMatch {
	const { countryCode } = { ...context, ...phone.dialling };
	const beside = codes.filter((code) => areBeside(code, phone));
	if (beside.length === 0) return phone;
	const [area, country] = ['areaCode', 'countryCode'].map((field) => {
		const [code, ...others] = uniq(map(filter(beside, { field }), 'value'));
		return others.length === 0 ? toString(code).replace(/\D/g, '') : '';
	});
	const number = String(phone.value);
	const value = [number, `${area} ${number}`]
		.map((text) => toInternational(text, country || countryCode))
		.find(Boolean);
	return { ...phone, value: value ?? phone.value };
}
