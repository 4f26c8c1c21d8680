/**
 * Which of these records is it? Whoever takes a record of the service for the one that is meant asks here: choosing a record by
 * its email, Find or Create, Lookup, filters by whole values, and looking for what a lost answer recorded. Each has a rule
 * for one record, and says what follows from several, from none, and from those of which it does not show.
 */
import { compact, isNil, omit, startCase, uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord, parseList, parseRecord, shorten } from '../contract/envelope';
import { contactLabel, joinParts, leadLabel } from '../contract/label';
import type { RecordShape } from '../contract/records';
import type { Lookup, Search, Verdict } from '../operation';
import { hasId } from '../transport/paginate';
import { pageReader, UnexpectedAnswerError } from '../transport/read';
import type { Client } from '../transport/send';
import { UserError } from '../userError';
import { readForCertain } from './list';
import type { Listing, Plan } from './plan';

/** How many records a message names. */
const MOST_NAMED = 5;
const LONGEST_LABEL = 60;
const LONGEST_VALUE = 80;

/** Candidates in their order, by verdict. */
export interface Judged<T> {
	matches: T[];
	others: T[];
	/** Those that may be the one. */
	unclear: T[];
}

export function judge<T>(candidates: T[], verdictOf: (candidate: T) => Verdict): Judged<T> {
	const verdicts = candidates.map(verdictOf);
	const having = (verdict: Verdict) => candidates.filter((_, index) => verdicts[index] === verdict);
	return { matches: having(true), others: having(false), unclear: having(undefined) };
}

/**
 * Sends the searches of an operation in order, until one finds a record.
 *
 * @returns the record as it came and fields for the output, if one was found, and what the user should know
 * @throws UserError if a search finds several
 */
export async function findRecord(
	{ find = [], request: { method }, about }: Plan,
	shape: RecordShape,
	client: Client,
): Promise<{ found?: { data: ServiceRecord; adds: IDataObject }; hints: string[] }> {
	const hints: string[] = [];
	const created = method !== 'GET' && { created: false };
	for (const { path, scope, by, isMatch, choose } of find) {
		const list = { path, about: { ...about, scope }, record: shape };
		const candidates = by
			? await readSearch(list, by, client)
			: await readForCertain(pageReader(client, list), shape);
		const { matches, others, unclear } = judge(candidates, (each) =>
			isMatch(parseRecord(each, shape.singular)),
		);
		// If any record shows that it is the one or that it is not, the service may have ignored the query.
		const isProven = !by || matches.length + others.length > 0;
		const found = isProven ? matches : unclear;
		if (found.length > 1 && by) {
			const lookup = { record: shape, by: by[0], value: by[1] };
			const records = found.map((each) => parseRecord(each, shape.singular));
			const judged = { matches: isProven ? records : [], unclear: isProven ? [] : records };
			throw notOneError(lookup, judged, client);
		}
		if (found.length > 0) {
			const matched = by && { matchedBy: by[0], matchedValue: by[1] };
			const data = choose ? choose(found) : found[0];
			return { found: { data, adds: { ...created, ...matched } }, hints };
		}
		if (by && others.length > 0) {
			hints.push(
				`The service answered a search by ${by[0]} with a ${shape.singular} of another ${by[0]}, which was not taken. It may ignore the ${by[0]}.`,
			);
		}
	}
	return { hints };
}

/** The records in the answer to a search. Only those with an ID count, since "not found" may take many forms. */
async function readSearch(
	{ path, about, record: { singular, plural } }: Pick<Listing, 'path' | 'about' | 'record'>,
	[name, value]: NonNullable<Search['by']>,
	client: Client,
): Promise<ServiceRecord[]> {
	const query = { [name]: value };
	const { data } = await client.send(
		{ method: 'GET', path, query, repeatable: true, mayBeMissing: true },
		about,
	);
	// `{ contact: null }` may come with suggestions.
	if (isRecord(data) && (data[singular] === null || data.found === false)) return [];
	const idOf = (entry: ServiceRecord) => parseRecord(entry, singular).id;
	const withId = (entries: unknown[]) =>
		entries.filter(isRecord).filter((entry) => !isNil(idOf(entry)));
	// A list under its name takes precedence over a record, and a record over any other list, which may be its own.
	const isNamedList = isRecord(data) && Array.isArray(data[plural]);
	const single = isNamedList ? [] : withId([data]);
	const found = single.length > 0 ? single : withId(parseList(data, plural, {})?.records ?? []);
	if (found.length === 0 && isRecord(data) && namesOne(data, singular)) {
		throw new UnexpectedAnswerError(
			`The service answered a search with no ${singular} that can be read`,
		);
	}
	return uniqBy(found, (entry) => String(idOf(entry)));
}

/** An ID in another place than expected: whoever took that for "not found" would create the record once more. */
function namesOne(data: ServiceRecord, singular: string): boolean {
	return (
		!isNil(data[`${singular}Id`]) ||
		Object.values(data).some((each) => isRecord(each) && hasId(each))
	);
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
	{ matches, unclear }: Omit<Judged<ServiceRecord>, 'others'>,
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
			`Check the value, or search for a part of the name with ${list}. Nothing was sent for this item.`,
		);
	}
	const names = nameRecords(several, record, client);
	const wayOut = `Choose the ${singular} by ${byId}. To work on all of them, read them with ${list} and the filter, then run this operation for each ID. Nothing was sent for this item.`;
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
