/** Time that passes only when a test says so: sleeps end in the order of their moments. */
import lodash from 'lodash';

import type { Clock } from '../../nodes/IntegrationLeads/transport/clock';
import { clock } from '../../nodes/IntegrationLeads/transport/clock';

export const START = Date.parse('2026-03-02T12:00:17.250Z');

/** Numbers in [0, 1) that are the same in every run. */
export function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		// mulberry32
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** Puts a simulated clock in the place of the transport's. */
export function virtualClock(seed = 1) {
	const real = { ...clock };
	let timers: Array<{ at: number; wake: () => void }> = [];
	let now = START;
	const random = seeded(seed);
	const simulated: Clock = {
		now: () => now,
		random,
		sleep: async (ms, signal) =>
			await new Promise<void>((wake, reject) => {
				const timer = { at: now + Math.max(0, ms), wake };
				// In the order of their ends; of two with the same end, the earlier one first.
				timers.splice(lodash.sortedLastIndexBy(timers, timer, 'at'), 0, timer);
				signal?.addEventListener('abort', () => {
					timers = timers.filter((each) => each !== timer);
					reject(signal.reason);
				});
			}),
	};
	Object.assign(clock, simulated);
	return {
		...simulated,
		/** Lets time pass up to a moment, waking whoever sleeps less long. */
		async runUntil(end: number): Promise<void> {
			for (;;) {
				// Everything that follows from the last wake happens before time moves on.
				await new Promise(setImmediate);
				const next = timers[0];
				if (!next || next.at > end) break;
				timers.shift();
				now = next.at;
				next.wake();
			}
			now = end;
		},
		restore: () => Object.assign(clock, real),
	};
}
