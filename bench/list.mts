/**
 * Reads all leads of a service twice, in the same run: the plain way, one page after another with axios, and with
 * Return All of the built node in n8n's engine. Both must find the same leads.
 *
 *   npm run bench -- list --leads 100000 --latency 50
 */
import '../test/helpers/environment.js';

import { join } from 'node:path';

import axios from 'axios';

import { readArguments, wholeNumber } from '../scripts/lib/arguments.mts';
import { runCommand } from '../scripts/lib/command.mts';
import { freePort } from '../scripts/lib/ports.mts';
import { CommandError } from '../scripts/lib/commandError.mts';
import { temporaryFolder } from '../scripts/lib/processes.mts';
import { fromRoot } from '../scripts/lib/repository.mts';
import { startSandbox, type Sandbox } from '../scripts/lib/sandbox.mts';
import { table } from '../scripts/lib/table.mts';
import { loadEngine, type Engine } from './engine.mts';
import { runReader } from './n8n/measure.mts';
import type { BenchControls } from './n8n/service.mts';

const USAGE = `Reads all leads of a service twice: one page after another with axios, and with Return All in n8n's engine.

  npm run bench -- list --leads 100000   how many leads
  npm run bench -- list --latency 50     how long each request takes, in ms`;

/** The largest page (spec part 8): fewer requests are not possible. */
const PAGE_SIZE = 100;

interface Options {
	leads: number;
	latency: number;
}

function readOptions(): Options {
	const { leads, latency } = readArguments(USAGE, {
		options: {
			leads: { type: 'string', default: '100000' },
			latency: { type: 'string', default: '50' },
		},
	}).values;
	return { leads: wholeNumber('leads', leads), latency: wholeNumber('latency', latency, 0) };
}

/** The service in a process of its own, so that its work is not counted as ours. */
interface Service {
	sandbox: Sandbox<BenchControls>;
	baseUrl: string;
	apiKey: string;
}

async function startService(): Promise<Service> {
	const log = join(temporaryFolder('bench'), 'service.log');
	const service = 'bench/n8n/service.mts';
	const sandbox = await startSandbox<BenchControls>({ port: await freePort(), service, log });
	return { sandbox, baseUrl: sandbox.url, apiKey: (await sandbox.keys()).full };
}

/** Pages that the service answers in a second without latency, to a reader that does nothing else. */
async function serviceAlone({ sandbox, apiKey }: Service, { leads }: Options): Promise<number> {
	await sandbox.control('prepare', { leads });
	const axiosFile = fromRoot('node_modules', 'axios', 'index.js');
	const world = { host: { node: process.execPath }, axios: axiosFile, sandbox };
	const { wall } = await runReader({ ...world, keys: { full: apiKey } }, { parallel: 32 });
	return leads / PAGE_SIZE / wall;
}

/** What is read of a page of leads. */
interface LeadPage {
	data: { leads: Array<{ id: string }>; pagination: { totalPages: number } };
}

async function plainWay({ baseUrl, apiKey }: Service): Promise<string[]> {
	const ids: string[] = [];
	for (let page = 1, pages = 1; page <= pages; page += 1) {
		const { data } = await axios.get<LeadPage>(`${baseUrl}/api/v1/integration/leads`, {
			params: { page, limit: PAGE_SIZE },
			headers: { Authorization: `Bearer ${apiKey}` },
		});
		ids.push(...data.data.leads.map(({ id }) => id));
		pages = data.data.pagination.totalPages;
	}
	return ids;
}

async function returnAll(engine: Engine): Promise<string[]> {
	const { items, error } = await engine.run({ operation: 'getAll', returnAll: true });
	if (error) throw error;
	return items.map(({ json }) => String(json.id));
}

/** What reading took: requests as the service saw them, wall and CPU time in seconds. */
interface Taken {
	ids: string[];
	requests: number;
	wall: number;
	cpu: number;
}

async function measure(
	{ sandbox }: Service,
	{ leads, latency }: Options,
	read: () => Promise<string[]>,
): Promise<Taken> {
	await sandbox.control('prepare', { leads, latencyMs: latency });
	const [begun, cpu] = [performance.now(), process.cpuUsage()];
	const ids = await read();
	const wall = (performance.now() - begun) / 1000;
	const { user, system } = process.cpuUsage(cpu);
	const { requests } = await sandbox.control('counts');
	return { ids, requests, wall, cpu: (user + system) / 1e6 };
}

function requireSameIds(expected: string[], found: string[]): void {
	const distinct = new Set(found);
	const missing = expected.filter((id) => !distinct.has(id)).length;
	const repeated = found.length - distinct.size;
	if (missing === 0 && repeated === 0 && found.length === expected.length) return;
	throw new CommandError(
		`Return All found ${found.length} of ${expected.length} leads: ${missing} missing, ${repeated} repeated.`,
	);
}

const row = (way: string, { ids, requests, wall, cpu }: Taken) => ({
	'': way,
	leads: ids.length,
	requests,
	'wall s': wall.toFixed(1),
	'CPU s': cpu.toFixed(1),
});

await runCommand(async () => {
	const options = readOptions();
	const engineWith = await loadEngine();
	const service = await startService();
	const engine = engineWith(service);
	const alone = await serviceAlone(service, options);
	// The first run of anything also loads it.
	await engine.run({ operation: 'getAll', limit: 1 });

	console.log(`Reading ${options.leads} leads, ${options.latency} ms for each request …`);
	const node = await measure(service, options, async () => await returnAll(engine));
	const plain = await measure(service, options, async () => await plainWay(service));
	requireSameIds(plain.ids, node.ids);
	console.log(table([row('Return All', node), row('One page after another', plain)]));
	const ratio = (plain.wall / node.wall).toFixed(1);
	const fewest = Math.max(1, Math.ceil(options.leads / PAGE_SIZE));
	console.log(`\nThe same leads, ${ratio} times faster. At least ${fewest} requests are needed.`);
	const asked = Math.round(node.requests / node.wall);
	console.log(
		`Return All sent ${asked} requests a second; without latency the service answers at least ${Math.round(alone)}.`,
	);
	return 0;
});
