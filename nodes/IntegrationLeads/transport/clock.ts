/** Tells the time, and waits. */
import { sleep } from 'n8n-workflow';

/** Before 2.x, n8n's `sleep` takes no signal: between slices, a cancelled execution stops there too. */
const SLICE_MS = 1000;

/** Time as the transport sees it. Tests put a scaled or a simulated clock in its place. */
export const clock = {
	/** Milliseconds since the Unix epoch. */
	now: () => Date.now(),
	/** A number in [0, 1), for jitter. */
	random: () => Math.random(),
	/** Resolves after `ms` milliseconds; rejects as soon as `signal` is aborted. */
	async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		const end = Date.now() + ms;
		for (let left = ms; left > 0; left = end - Date.now()) {
			signal?.throwIfAborted();
			await sleep(Math.min(left, SLICE_MS), signal);
		}
	},
};
