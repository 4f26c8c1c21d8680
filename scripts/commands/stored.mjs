import { writeFileSync } from 'node:fs';

import { format, resolveConfig } from 'prettier';

import { readArguments } from '../lib/arguments.mjs';
import { runCommand } from '../lib/command.mjs';
import { fromRoot, manifest } from '../lib/repository.mjs';
import { storedFacts } from '../lib/stored.mjs';

const USAGE = `Writes what saved workflows rely on into test/description/stored.json: parameters, their values, the output.

  npm run stored               after \`npm run build\``;

const FILE = fromRoot('test', 'description', 'stored.json');

await runCommand(async () => {
	readArguments(USAGE, {});
	const text = JSON.stringify({ version: manifest.version, facts: storedFacts() });
	const style = await resolveConfig(FILE);
	writeFileSync(FILE, await format(text, { ...style, parser: 'json' }));
	return 0;
});
