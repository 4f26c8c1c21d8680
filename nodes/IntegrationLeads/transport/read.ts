/** Reads records: one, or the pages of a list. */
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../values/json';
import { parseList, parseRecord } from '../contract/envelope';
import { joinRemedies, reportAnswer, UserError } from '../userError';
import { type Page, type ReadPage, paginate, readWhole, type ReadList } from './paginate';
import type { ErrorContext } from './errors';
import type { Answer } from './request';
import type { Client } from './send';
import { readAllLeads } from './returnAll';

/**
 * Makes the error for an answer that is from the service, but not what the operation needs.
 *
 * @param action the name by which the user knows the operation
 */
export function unexpectedAnswer(message: string, action: string): UserError {
	const what = `${action}: the answer has another shape than expected.`;
	return new UserError(message, joinRemedies(what, reportAnswer));
}

/**
 * Parses one page of a list.
 *
 * @param plural the name under which the service may list the records
 * @throws UserError when no list can be found in the answer
 */
function toPage(plural: string, answer: Answer, action: string): Page {
	const { serverNow } = answer;
	// 204: the service has nothing to list.
	if (answer.data === undefined) return { serverNow, records: [], total: 0 };
	const list = parseList(answer.data, plural, answer.envelope);
	if (!list) throw unexpectedAnswer('The service answered without a list', action);
	const { records } = list;
	const { total, totalPages = 1, limit } = list.pagination ?? {};
	// The service may state a limit that it ignores, but the first of several pages shows how many records a page has.
	return { serverNow, records, total, size: totalPages > 1 ? records.length : limit };
}

/** A request for a list, without the numbers of its pages. */
export interface ListRequest {
	path: string;
	query?: IDataObject;
	errorContext: ErrorContext;
	/** The name under which the service may list the records. */
	record: { plural: string };
}

/** Returns a function that reads pages of a list. */
export function pageReader(client: Client, list: ListRequest): ReadPage {
	const { path, errorContext, record } = list;
	return async (page) => {
		const query = { ...list.query, ...page };
		const request = { method: 'GET', path, query, repeatable: true } as const;
		return toPage(record.plural, await client.send(request, errorContext), errorContext.action);
	};
}

/**
 * Reads one record.
 *
 * @param path below the prefix
 * @param singular the name under which the service may return the record
 * @returns without `record` if it does not exist (404) or the answer has none
 * @throws ServiceError in words for the user, on any other refusal
 */
export async function readOne(
	client: Client,
	path: string,
	singular: string,
	errorContext: ErrorContext,
): Promise<{ record?: ServiceRecord; status: number }> {
	const { data, status } = await client.send(
		{ method: 'GET', path, query: {}, repeatable: true, mayBeMissing: true },
		errorContext,
	);
	return { record: parseRecord(data, singular), status };
}

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
