import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Controls } from '../../sandbox/controls.mts';
import type { ApiKey } from '../../sandbox/keys.mts';
import { apiPrefix } from '../../sandbox/routes.mts';
import { CommandError, lastLines } from './commandError.mts';
import { start, type Service } from './processes.mts';
import { root } from './repository.mts';

const START_LIMIT_MS = 30_000;
const POLL_MS = 100;

/** Controls of a service, each with at most one argument. */
export type ControlsOf<C> = { [Name in keyof C]: (...argument: never[]) => unknown };

/** The process of a sandbox, or of a service with more controls. */
export class Sandbox<C extends ControlsOf<C> = Controls> {
	readonly url: string;
	readonly stop: Service['stop'];
	readonly endedByItself: Service['endedByItself'];

	constructor(url: string, { stop, endedByItself }: Service) {
		this.url = url;
		this.stop = stop;
		this.endedByItself = endedByItself;
	}

	/** Calls a control; `GET /_sandbox` lists them. */
	async control<Name extends keyof C & string>(
		name: Name,
		...[argument]: Parameters<C[Name]>
	): Promise<ReturnType<C[Name]>> {
		return await this.#json(`/_sandbox/${name}`, {
			method: 'POST',
			body: argument === undefined ? undefined : JSON.stringify(argument),
		});
	}

	/** The API keys it starts with, by name: `full`, `readOnly`, `revoked`. */
	async keys(): Promise<Record<string, string>> {
		const { keys } = await this.#json<{ keys: ApiKey[] }>('/_sandbox/state');
		return Object.fromEntries(keys.map(({ name, key }) => [name, key]));
	}

	/** Reads from the service directly, to compare with n8n's output. */
	async get<Data>(path: string): Promise<Data> {
		return await this.#call(path);
	}

	/** Writes to the service directly. */
	async post<Data>(path: string, body: object): Promise<Data> {
		return await this.#call(path, { method: 'POST', body: JSON.stringify(body) });
	}

	async #call<Data>(path: string, init: RequestInit = {}): Promise<Data> {
		const { full } = await this.keys();
		const headers = { 'content-type': 'application/json', authorization: `Bearer ${full}` };
		const answer = await this.#json<{ data: Data }>(apiPrefix + path, { ...init, headers });
		return answer.data;
	}

	async #json<Answer>(path: string, init?: RequestInit): Promise<Answer> {
		const response = await fetch(this.url + path, init);
		const text = await response.text();
		if (!response.ok) throw new Error(`Sandbox: ${path} answered ${response.status}: ${text}`);
		return JSON.parse(text) as Answer;
	}
}

/** Starts the leads service. */
export async function startSandbox<C extends ControlsOf<C> = Controls>({
	port,
	seed = 200,
	service = 'sandbox/main.mts',
	log,
}: {
	port: number;
	/** How many leads it holds. */
	seed?: number;
	/** The script to start. */
	service?: string;
	log: string;
}): Promise<Sandbox<C>> {
	writeFileSync(log, '');
	const flags = ['--port', String(port), '--seed', String(seed), '--quiet'];
	const running = start(process.execPath, ['--import', 'tsx', service, ...flags], {
		cwd: root,
		log,
	});
	const sandbox = new Sandbox<C>(`http://127.0.0.1:${port}`, running);
	let ended = false;
	void running.endedByItself.then(() => (ended = true));
	const limit = Date.now() + START_LIMIT_MS;
	for (;;) {
		try {
			await sandbox.keys();
			return sandbox;
		} catch {
			if (ended || Date.now() > limit) {
				throw new CommandError(
					`The sandbox did not start:\n${lastLines(readFileSync(log, 'utf8'))}`,
				);
			}
			await sleep(POLL_MS);
		}
	}
}
