/** Makes the items of the output from the service's answers. */
import { defaults, partition } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { hasId, isRecord, type ServiceRecord } from '../values/json';
import { simplifyRecords } from '../contract/shown';
import type { Output, Result, Values } from '../operation';
import type { Plan } from '../prepare/plan';
import { isInputWithResult, resultWords } from './rowResult';

/** What a result is in the output. */
export function toOutputItems({ operation, values }: Plan, result: Result): IDataObject[] {
	const { record, data = record, created, extra } = result;
	const { output } = operation;
	if (isInputWithResult(operation, values.options)) return [{ result: resultWords(result) }];
	if (output.kind === 'deleted') return [{ deleted: true }];
	const isOne = output.kind === 'one';
	const saysCreated = isOne && output.record.added?.created;
	const said = { ...(saysCreated && created !== undefined && { created }), ...extra };
	const withSaid = (item: IDataObject): IDataObject => {
		// A service may say itself whether it created the record.
		const isStated = saysCreated && typeof item.created === 'boolean';
		return defaults(isStated ? { ...item, created } : { ...item }, said);
	};
	// A write that was accepted without a body.
	if (data === undefined) return [withSaid({ success: true })];
	if (record && values.settings.output !== 'raw') {
		// The columns never hide what is said.
		const rows = toRows(output, [withSaid(record as IDataObject)], values);
		return rows.map((row) => defaults(row, said));
	}
	const entries = Array.isArray(data) ? data : [data];
	return entries.map((entry) =>
		withSaid((isRecord(entry) ? entry : { data: entry }) as IDataObject),
	);
}

/** Records as rows, each in its place, unless the user wants them raw, see fields/options.ts. */
export function toRows(
	output: Output,
	records: ServiceRecord[],
	{ settings, options }: Pick<Values, 'settings' | 'options'>,
): IDataObject[] {
	const columns = 'record' in output && output.record.simplified;
	const { output: chosen, simplify: isOn = true } = settings;
	const isChosen = chosen ? chosen === 'simplified' : (options.simplify ?? isOn) !== false;
	// Without an ID they are not of the form that we know, and nothing is hidden.
	if (columns && isChosen && records.every(hasId)) simplifyRecords(records, columns);
	return records as IDataObject[];
}

/** As n8n's tables show the columns, so that what people read is not off-screen. They know external IDs. */
export function idsLast(record: IDataObject): IDataObject {
	const [ids, others] = partition(Object.entries(record), ([name]) =>
		/^id$|(?<!external)Id$/.test(name),
	);
	return Object.fromEntries([...others, ...ids]);
}
