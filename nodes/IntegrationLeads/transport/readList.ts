/** Reads the lists of a run. The pages behind it are in paginate.ts, which the trigger and the panel use directly. */
import { paginate, readWhole, type ReadList } from './paginate';
import { pageReader, type ListRequest } from './read';
import { readAllLeads } from './returnAll';
import type { Client } from './send';

/** How much of a list is read. */
interface Extent {
	/** How many records are wanted. Without it, the whole list is read. */
	limit?: number;
	/** Whether the list can be bounded by the time of creation, by which a whole list loses nothing; see returnAll.ts. */
	bounds?: boolean;
	/** How many pages a whole list may have. A longer one is not complete. */
	most?: number;
}

/**
 * Reads a list, each record once.
 *
 * @returns `complete: false` if records that were asked for may be missing
 * @throws ServiceError, or UserError when an answer holds no list
 */
export async function readList(
	client: Client,
	list: ListRequest,
	{ limit, bounds = false, most }: Extent = {},
): Promise<ReadList> {
	const readPage = pageReader(client, list);
	if (limit !== undefined) {
		const records: ReadList['records'] = [];
		for await (const page of paginate(readPage, limit)) records.push(...page.records);
		return { records: records.slice(0, limit), complete: true };
	}
	return bounds
		? await readAllLeads(readPage, list.query ?? {})
		: await readWhole(readPage, { mostPages: most });
}
