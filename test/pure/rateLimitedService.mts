/** A service with a fixed window, as its headers show it (spec part 8), and processes that share a key of it. */
import lodash from 'lodash';

import { clock } from '../../nodes/IntegrationLeads/transport/clock';
import { Governor } from '../../nodes/IntegrationLeads/transport/governor';
import type { AttemptResult } from '../../nodes/IntegrationLeads/transport/retry';
import { START, virtualClock } from './virtualClock.mts';

export interface Model {
	limit: number;
	/** Instances that share nothing but the headers. */
	processes: number;
	/** Requests that each process wants to have in flight at the same time. */
	wanted?: number;
	/** Without it, each process wants requests all the time. With it, it pauses at random, for seconds or minutes. */
	pauses?: boolean;
	/** Minutes after which all processes but the first are gone. */
	aloneAfter?: number;
	/** Requests that another tool, without a governor, sends at once, at random four times a minute. */
	toolBurst?: number;
	/** Windows end at whole minutes, or a minute after the first request they count. */
	aligned?: boolean;
	/** The reset header: rounded up or down to a second, or in milliseconds. */
	reset?: 'up' | 'down' | 'ms';
	/** The service's clock is ahead of ours by this much. */
	skewMs?: number;
	/** Answers have no `Date`, or no headers but `Retry-After`. */
	without?: 'date' | 'headers';
	seed?: number;
	minutes?: number;
	/** Round trip in ms. */
	latency?: [number, number];
	/** One request in so many takes up to five seconds. */
	slowOneIn?: number;
}

/** What came of it. `use`: answers in whole windows, as a share of the limit. */
export interface Measured {
	/** Requests of the processes that were refused; those of the tool do not count. */
	refusals: number;
	/** The same as a share of the requests of all. */
	refused: number;
	/** The most refusals of one request, which nothing but the time they take may count against. */
	mostOfOne: number;
	use: number;
	perWindow: number[];
}

const WINDOW_MS = 60_000;

export async function saturate(model: Model): Promise<Measured> {
	const { limit, processes, wanted = 64, aligned = true, reset = 'up', skewMs = 0 } = model;
	const [fastest, slowest] = model.latency ?? [20, 500];
	const time = virtualClock(model.seed ?? 1);
	const end = START + (model.minutes ?? 6) * WINDOW_MS;
	const perWindow = new Map<number, number>();
	let window = { start: 0, used: 0 };
	let refusals = 0;
	let mostOfOne = 0;

	function answer(): { status: number; headers: Record<string, string>; retryAfterMs: number } {
		const now = clock.now() + skewMs;
		if (now >= window.start + WINDOW_MS) {
			window = { start: aligned ? now - (now % WINDOW_MS) : now, used: 0 };
		}
		const resetAt = window.start + WINDOW_MS;
		const accepted = window.used < limit;
		if (accepted) window.used += 1;
		perWindow.set(window.start, window.used);
		const seconds = reset === 'up' ? Math.ceil(resetAt / 1000) : Math.floor(resetAt / 1000);
		const headers = {
			...(model.without !== 'date' && { date: new Date(now).toUTCString() }),
			'x-ratelimit-limit': String(limit),
			'x-ratelimit-remaining': String(limit - window.used),
			'x-ratelimit-reset': String(reset === 'ms' ? resetAt : seconds),
		};
		return {
			status: accepted ? 200 : 429,
			headers: model.without === 'headers' ? {} : headers,
			retryAfterMs: Math.ceil((resetAt - now) / 1000) * 1000,
		};
	}

	function roundTrip(): number {
		const isSlow = model.slowOneIn !== undefined && time.random() * model.slowOneIn < 1;
		return isSlow ? 5000 * time.random() : fastest + time.random() * (slowest - fastest);
	}

	async function want(governor: Governor, until: number): Promise<void> {
		for (let refused = 0; clock.now() < until; ) {
			const permit = await governor.acquire();
			const trip = roundTrip();
			await clock.sleep(trip / 2);
			const { status, headers, retryAfterMs } = answer();
			refused = status === 429 ? refused + 1 : 0;
			mostOfOne = Math.max(mostOfOne, refused);
			if (refused) refusals += 1;
			await clock.sleep(trip / 2);
			const result: AttemptResult =
				status === 429
					? { kind: 'refused', status, retryAfterMs }
					: { kind: 'accepted', status, data: {}, siblings: {} };
			permit?.release({ result, headers });
			if (status === 429) await clock.sleep(retryAfterMs);
		}
	}

	/** Executions come and go: some end within a second, some last for more than a window. */
	async function wantNowAndThen(governor: Governor): Promise<void> {
		while (clock.now() < end) {
			await clock.sleep(60_000 * time.random() ** 3);
			const until = clock.now() + 90_000 * time.random() ** 3;
			await Promise.all(Array.from({ length: wanted }, async () => await want(governor, until)));
		}
	}

	async function tool(burst: number): Promise<void> {
		while (clock.now() < end) {
			await clock.sleep(30_000 * time.random());
			for (let sent = 0; sent < burst; sent += 1) answer();
		}
	}

	try {
		for (let index = 0; index < processes; index += 1) {
			const governor = new Governor();
			const isGone = index > 0 && model.aloneAfter !== undefined;
			const until = isGone ? START + (model.aloneAfter ?? 0) * WINDOW_MS : end;
			if (model.pauses) void wantNowAndThen(governor);
			else for (let each = 0; each < wanted; each += 1) void want(governor, until);
		}
		if (model.toolBurst) void tool(model.toolBurst);
		await time.runUntil(end);
	} finally {
		time.restore();
	}
	const all = [...perWindow.values()];
	// The first and the last window are seen in part only.
	const whole = all.slice(1, -1);
	const use = lodash.sum(whole) / (whole.length * limit);
	const refused = refusals / (refusals + lodash.sum(all));
	return { refusals, refused, mostOfOne, use, perWindow: all };
}
