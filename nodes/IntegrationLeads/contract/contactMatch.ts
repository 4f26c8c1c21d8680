/**
 * Whether a contact that the service brought has the phone or the email that was asked for. Pure.
 *
 * The service has looked already. To refuse what it found makes a second contact of the same person, so that needs a
 * record that plainly tells another one and nowhere the one asked for; whatever can be read otherwise tells nothing.
 */
import type { ServiceRecord } from './envelope';
import { isRecord } from './envelope';
import { bareText, mobileVariants, toPhone } from '../values/phone';

type Trait = 'phone' | 'email';

/** Some services keep several, under names of their own. */
const FIELDS: Record<Trait, RegExp> = {
	phone: /phone|mobile|cell|celular|fone|movil|móvil|tel|whats|msisdn|jid/i,
	email: /mail/i,
};
/** Fields of an account's own making have their name beside the value. */
const OWN_FIELD = 'value';
/** Records within a contact that are about somebody else, who may have been asked for as well. */
const SOMEBODY_ELSE =
	/owner|assign|agent|user|seller|responsible|author|manager|compan|organi[sz]ation|referr|created|updated/i;
/** How deep a record is searched; no record seen nests further. */
const DEPTH = 5;
/** No field that holds phones or emails is as long, and all of it is split and compared. */
const LONGEST = 400;

/** @returns undefined where the record does not tell */
export function contactMatches(
	record: ServiceRecord,
	trait: Trait,
	targets: string,
): boolean | undefined {
	const isSame = trait === 'phone' ? isSamePhone : isSameEmail;
	if (valuesOf(record, trait).some((each) => isSame(each, targets))) return true;
	const told = [record[trait], record[`${trait}s`]].flat().filter(isTold).map(String);
	const isPlain = trait === 'phone' ? isOnePhone : isOneEmail;
	return told.length > 0 && told.every(isPlain) ? false : undefined;
}

function isTold(value: unknown): value is string | number {
	return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
}

/** Texts and numbers in all fields that are named like it, also in what such a field holds. */
function valuesOf(record: ServiceRecord, trait: Trait): string[] {
	const search = (value: unknown, named: boolean, depth: number): string[] => {
		if (isTold(value)) return named ? [String(value)] : [];
		if (depth > DEPTH) return [];
		if (Array.isArray(value)) return value.flatMap((each) => search(each, named, depth + 1));
		if (!isRecord(value)) return [];
		return Object.entries(value)
			.filter(([name, each]) => isTold(each) || !SOMEBODY_ELSE.test(name))
			.flatMap(([name, each]) =>
				search(each, named || FIELDS[trait].test(name) || name === OWN_FIELD, depth + 1),
			);
	};
	return search(record, false, 0);
}

function isSameEmail(one: string, other: string): boolean {
	const others = emailsIn(other);
	return emailsIn(one).some((email) => others.includes(email));
}

/** The whole text first: almost any mark may stand in an address. */
function emailsIn(text: string): string[] {
	return [text, ...addressesIn(text)].map((each) => bareText(each).toLowerCase());
}

function addressesIn(text: string): string[] {
	return text
		.slice(0, LONGEST)
		.replace(/mailto:/gi, ' ')
		.split(/[\s<>()"';,|/]+/)
		.filter((part) => part.includes('@'));
}

/** Stars, points and the like stand for what is not shown of an address. */
function isOneEmail(text: string): boolean {
	return addressesIn(text).length === 1 && !/[*\u2022\u2026#]|\.\./.test(text);
}

/** However they are written: one may lack what stands before the number within its country, or the digit of mobiles. */
function isSamePhone(one: string, other: string): boolean {
	const others = numbersIn(other).flatMap(formsOf);
	return numbersIn(one)
		.flatMap(formsOf)
		.some((digits) => others.some((each) => isSameNumber(digits, each)));
}

function isSameNumber(one: string, other: string): boolean {
	const [short, long] = one.length < other.length ? [one, other] : [other, one];
	return short.length >= FEWEST_DIGITS && long.endsWith(short);
}

/** The fewest digits of a number within its country (E.164 plans of fields/phone.ts), and the most of any. */
const FEWEST_DIGITS = 8;
const MOST_DIGITS = 15;

/** What is dialled after somebody or something has answered; no part of the number. */
const EXTENSION =
	/[\s,;(]*(?:\b(?:ramal|ext(?:ension|ensão|ensión|n)?|anexo|x)|#)[\s.:=]*\d{1,6}\)?\s*$/i;
/** What people write between two numbers; a + begins another by itself. */
const BETWEEN_NUMBERS = /[/;,|\n]|\s(?:e|y|ou|o|or|and)\s|(?=\+)/i;

/** The numbers of a text without their extensions, each as it is written there. */
function numbersIn(text: string): string[] {
	const numbers = bareText(text.slice(0, LONGEST)).replace(EXTENSION, '');
	const parts = numbers.split(BETWEEN_NUMBERS).filter((part) => /\d/.test(part));
	// Before the first mark stands an area code: it is one between the parts of one number.
	const isOne = parts.length > 1 && digitsOf(parts[0]).length < FEWEST_DIGITS - 1;
	return isOne ? [parts.join(' ')] : parts;
}

/** Nothing but one number: neither a second one nor a mark in place of a digit. */
function isOnePhone(text: string): boolean {
	const numbers = numbersIn(text);
	if (numbers.length !== 1) return false;
	const international = readPhone(numbers[0]);
	const { length } = digitsOf(international);
	const isWhole = /^[+\d\s().\-\u2010-\u2015\u2212]+$/.test(international);
	return isWhole && length >= FEWEST_DIGITS && length <= MOST_DIGITS;
}

/** A 0 in parentheses is or is no part of the number, which differs between countries. */
function formsOf(number: string): string[] {
	return [number, number.replace(/\(0\)/, '')].flatMap((each) => {
		const digits = digitsOf(readPhone(each)).replace(/^0+/, '');
		return [digits, ...mobileVariants(`+${digits}`).map(digitsOf)];
	});
}

function readPhone(number: string): string {
	return String(toPhone(number, { label: 'Phone', timezone: 'UTC' }));
}

function digitsOf(text: string): string {
	return text.replace(/\D/g, '');
}
