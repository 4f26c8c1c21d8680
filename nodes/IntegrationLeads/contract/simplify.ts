/** The simplified form of records: flat, the fields that people look for first. Pure. */
import { camelCase, get, isNil, memoize } from 'lodash';

import type { ServiceRecord } from './envelope';

/** The name of a lifted column. Kept, since it is needed for each column of each record. */
const nameOf = memoize((path: string) => camelCase(path));

/** The columns in their order, each with the path of its field: `contact.name` is lifted out of `contact`. */
export type Columns = Record<string, string>;

/**
 * Columns without a value in any of the records are left out, since n8n shows empty cells in red. The others are in
 * every row, null where a record has no value: n8n orders columns by the rows in which they come first.
 */
export function simplify(records: ServiceRecord[], columns: Columns): ServiceRecord[] {
	const rows = records.map((record) => toRow(record, columns));
	const filled = namesOf(columns).filter((name) => rows.some((row) => !isBlank(row[name])));
	return rows.map((row) => Object.fromEntries(filled.map((name) => [name, row[name] ?? null])));
}

/**
 * One record. Where the record has a field of the column's name and another value than the lifted one, the column
 * holds the record's, and the lifted one is in a column of its own: `contactName`.
 */
export function toRow(record: ServiceRecord, columns: Columns): ServiceRecord {
	const row: ServiceRecord = {};
	for (const [name, path] of Object.entries(columns)) {
		const own = record[name];
		const lifted: unknown = get(record, path);
		row[name] = isBlank(own) ? lifted : own;
		if (!isBlank(lifted) && lifted !== row[name]) row[nameOf(path)] = lifted;
	}
	return row;
}

/** All names that a row may have, in the order of the columns. */
function namesOf(columns: Columns): string[] {
	const names = Object.entries(columns).flatMap(([name, path]) => [name, nameOf(path)]);
	return [...new Set(names)];
}

function isBlank(value: unknown): boolean {
	return isNil(value) || value === '' || (Array.isArray(value) && value.length === 0);
}
