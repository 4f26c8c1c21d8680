/** Describes a request before it is sent, and its answer. */
import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import type { ExchangeResult, Refusal } from './retry';
import { isRateLimited } from './retry';
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
	mayBeRecorded?: boolean;
	/** Called before each attempt, when it no longer waits for the rate limit. */
	onSend?: () => void;
	/** A 404 is an answer too, with `data` undefined. */
	mayBeMissing?: boolean;
	/**
	 * Whether the body of a refusal is an answer with results of single records, which is then `data`.
	 *
	 * @param isSentBefore an attempt before it may have been carried out
	 */
	isAnswer?: (body: unknown, isSentBefore: boolean) => boolean;
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

/** The options for n8n's HTTP client. */
export function toHttpOptions({
	method,
	query,
	body,
}: ServiceRequest): Omit<IHttpRequestOptions, 'url'> {
	const contentType = body !== undefined && { 'Content-Type': 'application/json' };
	return {
		method,
		qs: query,
		headers: { Accept: 'application/json', ...contentType },
		body: JSON.stringify(body),
		// The body is read as text, so that a broken one can be distinguished from one of another server.
		encoding: 'text',
		returnFullResponse: true,
		// The status decides, not an exception; also, an exception for 401 makes n8n send twice.
		ignoreHttpStatusErrors: true,
		// Following a redirect would take the key along.
		disableFollowRedirect: true,
		sendCredentialsOnCrossOriginRedirect: false,
	};
}

/** The answer that a refusal holds, see `mayBeMissing` and `isAnswer` of {@link ServiceRequest}; undefined if it holds none. */
export function answerInRefusal(
	result: ExchangeResult,
	{ method, mayBeMissing, isAnswer }: ServiceRequest,
	isSentBefore: boolean,
): Answer | undefined {
	if (result.kind !== 'refused') return undefined;
	const { status, body } = result;
	// A DELETE whose answer was lost: now that the record is gone, it was carried out.
	if (status === 404 && (mayBeMissing || (method === 'DELETE' && isSentBefore))) {
		return { status, data: undefined, envelope: {} };
	}
	if (isOfContent(result) && isAnswer?.(body, isSentBefore)) {
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
