/** Runs a computation that makes requests. */
import { readRecord } from '../contract/envelope';
import type { IDataObject } from 'n8n-workflow';

import { toPage } from '../transport/page';
import { encodeSegment } from '../transport/path';
import type { Client } from '../transport/send';
import type { LeadPage, LeadRequest, Steps } from './types';

/** Sends a request. */
export type Ask = (request: LeadRequest) => Promise<LeadPage>;

/** Sends requests through the transport, which paces and repeats them and explains failures. */
export function askService(client: Client): Ask {
	return async (request) => {
		const about = { action: 'Watch leads', scope: 'leads:read', targets: [] };
		const read = { method: 'GET' as const, repeatable: true };
		if (request.kind === 'list') {
			const query = { ...request.query } as IDataObject;
			const answer = await client.send({ ...read, path: '/leads', query }, about);
			return { ...toPage('leads', answer), requestsPerMinute: answer.requestsPerMinute };
		}
		const path = `/leads/${encodeSegment(request.id, 'Lead', false)}`;
		const answer = await client.send({ ...read, path, query: {}, mayBeMissing: true }, about);
		const record = readRecord(answer.data, 'lead');
		return { records: record ? [record] : [], serverNow: answer.serverNow };
	};
}

/**
 * Runs the computation to its end. After the first request that fails it makes no more; what was answered by then is
 * used.
 *
 * @param hasTime whether there is time for another batch
 */
export async function drive<T>(
	steps: Steps<T>,
	ask: Ask,
	hasTime: () => boolean,
): Promise<{ result: T; failure?: Error }> {
	let failure: Error | undefined;
	let step = steps.next({ answers: [] });
	while (!step.done) {
		const settled = await Promise.allSettled(step.value.map(ask));
		for (const each of settled) {
			// A request that was cut off because time is up is not a failure of the service.
			if (each.status === 'rejected' && hasTime()) failure ??= toError(each.reason);
		}
		const answers = settled.map((each) => (each.status === 'fulfilled' ? each.value : undefined));
		step = steps.next({ answers, stop: failure !== undefined || !hasTime() });
	}
	return { result: step.value, failure };
}

function toError(reason: unknown): Error {
	return reason instanceof Error ? reason : new Error(String(reason));
}
