/**
 * Which of these records is it? Whoever takes a record of the service for the one that is meant asks here: choosing a record by
 * its email, Find or Create, Lookup, filters by whole values, and looking for what a lost answer recorded. Each has a rule
 * for one record, and says what follows from several, from none, and from those of which it does not show.
 */
import { compact, isNil, omit, uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord, parseList, parseRecord, shorten } from '../contract/envelope';
import { contactLabel, joinParts, leadLabel } from '../contract/label';
import type { RecordShape } from '../contract/records';
import type { Lookup, Search, Verdict } from '../operation';
import { hasId, inParallel } from '../transport/paginate';
import { pageReader } from '../transport/read';
import type { Client } from '../transport/send';
import { UserError } from '../userError';
import { readForCertain } from './list';
import type { Plan } from './plan';

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

/** The same where a verdict takes a request. */
export async function judgeByReading<T>(
	candidates: T[],
	verdictOf: (candidate: T) => Promise<Verdict>,
): Promise<Judged<T>> {
	const verdicts = new Map<T, Verdict>();
	await inParallel(candidates, async (each) => {
		verdicts.set(each, await verdictOf(each));
	});
	return judge(candidates, (each) => verdicts.get(each));
}

/**
 * Sends the searches of an operation in order, until one finds a record.
 *
 * @returns the record and fields for the output, if one was found, and what the user should know
 * @throws UserError if a search finds several
 */
export async function findRecord(
	{ find = [], request: { method }, about }: Plan,
	shape: RecordShape,
	client: Client,
): Promise<{ found?: SearchResult & { adds: IDataObject }; hints: string[] }> {
	const hints: string[] = [];
	const created = method !== 'GET' && { created: false };
	for (const search of find) {
		const { by, choose } = search;
		const candidates = await readSearch(search, shape, client, about);
		const { matches, others, unclear } = judge(candidates, ({ record }) => search.isMatch(record));
		// If any record shows that it is the one or that it is not, the service may have ignored the query.
		const isProven = !by || matches.length + others.length > 0;
		const found = isProven ? matches : unclear;
		if (found.length > 0 && choose) {
			const record = choose(found.map((each) => each.record));
			return { found: { record, data: record, adds: { ...created } }, hints };
		}
		if (found.length > 1 && by) {
			const records = found.map(({ record }) => record);
			const lookup = { record: shape, by: by[0], value: by[1] };
			throw severalError(lookup, isProven ? records : [], isProven ? [] : records, client);
		}
		if (found.length > 0) {
			const matched = by && { matchedBy: by[0], matchedValue: by[1] };
			return { found: { ...found[0], adds: { ...created, ...matched } }, hints };
		}
		if (by && others.length > 0) {
			hints.push(
				`The service answered a search by ${by[0]} with a ${shape.singular} of another ${by[0]}, which was not taken. It may ignore the ${by[0]}.`,
			);
		}
	}
	return { hints };
}

async function readSearch(
	{ path, scope, by }: Search,
	record: RecordShape,
	client: Client,
	shared: Plan['about'],
): Promise<SearchResult[]> {
	const about = { ...shared, scope };
	if (by) {
		const query = { [by[0]]: by[1] };
		const request = { method: 'GET', path, query, repeatable: true, mayBeMissing: true } as const;
		const { data } = await client.send(request, about);
		return parseCandidates(data, record);
	}
	const records = await readForCertain(pageReader(client, { path, about, record }), record);
	return records.map((each) => ({ record: each, data: each }));
}

/** A record that may be the one, as it came. */
interface SearchResult {
	record: ServiceRecord;
	data: unknown;
}

/** The records in the answer to a search. Only those with an ID count, since "not found" may take many forms. */
function parseCandidates(data: unknown, { singular, plural }: RecordShape): SearchResult[] {
	// `{ contact: null }` may come with suggestions.
	if (isRecord(data) && (data[singular] === null || data.found === false)) return [];
	const candidates = (entries: unknown[]) =>
		entries.flatMap((entry) => {
			const record = parseRecord(entry, singular);
			return isNil(record?.id) ? [] : { record, data: entry };
		});
	// A list under its name takes precedence over a record, and a record over any other list, which may be its own.
	const isNamedList = isRecord(data) && Array.isArray(data[plural]);
	const single = isNamedList ? [] : candidates([data]);
	const found = single.length > 0 ? single : candidates(parseList(data, plural, {})?.records ?? []);
	return uniqBy(found, ({ record: { id } }) => String(id));
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

/** Why none of several records is taken. */
export function severalError(
	{ record, by, value }: Omit<Lookup, 'label'>,
	matches: ServiceRecord[],
	unclear: ServiceRecord[],
	client: Pick<Client, 'scrub'>,
): UserError {
	const { singular, plural } = record;
	const what = inWords({ by, value });
	const names = nameRecords([...matches, ...unclear], record, client);
	const [list, byId] =
		singular === 'lead' ? ['Lead', 'its ID or external ID'] : ['Contact', 'its ID'];
	const wayOut = `Choose the ${singular} by ${byId}. To work on all of them, read them with ${list} > Get Many and the filter, then run this operation for each ID. Nothing was sent for this item.`;
	return unclear.length > 0
		? new UserError(
				`It is not certain which ${singular} has the ${what}: ${names}`,
				`The service shows the ${WORDS[by]} of at least one of them in part or not at all. ${wayOut}`,
			)
		: new UserError(`${matches.length} ${plural} have the ${what}: ${names}`, wayOut);
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
