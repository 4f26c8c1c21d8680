import { spawnSync } from 'node:child_process';

import jestConfig from '../../jest.config.js';
import { readArguments } from '../lib/arguments.mjs';
import { runCommand } from '../lib/command.mjs';
import { engineVersions, ensureEngines } from '../lib/engines.mjs';
import { Problem } from '../lib/problem.mjs';
import { fromRoot, requireDependencies, root } from '../lib/repository.mjs';

const USAGE = `Runs engine tests of the built nodes in the engines of n8n ${engineVersions.join(', ')}.

  npm run test:versions                 all of them
  npm run test:versions -- --only 2.0   versions that begin like this`;

/** The files of test/engine that a version can run: in the first, tools have no options of their own. */
const filesFor = (version) =>
	version.startsWith('1.8') ? ['lead', 'sync'] : ['lead', 'output', 'safety', 'tool'];

/** Jest's configuration of one version: everything that asks for the engine or n8n-workflow gets those of the version. */
function project({ version, core, workflow }) {
	const { testEnvironment, moduleFileExtensions, transform, moduleNameMapper, setupFiles } =
		jestConfig;
	return {
		displayName: `n8n ${version}`,
		rootDir: root,
		testMatch: ['<rootDir>/test/versions/engine.mts'],
		globals: { ENGINE_TESTS: filesFor(version) },
		moduleNameMapper: { ...moduleNameMapper, '^n8n-core$': core, '^n8n-workflow$': workflow },
		...{ testEnvironment, moduleFileExtensions, transform, setupFiles },
	};
}

await runCommand(async () => {
	const { only = '' } = readArguments(USAGE, { options: { only: { type: 'string' } } }).values;
	requireDependencies();
	const engines = await ensureEngines();
	const projects = engines.filter(({ version }) => version.startsWith(only)).map(project);
	if (projects.length === 0) throw new Problem(`No version begins with "${only}".`, USAGE);
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
