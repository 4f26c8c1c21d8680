import { createHash } from 'node:crypto';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { readException, readResponse } from './answer';
import { API_PREFIX, tidyApiKey, tidyBaseUrl } from './baseUrl';
import { clock } from './clock';
import type { Attempted, Explanation } from './errors';
import { explain, scrubber, toNodeApiError } from './errors';
import type { Permit } from './governor';
import { governorFor } from './governor';
import type { AttemptResult, RetryLimits } from './retry';
import { decideRetry, DEFAULT_LIMITS, isAlive, isRateLimited, readDate, waitOf } from './retry';

export const CREDENTIAL = 'integrationLeadsApi';

/** Thirty seconds: long enough for a slow answer, short enough for a dead connection. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** The parts of n8n's contexts that sending needs. */
export type RequestContext = Pick<
	IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions,
	'getNode' | 'getCredentials' | 'helpers'
>;

/** A request before it is sent. `path` is below the prefix and already encoded. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	path: string;
	query: IDataObject;
	body?: unknown;
	/** May be sent again when nobody knows whether the first one was carried out. */
	repeatable: boolean;
	/** That there is no such record is an answer, not a failure: `data` is then undefined. */
	mayBeMissing?: boolean;
	/** Whether this body of a refusal is an answer all the same, since it tells of single records: it is `data` then. */
	isAnswer?: (body: unknown) => boolean;
}

/** What the service accepted. `siblings` are the members beside `data`; `serverNow` is its clock in ms, when shown. */
export interface Answer {
	status: number;
	/** Undefined for 204 and for a write answered without a body. */
	data: unknown;
	siblings: Record<string, unknown>;
	serverNow?: number;
	/** The service said no, and `data` is the body of that: see `isAnswer`. */
	failed?: boolean;
}

/** What a message needs to know beyond the request. */
export type About = Pick<Attempted, 'action' | 'scope' | 'targets' | 'notFound' | 'hasBatchSize'>;

/** Sends requests with one credential, for as long as one execution lasts. */
export interface Client {
	/**
	 * Sends a request, waits for its turn under the rate limit, and repeats it where that is safe.
	 *
	 * @throws NodeApiError in words for the user, when the service did not accept it
	 */
	send(request: ServiceRequest, about: About): Promise<Answer>;
	/** Tells accounts apart: the base URL and a hash of the key. */
	readonly account: string;
	/** Takes keys out of a text that the service gave. */
	scrub(text: string): string;
	/** The key is one for tests (spec 5.3, 5.4). */
	readonly isTestKey: boolean;
	/** The longest that one request of this execution was held back for the rate limit, in ms. */
	heldMs(): number;
}

interface ClientOptions {
	/** Milliseconds. */
	timeoutMs?: number;
	/** Stops waits at once; n8n itself passes it on to the requests. */
	signal?: AbortSignal;
	/** When all must be over, on {@link clock}: no request waits for its answer longer. */
	deadline?: number;
	limits?: RetryLimits;
}

/**
 * @throws NodeOperationError when the credential cannot be used
 */
