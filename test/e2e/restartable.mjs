import { join } from 'node:path';

import { prepareHome, startN8n } from '../../scripts/lib/n8n.mts';
import { freePort } from '../../scripts/lib/ports.mts';
import { N8nClient } from '../../scripts/lib/rest.mts';
import { startSandbox } from '../../scripts/lib/sandbox.mts';
import { createLeadsCredential } from '../../scripts/lib/world.mts';

/**
 * An n8n of its own that can be stopped, killed and started again, with a credential for the sandbox.
 * @param {object} world
 * @param {string} name of its log
 * @param {{settings?: Record<string, string>, sandbox?: import('../../scripts/lib/sandbox.mts').Sandbox}} [options]
 */
export async function restartableN8n(world, name, { settings, sandbox = world.sandbox } = {}) {
	const home = await prepareHome(world.tarball);
	const ports = { port: await freePort(), brokerPort: await freePort() };
	const log = join(world.output, `n8n-${name.replaceAll(' ', '-')}.log`);
	const begin = async () => await startN8n(world.host, home, { ...ports, log, settings });
	let n8n = await begin();
	const client = new N8nClient(n8n.url);
	await client.setUpOwner();
	const credential = await createLeadsCredential(client, sandbox);
	return {
		client,
		credential,
		stop: async () => await n8n.stop(),
		kill: async () => await n8n.kill(),
		async start() {
			n8n = await begin();
			await client.logIn();
		},
	};
}

/** The first case that needs it begins it. */
let own;

/** A restartable n8n that reaches only stand-ins, with an empty sandbox without a rate limit. Shared by all cases. */
export const ownWorld = async (world) => (own ??= begin(world));

async function begin(world) {
	const log = join(world.output, 'sandbox-own.log');
	const sandbox = await startSandbox({ port: await freePort(), seed: 0, log });
	await sandbox.control('limit', { rpm: 100_000 });
	const { settings } = world.standIns;
	const n8n = await restartableN8n(world, 'own', { settings, sandbox });
	world.closing.push(async () => void (await Promise.all([n8n.stop(), sandbox.stop()])));
	return { n8n, sandbox, client: n8n.client, credential: n8n.credential };
}
