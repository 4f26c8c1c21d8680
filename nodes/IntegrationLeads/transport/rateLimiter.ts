/**
 * Keeps this node from causing a 429 (spec part 8: 1,000 requests a minute for each key).
 *
 * One rate limiter serves one base URL and key in the whole n8n process, for all executions. Other
 * processes and tools that use the same key show only in the `X-RateLimit-*` headers of the answers.
 */
import { pull, sortedLastIndexBy } from 'lodash';

import { clock } from './clock';
import { admit, finish, start, STARTING_PACE } from './pace';
import { isHealthy, isRevoked, type Exchange } from './request';

/** A shorter wait only spaces requests; a longer one means that the limit is used up. */
const PAUSE_MS = 1000;
/** The retry budget. It is refilled by one per second, and by each healthy answer. */
const MAX_RETRIES = 60;

/** The right to send one request. */
interface Permit {
	/** How long the request waited because the limit was used up, in ms. */
	delayMs: number;
	/** Must be called when the request has ended, without an exchange if it was cancelled. */
	release(exchange?: Exchange): void;
}

/** The place of a request in the queue, by the item that it is sent for. */
export interface QueuePlace {
	/** Rises with each item: the one that began first is served first, through all of its requests. */
	number: number;
	/** Reads a list, which may take hundreds of requests: it gives every second turn to others. */
	isList: boolean;
}

let lastNumber = 0;

/** A place behind all items that have begun. */
export function takePlace(isList = false): QueuePlace {
	lastNumber += 1;
	return { number: lastNumber, isList };
}

interface Waiting extends QueuePlace {
	since: number;
	isDelayed: boolean;
	resolve: (permit?: Permit) => void;
	reject: (reason: unknown) => void;
}

/** Waits as {@link admit} decides. The oldest item goes first, and no list takes more than half of the turns while others wait. */
export class RateLimiter {
	private retries = MAX_RETRIES;

	private retriesAt = clock.now();

	private pace = STARTING_PACE;

	/** In the order of their places. */
	private queue: Waiting[] = [];

	/** Whether the last turn was that of a list. */
	private servedList = false;

	private isServing = false;

	/** Ends the wait of the queue early: an answer has come. */
	private wake = () => {};

	/** When the last answer of a working service came, on {@link clock}. */
	healthyAt = -Infinity;

	/**
	 * Waits until a request may be sent. The permit must be released when the request has ended.
	 *
	 * @returns undefined when the key was revoked meanwhile
	 * @throws the signal's reason when cancelled
	 */
	async acquire(place: QueuePlace, signal?: AbortSignal): Promise<Permit | undefined> {
		signal?.throwIfAborted();
		let cancel: (() => void) | undefined;
		const permit = new Promise<Permit | undefined>((resolve, reject) => {
			const waiting: Waiting = {
				...place,
				since: clock.now(),
				isDelayed: false,
				resolve,
				reject,
			};
			cancel = () => {
				pull(this.queue, waiting);
				reject(signal?.reason);
			};
			signal?.addEventListener('abort', cancel);
			this.queue.splice(sortedLastIndexBy(this.queue, waiting, 'number'), 0, waiting);
			if (!this.isServing) void this.serve();
		});
		return await permit.finally(() => cancel && signal?.removeEventListener('abort', cancel));
	}

	/**
	 * Keeps retries from multiplying the load during an outage: each spends one of a budget, and each answer of a healthy
	 * service and each second refunds one.
	 *
	 * @returns false when the budget is exhausted and the request must not be repeated
	 */
	spendRetry(): boolean {
		const now = clock.now();
		this.refundRetries(Math.max(0, now - this.retriesAt) / 1000);
		this.retriesAt = now;
		if (this.retries < 1) return false;
		this.retries -= 1;
		return true;
	}

	private refundRetries(count: number): void {
		this.retries = Math.min(MAX_RETRIES, this.retries + count);
	}

	/** Serves the queue until it is empty, looking at the pace again after each answer, and after a second at the latest. */
	private async serve(): Promise<void> {
		this.isServing = true;
		for (let next = this.next(); next; next = this.next()) {
			const now = clock.now();
			const admission = admit(this.pace, now);
			if (admission === 'go' || admission === 'probe') {
				pull(this.queue, next);
				this.servedList = next.isList;
				const delayMs = next.isDelayed ? now - next.since : 0;
				next.resolve(this.permit(admission === 'probe', now, delayMs));
				continue;
			}
			const answer = new Promise<void>((resolve) => (this.wake = resolve));
			if (admission === 'after-answer') await answer;
			else {
				next.isDelayed ||= admission.waitMs >= PAUSE_MS;
				await Promise.race([answer, clock.sleep(Math.min(admission.waitMs, PAUSE_MS))]);
			}
		}
		this.isServing = false;
	}

	private next(): Waiting | undefined {
		const other = this.servedList ? this.queue.find(({ isList }) => !isList) : undefined;
		return other ?? this.queue[0];
	}

	private permit(isProbe: boolean, sentAt: number, delayMs: number): Permit {
		this.pace = start(this.pace, isProbe, sentAt);
		return {
			delayMs,
			release: (exchange) => {
				this.pace = finish(this.pace, { isProbe, sentAt }, exchange, clock.now());
				if (exchange && isHealthy(exchange.result)) {
					this.refundRetries(1);
					this.healthyAt = clock.now();
				}
				if (exchange && isRevoked(exchange.result)) {
					for (const waiting of this.queue.splice(0)) waiting.resolve();
				}
				this.wake();
			},
		};
	}
}

const rateLimiters = new Map<string, RateLimiter>();

/** The rate limiter of a key. `id` identifies the base URL and the key, without containing the key. */
export function rateLimiterFor(id: string): RateLimiter {
	const rateLimiter = rateLimiters.get(id) ?? new RateLimiter();
	rateLimiters.set(id, rateLimiter);
	return rateLimiter;
}
