import type { Stored } from './records.mts';

/** How lists are ordered: by creation, or in an order of no meaning that stays the same. */
export type Order = 'desc' | 'asc' | 'random';

/** Which part of a list is wanted. */
export interface Page {
	order: Order;
	offset: number;
	count: number;
}

/** One page, and how many records there are on all pages. */
export interface Selected<T> {
	items: T[];
	total: number;
}

type Compare = (a: Stored, b: Stored) => number;

const byId: Compare = (a, b) => (a.id < b.id ? -1 : 1);
const byTime: Compare = (a, b) => a.createdMs - b.createdMs || byId(a, b);
/** IDs are random. */
const ORDERS: Record<Order, Compare> = {
	asc: byTime,
	desc: (a, b) => byTime(b, a),
	random: byId,
};

/** Records of one kind, by id and in every order. */
export class Collection<T extends Stored> {
	private readonly records = new Map<string, T>();
	/** Those orders that were asked for since the last change. */
	private sorted: Partial<Record<Order, T[]>> = {};

	constructor(records: Iterable<T> = []) {
		for (const record of records) this.add(record);
	}

	get size(): number {
		return this.records.size;
	}

	get(id: string): T | undefined {
		return this.records.get(id);
	}

	values(): T[] {
		return [...this.records.values()];
	}

	/** Adds a record, or puts it in the place of the one with its id. */
	add(record: T): T {
		this.records.set(record.id, record);
		this.sorted = {};
		return record;
	}

	remove({ id }: Stored): void {
		this.records.delete(id);
		this.sorted = {};
	}

	select({ order, offset, count }: Page, matches?: (record: T) => boolean): Selected<T> {
		const all = (this.sorted[order] ??= this.values().sort(ORDERS[order]));
		const found = matches ? all.filter(matches) : all;
		return { items: found.slice(offset, offset + count), total: found.length };
	}
}
