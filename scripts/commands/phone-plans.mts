import { readFile, writeFile } from 'node:fs/promises';

import { readArguments } from '../lib/arguments.mts';
import { runCommand } from '../lib/command.mts';
import { phonePlansFile, type Metadata } from '../lib/phonePlans.mts';
import { fromRoot, manifest, requireDependencies } from '../lib/repository.mts';

const USAGE = `Writes the numbering plans of all countries from the metadata of libphonenumber-js.

  node --import tsx scripts/run.mts phone-plans    after the package was updated`;

await runCommand(async () => {
	readArguments(USAGE, {});
	requireDependencies();
	const source = fromRoot('node_modules', 'libphonenumber-js', 'metadata.max.json');
	const metadata = JSON.parse(await readFile(source, 'utf8')) as Metadata;
	const text = phonePlansFile(metadata, manifest.devDependencies['libphonenumber-js']);
	await writeFile(fromRoot('nodes', 'IntegrationLeads', 'values', 'phonePlans.ts'), text);
	return 0;
});
