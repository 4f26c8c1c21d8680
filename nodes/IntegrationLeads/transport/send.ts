/** Sends requests to the service with one credential: waits for the rate limit, and repeats what may be repeated. */
import { createHash } from 'node:crypto';
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { create } from 'lodash';
import { API_PREFIX, tidyApiKey, tidyBaseUrl } from './baseUrl';
import { clock } from './clock';
import { scrubber, toServiceError, type ErrorContext } from './errors';
import { rateLimiterFor, takePlace, type RateLimiter, type QueuePlace } from './rateLimiter';
import {
	answerInRefusal,
	isRateLimited,
	isRevoked,
	isUnclear,
	mayStillRun,
	retryWaitMs,
	type Answer,
	type Exchange,
	type ExchangeResult,
	type ServiceRequest,
} from './request';
import { parseDateHeader, parseException, parseResponse, toHttpOptions } from './response';
import type { ServiceRecord } from '../values/json';

const CREDENTIAL = 'integrationLeadsApi';
const HTTP_OK = 200;
const HTTP_ACCEPTED = 202;

/** Long enough for a slow answer, short enough to notice a dead connection. */
const DEFAULT_TIMEOUT_MS = 30_000;
/** How long, and by how many requests, an abort signal is shared. Node warns of more than ten listeners. */
const SHARED_MS = 1000;
const MAX_SHARING = 10;

/** The parts of n8n's contexts that sending needs. */
type RequestContext = Pick<
	IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions,
	'getNode' | 'getCredentials' | 'helpers'
>;

interface ClientOptions {
	/** Milliseconds. */
	timeoutMs?: number;
	/** Aborts all waits; n8n passes it on to its HTTP client. */
	signal?: AbortSignal;
	/** The time on {@link clock} after which no request waits for its answer. */
	deadline?: number;
	/** Whether it only reads lists, which leave every second turn of the rate limiter to others. */
	isList?: boolean;
}

/** The state that the clients of all items of an execution share. */
interface ExecutionState {
	rateLimitDelayMs: number;
	isRevoked: boolean;
	/** How many requests that may have changed something have ended. */
	writes: number;
	/** How far the service's clock is ahead of {@link clock} at least, in ms. */
	serverAhead?: number;
	ending?: {
		over: AbortSignal;
		context: IExecuteFunctions;
		left: number;
		sharedUntil: number;
	};
}

/**
 * A client with the node's credential, for one execution.
 *
 * @throws NodeOperationError when the credential cannot be used
 */
export async function createClient(
	context: RequestContext,
	options: ClientOptions = {},
): Promise<Client> {
	const credentials = await context.getCredentials(CREDENTIAL);
	try {
		return new Client(context, credentials, options);
	} catch (error) {
		throw new NodeOperationError(context.getNode(), (error as Error).message, {
			description: 'Open the credential and correct it.',
			failure: { cause: 'configuration-invalid' },
		});
	}
}

/** Sends requests with one credential. */
export class Client {
	/** Removes API keys from a text that the service sent. */
	readonly scrub: (text: string) => string;

	/** Whether the key is a test key (spec 5.3, 5.4). */
	readonly isTestKey: boolean;

	/** Unconverted, as it is stored in the credential. */
	readonly defaultCountryCode: unknown;

	readonly baseUrl: string;

	/**
	 * Identifies the account, not by the key, which can be renewed: another key in the same credential is taken for a key of the
	 * same account.
	 */
	readonly account: string;

	private readonly rateLimiter: RateLimiter;

	private readonly session: ExecutionState = {
		rateLimitDelayMs: 0,
		isRevoked: false,
		writes: 0,
	};

	private readonly place: QueuePlace;

	constructor(
		private readonly context: RequestContext,
		private readonly credentials: ICredentialDataDecryptedObject,
		private readonly options: ClientOptions,
	) {
		this.place = takePlace(options.isList);
		this.baseUrl = tidyBaseUrl(credentials.baseUrl);
		const { id, name } = context.getNode().credentials?.[CREDENTIAL] ?? {};
		// In n8n's types, the ID of a credential is optional.
		this.account = `${this.baseUrl} ${id ?? name}`;
		const apiKey = tidyApiKey(credentials.apiKey);
		this.scrub = scrubber(apiKey);
		this.defaultCountryCode = credentials.defaultCountryCode;
		this.isTestKey = /^[A-Za-z0-9]+_test_/.test(apiKey);
		const keyHash = createHash('sha256').update(apiKey).digest('hex');
		this.rateLimiter = rateLimiterFor(`${this.baseUrl} ${keyHash}`);
	}

