/**
 * Keeps the values of one person where an item has two: the name of one must never be sent with the phone of another. Values that
 * stand together, in an object, an entry of a list or a role, are a party, and two parties whose names or emails differ are two people.
 * Pure.
 */
import { filter, groupBy, map, reject, some, uniq } from 'lodash';

import { namesAgree } from '../values/names';
import { groupOf, isCodePart, isNamePart, isSameValue, type ColumnMatch } from './match';

type Party = ColumnMatch[];

/**
 * Keeps the values of the party with the chosen ID, or else of the only one with an email, or with a phone, and of those that
 * are plainly of the same person. Where several have one, none of their emails is kept, and the rest only if it is of one party.
 * Where one party has two emails or names, it is not known whose its phone is.
 *
 * @param chosen the column that the user has named for the external ID
 */
export function valuesOfOne(
	matches: ColumnMatch[],
	chosen: ColumnMatch | undefined,
	identityOf: (match: ColumnMatch) => string,
): ColumnMatch[] {
	// `Nome_1` and `Telefone_1` beside `Nome`. "Telefone 2" and "Apellido 2" beside one name are of the same person.
	const numbered = map(reject(filter(matches, isNamePart), { field: 'lastName' }), 'number');
	const identify = (match: ColumnMatch) => {
		const number = numbered.includes(match.number) ? match.number : undefined;
		return [groupOf(match), identityOf(match), number].join('\n');
	};
	const parties = Object.values(groupBy(reject(matches, isCodePart), identify));
	// Beside a numbered name, an address without a number is that of a person whose name is blank.
	const isNumbered = (party: Party) => party.some(({ number }) => number !== undefined);
	const isOfBlank = (party: Party) => !isNumbered(party) && wholeName(party) === '';
	const hasBlank =
		parties.some(isOfBlank) &&
		parties.some((party) => isNumbered(party) && wholeName(party) !== '');
	const isOne = parties.every(
		(one) => !isOfTwo(one) && parties.every((other) => !areTwo(one, other)),
	);
	if (isOne && !hasBlank) return matches;
	const holding = (field: string) => parties.filter((party) => some(party, { field }));
	const ofChosen = parties.filter((party) => party.some(({ column }) => column === chosen?.column));
	const holders = [ofChosen, holding('email'), holding('phone')].find((found) => found.length > 0);
	if (!holders) return matches;
	const [anchor] = holders;
	if (holders !== ofChosen) {
		if (holders.some(isOfTwo)) return filter(matches, { field: 'email' });
		const others = reject(matches, { field: 'email' });
		const isOfOne = uniq(others.map(identify)).length === 1;
		if (!holders.every((party) => areSame(party, anchor))) return isOfOne ? others : [];
	}
	const kept = parties.filter((party) => areSame(party, anchor));
	return matches.filter(
		(match) => isCodePart(match) || kept.some((party) => party.includes(match)),
	);
}

/** The name of a party, empty for a last name alone: the first name may stand elsewhere. */
function wholeName(party: Party): string {
	const names = filter(party, isNamePart);
	return names.every(({ field }) => field === 'lastName') ? '' : map(names, 'value').join(' ');
}

const shareValue = (field: string, one: Party, other: Party) =>
	filter(one, { field }).some(({ value }) =>
		filter(other, { field }).some((second) => isSameValue(field, value, second.value)),
	);

const differ = (field: string, one: Party, other: Party) =>
	some(one, { field }) && some(other, { field }) && !shareValue(field, one, other);

const areSame = (one: Party, other: Party): boolean =>
	one === other ||
	shareValue('email', one, other) ||
	shareValue('phone', one, other) ||
	(namesAgree(wholeName(one), wholeName(other)) === true && !differ('email', one, other));

/** Whether two parties are two people. */
export const areTwo = (one: Party, other: Party): boolean =>
	differ('email', one, other) ||
	(!areSame(one, other) && namesAgree(wholeName(one), wholeName(other)) === false);

/** Whether a party has two emails or names that differ, in two columns. The numbered ones of a row are those of one person. */
const isOfTwo = (party: Party): boolean =>
	['email', 'name'].some((field) => {
		const [first, ...others] = filter(party, { field, number: undefined });
		return others.some(
			(other) =>
				other.column !== first.column &&
				(field === 'email'
					? !isSameValue(field, first.value, other.value)
					: namesAgree(first.value, other.value) === false),
		);
	});
