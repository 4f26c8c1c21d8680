import { readArguments, wholeNumber } from '../../scripts/lib/arguments.mts';
import { findChromium } from '../../scripts/lib/chromium.mts';
import { runCommand } from '../../scripts/lib/command.mts';
import { CommandError } from '../../scripts/lib/commandError.mts';
import { say } from '../../scripts/lib/progress.mts';
import { table } from '../../scripts/lib/table.mts';
import {
	countStolen,
	machine,
	medians,
	memoryTable,
	panelTable,
	speedTable,
	watchingTable,
	type Compared,
	type Table,
} from './figures.mts';
import { measure, serviceAlone, type Figures } from './measure.mts';
import { measurePanels } from './panel.mts';
import { LATENCY_MS, rowsOf, type Row, type Sizes } from './rows.mts';
import { measureWatching } from './watch.mts';
import { openBenchWorld, type BenchWorld } from './world.mts';

const USAGE = `Compares the package with HTTP Request, the Code node and axios in one real n8n.

  npm run bench -- n8n                 every row, medians of three rounds
  npm run bench -- n8n --short         two minutes
  npm run bench -- n8n --rounds 5      medians of five rounds
  npm run bench -- n8n --only get,pan  only rows whose key contains one of these texts
  npm run bench -- n8n --list          the keys of the rows

Let nothing else run on the machine. Linux only, since CPU times are read from /proc. Without a browser the row "panel"
is left out; set CHROMIUM_PATH if it is not found.`;

const WATCHING = 'watching';
const PANEL = 'panel';

/** How much is compared. */
interface Form {
	rounds: number;
	panelRounds: number;
	watching: { leads: number; polls: number };
	sizes: Sizes;
}

const FORMS: Record<'full' | 'short', Form> = {
	full: {
		rounds: 3,
		panelRounds: 15,
		watching: { leads: 10_000, polls: 3 },
		sizes: {
			upsert: 500,
			lists: [2_000, 10_000, 50_000],
			get: 10_000,
			moving: 10_000,
			memory: 100_000,
		},
	},
	short: {
		rounds: 1,
		panelRounds: 5,
		watching: { leads: 2_000, polls: 2 },
		sizes: { upsert: 500, lists: [2_000, 10_000], get: 1_000, moving: 2_000, memory: 20_000 },
	},
};
const WARM_UP_SIZES = { upsert: 40, lists: [400], get: 40, moving: 400, memory: 400 };

function readOptions() {
	const flag = { type: 'boolean', default: false } as const;
	const text = { type: 'string' } as const;
	const { values } = readArguments(USAGE, {
		options: { short: flag, rounds: text, only: text, list: flag },
	});
	const form = FORMS[values.short ? 'short' : 'full'];
	const rounds = wholeNumber('rounds', values.rounds ?? String(form.rounds));
	return { ...values, ...form, rounds };
}

/** Every way that is to be measured in n8n, once with few leads, so that code is loaded and compiled. */
async function warmUp(world: BenchWorld, keys: string[]): Promise<void> {
	const kinds = new Set(keys.map(kindOf));
	const rows = Object.entries(rowsOf(WARM_UP_SIZES)).filter(([key]) => kinds.has(kindOf(key)));
	for (const [, row] of rows) {
		const inN8n = Object.values(row.ways).filter((way) => typeof way === 'function');
		for (const way of inN8n) await measure(world, row, way);
	}
}

/** Rows that differ only in their size are of one kind. */
const kindOf = (key: string) => key.replace(/\d+$/, '');

/** The ways take turns, so that a slow moment of the machine does not hit one of them alone. */
async function compare(
	world: BenchWorld,
	{ name, ...row }: Row,
	rounds: number,
): Promise<Compared> {
	say(name);
	const taken = Object.keys(row.ways).map((way) => ({ way, each: new Array<Figures>() }));
	for (let round = 0; round < rounds; round += 1) {
		for (const { way, each } of taken) {
			const figures = await measure(world, row, row.ways[way]);
			each.push(figures);
			const { wall, cpu, requests, lost, repeated } = figures;
			say(
				`  ${way}: ${wall.toFixed(2)} s, CPU ${cpu.toFixed(2)} s, ${requests} requests, ${lost} lost, ${repeated} repeated`,
			);
		}
	}
	return { name, ways: Object.fromEntries(taken.map(({ way, each }) => [way, medians(each)])) };
}

async function compareAll(
	{ rounds, panelRounds, watching, sizes }: Form,
	keys: string[],
): Promise<{ introduction: string; tables: Table[] }> {
	const world = await openBenchWorld();
	const stolen = countStolen();
	const alone = await serviceAlone(world);
	say(`Alone, the service answers ${alone} requests a second. Warming up`);
	await warmUp(world, keys);
	// First what may lack something on this machine, so that it shows at once.
	const others: Table[] = [];
	if (keys.includes(WATCHING)) {
		say(`Watching ${watching.leads.toLocaleString('en-US')} leads, one created before each poll`);
		others.push(watchingTable(await measureWatching(world, watching)));
	}
	if (keys.includes(PANEL)) {
		say('Opening panels');
		others.push(panelTable(await measurePanels(world, panelRounds)));
	}
	const rows = Object.entries(rowsOf(sizes)).filter(([key]) => keys.includes(key));
	const results: Record<'speed' | 'memory', Compared[]> = { speed: [], memory: [] };
	for (const [key, row] of rows) {
		// What the heap holds does not depend on what else the machine does.
		if (key === 'memory') results.memory.push(await compare(world, row, 1));
		else results.speed.push(await compare(world, row, rounds));
	}
	const tables = [
		...(results.speed.length > 0 ? [speedTable(results.speed)] : []),
		...(results.memory.length > 0 ? [memoryTable(results.memory)] : []),
		...others,
	];
	const introduction =
		`${machine(world.versions)}; ${rounds === 1 ? 'one round' : `medians of ${rounds} rounds`}. ` +
		`The service takes ${LATENCY_MS} ms for each request; alone and without that it answers ${alone} a second. ` +
		`Other machines of the same host took ${stolen()} of the CPU time.`;
	return { introduction, tables };
}

const printed = ([head, ...rows]: Table) =>
	table(rows.map((cells) => Object.fromEntries(cells.map((cell, n) => [head[n], cell]))));

function chosenKeys({ sizes, only = '' }: { sizes: Sizes; only?: string }): string[] {
	const wanted = (key: string) => only.split(',').some((text) => key.includes(text));
	const keys = [...Object.keys(rowsOf(sizes)), WATCHING, PANEL].filter(wanted);
	if (keys.length === 0) throw new CommandError(`No key of a row contains "${only}".`, USAGE);
	if (findChromium() || !keys.includes(PANEL)) return keys;
	say('No Chromium found: the row "panel" is left out');
	return keys.filter((key) => key !== PANEL);
}

await runCommand(async () => {
	const options = readOptions();
	if (options.list) {
		console.log(chosenKeys(options).join('\n'));
		return 0;
	}
	if (process.platform !== 'linux') {
		throw new CommandError('CPU times are read from /proc, which only Linux has.');
	}
	const compared = await compareAll(options, chosenKeys(options));
	console.log(`\n${[compared.introduction, ...compared.tables.map(printed)].join('\n\n')}`);
	return 0;
});
