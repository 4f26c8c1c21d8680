import type { ServiceRecord } from '../../nodes/IntegrationLeads/contract/envelope.ts';
import { operationOf } from '../../openapi.mts';
import type { Send, WhichKey } from '../client.mts';
import { Evidence } from '../evidence.mts';
import { idOf, listOf, recordOf, type Reply } from '../reply.mts';
import { Ledger } from './ledger.mts';

/** How an operation is asked for. A value that is undefined means that there is nothing to ask with. */
export interface Request {
	/** Its name, where that is not the operation's. */
	as?: string;
	path?: Record<string, string | undefined>;
	query?: ServiceRecord;
	body?: ServiceRecord;
	/** What it creates, in a word for the user. */
	creates?: string;
	key?: WhichKey;
	/** It is to be refused. */
	provokes?: true;
}

/** Sends requests, and keeps what was answered, what could not be asked, and what was created. */
export class Survey extends Evidence {
	readonly ledger = new Ledger();

	/** @param signal cancels it, until what was created has to be cleaned up */
	constructor(
		private readonly send: Send,
		public signal?: AbortSignal,
	) {
		super();
	}

	/**
	 * @param operation its id in openapi.yaml
	 * @returns undefined when there was nothing to ask with
	 * @throws ProbeProblem when no answer came; the signal's reason when cancelled
	 */
	async ask(operation: string, request: Request = {}): Promise<Reply | undefined> {
		const { as: name = operation, path = {}, query = {}, body, creates, key = 'own' } = request;
		const given = { ...path, ...query, ...body };
		const absent = Object.keys(given).find((member) => given[member] === undefined);
		if (absent) {
			this.skipped.set(name, `there is no ${absent} to ask with`);
			return undefined;
		}
		this.signal?.throwIfAborted();
		const { method, path: template } = operationOf(operation);
		const filled = template.replace(/\{(\w+)\}/g, (_, part: string) =>
			encodeURIComponent(path[part] ?? ''),
		);
		const sent = { method, path: filled, query, body };
		const entries = this.ledger.begin(operation, body, creates);
		const answer = await this.send(sent, key, this.signal);
		const about = { creates: creates !== undefined, ownKey: key === 'own' };
		const reply = { ...answer, ...about, operation, name, sent, provokes: !!request.provokes };
		this.ledger.end(entries, answer.status, idOf(recordOf(reply)));
		this.replies.push(reply);
		return reply;
	}

	/** The same; the records of a list, as far as it was answered. */
	async list(operation: string, request: Request): Promise<ServiceRecord[]> {
		return listOf(await this.ask(operation, request)) ?? [];
	}
}
