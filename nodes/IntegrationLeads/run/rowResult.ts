/** *Options > Output: Input With Result*: what became of an item, in words for its row. Pure. */
import { omit, trimEnd } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { MAP_BY_HAND } from '../fields/options';
import type { Operation } from '../operation';
import { UserError } from '../userError';
import { mayBeRecorded } from './ledger';

/** The column that is written, and replaced where the row has one from an earlier run. */
const COLUMN = 'result';

/** What the output of an item says beside the answer. */
export interface Remarks {
	/** Names of input fields that are not sent. */
	notSent?: string[];
	/** Values that are left out, by the labels or headings of their fields, often with the reason. */
	leftOut?: IDataObject;
}

export function isInputWithResult(operation: Operation | undefined, options: IDataObject): boolean {
	return operation?.outputsInput === true && options.output === 'inputWithResult';
}

/** The columns of a row that are its own. */
export function withoutResult(row: IDataObject): IDataObject {
	return omit(row, COLUMN);
}

/** @param words what became of it */
export function rowWith(row: IDataObject, words: string[], remarks: Remarks = {}): IDataObject {
	const all = [...words, ...inWords(remarks)].map((each) => trimEnd(each, '.'));
	return { ...row, [COLUMN]: all.join('; ') };
}

function inWords({ notSent = [], leftOut = {} }: Remarks): string[] {
	const names = notSent.map((name) => `"${name}"`).join(', ');
	const values = Object.entries(leftOut).map(([label, value]) => {
		return `"${label}" was left out: ${String(value).replace(MAP_BY_HAND, '')}`;
	});
	return [...values, ...(names === '' ? [] : [`not sent: ${names}`])];
}

/**
 * Why an item was not recorded, or that it is not known.
 *
 * @returns undefined where the failure is not about this item: then the node fails, and no row says what is wrong with none
 */
export function failureInWords(failure: Error): string | undefined {
	const isOfService = failure instanceof NodeApiError;
	if (!isOfService && !(failure instanceof UserError)) return undefined;
	if (isOfService && failure.context.concerns === 'run') return undefined;
	const word = mayBeRecorded(failure)
		? 'unclear'
		: isOfService && failure.context.concerns === 'service'
			? 'failed'
			: 'refused';
	return `${word}: ${failure.message}`;
}
