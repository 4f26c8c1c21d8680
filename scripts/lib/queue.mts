import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { startDatabases, type Databases } from './databases.mts';
import type { Host } from './host.mts';
import { prepareHome, startN8n, type Home, type RunningN8n } from './n8n.mts';
import { freePort } from './ports.mts';
import { fromRoot } from './repository.mts';

const COMPOSE = fromRoot('deploy', 'compose.yaml');

/** `${NAME:-default}` and `${NAME:?message}`, the two forms of variables that the file uses. */
const VARIABLE = /\$\{(\w+):([-?])([^}]*)\}/g;

/** The variables of deploy/compose.yaml, such as `POSTGRES_PASSWORD`. */
type Variables = Record<string, string>;

/** What is read of deploy/compose.yaml. */
interface ComposeFile {
	services: Record<
		string,
		{
			command: string[];
			environment: Record<string, unknown>;
			deploy?: { replicas?: number };
		}
	>;
}

function withVariables(text: string, variables: Variables): string {
	return text.replace(VARIABLE, (_, name: string, form: string, rest: string) => {
		if (variables[name]) return variables[name];
		if (form === '-') return rest;
		throw new Error(`deploy/compose.yaml needs ${name}: ${rest}`);
	});
}

/** How a service of deploy/compose.yaml runs, such as `worker`. @returns `settings`: environment variables */
function composeService(name: string, variables: Variables) {
	const { services } = parse(readFileSync(COMPOSE, 'utf8'), { merge: true }) as ComposeFile;
	const { command, environment, deploy } = services[name];
	const settings = Object.entries(environment).map(([key, value]) => [
		key,
		withVariables(String(value), variables),
	]);
	return {
		command,
		settings: Object.fromEntries(settings) as Record<string, string>,
		replicas: deploy?.replicas ?? 1,
	};
}

/** Addresses, the only settings that differ from deploy/compose.yaml. */
const addresses = (postgresPort: number, redisPort: number): Record<string, string> => ({
	DB_POSTGRESDB_HOST: '127.0.0.1',
	DB_POSTGRESDB_PORT: String(postgresPort),
	QUEUE_BULL_REDIS_HOST: '127.0.0.1',
	QUEUE_BULL_REDIS_PORT: String(redisPort),
	N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
});

interface QueueParts {
	host: Host;
	home: Home;
	logs: string;
	/** By the name of the process: `main`, or a worker. */
	ports: Record<string, { port: number; brokerPort: number }>;
	databases: Databases;
	variables: Variables;
	addresses: Record<string, string>;
}

/** n8n in queue mode as deploy/compose.yaml sets it up: Postgres, Redis, main and workers, all as processes. */
export class Queue {
	readonly #parts: QueueParts;
	readonly #processes = new Map<string, RunningN8n>();
	#durable = false;

	constructor(parts: QueueParts) {
		this.#parts = parts;
	}

	/** Runs SQL in n8n's database and returns the rows. */
	query: Databases['query'] = async (sql, values) => await this.#parts.databases.query(sql, values);

	/** Runs a command of Redis and returns its answer. */
	redis: Databases['redis'] = async (command) => await this.#parts.databases.redis(command);

	/** The address of main. */
	get url(): string {
		return `http://127.0.0.1:${this.#parts.ports.main.port}`;
	}

	/** The names of the workers. */
	get workers(): string[] {
		return Object.keys(this.#parts.ports).filter((name) => name !== 'main');
	}

	/** Starts a process that is not running: `main`, or one of `workers`. */
	async start(name: string): Promise<void> {
		const { host, home, ports, addresses: ownAddresses } = this.#parts;
		const service = name === 'main' ? 'main' : 'worker';
		const { port, brokerPort } = ports[name];
		const { command, settings } = composeService(service, this.#variables());
		const log = this.#log(name);
		const running = await startN8n(host, home, {
			command,
			port,
			brokerPort,
			log,
			ready: service === 'main' ? '/rest/settings' : '/healthz/readiness',
			settings: { ...settings, ...ownAddresses, QUEUE_HEALTH_CHECK_PORT: String(port) },
		});
		this.#processes.set(name, running);
	}

	/** Kills a process as a crash does, or as the system does when memory runs out. */
	async kill(name: string): Promise<void> {
		await this.#processes.get(name)?.kill();
		this.#processes.delete(name);
	}

	/** Sets how triggers poll; starts everything but the databases again. */
	async setDurable(durable: boolean): Promise<void> {
		if (durable === this.#durable) return;
		await this.#stopN8n();
		this.#durable = durable;
		await this.startAll();
	}

	/** Starts what is not running; main first, since it prepares the database. */
	async startAll(): Promise<void> {
		if (!this.#processes.has('main')) await this.start('main');
		const missing = this.workers.filter((name) => !this.#processes.has(name));
		await Promise.all(missing.map(async (name) => await this.start(name)));
	}

	/** The worker that started to run an execution, if one did. */
	workerOf(executionId: string): string | undefined {
		const line = `Worker started execution ${executionId} `;
		return this.workers.find((name) => readFileSync(this.#log(name), 'utf8').includes(line));
	}

	async stop(): Promise<void> {
		await this.#stopN8n();
		await this.#parts.databases.stop();
	}

	async #stopN8n(): Promise<void> {
		await Promise.all([...this.#processes.values()].map(async ({ stop }) => await stop()));
		this.#processes.clear();
	}

	#log(name: string): string {
		return join(this.#parts.logs, `${name}.log`);
	}

	#variables(): Variables {
		return { ...this.#parts.variables, DURABLE_POLLING: String(this.#durable) };
	}
}

/** Starts the databases; n8n is started by the methods of the queue. */
export async function prepareQueue(
	host: Host,
	{ tarball, logs }: { tarball: string; logs: string },
): Promise<Queue> {
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
	const ports: QueueParts['ports'] = {};
	for (const name of ['main', ...Array.from({ length: replicas }, (_, n) => `worker-${n + 1}`)]) {
		ports[name] = { port: await freePort(), brokerPort: await freePort() };
	}
	return new Queue({
		host,
		home,
		logs,
		ports,
		databases,
		variables,
		addresses: addresses(postgresPort, redisPort),
	});
}
