/** The simplified form of records: flat, the fields that people look for first. Pure. */
import { camelCase, get, isNil, memoize, uniq, without } from 'lodash';

import type { ServiceRecord } from './envelope';

/** The columns in their order, each with the path of its field: `contact.name` is lifted out of `contact`. */
export type Columns = Record<string, string>;

/** The simplified form of all records. */
export function simplify(records: ServiceRecord[], columns: Columns): ServiceRecord[] {
	return records.map(simplifierOf(records, columns));
}

/**
 * Simplifies one record after another. Columns without a value in any of `records` are left out, since n8n shows empty
 * cells in red. The others are in every row, null where a record has no value: n8n orders columns by the rows in which
 * they come first.
 */
export function simplifierOf(
	records: ServiceRecord[],
	columns: Columns,
): (record: ServiceRecord) => ServiceRecord {
	const names = namesOf(columns);
	let empty = names;
	for (const record of records) {
		const row = toRow(record, columns);
		empty = empty.filter((name) => isBlank(row[name]));
	}
	const filled = without(names, ...empty);
	return (record) => {
		const row = toRow(record, columns);
		const simplified: ServiceRecord = {};
		for (const name of filled) simplified[name] = row[name] ?? null;
		return simplified;
	};
}

/**
 * One record. Where the record has a field of the column's name and another value than the lifted one, the column
 * holds the record's, and the lifted one is in a column of its own: `contactName`.
 */
export function toRow(record: ServiceRecord, columns: Columns): ServiceRecord {
	const row: ServiceRecord = {};
	for (const { name, path, camelName } of fieldsOf(columns)) {
		const own = record[name];
		const lifted: unknown = path === name ? own : get(record, path);
		row[name] = isBlank(own) ? lifted : own;
		if (!isBlank(lifted) && lifted !== row[name]) row[camelName] = lifted;
	}
	return row;
}

/** Made once for all records, which would take half of the time. */
const fieldsOf = memoize((columns: Columns) =>
	Object.entries(columns).map(([name, path]) => ({ name, path, camelName: camelCase(path) })),
);

/** All names that a row may have, in the order of the columns. */
function namesOf(columns: Columns): string[] {
	return uniq(fieldsOf(columns).flatMap(({ name, camelName }) => [name, camelName]));
}

function isBlank(value: unknown): boolean {
	return isNil(value) || value === '' || (Array.isArray(value) && value.length === 0);
}
