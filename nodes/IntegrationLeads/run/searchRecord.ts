/** Searches for a record in a step of an item: by a value that the service looks for, and may ignore. */
import { isNil, uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord, parseList, parseRecord } from '../contract/envelope';
import type { Search, SearchStep } from '../operation';
import type { About } from '../transport/errors';
import { hasId } from '../transport/paginate';
import { UnexpectedAnswerError } from '../transport/read';
import type { Client } from '../transport/send';
import type { Candidates } from './candidates';
import { LACKS_ADDRESS, oneRecord, sortCandidates, unknownAddresses } from './candidates';

/** What a search found, as it came and as records. */
interface Searched extends Candidates {
	found: ServiceRecord[];
}

/**
 * Searches by each value: all must lead to one record.
 *
 * @param searches forms of one value, such as a phone with and without its ninth digit, follow one another: the first that is
 *   found counts
 * @param remarks receives what the user should know
 * @returns the record as it came, and fields for the output
 * @throws NodeApiError, or UserError if not just one record is found
 */
export async function searchRecord(
	step: SearchStep,
	searches: Search[],
	about: About,
	client: Client,
	remarks: string[],
): Promise<{ data: ServiceRecord; adds: IDataObject } | undefined> {
	const results: Searched[] = [];
	for (const search of searches) {
		const before = results.findIndex(({ lookup }) => lookup.by === search.by[0]);
		if (results[before]?.found.length) continue;
		const result = await searchFor(step, search, about, client, remarks);
		if (before < 0) results.push(result);
		else if (result.found.length > 0) results[before] = result;
	}
	const one = oneRecord(results, true, client);
	const first = results.find(({ found }) => found.length > 0);
	if (!one || !first) return undefined;
	const { by, value } = first.lookup;
	const differences = unknownAddresses(one, one.record).join(' ');
	if (differences !== '') remarks.push(LACKS_ADDRESS);
	const adds = { matchedBy: by, matchedValue: value, ...(differences !== '' && { differences }) };
	return { data: first.found[0], adds };
}

async function searchFor(
	step: SearchStep,
	{ by, isMatch }: Search,
	about: About,
	client: Client,
	remarks: string[],
): Promise<Searched> {
	const record = step.finds;
	const [trait, value] = by;
	const candidates = await readCandidates(step, by, about, client);
	const parse = (candidate: ServiceRecord) => parseRecord(candidate, record.singular);
	const { matches, others, unclear } = sortCandidates(candidates, (each) => isMatch(parse(each)));
	// If any record shows that it is the one or that it is not, the service may have ignored the query.
	const isProven = matches.length + others.length > 0;
	const found = isProven ? matches : unclear;
	if (found.length === 0 && others.length > 0) {
		remarks.push(
			`The service answered a search by ${trait} with a ${record.singular} of another ${trait}, which was not taken. It may ignore the ${trait}.`,
		);
	}
	const records = found.map(parse);
	const isTaken = isProven || records.length === 1;
	return {
		lookup: { record, by: trait, value },
		found,
		matches: isTaken ? records : [],
		unclear: isTaken ? [] : records,
	};
}

/** The records in the answer to a search. Only those with an ID count, since "not found" may take many forms. */
async function readCandidates(
	{ route, scope, finds: { singular, plural } }: SearchStep,
	[name, value]: Search['by'],
	about: About,
	client: Client,
): Promise<ServiceRecord[]> {
	const path = route.slice('GET '.length);
	const { data } = await client.send(
		{ method: 'GET', path, query: { [name]: value }, repeatable: true, mayBeMissing: true },
		{ ...about, scope },
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

/** An ID in an unexpected place: treating it as "not found" would create a duplicate. */
function namesOne(data: ServiceRecord, singular: string): boolean {
	return (
		!isNil(data[`${singular}Id`]) ||
		Object.values(data).some((each) => isRecord(each) && hasId(each))
	);
}
