/**
 * What the package weighs and how long it takes to load: the size of the tarball that would be published, and the time
 * from nothing to instances of all nodes and credentials, each time in a fresh process. n8n has the modules it shares
 * with its nodes loaded by then, so its own start grows by the second figure only.
 *
 *   npm run bench:load -- --runs 31
 */
import '../scripts/lib/require-node.mjs';

import { existsSync } from 'node:fs';

import { readArguments, wholeNumber } from '../scripts/lib/arguments.mjs';
import { runCommand } from '../scripts/lib/command.mjs';
import { npm } from '../scripts/lib/npm.mjs';
import { Problem, lastLines } from '../scripts/lib/problem.mjs';
import { run } from '../scripts/lib/processes.mjs';
import { fromRoot, manifest, root } from '../scripts/lib/repository.mjs';
import { table } from '../scripts/lib/table.mjs';
import { median } from './n8n/figures.mjs';

const USAGE = `Shows what the package weighs, and how long it takes to load.

  npm run bench:load -- --runs 15   how often it is loaded`;

/** What a package may take from n8n at run time (docs/architecture.md). */
const HOST_MODULES = ['n8n-workflow', 'zod', 'luxon', 'lodash'];

function readOptions() {
	const { runs } = readArguments(USAGE, {
		options: { runs: { type: 'string', default: '15' } },
	}).values;
	return { runs: wholeNumber('runs', runs) };
}

/** Run in the fresh process, so it may use nothing of this file. Prints what it took in ms and bytes. */
function load(hostModules, files) {
	for (const name of hostModules) require(name);
	global.gc?.();
	const heap = process.memoryUsage().heapUsed;
	const [begun, cpu] = [performance.now(), process.cpuUsage()];
	const instances = files.map((file) => Object.values(require(file)).map((Each) => new Each()));
	const wall = performance.now() - begun;
	const { user, system } = process.cpuUsage(cpu);
	global.gc?.();
	const grown = process.memoryUsage().heapUsed - heap;
	console.log(JSON.stringify({ wall, cpu: (user + system) / 1000, grown, of: instances.length }));
}

async function loadOnce(hostModules) {
	const files = [...manifest.n8n.nodes, ...manifest.n8n.credentials].map((file) => fromRoot(file));
	const script = `(${load})(${JSON.stringify(hostModules)}, ${JSON.stringify(files)})`;
	const result = await run(process.execPath, ['--expose-gc', '-e', script], { cwd: root });
	if (result.code !== 0) throw new Problem(`Loading failed:\n${lastLines(result.output)}`);
	return JSON.parse(result.stdout);
}

async function measure(label, hostModules, runs) {
	const figures = [];
	for (let n = 0; n < runs; n += 1) figures.push(await loadOnce(hostModules));
	const of = (name) => figures.map((figure) => figure[name]);
	return {
		loading: label,
		'median ms': median(of('wall')).toFixed(1),
		'fastest ms': Math.min(...of('wall')).toFixed(1),
		'slowest ms': Math.max(...of('wall')).toFixed(1),
		'CPU ms': median(of('cpu')).toFixed(1),
		'heap MB': (median(of('grown')) / 1e6).toFixed(1),
	};
}

/** The tarball that `npm publish` would make; nothing is written. */
async function packed() {
	const result = await npm(['pack', '--dry-run', '--json', '--loglevel=error'], {
		cwd: root,
	});
	if (result.code !== 0) throw new Problem(`\`npm pack\` failed:\n${lastLines(result.output)}`);
	const [{ size, unpackedSize, entryCount }] = JSON.parse(result.stdout);
	return { size, unpackedSize, entryCount };
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

await runCommand(async () => {
	if (!existsSync(fromRoot('dist', 'nodes')))
		throw new Problem('dist/ is missing.', 'Run `npm run build`.');
	const { runs } = readOptions();
	const { size, unpackedSize, entryCount } = await packed();
	console.log(
		`Tarball: ${kilobytes(size)}, unpacked ${kilobytes(unpackedSize)} in ${entryCount} files`,
	);
	console.log(`\nLoading everything the package registers, ${runs} fresh processes each …`);
	// Read from the disk once, so that the first of both is not the slower one for that.
	await loadOnce([]);
	const rows = [
		await measure("with n8n's modules", [], runs),
		await measure("n8n's modules there already", HOST_MODULES, runs),
	];
	console.log(table(rows));
	return 0;
});
