/** Turns the service's answers into the items of the output. */
import { defaults, isNil, partition, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord, parseRecord } from '../contract/envelope';
import { simplifier, toRow } from '../contract/simplify';
import type { Output } from '../operation';
import { UnexpectedAnswerError } from '../transport/read';
import type { Answer } from '../transport/send';
import type { ReadParameter } from './plan';
import { yielder } from './yield';

/**
 * @param reads the request only reads
 * @param read returns the parameters of fields/options.ts
 * @param adds fields for each item that has none of the name
 * @throws UnexpectedAnswerError when a record was requested and something else came
 */
export async function toItems(
	output: Output,
	answer: Answer,
	reads: boolean,
	read: ReadParameter,
	adds: IDataObject = {},
): Promise<IDataObject[]> {
	if (output.kind === 'deleted') return [{ deleted: true }];
	const withAdded = (item: object) => defaults({}, item, adds);
	if (answer.data === undefined) {
		if (reads && output.kind === 'one') {
			throw new UnexpectedAnswerError('The service answered without a record');
		}
		// A write that was accepted without a body.
		return [withAdded({ success: true })];
	}
	if (output.kind === 'one') {
		const record = parseRecord(answer.data, output.record.singular);
		// A write has been carried out whatever the answer looks like, and an error would have users repeat it.
		if (!record && reads) {
			throw new UnexpectedAnswerError('The service answered with something that is not a record');
		}
		if (record && read('output') !== 'raw') {
			// Hidden by no choice of fields.
			return (await selectFields(output, [withAdded(record)], read)).map(withAdded);
		}
	}
	const { data } = answer;
	const entries = Array.isArray(data) ? data : [data];
	return entries.map((entry) => withAdded(isRecord(entry) ? entry : { data: entry }));
}

/**
 * The fields of records that the user chose, see fields/options.ts. Each record is replaced in `records`, so that a long
 * list is not held in both forms.
 */
export async function selectFields(
	output: Output,
	records: ServiceRecord[],
	read: ReadParameter,
): Promise<IDataObject[]> {
	const columns = 'record' in output && output.record.simplified;
	// Without an ID they are not of the form that we know, and nothing is hidden.
	if (!columns || records.some(({ id }) => isNil(id))) return records as IDataObject[];
	const chosen = read('output');
	const { simplify = read('simplify') } = (read('options') ?? {}) as IDataObject;
	if (chosen === 'selectedFields') {
		const names = read('outputFields') as string[];
		await replaceEach(records, (record) => pick({ ...toRow(record, columns), ...record }, names));
	} else if (chosen === undefined ? simplify !== false : chosen === 'simplified') {
		const { flatten, complete } = simplifier(columns);
		await replaceEach(records, flatten);
		await replaceEach(records, complete);
	}
	return records as IDataObject[];
}

async function replaceEach(
	records: ServiceRecord[],
	replace: (record: ServiceRecord) => ServiceRecord,
): Promise<void> {
	const yieldNow = yielder();
	for (const [index, record] of records.entries()) {
		await yieldNow();
		records[index] = replace(record);
	}
}

/** As n8n's tables show the columns, so that what people read is not off-screen. They know external IDs. */
export function idsLast(record: IDataObject): IDataObject {
	const [ids, others] = partition(Object.entries(record), ([name]) =>
		/^id$|(?<!external)Id$/.test(name),
	);
	return Object.fromEntries([...others, ...ids]);
}
