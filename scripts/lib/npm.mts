import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { CommandError, lastLines } from './commandError.mts';
import { run, type Finished, type RunOptions } from './processes.mts';

/** By default npm retries for more than a minute before it reports a missing network. */
export const INSTALL_FLAGS = [
	'--ignore-scripts',
	'--no-audit',
	'--no-fund',
	'--fetch-retries=2',
	'--fetch-retry-mintimeout=1000',
	'--fetch-retry-maxtimeout=5000',
];

/** Runs npm. @param options `node`: the Node to run it with */
export async function npm(
	args: string[],
	{ node = process.execPath, ...options }: RunOptions & { node?: string },
): Promise<Finished> {
	const folder = dirname(process.execPath);
	// npm's own starter is a batch file on Windows, which runs in a shell only. `npm_execpath` may be of another manager.
	const script = [
		process.env.npm_execpath ?? '',
		join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
		join(folder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
	].find((path) => path.endsWith('npm-cli.js') && existsSync(path));
	return script ? await run(node, [script, ...args], options) : await run('npm', args, options);
}

/**
 * The message for a failed npm install.
 * @param what the beginning of the message
 * @param output what npm printed
 * @param alternative what else the user can do
 */
export const npmInstallFailed = (
	what: string,
	output: string,
	alternative?: string,
): CommandError => new CommandError(`${what}. npm said:\n${lastLines(output)}`, alternative);
