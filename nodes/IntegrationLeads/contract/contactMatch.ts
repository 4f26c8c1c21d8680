/**
 * Whether a contact in an answer has the phone or the email that is meant. Pure.
 *
 * Where the service has looked already, refusing what it found creates a second contact of the same person, so a contact is
 * refused only if it plainly states another phone or email and nowhere the one that is meant.
 */
import { deburr, difference, isString, uniq } from 'lodash';

import type { ServiceRecord } from './envelope';
import { isRecord } from './envelope';
import type { Trait } from './records';
import { bareText, mobileVariants, toInternational } from '../values/phone';

const listOf = (words: string) => new Set(words.split(' '));
/** Some services have several fields for each, under their own names, of which one word says what is in them. */
const NAMES: Record<Trait, Set<string>> = {
	phone: listOf(
		'phone phones telephone tel telefone telefono fone mobile movil cell cellphone celular whatsapp whats wpp wa msisdn jid',
	),
	email: listOf('email emails mail mails'),
};
/** What the other words of such a name may be: with any other, such as `ownerEmail` or `emergencyContactPhone`, it is somebody else's. */
const OWN = listOf(
	'primary main principal default secondary second other alternative additional personal home work business contact person ' +
		'customer client cliente lead contato number numbers numero nr no address addresses e raw formatted id app value',
);
/** Objects that hold fields of the contact: `customFields`, `additional_attributes`. */
const CONTAINERS = listOf(
	'custom field fields attribute attributes property properties profile details info data channels identities identifiers',
);
/** Custom fields are objects with a name and a value; of those with no name, the value may be anything. */
const [CUSTOM_NAMES, CUSTOM_VALUE] = [['name', 'label', 'title', 'key', 'field'], 'value'];
/** How deep a record is searched. */
const DEPTH = 5;
/** Fields with phones or emails are shorter; all of this is split and compared. */
const LONGEST = 400;

/**
 * Whether a contact has this phone or email, in any spelling.
 *
 * @param value a phone in international format, or an email
 * @param how `found`: the service has looked for the value, so a part of the number is enough; `whole`: nobody has
 * @returns undefined if the record shows neither the value nor plainly another
 */
export function contactHas(
	record: ServiceRecord,
	trait: Trait,
	value: string,
	how: 'found' | 'whole',
): boolean | undefined {
	const values = valuesOf(record, trait);
	const isAnySame = (isSame: typeof isSameEmail) => values.some((each) => isSame(each, value));
	const isSame = trait === 'phone' ? isSamePhone : isSameEmail;
	if (isAnySame(isSame)) {
		const isWhole = how === 'found' || trait === 'email' || isAnySame(isSameWholePhone);
		return isWhole ? true : undefined;
	}
	if (how === 'whole' && values.length === 0) return trait in record ? false : undefined;
	const stated = [record[trait], record[`${trait}s`]].flat().filter(isStated).map(String);
	const isPlain = trait === 'phone' ? isOnePhone : isOneEmail;
	return stated.length > 0 && stated.every(isPlain) ? false : undefined;
}

/**
 * What to search for so that the answer contains all contacts with an email or a phone, the best first. Phones may be
 * stored without their beginning; how the service searches is not shown (4.1), so the whole number follows.
 */
export function searchTerms(trait: Trait, value: string): string[] {
	return trait === 'email'
		? uniq([value, value.toLowerCase()])
		: uniq([value.slice(-FEWEST_DIGITS), value, ...mobileVariants(value)]);
}

function isStated(value: unknown): value is string | number {
	return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
}

/** Text and numbers in all fields with such a name, and inside them. */
function valuesOf(record: ServiceRecord, trait: Trait): string[] {
	const search = (value: unknown, named: boolean, depth: number): string[] => {
		if (isStated(value)) return named ? [String(value)] : [];
		if (depth > DEPTH) return [];
		if (Array.isArray(value)) return value.flatMap((each) => search(each, named, depth + 1));
		if (!isRecord(value)) return [];
		const names = CUSTOM_NAMES.map((key) => value[key]).filter(isString);
		const isCustom = names.length === 0 || names.some((name) => isOwn(trait, name));
		return Object.entries(value).flatMap(([name, each]) => {
			const isNamed = named || (isCustom && name === CUSTOM_VALUE) || isNameOf(trait, name);
			return isNamed || isContainer(name) ? search(each, isNamed, depth + 1) : [];
		});
	};
	return search(record, false, 0);
}