export async function createClient(
	context: RequestContext,
	options: ClientOptions = {},
): Promise<Client> {
	const { timeoutMs = DEFAULT_TIMEOUT_MS, signal, deadline = Infinity } = options;
	const { limits = DEFAULT_LIMITS } = options;
	const credentials = await context.getCredentials(CREDENTIAL);
	const node = context.getNode();
	const { baseUrl, apiKey } = tidyCredentials();
	const scrub = scrubber(apiKey);
	const account = `${baseUrl} ${createHash('sha256').update(apiKey).digest('hex')}`;
	const governor = governorFor(account);
	let revoked: RevokedKey | undefined;
	let heldMs = 0;

	function tidyCredentials() {
		try {
			return {
				baseUrl: tidyBaseUrl(credentials.baseUrl),
				apiKey: tidyApiKey(credentials.apiKey),
			};
		} catch (error) {
			throw new NodeOperationError(node, (error as Error).message, {
				description: 'Open the credential and correct it.',
				failure: { cause: 'configuration-invalid' },
			});
		}
	}

	async function attempt(request: ServiceRequest): Promise<{
		outcome: AttemptResult;
		headers?: Record<string, unknown>;
	}> {
		const options: IHttpRequestOptions = {
			method: request.method,
			url: baseUrl + API_PREFIX + request.path,
			qs: request.query,
			headers: { Accept: 'application/json' },
			// The body is read as text, so that a broken one can be told from one of somebody else.
			encoding: 'text',
			returnFullResponse: true,
			// The status decides, not an exception; also, an exception for 401 makes n8n send twice.
			ignoreHttpStatusErrors: true,
			// Following a redirect would take the key along.
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
			timeout: Math.max(1, Math.min(timeoutMs, deadline - clock.now())),
		};
		if (request.body !== undefined) {
			options.body = JSON.stringify(request.body);
			options.headers = { ...options.headers, 'Content-Type': 'application/json' };
		}
		let response: IN8nHttpFullResponse;
		try {
			response = (await context.helpers.httpRequestWithAuthentication.call(
				// The type asks for a whole context; the helper uses no more than is picked above.
				context as IExecuteFunctions,
				CREDENTIAL,
				options,
				{ credentialsDecrypted: decrypted(credentials) },
			)) as IN8nHttpFullResponse;
		} catch (error) {
			signal?.throwIfAborted();
			return { outcome: readException(error) };
		}
		const headers = response.headers ?? {};
		return { outcome: readResponse(request.method, response, headers), headers };
	}

	async function acquire(): Promise<Permit> {
		return await governor.acquire(signal).catch((reason: unknown) => {
			// Another execution has found the key revoked; the words are the same, the node is ours.
			if (reason instanceof RevokedKey) throw toNodeApiError(node, reason.explanation);
			throw reason;
		});
	}

	async function send(request: ServiceRequest, about: About): Promise<Answer> {
		const soFar = { failures: 0, refusals: 0, waitedMs: 0 };
		for (let attempts = 1; ; attempts += 1) {
			if (revoked) throw toNodeApiError(node, revoked.explanation);
			const permit = await acquire();
			heldMs = Math.max(heldMs, permit.heldMs);
			const { outcome, headers } = await attempt(request).catch((reason: unknown) => {
				permit.release();
				throw reason;
			});
			if (isAlive(outcome)) governor.retryBudget.give();
			if (outcome.kind === 'accepted') {
				permit.release(headers);
				return { ...outcome, serverNow: readDate(headers) };
			}
			const missing = outcome.kind === 'refused' && outcome.status === 404;
			// A DELETE sent before with an unknown fate: now that the record is gone, the first one did it.
			const deleted = request.method === 'DELETE' && soFar.failures > 0;
			if (missing && (deleted || request.mayBeMissing)) {
				permit.release(headers);
				return { status: 404, data: undefined, siblings: {} };
			}
			if (isOfContent(outcome) && request.isAnswer?.(outcome.body)) {
				permit.release(headers);
				return { status: outcome.status, data: outcome.body, siblings: {}, failed: true };
			}
			const decision = decideRetry({
				outcome,
				repeatable: request.repeatable,
				attempt: soFar.failures + 1,
				refusals: soFar.refusals,
				waitedMs: soFar.waitedMs,
				random: clock.random(),
				limits,
			});
			// The key waits for everybody, also when this request gives up.
			if (isRateLimited(outcome)) governor.throttled(waitOf(outcome));
			permit.release(headers);
			if (!decision.again || (!decision.pauseKey && !governor.retryBudget.take(clock.now()))) {
				const writes = request.method !== 'GET';
				const attempted = { ...about, writes, repeatable: request.repeatable, attempts };
				const explanation = explain(outcome, attempted, scrub);
				if (outcome.kind === 'refused' && outcome.code === 'API_KEY_REVOKED') {
					revoked = new RevokedKey(explanation);
					governor.stopWaiting(revoked);
				}
				throw toNodeApiError(node, explanation);
			}
			if (decision.pauseKey) {
				soFar.refusals += 1;
				soFar.waitedMs += decision.waitMs;
			} else {
				soFar.failures += 1;
			}
			await clock.sleep(decision.waitMs, signal);
		}
	}

	return {
		send,
		account,
		scrub,
		isTestKey: /^[A-Za-z0-9]+_test_/.test(apiKey),
		heldMs: () => heldMs,
	};
}

/** Codes of refusals that are a matter of the key, whatever their status (spec part 7). */
const CODES_OF_KEY = ['UNAUTHORIZED', 'FORBIDDEN', 'API_KEY_REVOKED'];

/** The service refuses what is in the request; neither the key, nor the address, nor the moment is the matter. */
function isOfContent(
	outcome: AttemptResult,
): outcome is Extract<AttemptResult, { kind: 'refused' }> {
	if (outcome.kind !== 'refused' || isRateLimited(outcome)) return false;
	const { status, code } = outcome;
	const isRead = [400, 409, 422].includes(status) || (status >= 200 && status < 300);
	return isRead && (code === undefined || !CODES_OF_KEY.includes(code));
}

/** Why everything that waits with a key is stopped. */
class RevokedKey extends Error {
	constructor(readonly explanation: Explanation) {
		super(explanation.message);
	}
}

/** Saves n8n decrypting the credential again for every request. */
function decrypted(data: ICredentialDataDecryptedObject) {
	return { id: '', name: '', type: CREDENTIAL, data };
}
