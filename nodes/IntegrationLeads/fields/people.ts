/**
 * The one person of a row: parts of a name, phones and their area codes are joined, and so are roles of one person, such as
 * `billing` and `shipping`. Of two people none is taken: whom the lead is about is not known. Pure.
 */
import type { ConvertContext } from '../operation';
import { compact, deburr, difference, groupBy, partition, uniq } from 'lodash';

import { contactHas } from '../contract/contactMatch';
import { toInternational } from '../values/phone';
import type { Guess } from './guesses';
import { hasAddressIn } from './itemColumns';

/** Called with a column that is not sent, and why. */
export type LeaveOut = (column: Pick<Guess, 'heading' | 'value'>, reason: string) => void;

const TWO_PEOPLE =
	'is of one of two people in the row. To choose one, name the column of their email under Options > External ID Column';
const OTHER_NAME = 'is another name than the one that is sent';

/**
 * @param columns names, emails and phones, and parts of them, of everybody in the row
 * @param chosen whose row this is, if the user named a column of theirs as the external ID
 * @returns columns with whole names, emails and phones of one person
 */
export function personIn(
	columns: Guess[],
	chosen: string | undefined,
	context: ConvertContext,
	leaveOut: LeaveOut,
): Guess[] {
	const all = joinNames(joinPhones(columns, context, leaveOut), leaveOut);
	const { '': ofRow = [], ...roles } = groupBy(all, ({ meaning }) => meaning.person);
	const isSame = (one: Guess[], other: Guess[]) => relate(one, other, context) === 'same';
	let people: Guess[][] = [];
	for (const role of Object.values(roles)) {
		const [same, others] = partition(people, (person) => isSame(person, role));
		people = [...others, [...same.flat(), ...role]];
	}
	if (ofRow.length > 0) {
		const [first, second] = people;
		const mayBeFirst = first && !second && relate(first, ofRow, context) !== 'different';
		const person = people.find((each) => isSame(each, ofRow)) ?? (mayBeFirst ? first : undefined);
		if (person) person.push(...ofRow);
		else people.push(ofRow);
	}
	const isChosen = (person: Guess[]) => person.some(({ meaning }) => meaning.person === chosen);
	const person = people.length > 1 ? people.find(isChosen) : people[0];
	const [own, others] = partition(all, (column) => person?.includes(column));
	for (const column of others) leaveOut(column, TWO_PEOPLE);
	// Of names with the same words the first.
	return own.filter((column, at) => {
		const isShorter = (other: Guess, index: number) =>
			isPartOf(column, other) && (index < at || !isPartOf(other, column));
		return !own.some(isShorter);
	});
}

/** Whether a name has no word that another one lacks. */
function isPartOf(name: Guess, whole: Guess): boolean {
	const areNames = name.meaning.field === 'name' && whole.meaning.field === 'name';
	return name !== whole && areNames && contains(String(whole.value), String(name.value));
}

/** Two roles are one person if a name, an email or a phone is the same, and the names are not different. */
function relate(
	one: Guess[],
	other: Guess[],
	context: ConvertContext,
): 'same' | 'different' | 'unknown' {
	const [names, emails, phones] = ['name', 'email', 'phone'].map((field) => {
		const [these, those] = [one, other].map((columns) =>
			columns.filter(({ meaning }) => meaning.field === field).map(({ value }) => String(value)),
		);
		if (these.length === 0 || those.length === 0) return undefined;
		return these.some((each) => those.some((it) => isAlike(field, each, it, context)));
	});
	if (names === false || (emails === false && !names)) return 'different';
	return names || emails || phones ? 'same' : 'unknown';
}

function isAlike(field: string, one: string, other: string, context: ConvertContext): boolean {
	if (field === 'name') return contains(one, other) || contains(other, one);
	if (field === 'email') return one.trim().toLowerCase() === other.trim().toLowerCase();
	const phone = toInternational(one, context.countryCode) ?? one;
	return contactHas({ phone: other }, 'phone', phone, 'whole') === true;
}

