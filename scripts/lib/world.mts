import { join } from 'node:path';

import type { Controls } from '../../sandbox/controls.mts';
import { ensureHost, type Host } from './host.mts';
import { prepareHome, startN8n, type RunningN8n } from './n8n.mts';
import { freePort } from './ports.mts';
import { temporaryFolder } from './processes.mts';
import { say, step } from './progress.mts';
import { buildAndPack, credentialType, requireDependencies } from './repository.mts';
import { N8nClient } from './rest.mts';
import { startSandbox, type ControlsOf, type Sandbox } from './sandbox.mts';
import type { StandIns } from './stand-ins.mts';
import type { Credential } from './workflow.mts';

interface WorldOptions {
	/** n8n's port; a free one by default. */
	port?: number;
	/** A free one by default. */
	sandboxPort?: number;
	/** A folder for the logs, which are otherwise temporary. */
	logs?: string;
	/** What to start instead of the sandbox. */
	service?: string;
	/** All that n8n can reach outside of this machine. */
	standIns?: StandIns;
	/** Additional environment variables of n8n. */
	settings?: Record<string, string>;
	/** The packed package, if it is built. */
	tarball?: string;
}

/** A real n8n with the package, and the service that it works with. */
export interface World<C extends ControlsOf<C> = Controls> {
	host: Host;
	n8n: RunningN8n;
	/** Logged in as the owner. */
	client: N8nClient;
	sandbox: Sandbox<C>;
	/** The service's API keys by their names. */
	keys: Record<string, string>;
	/** For the service, with all scopes. */
	credential: Credential;
	tarball: string;
}

/** Starts a real n8n with the packed package and an owner, a sandbox, and a credential for it. */
export async function bringUp<C extends ControlsOf<C> = Controls>(
	options: WorldOptions,
): Promise<World<C>> {
	const { port, sandboxPort, logs, service, standIns, settings } = options;
	requireDependencies();
	const folder = temporaryFolder('run');
	const logFile = (name: string) => join(logs ?? folder, `${name}.log`);

	const host = await ensureHost();
	const tarball =
		options.tarball ?? (await step('Building the package', async () => await buildAndPack(folder)));
	const sandbox = await startSandbox<C>({
		port: sandboxPort ?? (await freePort()),
		service,
		log: logFile('sandbox'),
	});
	say(`The leads sandbox listens at ${sandbox.url}`);
	const n8n = await step('Starting n8n with the packed package', async () =>
		startN8n(host, await prepareHome(tarball), {
			port: port ?? (await freePort()),
			brokerPort: await freePort(),
			log: logFile('n8n'),
			settings: { ...standIns?.settings, ...settings },
		}),
	);
	say(`n8n listens at ${n8n.url}`);
	const client = new N8nClient(n8n.url);
	await client.setUpOwner();
	const keys = await sandbox.keys();
	const credential = await createLeadsCredential(client, sandbox, { apiKey: keys.full });
	return { host, n8n, client, sandbox, keys, credential, tarball };
}

/** Saves a credential for a sandbox in n8n. @param options `apiKey`: with all scopes by default */
export async function createLeadsCredential(
	client: N8nClient,
	sandbox: { url: string; keys(): Promise<Record<string, string>> },
	{ name = 'Leads sandbox', apiKey }: { name?: string; apiKey?: string } = {},
): Promise<Credential> {
	const values = {
		baseUrl: sandbox.url,
		apiKey: apiKey ?? (await sandbox.keys()).full,
		// Its people are in Brazil.
		defaultCountryCode: '55',
	};
	return await client.createCredential(name, credentialType, values);
}
