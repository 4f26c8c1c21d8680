import { mkdirSync, rmSync } from 'node:fs';

import { readArguments, wholeNumber } from '../lib/arguments.mts';
import { runCases, type Case, type Counts } from '../lib/cases.mts';
import { runCommand } from '../lib/command.mts';
import { ensureHost } from '../lib/host.mts';
import { CommandError } from '../lib/commandError.mts';
import { temporaryFolder } from '../lib/processes.mts';
import { step } from '../lib/progress.mts';
import { prepareQueue } from '../lib/queue.mts';
import { buildAndPack, fromRoot, requireDependencies } from '../lib/repository.mts';
import { N8nClient } from '../lib/rest.mts';
import { table } from '../lib/table.mts';
import type { QueueCaseFile, QueueWorld } from '../../test/e2e/world.mts';

const USAGE = `Runs the packed package in n8n's queue mode as deploy/compose.yaml sets it up: main, workers, Redis
and Postgres, which are stopped, killed and started again, against the sandbox.

  npm run e2e:queue                  every case, under 6 minutes
  npm run e2e:queue -- --only text   only cases whose name contains the text
  npm run e2e:queue -- --list        the names of the cases
  npm run e2e:queue -- --kills 3     how often main is killed in a case; 1

Takes 3 GB of memory. Logs are in .e2e/queue/`;

/** The files of test/e2e/queue with cases, in the order they run. */
const FILES = ['limits', 'retry', 'whatsapp', 'trigger'];
const OUTPUT = fromRoot('.e2e', 'queue');

function readOptions() {
	const { values } = readArguments(USAGE, {
		options: {
			only: { type: 'string' },
			kills: { type: 'string' },
			list: { type: 'boolean', default: false },
		},
	});
	const kills = wholeNumber('kills', values.kills ?? '1');
	return { ...values, kills };
}

async function readCases({
	kills,
	only,
}: {
	kills: number;
	only?: string;
}): Promise<Array<Case<QueueWorld>>> {
	const cases: Array<Case<QueueWorld>> = [];
	for (const file of FILES) {
		const module = (await import(`../../test/e2e/queue/${file}.mts`)) as QueueCaseFile;
		for (const each of module.casesFor({ kills })) {
			cases.push({ ...each, name: `${file}: ${each.name}` });
		}
	}
	return cases.filter(({ name }) => !only || name.includes(only));
}

async function bringUp(): Promise<Pick<QueueWorld, 'queue' | 'client'>> {
	requireDependencies();
	rmSync(OUTPUT, { recursive: true, force: true });
	mkdirSync(OUTPUT, { recursive: true });
	const host = await ensureHost();
	const folder = temporaryFolder('package');
	const tarball = await step('Building the package', async () => await buildAndPack(folder));
	const queue = await step('Starting Postgres and Redis', async () =>
		prepareQueue(host, { tarball, logs: OUTPUT }),
	);
	await step(`Starting n8n: main and ${queue.workers.length} workers`, async () => {
		await queue.startAll();
	});
	const client = new N8nClient(queue.url);
	await client.setUpOwner();
	return { queue, client };
}

await runCommand(async () => {
	const options = readOptions();
	const cases = await readCases(options);
	if (cases.length === 0)
		throw new CommandError(`No case has "${options.only}" in its name.`, USAGE);
	if (options.list) {
		for (const { name } of cases) console.log(name);
		return 0;
	}
	// Printed even after a failure, since CI reads it from the end of the log.
	let counts: Pick<Counts, 'passed' | 'failed'> = { passed: 0, failed: 1 };
	process.on('exit', () => {
		console.log(`\ne2e: ${counts.passed} passed, ${counts.failed} failed`);
	});
	const world: QueueWorld = {
		...(await bringUp()),
		output: OUTPUT,
		random: Math.random,
		figures: [],
	};
	console.log('');
	counts = await runCases(cases, world);
	console.log(`\n${table(world.figures)}`);
	await world.queue.stop();
	return counts.failed === 0 ? 0 : 1;
});
