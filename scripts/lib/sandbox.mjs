import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { Problem, lastLines } from './problem.mjs';
import { start } from './processes.mjs';
import { root } from './repository.mjs';

const START_LIMIT_MS = 30_000;
const POLL_MS = 100;

/** A sandbox process and its controls. */
export class Sandbox {
	/** @param {string} url @param {ReturnType<typeof start>} running */
	constructor(url, { stop, endedByItself }) {
		Object.assign(this, { url, stop, endedByItself });
	}

	/**
	 * Calls a control; `GET /_sandbox` lists them. With an argument it is a POST.
	 * @param {string} name
	 * @param {unknown} [argument]
	 */
	async control(name, argument) {
		return await this.#json(`/_sandbox/${name}`, {
			method: argument === undefined ? 'GET' : 'POST',
			headers: argument === undefined ? {} : { 'content-type': 'application/json' },
			body: JSON.stringify(argument),
		});
	}

	/** The API keys it starts with, by name: `full`, `readOnly`, `revoked`. */
	async keys() {
		const { keys } = await this.control('state');
		return Object.fromEntries(keys.map(({ name, key }) => [name, key]));
	}

	/** Reads from the service directly, to compare with n8n's output. */
	async get(path) {
		return await this.#call(path);
	}

	/** Writes to the service directly. */
	async post(path, body) {
		const headers = { 'content-type': 'application/json' };
		return await this.#call(path, { method: 'POST', headers, body: JSON.stringify(body) });
	}

	async #call(path, { headers, ...init } = {}) {
		const { full } = await this.keys();
		const authorized = { ...headers, authorization: `Bearer ${full}` };
		return (await this.#json(`/api/v1/integration${path}`, { ...init, headers: authorized })).data;
	}

	async #json(path, init) {
		const response = await fetch(this.url + path, init);
		const text = await response.text();
		if (!response.ok) throw new Error(`Sandbox: ${path} answered ${response.status}: ${text}`);
		return JSON.parse(text);
	}
}

/**
 * Starts the leads service.
 * @param {{port: number, seed?: number, service?: string, log: string}} options `seed`: how many leads it holds;
 *   `service`: the script to start
 * @returns {Promise<Sandbox>}
 */
export async function startSandbox({ port, seed = 200, service = 'sandbox/main.mts', log }) {
	writeFileSync(log, '');
	const flags = ['--port', String(port), '--seed', String(seed), '--quiet'];
	const running = start(process.execPath, ['--import', 'tsx', service, ...flags], {
		cwd: root,
		log,
	});
	const sandbox = new Sandbox(`http://127.0.0.1:${port}`, running);
	let ended = false;
	void running.endedByItself.then(() => (ended = true));
	const limit = Date.now() + START_LIMIT_MS;
	for (;;) {
		try {
			await sandbox.control('state');
			return sandbox;
		} catch {
			if (ended || Date.now() > limit) {
				throw new Problem(`The sandbox did not start:\n${lastLines(readFileSync(log, 'utf8'))}`);
			}
			await sleep(POLL_MS);
		}
	}
}
