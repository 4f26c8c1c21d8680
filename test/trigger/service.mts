/** Models the service in memory, fast enough for some hundred thousand requests in a test. */
import type { Page } from '../../nodes/IntegrationLeads/transport/paginate';
import type { LeadRequest } from '../../nodes/IntegrationLeads/watch/types';

type LeadQuery = Extract<LeadRequest, { kind: 'list' }>['query'];

export interface ModelLead {
	id: string;
	/** Milliseconds since the epoch. */
	createdAt: number;
	/** Listed from this time on. */
	visibleAt: number;
	status: string;
	priority: string;
	tags: readonly string[];
	/** The place in a list whose order has nothing to do with time. */
	place: number;
	/** What a list shows; made anew when the lead changes. */
	record: {
		id: string;
		status: string;
		createdAt: string;
		priority: string;
		tags: readonly string[];
	};
}

/** Where the service's documentation leaves things open. */
export interface ServiceBehaviour {
	order: 'asc' | 'desc' | 'random';
	/** Whether createdAfter and createdBefore include themselves. */
	inclusive: { after: boolean; before: boolean };
	/** What times are cut down to before they are compared, in ms. */
	granularity: number;
	/** Answers carry no `Date` header. */
	withoutDate: boolean;
	/** Answers state no total. */
	withoutTotal: boolean;
	/** Bounds are ignored. */
	ignoresBounds: boolean;
	/** Pages hold no more than this. */
	largestPage: number;
}

export const plainBehaviour: ServiceBehaviour = {
	order: 'desc',
	inclusive: { after: false, before: false },
	granularity: 1,
	withoutDate: false,
	withoutTotal: false,
	ignoresBounds: false,
	largestPage: 100,
};

export class ModelService {
	/** Sorted by creation time. */
	readonly leads: ModelLead[] = [];
	readonly byId = new Map<string, ModelLead>();
	requests = 0;

	private shuffled: ModelLead[] | undefined;
	private created = 0;
	private lastVisibleAt = -Infinity;

	constructor(
		readonly behaviour: ServiceBehaviour,
		private readonly random: () => number,
		public now: number,
	) {}

	create(createdAt: number, status: string, priority = 'medium', visibleAt = createdAt): ModelLead {
		this.created += 1;
		const id = `lead-${this.created}`;
		const lead: ModelLead = {
			id,
			createdAt,
			visibleAt,
			status,
			priority,
			tags: [],
			place: this.random(),
			record: { id, status, priority, tags: [], createdAt: new Date(createdAt).toISOString() },
		};
		this.leads.splice(firstAt(this.leads, createdAt + 1), 0, lead);
		this.lastVisibleAt = Math.max(this.lastVisibleAt, visibleAt);
		this.byId.set(id, lead);
		this.shuffled = undefined;
		return lead;
	}

	/** Many leads at once. */
	fill(count: number, at: (index: number) => number, status: (index: number) => string): void {
		for (let index = 0; index < count; index += 1) {
			const createdAt = at(index);
			const id = `lead-${(this.created += 1)}`;
			const record = {
				id,
				status: status(index),
				priority: 'medium',
				tags: [],
				createdAt: new Date(createdAt).toISOString(),
			};
			const place = this.random();
			const lead = { ...record, createdAt, visibleAt: createdAt, place, record };
			this.leads.push(lead);
			this.byId.set(id, lead);
			this.lastVisibleAt = Math.max(this.lastVisibleAt, createdAt);
		}
		this.leads.sort((a, b) => a.createdAt - b.createdAt);
	}

	change(lead: ModelLead, change: Partial<Pick<ModelLead, 'status' | 'priority' | 'tags'>>): void {
		Object.assign(lead, change);
		lead.record = { ...lead.record, ...change };
	}

	delete(lead: ModelLead): void {
		this.leads.splice(this.leads.indexOf(lead), 1);
		this.byId.delete(lead.id);
		this.shuffled = undefined;
	}

	readonly ask = async (request: LeadRequest): Promise<Page> => this.answer(request);

	answer(request: LeadRequest): Page {
		this.requests += 1;
		const serverNow = this.behaviour.withoutDate ? undefined : this.now - (this.now % 1000);
		if (request.kind !== 'list') {
			const lead = this.byId.get(request.id);
			return { records: lead ? [{ ...lead.record, notes: 'full' }] : [], serverNow };
		}
		return { ...this.list(request.query), serverNow };
	}

	private list(query: LeadQuery): Page {
		const { order, largestPage, withoutTotal } = this.behaviour;
		const [start, end] = this.bounds(query);
		const source = order === 'random' ? this.byPlace() : this.leads;
		const [from, to] = order === 'random' ? [0, source.length] : [start, end];
		const limit = Math.min(query.limit, largestPage);
		const skip = (query.page - 1) * limit;
		const records: Page['records'] = [];
		let total = 0;
		const { status, priority } = query;
		if (order !== 'random' && status === undefined && priority === undefined && this.allVisible) {
			const count = Math.max(0, Math.min(limit, to - from - skip));
			const at = (step: number) => (order === 'desc' ? to - 1 - step : from + step);
			const page = Array.from({ length: count }, (_, index) => source[at(skip + index)].record);
			return withoutTotal ? { records: page } : { records: page, total: to - from };
		}
		const open = order === 'random' && !this.isUnbounded(start, end);
		const [low, high] = open ? [this.timeAt(start), this.timeAt(end)] : [-Infinity, Infinity];
		for (let step = 0; step < to - from; step += 1) {
			const lead = source[order === 'desc' ? to - 1 - step : from + step];
			if (lead.visibleAt > this.now) continue;
			if (status !== undefined && lead.status !== status) continue;
			if (priority !== undefined && lead.priority !== priority) continue;
			if (open && (lead.createdAt < low || lead.createdAt >= high)) continue;
			if (total >= skip && records.length < limit) records.push(lead.record);
			total += 1;
		}
		return withoutTotal ? { records } : { records, total };
	}

	/** Places in the sorted array between which the bounds let leads through. */
	private bounds({ createdAfter, createdBefore }: LeadQuery): [number, number] {
		const { granularity, inclusive, ignoresBounds } = this.behaviour;
		let [start, end] = [0, this.leads.length];
		if (ignoresBounds) return [start, end];
		const cut = (time: number) => Math.floor(time / granularity) * granularity;
		if (createdAfter !== undefined) {
			const bound = cut(Date.parse(String(createdAfter)));
			start = firstAt(this.leads, inclusive.after ? bound : bound + granularity);
		}
		if (createdBefore !== undefined) {
			const bound = cut(Date.parse(String(createdBefore)));
			end = firstAt(this.leads, inclusive.before ? bound + granularity : bound);
		}
		return [start, Math.max(start, end)];
	}

	/** Then nothing has to be counted lead by lead, which takes most of the time in a large account. */
	private get allVisible(): boolean {
		return this.lastVisibleAt <= this.now;
	}

	private isUnbounded(start: number, end: number): boolean {
		return start === 0 && end === this.leads.length;
	}

	private timeAt(place: number): number {
		return place < this.leads.length ? this.leads[place].createdAt : Infinity;
	}

	private byPlace(): ModelLead[] {
		this.shuffled ??= [...this.leads].sort((a, b) => a.place - b.place);
		return this.shuffled;
	}
}

/** The first lead created at a time or later. */
function firstAt(leads: ModelLead[], time: number): number {
	let [low, high] = [0, leads.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (leads[middle].createdAt >= time) high = middle;
		else low = middle + 1;
	}
	return low;
}
