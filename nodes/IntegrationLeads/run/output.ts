/** From what the service answered to the items of the output. */
import { isNil } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord, readList, readRecord } from '../contract/envelope';
import type { Output, Step } from '../operation';
import { UnexpectedAnswerError } from '../transport/page';
import type { Answer } from '../transport/send';
import { choose, isRaw } from './selectFields';
import type { ReadParameter } from './request';

/** A write that was accepted without telling anything about the record. */
const ACCEPTED: IDataObject = { success: true };

/**
 * What one answer becomes.
 *
 * @param read gives the parameters by which the user chose what to output
 * @throws UnexpectedAnswerError when a record was asked for and something else came
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
			throw new UnexpectedAnswerError('The service answered without a record');
		}
		return [ACCEPTED];
	}
	if (output.kind === 'one') {
		const record = readRecord(answer.data, output.record.singular);
		// A write has been carried out, whatever it looks like: failing now would have it repeated.
		if (!record && reads) {
			throw new UnexpectedAnswerError('The service answered with something that is not a record');
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

/** A record found by a search, and an answer as if it had been read. */
interface Match {
	record: ServiceRecord;
	found: Answer;
}

/**
 * The records that answer a search for one. What has no id is none: a service may say in many ways that it found nothing.
 */
export function readMatches(answer: Answer, output: Output): Match[] {
	if (output.kind !== 'one') return [];
	const { singular, plural } = output.record;
	const { data, siblings } = answer;
	// `{ contact: null }`: the service has looked, and found none.
	if (isRecord(data) && (data[singular] === null || data.found === false)) return [];
	const toMatches = (each: unknown): Match[] => {
		const record = readRecord(each, singular);
		return isNil(record?.id) ? [] : [{ record, found: { ...answer, data: each } }];
	};
	// A list by its name comes first, a record with a list of its own before any other list.
	const named = isRecord(data) && Array.isArray(data[plural]);
	const one = named ? [] : toMatches(data);
	return one.length > 0
		? one
		: (readList(data, plural, siblings)?.records ?? []).flatMap(toMatches);
}

/**
 * The one of several matches to go on with. Where some tell that they are not what was looked for, the service does not
 * look for it in the way it was asked: then only one counts that tells that it is.
 *
 * @returns the one, and how many were as good
 */
export function chooseMatch(
	matches: Match[],
	isMatch: Step['isMatch'] = () => undefined,
): { found?: Answer; alike: number } {
	const told = matches.map(({ record }) => isMatch(record));
	const wanted = told.some((each) => each !== undefined) ? true : undefined;
	const alike = matches.filter((_, position) => told[position] === wanted);
	return { found: alike.at(0)?.found, alike: alike.length };
}