function isNameOf(trait: Trait, name: string): boolean {
	return isOwn(trait, name) && wordsOf(name).some((word) => NAMES[trait].has(word));
}

/** Whether no word of a name says that the value is somebody else's. */
function isOwn(trait: Trait, name: string): boolean {
	return difference(wordsOf(name), [...NAMES[trait]]).every((word) => OWN.has(word));
}

function isContainer(name: string): boolean {
	return wordsOf(name).every((word) => OWN.has(word) || CONTAINERS.has(word));
}

/** Without numbers: `phone2`. */
function wordsOf(name: string): string[] {
	const spaced = deburr(name).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
	return spaced.toLowerCase().match(/\p{L}+/gu) ?? [];
}

function isSameEmail(one: string, other: string): boolean {
	const others = emailsIn(other);
	return emailsIn(one).some((email) => others.includes(email));
}

/** The whole text, too: an address may contain almost any character. */
function emailsIn(text: string): string[] {
	return [text, ...addressesIn(text)].map((each) => bareText(each).toLowerCase());
}

function addressesIn(text: string): string[] {
	return text
		.slice(0, LONGEST)
		.replace(/mailto:/gi, ' ')
		.split(/[\s<>()"';,|/]/)
		.filter((part) => part.includes('@'));
}

/** Asterisks, dots and the like hide a part of an address. */
function isOneEmail(text: string): boolean {
	return addressesIn(text).length === 1 && !/[*\u2022\u2026#]|\.\./.test(text);
}

/** In any spelling: one may lack country and area code, or the extra digit of mobile numbers. */
function isSamePhone(one: string, other: string): boolean {
	const others = numbersIn(other).flatMap(formsOf);
	return numbersIn(one)
		.flatMap(formsOf)
		.some((digits) => others.some((each) => isSameNumber(digits, each)));
}

function isSameWholePhone(one: string, international: string): boolean {
	const digits = digitsOf(international);
	return numbersIn(one).flatMap(formsOf).includes(digits);
}

function isSameNumber(one: string, other: string): boolean {
	const [short, long] = one.length < other.length ? [one, other] : [other, one];
	return short.length >= FEWEST_DIGITS && long.endsWith(short);
}

/** The fewest digits of a number within its country (the plans of values/phone.ts), and the most of any. */
const FEWEST_DIGITS = 8;
const MOST_DIGITS = 15;

/** An extension, no part of the number. */
const EXTENSION =
	/[\s,;(]*(?:\b(?:ramal|ext(?:ension|ensão|ensión|n)?|anexo|x)|#)[\s.:=]*\d{1,6}\)?$/i;
/** What people write between two numbers; a + also starts another. */
const BETWEEN_NUMBERS = /[/;,|\n]|\s(?:e|y|ou|o|or|and)\s|(?=\+)/i;

/** The numbers of a text as they are written, without extension. */
function numbersIn(text: string): string[] {
	const numbers = bareText(text.slice(0, LONGEST)).replace(EXTENSION, '');
	const parts = numbers.split(BETWEEN_NUMBERS).filter((part) => /\d/.test(part));
	// After an area code the separator is one within a number.
	const isOne = parts.length > 1 && digitsOf(parts[0]).length < FEWEST_DIGITS - 1;
	return isOne ? [parts.join(' ')] : parts;
}

/** Just one number: no second one, and no character in place of a digit. */
function isOnePhone(text: string): boolean {
	const numbers = numbersIn(text);
	if (numbers.length !== 1) return false;
	const international = inInternationalForm(numbers[0]);
	const { length } = digitsOf(international);
	const isWhole = /^[+\d\s().\-\u2010-\u2015\u2212]+$/.test(international);
	return isWhole && length >= FEWEST_DIGITS && length <= MOST_DIGITS;
}

/** A 0 in parentheses is part of the number in some countries. */
function formsOf(number: string): string[] {
	return [number, number.replace(/\(0\)/, '')].flatMap((each) => {
		const digits = digitsOf(inInternationalForm(each)).replace(/^0+/, '');
		return [digits, ...mobileVariants(`+${digits}`).map(digitsOf)];
	});
}

function inInternationalForm(number: string): string {
	return toInternational(number) ?? number;
}

function digitsOf(text: string): string {
	return text.replace(/\D/g, '');
}
