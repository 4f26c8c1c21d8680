/** Time that passes only when a test says so: sleeps end in the order of their moments. */
import lodash from 'lodash';

import { clock } from '../../nodes/IntegrationLeads/transport/clock';
import { mulberry32 as seeded } from '../../sandbox/random.mts';

export { seeded };

export const START = Date.parse('2026-03-02T12:00:17.250Z');

/** Puts a simulated clock in the place of the transport's. */
export function virtualClock(seed = 1) {
	const real = { ...clock };
	let timers: Array<{ at: number; wake: () => void }> = [];
	let now = START;
	const random = seeded(seed);
	const simulated: typeof clock = {
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
