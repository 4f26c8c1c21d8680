/** Leads of an answer as the core sees them. */
import type { ServiceRecord } from '../contract/envelope';
import type { TimedLead } from '../windows/listed';
import { toTimedLead } from '../windows/listed';
import { fingerprintOf } from './encoding';

/** A lead as it was read. */
export interface Lead extends TimedLead {
	/** Index of the status. */
	status: number;
	fingerprint: number;
	record: ServiceRecord;
}

/**
 * @param indexOf the index of a status
 * @returns undefined for a record without an id or a readable time of creation, which cannot be watched
 */
export function toLead(
	record: ServiceRecord,
	indexOf: (status: string) => number,
): Lead | undefined {
	const lead = toTimedLead(record);
	return (
		lead && {
			...lead,
			status: indexOf(statusOf(record)),
			fingerprint: fingerprintOf(lead.id),
			record,
		}
	);
}

/** Identifies a lead within a bucket: the second of its creation, and its fingerprint. */
export function keyOf(lead: { createdAt: number; fingerprint: number }): number {
	return Math.floor(lead.createdAt / 1000) * 2 ** 18 + lead.fingerprint;
}

export function statusOf({ status }: ServiceRecord): string {
	return typeof status === 'string' ? status : '';
}
