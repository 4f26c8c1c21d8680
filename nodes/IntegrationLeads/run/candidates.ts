/**
 * Decides which of several records is the one meant: for looking up a record by its email, searching in a step, filtering by
 * whole values, and matching what a lost answer recorded. Each has a rule for one record; what follows from several matches,
 * from none, and from records that do not show it is the same for all.
 */
import { compact, omit, partition, startCase, uniqBy } from 'lodash';

import { contactHas } from '../contract/contactMatch';
import type { ServiceRecord } from '../contract/envelope';
import { isRecord, shorten } from '../contract/envelope';
import { contactLabel, joinParts, leadLabel } from '../contract/label';
import type { RecordShape } from '../contract/records';
import type { Found, Lookup, MatchResult } from '../operation';
import { hasId } from '../transport/paginate';
import type { Client } from '../transport/send';
import { UserError } from '../userError';

/** How many records a message names. */
const MOST_NAMED = 5;
const LONGEST_LABEL = 60;
const LONGEST_VALUE = 80;

/** Candidates in their order, by whether they match. */
export interface SortedCandidates<T> {
	matches: T[];
	others: T[];
	/** Those that may be the one. */
	unclear: T[];
}

export function sortCandidates<T>(
	candidates: T[],
	matchOf: (candidate: T) => MatchResult,
): SortedCandidates<T> {
	const results = candidates.map(matchOf);
	const having = (result: MatchResult) =>
		candidates.filter((_, index) => results[index] === result);
	return { matches: having(true), others: having(false), unclear: having(undefined) };
}

export const WORDS: Record<Lookup['by'], string> = {
	id: 'ID',
	externalId: 'external ID',
	email: 'email',
	phone: 'phone',
};

/** What is looked up, e.g. `email "ana@example.com"`. */
export function inWords({ by, value }: Pick<Lookup, 'by' | 'value'>): string {
	return `${WORDS[by]} "${shorten(value, LONGEST_VALUE)}"`;
}

/** What was found for a value. */
export interface Candidates extends Omit<SortedCandidates<ServiceRecord>, 'others'> {
	lookup: Omit<Lookup, 'label'>;
}

/**
 * The one record that all values lead to. An email or a phone that no record has is no contradiction: people have several. An
 * ID or an external ID must have its record, and tells which of several with the email is meant.
 *
 * @param results one for each value
 * @returns undefined only if there is none, and it is optional
 * @throws UserError if none is found, several, or one that only may be meant
 */
export function oneRecord(
	results: Candidates[],
	isOptional: boolean,
	client: Pick<Client, 'scrub'>,
): { record: ServiceRecord; without: Array<Candidates['lookup']> } | undefined {
	const [found, none] = partition(results, (each) => recordsOf(each).length > 0);
	if (found.length === 0 && isOptional) return undefined;
	const missing = found.length === 0 ? none : none.filter(isIdentifier);
	if (missing.length > 0) throw noneError(missing.map(({ lookup }) => lookup));
	const identifying = found.filter(isIdentifier);
	const decisive = identifying.length > 0 ? identifying : found;
	const [record, ...more] = uniqBy(decisive.flatMap(recordsOf), idOf);
	const has = (records: ServiceRecord[]) => records.some((each) => idOf(each) === idOf(record));
	const isOne = more.length === 0 && hasId(record);
	if (!isOne || !decisive.some(({ matches }) => has(matches))) {
		const unsure = decisive.find(({ matches: [first, ...others], unclear }) => {
			return !first || !hasId(first) || others.length + unclear.length > 0;
		});
		throw unsure ? notOneError(unsure, client) : differentError(decisive, client);
	}
	const others = found.filter((each) => !has(recordsOf(each)));
	if (others.length > 0) throw differentError([decisive[0], ...others], client);
	return { record, without: none.map(({ lookup }) => lookup) };
}

