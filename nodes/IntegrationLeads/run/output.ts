/** From what the service answered to the items of the output. */
import type { IDataObject } from 'n8n-workflow';

import { isRecord, readList, readRecord } from '../contract/envelope';
import type { Output } from '../operation';
import type { Page } from '../transport/paginate';
import type { Answer } from '../transport/send';

/** A write that was accepted without telling anything about the record. */
const ACCEPTED: IDataObject = { success: true };

/** The answer is from the service, but not what this operation needs. The caller names the operation. */
export class DriftProblem extends Error {}

/**
 * What one answer becomes.
 *
 * @throws DriftProblem when a record was asked for and something else came
 */
export function toItems(output: Output, answer: Answer, reads: boolean): IDataObject[] {
	if (output.kind === 'deleted') return [{ deleted: true }];
	if (answer.data === undefined) {
		if (reads && output.kind === 'one') {
			throw new DriftProblem('The service answered without a record');
		}
		return [ACCEPTED];
	}
	if (output.kind === 'one') {
		const record = readRecord(answer.data, output.record.singular);
		if (record) return [record as IDataObject];
		// A write has been carried out, whatever it looks like: failing now would have it repeated.
		if (reads) throw new DriftProblem('The service answered with something that is not a record');
	}
	const { data } = answer;
	const entries = Array.isArray(data) ? data : [data];
	return entries.map((entry) => (isRecord(entry) ? entry : { data: entry }) as IDataObject);
}

/**
 * One page of a list.
 *
 * @throws DriftProblem when no list can be found in the answer
 */
export function toPage(plural: string, answer: Answer): Page {
	const { serverNow } = answer;
	// 204: the service has nothing to list.
	if (answer.data === undefined) return { records: [], total: 0, serverNow };
	const list = readList(answer.data, plural, answer.beside);
	if (!list) throw new DriftProblem('The service answered without a list');
	const { records, pagination } = list;
	return { records, total: pagination?.total, limit: pagination?.limit, serverNow };
}
