/**
 * Return All for leads: nothing lost and nothing repeated while leads are created, deleted and changed.
 *
 * `createdAt` never changes, and the list can be bounded by it (spec 4.1). Nothing can be added any more to what is older
 * than the service's clock, so {@link readWhole} can prove that it has seen all of it. The last second is a short list of
 * its own. From a list with a filter, such as a status, leads also come and go by a change: it is read twice.
 */
import type { ServiceRecord } from '../values/json';
import type { CreationBounds, Page, ReadList, ReadPage } from './paginate';
import { completeList, Distinct, hasId, isWhole, PAGE_SIZE, readWhole } from './paginate';

/** Reads one page of the leads between bounds, in place of the user's own where they are given. */
type ReadLeads = (page: Parameters<ReadPage>[0], bounds: CreationBounds) => Promise<Page>;

/** The `Date` header is cut to seconds, bounds may be as well, and a lead may be listed a little after it was created. */
const SECOND_MS = 1000;
/** Where bounds are cut to the day, and exclude it, neither list has today's leads. */
const DAY_MS = 86_400_000;

/**
 * Reads all leads.
 *
 * @param own the user's own filter on the time of creation
 * @param canLeave whether leads that change can enter or leave the list
 */
export async function readAllLeads(
	read: ReadLeads,
	own: CreationBounds,
	canLeave: boolean,
): Promise<ReadList> {
	const within =
		(bounds: CreationBounds): ReadPage =>
		async (page) =>
			await read(page, bounds);
	const first = await read({ page: 1, limit: PAGE_SIZE.largest }, {});
	const { serverNow, total, records } = first;
	const isCounted = serverNow !== undefined && total !== undefined;
	if (isWhole(first) || !isCounted || !records.every(hasId)) {
		return await readWhole(within({}), { first });
	}
	const { after = -Infinity, before = Infinity } = own;
	const now = serverNow - SECOND_MS;
	const isPast = before <= now;
	// One less, because a bound may exclude itself.
	const readSince = (time: number) => within(time - 1 > after ? { after: time - 1 } : {});
	const lists = await Promise.all([
		isPast ? completeList([]) : readWhole(readSince(now)),
		readWhole(within(isPast ? {} : { before: now }), { isEnough: () => !canLeave }),
	]);
	const all = new Distinct();
	// The first page begins as the list of the service does, in whatever order.
	for (const { records } of [first, ...lists]) all.add(records);
	if (all.size < total && !isPast) {
		// Some were deleted, or bounds are compared by the day: then the last day holds leads that both lists lack.
		const lastDay = await readWhole(readSince(now - DAY_MS), { isEnough: () => true });
		const isOld = ({ createdAt }: ServiceRecord) => Date.parse(String(createdAt)) < now;
		if (all.add(lastDay.records).some(isOld)) lists.push(lastDay);
	}
	return { records: all.records, complete: lists.every(({ complete }) => complete) };
}
