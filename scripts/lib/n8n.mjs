import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { INSTALL_FLAGS, npm } from './npm.mjs';
import { Problem, lastLines } from './problem.mjs';
import { start, temporaryFolder } from './processes.mjs';

/** Of a busy machine, whose first start prepares the database. */
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

/**
 * A folder for an n8n with the packed package installed. Its data outlives a restart and is removed with this process.
 * @param {string} [tarball] without it the package is not installed
 */
export async function prepareHome(tarball) {
	const userFolder = temporaryFolder('n8n');
	if (tarball) await installPackage(userFolder, tarball);
	return { userFolder, encryptionKey: randomBytes(24).toString('hex') };
}

/**
 * Starts n8n, or one of its workers.
 * @param {{node: string, n8n: string}} host from ensureHost()
 * @param {Awaited<ReturnType<typeof prepareHome>>} home
 * @param {{port: number, brokerPort: number, log: string, settings?: Record<string, string>, command?: string[],
 *   ready?: string}} options `brokerPort`: for n8n's own task runner; `settings`: additional environment variables;
 *   `ready`: a path that answers with JSON when it has started
 * @returns {Promise<{url: string, log: string, stop: () => Promise<void>, kill: () => Promise<void>, endedByItself: Promise<string>}>}
 */
export async function startN8n(host, home, options) {
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

function environment({ node }, { userFolder, encryptionKey }, { port, brokerPort, settings }) {
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
async function installPackage(userFolder, tarball) {
	const nodes = join(userFolder, '.n8n', 'nodes');
	mkdirSync(nodes, { recursive: true });
	writeFileSync(join(nodes, 'package.json'), '{"name":"installed-nodes","private":true}\n');
	const flags = [...INSTALL_FLAGS, '--legacy-peer-deps', '--offline', '--prefix', nodes];
	const result = await npm(['install', tarball, ...flags], { cwd: nodes });
	if (result.code !== 0) {
		throw new Problem(`The packed package does not install:\n${lastLines(result.output)}`);
	}
}

async function untilReady(service, url, log) {
	const failed = (what) =>
		new Problem(`n8n ${what}. The end of its log:\n${lastLines(readFileSync(log, 'utf8'))}`);
	let ended;
	void service.endedByItself.then((how) => (ended = how));
	const limit = Date.now() + START_LIMIT_MS;
	while (!(await answers(url))) {
		if (ended) throw failed(`stopped while starting (${ended})`);
		if (Date.now() > limit) throw failed(`was not ready after ${START_LIMIT_MS / 1000} s`);
		await sleep(POLL_MS);
	}
}

/** n8n answers /healthz before its REST API is ready, and HTML pages in between. */
async function answers(address) {
	try {
		const response = await fetch(address);
		return response.ok && response.headers.get('content-type')?.includes('json');
	} catch {
		return false;
	}
}
