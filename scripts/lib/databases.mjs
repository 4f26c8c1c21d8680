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

import { Problem, lastLines } from './problem.mjs';
import { run, start, temporaryFolder } from './processes.mjs';

const START_LIMIT_MS = 60_000;
const POLL_MS = 100;
/** Debian keeps the programs of each version of Postgres in a folder of its own. */
const DEBIAN_POSTGRES = '/usr/lib/postgresql';

const PROGRAMS = ['initdb', 'postgres', 'redis-server'];

const HOW_TO_INSTALL = `Install them and put them on the PATH:
on Debian or Ubuntu \`apt-get install postgresql redis-server\`, on macOS \`brew install postgresql redis\`.`;

function programFolders() {
	const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
	const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
	return [
		...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
		...newestFirst.map((version) => join(DEBIAN_POSTGRES, version, 'bin')),
	];
}

const findProgram = (name) =>
	programFolders()
		.map((folder) => join(folder, name))
		.find((path) => existsSync(path));

function requirePrograms() {
	const missing = PROGRAMS.filter((name) => !findProgram(name));
	if (missing.length > 0) throw new Problem(`Not found: ${missing.join(', ')}.`, HOW_TO_INSTALL);
}

/** Postgres refuses to run as root; its Debian package creates a user for it. */
async function postgresUser() {
	if (process.getuid?.() !== 0) return undefined;
	const { code, stdout } = await run('sh', ['-c', 'id -u postgres && id -g postgres']);
	if (code !== 0) {
		throw new Problem(
			'Postgres does not run as root, and there is no user "postgres".',
			'Run this as another user, or create that user: `useradd --system postgres`.',
		);
	}
	const [uid, gid] = stdout.trim().split('\n').map(Number);
	return { uid, gid };
}

async function until(ready, service, name, log) {
	let ended;
	void service.endedByItself.then((how) => (ended = how));
	const limit = Date.now() + START_LIMIT_MS;
	for (;;) {
		const result = await ready().catch(() => undefined);
		if (result) return result;
		if (ended || Date.now() > limit) {
			const output = lastLines(readFileSync(log, 'utf8'));
			throw new Problem(`${name} did not start (${ended ?? 'no answer'}):\n${output}`);
		}
		await sleep(POLL_MS);
	}
}

/**
 * An empty database in a Postgres of its own.
 * @returns {Promise<{client: import('pg').Client, stop: () => Promise<void>}>} `client`: connected to the database
 */
async function startPostgres(host, { port, user: name, password, database, log }) {
	const user = await postgresUser();
	const folder = temporaryFolder('postgres');
	const data = join(folder, 'data');
	const passwordFile = join(folder, 'password');
	mkdirSync(data);
	writeFileSync(passwordFile, password);
	if (user) for (const path of [folder, data, passwordFile]) chownSync(path, user.uid, user.gid);
	const flags = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];
	const initialized = await run(
		findProgram('initdb'),
		[`--pgdata=${data}`, `--username=${name}`, `--pwfile=${passwordFile}`, ...flags],
		{ cwd: folder, user },
	);
	if (initialized.code !== 0) throw new Problem(`initdb failed:\n${lastLines(initialized.output)}`);

	const settings = {
		listen_addresses: '127.0.0.1',
		unix_socket_directories: '',
		max_connections: '200',
		// It need not survive a crash of the machine.
		fsync: 'off',
	};
	const service = start(
		findProgram('postgres'),
		['-D', data, '-p', port, ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])],
		{ cwd: folder, user, log },
	);
	// n8n's own driver.
	const { Client } = createRequire(host.n8n)('pg');
	const connected = async (to) => {
		const client = new Client({ host: '127.0.0.1', port, user: name, password, database: to });
		// The connection ends when Postgres is stopped before us.
		client.on('error', () => {});
		await client.connect();
		return client;
	};
	const administrator = await until(() => connected('postgres'), service, 'Postgres', log);
	await administrator.query(`CREATE DATABASE "${database}"`);
	await administrator.end();
	return { client: await connected(database), stop: service.stop };
}

/** An empty Redis that stores nothing on disk. */
async function startRedis({ port, log }) {
	const folder = temporaryFolder('redis');
	const flags = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--dir', folder];
	const service = start(findProgram('redis-server'), flags, { cwd: folder, log });
	const command = (text) =>
		new Promise((resolve, reject) => {
			const socket = connect(port, '127.0.0.1', () => socket.write(`${text}\r\n`));
			socket.once('data', (data) => {
				socket.destroy();
				resolve(String(data).trim());
			});
			socket.once('error', reject);
		});
	await until(() => command('PING'), service, 'Redis', log);
	return { command, stop: service.stop };
}

/**
 * Starts Postgres with an empty database, and Redis, on the loopback interface.
 * @param {{n8n: string}} host from ensureHost(), whose Postgres driver is used
 * @param {{postgres: {port: number, user: string, password: string, database: string, log: string},
 *   redis: {port: number, log: string}}} options
 */
export async function startDatabases(host, { postgres, redis }) {
	requirePrograms();
	for (const { log } of [postgres, redis]) writeFileSync(log, '');
	const [{ client, ...database }, queue] = await Promise.all([
		startPostgres(host, { ...postgres, port: String(postgres.port) }),
		startRedis({ ...redis, port: String(redis.port) }),
	]);
	return {
		/** Runs SQL. @returns {Promise<object[]>} the rows */
		query: async (sql, values) => (await client.query(sql, values)).rows,
		/** Runs a command of Redis, such as `PING`. @returns {Promise<string>} its answer */
		redis: queue.command,
		async stop() {
			await client.end();
			await Promise.all([database.stop(), queue.stop()]);
		},
	};
}
