import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { INSTALL_FLAGS, npm } from './npm.mts';
import { CommandError, lastLines } from './commandError.mts';
import type { Host } from './host.mts';
import { start, temporaryFolder, type Service } from './processes.mts';

/** The first start prepares the database, which takes minutes on a busy machine. */
const START_LIMIT_MS = 300_000;
const POLL_MS = 200;

/** Modules that use the network or slow down the start, and that the nodes do not need. */
const UNUSED_MODULES = [
	'mcp-registry',
	'mcp',
	'instance-ai',
	'agents',
	'agent-evals',
	'chat-hub',
	'insights',
	'workflow-builder',
	'quick-connect',
	'instance-version-history',
];

/** Settings that keep n8n offline, quiet, and the same on every machine. */
const SETTINGS = {
	N8N_HOST: '127.0.0.1',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_PROTOCOL: 'http',
	N8N_SECURE_COOKIE: 'false',
	GENERIC_TIMEZONE: 'UTC',
	TZ: 'UTC',
	NO_COLOR: '1',
	N8N_LOG_LEVEL: 'info',
	// No network requests.
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_AI_ENABLED: 'false',
	N8N_AI_ASSISTANT_BASE_URL: '',
	N8N_SENTRY_DSN: '',
	// No dialogs before the editor.
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_PYTHON_ENABLED: 'false',
	N8N_DISABLED_MODULES: UNUSED_MODULES.join(','),
	N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_REINSTALL_MISSING_PACKAGES: 'false',
};

/** Environment variables that would connect this n8n to another database, queue, port or proxy. */
const FOREIGN = /^(N8N_|DB_|QUEUE_|EXECUTIONS_|WEBHOOK_|NODE_OPTIONS$|npm_)|^(https?|all)_proxy$/i;

/** Where an n8n keeps its data. */
export interface Home {
	userFolder: string;
	encryptionKey: string;
}

/** How an n8n is started. */
interface StartOptions {
	port: number;
	/** For n8n's own task runner. */
	brokerPort: number;
	log: string;
	/** Additional environment variables. */
	settings?: Record<string, string>;
	command?: string[];
	/** A path that answers with JSON once it has started. */
	ready?: string;
}

/** An n8n that is running. */
export interface RunningN8n extends Service {
	url: string;
	log: string;
}

/**
 * A folder for an n8n with the packed package installed. Its data outlives a restart and is removed with this process.
 * @param tarball without it the package is not installed
 */
export async function prepareHome(tarball?: string): Promise<Home> {
	const userFolder = temporaryFolder('n8n');
	if (tarball) await installPackage(userFolder, tarball);
	return { userFolder, encryptionKey: randomBytes(24).toString('hex') };
}

/** Starts n8n, or one of its workers. */
export async function startN8n(host: Host, home: Home, options: StartOptions): Promise<RunningN8n> {
	const { port, log, command = ['start'], ready = '/rest/settings' } = options;
	writeFileSync(log, '', { flag: 'a' });
	const service = start(host.node, [host.n8n, ...command], {
		cwd: home.userFolder,
		env: environment(host, home, options),
		log,
	});
	const url = `http://127.0.0.1:${port}`;
	await untilReady(service, url + ready, log);
	return { url, log, ...service };
}

function environment(
	{ node }: Host,
	{ userFolder, encryptionKey }: Home,
	{ port, brokerPort, settings }: StartOptions,
): NodeJS.ProcessEnv {
	const own = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
	return {
		...Object.fromEntries(own),
		...SETTINGS,
		PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_ENCRYPTION_KEY: encryptionKey,
		...settings,
	};
}

/** Installs as n8n installs a community node, but from the tarball and without a network. */
async function installPackage(userFolder: string, tarball: string): Promise<void> {
	const nodes = join(userFolder, '.n8n', 'nodes');
	mkdirSync(nodes, { recursive: true });
	writeFileSync(join(nodes, 'package.json'), '{"name":"installed-nodes","private":true}\n');
	const flags = [...INSTALL_FLAGS, '--legacy-peer-deps', '--offline', '--prefix', nodes];
	const result = await npm(['install', tarball, ...flags], { cwd: nodes });
	if (result.code !== 0) {
		throw new CommandError(`The packed package does not install:\n${lastLines(result.output)}`);
	}
}

async function untilReady(service: Service, url: string, log: string): Promise<void> {
	const failed = (what: string) =>
		new CommandError(`n8n ${what}. The end of its log:\n${lastLines(readFileSync(log, 'utf8'))}`);
	let ended: string | undefined;
	void service.endedByItself.then((how) => (ended = how));
	const limit = Date.now() + START_LIMIT_MS;
	while (!(await answers(url))) {
		if (ended) throw failed(`stopped while starting (${ended})`);
		if (Date.now() > limit) throw failed(`was not ready after ${START_LIMIT_MS / 1000} s`);
		await sleep(POLL_MS);
	}
}

/** n8n answers /healthz before its REST API is ready, and HTML pages in between. */
async function answers(address: string): Promise<boolean> {
	try {
		const response = await fetch(address);
		const type = response.headers.get('content-type') ?? '';
		return response.ok && type.includes('json');
	} catch {
		return false;
	}
}
