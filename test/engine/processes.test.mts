/** The rate limit, shared by real processes that know nothing of each other but the headers of the sandbox. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { minBy } from 'lodash';

import { startSandbox } from '../../sandbox/server.mts';

const MINUTES = 4;
const BEGIN = Date.parse('2026-03-02T12:00:17.250Z');

test.each([
	{ rpm: 40, processes: 8 },
	{ rpm: 300, processes: 4 },
])(
	'$processes processes at $rpm a minute get no 429',
	async ({ rpm, processes }) => {
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
				if (next.wakesAt > BEGIN + MINUTES * 60_000) break;
				now = next.wakesAt;
				next.process.send(now);
				[next.wakesAt] = (await once(next.process, 'message')) as [number];
			}
			const windows = Object.values(sandbox.controls.rates())[0];
			const accepted = windows.map((window) => window.accepted);
			process.stdout.write(`${processes} processes at ${rpm}: ${accepted.join(', ')} accepted\n`);
			expect(windows.map(({ rejected }) => rejected)).toEqual(windows.map(() => 0));
			// The last window ends with the test.
			for (const used of accepted.slice(0, -1)) expect(used).toBeGreaterThan(rpm * 0.8);
		} finally {
			for (const client of clients) client.process.kill();
			await sandbox.close();
		}
	},
	120_000,
);
