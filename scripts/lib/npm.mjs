import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { Problem, lastLines } from './problem.mjs';
import { run } from './processes.mjs';

/** By default npm retries for more than a minute before it reports a missing network. */
export const INSTALL_FLAGS = [
	'--ignore-scripts',
	'--no-audit',
	'--no-fund',
	'--fetch-retries=2',
	'--fetch-retry-mintimeout=1000',
	'--fetch-retry-maxtimeout=5000',
];

/**
 * Runs npm.
 * @param {string[]} args
 * @param {NonNullable<Parameters<typeof run>[2]> & {node?: string}} options `node`: the Node to run it with
 */
export async function npm(args, { node = process.execPath, ...options }) {
	const folder = dirname(process.execPath);
	// npm's own starter is a batch file on Windows, which runs in a shell only. `npm_execpath` may be of another manager.
	const script = [
		process.env.npm_execpath ?? '',
		join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
		join(folder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
	].find((path) => path.endsWith('npm-cli.js') && existsSync(path));
	const [file, first] = script ? [node, [script]] : ['npm', []];
	return await run(file, [...first, ...args], options);
}

/**
 * Says why an npm install failed.
 * @param {string} what the beginning of the message
 * @param {string} output of npm
 * @param {string} alternative what else the user can do
 */
export const npmInstallFailed = (what, output, alternative) =>
	new Problem(`${what}. npm said:\n${lastLines(output)}`, alternative);
