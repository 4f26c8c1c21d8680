/**
 * Keeps this node from causing a 429 (spec part 8: 1,000 requests a minute for each key).
 *
 * One governor serves one base URL and key in the whole n8n process, whatever the number of executions. Other
 * processes and tools that use the same key show only in the `X-RateLimit-*` headers of the answers.
 */
import { clock } from './clock';
import { admit, finish, start, STARTING_PACE } from './pace';
import { isHealthy, isRevoked, type Attempt } from './retry';

/** A shorter wait is a step of the pace; a longer one means that the limit is used up. */
const PAUSE_MS = 1000;
/** In a minute of an outage. */
const MOST_RETRIES = 60;

/** The right to send one request. */
interface Permit {
	/** How long the request waited because the limit was used up, in ms. */
	delayMs: number;
	/** The request has ended. Called without an attempt if it was cancelled. */
	release(attempt?: Attempt): void;
}

interface Waiting {
	since: number;
	isDelayed: boolean;
	resolve: (permit?: Permit) => void;
	reject: (reason: unknown) => void;
}

/** Waits as {@link admit} decides: a first-in-first-out queue. */
export class Governor {
	private retries = MOST_RETRIES;

	private retriesAt = clock.now();

	private pace = STARTING_PACE;

	private queue: Waiting[] = [];

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
	async acquire(signal?: AbortSignal): Promise<Permit | undefined> {
		signal?.throwIfAborted();
		let cancel: (() => void) | undefined;
		const permit = new Promise<Permit | undefined>((resolve, reject) => {
			const waiting: Waiting = { since: clock.now(), isDelayed: false, resolve, reject };
			cancel = () => {
				this.queue = this.queue.filter((each) => each !== waiting);
				reject(signal?.reason);
			};
			signal?.addEventListener('abort', cancel);
			this.queue.push(waiting);
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
		this.retries = Math.min(MOST_RETRIES, this.retries + count);
	}

	/** Runs while somebody waits. What it waits for itself comes or is over within a second. */
	private async serve(): Promise<void> {
		this.isServing = true;
		for (let next = this.queue[0]; next; next = this.queue[0]) {
			const now = clock.now();
			const admission = admit(this.pace, now);
			if (admission === 'go' || admission === 'probe') {
				this.queue.shift();
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

	private permit(isProbe: boolean, sentAt: number, delayMs: number): Permit {
		this.pace = start(this.pace, isProbe, sentAt);
		return {
			delayMs,
			release: (attempt) => {
				this.pace = finish(this.pace, { isProbe, sentAt }, attempt, clock.now());
				if (attempt && isHealthy(attempt.result)) {
					this.refundRetries(1);
					this.healthyAt = clock.now();
				}
				if (attempt && isRevoked(attempt.result)) {
					for (const waiting of this.queue.splice(0)) waiting.resolve();
				}
				this.wake();
			},
		};
	}
}

const governors = new Map<string, Governor>();

/** The governor of a key. `id` identifies the base URL and the key, without containing the key. */
export function governorFor(id: string): Governor {
	const governor = governors.get(id) ?? new Governor();
	governors.set(id, governor);
	return governor;
}