/** Whether a name has each word of another. */
function contains(name: string, other: string): boolean {
	return difference(wordsOf(other), wordsOf(name)).length === 0;
}

const wordsOf = (text: string) =>
	deburr(text)
		.toLowerCase()
		.match(/[\p{L}\p{N}]+/gu) ?? [];

/** First and last name become the name: of each person, and in each object. */
function joinNames(columns: Guess[], leaveOut: LeaveOut): Guess[] {
	const [parts, others] = partition(columns, ({ meaning }) => /name$/i.test(meaning.field));
	const together = groupBy(parts, ({ meaning }) => `${meaning.person}\n${meaning.group}`);
	const names = Object.values(together).flatMap((group) => joinName(group, leaveOut));
	// The name of a form, where that of a person stands beside an email.
	const [strong, weak] = partition(names, ({ meaning }) => hasAddressIn(meaning.group, columns));
	if (strong.length === 0) return [...others, ...weak];
	for (const name of weak) {
		const isKnown = strong.some(({ value }) => contains(String(value), String(name.value)));
		if (!isKnown) leaveOut(name, OTHER_NAME);
	}
	return [...others, ...strong];
}

function joinName(group: Guess[], leaveOut: LeaveOut): Guess[] {
	const [first, last] = ['firstName', 'lastName'].map((field) =>
		group.find(({ meaning }) => meaning.field === field),
	);
	const names = group.filter(({ meaning }) => meaning.field === 'name');
	const parts = compact([first, last]);
	if (parts.length === 0) return names;
	const isWhole = ({ value }: Guess) =>
		parts.every((part) => contains(String(value), String(part.value)));
	const whole = names.find(isWhole);
	if (whole) return names;
	// In Spain, "Nombre" is a first name beside "Apellidos".
	const joined = first ? parts : [...names.slice(0, 1), ...parts];
	for (const name of difference(names, joined)) leaveOut(name, OTHER_NAME);
	const [base] = joined;
	return [
		{
			...base,
			heading: joined.map(({ heading }) => heading).join(' + '),
			value: joined.map(({ value }) => String(value).trim()).join(' '),
			meaning: { ...base.meaning, field: 'name' },
		},
	];
}

/** A phone gets the area code and the country code of columns beside it. */
function joinPhones(columns: Guess[], context: ConvertContext, leaveOut: LeaveOut): Guess[] {
	const [codes, others] = partition(columns, isCode);
	for (const code of codes) {
		const isUsed = others.some(
			({ meaning, parent }) => meaning.field === 'phone' && parent === code.parent,
		);
		if (!isUsed) leaveOut(code, 'is a code without a phone');
	}
	return others.map((column) => {
		const beside = codes.filter(({ parent }) => parent === column.parent);
		if (column.meaning.field !== 'phone' || beside.length === 0) return column;
		const [country, area] = [true, false].map((ofCountry) => {
			const given = beside.filter(({ meaning }) => (meaning.field === 'countryCode') === ofCountry);
			const digits = uniq(given.map(({ value }) => String(value).replace(/\D/g, '')));
			return digits.length === 1 ? digits[0] : '';
		});
		const alone = String(column.value);
		const joined = `${area} ${alone}`;
		const texts = alone.replace(/\D/g, '').startsWith(area) ? [alone, joined] : [joined, alone];
		const phones = texts.map((text) => toInternational(text, country || context.countryCode));
		return { ...column, value: phones.find(Boolean) ?? column.value };
	});
}

/** Also "DDD do celular", but not "Celular com DDD". */
function isCode({ heading, value, meaning }: Guess): boolean {
	const isShort = /ddd/i.test(heading) && /^\D*\d{2,3}\D*$/.test(String(value));
	return /Code$/.test(meaning.field) || (meaning.field === 'phone' && isShort);
}
