/** Operations that read a list: up to a limit, or all of it. */
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../values/json';
import { canLeadsLeave } from '../contract/leadRecord';
import type { RecordShape } from '../contract/records';
import type { Output, Values } from '../operation';
import { toPage } from '../transport/read';
import type { Page, ReadList, ReadPage } from '../transport/paginate';
import { completeList, PAGE_SIZE, pagesIn, paginate, readWhole } from '../transport/paginate';
import { readAllLeads } from '../transport/returnAll';
import type { Answer } from '../transport/send';
import { UserError } from '../userError';

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

/** A list of which nothing may be missing, so that nothing is done twice. */
export async function readForCertain(
	readPage: ReadPage,
	{ plural }: RecordShape,
): Promise<ServiceRecord[]> {
	const { records, complete } = await readToEnd(readPage);
	if (complete) return records;
	const message = `The list of ${plural} could not be read completely, so nothing was sent`;
	throw new UserError(message, 'Run this item again when fewer changes are being made.');
}

/**
 * Reads a list, and makes sure that nothing is missing. Where no length is stated, the page after its end must be empty.
 *
 * @param mostPages a longer list is not complete; where its length is stated, only the first page is read
 */
export async function readToEnd(
	readPage: ReadPage,
	mostPages = Infinity,
): Promise<{ records: ServiceRecord[]; complete: boolean }> {
	const limit = PAGE_SIZE.largest;
	const first = await readPage({ page: 1, limit });
	if ((pagesIn(first) ?? 1) > mostPages) return { records: first.records, complete: false };
	const read: ReadPage<Page | undefined> = async (page) =>
		page.page <= mostPages ? await readPage(page) : undefined;
	const { records, completeness } = await readWhole(read, first);
	const size = first.records.length;
	if (completeness !== 'complete' || size === 0 || pagesIn(first) !== undefined) {
		return { records, complete: completeness === 'complete' };
	}
	const next = await read({ page: Math.ceil(records.length / size) + 1, limit });
	return { records, complete: next?.records.length === 0 };
}
