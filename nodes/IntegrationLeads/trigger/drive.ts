/** Lets a computation ask the service. */
import { readRecord } from '../contract/envelope';
import type { IDataObject } from 'n8n-workflow';

import { toPage } from '../transport/page';
import type { Page } from '../transport/paginate';
import { encodeSegment } from '../transport/path';
import type { Client } from '../transport/send';
import type { LeadRequest, Steps } from './types';

/** Carries a request out. */
export type Ask = (request: LeadRequest) => Promise<Page>;

/** Requests as the transport sends them: paced, repeated where the service fails, with failures in words. */
export function askService(client: Client): Ask {
	return async (request) => {
		const about = { action: 'Watch leads', scope: 'leads:read', targets: [] };
		const read = { method: 'GET' as const, repeatable: true };
		if (request.kind === 'list') {
			const query = { ...request.query } as IDataObject;
			return toPage('leads', await client.send({ ...read, path: '/leads', query }, about));
		}
		const path = `/leads/${encodeSegment(request.id, 'Lead', false)}`;
		const answer = await client.send({ ...read, path, query: {}, mayBeMissing: true }, about);
		const record = readRecord(answer.data, 'lead');
		return { records: record ? [record] : [], serverNow: answer.serverNow };
	};
}

/**
 * Runs the computation to its end. The first request that fails stops it from asking more; what was answered by then
 * is used.
 *
 * @param mayGoOn whether there is time for another batch
 */
export async function drive<T>(
	steps: Steps<T>,
	ask: Ask,
	mayGoOn: () => boolean,
): Promise<{ result: T; failure?: Error }> {
	let failure: Error | undefined;
	let step = steps.next({ answers: [] });
	while (!step.done) {
		const settled = await Promise.allSettled(step.value.map(ask));
		for (const each of settled) {
			// A request that was cut off because time is up is not a failure of the service.
			if (each.status === 'rejected' && mayGoOn()) failure ??= toError(each.reason);
		}
		const answers = settled.map((each) => (each.status === 'fulfilled' ? each.value : undefined));
		step = steps.next({ answers, stop: failure !== undefined || !mayGoOn() });
	}
	return { result: step.value, failure };
}

function toError(reason: unknown): Error {
	return reason instanceof Error ? reason : new Error(String(reason));
}