	/** The longest that one request of this execution waited for the rate limit, in ms. */
	get rateLimitDelayMs(): number {
		return this.session.rateLimitDelayMs;
	}

	/** Aborts when the execution is cancelled. */
	get signal(): AbortSignal | undefined {
		return this.options.signal;
	}

	/** How many requests that may have changed something have ended, in this execution. */
	get writes(): number {
		return this.session.writes;
	}

	/**
	 * The same client for an item that begins now, with one place in the queue for all of its requests.
	 *
	 * @param isList whether the item reads a list
	 */
	forItem(isList: boolean): Client {
		return create<Client, object>(this, { place: takePlace(isList) });
	}

	/**
	 * Sends a request when the rate limit allows it. In an outage, a `repeatable` one is sent up to three times, or five while others
	 * are answered. If the answer to another one is lost, `findCreated` looks for what it has created: that is then the answer, and if
	 * there is none, the request is sent again.
	 *
	 * @returns the answer to the last attempt, with `isSentBefore` if that to an earlier one was lost
	 * @throws ServiceError when the service did not accept it, with `mayHaveArrived` if an attempt may have been carried out
	 */
	async send(request: ServiceRequest, errorContext: ErrorContext): Promise<Answer> {
		let [failures, waitedMs, limitedMs] = [0, 0, 0];
		const begunAt = clock.now();
		// Each page of a list, and each look-up for one, takes a place of its own behind what has begun since.
		const place = this.place.isList ? takePlace(true) : this.place;
		// When the first attempt was sent whose answer was lost.
		let unclearSince: number | undefined;
		// Whether an earlier attempt, or an earlier try of the item, may have been carried out.
		let mayHaveArrived = request.mayHaveArrived ?? false;
		let firstSentAt: number | undefined;
		for (let attempts = 1; ; attempts += 1) {
			const { result, headers, sentAt } = await this.exchangeOnce(request, place, limitedMs);
			firstSentAt ??= sentAt;
			const isSentBefore = unclearSince !== undefined;
			const clocks = {
				serverNow: parseDateHeader(headers),
				serverSentAt: this.toServerTime(firstSentAt),
			};
			if (result.kind === 'accepted') {
				const isAcceptedOnly = result.status === HTTP_ACCEPTED;
				return { ...result, ...clocks, isSentBefore, isAcceptedOnly };
			}
			const answer = answerInRefusal(result, request, mayHaveArrived);
			if (answer) return { ...answer, ...clocks, isSentBefore };
			let found: ServiceRecord | null | undefined;
			if (isUnclear(result)) {
				unclearSince ??= sentAt;
				const looksUp = !request.repeatable && !mayStillRun(result);
				found = looksUp ? await request.findCreated?.(unclearSince) : undefined;
				if (found) return this.answerOf(found, unclearSince);
			}
			const notRecorded = found === null;
			mayHaveArrived = !notRecorded && (mayHaveArrived || isUnclear(result));
			const repeatable = request.repeatable || notRecorded;
			const othersPass = this.rateLimiter.healthyAt >= begunAt;
			const random = clock.random();
			const waitMs = retryWaitMs({ result, repeatable, failures, waitedMs, othersPass, random });
			// Retries after a refusal by the rate limit are free.
			const again =
				waitMs !== undefined && (isRateLimited(result) || this.rateLimiter.spendRetry());
			if (!again) {
				const { baseUrl } = this;
				const known = { repeatable, notRecorded, mayHaveArrived, attempts, baseUrl };
				throw toServiceError(result, { ...errorContext, ...known }, this.scrub);
			}
			if (isRateLimited(result)) limitedMs += waitMs;
			else failures += 1;
			waitedMs += waitMs;
			await this.sleep(waitMs);
		}
	}

	/** The answer to a request whose record was found after the answer itself was lost. */
	private answerOf(record: ServiceRecord, firstSentAt: number): Answer {
		const serverSentAt = this.toServerTime(firstSentAt);
		return { status: HTTP_OK, data: record, envelope: {}, serverSentAt, isSentBefore: true };
	}

