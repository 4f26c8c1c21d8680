/** Makes the requests of one poll: counts them, bounds them in time, and keeps what the answers show. */
import { chunk, memoize, uniq, uniqBy } from 'lodash';

import { tagsOf } from '../contract/records';
import { isLast, PAGE_SIZE, type Page } from '../transport/paginate';
import type { ServiceRecord } from '../values/json';
import { isSameWord } from '../values/words';
import { UserError } from '../userError';
import { Bounds } from './bounds';
import { readFull, toLead, type LeadPage, type ReadSpan } from './leads';
import { watchesStatus, type State } from './state';
import { MAX_STATUSES, UNKNOWN_STATUS } from './timeline';
import type { Ask, LeadRequest, Notice, Settings } from './types';

/** How many requests are made at the same time. What one batch shows may make the next unnecessary. */
const AT_ONCE = 8;
/** How fast this machine's clock may be. */
const CLOCK_SKEW_MS = 10 * 60_000;

export class PollSession {
	/** The service's clock at the first list, or an earlier time if answers do not state it (ms). */
	firstReadAt?: number;
	readonly notices = new Set<Notice>();
	readonly pageSize: number;
	readonly bounds: Bounds;
	/** All statuses seen so far. Entries store their index. */
	readonly statuses: string[];
	/** All tags watched so far. Buckets store their indexes. */
	readonly tags: string[];
	/** The indexes of those that are watched now. */
	readonly watchedTags: number[];
	/** How many requests are kept for a later phase. */
	private reserve = 0;
	private requests = 0;
	/** Whether no more requests can be made. */
	private stopped = false;
	/** The most records that a page has had. */
	private longest = 0;

	constructor(
		private readonly send: Ask,
		readonly settings: Settings,
		readonly now: number,
		known?: Pick<State, 'unit' | 'statuses' | 'tags'>,
	) {
		this.bounds = new Bounds(known?.unit ?? undefined);
		this.statuses = [...(known?.statuses ?? [])];
		this.tags = [...(known?.tags ?? [])];
		this.watchedTags = settings.tags.map((name) => this.indexOfTag(name));
		this.pageSize = settings.pageSize ?? PAGE_SIZE.largest;
	}

	/** Carries out work that leaves a third of the requests to what comes after it. */
	async keepingThird(work: () => Promise<void>): Promise<void> {
		this.reserve = Math.ceil(this.settings.maxRequestsPerPoll / 3);
		await work();
		this.reserve = 0;
	}

	/** Makes a request if the poll may make one more. */
	async ask(request: LeadRequest): Promise<Page | undefined> {
		const { maxRequestsPerPoll } = this.settings;
		if (this.stopped || this.requests + this.reserve >= maxRequestsPerPoll) return undefined;
		this.requests += 1;
		const answer = await this.send(request);
		if (!answer) this.stopped = true;
		return answer;
	}

	/** Reads a lead individually, with its contact if events have the full lead. */
	async readLead(id: string): Promise<Page | undefined> {
		const ask: Ask = async (request) => await this.ask(request);
		return this.settings.includeFullLead
			? await readFull(ask, id)
			: await ask({ kind: 'lead', id });
	}

	/** Reads a page of the leads of an interval. If the service compares coarsely, it has a few leads more. */
	readonly readSpan: ReadSpan = async (span, page) => {
		const { after, countBefore: until } = this.bounds.toQuery(span);
		const query = {
			page,
			limit: this.pageSize,
			...this.settings.filters,
			...(after !== undefined && { createdAfter: toIso(after) }),
			...(until !== undefined && { createdBefore: toIso(until) }),
		};
		const answer = await this.ask({ kind: 'list', query });
		if (!answer) return undefined;
		this.firstReadAt ??= answer.serverNow ?? this.now - CLOCK_SKEW_MS;
		return this.toListed(answer);
	};

	/**
	 * The index of a status; {@link UNKNOWN_STATUS} if only creation is watched.
	 *
	 * @throws UserError if there are more statuses than entries can store
	 */
	indexOf(name: string): number {
		if (!watchesStatus(this.settings)) return UNKNOWN_STATUS;
		const known = this.statuses.indexOf(name);
		if (known >= 0) return known;
		// Changes between the statuses that do not fit would go unseen.
		if (this.statuses.length === MAX_STATUSES) {
			throw new UserError(
				`The leads have more than ${MAX_STATUSES} different statuses`,
				'The trigger cannot tell so many apart. Set "Filters" so that it watches fewer leads, or watch "Lead Created" only.',
			);
		}
		return this.statuses.push(name) - 1;
	}

	/** The indexes of the watched tags that a lead has. One that shows no tags has none. */
	watchedTagsOf(lead: ServiceRecord): number[] {
		if (this.watchedTags.length === 0) return [];
		return uniq((tagsOf(lead) ?? []).flatMap(this.watchedWithName));
	}

	/** The index of the watched tag with a name, if there is one. */
	private readonly watchedWithName = memoize((name: unknown): number[] =>
		this.watchedTags.filter((index) => isSameWord(this.tags[index], name)),
	);

	private indexOfTag(name: string): number {
		const known = this.tags.findIndex((tag) => isSameWord(tag, name));
		if (known < 0) return this.tags.push(name) - 1;
		this.tags[known] = name;
		return known;
	}

	/** Warns if one poll cannot read `total` leads that no bound can separate: with 60 requests, 2,000 can be read. */
	noticeSize(total: number): void {
		const pages = Math.ceil(total / Math.max(1, this.longest));
		const most = Math.max(1, this.settings.maxRequestsPerPoll / 3);
		if (pages > most) this.notices.add('tooManyInOneSecond');
	}

	private toListed(page: Page): LeadPage {
		const { length } = page.records;
		const isAll = length < this.longest || isLast(page, this.pageSize);
		const total = page.total ?? (isAll ? length : undefined);
		const leads = page.records.map(toLead).filter((lead) => lead !== undefined);
		if (leads.length < length) this.notices.add('noCreationTime');
		this.longest = Math.max(this.longest, length);
		return { ...page, total, leads: uniqBy(leads, 'id') };
	}
}

/** Works on items a few at a time. Not {@link inParallel}: what the first answers show may change what is done next. */
export async function inBatches<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
	for (const batch of chunk(items, AT_ONCE)) await Promise.all(batch.map(work));
}

function toIso(time: number): string {
	// No lead is older or newer than the dates that JavaScript can represent.
	return new Date(Math.min(8.64e15, Math.max(-8.64e15, time))).toISOString();
}
