import { createServer } from 'node:net';

import { CommandError, codeOf } from './commandError.mts';

const LOOPBACK = '127.0.0.1';

/** Resolves to the port if nobody listens on it. */
const tryPort = (port: number) =>
	new Promise<number>((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(port, LOOPBACK, () => {
			server.close(() => resolve(port));
		});
	});

/** Below the ports that systems give to outgoing connections, which could take one before its server listens. */
const [FIRST, COUNT] = [20_000, 12_000];

/** Ports handed out in this process, on which nothing may listen yet. */
const given = new Set<number>();

/** A free port: a random one, so that two runs beside each other hardly ever choose the same. */
export async function freePort(): Promise<number> {
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

/** Throws a CommandError if the port cannot be listened on. @param flag which chooses another port */
export async function requireFreePort(port: number, flag: string): Promise<void> {
	await tryPort(port).catch((error: unknown) => {
		const code = codeOf(error);
		const reason =
			code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${code})`;
		throw new CommandError(
			`Port ${port} ${reason}.`,
			`Stop that program, or choose another port with \`${flag}\`.`,
		);
	});
}
