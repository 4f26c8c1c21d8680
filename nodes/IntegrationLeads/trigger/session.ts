/** The requests of one poll: how many may still be made, how they are bounded in time, and what the answers state. */
import { chunk } from 'lodash';

import type { Page } from '../transport/paginate';
import { isLast, PAGE_SIZE } from '../transport/paginate';
import { UserError } from '../userError';
import { Bounds } from '../windows/bounds';
import type { Listed, ReadSpan, Span } from '../windows/listed';
import { toListed } from '../windows/listed';
import { GONE } from './encoding';
import type { Lead } from './watchedLead';
import { toLead } from './watchedLead';
import type { State } from './state';
import { watchesStatus } from './state';
import type { Ask, LeadQuery, LeadRequest, Settings } from './types';

/** Requests that are made at the same time. After one that is not answered there are no more. */
export const AT_ONCE = 8;

export class Session {
	/** How many requests a minute the API key allows, when the service states it. */
	requestsPerMinute: number | undefined;
	/** Leads without a readable time of creation or id. */
	unreadable = 0;
	/** Some second holds more leads than a poll can read (about 2,000 with 60 requests); no bound comes between them. */
	tooManyInOneSecond = false;
	readonly pageSize: number;

	/** Requests that are kept for reading full leads. */
	kept = 0;
	/** Requests that are kept for a later phase. */
	reserve = 0;
	readonly bounds: Bounds;
	/** By the index that leads have. The list of statuses is not shown (spec part 3), so it grows. */
	readonly statuses: string[];
	private requests = 0;
	/** No more requests can be made. */
	private stopped = false;
	/** The most records that a page has held. */
	private longest = 0;

	constructor(
		private readonly send: Ask,
		readonly settings: Settings,
		known?: Pick<State, 'unit' | 'statuses'>,
	) {
		this.bounds = new Bounds(known?.unit ?? undefined);
		this.statuses = [...(known?.statuses ?? [])];
		this.pageSize = settings.pageSize ?? PAGE_SIZE.largest;
	}

	/** How many requests can still be made. */
	get left(): number {
		return Math.max(0, this.leftInAll - this.reserve);
	}

	/** The same, including those kept for a later phase. */
	get leftInAll(): number {
		if (this.stopped) return 0;
		return Math.max(0, this.settings.maxRequestsPerPoll - this.requests - this.kept);
	}

	/** Makes a request if the poll may make one more. */
	async ask(request: LeadRequest): Promise<Page | undefined> {
		if (this.left === 0) return undefined;
		this.requests += 1;
		const answer = await this.send(request);
		if (!answer) this.stopped = true;
		this.requestsPerMinute = answer?.requestsPerMinute ?? this.requestsPerMinute;
		return answer;
	}

	/**
	 * Reads a page of the leads of an interval, and a few more where the service compares coarsely.
	 *
	 * @throws UserError when there are more statuses than an entry has room for
	 */
	async readList(span: Span, more: Partial<LeadQuery> = {}): Promise<Listed<Lead> | undefined> {
		const { after, before } = this.bounds.toQuery(span);
		const query = {
			page: 1,
			limit: this.pageSize,
			...this.settings.filters,
			...(after !== undefined && { createdAfter: toIso(after) }),
			...(before !== undefined && { createdBefore: toIso(before) }),
			...more,
		};
		const page = await this.ask({ kind: 'list', query });
		return page && this.toList(page, query.limit);
	}

	/** A page of an interval, for reading by windows of time. */
	readonly readSpan: ReadSpan<Lead> = async (span, page) => await this.readList(span, { page });

	/** @param total how many leads there are where no bound comes between them */
	noticeSize(total: number): void {
		const pages = Math.ceil(total / Math.max(1, this.longest));
		if (pages > Math.max(1, this.settings.maxRequestsPerPoll / 3)) this.tooManyInOneSecond = true;
	}

	private toList(page: Page, limit: number): Listed<Lead> {
		const { length } = page.records;
		// A page of one lead that was asked for as such shows nothing.
		const isAll = length < Math.min(limit, this.longest) || isLast(page, limit);
		const total = page.total ?? (isAll ? length : undefined);
		const listed = toListed({ ...page, total }, (record) => {
			const lead = toLead(record, (status) => this.indexOf(status));
			if (!lead) this.unreadable += 1;
			return lead;
		});
		this.longest = Math.max(this.longest, length);
		return listed;
	}

	/** Where only creation is watched, statuses are not distinguished, and any number of them will do. */
	private indexOf(name: string): number {
		const status = watchesStatus(this.settings) ? name : '';
		const known = this.statuses.indexOf(status);
		if (known >= 0) return known;
		// Changes among those for which there is no room would go unseen.
		if (this.statuses.length === GONE) {
			throw new UserError(
				`The leads have more than ${GONE} different statuses`,
				'The trigger cannot tell so many apart. Set "Filters" so that it watches fewer leads, or watch "Lead Created" only.',
			);
		}
		return this.statuses.push(status) - 1;
	}
}

/** Makes requests for items, a few at the same time. */
export async function inBatches<Item, Answer>(
	items: Item[],
	ask: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
	const answers: Answer[] = [];
	for (const batch of chunk(items, AT_ONCE)) answers.push(...(await Promise.all(batch.map(ask))));
	return answers;
}

function toIso(time: number): string {
	// Beyond the years that a date can hold, a bound means nothing.
	return new Date(Math.min(8.64e15, Math.max(-8.64e15, time))).toISOString();
}
