/** How records are shown: as rows with columns that people look for, and in one line. Pure. */
import { compact, get, isString, mapValues } from 'lodash';

import { parseDate } from '../dates/date';
import type { ServiceRecord } from '../values/json';
import { isBlank } from '../values/convert';
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
	const names = Object.keys(columns);
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

/** One record. Without a contact, a field of the lead itself is shown: `contactId`. */
function toRow(record: ServiceRecord, columns: Columns): ServiceRecord {
	return mapValues(columns, (path, name) => {
		const lifted: unknown = path.includes('.') ? get(record, path) : record[path];
		return isBlank(lifted) ? record[name] : lifted;
	});
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
