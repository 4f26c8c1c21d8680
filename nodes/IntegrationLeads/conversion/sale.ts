/** Reads the sale of a lead. Pure. */
import type { DateTime } from 'luxon';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import { isBlank } from '../values/convert';
import { parseDate } from '../values/date';

/** Spec 2: `estimatedValue` is in BRL. */
export const CURRENCY = 'BRL';

/** A lead with everything that a conversion needs. */
export interface Sale {
	leadId: string;
	/** In the time zone in which it is written. */
	soldAt: DateTime;
	value: number;
	contact: ServiceRecord;
	lead: ServiceRecord;
}

/** A lead that cannot be exported; `missing` are names of its fields. */
export interface Incomplete {
	lead: ServiceRecord;
	missing: string[];
}

/** Undefined if missing or invalid. A date without a time zone is read in `timezone`. */
export function saleDateOf({ saleDate }: ServiceRecord, timezone: string): DateTime | undefined {
	return typeof saleDate === 'string' ? parseDate(saleDate, timezone) : undefined;
}

/** Undefined if missing or invalid. The decimal separator of text is not guessed. */
export function valueOf({ estimatedValue }: ServiceRecord): number | undefined {
	const isDecimal =
		typeof estimatedValue === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(estimatedValue);
	const value = isDecimal ? Number(estimatedValue) : estimatedValue;
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function contactOf({ contact }: ServiceRecord): ServiceRecord {
	return isRecord(contact) ? contact : {};
}

/** An ID as text, undefined if missing. */
export function idOf({ id }: ServiceRecord): string | undefined {
	return isBlank(id) ? undefined : String(id);
}

export function readSale(lead: ServiceRecord, timezone: string): Sale | Incomplete {
	const leadId = idOf(lead);
	const soldAt = saleDateOf(lead, timezone);
	const value = valueOf(lead);
	if (leadId !== undefined && soldAt && value !== undefined) {
		return { leadId, soldAt, value, contact: contactOf(lead), lead };
	}
	const fields = { id: leadId, saleDate: soldAt, estimatedValue: value };
	const missing = Object.entries(fields).filter(([, each]) => each === undefined);
	return { lead, missing: missing.map(([name]) => name) };
}

const LABELS: Record<string, string> = {
	id: 'ID',
	saleDate: 'Sale Date',
	estimatedValue: 'Estimated Value',
	// One of the two is needed, and named once.
	email: 'Email or Phone',
};

/** The labels of what a lead lacks. */
export function missingIn({ missing }: Incomplete): string {
	return missing.flatMap((name) => LABELS[name] ?? []).join(' and ');
}
