import { createServer } from 'node:net';

import { Problem } from './problem.mjs';

const LOOPBACK = '127.0.0.1';

/** Resolves to the port if nobody listens on it. */
const tryPort = (port) =>
	new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(port, LOOPBACK, () => {
			const { port: got } = server.address();
			server.close(() => resolve(got));
		});
	});

/** Below the ports that systems give to outgoing connections, which could take one before its server listens. */
const [FIRST, COUNT] = [20_000, 12_000];

/** What this process was given, and may not listen at yet. */
const given = new Set();

/**
 * A free port: a random one, so that two runs beside each other hardly ever choose the same.
 *
 * @returns {Promise<number>}
 */
export async function freePort() {
	for (let tries = 0; ; tries += 1) {
		const port = FIRST + Math.floor(Math.random() * COUNT);
		if (given.has(port)) continue;
		given.add(port);
		try {
			return await tryPort(port);
		} catch (error) {
			if (tries > 20) throw error;
		}
	}
}

/** Throws a Problem if something listens at the port already. @param {number} port */
export async function requireFreePort(port) {
	await tryPort(port).catch(({ code }) => {
		const reason =
			code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${code})`;
		throw new Problem(`Port ${port} ${reason}.`, "Stop that program; `--port` changes n8n's.");
	});
}
