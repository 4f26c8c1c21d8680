import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackServer {
	/** Such as http://127.0.0.1:54321 */
	url: string;
	/** Ends all connections. */
	close(): void;
}

/** A server on the loopback interface, at a free port. */
export async function serveLoopback(
	respond: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<LoopbackServer> {
	const server = createServer((request, response) => void respond(request, response));
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}
