import { writeFileSync } from 'node:fs';
import {
	createServer as createProxy,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createSecureContext, type SecureContext } from 'node:tls';

import { generate, type CertificateExtension, type GenerateResult } from 'selfsigned';

import { stackOf } from './commandError.mts';
import { temporaryFolder } from './processes.mts';

/** A request to a stand-in. */
export interface StandInRequest<Body = unknown> {
	host: string;
	method: string;
	path: string;
	query: Record<string, string>;
	headers: IncomingHttpHeaders;
	body: string;
	/** The parsed body; undefined if it is not JSON. */
	json: Body;
}

/** What a stand-in answers. */
export interface StandInAnswer {
	/** 200 unless given. */
	status?: number;
	headers?: Record<string, string>;
	/** Sent as JSON if it is neither text nor a buffer. */
	body?: unknown;
}

/** How a stand-in answers; each knows the bodies that it gets. */
export type Handler<Body = never> = (
	request: StandInRequest<Body>,
) => StandInAnswer | Promise<StandInAnswer>;

const CA_EXTENSIONS: CertificateExtension[] = [
	{ name: 'basicConstraints', cA: true, critical: true },
	{ name: 'keyUsage', keyCertSign: true, digitalSignature: true, critical: true },
];
const EC = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

/**
 * Stand-ins for services on the internet: an HTTPS proxy on the loopback with its own certificate authority. A program
 * that is started with `settings` reaches them under their real names, and nothing else outside of this machine.
 */
export class StandIns {
	/** All requests in the order they came, also those to hosts without a stand-in (`method` is then CONNECT). */
	readonly requests: StandInRequest[] = [];
	/** Environment variables for the program. */
	settings: Record<string, string> = {};
	readonly #handlers = new Map<string, Handler>();
	readonly #authority: GenerateResult;
	readonly #contexts = new Map<string, SecureContext>();
	readonly #proxy: Server;

	private constructor(authority: GenerateResult) {
		this.#authority = authority;
		this.#proxy = this.#createProxy();
	}

	static async start(): Promise<StandIns> {
		const name = [{ name: 'commonName', value: 'Stand-ins of the tests' }];
		const standIns = new StandIns(await generate(name, { ...EC, extensions: CA_EXTENSIONS }));
		await standIns.#listen();
		return standIns;
	}

	/** Answers the requests to a host, such as `slack.com`, from now on. */
	serve(host: string, handler: Handler): void {
		this.#handlers.set(host, handler);
	}

	/** The requests to a host, oldest first, whose bodies the caller knows. */
	requestsTo<Body>(host: string): Array<StandInRequest<Body>> {
		const requests = this.requests.filter((request) => request.host === host);
		return requests as Array<StandInRequest<Body>>;
	}

	/** Ends all connections. */
	async stop(): Promise<void> {
		await new Promise<void>((resolve) => {
			this.#proxy.close(() => resolve());
			this.#proxy.closeAllConnections();
		});
	}

	#createProxy(): Server {
		const server = createServer(
			{ SNICallback: (host, done) => void this.#contextOf(host).then((c) => done(null, c), done) },
			(request, response) => void this.#answer(request, response),
		);
		return createProxy().on('connect', ({ url = '' }, socket, head) => {
			socket.on('error', () => socket.destroy());
			const [host] = url.split(':');
			if (!this.#handlers.has(host)) {
				this.requests.push({
					...{ host, method: 'CONNECT', path: '', query: {}, headers: {}, body: '' },
					json: undefined,
				});
				return void socket.end('HTTP/1.1 502 No stand-in\r\n\r\n');
			}
			socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			if (head.length > 0) socket.unshift(head);
			server.emit('connection', socket);
		});
	}

	async #listen(): Promise<void> {
		const file = join(temporaryFolder('certificates'), 'ca.pem');
		writeFileSync(file, this.#authority.cert);
		await new Promise<void>((resolve) => this.#proxy.listen(0, '127.0.0.1', resolve));
		const { port } = this.#proxy.address() as AddressInfo;
		const proxy = `http://127.0.0.1:${port}`;
		this.settings = {
			HTTPS_PROXY: proxy,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: file,
		};
	}

	async #contextOf(host: string): Promise<SecureContext> {
		const known = this.#contexts.get(host);
		if (known) return known;
		const extensions: CertificateExtension[] = [
			{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
		];
		const ca = { key: this.#authority.private, cert: this.#authority.cert };
		const name = [{ name: 'commonName', value: host }];
		const { private: key, cert } = await generate(name, { ...EC, ca, extensions });
		const context = createSecureContext({ key, cert });
		this.#contexts.set(host, context);
		return context;
	}

	async #answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = '', url = '', headers } = message;
		const [host] = (headers.host ?? '').split(':');
		const { pathname: path, searchParams } = new URL(url, `https://${host}`);
		const query = Object.fromEntries(searchParams);
		const body = await text(message);
		const request = { host, method, path, query, headers, body, json: parsedJson(body) };
		this.requests.push(request);
		const { status = 200, headers: more, body: content = '' } = await this.#handle(request);
		const raw = typeof content === 'string' || Buffer.isBuffer(content);
		const type = raw ? 'text/plain' : 'application/json';
		response.writeHead(status, { 'content-type': type, ...more });
		response.end(raw ? content : JSON.stringify(content));
	}

	async #handle(request: StandInRequest<never>): Promise<StandInAnswer> {
		const handler = this.#handlers.get(request.host);
		if (!handler) return { status: 502, body: 'No stand-in' };
		try {
			return await handler(request);
		} catch (error) {
			return { status: 500, body: `The stand-in failed: ${stackOf(error)}` };
		}
	}
}

/** Its type is that of any handler's body, see {@link Handler}. */
function parsedJson(body: string): never {
	try {
		return JSON.parse(body) as never;
	} catch {
		return undefined as never;
	}
}
