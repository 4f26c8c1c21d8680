import type { Client, WhichKey } from '../client.mts';
import { operationOf, type OperationName } from '../operations.mts';
import { idOf, recordOf, type Json, type Reply } from '../reply.mts';
import { Ledger } from './ledger.mts';

/** How an operation is asked for. A value that is undefined means that there is nothing to ask with. */
export interface Request {
	/** Its name, where that is not the operation's. */
	as?: string;
	path?: Record<string, string | undefined>;
	query?: Json;
	body?: Json;
	/** What it creates, in a word for the user. */
	creates?: string;
	key?: WhichKey;
	/** It is to be refused. */
	provokes?: true;
}

/** Asks, and remembers what was answered, what could not be asked, and what was created. */
export class Survey {
	readonly replies: Reply[] = [];
	/** Why a request was not sent, by its name. */
	readonly skipped = new Map<string, string>();
	readonly ledger = new Ledger();

	constructor(
		private readonly client: Client,
		private signal?: AbortSignal,
	) {}

	/** From here on, cancelling is too late: what was created has to be cleaned up. */
	ignoreCancel(): void {
		this.signal = undefined;
	}

	/**
	 * @returns undefined when there was nothing to ask with
	 * @throws ProbeProblem when no answer came; the signal's reason when cancelled
	 */
	async ask(operation: OperationName, request: Request = {}): Promise<Reply | undefined> {
		const { as: name = operation, path = {}, query = {}, body, creates, key = 'own' } = request;
		const { provokes = false } = request;
		const given = { ...path, ...query, ...body };
		const absent = Object.keys(given).find((member) => given[member] === undefined);
		if (absent) {
			this.skipped.set(name, `there is no ${absent} to ask with`);
			return undefined;
		}
		this.signal?.throwIfAborted();
		const [method, template] = operationOf(operation).route.split(' ');
		const filled = template.replace(/\{(\w+)\}/g, (_, part: string) =>
			encodeURIComponent(path[part] ?? ''),
		);
		const sent = { method, path: filled, query, body };
		const entry = this.ledger.begin(operation, body, creates);
		const answer = await this.client.send(sent, key, this.signal);
		const about = { creates: creates !== undefined, ownKey: key === 'own', provokes };
		const reply = { ...answer, operation, name, sent, ...about };
		this.ledger.end(entry, answer.status, idOf(recordOf(reply)));
		this.replies.push(reply);
		return reply;
	}
}
