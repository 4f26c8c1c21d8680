/** Runs one poll, and adds what its requests and its state show. */
import { storedBucket } from '../../nodes/IntegrationLeads/watch/timeline';
import { poll } from '../../nodes/IntegrationLeads/watch/poll';
import type { PollResult } from '../../nodes/IntegrationLeads/watch/state';
import type { Ask, Settings } from '../../nodes/IntegrationLeads/watch/types';
import type { ModelService } from './service.mts';

/** Everything is watched, in any account, with the default number of requests. */
export const settings: Settings = {
	triggerOn: ['lead.created', 'lead.statusChanged'],
	fromStatus: [],
	toStatus: [],
	tags: [],
	filters: {},
	watchWithinDays: 0,
	emitSince: Infinity,
	maxRequestsPerPoll: 60,
	process: 'one',
	repeatOthersBefore: Infinity,
	includeFullLead: false,
	account: 'test',
};

export interface Polled extends PollResult {
	requests: number;
	/** Buckets that were never read: 0 when the baseline is complete. */
	unread: number;
	/** Every bucket was read whole in this poll, and all events were emitted. */
	complete: boolean;
}

/** @returns undefined when nothing was answered */
export async function pollWith(
	...[stored, how, now, ask]: Parameters<typeof poll>
): Promise<Polled | undefined> {
	let requests = 0;
	const counted: Ask = async (request) => {
		requests += 1;
		return await ask(request);
	};
	const result = await poll(stored, how, now, counted);
	if (!result) return undefined;
	const buckets = result.state.buckets.map((each) => storedBucket.parse(each));
	const unread = buckets.filter(({ readAt }) => readAt === null).length;
	const complete = buckets.every(({ pollNumber }) => pollNumber === result.state.pollNumber);
	return { ...result, requests, unread, complete };
}

/** A poll of a service that answers everything; the next one is a minute later. */
export async function pollService(
	service: ModelService,
	state: unknown,
	changed: Partial<Settings> = {},
	ask: Ask = service.ask,
): Promise<Polled> {
	const result = await pollWith(state, { ...settings, ...changed }, service.now, ask);
	service.now += 60_000;
	return result!;
}
