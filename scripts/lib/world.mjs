import { join } from 'node:path';

import { ensureHost } from './host.mjs';
import { prepareHome, startN8n } from './n8n.mjs';
import { freePort } from './ports.mjs';
import { temporaryFolder } from './processes.mjs';
import { say, step } from './progress.mjs';
import { buildAndPack, credentialType, requireDependencies } from './repository.mjs';
import { N8nClient } from './rest.mjs';
import { startSandbox } from './sandbox.mjs';
import { StandIns } from './stand-ins.mjs';

/**
 * Starts a real n8n with the packed package and an owner, a sandbox, and a credential for it.
 * @param {{port?: number, sandboxPort?: number, logs?: string, service?: string, standIns?: StandIns,
 *   settings?: Record<string, string>, tarball?: string}} options free ports by default; `logs`: a
 *   folder for the logs, which are otherwise temporary; `service`: what to start instead of the sandbox; `standIns`: all
 *   that n8n can reach outside of this machine; `settings`: additional environment variables of n8n; `tarball`: the packed
 *   package, if it is built
 */
export async function bringUp(options) {
	const { port, sandboxPort, logs, service, standIns, settings } = options;
	requireDependencies();
	const folder = temporaryFolder('run');
	const logFile = (name) => join(logs ?? folder, `${name}.log`);

	const host = await ensureHost();
	const tarball =
		options.tarball ?? (await step('Building the package', async () => await buildAndPack(folder)));
	const sandbox = await startSandbox({
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
	return { host, n8n, client, sandbox, keys, credential, tarball, standIns };
}

/**
 * Saves a credential for a sandbox in n8n.
 * @param {N8nClient} client
 * @param {import('./sandbox.mjs').Sandbox} sandbox
 * @param {{name?: string, apiKey?: string}} [options] `apiKey`: with all scopes by default
 */
export async function createLeadsCredential(
	client,
	sandbox,
	{ name = 'Leads sandbox', apiKey } = {},
) {
	const values = {
		baseUrl: sandbox.url,
		apiKey: apiKey ?? (await sandbox.keys()).full,
		// Its people are in Brazil.
		defaultCountryCode: '55',
	};
	return await client.createCredential(name, credentialType, values);
}
