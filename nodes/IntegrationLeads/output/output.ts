/** Turns the service's answers into the items of the output. */
import { defaults, get, isNil, partition } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../values/json';
import { isRecord } from '../values/json';
import { simplifier } from '../contract/shown';
import type { Output, Result, Values } from '../operation';
import type { Plan } from '../prepare/plan';
import { isInputWithResult, wordsOf } from './rowResult';
import { yielder } from '../transport/clock';

/** What a result is in the output. */
export async function toItems({ operation, values }: Plan, result: Result): Promise<IDataObject[]> {
	const { record, data = record, created, adds } = result;
	const { output } = operation;
	if (isInputWithResult(operation, values.options)) return [{ result: wordsOf(result) }];
	if (output.kind === 'deleted') return [{ deleted: true }];
	const isOne = output.kind === 'one';
	const saysCreated = isOne && output.record.added?.created;
	const said = { ...(saysCreated && created !== undefined && { created }), ...adds };
	// A service may say itself whether it created the record.
	const withSaid = (item: object) => ({
		...defaults({}, item, said),
		...(typeof get(item, 'created') === 'boolean' && saysCreated && { created }),
	});
	// A write that was accepted without a body.
	if (data === undefined) return [withSaid({ success: true })];
	if (record && values.settings.output !== 'raw') {
		// The columns never hide these.
		return (await simplify(output, [withSaid(record)], values)).map(withSaid);
	}
	const entries = Array.isArray(data) ? data : [data];
	return entries.map((entry) => withSaid(isRecord(entry) ? entry : { data: entry }));
}

/**
 * Records as rows, unless the user wants them raw, see fields/options.ts. Each record is replaced in `records`, so that a long
 * list is not held in both forms.
 */
export async function simplify(
	output: Output,
	records: ServiceRecord[],
	{ settings, options }: Pick<Values, 'settings' | 'options'>,
): Promise<IDataObject[]> {
	const columns = 'record' in output && output.record.simplified;
	// Without an ID they are not of the form that we know, and nothing is hidden.
	if (!columns || records.some(({ id }) => isNil(id))) return records as IDataObject[];
	const chosen = settings.output;
	if (
		chosen === undefined
			? (options.simplify ?? settings.simplify) !== false
			: chosen === 'simplified'
	) {
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
