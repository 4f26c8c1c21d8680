/**
 * Describes a request and what may come of it, and decides whether to send it again, and after how long: pure functions on plain
 * data.
 *
 * A 429 is refused before anything happens, so it may always be repeated. After any other failure only a `repeatable` request is
 * sent again, because the service may have carried out the first one.
 */
import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { ServiceRecord } from '../values/json';

/** A request before it is sent. `path` is below the prefix and already encoded. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	path: string;
	query: IDataObject;
	body?: unknown;
	/** Whether it may be sent again when it is unknown whether the first attempt was carried out. */
	repeatable: boolean;
	/**
	 * Looks for the record that an attempt has created whose answer was lost: a request that is not `repeatable` is sent again if
	 * there is none, and that record is its answer if there is one.
	 *
	 * @param firstSentAt when the first such attempt was sent, on {@link clock}
	 * @returns null if there is none, undefined if that is unknown
	 */
	findCreated?: (firstSentAt: number) => Promise<ServiceRecord | null | undefined>;
	/** An earlier try may have been carried out: its answer was lost. */
	mayHaveArrived?: boolean;
	/** Called before each attempt, when it no longer waits for the rate limit. */
	onSend?: () => void;
	/** A 404 is an answer too, with `data` undefined. */
	mayBeMissing?: boolean;
	/**
	 * Whether the body of a refusal is an answer with results of single records, which is then `data`.
	 *
	 * @param mayHaveArrived an attempt before it, or an earlier try, may have been carried out
	 */
	isAnswer?: (body: unknown, mayHaveArrived: boolean) => boolean;
}

/** An answer to an accepted request. `envelope` is the object that holds `data`, with its siblings; `serverNow` is the service's clock in ms, if shown. */
export interface Answer {
	status: number;
	/** Undefined for 204 and for a write answered without a body. */
	data: unknown;
	envelope: IDataObject;
	serverNow?: number;
	/** When the request was first sent, in ms on the service's clock or a little earlier, if shown. */
	serverSentAt?: number;
	/** An earlier attempt may have been carried out as well: its answer was lost. */
	isSentBefore?: boolean;
	/** It was accepted, but is not yet written (202): the answer may show the record as it was. */
	isAcceptedOnly?: boolean;
	/** `data` is the body of a refusal: see `isAnswer`. */
	failed?: boolean;
}

/** The result of one attempt. Times are milliseconds. */
export type ExchangeResult =
	/** 2xx with the service's envelope, or without a body. */
	| { kind: 'accepted'; status: number; data: unknown; envelope: IDataObject }
	/** Refused by status or by `success: false`. `body` is the answer where it is JSON. */
	| {
			kind: 'refused';
			status: number;
			code?: string;
			message?: string;
			retryAfterMs?: number;
			body?: unknown;
			/** Whether it lacks the form of the service (part 7), so that another server may have sent it. */
			isForeign?: boolean;
	  }
	/** The answer was cut off, or lacks the data asked for. */
	| { kind: 'broken'; status: number }
	/** No answer. `sent: false` when no connection was made, so the service received nothing. */
	| { kind: 'unreachable'; code: string; sent: boolean }
	/** The answer is not from the service. `shown` is an excerpt. */
	| { kind: 'otherServer'; status: number; shown: string };

export type Refusal = Extract<ExchangeResult, { kind: 'refused' }>;
export type Unsuccessful = Exclude<ExchangeResult, { kind: 'accepted' }>;

/** A request sent once, and what came of it. */
export interface Exchange {
	result: ExchangeResult;
	/** The headers of the answer, with names in lower case; absent if none came. */
	headers?: IDataObject;
}

/** The longest that one request waits between its attempts, in total. A window is a minute, so only a service that refuses everything reaches it. */
export const MAX_WAIT_MS = 15 * 60_000;
/** Refusals by the rate limit do not count as attempts. In an outage there are fewer, so that it is reported sooner. */
const MAX_ATTEMPTS = { inOutage: 3, whileOthersPass: 5 };
const BACKOFF_MS = { shortest: 250, longest: [1000, 4000, 8000, 8000] };
/** After `longest`, a window is over. A service that asks for a longer wait gets it. */
const RATE_LIMIT_WAIT_MS = { shortest: 1000, fallback: 5000, longest: 60_000 };

/** Too many requests, by status or by code (spec parts 5 and 7). */
export function isRateLimited(result: ExchangeResult): boolean {
	return (
		result.kind === 'refused' && (result.status === 429 || result.code === 'RATE_LIMIT_EXCEEDED')
	);
}

/** How long to wait after a refusal by the rate limit, in ms. */
export function rateLimitWaitMs(result: ExchangeResult): number {
	return Math.max(askedMs(result) ?? RATE_LIMIT_WAIT_MS.fallback, RATE_LIMIT_WAIT_MS.shortest);
}

function askedMs(result: ExchangeResult): number | undefined {
	return result.kind === 'refused' ? result.retryAfterMs : undefined;
}

