import { isRecord, type ServiceRecord } from '../../nodes/IntegrationLeads/values/json.ts';
import { operationOf } from '../../openapi.mts';
import type { Send, WhichKey } from '../client.mts';
import {
	hasBody,
	idOf,
	isSuccess,
	isText,
	kindOf,
	listOf,
	recordOf,
	type Reply,
} from '../reply.mts';

/** Something the probe created. */
export interface Made {
	kind: string;
	/** What it is, for the user. */
	label: string;
	/** Unknown when the answer did not show it. */
	id?: string;
	/** A lead's; by this it can be deleted. */
	externalId?: string;
}

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
export class Survey {
	/** In the order in which they came. */
	readonly replies: Reply[] = [];
	/** An entry is made before the request is sent: when the answer is lost, the record may exist. */
	made: readonly Made[] = [];
	/** Why a request was not sent, by its name. */
	private readonly skipped = new Map<string, string>();

	/** @param signal cancels it, until what was created has to be cleaned up */
	constructor(
		private readonly send: Send,
		public signal?: AbortSignal,
	) {}

	/**
	 * @param operation its id in openapi.yaml
	 * @returns undefined when there was nothing to ask with
	 * @throws ProbeError when no answer came; the signal's reason when cancelled
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
		const entries = creates === undefined ? [] : entriesOf(operation, body, creates);
		this.made = [...this.made, ...entries];
		const answer = await this.send(sent, key, this.signal);
		const about = { creates: creates !== undefined, ownKey: key === 'own' };
		const reply = { ...answer, ...about, operation, name, sent, provokes: !!request.provokes };
		for (const entry of entries) entry.id = idOf(recordOf(reply));
		// What was refused was not created.
		if (answer.status >= 300 && answer.status < 500) this.forget(...entries);
		this.replies.push(reply);
		return reply;
	}

	/** The same; the records of a list, as far as it was answered. */
	async list(operation: string, request: Request): Promise<ServiceRecord[]> {
		return listOf(await this.ask(operation, request)) ?? [];
	}

	forget(...entries: Made[]): void {
		this.made = this.made.filter((entry) => !entries.includes(entry));
	}

	/** Gives ids that were found by reading to what was created without one. */
	identify(kind: string, records: ServiceRecord[]): void {
		const known = this.made.map(({ id }) => id);
		const free = records.map(idOf).filter((id) => id && !known.includes(id));
		for (const entry of this.made) if (entry.kind === kind) entry.id ??= free.shift();
	}

	/** Successful answers with a body, of operations that give one record. */
	ones = (kind?: string): Reply[] => this.answered(false, kind);

	/** The same, of operations that read a list. */
	lists = (kind?: string): Reply[] =>
		this.answered(true, kind).filter(({ sent }) => sent.method === 'GET');

	/** Every record of this kind in lists. */
	listed = (kind: string) => this.lists(kind).flatMap((reply) => listOf(reply) ?? []);

	/** The same, and those read alone. */
	records = (kind: string): ServiceRecord[] =>
		this.listed(kind).concat(this.ones(kind).map(recordOf).filter(isRecord));

	of = (operation: string) => this.replies.filter((reply) => reply.operation === operation);

	named = (name: string) => this.replies.find((reply) => reply.name === name);

	/** Why there is no reply of this name. */
	whyNot = (name: string) => this.skipped.get(name) ?? 'not asked';

	private answered(many: boolean, kind?: string): Reply[] {
		return this.replies.filter((reply) => {
			const its = kindOf(reply.operation, many);
			return its && (!kind || its === kind) && isSuccess(reply) && hasBody(reply);
		});
	}
}

/** What a request is about to create. */
function entriesOf(operation: string, body: ServiceRecord = {}, label: string): Made[] {
	const kind = kindOf(operation, false) ?? 'lead';
	const bodies = Array.isArray(body.leads) ? (body.leads as ServiceRecord[]) : [body];
	return bodies.map(({ externalId }): Made => {
		return { kind, label, ...(isText(externalId) && { externalId }) };
	});
}
