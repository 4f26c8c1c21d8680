import { writeFileSync } from 'node:fs';
import { createServer as createProxy } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { text } from 'node:stream/consumers';

import { generate } from 'selfsigned';

import { temporaryFolder } from './processes.mjs';

/**
 * A request to a stand-in.
 * @typedef {{host: string, method: string, path: string, query: Record<string, string>,
 *   headers: import('node:http').IncomingHttpHeaders, body: string, json: any}} StandInRequest
 *   `json`: the parsed body, if it is JSON
 */

/**
 * What a stand-in answers: status 200 unless given; a `body` that is neither text nor a buffer is sent as JSON.
 * @typedef {{status?: number, headers?: Record<string, string>, body?: unknown}} StandInAnswer
 */

const CA_EXTENSIONS = [
	{ name: 'basicConstraints', cA: true, critical: true },
	{ name: 'keyUsage', keyCertSign: true, digitalSignature: true, critical: true },
];
const EC = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' };

/**
 * Stand-ins for services on the internet: an HTTPS proxy on the loopback with its own certificate authority. A program
 * that is started with `settings` reaches them under their real names, and nothing else outside of this machine.
 */
export class StandIns {
	/** All requests in the order they came, also those to hosts without a stand-in (`method` is then CONNECT).
	 * @type {StandInRequest[]} */
	requests = [];
	/** Environment variables for the program. @type {Record<string, string>} */
	settings;
	#handlers = new Map();
	#authority;
	#contexts = new Map();
	#proxy;

	/** @returns {Promise<StandIns>} */
	static async start() {
		const standIns = new StandIns();
		await standIns.#start();
		return standIns;
	}

	/**
	 * Answers the requests to a host from now on.
	 * @param {string} host such as `slack.com`
	 * @param {(request: StandInRequest) => StandInAnswer | Promise<StandInAnswer>} handler
	 */
	serve(host, handler) {
		this.#handlers.set(host, handler);
	}

	/** The requests to a host, oldest first. @param {string} host */
	requestsTo(host) {
		return this.requests.filter((request) => request.host === host);
	}

	/** Ends all connections. */
	async stop() {
		await new Promise((resolve) => {
			this.#proxy.close(resolve);
			this.#proxy.closeAllConnections();
		});
	}

	async #start() {
		const name = [{ name: 'commonName', value: 'Stand-ins of the tests' }];
		this.#authority = await generate(name, { ...EC, extensions: CA_EXTENSIONS });
		const file = join(temporaryFolder('certificates'), 'ca.pem');
		writeFileSync(file, this.#authority.cert);

		const server = createServer(
			{ SNICallback: (host, done) => void this.#contextOf(host).then((c) => done(null, c), done) },
			(request, response) => void this.#answer(request, response),
		);
		this.#proxy = createProxy().on('connect', ({ url }, socket, head) => {
			socket.on('error', () => socket.destroy());
			const host = url.split(':')[0];
			if (!this.#handlers.has(host)) {
				this.requests.push({ host, method: 'CONNECT', path: '', query: {}, headers: {}, body: '' });
				return void socket.end('HTTP/1.1 502 No stand-in\r\n\r\n');
			}
			socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			if (head.length > 0) socket.unshift(head);
			server.emit('connection', socket);
		});
		await new Promise((resolve) => this.#proxy.listen(0, '127.0.0.1', resolve));
		const proxy = `http://127.0.0.1:${this.#proxy.address().port}`;
		this.settings = {
			HTTPS_PROXY: proxy,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: file,
		};
	}

	async #contextOf(host) {
		if (!this.#contexts.has(host)) {
			const extensions = [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }];
			const ca = { key: this.#authority.private, cert: this.#authority.cert };
			const name = [{ name: 'commonName', value: host }];
			const { private: key, cert } = await generate(name, { ...EC, ca, extensions });
			this.#contexts.set(host, createSecureContext({ key, cert }));
		}
		return this.#contexts.get(host);
	}

	async #answer(message, response) {
		const { method, headers } = message;
		const host = headers.host.split(':')[0];
		const { pathname: path, searchParams } = new URL(message.url, `https://${host}`);
		const query = Object.fromEntries(searchParams);
		const body = await text(message);
		const request = { host, method, path, query, headers, body, json: parsed(body) };
		this.requests.push(request);
		let answer;
		try {
			answer = await this.#handlers.get(host)(request);
		} catch (error) {
			answer = { status: 500, body: `The stand-in failed: ${error.stack}` };
		}
		const { status = 200, headers: more, body: content = '' } = answer;
		const raw = typeof content === 'string' || Buffer.isBuffer(content);
		const type = raw ? 'text/plain' : 'application/json';
		response.writeHead(status, { 'content-type': type, ...more });
		response.end(raw ? content : JSON.stringify(content));
	}
}

function parsed(body) {
	try {
		return JSON.parse(body);
	} catch {
		return undefined;
	}
}
