/** Makes the items of the output from the service's answers. */
import { defaults, isEmpty, partition } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { hasId, isRecord, type ServiceRecord } from '../values/json';
import { localizeRows, simplifyRecords } from '../contract/shown';
import type { Output, Result, Values } from '../operation';
import type { Plan } from '../prepare/plan';
import { isInputWithResult, rowOutcome } from './rowResult';

/** Makes the output items for one result. */
export function toOutputItems(
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
	if (data === undefined) return [withSaid({ success: true })];
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
export function idsLast(record: IDataObject): IDataObject {
	const [ids, others] = partition(Object.entries(record), ([name]) =>
		/^id$|(?<!external)Id$/.test(name),
	);
	return Object.fromEntries([...others, ...ids]);
}
