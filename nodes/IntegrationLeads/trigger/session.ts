/** The requests of one poll: how many may still be made, how they are bounded in time, and what the answers state. */
import type { Page } from '../transport/paginate';
import { PAGE_SIZE, ROUND_SIZE } from '../transport/paginate';
import type { Lead, StatusTable } from './lead';
import { inOrder, toLead } from './lead';
import { watchesStatus } from './state';
import type { LeadPage, LeadQuery, LeadRequest, Settings, Steps } from './types';

/** How finely bounds may be compared. A service that ignores them has no unit. */
export const UNIT = { second: 1000, day: 86_400_000, none: 0 } as const;

/** Bits of what is known to include itself. */
export const INCLUSIVE = { after: 1, before: 2 } as const;

/** Requests of one batch; the transport sends no more at once. */
const BATCH = 8;

/** An answer that lists leads. */
export interface Listed {
	/** All of them, sorted, each once, including those outside of the interval. */
	leads: Lead[];
	/** How many records came, readable or not. */
	length: number;
	/** Undefined when it is not stated, and there may be more. */
	total: number | undefined;
	/** The list is sorted by time of creation as it came. */
	sorted: boolean;
	/** The time of creation of the record that came first. */
	first?: number;
	serverNow?: number;
}

export class Session {
	requests = 0;
	/** At least one request was answered. */
	answered = false;
	/** How many requests a minute the API key allows, when the service states it. */
	requestsPerMinute: number | undefined;
	/** Leads without a readable time of creation or id. */
	unreadable = 0;
	/** More leads than a poll can read lie where no bound comes between them. */
	overcrowded = false;
	/** The latest time of creation that was seen. */
	newest = 0;
	readonly pageSize: number;

	/** Requests that are kept for reading leads that are emitted. */
	claimed = 0;
	/** Requests that are kept for a later phase. */
	reserve = 0;
	/** As many events as one poll may emit were found. */
	full = false;
	/** How finely the service compares bounds; undefined until it is needed. */
	unit: number | undefined;
	/** Which bounds are known to include the day that they name. */
	inclusive: number;
	/** No more requests can be made. */
	private stopped = false;
	private readonly indexOf: (status: string) => number;
	/** The most records that a page has held. */
	private longest = 0;

	constructor(
		readonly settings: Settings,
		readonly statuses: StatusTable,
		known?: { unit: number | null; inclusive: number },
	) {
		this.unit = known?.unit ?? undefined;
		this.inclusive = known?.inclusive ?? 0;
		// Where only creation is watched, any number of statuses will do.
		const watched = watchesStatus(settings);
		this.indexOf = (status) => statuses.indexOf(watched ? status : '');
		this.pageSize = settings.pageSize ?? PAGE_SIZE.largest;
	}

	/** How many requests can still be made. */
	get left(): number {
		return this.full ? 0 : Math.max(0, this.unclaimed - this.reserve);
	}

	/** The same, including those kept for a later phase. */
	get unclaimed(): number {
		if (this.stopped) return 0;
		return Math.max(0, this.settings.maxRequestsPerPoll - this.requests - this.claimed);
	}

	/** Makes as many of the requests as the poll may; the others have no answer. */
	*ask(requests: LeadRequest[]): Steps<Array<LeadPage | undefined>> {
		const answers: Array<LeadPage | undefined> = [];
		while (answers.length < requests.length) {
			const batch = requests.slice(answers.length, answers.length + Math.min(BATCH, this.left));
			if (batch.length === 0) break;
			this.requests += batch.length;
			const reply = yield batch;
			this.stopped ||= reply.stop === true;
			batch.forEach((_, index) => answers.push(reply.answers[index]));
			for (const answer of reply.answers) {
				this.answered ||= answer !== undefined;
				this.requestsPerMinute = answer?.requestsPerMinute ?? this.requestsPerMinute;
			}
		}
		return requests.map((_, index) => answers[index]);
	}

	/** Requests lists. */
	*list(queries: LeadQuery[]): Steps<Array<Listed | undefined>> {
		const answers = yield* this.ask(queries.map((query) => ({ kind: 'list', query })));
		return answers.map((page, index) => page && this.open(page, queries[index].limit));
	}

	/** The query for the leads of [start, end), and a few more where the service compares coarsely. */
	query(start: number, end: number, more: Partial<LeadQuery> = {}): LeadQuery {
		// One less, because a bound may leave itself out. If it turns out that it does not, whole days more would come.
		const coarse = this.unit === UNIT.day;
		const before = coarse && this.inclusive & INCLUSIVE.after ? 0 : 1;
		const after = coarse && this.inclusive & INCLUSIVE.before ? -1 : 0;
		const bounded = this.unit !== UNIT.none;
		const { priority, source, tag, search } = this.settings.filters;
		return {
			page: 1,
			limit: this.pageSize,
			...(priority && { priority }),
			...(source && { source }),
			...(tag && { tag }),
			...(search && { search }),
			...(bounded && start !== -Infinity && { createdAfter: toIso(start - before) }),
			...(bounded && end !== Infinity && { createdBefore: toIso(end + after) }),
			...more,
		};
	}

	/** The latest unit of time that starts at or before a time. */
	floor(time: number): number {
		const unit = this.unit || UNIT.second;
		return Math.floor(time / unit) * unit;
	}

	private open(page: Page, limit: number): Listed {
		const leads: Lead[] = [];
		const seen = new Set<string>();
		let [rising, falling, last] = [true, true, NaN];
		let first: number | undefined;
		for (const record of page.records) {
			const lead = toLead(record, this.indexOf);
			if (!lead) {
				this.unreadable += 1;
				continue;
			}
			first ??= lead.createdAt;
			if (lead.createdAt < last) rising = false;
			if (lead.createdAt > last) falling = false;
			last = lead.createdAt;
			if (lead.createdAt > this.newest) this.newest = lead.createdAt;
			if (!seen.has(lead.id)) leads.push(lead);
			seen.add(lead.id);
		}
		const { length } = page.records;
		const total = page.total ?? (this.isAll(page, limit) ? length : undefined);
		this.longest = Math.max(this.longest, length);
		return {
			leads: leads.sort(inOrder),
			length,
			total,
			sorted: rising || falling,
			first,
			serverNow: page.serverNow,
		};
	}

	/** Whether a page without a total is the whole list. Pages may be smaller than requested. */
	private isAll({ records: { length }, totalPages, limit: stated }: Page, asked: number): boolean {
		if (totalPages !== undefined) return totalPages <= 1;
		// A service may repeat the limit of the request and ignore it.
		if (stated !== undefined && stated < asked) return length < stated;
		// A page of a size that nobody would choose is the end of the list.
		return length < asked && (length < this.longest || length % ROUND_SIZE !== 0 || length === 0);
	}
}

/** An answer with as many records as its total is complete, and was true at one moment. */
export function isWhole({ length, total }: Listed): boolean {
	return total !== undefined && length >= total;
}

function toIso(time: number): string {
	// Beyond the years that a date can hold, a bound means nothing.
	return new Date(Math.min(8.64e15, Math.max(-8.64e15, time))).toISOString();
}
