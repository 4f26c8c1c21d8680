/** *Options > Output: Input With Result*: what became of an item, in words for its row. Pure. */
import { compact, groupBy, isString, map, omit, set, trimEnd, without } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { MAP_BY_HAND } from '../fields/options';
import { isRecord } from '../values/json';
import type { Operation, Result } from '../operation';
import { firstSentence, InputError, mayBeRecorded, ServiceError, UserError } from '../userError';
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
	const word = alreadyRecorded
		? 'already recorded'
		: said.unconfirmed
			? 'sent, but not confirmed'
			: said.linked
				? 'linked'
				: created
					? 'created'
					: created === undefined || alreadyRecorded === false
						? 'recorded'
						: 'updated';
	return compact([
		word,
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

/**
 * Why an item was not recorded, or that it is not known.
 *
 * @returns undefined where the failure is not about this item: then the node fails, and no row says what is wrong with none
 */
export function failureInWords(failure: Error): string | undefined {
	const { concerns } = failure instanceof ServiceError ? failure.facts : { concerns: undefined };
	if (concerns === 'run' || (!concerns && !(failure instanceof UserError))) return undefined;
	const word = mayBeRecorded(failure) ? 'unclear' : concerns === 'service' ? 'failed' : 'refused';
	return `${word}: ${failure instanceof InputError ? inRow(failure) : failure.message}`;
}

/** Who reads a sheet, or the page of an upload, has no panel, and can only write another value. */
const NEEDS_PANEL_OR_WORKFLOW = /Options >|"Default Country Code"|expression|workflow|\bfield\b/;

/** The mistakes of a row, each with how to write the value instead: the first sentence of its way out, if it says that. */
function inRow({ parts }: InputError): string {
	const texts = parts.map(({ message, description }) => {
		const first = firstSentence(description);
		return first === '' || NEEDS_PANEL_OR_WORKFLOW.test(first) ? message : `${message}. ${first}`;
	});
	return texts.map((each) => trimEnd(each, '.')).join('; ');
}
