import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { startDatabases } from './databases.mjs';
import { prepareHome, startN8n } from './n8n.mjs';
import { freePort } from './ports.mjs';
import { fromRoot } from './repository.mjs';

const COMPOSE = fromRoot('deploy', 'compose.yaml');

/** `${NAME:-default}` and `${NAME:?message}`, the two forms of variables that the file uses. */
const VARIABLE = /\$\{(\w+):([-?])([^}]*)\}/g;

function withVariables(text, variables) {
	return text.replace(VARIABLE, (_, name, form, rest) => {
		if (variables[name]) return variables[name];
		if (form === '-') return rest;
		throw new Error(`deploy/compose.yaml needs ${name}: ${rest}`);
	});
}

/**
 * How a service of deploy/compose.yaml runs.
 * @param {string} name such as `worker`
 * @param {Record<string, string>} variables the file's variables, such as `POSTGRES_PASSWORD`
 * @returns {{command: string[], settings: Record<string, string>, replicas: number}} `settings`: environment variables
 */
function composeService(name, variables) {
	const { command, environment, deploy } = parse(readFileSync(COMPOSE, 'utf8'), { merge: true })
		.services[name];
	const settings = Object.entries(environment).map(([key, value]) => [
		key,
		withVariables(String(value), variables),
	]);
	return { command, settings: Object.fromEntries(settings), replicas: deploy?.replicas ?? 1 };
}

/** Where things are, the only settings that differ from deploy/compose.yaml. */
const places = (postgresPort, redisPort) => ({
	DB_POSTGRESDB_HOST: '127.0.0.1',
	DB_POSTGRESDB_PORT: String(postgresPort),
	QUEUE_BULL_REDIS_HOST: '127.0.0.1',
	QUEUE_BULL_REDIS_PORT: String(redisPort),
	N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
});

/** n8n in queue mode as deploy/compose.yaml sets it up: Postgres, Redis, main and workers, all as processes. */
class Queue {
	#processes = new Map();
	#durable = false;

	/** @param {{host: object, home: object, logs: string, ports: object, databases: object, variables: object}} parts */
	constructor(parts) {
		Object.assign(this, parts);
		this.query = parts.databases.query;
		this.redis = parts.databases.redis;
		this.url = `http://127.0.0.1:${parts.ports.main.port}`;
		this.workers = Object.keys(parts.ports).filter((name) => name !== 'main');
	}

	/** Starts a process that is not running: `main`, or one of `workers`. */
	async start(name) {
		const service = name === 'main' ? 'main' : 'worker';
		const { port, brokerPort } = this.ports[name];
		const { command, settings } = composeService(service, this.#variables());
		const log = this.#log(name);
		const running = await startN8n(this.host, this.home, {
			command,
			port,
			brokerPort,
			log,
			ready: service === 'main' ? '/rest/settings' : '/healthz/readiness',
			settings: { ...settings, ...this.places, QUEUE_HEALTH_CHECK_PORT: String(port) },
		});
		this.#processes.set(name, running);
	}

	/** Kills a process as a crash does, or as the system does when memory runs out. */
	async kill(name) {
		await this.#processes.get(name).kill();
		this.#processes.delete(name);
	}

	/** Sets how triggers poll, for which everything but the databases is started again. @param {boolean} durable */
	async setDurable(durable) {
		if (durable === this.#durable) return;
		await this.#stopN8n();
		this.#durable = durable;
		await this.startAll();
	}

	/** Starts what is not running; main first, since it prepares the database. */
	async startAll() {
		const missing = ['main', ...this.workers].filter((name) => !this.#processes.has(name));
		if (missing[0] === 'main') await this.start(missing.shift());
		await Promise.all(missing.map(async (name) => await this.start(name)));
	}

	/** The worker that started to run an execution, if one did. */
	workerOf(executionId) {
		const line = `Worker started execution ${executionId} `;
		return this.workers.find((name) => readFileSync(this.#log(name), 'utf8').includes(line));
	}

	async stop() {
		await this.#stopN8n();
		await this.databases.stop();
	}

	async #stopN8n() {
		await Promise.all([...this.#processes.values()].map(async ({ stop }) => await stop()));
		this.#processes.clear();
	}

	#log(name) {
		return join(this.logs, `${name}.log`);
	}

	#variables() {
		return { ...this.variables, DURABLE_POLLING: String(this.#durable) };
	}
}

/**
 * Starts the databases; n8n is started by the methods of the queue.
 * @param {{node: string, n8n: string}} host from ensureHost()
 * @param {{tarball: string, logs: string}} options
 */
export async function prepareQueue(host, { tarball, logs }) {
	const home = await prepareHome(tarball);
	const variables = {
		POSTGRES_PASSWORD: randomBytes(12).toString('hex'),
		N8N_ENCRYPTION_KEY: home.encryptionKey,
	};
	const { settings } = composeService('main', variables);
	const [postgresPort, redisPort] = [await freePort(), await freePort()];
	const databases = await startDatabases(host, {
		postgres: {
			port: postgresPort,
			user: settings.DB_POSTGRESDB_USER,
			password: settings.DB_POSTGRESDB_PASSWORD,
			database: settings.DB_POSTGRESDB_DATABASE,
			log: join(logs, 'postgres.log'),
		},
		redis: { port: redisPort, log: join(logs, 'redis.log') },
	});
	const { replicas } = composeService('worker', variables);
	const ports = {};
	for (const name of ['main', ...Array.from({ length: replicas }, (_, n) => `worker-${n + 1}`)]) {
		ports[name] = { port: await freePort(), brokerPort: await freePort() };
	}
	const where = places(postgresPort, redisPort);
	return new Queue({ host, home, logs, ports, databases, variables, places: where });
}
