/**
 * Decides which of several records is the one meant: for looking up a record by its email, searching in a step, filtering by
 * whole values, and matching what a lost answer recorded. Each has a rule for one record; what follows from several matches,
 * from none, and from records that do not show it is the same for all.
 */
import { compact, omit, startCase } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import { shorten } from '../contract/envelope';
import { contactLabel, joinParts, leadLabel } from '../contract/label';
import type { RecordShape } from '../contract/records';
import type { Lookup, MatchResult } from '../operation';
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
	externalId: 'external ID',
	email: 'email',
	phone: 'phone',
};

/** What is looked up, e.g. `email "ana@example.com"`. */
export function inWords({ by, value }: Pick<Lookup, 'by' | 'value'>): string {
	return `${WORDS[by]} "${shorten(value, LONGEST_VALUE)}"`;
}

/** Why no record is taken: none was found, or not just one. */
export function notOneError(
	{ record, by, value }: Omit<Lookup, 'label'>,
	{ matches, unclear }: Omit<SortedCandidates<ServiceRecord>, 'others'>,
	client: Pick<Client, 'scrub'>,
): UserError {
	const { singular, plural } = record;
	const what = `the ${inWords({ by, value })}`;
	const list = `${startCase(singular)} > Get Many`;
	const byId = singular === 'lead' ? 'its ID or external ID' : 'its ID';
	const several = [...matches, ...unclear];
	if (several.length === 0) {
		return new UserError(
			`No ${singular} has ${what}`,
			`Check the value, or search for a part of the name with ${list}.`,
		);
	}
	const names = nameRecords(several, record, client);
	const wayOut = `Choose the ${singular} by ${byId}. To work on all of them, read them with ${list} and the filter, then run this operation for each ID.`;
	return unclear.length > 0
		? new UserError(
				`It is not certain which ${singular} has ${what}: ${names}`,
				`The service shows the ${WORDS[by]} of at least one of them in part or not at all. ${wayOut}`,
			)
		: new UserError(`${matches.length} ${plural} have ${what}: ${names}`, wayOut);
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
