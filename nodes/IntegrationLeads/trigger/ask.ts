/** The requests of a poll, sent through the transport, which paces and repeats them and explains failures. */
import type { IDataObject } from 'n8n-workflow';

import { readOne, toPage } from '../transport/read';
import type { Page } from '../transport/paginate';
import { encodeSegment } from '../transport/path';
import type { Client } from '../transport/send';
import type { Ask, LeadRequest } from './types';

/** Makes one request. It throws what the transport throws. */
export type Send = (request: LeadRequest) => Promise<Page>;

export function sendWith(client: Client): Send {
	return async (request) => {
		const about = { action: 'Watch leads', scope: 'leads:read', targets: [] };
		if (request.kind === 'list') {
			const query = { ...request.query } as IDataObject;
			const list = { method: 'GET', path: '/leads', query, repeatable: true } as const;
			return toPage('leads', await client.send(list, about));
		}
		const path = `/leads/${encodeSegment(request.id, 'Lead', false)}`;
		const { record } = await readOne(client, path, 'lead', about);
		return { records: record ? [record] : [] };
	};
}

/** Makes requests until one fails or time is up; what was answered by then is used. */
export class Requests {
	/** The first one. */
	failure?: Error;

	constructor(
		private readonly send: Send,
		private readonly hasTime: () => boolean,
	) {}

	readonly ask: Ask = async (request) => {
		if (this.failure || !this.hasTime()) return undefined;
		try {
			return await this.send(request);
		} catch (reason) {
			// A request that was cut off because time is up is not a failure of the service.
			if (this.hasTime())
				this.failure ??= reason instanceof Error ? reason : new Error(String(reason));
			return undefined;
		}
	};
}
