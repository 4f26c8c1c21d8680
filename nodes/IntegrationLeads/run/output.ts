/** Turns the service's answers into the items of the output. */
import { defaults, isNil, partition, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord, readList, readRecord } from '../contract/envelope';
import { simplifier, toRow } from '../contract/simplify';
import type { Alternative, Output } from '../operation';
import { UnexpectedAnswerError } from '../transport/page';
import type { Answer } from '../transport/send';
import type { ReadParameter } from './plan';
import { yielder } from './yield';

/** The output of a write that was accepted without a body. */
const ACCEPTED: IDataObject = { success: true };

/**
 * @param reads the request only reads
 * @param read returns the parameters of fields/output.ts
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
		return [withAdded(ACCEPTED)];
	}
	if (output.kind === 'one') {
		const record = readRecord(answer.data, output.record.singular);
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
 * The fields of records that the user chose, see fields/output.ts. Each record is replaced in `records`, so that a long
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
	if (chosen === 'selectedFields') {
		const names = read('outputFields') as string[];
		await replaceEach(records, (record) => pick({ ...toRow(record, columns), ...record }, names));
	} else if (chosen === undefined ? read('simplify') === true : chosen === 'simplified') {
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

/** A record came without an ID, which the next step may need. */
export function lacksId(output: Output, records: IDataObject[]): boolean {
	if (output.kind !== 'one' && output.kind !== 'many') return false;
	if (!output.record.schema) return false;
	return records.some(({ id, success }) => isNil(id) && success !== ACCEPTED.success);
}

interface SearchResult {
	/** The answer as if the one record had been read. */
	found?: Answer;
	/** How many records match as well as the one found. */
	count: number;
	/** Records came, and each is another one. */
	mismatched: boolean;
}

/**
 * Picks the record that a search asked for. If some of the records show that they are others, the service ignores the
 * query, and only a record that shows that it matches counts.
 */
export function findMatch(
	answer: Answer,
	output: Output,
	isMatch: Alternative['isMatch'] = () => undefined,
): SearchResult {
	const candidates = readCandidates(answer, output);
	const results = candidates.map(({ record }) => isMatch(record));
	const required = results.some((each) => each !== undefined) ? true : undefined;
	const matches = candidates.filter((_, position) => results[position] === required);
	return {
		found: matches.at(0)?.found,
		count: matches.length,
		mismatched: candidates.length > 0 && matches.length === 0,
	};
}

/** The records in the answer to a search. Only those with an ID count, since "not found" may take many forms. */
function readCandidates(
	answer: Answer,
	output: Output,
): Array<{ record: ServiceRecord; found: Answer }> {
	if (output.kind !== 'one') return [];
	const { singular, plural } = output.record;
	const { data } = answer;
	// `{ contact: null }` may come with suggestions.
	if (isRecord(data) && (data[singular] === null || data.found === false)) return [];
	const candidates = (entries: unknown[]) =>
		entries.flatMap((entry) => {
			const record = readRecord(entry, singular);
			return isNil(record?.id) ? [] : { record, found: { ...answer, data: entry } };
		});
	// A list under its name takes precedence over a record, and a record over any other list, which may be its own.
	const isNamedList = isRecord(data) && Array.isArray(data[plural]);
	const single = isNamedList ? [] : candidates([data]);
	return single.length > 0 ? single : candidates(readList(data, plural, {})?.records ?? []);
}
