/** What a lead tells of its sale, and what it does not. Pure. */
import type { DateTime } from 'luxon';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import { parseDate } from '../values/date';

/** Spec 2: `estimatedValue` is in BRL. */
export const CURRENCY = 'BRL';

/** A lead of which all is known that a conversion needs. */
export interface Sale {
	leadId: string;
	/** In the zone in which it is written. */
	at: DateTime;
	value: number;
	contact: ServiceRecord;
	lead: ServiceRecord;
}

/** A lead of which something is not known; `missing` are names of its fields. */
export interface Incomplete {
	lead: ServiceRecord;
	missing: string[];
}

/** When the sale occurred; undefined where that is not told. A date without a zone is read in `zone`. */
export function saleDateOf({ saleDate }: ServiceRecord, zone: string): DateTime | undefined {
	return typeof saleDate === 'string' ? parseDate(saleDate, zone) : undefined;
}

/** A number, also one written as text; undefined where there is none. Which mark is the decimal one is not guessed. */
export function valueOf({ estimatedValue }: ServiceRecord): number | undefined {
	const text = typeof estimatedValue === 'string' ? estimatedValue.trim() : estimatedValue;
	if (typeof text === 'string' && !/^[+-]?\d+(\.\d+)?$/.test(text)) return undefined;
	const value = typeof text === 'string' ? Number(text) : text;
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function contactOf({ contact }: ServiceRecord): ServiceRecord {
	return isRecord(contact) ? contact : {};
}

/** An id as text; undefined where there is none. */
export function idOf({ id }: ServiceRecord): string | undefined {
	return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : undefined;
}

export function readSale(lead: ServiceRecord, zone: string): Sale | Incomplete {
	const leadId = idOf(lead);
	const at = saleDateOf(lead, zone);
	const value = valueOf(lead);
	if (leadId !== undefined && at && value !== undefined) {
		return { leadId, at, value, contact: contactOf(lead), lead };
	}
	const known = { id: leadId, saleDate: at, estimatedValue: value };
	const missing = Object.entries(known).filter(([, each]) => each === undefined);
	return { lead, missing: missing.map(([name]) => name) };
}
