import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';

import { cached, freeBytes } from './cache.mjs';
import { copyLock, readLock } from './lockfile.mjs';
import { ensureNode, headersFolder } from './node24.mjs';
import { INSTALL_FLAGS, npm, npmInstallFailed } from './npm.mjs';
import { Problem, lastLines } from './problem.mjs';
import { say, step } from './progress.mjs';
import { fromRoot } from './repository.mjs';

/** The bin file of an installed n8n to use instead. */
const BIN_VARIABLE = 'INTEGRATION_LEADS_N8N_BIN';
const HOST_FOLDER = fromRoot('scripts', 'n8n-host');
const HOST_GIGABYTES = 4;
const MEGABYTE = 1024 ** 2;

/** No dependency of another n8n is taken that is younger: some of the newest do not fit together. */
const CUT_OFF = '2026-09-25';

/**
 * An n8n to run the package in, installed first if need be.
 * @param {string} [other] a version instead of the one with a lock file
 * @returns {Promise<{node: string, n8n: string}>} paths of the Node binary and of n8n's bin file
 */
export async function ensureHost(other) {
	const given = !other && process.env[BIN_VARIABLE];
	if (given) {
		const n8n = resolve(given);
		if (!existsSync(n8n)) {
			throw new Problem(
				`${BIN_VARIABLE} names ${n8n}, which does not exist.`,
				'Set it to the file node_modules/n8n/bin/n8n of an installed n8n, or unset it.',
			);
		}
		return { node: await ensureNode(), n8n };
	}
	const node = await ensureNode();
	if (other) {
		const folder = await cached(`n8n-${other}`, {
			gigabytes: HOST_GIGABYTES,
			fill: (unfinished) => install(unfinished, node, other, writeManifest),
		});
		return { node, n8n: binOf(folder) };
	}
	const { packages, hash } = readLock(HOST_FOLDER);
	const { version } = packages['node_modules/n8n'];
	const folder = await cached(`n8n-${version}-${hash}`, {
		gigabytes: HOST_GIGABYTES,
		fill: (unfinished) => install(unfinished, node, version, copyManifest),
	});
	return { node, n8n: binOf(folder) };
}

const binOf = (folder) => join(folder, 'node_modules', 'n8n', 'bin', 'n8n');

async function copyManifest(folder) {
	await copyLock(HOST_FOLDER, folder);
	return ['ci'];
}

async function writeManifest(folder, version) {
	// n8n 1.x names an address outside of npm for xlsx.
	const manifest = { private: true, dependencies: { n8n: version }, overrides: { xlsx: '0.18.5' } };
	await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
	return ['install', `--before=${CUT_OFF}`];
}

/** @param {(folder: string, version: string) => Promise<string[]>} prepare returns npm's arguments */
async function install(folder, node, version, prepare) {
	const args = await prepare(folder, version);
	const before = await freeBytes();
	// An estimate, since other processes use the disk too.
	const written = async () =>
		`${Math.max(0, Math.round((before - (await freeBytes())) / MEGABYTE))} MB`;
	await step(
		`Installing n8n ${version} (once; some minutes and ${HOST_GIGABYTES} GB of disk)`,
		async () => {
			const result = await npm([...args, ...INSTALL_FLAGS], { cwd: folder });
			if (result.code !== 0) {
				throw npmInstallFailed(
					`n8n ${version} could not be installed`,
					result.output,
					`Or set ${BIN_VARIABLE} to node_modules/n8n/bin/n8n of an installed n8n.`,
				);
			}
		},
		written,
	);
	await step("Preparing n8n's database driver", () => rebuildSqlite(folder, node));
	say(`n8n ${version} is installed`);
}

/** The one native module that n8n cannot start without; other install scripts are not run. */
async function rebuildSqlite(folder, node) {
	const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
	const headers = headersFolder(node);
	if (headers) env.npm_config_nodedir = headers;
	// Under `npm start`, npm passes on this package's configuration with ignore-scripts=true.
	const result = await npm(
		['rebuild', 'sqlite3', '--ignore-scripts=false', '--foreground-scripts'],
		{
			node,
			cwd: folder,
			env,
		},
	);
	if (result.code === 0) {
		await rm(join(folder, 'node_modules', 'sqlite3', 'build', 'Release', 'obj'), {
			recursive: true,
			force: true,
		});
		return;
	}
	throw new Problem(
		`n8n's database driver (sqlite3) could not be built:\n${lastLines(withoutStack(result.output), 12)}`,
		'Without access to its prebuilt download it needs a C++ compiler, make and Python 3 to build:\n' +
			'on Debian or Ubuntu `apt-get install g++ make python3 python3-setuptools`,\n' +
			'on macOS `xcode-select --install`. Then run this again.',
	);
}

/** node-gyp prints its own stack, which hides the reason. */
const withoutStack = (output) => output.replace(/^.*\bstack +at .*\n/gm, '');
