import { Failure } from './failure.mts';

/** What a limit of 0 (no limiting) shows as in the headers. */
const unlimited = 1_000_000;
/** How many past windows are kept for each key. */
const keptWindows = 1000;

/** One window of one key; times in epoch milliseconds. */
export interface RateWindow {
	startedAt: number;
	resetsAt: number;
	accepted: number;
	rejected: number;
}

/** How many requests of a key are allowed in how long. 0 requests = no limiting. */
export interface RateLimit {
	rpm: number;
	windowMs: number;
}

/** What is left to a key after a request. */
export interface RateStanding {
	limit: number;
	remaining: number;
	/** Epoch milliseconds. */
	resetsAt: number;
	allowed: boolean;
}

/** Fixed windows, one row of them per key; a window starts with the first request in it. */
export class RateLimiter {
	private windows = new Map<string, RateWindow[]>();

	constructor(
		private readonly clock: () => number,
		public limit: RateLimit,
	) {}

	reset(): void {
		this.windows.clear();
	}

	/** All windows by the name of the key, oldest first. */
	counts(): Record<string, RateWindow[]> {
		return Object.fromEntries(this.windows);
	}

	/** Counts a request of a key; without a name (key unknown), only shows an unused window. */
	take(name: string | undefined): RateStanding {
		const { rpm } = this.limit;
		const window = name === undefined ? this.open() : this.current(name);
		if (!rpm) {
			window.accepted++;
			const { resetsAt } = window;
			return { limit: unlimited, remaining: unlimited, resetsAt, allowed: true };
		}
		const allowed = window.accepted < rpm;
		if (name !== undefined) window[allowed ? 'accepted' : 'rejected']++;
		const remaining = Math.max(0, rpm - window.accepted);
		return { limit: rpm, remaining, resetsAt: window.resetsAt, allowed };
	}

	private current(name: string): RateWindow {
		const windows = this.windows.get(name) ?? [];
		this.windows.set(name, windows);
		const last = windows.at(-1);
		if (last && this.clock() < last.resetsAt) return last;
		windows.push(this.open());
		if (windows.length > keptWindows) windows.shift();
		return windows[windows.length - 1];
	}

	private open(): RateWindow {
		const startedAt = this.clock();
		return { startedAt, resetsAt: startedAt + this.limit.windowMs, accepted: 0, rejected: 0 };
	}
}

/** Seconds until a window ends. Rounded up: waiting that long must be enough. */
const secondsLeft = ({ resetsAt }: RateStanding, now: number) =>
	Math.max(0, Math.ceil((resetsAt - now) / 1000));

/** The rate-limit headers (spec part 8). */
export const rateHeaders = (standing: RateStanding): Record<string, string> => ({
	'X-RateLimit-Limit': String(standing.limit),
	'X-RateLimit-Remaining': String(standing.remaining),
	'X-RateLimit-Reset': String(Math.ceil(standing.resetsAt / 1000)),
});

/** The answer to a request too many (spec part 7). */
export function tooMany(standing: RateStanding, now: number): Failure {
	const wait = secondsLeft(standing, now);
	const message = `Rate limit exceeded. Try again in ${wait} seconds.`;
	return new Failure(429, 'RATE_LIMIT_EXCEEDED', message, wait);
}
