/** Shows records as rows with columns that people look for, and in one line. Pure. */
import { DateTime } from 'luxon';
import { compact, get, isString, mapValues, memoize, toPath } from 'lodash';

import { isBlank } from '../values/convert';
import { isRecord, shorten, type ServiceRecord } from '../values/json';

/** The columns in their order, each with the path of its field: `contact.name` is lifted out of `contact`. */
export type Columns = Record<string, string>;

type Value = ServiceRecord[string];

/** A value of a row: a date in the time zone of the workflow, an amount as a number. Others, and what cannot be read, stay. */
const IN_ROWS: Record<string, (value: Value, timezone: string) => Value> = {
	saleDate: localTime,
	createdAt: localTime,
	estimatedValue: (value) =>
		typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value,
};

/** A time in ISO 8601, in a time zone and with its offset. A date without a zone is one of that zone. */
export function localTime(value: Value, timezone: string): Value {
	if (typeof value !== 'string') return value;
	const time = DateTime.fromISO(value, { zone: timezone });
	return time.toISO() ?? value;
}

/**
 * Converts the dates and amounts of simplified records in place: the service has some dates in UTC and others
 * as they were sent.
 */
export function localizeRows(rows: ServiceRecord[], timezone: string): void {
	for (const row of rows)
		for (const [name, convert] of Object.entries(IN_ROWS))
			if (name in row) row[name] = convert(row[name], timezone);
}

/**
 * Simplifies records in place, so that a long list is not held twice. Columns without a value in any record are omitted, since
 * n8n shows empty cells in red. All others are in every row, null if a record has no value, because n8n orders columns by their
 * first appearance.
 */
export function simplifyRecords(records: ServiceRecord[], columns: Columns): ServiceRecord[] {
	const empty = new Set(Object.keys(columns));
	const paths = pathsOf(columns);
	for (const [index, record] of records.entries()) {
		const row: ServiceRecord = {};
		// A lead without a contact shows a field of its own: `contactId`.
		for (const [name, path] of paths) row[name] = get(record, path) ?? record[name];
		for (const name of empty) if (!isBlank(row[name])) empty.delete(name);
		records[index] = row;
	}
	const names = Object.keys(columns).filter((name) => !empty.has(name));
	for (const [index, row] of records.entries()) {
		const shown: ServiceRecord = {};
		for (const name of names) shown[name] = row[name] ?? null;
		records[index] = shown;
	}
	return records;
}

const pathsOf = memoize((columns: Columns) => Object.entries(mapValues(columns, toPath)));

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

export const LOOKUP_LABELS = {
	id: 'ID',
	externalId: 'external ID',
	email: 'email',
	phone: 'phone',
};

/** How many characters of a value a message shows. */
const MAX_VALUE_LENGTH = 80;

/** Describes what a record is found by, e.g. `email "ana@example.com"`. */
export function describeLookup({
	by,
	value,
}: {
	by: keyof typeof LOOKUP_LABELS;
	value: string;
}): string {
	return `${LOOKUP_LABELS[by]} "${shorten(value, MAX_VALUE_LENGTH)}"`;
}