const recordsOf = ({ matches, unclear }: Candidates) => [...matches, ...unclear];
const idOf = (record: ServiceRecord) => (hasId(record) ? String(record.id) : record);
const isIdentifier = ({ lookup: { by } }: Candidates) => by === 'id' || by === 'externalId';

/** The operation that lists records of a kind. */
const listOf = ({ singular }: RecordShape) => `${startCase(singular)} > Get Many`;
const chooseOne = ({ singular }: RecordShape) =>
	`Choose the ${singular} by ${singular === 'lead' ? 'its ID or external ID' : 'its ID'}.`;

function noneError(lookups: Array<Candidates['lookup']>): UserError {
	const [{ record }] = lookups;
	return new UserError(
		`No ${record.singular} has the ${lookups.map(inWords).join(' or the ')}`,
		`Check the value, or search for a part of the name with ${listOf(record)}.`,
	);
}

/** Not just one was found, or one that only may have the value. */
function notOneError({ lookup, matches, unclear }: Candidates, client: Pick<Client, 'scrub'>) {
	const { record, by } = lookup;
	const several = [...(matches.length > 1 ? matches : matches.filter(hasId)), ...unclear];
	if (several.length === 0) return noneError([lookup]);
	const what = `the ${inWords(lookup)}`;
	const names = nameRecords(several, record, client);
	const wayOut = `${chooseOne(record)} To work on all of them, read them with ${listOf(record)} and the filter, then run this operation for each ID.`;
	return unclear.length > 0
		? new UserError(
				`It is not certain which ${record.singular} has ${what}: ${names}`,
				`The service shows the ${WORDS[by]} of at least one of them in part or not at all. ${wayOut}`,
			)
		: new UserError(`${matches.length} ${record.plural} have ${what}: ${names}`, wayOut);
}

/** Values of one item lead to different records. */
function differentError(results: Candidates[], client: Pick<Client, 'scrub'>): UserError {
	const [{ lookup }] = results;
	const each = results.map((result) => {
		return `the ${inWords(result.lookup)} to ${nameRecords(recordsOf(result), lookup.record, client)}`;
	});
	const { plural } = lookup.record;
	return new UserError(
		`The values lead to different ${plural}: ${each.join('; ')}`,
		`Correct the value that is wrong. If both are one person, join the ${plural} in the leads service. ${chooseOne(lookup.record)}`,
	);
}

/** A hint where {@link unknownAddresses} names any. */
export const LACKS_ADDRESS =
	'A record was found by one address and does not have another one that was given: see "differences" in the output.';

/**
 * Which addresses did not lead to a record that was found by another one, in words: where they are not added, the same person
 * makes a second record.
 *
 * @param contact as the service shows it
 */
export function unknownAddresses({ without }: Pick<Found, 'without'>, contact: unknown): string[] {
	return without.flatMap(({ record: { singular }, by, value }) => {
		const isAddress = by === 'email' || by === 'phone';
		return isAddress && isRecord(contact) && contactHas(contact, by, value, 'whole') === true
			? []
			: `No ${singular} had the ${inWords({ by, value })}. Add it with Contact > Update, so that an item with this ${WORDS[by]} alone finds the ${singular}.`;
	});
}

/** Records in words for a message. What identifies them is not cut. */
export function nameRecords(
	records: ServiceRecord[],
	{ singular }: RecordShape,
	{ scrub }: Pick<Client, 'scrub'>,
): string {
	const labelOf = singular === 'lead' ? leadLabel : contactLabel;
	const names = records.slice(0, MOST_NAMED).map((record) => {
		const label = shorten(labelOf(omit(record, 'externalId')), LONGEST_LABEL);
		const whole = joinParts(label, singular === 'lead' && record.externalId);
		return compact([scrub(whole), hasId(record) && `(ID ${String(record.id)})`]).join(' ');
	});
	const more = records.length - names.length;
	return names.join('; ') + (more > 0 ? ` and ${more} more` : '');
}
