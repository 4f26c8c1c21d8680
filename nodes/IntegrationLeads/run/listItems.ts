/** Reads the list of an item: whole, or up to a limit. */
import { isEmpty, map, partition } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { searchTerms } from '../contract/contactMatch';
import { hasId, type ServiceRecord, entriesOf } from '../values/json';
import type { Output } from '../operation';
import type { ReadList } from '../transport/paginate';
import { readList } from '../transport/readList';
import { nameRecords } from '../find/find';
import { toRows } from '../output/output';
import type { RequestPlan } from '../prepare/plan';
import type { RunScope } from '../requests/runScope';

/** Used if the field Limit is hidden or empty. */
const DEFAULT_LIMIT = 50;

/** Reads the list of an item. Returns the records for the output. Throws ServiceError. */
export async function listItems(plan: RequestPlan, runScope: RunScope): Promise<IDataObject[]> {
	const { operation, request, values } = plan;
	const list = isEmpty(values.filter)
		? await readRecords(plan, runScope, request.query)
		: await search(plan, runScope);
	return toRows(operation.output, warnIfIncomplete(list, runScope), values);
}

/** Returns the records, and adds a hint if some may be missing. */
export function warnIfIncomplete(
	{ records, complete }: ReadList,
	{ hints }: RunScope,
): ServiceRecord[] {
	if (!complete) {
		hints.add(
			records.every(hasId)
				? 'The list changed while it was read, so entries may be missing. Run it again later. If that never helps, the service repeats its pages.'
				: 'The entries of this list have no ID, so entries may be missing or come twice if it changed while it was read.',
		);
	}
	return records;
}

/**
 * @param filters the query without `page` and `limit`
 * @param select keeps the wanted records if the service cannot filter by the value. Then the whole list is read, and the limit
 *   applies to the records that are kept
 */
async function readRecords(
	{ operation: { output }, request: { path }, about, values: { settings } }: RequestPlan,
	{ client }: RunScope,
	filters: IDataObject,
	select?: (records: ServiceRecord[]) => Promise<ServiceRecord[]>,
): Promise<ReadList> {
	const [record, bounds] =
		output.kind === 'many' ? [output.record, output.hasTimeBounds] : [{ plural: '' }];
	const chosen = typeof settings.limit === 'number' ? settings.limit : DEFAULT_LIMIT;
	const limit = settings.returnAll === true ? undefined : chosen;
	const list = { path, query: filters, about, record };
	if (!select) return await readList(client, list, { limit, bounds });
	const { records, complete } = await readList(client, list, { bounds });
	return { records: (await select(records)).slice(0, limit), complete };
}

/** Searches for one spelling of a whole value after another until a record is found. */
async function search(plan: RequestPlan, runScope: RunScope): Promise<ReadList> {
	const { operation, request } = plan;
	const { filter } = plan.values;
	const { client, finder, hints } = runScope;
	const { record } = operation.output as Extract<Output, { kind: 'many' }>;
	const wanted = entriesOf(filter);
	const values = wanted.map(([trait, value]) => `the ${trait} ${value}`).join(' and ');
	const select = async (records: ServiceRecord[]) => {
		const found = await finder.select(records, record, filter);
		const [matches, unclear] = partition(found, 'isSure').map((each) => map(each, 'record'));
		if (unclear.length > 0) {
			hints.add(
				`Not returned, because the service does not show whether they have ${values}: ${nameRecords(unclear, record, client)}.`,
			);
		}
		return matches;
	};
	const terms = request.query.search ? [request.query.search] : searchTerms(...wanted[0]);
	let found: ReadList = { records: [], complete: true };
	for (const term of terms) {
		found = await readRecords(plan, runScope, { ...request.query, search: term }, select);
		if (found.records.length > 0) break;
	}
	const { length } = found.records;
	if (length > 1) {
		hints.add(`${length} ${record.plural} have ${values}. What follows runs for each of them.`);
	}
	return found;
}
