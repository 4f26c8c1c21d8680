/** Describes a value with the field that its heading means, and compares two of them. Pure. */
import { deburr, difference, dropRightWhile, isEqual, sortBy } from 'lodash';

import { contactHas } from '../contract/samePerson';
import type { Cell } from './cell';
import type { Column } from './cells';
import {
	isAddressField,
	isCalled,
	isCalledPerson,
	isNameField,
	isOfPerson,
	isValueKey,
	type Meaning,
} from './headings';
import { FIELDS_OF_PERSON } from '../lexicon/headings';

/** A value with the field that its heading seems to mean. Each email in a list is a match of its own. */
export interface ColumnMatch extends Column, Meaning, Pick<Cell, 'dialling'> {
	column: Column;
	/** Whether its heading means no field, so that the form of the value decided. */
	isGuess?: boolean;
}

/** The values of a column, with the field that its heading means. */
export function matchesOf(column: Column, meaning: Meaning | undefined): ColumnMatch[] {
	if (!meaning) return [];
	const isPersons = isOfPerson(meaning.field);
	// A boolean only states that an address is the primary one, or may be used.
	if (isPersons && typeof column.value === 'boolean') return [];
	const values = isPersons ? [column.value].flat() : [column.value];
	return values.map((value) => ({ ...column, ...meaning, value, column }));
}

export const isAddress = ({ field }: ColumnMatch) => isAddressField(field);
export const isNamePart = ({ field }: ColumnMatch) => isNameField(field);
export const isCodePart = ({ field }: ColumnMatch) => /Code$/.test(field);

/** The object that holds a value: `data.contact` of `data.contact.emails.0.value`. */
export const groupOf = ({ path }: Column) =>
	dropRightWhile(path, isValueKey).slice(0, -1).join('.');

/** Whether two values of a field mean the same: an email in another case, a phone with or without its ninth digit. */
export function isSameValue(name: string, one: unknown, other: unknown): boolean {
	if (isEqual(one, other)) return true;
	if (name === 'name') return contains(one, other);
	return isAddressField(name) && contactHas({ [name]: other }, name, String(one)) === true;
}

/** Whether a name has each word of another. */
export const contains = (name: unknown, other: unknown) =>
	difference(wordsOfName(other), wordsOfName(name)).length === 0;
const wordsOfName = (text: unknown) =>
	deburr(String(text))
		.toLowerCase()
		.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether two objects are of one person: the same, or one that is called a person and its list of further fields. */
export function areOfOnePerson(...groups: [string, string]): boolean {
	const [outer, inner] = sortBy(groups, 'length');
	if (inner === outer) return true;
	return (
		inner.startsWith(`${outer}.`) &&
		outer.split('.').some(isCalledPerson) &&
		isCalled(inner.slice(outer.length), FIELDS_OF_PERSON)
	);
}
