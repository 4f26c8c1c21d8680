import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

import lodash from 'lodash';

import { readArguments } from '../lib/arguments.mts';
import { runCommand } from '../lib/command.mts';
import { fromRoot, requireDependencies, root } from '../lib/repository.mts';

const USAGE = `Runs the test files with properties or long cases: fresh draws, many more of them, and every case.

  npm run test:long                                 10,000 draws of a property, fewer of a slow one
  npm run test:long -- --draws 500                  500, and fewer of a slow one
  npm run test:long -- test/pure/phone.test.mts     some files only
  npm run test:long -- FILE -t NAME --seed SEED --path PATH
                                                    one failure again, as its message says`;

/** Per test. A property of 10,000 draws may take minutes. */
const TIMEOUT_MS = 60 * 60_000;

/** The test files that have something to do here: of the others, nothing would differ from `npm test`. */
const longFiles = (): string[] =>
	readdirSync(fromRoot('test'), { recursive: true, encoding: 'utf8' })
		.map((file) => `test/${file}`)
		.filter((file) => file.endsWith('.test.mts'))
		.filter((file) =>
			/'fast-check'|helpers\/long\.mts'/.test(readFileSync(fromRoot(file), 'utf8')),
		);

await runCommand(async () => {
	const text = { type: 'string' } as const;
	const { values, positionals } = readArguments(USAGE, {
		allowPositionals: true,
		options: { draws: text, seed: text, path: text, name: { ...text, short: 't' } },
	});
	const {
		draws = '10000',
		seed = String(Math.floor(Math.random() * 2 ** 31)),
		path,
		name,
	} = values;
	requireDependencies();
	console.log(`\n${draws} draws of a property, seed ${seed}\n`);
	const jest = fromRoot('node_modules', 'jest', 'bin', 'jest.js');
	const files = positionals.length > 0 ? positionals : longFiles();
	// Jest takes a pattern.
	const only = name === undefined ? [] : ['-t', lodash.escapeRegExp(name)];
	const { status } = spawnSync(
		process.execPath,
		[jest, '--testTimeout', String(TIMEOUT_MS), '--runTestsByPath', ...files, ...only],
		{
			cwd: root,
			stdio: 'inherit',
			env: { ...process.env, LONG_DRAWS: draws, LONG_SEED: seed, ...(path && { LONG_PATH: path }) },
		},
	);
	return status ?? 1;
});
