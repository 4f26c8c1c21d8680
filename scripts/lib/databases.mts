import {
	chownSync,
	existsSync,
	mkdirSync,
	readFileSync,
	readdirSync,
	writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { CommandError, lastLines } from './commandError.mts';
import type { Host } from './host.mts';
import { run, start, temporaryFolder, type Service, type User } from './processes.mts';

const START_LIMIT_MS = 60_000;
const POLL_MS = 100;
/** Debian keeps the programs of each version of Postgres in a folder of its own. */
const DEBIAN_POSTGRES = '/usr/lib/postgresql';

const PROGRAMS = ['initdb', 'postgres', 'redis-server'] as const;

/** What is used of n8n's Postgres driver. */
interface PostgresClient {
	connect(): Promise<void>;
	end(): Promise<void>;
	query(sql: string, values?: unknown[]): Promise<{ rows: Array<Record<string, unknown>> }>;
	on(event: 'error', listener: () => void): void;
}
interface PostgresDriver {
	Client: new (options: object) => PostgresClient;
}

interface PostgresOptions {
	port: number;
	user: string;
	password: string;
	database: string;
	log: string;
}
interface RedisOptions {
	port: number;
	log: string;
}

/** Postgres and Redis, running. */
export interface Databases {
	/** Runs SQL and returns the rows. */
	query(sql: string, values?: unknown[]): Promise<Array<Record<string, unknown>>>;
	/** Runs a command of Redis, such as `PING`, and returns its answer. */
	redis(command: string): Promise<string>;
	stop(): Promise<void>;
}

const HOW_TO_INSTALL = `Install them and put them on the PATH:
on Debian or Ubuntu \`apt-get install postgresql redis-server\`, on macOS \`brew install postgresql redis\`.`;

function programFolders(): string[] {
	const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
	const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
	return [
		...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
		...newestFirst.map((version) => join(DEBIAN_POSTGRES, version, 'bin')),
	];
}

const findProgram = (name: string): string | undefined =>
	programFolders()
		.map((folder) => join(folder, name))
		.find((path) => existsSync(path));

/** The path of a program, which `requirePrograms` has found. */
function programPath(name: (typeof PROGRAMS)[number]): string {
	const path = findProgram(name);
	if (!path) throw new CommandError(`Not found: ${name}.`, HOW_TO_INSTALL);
	return path;
}

function requirePrograms(): void {
	const missing = PROGRAMS.filter((name) => !findProgram(name));
	if (missing.length > 0)
		throw new CommandError(`Not found: ${missing.join(', ')}.`, HOW_TO_INSTALL);
}

/** Postgres refuses to run as root; its Debian package creates a user for it. */
async function postgresUser(): Promise<User | undefined> {
	if (process.getuid?.() !== 0) return undefined;
	const { code, stdout } = await run('sh', ['-c', 'id -u postgres && id -g postgres']);
	if (code !== 0) {
		throw new CommandError(
			'Postgres does not run as root, and there is no user "postgres".',
			'Run this as another user, or create that user: `useradd --system postgres`.',
		);
	}
	const [uid, gid] = stdout.trim().split('\n').map(Number);
	return { uid, gid };
}

async function untilReady<T>(
	ready: () => Promise<T>,
	service: Service,
	name: string,
	log: string,
): Promise<T> {
	let ended: string | undefined;
	void service.endedByItself.then((how) => (ended = how));
	const limit = Date.now() + START_LIMIT_MS;
	for (;;) {
		const result = await ready().catch(() => undefined);
		if (result) return result;
		if (ended || Date.now() > limit) {
			const output = lastLines(readFileSync(log, 'utf8'));
			throw new CommandError(`${name} did not start (${ended ?? 'no answer'}):\n${output}`);
		}
		await sleep(POLL_MS);
	}
}

/** An empty database in a Postgres of its own. @returns `client`: connected to the database */
async function startPostgres(
	host: Host,
	{ port, user: name, password, database, log }: PostgresOptions,
): Promise<{ client: PostgresClient; stop: () => Promise<void> }> {
	const user = await postgresUser();
	const folder = temporaryFolder('postgres');
	const data = join(folder, 'data');
	const passwordFile = join(folder, 'password');
	mkdirSync(data);
	writeFileSync(passwordFile, password);
	if (user) for (const path of [folder, data, passwordFile]) chownSync(path, user.uid, user.gid);
	const flags = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];
	const initialized = await run(
		programPath('initdb'),
		[`--pgdata=${data}`, `--username=${name}`, `--pwfile=${passwordFile}`, ...flags],
		{ cwd: folder, user },
	);
	if (initialized.code !== 0)
		throw new CommandError(`initdb failed:\n${lastLines(initialized.output)}`);

	const settings = {
		listen_addresses: '127.0.0.1',
		unix_socket_directories: '',
		max_connections: '200',
		// It need not survive a crash of the machine.
		fsync: 'off',
	};
	const service = start(
		programPath('postgres'),
		[
			'-D',
			data,
			'-p',
			String(port),
			...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`]),
		],
		{ cwd: folder, user, log },
	);
	// n8n's own driver.
	const { Client } = createRequire(host.n8n)('pg') as PostgresDriver;
	const connected = async (to: string): Promise<PostgresClient> => {
		const client = new Client({ host: '127.0.0.1', port, user: name, password, database: to });
		// The connection ends when Postgres is stopped before us.
		client.on('error', () => {});
		await client.connect();
		return client;
	};
	const administrator = await untilReady(() => connected('postgres'), service, 'Postgres', log);
	await administrator.query(`CREATE DATABASE "${database}"`);
	await administrator.end();
	return { client: await connected(database), stop: service.stop };
}

/** An empty Redis that stores nothing on disk. */
async function startRedis({ port, log }: RedisOptions) {
	const folder = temporaryFolder('redis');
	const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
	const service = start(programPath('redis-server'), flags, { cwd: folder, log });
	const command = (text: string) =>
		new Promise<string>((resolve, reject) => {
			const socket = connect(port, '127.0.0.1', () => socket.write(`${text}\r\n`));
			socket.once('data', (data) => {
				socket.destroy();
				resolve(String(data).trim());
			});
			socket.once('error', reject);
		});
	await untilReady(() => command('PING'), service, 'Redis', log);
	return { command, stop: service.stop };
}

/**
 * Starts Postgres with an empty database, and Redis, on the loopback interface.
 * @param host whose Postgres driver is used
 */
export async function startDatabases(
	host: Host,
	{ postgres, redis }: { postgres: PostgresOptions; redis: RedisOptions },
): Promise<Databases> {
	requirePrograms();
	for (const { log } of [postgres, redis]) writeFileSync(log, '');
	const [{ client, ...database }, queue] = await Promise.all([
		startPostgres(host, postgres),
		startRedis(redis),
	]);
	return {
		query: async (sql, values) => (await client.query(sql, values)).rows,
		redis: queue.command,
		async stop() {
			await client.end();
			await Promise.all([database.stop(), queue.stop()]);
		},
	};
}
