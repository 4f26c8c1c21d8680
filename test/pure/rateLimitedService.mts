/** A service with a fixed window, as its headers show it (spec part 8), and processes that want all of it. */
import { clock } from '../../nodes/IntegrationLeads/transport/clock';
import { Governor } from '../../nodes/IntegrationLeads/transport/governor';
import { START, virtualClock } from './virtualClock.mts';

export interface Model {
	limit: number;
	/** Instances that share nothing but the headers. */
	processes: number;
	/** Windows end at whole minutes, or a minute after the first request they count. */
	aligned?: boolean;
	/** The reset header: rounded up or down to a second, or in milliseconds. */
	reset?: 'up' | 'down' | 'ms';
	/** The service's clock is ahead of ours by this much. */
	skewMs?: number;
	seed?: number;
	minutes?: number;
	/** Round trip in ms. */
	latency?: [number, number];
}

/** What came of it. `use`: answers in whole windows, as a share of the limit. */
export interface Measured {
	rejections: number;
	use: number;
	perWindow: number[];
}

const WINDOW_MS = 60_000;
/** Requests each process wants to send at the same time, more than it may. */
const WANTING = 12;

export async function saturate(model: Model): Promise<Measured> {
	const { limit, processes, aligned = true, reset = 'up', skewMs = 0 } = model;
	const [fastest, slowest] = model.latency ?? [20, 300];
	const time = virtualClock(model.seed ?? 1);
	const end = START + (model.minutes ?? 6) * WINDOW_MS;
	const perWindow = new Map<number, number>();
	let window = { start: 0, used: 0 };
	let rejections = 0;

	function answer(): { status: number; headers: Record<string, string>; retryAfterMs: number } {
		const now = clock.now() + skewMs;
		if (now >= window.start + WINDOW_MS) {
			window = { start: aligned ? now - (now % WINDOW_MS) : now, used: 0 };
		}
		const resetAt = window.start + WINDOW_MS;
		const accepted = window.used < limit;
		if (accepted) window.used += 1;
		else rejections += 1;
		perWindow.set(window.start, window.used);
		const seconds = reset === 'up' ? Math.ceil(resetAt / 1000) : Math.floor(resetAt / 1000);
		return {
			status: accepted ? 200 : 429,
			headers: {
				date: new Date(now).toUTCString(),
				'x-ratelimit-limit': String(limit),
				'x-ratelimit-remaining': String(limit - window.used),
				'x-ratelimit-reset': String(reset === 'ms' ? resetAt : seconds),
			},
			retryAfterMs: Math.ceil((resetAt - now) / 1000) * 1000,
		};
	}

	async function want(governor: Governor): Promise<void> {
		while (clock.now() < end) {
			const permit = await governor.acquire();
			const trip = fastest + time.random() * (slowest - fastest);
			await clock.sleep(trip / 2);
			const { status, headers, retryAfterMs } = answer();
			await clock.sleep(trip / 2);
			if (status === 429) governor.throttled(retryAfterMs);
			permit?.release(headers);
			if (status === 429) await clock.sleep(retryAfterMs);
		}
	}

	try {
		for (let index = 0; index < processes; index += 1) {
			const governor = new Governor();
			for (let each = 0; each < WANTING; each += 1) void want(governor);
		}
		await time.runUntil(end);
	} finally {
		time.restore();
	}
	// The first and the last window are seen in part only.
	const whole = [...perWindow.values()].slice(1, -1);
	const use = whole.reduce((sum, used) => sum + used, 0) / (whole.length * limit);
	return { rejections, use, perWindow: [...perWindow.values()] };
}
