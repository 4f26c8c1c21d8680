/**
 * Reads all leads for Return All, without losing or repeating one while leads are created, deleted and changed.
 *
 * `createdAt` never changes, and the list can be bounded by it (spec 4.1). Nothing can be added to the leads that are
 * older than the service's clock, so {@link readWhole} can prove that it has seen all of them. Those of the last second are a
 * short list of their own. Leads also enter and leave a list with a filter, such as a status, when they change: it is read twice.
 */
import { isEmpty, isNil, omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { CreationBounds, ReadList, ReadPage } from './paginate';
import { hasId } from '../values/json';
import { UniqueRecords, isWhole, PAGE_SIZE, readWhole } from './paginate';

/** The `Date` header is cut to seconds, bounds may be as well, and a lead may be listed a little after it was created. */
const SECOND_MS = 1000;
/** If the service cuts bounds to the day and excludes that day, neither list has the leads of today. */
const MAX_BOUND_ERROR_MS = 86_400_000;

/**
 * Reads all leads.
 *
 * @param readPage reads a page with these filters; bounds given with the page replace those of the filters
 * @param filters of the query (spec 4.1), dates as ISO 8601
 */
export async function readAllLeads(readPage: ReadPage, filters: IDataObject): Promise<ReadList> {
	const within =
		({ after, countBefore: createdBefore }: CreationBounds): ReadPage =>
		async (page) =>
			await readPage({
				...page,
				...(after !== undefined && { createdAfter: new Date(after).toISOString() }),
				...(createdBefore !== undefined && {
					createdBefore: new Date(createdBefore).toISOString(),
				}),
			});
	// Only the time of creation never changes.
	const canLeave = !isEmpty(omit(filters, 'createdAfter', 'createdBefore'));
	const first = await readPage({ page: 1, limit: PAGE_SIZE.largest });
	const { serverNow, total, records } = first;
	const isCounted = serverNow !== undefined && total !== undefined;
	if (isWhole(first) || !isCounted || !records.every(hasId)) {
		return await readWhole(readPage, { first });
	}
	const timeOf = (bound: unknown, open: number) =>
		isNil(bound) ? open : Date.parse(String(bound));
	const after = timeOf(filters.createdAfter, -Infinity);
	const createdBefore = timeOf(filters.createdBefore, Infinity);
	const now = serverNow - SECOND_MS;
	const isPast = createdBefore <= now;
	// One less, because a bound may exclude itself.
	const readSince = (time: number) => within(time - 1 > after ? { after: time - 1 } : {});
	const lists = await Promise.all([
		isPast ? { records: [], complete: true } : readWhole(readSince(now)),
		readWhole(within(isPast ? {} : { countBefore: now }), { isEnough: () => !canLeave }),
	]);
	const all = new UniqueRecords();
	// The first page begins as the list of the service does.
	for (const { records } of [first, ...lists]) all.add(records);
	if (all.size < total && !isPast) {
		// Some were deleted, or bounds are compared by the day: then the last day holds leads that both lists lack.
		const lastDay = await readWhole(readSince(now - MAX_BOUND_ERROR_MS), { isEnough: () => true });
		all.add(lastDay.records);
		lists.push(lastDay);
	}
	return { records: all.records, complete: lists.every(({ complete }) => complete) };
}
