/** Operations that read a list: up to a limit, or all of it. */
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { canLeadsLeave } from '../contract/lead';
import type { RecordShape } from '../contract/records';
import type { Output } from '../operation';
import { toPage } from '../transport/read';
import type { Page, ReadList, ReadPage } from '../transport/paginate';
import { completeList, PAGE_SIZE, pagesIn, paginate, readWhole } from '../transport/paginate';
import type { Answer } from '../transport/send';
import { UserError } from '../userError';
import { readAllLeads } from '../windows/returnAll';

/** Where the field is hidden, or was left empty. */
const DEFAULT_LIMIT = 50;

/**
 * @param filters the query without `page` and `limit`
 * @param send asks for one page
 * @param read gives the parameters `returnAll`, `limit` and `options`
 * @param select keeps the records that are wanted, where the service cannot filter by it; the limit counts these
 */
export async function runList(
	output: Output,
	filters: IDataObject,
	send: (query: IDataObject) => Promise<Answer>,
	read: (name: string) => unknown,
	select?: (records: ServiceRecord[]) => Promise<ServiceRecord[]>,
): Promise<ReadList> {
	const plural = output.kind === 'many' ? output.record.plural : '';
	const readPage = async (page: IDataObject): Promise<Page> =>
		toPage(plural, await send({ ...filters, ...page }));
	if (read('returnAll') === true) {
		const isLeads = output.kind === 'many' && output.timeWindows;
		const list = isLeads ? await readLeads(filters, readPage) : await readWhole(readPage);
		return select ? { ...list, records: await select(list.records) } : list;
	}
	const options = read('options') as IDataObject | undefined;
	const limit = (read('limit') as number | undefined) ?? DEFAULT_LIMIT;
	const startPage = (options?.page as number | undefined) ?? 1;
	return completeList(await readUpTo(readPage, limit, startPage, select));
}

/** With `select` the list is read from its start, since the pages that are asked for are those of the selected records. */
async function readUpTo(
	readPage: ReadPage,
	limit: number,
	startPage: number,
	select?: (records: ServiceRecord[]) => Promise<ServiceRecord[]>,
): Promise<ServiceRecord[]> {
	const start = select ? (startPage - 1) * limit : 0;
	const pages = select ? paginate(readPage, Infinity) : paginate(readPage, limit, { startPage });
	const records: ServiceRecord[] = [];
	for await (const page of pages) {
		records.push(...(select ? await select(page.records) : page.records));
		if (records.length >= start + limit) break;
	}
	return records.slice(start, start + limit);
}

/** Reads all leads, by windows of time where their pages move. */
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
	const time = Date.parse(String(value ?? ''));
	return Number.isNaN(time) ? undefined : time;
}

/** A list of which nothing may be missing, so that nothing is done twice. */
export async function readForCertain(
	readPage: ReadPage,
	{ plural }: RecordShape,
	wayOut = 'Run this item again when the account is calmer.',
): Promise<ServiceRecord[]> {
	const { records, complete } = await readToEnd(readPage);
	if (complete) return records;
	const message = `The list of ${plural} could not be read completely, so nothing was sent`;
	throw new UserError(message, wayOut);
}

/**
 * Reads a list, and makes sure that nothing is missing. Where no length is stated, the page after its end must be empty.
 *
 * @param first the first page, when it was read already
 * @param mostPages a longer list is not complete; where its length is stated, only the first page is read
 */
export async function readToEnd(
	readPage: ReadPage,
	{ first, mostPages = Infinity }: { first?: Page; mostPages?: number } = {},
): Promise<{ records: ServiceRecord[]; complete: boolean }> {
	const limit = PAGE_SIZE.largest;
	const start = first ?? (await readPage({ page: 1, limit }));
	if ((pagesIn(start) ?? 1) > mostPages) return { records: start.records, complete: false };
	const read: ReadPage<Page | undefined> = async (page) =>
		page.page <= mostPages ? await readPage(page) : undefined;
	const { records, completeness } = await readWhole(read, start);
	const size = start.records.length;
	if (completeness !== 'complete' || size === 0 || pagesIn(start) !== undefined) {
		return { records, complete: completeness === 'complete' };
	}
	const next = await read({ page: Math.ceil(records.length / size) + 1, limit });
	return { records, complete: next?.records.length === 0 };
}
