/** From what the service answered to the items of the output. */
import { isEmpty, isNil } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isRecord, readRecord } from '../contract/envelope';
import type { Output } from '../operation';
import { DriftProblem } from '../transport/page';
import type { Answer } from '../transport/send';
import { choose, isRaw } from './choice';
import type { ReadParameter } from './request';

/** A write that was accepted without telling anything about the record. */
const ACCEPTED: IDataObject = { success: true };

/**
 * What one answer becomes.
 *
 * @param read gives the parameters by which the user chose what to output
 * @throws DriftProblem when a record was asked for and something else came
 */
export function toItems(
	output: Output,
	answer: Answer,
	reads: boolean,
	read: ReadParameter = () => undefined,
): IDataObject[] {
	if (output.kind === 'deleted') return [{ deleted: true }];
	if (answer.data === undefined) {
		if (reads && output.kind === 'one') {
			throw new DriftProblem('The service answered without a record');
		}
		return [ACCEPTED];
	}
	if (output.kind === 'one') {
		const record = readRecord(answer.data, output.record.singular);
		// A write has been carried out, whatever it looks like: failing now would have it repeated.
		if (!record && reads) {
			throw new DriftProblem('The service answered with something that is not a record');
		}
		if (record && !isRaw(read)) return [choose(record, output.record, read) as IDataObject];
	}
	const { data } = answer;
	const entries = Array.isArray(data) ? data : [data];
	return entries.map((entry) => (isRecord(entry) ? entry : { data: entry }) as IDataObject);
}

/** Nothing came where the next step needs the id of a record. */
export function lacksId(output: Output, records: IDataObject[]): boolean {
	if (output.kind !== 'one' && output.kind !== 'many') return false;
	if (!('id' in output.record.schema.shape)) return false;
	return records.some((record) => record !== ACCEPTED && isNil(record.id));
}

/**
 * The answer to a search for one record: the first match in the form of a read of it, undefined when there is none.
 * `matches` is how many came.
 */
export function readMatches(answer: Answer, output: Output): { found?: Answer; matches: number } {
	const { data } = answer;
	if (isNil(data) || output.kind !== 'one') return { matches: 0 };
	const { singular, plural } = output.record;
	const list = isRecord(data) ? data[plural] : data;
	if (Array.isArray(list)) {
		return {
			matches: list.length,
			...(list.length > 0 && { found: { ...answer, data: list[0] } }),
		};
	}
	// `{ contact: null }`: the service has looked, and found none.
	const nothing = isRecord(data) && (isEmpty(data) || data[singular] === null);
	return nothing ? { matches: 0 } : { matches: 1, found: answer };
}
