/** Leads of an answer as the core sees them. */
import type { ServiceRecord } from '../contract/envelope';
import { LAST_STATUS, printOf } from './codes';

/** A lead as it was read. */
export interface Lead {
	id: string;
	/** Time of creation in ms. */
	at: number;
	/** Index of the status. */
	status: number;
	print: number;
	record: ServiceRecord;
}

/** Statuses by index. The list of statuses is not shown (spec part 3), so the table grows. */
export class StatusTable {
	private readonly indexes: Map<string, number>;

	constructor(readonly names: string[]) {
		this.indexes = new Map(names.map((name, index) => [name, index]));
	}

	indexOf(name: string): number {
		const known = this.indexes.get(name);
		if (known !== undefined) return known;
		if (this.names.length > LAST_STATUS) return LAST_STATUS;
		this.indexes.set(name, this.names.length);
		return this.names.push(name) - 1;
	}
}

/** @returns undefined for what has no id or no readable time of creation; it cannot be followed */
export function toLead(record: ServiceRecord, statuses: StatusTable): Lead | undefined {
	const { id, status, createdAt } = record;
	const at = typeof createdAt === 'string' ? Date.parse(createdAt) : NaN;
	if ((typeof id !== 'string' && typeof id !== 'number') || id === '' || Number.isNaN(at)) {
		return undefined;
	}
	const name = typeof status === 'string' ? status : '';
	const key = String(id);
	return { id: key, at, status: statuses.indexOf(name), print: printOf(key), record };
}

/** The order of buckets, codes and events. */
export function inOrder(a: Lead, b: Lead): number {
	return a.at - b.at || (a.id < b.id ? -1 : Number(a.id > b.id));
}
