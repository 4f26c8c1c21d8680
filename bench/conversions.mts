/**
 * Exports the sales of an account for Meta, with the contacts, from the built node in n8n's engine: in the first night, and
 * in the second, when all leads but some have the tag with which they are left out.
 *
 *   npm run bench -- conversions --sales 5000 --new 20 --limit 100000
 */
import '../test/helpers/environment.js';

import { join } from 'node:path';

import type { Lead } from '../sandbox/records.mts';
import { readArguments, wholeNumber } from '../scripts/lib/arguments.mts';
import { runCommand } from '../scripts/lib/command.mts';
import { freePort } from '../scripts/lib/ports.mts';
import { temporaryFolder } from '../scripts/lib/processes.mts';
import { startSandbox, type Sandbox } from '../scripts/lib/sandbox.mts';
import { table } from '../scripts/lib/table.mts';
import { loadEngine, type Engine } from './engine.mts';

const USAGE = `Exports sales for Meta in n8n's engine, in a first night and in a second.

  npm run bench -- conversions --sales 5000    how many sales
  npm run bench -- conversions --new 20        how many of them lack the tag in the second night
  npm run bench -- conversions --limit 100000  requests a minute that the service permits; its default is 1000`;

const TAG = 'Meta: Purchase';
const AT_ONCE = 50;
const MEMORY_MS = 20;

interface Options {
	sales: number;
	/** Of them, how many lack the tag in the second night. */
	untagged: number;
	limit: number;
}

function readOptions(): Options {
	const text = (value: string) => ({ type: 'string', default: value }) as const;
	const { values } = readArguments(USAGE, {
		options: { sales: text('5000'), new: text('20'), limit: text('100000') },
	});
	const number = (name: keyof typeof values) => wholeNumber(name, values[name], 0);
	return { sales: number('sales'), untagged: number('new'), limit: number('limit') };
}

/** Several at a time. */
async function each(count: number, run: (n: number) => Promise<void>): Promise<void> {
	for (let first = 0; first < count; first += AT_ONCE) {
		const numbers = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, n) => first + n);
		await Promise.all(numbers.map(run));
	}
}

interface Service {
	sandbox: Sandbox;
	leads: Lead[];
	baseUrl: string;
	apiKey: string;
}

/** An account with sales of yesterday. */
async function startService({ sales, limit }: Options): Promise<Service> {
	const log = join(temporaryFolder('bench'), 'conversions.log');
	const sandbox = await startSandbox({ port: await freePort(), seed: 0, log });
	await sandbox.control('limit', { rpm: limit });
	const day = 24 * 3600 * 1000;
	const [saleDate, createdAt] = [1, 3].map((days) =>
		new Date(Date.now() - days * day).toISOString(),
	);
	const leads: Lead[] = [];
	await each(sales, async (n) => {
		const phone = `+55119${String(n).padStart(8, '0')}`;
		const contact = { name: 'Example Contact', email: `buyer${n}@example.com`, phone };
		const { id: contactId } = await sandbox.post<{ id: string }>('/contacts', contact);
		const sale = { status: 'closed_won', saleDate, createdAt, estimatedValue: 100, contactId };
		leads.push(await sandbox.control('createLead', sale));
	});
	const apiKey = (await sandbox.keys()).full;
	return { sandbox, leads, baseUrl: sandbox.url, apiKey };
}

/** How many requests the service has answered. */
async function accepted(sandbox: Sandbox): Promise<number> {
	const windows = Object.values(await sandbox.control('rates')).flat();
	return windows.reduce((sum, window) => sum + window.accepted, 0);
}

/** What a night takes: requests as the service saw them, seconds, and megabytes more than before. */
async function night(when: string, { sandbox, engine }: Service & { engine: Engine }) {
	const requests = await accepted(sandbox);
	const memory = () => process.memoryUsage().rss / 2 ** 20;
	const before = memory();
	let most = before;
	const watching = setInterval(() => (most = Math.max(most, memory())), MEMORY_MS);
	const [begun, cpu] = [performance.now(), process.cpuUsage()];
	const options = { skipTag: TAG, summaryItem: true };
	const { items, error } = await engine.run({
		operation: 'getConversions',
		status: 'closed_won',
		saleDate: 'last7Days',
		format: 'meta',
		eventName: 'Purchase',
		actionSource: 'system_generated',
		options,
	});
	clearInterval(watching);
	if (error) throw error;
	const { user, system } = process.cpuUsage(cpu);
	return {
		'': when,
		events: items.length - 1,
		requests: (await accepted(sandbox)) - requests,
		'wall s': ((performance.now() - begun) / 1000).toFixed(1),
		'CPU s': ((user + system) / 1e6).toFixed(1),
		'MB more': Math.round(most - before),
	};
}

await runCommand(async () => {
	const options = readOptions();
	const engineWith = await loadEngine();
	const service = await startService(options);
	const world = { ...service, engine: engineWith(service) };
	const first = await night('first night', world);
	const tagged = service.leads.slice(options.untagged);
	await each(tagged.length, async (n) => {
		await service.sandbox.control('changeLead', { id: tagged[n].id, tags: [TAG] });
	});
	console.log(table([first, await night('second night', world)]));
	return 0;
});
