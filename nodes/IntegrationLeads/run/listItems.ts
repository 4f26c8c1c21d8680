/** Reads the list of an item: whole, or up to a limit; and says where several items read the same one. */
import { isEmpty, map, partition, uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { searchTerms } from '../contract/samePerson';
import { hasId, type ServiceRecord, entriesOf } from '../values/json';
import type { ListOptions, Output, RequestStep, Result, Values } from '../operation';
import type { ReadList } from '../transport/paginate';
import { readList } from '../transport/read';
import { nameRecords } from '../find/choice';
import {
	type Plan,
	type PlannedItem,
	planRequest,
	readsList,
	type RequestPlan,
} from '../prepare/plan';
import { type HintSink, UserError } from '../userError';
import type { RunState } from './runState';

/** A request that reads a list. */
type ListStep = RequestStep & { output: Extract<Output, { kind: 'many' }> };

/**
 * Reads the list of a step.
 *
 * @param values.filter values that the records must have
 * @throws ServiceError, or UserError if records may be missing
 */
export async function readItems(
	step: ListStep,
	{ filter = {}, ...values }: Partial<Values>,
	plan: Plan,
	runState: RunState,
	{ limit, mayBeIncomplete }: ListOptions = {},
): Promise<Result[]> {
	const { record } = step.output;
	const requestPlan = planRequest(step, values, plan);
	const { query } = requestPlan.request;
	const { records, complete } = isEmpty(filter)
		? await readRecords(step, requestPlan, runState, query, limit)
		: await search(step, requestPlan, runState, filter, limit);
	if (!complete && !mayBeIncomplete) {
		throw new UserError(
			`The list of ${record.plural} could not be read completely`,
			'Run this item again when fewer changes are being made.',
		);
	}
	if (!complete) {
		runState.hints.add(
			records.every(hasId)
				? 'The list changed while it was read, so entries may be missing. Run it again later. If that never helps, the service repeats its pages.'
				: 'The entries of this list have no ID, so entries may be missing or come twice if it changed while it was read.',
		);
	}
	return records.map((shown) => ({ record: shown, extra: {}, created: false }));
}

/**
 * @param filters the query without `page` and `limit`
 * @param limit the most records
 * @param select keeps the wanted records if the service cannot filter by the value. Then the whole list is read, and the limit
 *   applies to the records that are kept
 */
async function readRecords(
	{ output: { record, hasTimeBounds: bounds } }: ListStep,
	{ request: { path }, errorContext }: RequestPlan,
	{ client }: RunState,
	filters: IDataObject,
	limit?: number,
	select?: (records: ServiceRecord[]) => Promise<ServiceRecord[]>,
): Promise<ReadList> {
	const list = { path, query: filters, errorContext: errorContext, record };
	if (!select) return await readList(client, list, { limit, bounds });
	const { records, complete } = await readList(client, list, { bounds });
	return { records: (await select(records)).slice(0, limit), complete };
}

/** Searches for one spelling of a whole value after another until a record is found. */
async function search(
	step: ListStep,
	plan: RequestPlan,
	runState: RunState,
	filter: Values['filter'],
	limit?: number,
): Promise<ReadList> {
	const { client, finder, hints } = runState;
	const { record } = step.output;
	const wanted = entriesOf(filter);
	const values = wanted.map(([trait, value]) => `the ${trait} ${value}`).join(' and ');
	const select = async (records: ServiceRecord[]) => {
		const found = await finder.select(records, record, filter);
		const [matches, unclear] = partition(found, 'hasValue').map((shown) => map(shown, 'record'));
		if (unclear.length > 0) {
			hints.add(
				`Not returned, because the service does not show whether they have ${values}: ${nameRecords(unclear, record, client)}.`,
			);
		}
		return matches;
	};
	const { query } = plan.request;
	const terms = query.search ? [query.search] : searchTerms(...wanted[0]);
	let found: ReadList = { records: [], complete: true };
	for (const term of terms) {
		found = await readRecords(step, plan, runState, { ...query, search: term }, limit, select);
		if (found.records.length > 0) break;
	}
	const { length } = found.records;
	if (length > 1) {
		hints.add(`${length} ${record.plural} have ${values}. What follows runs for each of them.`);
	}
	return found;
}

/** Adds a hint if items read the same list: what it holds then comes several times, which a sum or an upload counts. */
export function hintSameList(items: PlannedItem[], hints: HintSink): void {
	const reading = items.filter(({ plan }) => readsList(plan));
	const { length } = uniqBy(reading, ({ plan }) => JSON.stringify(plan.values));
	if (length === reading.length) return;
	hints.add(
		`${reading.length} input items read ${length === 1 ? 'the same list' : `only ${length} different lists`}, so what it holds is in the output more than once. If that is not wanted, switch on Settings > Execute Once, or remove the duplicates before this node.`,
	);
}
