/** *Options > Output: Input With Result*: what became of an item, in words for its row. Pure. */
import { compact, groupBy, isString, map, omit, set, trimEnd, without } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { MAP_BY_HAND } from '../columns/cell';
import { isRecord } from '../values/json';
import type { Operation, Result } from '../operation';
import {
	isExplained,
	mayBeRecorded,
	partsOf,
	remedyFor,
	ServiceError,
	type UserError,
} from '../userError';
import { recordKeysOf, type PlannedItem } from '../prepare/plan';
import { listed, nameRows } from './hints';

/** The column that is written, and replaced where the row has one from an earlier run. */
const RESULT_COLUMN = 'result';
/** Of rows about one lead. */
const MAX_SAME_LEAD_ROWS = 3;

/** What the output of an item says beside the answer. */
export interface Remarks {
	/** Names of input fields that are not sent. */
	notSent?: string[];
	/** Values that are left out, by the labels or headings of their fields, often with the reason. */
	leftOut?: IDataObject;
	/** Other rows about the same lead, in words. Each overwrites those before it. */
	sameLead?: string;
}

export function isInputWithResult(operation: Operation, options: IDataObject): boolean {
	return operation.outputsInput === true && options.output === 'inputWithResult';
}

/** What became of an item that was sent. */
export function resultWords({ created, extra, record, data }: Result): string[] {
	const said = { ...(isRecord(data) && data), ...record, ...extra };
	const { alreadyRecorded, replaced, differences, noted, result } = said;
	if (isString(result)) return [result.replace(/ To record it all the same.*/, '')];
	const word = [
		alreadyRecorded && 'already recorded',
		said.unconfirmed && 'sent, but not confirmed',
		said.linked && 'linked',
		created && 'created',
		(created === undefined || alreadyRecorded === false) && 'recorded',
	].find(isString);
	return compact([
		word ?? 'updated',
		isString(replaced) && `it replaces ${replaced}`,
		isString(differences) && differences,
		isString(noted) && 'the other answers are a note in its history',
	]);
}

const LEFT_OUT = ' was left out: ';

/** Whether the row comes with the result of an earlier run that left something of it out. */
export const hasLeftOut = (row: IDataObject): boolean =>
	String(row[RESULT_COLUMN]).includes(LEFT_OUT);

/** The columns of a row that are its own. */
export function withoutResult(row: IDataObject): IDataObject {
	return omit(row, RESULT_COLUMN);
}

/** @param words what became of it */
export function rowWith(row: IDataObject, words: string[], remarks: Remarks = {}): IDataObject {
	const all = [...words, ...formatRemarks(remarks)].map((each) => trimEnd(each, '.'));
	// First, where people see it without scrolling.
	return { [RESULT_COLUMN]: all.join('; '), ...withoutResult(row) };
}

/** Notes which rows are about one lead. @param rows all items of the run */
export function noteSameLead(
	planned: PlannedItem[],
	rows: IDataObject[],
	remarks: Remarks[],
): void {
	const byLead = groupBy(planned, ({ plan }) => recordKeysOf(plan).at(0) ?? '');
	for (const [key, same] of Object.entries(byLead)) {
		if (key === '' || same.length === 1) continue;
		// One more than are named, as the item itself is none of the others.
		const first = same.slice(0, MAX_SAME_LEAD_ROWS + 1);
		for (const item of same) {
			const named = map(without(first, item), 'itemIndex');
			set(
				remarks,
				[item.itemIndex, 'sameLead'],
				nameRows(named, rows, MAX_SAME_LEAD_ROWS, same.length - 1),
			);
		}
	}
}

function formatRemarks({ notSent = [], leftOut = {}, sameLead }: Remarks): string[] {
	const names = listed(notSent.map((name) => `"${name}"`));
	const values = Object.entries(leftOut).map(([label, value]) => {
		return `"${label}"${LEFT_OUT}${String(value).replace(MAP_BY_HAND, '')}`;
	});
	return [
		...(sameLead === undefined ? [] : [`the same lead as ${sameLead}`]),
		...values,
		...(names === '' ? [] : [`not sent: ${names}`]),
	];
}

/** Whether a row can say what failed. What concerns the whole run fails the node: no single row is wrong. */
export const isOfRow = (failure: Error): failure is UserError | ServiceError =>
	isExplained(failure) && !(failure instanceof ServiceError && failure.facts.concerns === 'run');

/** Why an item was not recorded, or that it is not known: each mistake, with what to change in the row. */
export function failureInWords(failure: UserError | ServiceError): string {
	const isOutage = failure instanceof ServiceError && failure.facts.concerns === 'service';
	const word = mayBeRecorded(failure) ? 'unclear' : isOutage ? 'failed' : 'refused';
	const texts = partsOf(failure).map(({ message, remedy }) =>
		trimEnd(compact([message, remedyFor('row', remedy)]).join('. '), '.'),
	);
	return `${word}: ${texts.join('; ')}`;
}
