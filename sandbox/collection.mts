import { hash32 } from './random.mts';
import type { Stored } from './records.mts';

/** How lists are ordered: by creation, or shuffled by a hash of the id (stable between calls). */
export type Order = 'desc' | 'asc' | 'random';

/** Which part of a list is wanted. */
export interface Page {
	order: Order;
	offset: number;
	count: number;
}

/** Which records, and which part of their list. Bounds are exclusive, in epoch milliseconds. */
export interface Selection<T> extends Page {
	match?: (record: T) => boolean;
	createdAfter?: number;
	createdBefore?: number;
}

/** One page, and how many records there are on all pages. */
export interface Selected<T> {
	items: T[];
	total: number;
}

type Compare<T> = (a: T, b: T) => number;

const byTime: Compare<Stored> = (a, b) =>
	a.createdMs - b.createdMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

const byHash: Compare<Stored> = (a, b) => hash32(a.id) - hash32(b.id) || byTime(a, b);

/** The first index for which `reached` holds, given that it holds for all indexes after it. */
function firstIndex(length: number, reached: (index: number) => boolean): number {
	let [low, high] = [0, length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (reached(middle)) high = middle;
		else low = middle + 1;
	}
	return low;
}

/** An array that is always sorted; a record is found, put in and taken out by binary search. */
class SortedList<T> {
	readonly items: T[];

	constructor(
		items: Iterable<T>,
		private readonly compare: Compare<T>,
	) {
		this.items = [...items].sort(compare);
	}

	private indexOf(record: T): number {
		return firstIndex(this.items.length, (i) => this.compare(this.items[i], record) >= 0);
	}

	add(record: T): void {
		this.items.splice(this.indexOf(record), 0, record);
	}

	replace(record: T): void {
		this.items[this.indexOf(record)] = record;
	}

	remove(record: T): void {
		this.items.splice(this.indexOf(record), 1);
	}
}

/** Records of one kind, by id and in every order, ready for any page at any time. */
export class Collection<T extends Stored> {
	private readonly byId = new Map<string, T>();
	private readonly timeline: SortedList<T>;
	/** Made when a shuffled list is first asked for, kept current from then on. */
	private shuffled?: SortedList<T>;

	constructor(records: Iterable<T> = []) {
		for (const record of records) this.byId.set(record.id, record);
		this.timeline = new SortedList<T>(this.byId.values(), byTime);
	}

	get size(): number {
		return this.byId.size;
	}

	get(id: string): T | undefined {
		return this.byId.get(id);
	}

	/** The record at a place in the order of creation, oldest first. */
	at(index: number): T | undefined {
		return this.timeline.items[index];
	}

	values(): Iterable<T> {
		return this.byId.values();
	}

	add(record: T): T {
		this.byId.set(record.id, record);
		this.timeline.add(record);
		this.shuffled?.add(record);
		return record;
	}

	/** Puts a new version in the place of the old one. Its id and creation time must be the same. */
	replace(record: T): T {
		this.byId.set(record.id, record);
		this.timeline.replace(record);
		this.shuffled?.replace(record);
		return record;
	}

	remove(record: T): void {
		this.byId.delete(record.id);
		this.timeline.remove(record);
		this.shuffled?.remove(record);
	}

	select(selection: Selection<T>): Selected<T> {
		return selection.order === 'random'
			? this.selectShuffled(selection)
			: this.selectByTime(selection);
	}

	private selectByTime(selection: Selection<T>): Selected<T> {
		const { order, createdAfter = -Infinity, createdBefore = Infinity } = selection;
		const { items } = this.timeline;
		const start = firstIndex(items.length, (i) => items[i].createdMs > createdAfter);
		const end = firstIndex(items.length, (i) => items[i].createdMs >= createdBefore);
		const nth =
			order === 'asc' ? (n: number) => items[start + n] : (n: number) => items[end - 1 - n];
		return pageOf(Math.max(0, end - start), nth, selection, selection.match);
	}

	private selectShuffled(selection: Selection<T>): Selected<T> {
		const { match, createdAfter, createdBefore } = selection;
		this.shuffled ??= new SortedList<T>(this.byId.values(), byHash);
		const { items } = this.shuffled;
		const [after, before] = [createdAfter ?? -Infinity, createdBefore ?? Infinity];
		const within = (record: T) =>
			record.createdMs > after && record.createdMs < before && (!match || match(record));
		const bounded = createdAfter !== undefined || createdBefore !== undefined;
		return pageOf(items.length, (n) => items[n], selection, bounded ? within : match);
	}
}

/** A page of those of `length` records that match; without `match`, of all of them. */
function pageOf<T>(
	length: number,
	nth: (n: number) => T,
	{ offset, count }: { offset: number; count: number },
	match?: (record: T) => boolean,
): Selected<T> {
	if (!match) {
		const wanted = Math.max(0, Math.min(count, length - offset));
		return { items: Array.from({ length: wanted }, (_, n) => nth(offset + n)), total: length };
	}
	const items: T[] = [];
	let total = 0;
	for (let n = 0; n < length; n++) {
		const record = nth(n);
		if (!match(record)) continue;
		if (total >= offset && items.length < count) items.push(record);
		total++;
	}
	return { items, total };
}
