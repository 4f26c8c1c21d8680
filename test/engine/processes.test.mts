/** The rate limit, shared by real processes that know nothing of each other but the headers of the sandbox. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { startSandbox } from '../../sandbox/server.mts';

/** A minute passes in three seconds. */
const SCALE = 20;
const WINDOWS = 5;

test.each([
	{ rpm: 40, processes: 8 },
	{ rpm: 100, processes: 4 },
	{ rpm: 300, processes: 4 },
])(
	'$processes processes at $rpm a minute get no 429',
	async ({ rpm, processes }) => {
		const epoch = Date.now();
		const clock = () => epoch + (performance.timeOrigin + performance.now() - epoch) * SCALE;
		const sandbox = await startSandbox({ rpm, clock });
		try {
			const { url, keys } = sandbox;
			const end = clock() + WINDOWS * 60_000;
			const options = { url, key: keys.full, epoch, scale: SCALE, wanted: 24, end };
			const results = await Promise.all(
				Array.from({ length: processes }, async () => {
					const client = fork(join(__dirname, '../helpers/clientProcess.js'), [
						JSON.stringify(options),
					]);
					const [result] = (await once(client, 'message')) as [{ refused: number }];
					return result.refused;
				}),
			);
			const windows = Object.values(sandbox.controls.rates())[0];
			const accepted = windows.map((window) => window.accepted);
			process.stdout.write(`${processes} processes at ${rpm}: ${accepted.join(', ')} accepted\n`);
			expect(results).toEqual(results.map(() => 0));
			// The first window is shared with the start of the processes, the last one is not over.
			const whole = accepted.slice(1, -1);
			const used = whole.reduce((sum, count) => sum + count, 0) / whole.length;
			expect(used).toBeGreaterThan(rpm * 0.8);
		} finally {
			await sandbox.close();
		}
	},
	60_000,
);
