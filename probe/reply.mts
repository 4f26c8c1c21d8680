import { parseList, parseRecord } from '../nodes/IntegrationLeads/contract/envelope.ts';
import { isRecord, type ServiceRecord } from '../nodes/IntegrationLeads/values/json.ts';
import { parseResponse } from '../nodes/IntegrationLeads/transport/response.ts';
import type { ExchangeResult } from '../nodes/IntegrationLeads/transport/request.ts';
import { operationOf } from '../openapi.mts';

/** A request as it was sent; `path` is below the API prefix. */
export interface Sent {
	method: string;
	path: string;
	query: ServiceRecord;
	body?: ServiceRecord;
}

/** What came back, whatever its status. */
export interface Answer {
	status: number;
	/** Names in lower case. */
	headers: Record<string, string>;
	text: string;
	/** In epoch milliseconds. */
	receivedAt: number;
	/** What the node reads of it. */
	outcome: ExchangeResult;
}

/** One request and what came back. */
export interface Reply extends Answer {
	operation: string;
	/** Distinguishes it from other requests for the same operation. */
	name: string;
	sent: Sent;
	/** Whether the request was to create something new. */
	creates: boolean;
	/** Whether it was sent with the user's key. */
	ownKey: boolean;
	/** Whether it was sent to be refused, and shows nothing else of the operation. */
	provokes: boolean;
}

/** An answer, read as the node reads it. */
export function toAnswer(method: string, given: Omit<Answer, 'outcome'>): Answer {
	const { status: statusCode, headers, text: body, receivedAt } = given;
	return { ...given, outcome: parseResponse(method, { statusCode, headers, body }, receivedAt) };
}

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isSuccess = ({ outcome }: Answer) => outcome.kind === 'accepted';
export const hasBody = ({ text }: Answer) => text.trim() !== '';

/** The data of a successful answer, with or without an envelope. */
export const dataOf = ({ outcome }: Answer) =>
	outcome.kind === 'accepted' ? outcome.data : undefined;

const siblingsOf = ({ outcome }: Answer) => (outcome.kind === 'accepted' ? outcome.envelope : {});

/** Whether the answer is in the envelope of success (spec parts 1 and 4). */
export const isEnveloped = (answer: Answer) => siblingsOf(answer).success === true;

/** The code and the message of a failure (spec part 7), as far as it has them. */
export const errorOf = ({ outcome }: Answer): { code?: string; message?: string } =>
	outcome.kind === 'refused' ? outcome : {};

/** The kind of record of which an operation gives one, or a list; undefined when it gives the other. */
export function kindOf(operation: string, many: boolean): string | undefined {
	const { answers, record, many: isMany } = operationOf(operation);
	if (!record || isMany !== many) return undefined;
	return many ? answers.slice(0, -1) : answers;
}

/** The record of an answer, as the node finds it. */
export function recordOf(reply: Reply | undefined): ServiceRecord | undefined {
	const kind = reply && kindOf(reply.operation, false);
	return kind ? parseRecord(dataOf(reply), kind) : undefined;
}

/** The records of a list, as the node finds them; undefined when it finds no list. */
export function listOf(reply: Reply | undefined): ServiceRecord[] | undefined {
	if (!reply || !kindOf(reply.operation, true)) return undefined;
	const { answers } = operationOf(reply.operation);
	return parseList(dataOf(reply), answers, siblingsOf(reply))?.records;
}

/** The pagination object, and whether it is in the data or a sibling of it. */
export function paginationOf(reply: Reply) {
	const data = dataOf(reply);
	const inside = isRecord(data) && isRecord(data.pagination);
	const numbers = inside ? data.pagination : siblingsOf(reply).pagination;
	return isRecord(numbers) ? { inside, numbers } : undefined;
}

export const idOf = (record: ServiceRecord | undefined) =>
	isText(record?.id) ? record.id : undefined;

/** Values that identify a person are kept out of reports. */
const personal = ['email', 'phone', 'search'];

/** `GET /leads?limit=100`, for people. */
export function nameOf({ sent: { method, path, query } }: Reply): string {
	const shown = (name: string) => (personal.includes(name) ? '…' : String(query[name]));
	const pairs = Object.keys(query).map((name) => `${name}=${shown(name)}`);
	return `${method} ${path}${pairs.length ? '?' : ''}${pairs.join('&')}`;
}

/** `404 NOT_FOUND: Lead was not found`, for people. */
export function outcomeOf(answer: Answer): string {
	const { code, message } = errorOf(answer);
	const words = [answer.status, code].filter(Boolean).join(' ');
	return message ? `${words}: ${message}` : words;
}

/** `GET /leads/a answered 404 NOT_FOUND: …`, for people. */
export const answerOf = (reply: Reply) => `${nameOf(reply)} answered ${outcomeOf(reply)}`;
