/**
 * The rate limit, shared by real processes that know nothing of each other but the headers of the sandbox. `npm test` has
 * the same in simulated time: rateLimitedService.test.mts.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { minBy, sumBy } from 'lodash';

import { startSandbox } from '../../sandbox/server.mts';
import { itLong } from '../helpers/long.mts';

const BEGIN = Date.parse('2026-03-02T12:00:17.250Z');

itLong.each([
	{ rpm: 100, processes: 8, most: 0.06, minutes: 4 },
	// With 2 requests a minute for each, it takes them some minutes to learn from refusals how many they are.
	{ rpm: 40, processes: 16, most: 0.2, minutes: 12 },
	{ rpm: 1000, processes: 16, most: 0, minutes: 4 },
])(
	'$processes processes at $rpm a minute are refused few requests',
	async ({ rpm, processes, most, minutes }) => {
		let now = BEGIN;
		const sandbox = await startSandbox({ rpm, clock: () => now });
		const { url, keys } = sandbox;
		const clients = Array.from({ length: processes }, (_, index) => {
			const options = JSON.stringify({ url, key: keys.full, wanted: 24, seed: index + 1 });
			return {
				process: fork(join(__dirname, '../helpers/clientProcess.js'), [options]),
				wakesAt: BEGIN,
			};
		});
		try {
			// One process at a time, the one that wakes first: the order of all events is the same in every run.
			for (;;) {
				const next = minBy(clients, 'wakesAt')!;
				if (next.wakesAt > BEGIN + minutes * 60_000) break;
				now = next.wakesAt;
				next.process.send(now);
				[next.wakesAt] = (await once(next.process, 'message')) as [number];
			}
			const windows = Object.values(sandbox.controls.rates())[0];
			const accepted = sumBy(windows, 'accepted');
			const refused = sumBy(windows, 'rejected');
			process.stdout.write(
				`${processes} processes at ${rpm}: ${accepted} accepted, ${refused} refused\n`,
			);
			expect(refused / (refused + accepted)).toBeLessThanOrEqual(most);
			// The last window ends with the test.
			for (const window of windows.slice(0, -1)) {
				expect(window.accepted).toBeGreaterThanOrEqual(rpm * 0.95);
			}
		} finally {
			for (const client of clients) client.process.kill();
			await sandbox.close();
		}
	},
	600_000,
);