	/**
	 * Converts a time on {@link clock} to the service's clock, as the `Date` headers of its answers have shown it so far. The
	 * result may be a little early, since answers take time and `Date` is cut to seconds.
	 *
	 * @returns undefined if no answer had a `Date`
	 */
	toServerTime(time: number): number | undefined {
		const { serverAhead } = this.session;
		return serverAhead === undefined ? undefined : time + serverAhead;
	}

	/** Waits, until the execution is cancelled at the latest. */
	async sleep(ms: number): Promise<void> {
		await clock.sleep(ms, this.options.signal);
	}

	/**
	 * Sends a request once, when the rate limiter permits it.
	 *
	 * @param limitedMs how long it has waited after refusals by the rate limit, for the hint to the user
	 */
	private async exchangeOnce(
		request: ServiceRequest,
		place: QueuePlace,
		limitedMs: number,
	): Promise<Exchange & { sentAt: number }> {
		const { session } = this;
		const { signal } = this.options;
		const permit = session.isRevoked ? undefined : await this.rateLimiter.acquire(place, signal);
		if (!permit) return { result: REVOKED, sentAt: clock.now() };
		session.rateLimitDelayMs = Math.max(session.rateLimitDelayMs, limitedMs + permit.delayMs);
		const sentAt = clock.now();
		let exchange: Exchange | undefined;
		try {
			request.onSend?.();
			exchange = await this.fetch(request);
			session.isRevoked ||= isRevoked(exchange.result);
			const serverNow = parseDateHeader(exchange.headers);
			if (serverNow !== undefined) {
				session.serverAhead = Math.max(session.serverAhead ?? -Infinity, serverNow - clock.now());
			}
			return { ...exchange, sentAt };
		} finally {
			permit.release(exchange);
			if (request.method !== 'GET') session.writes += 1;
		}
	}

	private async fetch(request: ServiceRequest): Promise<Exchange> {
		const { timeoutMs = DEFAULT_TIMEOUT_MS, deadline = Infinity, signal } = this.options;
		const timeout = Math.max(1, Math.ceil(Math.min(timeoutMs, deadline - clock.now())));
		const { over, context } = this.endingFor(timeout);
		let response: IN8nHttpFullResponse;
		try {
			response = (await this.context.helpers.httpRequestWithAuthentication.call(
				context,
				CREDENTIAL,
				{ ...toHttpOptions(request), url: this.baseUrl + API_PREFIX + request.path, timeout },
				// Without it, n8n decrypts the credential again for every request.
				{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: this.credentials } },
			)) as IN8nHttpFullResponse;
		} catch (error) {
			signal?.throwIfAborted();
			return { result: over.aborted ? TIMED_OUT : parseException(error) };
		}
		const { headers } = response;
		return { result: parseResponse(request.method, response, clock.now()), headers };
	}

	/**
	 * A signal that aborts answers which come byte by byte: these are never idle, and the timeout of the HTTP client only notices
	 * idle ones. Signals are expensive, so a few requests that begin within a second share one.
	 */
	private endingFor(timeout: number): NonNullable<ExecutionState['ending']> {
		const { ending } = this.session;
		if (ending && ending.left > 0 && Date.now() < ending.sharedUntil) {
			ending.left -= 1;
			return ending;
		}
		const { signal } = this.options;
		const over = AbortSignal.timeout(timeout + SHARED_MS);
		const ends = signal ? AbortSignal.any([signal, over]) : over;
		// n8n passes on the signal of the execution, not that of the request. A spread would lose the methods.
		const context = Object.create(this.context, {
			getExecutionCancelSignal: { value: () => ends },
		}) as IExecuteFunctions;
		const left = MAX_SHARING - 1;
		this.session.ending = { over, context, left, sharedUntil: Date.now() + SHARED_MS };
		return this.session.ending;
	}
}

/** Has the code that the HTTP client would report for a timeout. */
const TIMED_OUT: ExchangeResult = { kind: 'unreachable', code: 'ECONNABORTED', sent: true };

/** The result of every request after the key was found revoked (spec part 7). */
const REVOKED: ExchangeResult = { kind: 'refused', status: 403, code: 'API_KEY_REVOKED' };
