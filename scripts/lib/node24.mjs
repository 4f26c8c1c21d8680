import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { cached } from './cache.mjs';
import { INSTALL_FLAGS, npmInstallFailed } from './npm.mjs';
import { run } from './processes.mjs';
import { step } from './progress.mjs';

/** n8n 2.x refuses older ones. */
export const N8N_NODE_MAJOR = 24;
/** npm has Node's binaries too, one package per platform, so no other download source is needed. */
const NODE_VERSION = '24.21.0';
const NODE_GIGABYTES = 0.3;

/**
 * A Node that is new enough for n8n: the running one, one on the PATH, or one downloaded into the cache.
 * @returns {Promise<string>} path of the binary
 */
export async function ensureNode() {
	if (Number(process.versions.node.split('.')[0]) >= N8N_NODE_MAJOR) return process.execPath;
	return (await nodeOnPath()) ?? (await fetchNode());
}

async function nodeOnPath() {
	for (const folder of (process.env.PATH ?? '').split(delimiter)) {
		const candidate = join(folder, 'node');
		if (!folder || !existsSync(candidate)) continue;
		const { stdout } = await run(candidate, ['--version']).catch(() => ({ stdout: '' }));
		if (Number(/^v(\d+)\./.exec(stdout)?.[1]) >= N8N_NODE_MAJOR) return candidate;
	}
	return undefined;
}

async function fetchNode() {
	const name = `node-${process.platform}-${process.arch}`;
	const binary = (folder) => join(folder, 'node_modules', name, 'bin', 'node');
	const folder = await cached(`${name}-${NODE_VERSION}`, {
		gigabytes: NODE_GIGABYTES,
		fill: (unfinished) =>
			step(
				`Fetching Node ${NODE_VERSION}, which n8n needs (this is ${process.version})`,
				async () => {
					const wanted = `${name}@${NODE_VERSION}`;
					const result = await run(
						'npm',
						['install', wanted, '--prefix', unfinished, ...INSTALL_FLAGS],
						{ cwd: unfinished },
					);
					if (result.code !== 0 || !existsSync(binary(unfinished))) {
						throw npmInstallFailed(
							`Node ${NODE_VERSION} could not be fetched`,
							result.output,
							`Or install Node ${N8N_NODE_MAJOR} or newer yourself and put it on the PATH.`,
						);
					}
				},
			),
	});
	return binary(folder);
}

/** The folder of a Node's C headers, if it has them; native modules can then be built offline. */
export function headersFolder(node) {
	const folder = dirname(dirname(node));
	return existsSync(join(folder, 'include', 'node', 'node_api.h')) ? folder : undefined;
}
