/** Leads of an answer as the core sees them. */
import type { ServiceRecord } from '../contract/envelope';
import { UserError } from '../userError';
import type { TimedLead } from '../windows/listed';
import { fingerprintOf, GONE } from './encoding';

/** A lead as it was read. */
export interface Lead extends TimedLead {
	/** Index of the status. */
	status: number;
	fingerprint: number;
	record: ServiceRecord;
}

/** Statuses by index. The list of statuses is not shown (spec part 3), so the table grows. */
export class StatusTable {
	private readonly indexes: Map<string, number>;

	constructor(readonly names: string[]) {
		this.indexes = new Map(names.map((name, index) => [name, index]));
	}

	/** @throws UserError when there are more statuses than an entry has room for: changes among them would go unseen */
	indexOf(name: string): number {
		const known = this.indexes.get(name);
		if (known !== undefined) return known;
		if (this.names.length === GONE) {
			throw new UserError(
				`The leads have more than ${GONE} different statuses`,
				'The trigger cannot tell so many apart. Set "Filters" so that it watches fewer leads, or watch "Lead Created" only.',
			);
		}
		this.indexes.set(name, this.names.length);
		return this.names.push(name) - 1;
	}
}

/**
 * @param indexOf the index of a status
 * @returns undefined for a record without an id or a readable time of creation, which cannot be watched
 */
export function toLead(
	record: ServiceRecord,
	indexOf: (status: string) => number,
): Lead | undefined {
	const { id, createdAt: text } = record;
	const createdAt = typeof text === 'string' ? Date.parse(text) : NaN;
	if ((typeof id !== 'string' && typeof id !== 'number') || id === '' || Number.isNaN(createdAt)) {
		return undefined;
	}
	const key = String(id);
	const status = indexOf(statusOf(record));
	return { id: key, createdAt, status, fingerprint: fingerprintOf(key), record };
}

/** Identifies a lead within a bucket: the second of its creation, and its fingerprint. */
export function keyOf(lead: { createdAt: number; fingerprint: number }): number {
	return Math.floor(lead.createdAt / 1000) * 2 ** 18 + lead.fingerprint;
}

export function statusOf({ status }: ServiceRecord): string {
	return typeof status === 'string' ? status : '';
}
