/** Makes the output of an item: of the service's answer, or for *Input With Result* the row with what became of it in words. */
import { compact, defaults, isEmpty, isString, omit, partition, trimEnd } from 'lodash';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { MAP_BY_HAND } from '../columns/cell';
import { labelOf } from '../columns/headings';
import { leadIdsOf } from '../contract/leadKey';
import { localizeRows, simplifyRecords } from '../contract/shown';
import type { Operation, Output, Result, Values } from '../operation';
import type { Plan } from '../prepare/plan';
import { hasId, isRecord, toRecord, type ServiceRecord } from '../values/json';
import { listed } from './hints';

/** Makes the output items for one result. */
export function toOutputItems(plan: Plan, result: Result): IDataObject[] {
	const { output } = plan.operation;
	const items = itemsOf(plan, result);
	return 'record' in output && !output.record.simplified ? items.map(idsLast) : items;
}

function itemsOf(
	{ operation, values, context: { timezone } }: Plan,
	result: Result,
): IDataObject[] {
	const { record, data = record, created, extra } = result;
	const { output } = operation;
	if (isInputWithResult(operation, values.options)) return [rowOutcome(result)];
	// What a step answered is not a record.
	if (output.kind === 'deleted') return [{ deleted: true, ...extra }];
	const isOne = output.kind === 'one';
	const saysCreated = isOne && output.record.added?.created;
	const outcome = { ...(saysCreated && created !== undefined && { created }), ...extra };
	const withSaid = (item: IDataObject): IDataObject => {
		// The service may state itself whether it created the record.
		const isStated = saysCreated && typeof item.created === 'boolean';
		return defaults(isStated ? { ...item, created } : { ...item }, outcome);
	};
	// A write that was accepted without a body.
	if (data === undefined) return [withSaid({ success: true, ...values.path })];
	if (record && values.settings.output !== 'raw') {
		// The simplified columns never hide what the node adds.
		const rows = toRows(output, [withSaid(record)], values, timezone);
		return rows.map((row) => defaults(row, outcome));
	}
	const entries = Array.isArray(data) ? data : [data];
	const records = entries.map((entry): IDataObject => (isRecord(entry) ? entry : { data: entry }));
	// A list of thousands is not copied for nothing.
	const items = isEmpty(outcome) ? records : records.map(withSaid);
	return output.kind === 'many' ? toRows(output, items, values, timezone) : items;
}

/** Simplifies records in place, unless the user wants them raw; see fields/options.ts. */
function toRows(
	output: Output,
	records: ServiceRecord[],
	{ settings, options }: Pick<Values, 'settings' | 'options'>,
	timezone: string,
): IDataObject[] {
	const columns = 'record' in output && output.record.simplified;
	const { output: chosen, simplify: isOn = true } = settings;
	const isChosen = chosen ? chosen === 'simplified' : (options.simplify ?? isOn) !== false;
	// A record without an ID has an unknown form, of which nothing should be hidden.
	if (columns && isChosen && records.every(hasId)) {
		localizeRows(simplifyRecords(records, columns), timezone);
	}
	return records;
}

/** Moves IDs to the end, since n8n's tables show few columns at once. People know external IDs, so those stay. */
function idsLast(record: IDataObject): IDataObject {
	const [ids, others] = partition(Object.entries(record), ([name]) =>
		/^id$|(?<!external)Id$/.test(name),
	);
	return Object.fromEntries([...others, ...ids]);
}

/** The column that is added to the row, or replaced if an earlier run added it. */
const RESULT_COLUMN = 'result';

/** Remarks on an item, which are output besides the answer. */
export interface Remarks {
	/** Names of input fields that were not sent. */
	notSent?: string[];
	/** Headings of columns that may rule out a sale, in words that are not known. */
	notConsidered?: string[];
	/** Names of columns and answers that a note has instead of a field. */
	noted?: string[];
	/** Values that were not sent, by the label or heading of their field, with the reason. */
	leftOut?: IDataObject;
	/** The fields for which values were taken by their form, by the headings of these. */
	read?: IDataObject;
	/** The other rows about the same lead. */
	sameLead?: string;
	/** The values of earlier rows about the same lead that it replaces by others, in sentences. */
	replaced?: string[];
}

