/** The rate limit, shared by real processes that know nothing of each other but the headers of the sandbox. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { startSandbox } from '../../sandbox/server.mts';

/** A minute passes in three seconds. */
const SCALE = 20;
const MINUTES = 4;

test.each([
	{ rpm: 40, processes: 8 },
	{ rpm: 300, processes: 4 },
])(
	'$processes processes at $rpm a minute get no 429',
	async ({ rpm, processes }) => {
		const epoch = Date.now();
		const clock = () => epoch + (performance.timeOrigin + performance.now() - epoch) * SCALE;
		const sandbox = await startSandbox({ rpm, clock });
		try {
			const { url, keys } = sandbox;
			const options = { url, key: keys.full, epoch, scale: SCALE, wanted: 24, minutes: MINUTES };
			const clients = Array.from({ length: processes }, () =>
				fork(join(__dirname, '../helpers/clientProcess.js'), [JSON.stringify(options)]),
			);
			const nextMessages = async (): Promise<unknown[]> =>
				(await Promise.all(clients.map(async (client) => await once(client, 'message')))).flatMap(
					([message]) => message,
				);
			await nextMessages();
			for (const client of clients) client.send('begin');
			const results = await nextMessages();
			const windows = Object.values(sandbox.controls.rates())[0];
			const accepted = windows.map((window) => window.accepted);
			process.stdout.write(`${processes} processes at ${rpm}: ${accepted.join(', ')} accepted\n`);
			expect(results).toEqual(results.map(() => ({ refused: 0 })));
			// How much of the limit is used depends on the machine: test/pure/rateLimitedService measures that in simulated time.
			expect(Math.min(...accepted.slice(0, -1))).toBeGreaterThan(0);
		} finally {
			await sandbox.close();
		}
	},
	60_000,
);
