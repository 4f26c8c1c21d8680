/** The simplified form of records: flat, the fields that people look for first. Pure. */
import { camelCase, get, isNil, memoize, uniq } from 'lodash';

import type { ServiceRecord } from '../values/json';

/** The columns in their order, each with the path of its field: `contact.name` is lifted out of `contact`. */
export type Columns = Record<string, string>;

/** The simplified form of all records. */
export function simplify(records: ServiceRecord[], columns: Columns): ServiceRecord[] {
	const { flatten, complete } = simplifier(columns);
	return records.map(flatten).map(complete);
}

/**
 * Simplifies records in two passes: first all are flattened, then all rows are completed. Columns without a value in any
 * record are left out, since n8n shows empty cells in red. The others are in every row, null where a record has no
 * value: n8n orders columns by the rows in which they come first.
 */
export function simplifier(columns: Columns) {
	const names = namesOf(columns);
	const empty = new Set(names);
	return {
		flatten(record: ServiceRecord): ServiceRecord {
			const row = toRow(record, columns);
			for (const name of empty) if (!isBlank(row[name])) empty.delete(name);
			return row;
		},
		complete(row: ServiceRecord): ServiceRecord {
			const simplified: ServiceRecord = {};
			for (const name of names) if (!empty.has(name)) simplified[name] = row[name] ?? null;
			return simplified;
		},
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
		const lifted: unknown = path.length === 1 ? record[path[0]] : get(record, path);
		row[name] = isBlank(own) ? lifted : own;
		if (!isBlank(lifted) && lifted !== row[name]) row[camelName] = lifted;
	}
	return row;
}

/** Made once for all records, which would take half of the time. */
const fieldsOf = memoize((columns: Columns) =>
	Object.entries(columns).map(([name, path]) => ({
		name,
		path: path.split('.'),
		camelName: camelCase(path),
	})),
);

/** All names that a row may have, in the order of the columns. */
const namesOf = memoize((columns: Columns) =>
	uniq(fieldsOf(columns).flatMap(({ name, camelName }) => [name, camelName])),
);

function isBlank(value: unknown): boolean {
	return isNil(value) || value === '' || (Array.isArray(value) && value.length === 0);
}
