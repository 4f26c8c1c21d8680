import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import lodash from 'lodash';

import { readArguments } from '../lib/arguments.mts';
import { runCases, type Case, type Counts } from '../lib/cases.mts';
import { findChromium } from '../lib/chromium.mts';
import { runCommand } from '../lib/command.mts';
import { CommandError } from '../lib/commandError.mts';
import { temporaryFolder } from '../lib/processes.mts';
import { step } from '../lib/progress.mts';
import { buildAndPack, fromRoot, requireDependencies } from '../lib/repository.mts';
import { StandIns } from '../lib/stand-ins.mts';
import { bringUp } from '../lib/world.mts';
import type { CaseFile, CaseWorld } from '../../test/e2e/world.mts';

const USAGE = `Runs the packed package in a real n8n, against the sandbox and in Chromium.

  npm run e2e                     every case
  npm run e2e -- --only tags,key  only cases whose name contains one of these texts
  npm run e2e -- --list           the names of the cases

Set CHROMIUM_PATH if the browser is not found. Screenshots and logs are in .e2e/`;

/** The files of test/e2e with cases, in the order they run. */
const FILES = [
	'loading',
	'credential',
	'operations',
	'examples',
	'whatsapp',
	'assistant',
	'spreadsheet',
	'checkout',
	'agent',
	'mcp',
	'newcomer',
	'panel',
	'canvas',
];
/** These mostly wait: for polls, and for an n8n that starts again. They run beside the others, with an n8n and a sandbox of their own. */
const WAITING_FILES = ['trigger', 'team', 'conversions', 'stages', 'sales'];
const OUTPUT = fromRoot('.e2e');
const WAITING_LOGS = join(OUTPUT, 'waiting');

function readOptions() {
	const list = { type: 'boolean', default: false } as const;
	const text = { type: 'string' } as const;
	return readArguments(USAGE, { options: { only: text, list } }).values;
}

/** `waits`: it mostly waits, see WAITING_FILES. */
type ListedCase = Case<CaseWorld> & { waits: boolean };

/** All cases, prefixed with the name of their file. */
async function readCases(chromium: string | undefined): Promise<ListedCase[]> {
	const cases: ListedCase[] = [];
	for (const file of [...FILES, ...WAITING_FILES]) {
		const module = (await import(`../../test/e2e/${file}.mts`)) as CaseFile;
		// In CI a missing browser fails, so that skipped cases do not go unnoticed.
		const lacksBrowser = module.needsBrowser && !chromium && !process.env.CI;
		const skip = lacksBrowser ? 'no Chromium found' : undefined;
		for (const each of module.cases) {
			const waits = WAITING_FILES.includes(file);
			cases.push({ ...each, name: `${file}: ${each.name}`, skip, waits });
		}
	}
	return cases;
}

async function runAll(cases: ListedCase[], chromium: string | undefined): Promise<Counts> {
	rmSync(OUTPUT, { recursive: true, force: true });
	mkdirSync(WAITING_LOGS, { recursive: true });
	const folder = temporaryFolder('package');
	requireDependencies();
	const tarball = await step('Building the package', async () => await buildAndPack(folder));
	const [waiting, others] = lodash.partition(cases, ({ waits }) => waits);
	const runIn = async (some: ListedCase[], logs: string): Promise<Counts[]> => {
		if (some.length === 0) return [];
		const standIns = await StandIns.start();
		const world: CaseWorld = {
			...(await bringUp({ logs, standIns, tarball })),
			standIns,
			chromium,
			output: OUTPUT,
			closing: [async () => await standIns.stop()],
		};
		const counts = await runCases(some, world);
		for (const close of world.closing) await close();
		return [counts];
	};
	const counts = (await Promise.all([runIn(others, OUTPUT), runIn(waiting, WAITING_LOGS)])).flat();
	const sum = (outcome: keyof Counts) => lodash.sumBy(counts, outcome);
	return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

await runCommand(async () => {
	const { only, list } = readOptions();
	const chromium = findChromium();
	const all = await readCases(chromium);
	const wanted = only?.split(',') ?? [''];
	const cases = all.filter(({ name }) => wanted.some((text) => name.includes(text)));
	if (list) {
		for (const { name } of cases) console.log(name);
		return 0;
	}
	if (cases.length === 0) throw new CommandError(`No case has "${only}" in its name.`, USAGE);

	// Printed even after a failure, since CI reads it from the end of the log.
	let counts = { passed: 0, failed: 1, skipped: 0 };
	try {
		counts = await runAll(cases, chromium);
		if (counts.skipped > 0) console.log(`\n${counts.skipped} skipped`);
	} finally {
		process.on('exit', () => {
			console.log(`\ne2e: ${counts.passed} passed, ${counts.failed} failed`);
		});
	}
	return counts.failed === 0 ? 0 : 1;
});
