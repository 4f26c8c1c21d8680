import { existsSync } from 'node:fs';

import { readArguments } from '../lib/arguments.mjs';
import { runCommand } from '../lib/command.mjs';
import { run, temporaryFolder } from '../lib/processes.mjs';
import { Problem } from '../lib/problem.mjs';
import { fromRoot, pack, requireDependencies, root } from '../lib/repository.mjs';
import { inspectTarball } from '../lib/tarball.mjs';

/** Prints the findings of one part and returns how many there are. */
function report(label, findings) {
	console.log(`${label}: ${findings.length === 0 ? 'no findings' : ''}`);
	for (const finding of findings) console.log(`  ${finding}`);
	return findings.length;
}

const USAGE = `Packs the package, and checks source and tarball with the rules of n8n's community scanner.

  npm run scan                 after \`npm run build\``;

await runCommand(async () => {
	readArguments(USAGE, {});
	requireDependencies();
	if (!existsSync(fromRoot('dist'))) {
		throw new Problem('There is nothing to pack yet.', 'Run `npm run build` first.');
	}
	// Needs what `npm ci` installs, so not before this is known to be there.
	const { lintAsScanner } = await import('../lib/scanner.mjs');
	const folder = temporaryFolder('scan');
	const tarball = await pack(folder);
	const unpacked = await run('tar', ['-xzf', tarball, '-C', folder]);
	if (unpacked.code !== 0) throw new Error(unpacked.output);
	const packageFolder = `${folder}/package`;

	const source = await lintAsScanner(root, 'source');
	const packed = await lintAsScanner(packageFolder, 'packed');
	const contents = await inspectTarball(tarball, packageFolder);

	const findings =
		report('Scanner rules on the source', source.findings) +
		report('Scanner rules on the packed package', packed.findings) +
		report('Contents of the packed package', contents.findings);
	console.log(
		`scan: ${source.files} source files and ${packed.files} of ${contents.files} packed files ` +
			`linted, ${contents.kilobytes} kB packed, ${findings} findings`,
	);
	return findings === 0 ? 0 : 1;
});
