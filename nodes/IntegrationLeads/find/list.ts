/** Operations that read a list: up to a limit, or all of it. */
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../values/json';
import { canLeadsLeave } from '../contract/leadRecord';
import type { Output, Values } from '../operation';
import { toPage } from '../transport/read';
import type { Page, ReadList } from '../transport/paginate';
import { completeList, paginate, readWhole } from '../transport/paginate';
import { readAllLeads } from '../transport/returnAll';
import type { Answer } from '../transport/send';

/** Where the field is hidden, or was left empty. */
const DEFAULT_LIMIT = 50;

/**
 * @param filters the query without `page` and `limit`
 * @param send asks for one page
 * @param values the settings `returnAll` and `limit`
 * @param select keeps the records that are wanted, where the service cannot filter by it: then all are read, and the limit
 *   counts these
 */
export async function runList(
	output: Output,
	filters: IDataObject,
	send: (query: IDataObject) => Promise<Answer>,
	{ settings }: Pick<Values, 'settings'>,
	select?: (records: ServiceRecord[]) => Promise<ServiceRecord[]>,
): Promise<ReadList> {
	const plural = output.kind === 'many' ? output.record.plural : '';
	const readPage = async (page: IDataObject): Promise<Page> =>
		toPage(plural, await send({ ...filters, ...page }));
	const returnAll = settings.returnAll === true;
	const limit = (settings.limit as number | undefined) ?? DEFAULT_LIMIT;
	if (returnAll || select) {
		const isLeads = output.kind === 'many' && output.hasTimeBounds;
		const list = isLeads ? await readLeads(filters, readPage) : await readWhole(readPage);
		if (!select) return list;
		const records = await select(list.records);
		return { ...list, records: returnAll ? records : records.slice(0, limit) };
	}
	const records: ServiceRecord[] = [];
	for await (const page of paginate(readPage, limit)) records.push(...page.records);
	return completeList(records.slice(0, limit));
}

/** Reads all leads, though their pages move. */
async function readLeads(
	filters: IDataObject,
	readPage: (page: IDataObject) => Promise<Page>,
): Promise<ReadList> {
	return await readAllLeads(
		async (page, { after, before }) =>
			await readPage({
				...page,
				...(after !== undefined && { createdAfter: new Date(after).toISOString() }),
				...(before !== undefined && { createdBefore: new Date(before).toISOString() }),
			}),
		{ after: toTime(filters.createdAfter), before: toTime(filters.createdBefore) },
		canLeadsLeave(filters),
	);
}

function toTime(value: unknown): number | undefined {
	return value === undefined ? undefined : Date.parse(String(value));
}
