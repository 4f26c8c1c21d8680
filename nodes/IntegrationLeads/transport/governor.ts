/**
 * Keeps this node from ever being the reason for a 429 (spec part 8: 1,000 requests a minute for each key).
 *
 * One governor serves one base URL and key in the whole n8n process, whatever the number of executions.
 * Other processes and tools that use the same key show only in the service's `X-RateLimit-*` headers, so the
 * pace is set by these and a reserve is left for the others.
 */

import { clock } from './clock';
import { admit, observe, readRateLimit, SPREAD_MS, startingPace, throttle, WAIT_MS } from './pace';
import { RetryBudget } from './retry';

const IDLE_MS = 10 * 60_000;

/** The right to send one request. */
export interface Permit {
	/** Milliseconds this request was held back because the limit was used up. */
	heldMs: number;
	/** The request has ended. `headers` (names in lower case) are absent when no answer came. */
	release(headers?: Record<string, unknown>): void;
}

interface Waiting {
	since: number;
	held: boolean;
	resolve: (permit: Permit) => void;
	reject: (reason: unknown) => void;
}

/** The shell around the pure pace: a first-in-first-out queue and one timer. */
export class Governor {
	readonly retryBudget = new RetryBudget(clock.now());

	private pace = startingPace();

	private queue: Waiting[] = [];

	private timerUntil = Infinity;

	private usedAt = clock.now();

	/**
	 * Waits until a request may be sent. The permit must be released when the request has ended.
	 *
	 * @throws the signal's reason when cancelled; whatever {@link stopWaiting} was given
	 */
	async acquire(signal?: AbortSignal): Promise<Permit> {
		signal?.throwIfAborted();
		this.usedAt = clock.now();
		let abandon: (() => void) | undefined;
		try {
			return await new Promise<Permit>((resolve, reject) => {
				const waiting: Waiting = { since: this.usedAt, held: false, resolve, reject };
				abandon = () => {
					const place = this.queue.indexOf(waiting);
					if (place < 0) return;
					this.queue.splice(place, 1);
					reject(signal?.reason);
				};
				signal?.addEventListener('abort', abandon, { once: true });
				this.queue.push(waiting);
				this.pump();
			});
		} finally {
			if (abandon) signal?.removeEventListener('abort', abandon);
		}
	}

	/** The service answered 429: the key pauses for `waitMs`. */
	throttled(waitMs: number): void {
		this.pace = throttle(this.pace, waitMs, clock.now());
	}

	/** Fails everything that waits, for a key that will not work any more. */
	stopWaiting(reason: Error): void {
		for (const waiting of this.queue.splice(0)) waiting.reject(reason);
	}

	isIdle(now: number): boolean {
		const busy = this.pace.inFlight > 0 || this.queue.length > 0;
		return !busy && now - this.usedAt > IDLE_MS;
	}

	private pump(): void {
		for (let next = this.queue[0]; next; next = this.queue[0]) {
			const now = clock.now();
			const admission = admit(this.pace, now);
			if (admission === 'after-answer') return;
			if (typeof admission === 'object') {
				next.held ||= admission.waitMs >= WAIT_MS.shortest;
				return this.wakeIn(admission.waitMs, now);
			}
			this.queue.shift();
			next.resolve(this.permit(admission === 'probe', now, next.held ? now - next.since : 0));
		}
	}

	private permit(probe: boolean, now: number, heldMs: number): Permit {
		this.pace = { ...this.pace, inFlight: this.pace.inFlight + 1 };
		if (probe) this.pace.probing = true;
		if (this.pace.headerless) {
			const { perSecond, nextAt } = this.pace.headerless;
			this.pace.headerless = { perSecond, nextAt: Math.max(nextAt, now) + 1000 / perSecond };
		}
		return {
			heldMs,
			release: (headers) => {
				const at = clock.now();
				this.pace = { ...this.pace, inFlight: this.pace.inFlight - 1 };
				if (probe) this.pace.probing = false;
				if (headers) this.pace = observe(this.pace, readRateLimit(headers, at), at);
				this.pump();
			},
		};
	}

	/** One timer at a time; an earlier moment replaces a later one, which then finds nothing to do. */
	private wakeIn(waitMs: number, now: number): void {
		const until = now + waitMs;
		if (until >= this.timerUntil) return;
		this.timerUntil = until;
		const wake = () => {
			if (this.timerUntil === until) this.timerUntil = Infinity;
			this.pump();
		};
		void clock.sleep(waitMs + clock.random() * spreadOf(waitMs)).then(wake);
	}
}

/** Short waits are steps of a pace, not the end of a window: nobody else wakes at the same moment. */
function spreadOf(waitMs: number): number {
	return waitMs < WAIT_MS.shortest ? 0 : SPREAD_MS;
}

const governors = new Map<string, Governor>();

/** The governor of a key. `id` names base URL and key without holding the key (a hash). */
export function governorFor(id: string): Governor {
	const now = clock.now();
	for (const [other, governor] of governors) {
		if (other !== id && governor.isIdle(now)) governors.delete(other);
	}
	let governor = governors.get(id);
	if (!governor) {
		governor = new Governor();
		governors.set(id, governor);
	}
	return governor;
}
