import { createServer } from 'node:net';

import { Problem } from './problem.mjs';

const LOOPBACK = '127.0.0.1';

/** Resolves to the port listened on; 0 asks the system for a free one. */
const tryPort = (port) =>
	new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(port, LOOPBACK, () => {
			const { port: got } = server.address();
			server.close(() => resolve(got));
		});
	});

/** A free port. */
export const freePort = () => tryPort(0);

/**
 * @param {number} port
 * @param {string} wanted what will listen there
 * @param {string} command the command for another port, without the number
 */
export async function requireFreePort(port, wanted, command) {
	try {
		await tryPort(port);
	} catch (error) {
		const reason =
			error.code === 'EADDRINUSE'
				? 'is in use by another program'
				: `cannot be used (${error.code})`;
		throw new Problem(
			`Port ${port}, wanted for ${wanted}, ${reason}.`,
			`Stop that program, or choose another port: ${command} ${port + 1}`,
		);
	}
}
