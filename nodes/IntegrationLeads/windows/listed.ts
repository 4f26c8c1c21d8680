/** Types for reading leads by time of creation: an interval, and a page of the leads in it. */
import type { ServiceRecord } from '../contract/envelope';
import type { Page } from '../transport/paginate';

/** The leads created in [start, end), in ms since the epoch; an infinite end is open. */
export interface Span {
	start: number;
	end: number;
}

export interface TimedLead {
	id: string;
	/** In ms since the epoch. */
	createdAt: number;
}

/** A page that lists leads. */
export interface Listed<L extends TimedLead = TimedLead> extends Page {
	/** Sorted by time, each once, including those outside of the interval; without those that have no readable time. */
	leads: L[];
	/** In which the leads came; 'none' also where there is nothing to see. */
	order: 'rising' | 'falling' | 'none';
}

/** Reads a page, counted from 1, of the leads of an interval. Undefined when no more requests may be made. */
export type ReadSpan<L extends TimedLead> = (
	span: Span,
	page: number,
) => Promise<Listed<L> | undefined>;

/** Undefined for a record without an ID or a readable time of creation. */
export function toTimedLead({ id, createdAt: text }: ServiceRecord): TimedLead | undefined {
	const createdAt = typeof text === 'string' ? Date.parse(text) : NaN;
	const hasId = typeof id === 'number' || (typeof id === 'string' && id !== '');
	return hasId && !Number.isNaN(createdAt) ? { id: String(id), createdAt } : undefined;
}

/** @param toLead gives undefined for a record that is left out, see `toTimedLead` */
export function toListed<L extends TimedLead>(
	page: Page,
	toLead: (record: ServiceRecord) => L | undefined,
): Listed<L> {
	const leads = page.records.map(toLead).filter((lead) => lead !== undefined);
	const each = new Map(leads.map((lead) => [lead.id, lead]));
	return { ...page, leads: [...each.values()].sort(byTime), order: orderOf(leads) };
}

export function orderOf(leads: TimedLead[]): Listed['order'] {
	const isSorted = (sign: number) =>
		leads.every(
			(lead, index) => sign * (lead.createdAt - leads[index - 1]?.createdAt) >= 0 || !index,
		);
	if (leads.length < 2) return 'none';
	if (isSorted(-1)) return 'falling';
	return isSorted(1) ? 'rising' : 'none';
}

/** By time of creation, then by ID; of leads with distinct IDs. */
export function byTime(a: TimedLead, b: TimedLead): number {
	return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

export function within<L extends TimedLead>(leads: L[], { start, end }: Span): L[] {
	return leads.filter(({ createdAt }) => createdAt >= start && createdAt < end);
}
