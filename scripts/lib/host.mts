import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';

import { cached, copyLock, readLock } from './cache.mts';
import { ensureNode, headersFolder } from './node24.mts';
import { INSTALL_FLAGS, npm, npmInstallFailed } from './npm.mts';
import { CommandError, lastLines } from './commandError.mts';
import { say, step } from './progress.mts';
import { fromRoot } from './repository.mts';

/** The bin file of an installed n8n to use instead. */
const BIN_VARIABLE = 'INTEGRATION_LEADS_N8N_BIN';
const HOST_FOLDER = fromRoot('scripts', 'n8n-host');

/** What runs n8n. */
export interface Host {
	/** The path of the Node binary. */
	node: string;
	/** The path of n8n's bin file. */
	n8n: string;
}

/** An n8n to run the package in, installed first if need be. */
export async function ensureHost(): Promise<Host> {
	const given = process.env[BIN_VARIABLE];
	if (given) {
		const n8n = resolve(given);
		if (existsSync(n8n)) return { node: await ensureNode(), n8n };
		throw new CommandError(
			`${BIN_VARIABLE} names ${n8n}, which does not exist.`,
			'Set it to the file node_modules/n8n/bin/n8n of an installed n8n, or unset it.',
		);
	}
	const node = await ensureNode();
	const { packages, hash } = readLock(HOST_FOLDER);
	const { version } = packages['node_modules/n8n'];
	const folder = await cached(`n8n-${version}-${hash}`, (unfinished) =>
		install(unfinished, node, version),
	);
	return { node, n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

async function install(folder: string, node: string, version: string): Promise<void> {
	await copyLock(HOST_FOLDER, folder);
	await step(`Installing n8n ${version} (once; 5 to 15 minutes and 4 GB of disk)`, async () => {
		const result = await npm(['ci', ...INSTALL_FLAGS], { cwd: folder });
		if (result.code === 0) return;
		throw npmInstallFailed(
			`n8n ${version} could not be installed`,
			result.output,
			`Or set ${BIN_VARIABLE} to node_modules/n8n/bin/n8n of an installed n8n.`,
		);
	});
	await step("Preparing n8n's database driver", () => rebuildSqlite(folder, node));
	say(`n8n ${version} is installed`);
}

/** The one native module that n8n cannot start without; other install scripts are not run. */
async function rebuildSqlite(folder: string, node: string): Promise<void> {
	const env: NodeJS.ProcessEnv = {
		...process.env,
		PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
	};
	const headers = headersFolder(node);
	if (headers) env.npm_config_nodedir = headers;
	// Under `npm start`, npm passes on this package's configuration with ignore-scripts=true.
	const result = await npm(
		['rebuild', 'sqlite3', '--ignore-scripts=false', '--foreground-scripts'],
		{ node, cwd: folder, env },
	);
	if (result.code === 0) {
		await rm(join(folder, 'node_modules', 'sqlite3', 'build', 'Release', 'obj'), {
			recursive: true,
			force: true,
		});
		return;
	}
	throw new CommandError(
		`n8n's database driver (sqlite3) could not be built:\n${lastLines(withoutStack(result.output), 12)}`,
		'Without access to its prebuilt download it needs a C++ compiler, make and Python 3 to build:\n' +
			'on Debian or Ubuntu `apt-get install g++ make python3 python3-setuptools`,\n' +
			'on macOS `xcode-select --install`. Then run this again.',
	);
}

/** node-gyp prints its own stack, which hides the reason. */
const withoutStack = (output: string): string => output.replace(/^.*\bstack +at .*\n/gm, '');
