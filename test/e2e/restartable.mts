import { join } from 'node:path';

import { prepareHome, startN8n } from '../../scripts/lib/n8n.mts';
import { freePort } from '../../scripts/lib/ports.mts';
import { N8nClient } from '../../scripts/lib/rest.mts';
import { startSandbox, type Sandbox } from '../../scripts/lib/sandbox.mts';
import type { Credential } from '../../scripts/lib/workflow.mts';
import { createLeadsCredential } from '../../scripts/lib/world.mts';
import type { CaseWorld } from './world.mts';

/** An n8n that can be stopped, killed and started again, with a credential for a sandbox. */
export interface RestartableN8n {
	client: N8nClient;
	credential: Credential;
	stop(): Promise<void>;
	kill(): Promise<void>;
	start(): Promise<void>;
}

/** @param name of its log */
export async function restartableN8n(
	world: CaseWorld,
	name: string,
	{
		settings,
		sandbox = world.sandbox,
	}: { settings?: Record<string, string>; sandbox?: Sandbox } = {},
): Promise<RestartableN8n> {
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

/** A restartable n8n, and the sandbox that it works with. */
export interface OwnWorld {
	n8n: RestartableN8n;
	sandbox: Sandbox;
	client: N8nClient;
	credential: Credential;
}

/** The first case that needs it begins it. */
let own: Promise<OwnWorld> | undefined;

/** A restartable n8n that reaches only stand-ins, with an empty sandbox without a rate limit. Shared by all cases. */
export const ownWorld = async (world: CaseWorld): Promise<OwnWorld> => await (own ??= begin(world));

async function begin(world: CaseWorld): Promise<OwnWorld> {
	const log = join(world.output, 'sandbox-own.log');
	const sandbox = await startSandbox({ port: await freePort(), seed: 0, log });
	await sandbox.control('limit', { rpm: 100_000 });
	const { settings } = world.standIns;
	const n8n = await restartableN8n(world, 'own', { settings, sandbox });
	world.closing.push(async () => void (await Promise.all([n8n.stop(), sandbox.stop()])));
	return { n8n, sandbox, client: n8n.client, credential: n8n.credential };
}
