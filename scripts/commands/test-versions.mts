import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { Config } from 'jest';

import { readArguments } from '../lib/arguments.mts';
import { cached, copyLock, readLock } from '../lib/cache.mts';
import { runCommand } from '../lib/command.mts';
import { INSTALL_FLAGS, npm, npmInstallFailed } from '../lib/npm.mts';
import { CommandError } from '../lib/commandError.mts';
import { step } from '../lib/progress.mts';
import { fromRoot, requireDependencies, root } from '../lib/repository.mts';

const jestConfig = createRequire(import.meta.url)('../../jest.config.js') as Config;
const FOLDER = fromRoot('scripts', 'n8n-engines');

const { dependencies } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as {
	dependencies: Record<string, string>;
};

/** The engine of a version of n8n. */
interface Engine {
	version: string;
	/** The main file of n8n-core. */
	core: string;
	/** The main file of the n8n-workflow that belongs to it. */
	workflow: string;
}

/** The n8n versions whose engines are installed, such as `2.0.3`, the oldest first. */
const engineVersions = Object.keys(dependencies).map((name) => name.replace('n8n-', ''));

/** Installs the engines of all versions, once: with one lock file, so that they share what they have in common. */
async function ensureEngines(): Promise<Engine[]> {
	const folder = await cached(`engines-${readLock(FOLDER).hash}`, (unfinished) =>
		step(`Installing the engines of ${engineVersions.length} n8n versions`, async () => {
			await copyLock(FOLDER, unfinished);
			const flags = [...INSTALL_FLAGS, '--omit=optional', '--legacy-peer-deps'];
			const result = await npm(['ci', ...flags], { cwd: unfinished });
			if (result.code !== 0) {
				throw npmInstallFailed('The engines could not be installed', result.output);
			}
		}),
	);
	const { resolve } = createRequire(join(folder, 'package.json'));
	return engineVersions.map((version) => {
		const core = resolve(`n8n-${version}`);
		return { version, core, workflow: createRequire(core).resolve('n8n-workflow') };
	});
}

const USAGE = `Runs engine tests of the built nodes in the engines of n8n ${engineVersions.join(', ')}.

  npm run test:versions                 all of them
  npm run test:versions -- --only 2.0   versions that begin like this`;

/** The files of test/engine that a version can run: in the first, tools have no options of their own. */
const filesFor = (version: string): string[] =>
	version.startsWith('1.8') ? ['lead', 'sync'] : ['lead', 'output', 'safety', 'tool'];

/** Jest's configuration of one version: everything that asks for the engine or n8n-workflow gets those of the version. */
function project({ version, core, workflow }: Engine) {
	const { moduleFileExtensions, transform, moduleNameMapper } = jestConfig;
	return {
		displayName: `n8n ${version}`,
		rootDir: root,
		testMatch: ['<rootDir>/test/versions/engine.mts'],
		globals: { ENGINE_TESTS: filesFor(version) },
		moduleNameMapper: { ...moduleNameMapper, '^n8n-core$': core, '^n8n-workflow$': workflow },
		setupFiles: ['<rootDir>/test/helpers/environment.js'],
		...{ moduleFileExtensions, transform },
	};
}

await runCommand(async () => {
	const { only = '' } = readArguments(USAGE, { options: { only: { type: 'string' } } }).values;
	requireDependencies();
	const engines = await ensureEngines();
	const projects = engines.filter(({ version }) => version.startsWith(only)).map(project);
	if (projects.length === 0) throw new CommandError(`No version begins with "${only}".`, USAGE);
	const { reporters, maxWorkers, testTimeout } = jestConfig;
	// Older engines keep timers after the last test.
	const config = { rootDir: root, projects, reporters, maxWorkers, testTimeout, forceExit: true };
	const jest = fromRoot('node_modules', 'jest', 'bin', 'jest.js');
	const { status } = spawnSync(process.execPath, [jest, '--config', JSON.stringify(config)], {
		cwd: root,
		stdio: 'inherit',
	});
	return status ?? 1;
});
