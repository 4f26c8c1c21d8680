import { operationOf, type Kind, type OperationName } from './operations.mts';

export type Json = Record<string, unknown>;

/** A request as it was sent; `path` is below the API prefix. */
export interface Sent {
	method: string;
	path: string;
	query: Json;
	body?: Json;
}

/** What came back, whatever its status. */
export interface Answer {
	status: number;
	/** Names in lower case. */
	headers: Record<string, string>;
	/** The parsed body; undefined without one, or when it is not JSON. */
	body?: unknown;
	/** A body that is not JSON. */
	foreign?: string;
	/** When it came, in epoch milliseconds. */
	at: number;
}

/** One request and what came back. */
export interface Reply extends Answer {
	operation: OperationName;
	/** Tells it from other requests for the same operation. */
	name: string;
	sent: Sent;
	/** Whether the request was to create something new. */
	creates: boolean;
	/** Whether it was sent with the user's key. */
	ownKey: boolean;
	/** Whether it was sent to be refused, and says nothing about what else the operation does. */
	provokes: boolean;
}

export const isJson = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const isText = (value: unknown): value is string => typeof value === 'string';

export const isSuccess = ({ status, body }: Answer) =>
	status >= 200 && status < 300 && !(isJson(body) && body.success === false);

/** Whether the answer is in the envelope of success (spec parts 1 and 4). */
export const isEnveloped = ({ body }: Answer) =>
	isJson(body) && body.success === true && 'data' in body;

/** The data of a successful answer, with or without an envelope. */
export function dataOf(reply: Answer): unknown {
	return isEnveloped(reply) ? (reply.body as Json).data : reply.body;
}

/** The error of a failure (spec part 7), as far as it has one. */
export function errorOf({ body }: Answer): Json {
	return isJson(body) && isJson(body.error) ? body.error : {};
}

/** The name under which a record or list of this operation is expected. */
export function memberOf({ operation }: Reply): string {
	const { answers } = operationOf(operation);
	if (!answers) return '';
	return 'one' in answers ? answers.one : `${answers.many}s`;
}

/** The kind of record an operation answers with one of, or with a list of. */
export function kindOf({ operation }: Reply, how: 'one' | 'many'): Kind | undefined {
	const { answers } = operationOf(operation);
	return answers && (answers as Partial<Record<typeof how, Kind>>)[how];
}

/** The record of an answer: the data itself, or what stands under its name; undefined without one. */
export function recordOf(reply: Reply | undefined): Json | undefined {
	if (!reply || !isSuccess(reply) || !kindOf(reply, 'one')) return undefined;
	const data = dataOf(reply);
	if (!isJson(data)) return undefined;
	const named = data[memberOf(reply)];
	return isJson(named) ? named : data;
}

/** The only array in the data, or the data when it is one. */
export function onlyArray(data: unknown): unknown[] | undefined {
	if (Array.isArray(data)) return data;
	const arrays = isJson(data) ? Object.values(data).filter((value) => Array.isArray(value)) : [];
	return arrays.length === 1 ? arrays[0] : undefined;
}

/** The records of a list, wherever it stands; undefined when there is none to be found. */
export function listOf(reply: Reply | undefined): Json[] | undefined {
	if (!reply || !isSuccess(reply) || !kindOf(reply, 'many')) return undefined;
	const data = dataOf(reply);
	const named = isJson(data) ? data[memberOf(reply)] : undefined;
	const list = Array.isArray(named) ? (named as unknown[]) : onlyArray(data);
	return list?.filter(isJson);
}

/** The pagination object, and whether it stands in the data or beside it. */
export function paginationOf(reply: Reply): { where: 'inside' | 'beside'; numbers: Json } | null {
	const data = dataOf(reply);
	if (isJson(data) && isJson(data.pagination)) return { where: 'inside', numbers: data.pagination };
	const { body } = reply;
	if (isJson(body) && isJson(body.pagination)) return { where: 'beside', numbers: body.pagination };
	return null;
}

export const idOf = (record: Json | undefined) => (isText(record?.id) ? record.id : undefined);

/** What people are found by is nobody's business in a report. */
const personal = ['email', 'phone', 'search'];

/** `GET /leads?limit=100`, for people. */
export function nameOf({ sent: { method, path, query } }: Reply): string {
	const shown = (name: string) => (personal.includes(name) ? '…' : String(query[name]));
	const pairs = Object.keys(query).map((name) => `${name}=${shown(name)}`);
	return `${method} ${path}${pairs.length ? '?' : ''}${pairs.join('&')}`;
}

/** `404 NOT_FOUND: Lead was not found`, for people. */
export function outcomeOf(reply: Answer): string {
	const { code, message } = errorOf(reply);
	const words = [reply.status, code].filter(Boolean).join(' ');
	return isText(message) ? `${words}: ${message}` : words;
}

/** `GET /leads/a answered 404 NOT_FOUND: …`, for people. */
export const answerOf = (reply: Reply) => `${nameOf(reply)} answered ${outcomeOf(reply)}`;