export function isInputWithResult(operation: Operation, options: IDataObject): boolean {
	return operation.outputsInput === true && options.output === 'inputWithResult';
}

/** What became of an item that was sent. */
export interface RowOutcome extends IDataObject {
	/** The texts for the column of results. */
	result: string[];
	/** What identifies its lead, as far as that has turned out. */
	lead: string[];
}

/** @param result of an item that was sent */
export function rowOutcome(result: Result): RowOutcome {
	return { result: resultWords(result), lead: leadIdsOf(toRecord(result.record ?? result.data)) };
}

/** Why nothing was sent for an item, if its operation says so. A row cannot choose *Using Fields Below*. */
export const reasonIn = ({ result }: IDataObject): string | undefined =>
	isString(result) ? result.replace(/ To record it all the same.*/, '') : undefined;

function resultWords({ created, extra, record, data }: Result): string[] {
	const fields = { ...(isRecord(data) && data), ...record, ...extra };
	const { alreadyRecorded, replaced, differences, noted } = fields;
	const reason = reasonIn(extra);
	if (reason !== undefined) return [reason];
	const word = [
		alreadyRecorded && 'already recorded',
		fields.unconfirmed && 'sent, but not confirmed',
		fields.linked && 'linked',
		created && 'created',
		(created === undefined || alreadyRecorded === false) && 'recorded',
	].find(isString);
	return compact([
		word ?? 'updated',
		isString(replaced) && `it replaces ${replaced}`,
		isString(differences) && differences,
		isString(noted) && 'the other columns or answers are a note in its history',
	]);
}

const LEFT_OUT = ' was left out: ';

/** Whether an earlier run left out a value of this row, according to its result. */
export const hasLeftOut = (row: IDataObject): boolean =>
	String(row[RESULT_COLUMN]).includes(LEFT_OUT);

/** The row without the result of an earlier run. */
export function withoutResult(row: IDataObject): IDataObject {
	return omit(row, RESULT_COLUMN);
}

/** Makes the item of a row. @param words what became of it */
export function rowWith(
	{ json, binary }: INodeExecutionData,
	itemIndex: number,
	words: string[],
	remarks?: Remarks,
): INodeExecutionData {
	const all = [...words, ...formatRemarks(remarks)].map((sentence) => trimEnd(sentence, '.'));
	return {
		// The first column is visible without scrolling.
		json: { [RESULT_COLUMN]: all.join('; '), ...withoutResult(json) },
		...(binary && { binary }),
		pairedItem: { item: itemIndex },
	};
}

function formatRemarks({
	notSent = [],
	notConsidered = [],
	noted = [],
	leftOut = {},
	read = {},
	sameLead,
	replaced = [],
}: Remarks = {}): string[] {
	const [unsent, unjudged, inNote] = [notSent, notConsidered, noted].map((names) =>
		listed(names.map((name) => `"${name}"`)),
	);
	const values = Object.entries(leftOut).map(([label, value]) => {
		return `"${label}"${LEFT_OUT}${String(value).replace(MAP_BY_HAND, '')}`;
	});
	return [
		...(sameLead === undefined ? [] : [`the same lead as ${sameLead}`]),
		...replaced,
		...values,
		...Object.entries(read).map(
			([label, field]) => `"${label}" was read as ${labelOf(String(field))}`,
		),
		...(inNote === '' ? [] : [`not read as fields: ${inNote}`]),
		...(unsent === '' ? [] : [`not sent: ${unsent}`]),
		...(unjudged === '' ? [] : [`not considered: ${unjudged}`]),
	];
}