/** Whether the service works: it accepted the request, or refused its content, the key or the rate. */
export function isHealthy(result: ExchangeResult): boolean {
	return result.kind !== 'otherServer' && !isTransient(result);
}

/**
 * How long to wait before a request is sent again. All of its waits share one budget, {@link MAX_WAIT_MS}.
 *
 * @param input.failures how often the request has failed, without refusals by the rate limit
 * @param input.waitedMs how long it has waited between its attempts so far
 * @param input.othersPass whether the service has answered other requests since it was first sent, so that it is not an outage
 * @param input.random a number in [0, 1)
 * @returns ms; undefined if it must not be sent again
 */
export function retryWaitMs(input: {
	result: ExchangeResult;
	repeatable: boolean;
	failures: number;
	waitedMs: number;
	othersPass: boolean;
	random: number;
}): number | undefined {
	const { result } = input;
	const leftMs = MAX_WAIT_MS - input.waitedMs;
	const mayRepeat = isTransient(result) && (input.repeatable || !isUnclear(result));
	const waitMs = isRateLimited(result)
		? waitAfterLimit(result, input.waitedMs, leftMs)
		: mayRepeat
			? waitInOutage(input)
			: Infinity;
	return waitMs <= leftMs ? waitMs : undefined;
}

/**
 * Without jitter: after the wait the rate limiter lets requests through one after another. A service that refuses again and
 * again, and asks for a second, gets a request after 1, 2, 4 … 60 seconds (spec 7: exponential backoff on 429).
 */
function waitAfterLimit(result: ExchangeResult, waitedMs: number, leftMs: number): number {
	const { shortest, longest } = RATE_LIMIT_WAIT_MS;
	return Math.max(rateLimitWaitMs(result), Math.min(waitedMs + shortest, longest, leftMs));
}

/** @returns Infinity after the last attempt */
function waitInOutage({
	result,
	failures,
	othersPass,
	random,
}: Parameters<typeof retryWaitMs>[0]): number {
	const mostAttempts = othersPass ? MAX_ATTEMPTS.whileOthersPass : MAX_ATTEMPTS.inOutage;
	if (failures + 1 >= mostAttempts) return Infinity;
	const { shortest, longest } = BACKOFF_MS;
	return Math.max(
		askedMs(result) ?? 0,
		Math.round(shortest + random * (longest[failures] - shortest)),
	);
}

/** Timeouts, server errors, broken connections and broken bodies, which may be over a moment later. */
export function isTransient(result: ExchangeResult): boolean {
	if (result.kind === 'refused') return result.status === 408 || result.status >= 500;
	return result.kind === 'broken' || result.kind === 'unreachable';
}

/** Whether no request with this key will be accepted any more (spec part 7). */
export function isRevoked(result: ExchangeResult): boolean {
	return result.kind === 'refused' && result.code === 'API_KEY_REVOKED';
}

/** Whether the service carried the request out is unknown: the answer was lost, cannot be read, or reports an outage. */
export function isUnclear(result: ExchangeResult): boolean {
	// A proxy may have replaced the answer.
	if (result.kind === 'otherServer') return result.status < 300;
	return isTransient(result) && (result.kind !== 'unreachable' || result.sent);
}

/** Whether the service may still be processing the request after we stopped waiting. */
export function mayStillRun(result: ExchangeResult): boolean {
	if (result.kind === 'unreachable') return /^(ECONNABORTED|E\w*TIMEDOUT)$/.test(result.code);
	return result.kind === 'refused' && result.status === 504;
}

/** The answer that a refusal holds, see `mayBeMissing` and `isAnswer` of {@link ServiceRequest}; undefined if it holds none. */
export function answerInRefusal(
	result: ExchangeResult,
	{ method, mayBeMissing, isAnswer }: ServiceRequest,
	mayHaveArrived: boolean,
): Answer | undefined {
	if (result.kind !== 'refused') return undefined;
	const { status, body } = result;
	// A DELETE whose answer was lost: now that the record is gone, it was carried out.
	if (status === 404 && (mayBeMissing || (method === 'DELETE' && mayHaveArrived))) {
		return { status, data: undefined, envelope: {} };
	}
	if (isOfContent(result) && isAnswer?.(body, mayHaveArrived)) {
		return { status, data: body, envelope: {}, failed: true };
	}
	return undefined;
}

/** Codes of refusals that concern the key, with any status (spec part 7). */
const CODES_OF_KEY = ['UNAUTHORIZED', 'FORBIDDEN', 'API_KEY_REVOKED'];

/** Whether the service refused the content of the request, and not the key, the address or the moment. */
function isOfContent(refusal: Refusal): boolean {
	const { status, code } = refusal;
	if (isRateLimited(refusal) || CODES_OF_KEY.includes(code ?? '')) return false;
	return [400, 409, 422].includes(status) || (status >= 200 && status < 300);
}
