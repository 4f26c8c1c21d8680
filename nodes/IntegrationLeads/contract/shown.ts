/** How records are shown: as rows with columns that people look for, and in one line. Pure. */
import { camelCase, compact, get, isNil, isString, memoize, uniq } from 'lodash';

import { parseDate } from '../dates/date';
import type { ServiceRecord } from '../values/json';
import { isRecord } from '../values/json';

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

/** e.g. `Ana · ana@example.com · open · crm-1` */
export function leadLabel({ contact, status, externalId }: ServiceRecord): string {
	const { name, email } = isRecord(contact) ? contact : {};
	return joinParts(name, email, status, externalId);
}

/** e.g. `Ana · ana@example.com · +5511900000000` */
export function contactLabel({ name, email, phone }: ServiceRecord): string {
	return joinParts(name, email, phone);
}

/** The parts that are text. */
export function joinParts(...parts: unknown[]): string {
	return compact(parts.filter(isString)).join(' · ');
}

/**
 * e.g. `Ana · 2026-01-31 14:30`. The fields of a conversation are not shown (spec 2): one without a person is recognised by
 * its ID.
 *
 * @param timezone of the date
 */
export function conversationLabel(record: ServiceRecord, timezone: string): string {
	const { id, lead, createdAt } = record;
	const { contact } = isRecord(lead) ? { ...lead, ...record } : record;
	const { name, email, phone } = isRecord(contact) ? contact : {};
	const who = [name, email, phone].find((each) => isString(each) && each !== '');
	const created = parseDate(String(createdAt), timezone)?.toFormat('yyyy-MM-dd HH:mm');
	return who ? joinParts(who, created) : joinParts(created, `ID ${String(id)}`);
}
