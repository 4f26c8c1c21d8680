/**
 * Shows when messages of new people, which arrive at once, are logged while the same key is in use: when the 1st, the 20th and
 * the last of them is, and when the other work is done. Time is simulated: it passes only while everything waits for the rate
 * limit or for an answer, which takes 50 ms.
 *
 * - Beside Return All of a long list: as requests are sent, against the order in which they were asked for.
 * - Beside a push of rows without IDs: against as many items of Create or Update.
 *
 *   npm run bench -- queue --messages 200 --leads 5000 --rows 900 --limits 60,1000
 */
import '../test/helpers/environment.js';

import type { IDataObject } from 'n8n-workflow';

import { clock } from '#built/nodes/IntegrationLeads/transport/clock';
import { RateLimiter } from '#built/nodes/IntegrationLeads/transport/rateLimiter';
import { startSandbox } from '../sandbox/server.mts';
import { readArguments, wholeNumber } from '../scripts/lib/arguments.mts';
import { runCommand } from '../scripts/lib/command.mts';
import { CommandError } from '../scripts/lib/commandError.mts';
import { say } from '../scripts/lib/progress.mts';
import { table } from '../scripts/lib/table.mts';
import { called, simulatedClock } from '../test/helpers/lab.mts';
import { evolution } from '../test/helpers/webhooks.mts';
import { loadEngine, type Engine } from './engine.mts';

const USAGE = `Shows when messages of new people are logged while a list is read or rows are pushed with the same key, on a simulated clock.

  npm run bench -- queue --messages 200    how many people write at once
  npm run bench -- queue --leads 5000      how many leads Return All reads; 0: nothing is read beside the messages
  npm run bench -- queue --rows 900        how many rows are pushed in the second scene; 0: none
  npm run bench -- queue --limits 60,1000  requests a minute that the service permits, one after another`;

interface Load {
	messages: number;
	leads: number;
	rows: number;
}

function readOptions(): Load & { limits: number[] } {
	const text = (value: string) => ({ type: 'string', default: value }) as const;
	const { values } = readArguments(USAGE, {
		options: {
			messages: text('200'),
			leads: text('5000'),
			rows: text('900'),
			limits: text('60,1000'),
		},
	});
	return {
		messages: wholeNumber('messages', values.messages, 0),
		leads: wholeNumber('leads', values.leads, 0),
		rows: wholeNumber('rows', values.rows, 0),
		limits: values.limits.split(',').map((limit) => wholeNumber('limits', limit)),
	};
}

/** How long each request takes. */
const LATENCY_MS = 50;

const shipped = RateLimiter.prototype.acquire;
let asked = 0;

/** In which order requests that wait are sent. */
const ORDERS: Record<string, typeof shipped> = {
	'oldest item first': shipped,
	// Each request takes a place of its own when it asks, as if it were an item, and none counts as one of a list.
	'as asked for': async function (this: RateLimiter, _, signal) {
		asked += 1;
		return await shipped.call(this, { number: asked, isList: false }, signal);
	},
};

/** Seconds from the beginning. */
interface Seconds {
	/** When each message was logged, the first one first. */
	logged: number[];
	/** When the other work was done. */
	work: number;
	requests: number;
	refused: number;
}

/** What is done while the messages arrive. */
interface Work {
	/** Leads that exist before. */
	seed: number;
	run?: (engine: Engine) => Promise<unknown>;
}

const listOf = (leads: number): Work => ({
	seed: leads,
	run: async ({ run }) => {
		const { items, error } = await run(called('lead.getAll', { returnAll: true }));
		if (error) throw error;
		if (items.length < leads)
			throw new CommandError(`${items.length} of ${leads} leads were read.`);
	},
});

const columns = { mappingMode: 'autoMapInputData', value: null };

const rowsOf = (count: number, operation: string, parameters: IDataObject): Work => ({
	seed: 0,
	run: async ({ run }) => {
		const input = Array.from({ length: count }, (_, n) => ({ email: `row-${n}@example.com` }));
		const { items, error } = await run(called(operation, { lead: columns, ...parameters }), {
			input,
		});
		if (error) throw error;
		if (items.length < count) throw new CommandError(`${items.length} of ${count} rows were sent.`);
	},
});

async function measure(rpm: number, messages: number, { seed, run: work }: Work): Promise<Seconds> {
	const engineWith = await loadEngine();
	const service = { isBusy: () => false };
	const now = simulatedClock(() => service.isBusy());
	const sandbox = await startSandbox({ seed, rpm, clock: now });
	service.isBusy = () => sandbox.controls.traffic().inFlight > 0;
	const engine = engineWith({ baseUrl: sandbox.url, apiKey: sandbox.keys.full });
	const begun = now();
	const sinceBegun = () => (now() - begun) / 1000;
	const working = async () => {
		await work?.(engine);
		return work ? sinceBegun() : 0;
	};
	const logging = async (n: number) => {
		const input = [evolution(`55119${String(70_000_000 + n)}`, 'Hello')];
		const { error } = await engine.run(called('message.logFromWhatsApp', {}), { input });
		if (error) throw error;
		return sinceBegun();
	};
	const worked = working();
	const logged = await Promise.all(Array.from({ length: messages }, (_, n) => logging(n)));
	const result = { logged: logged.sort((a, b) => a - b), work: await worked };
	const requests = sandbox.controls.requests();
	await sandbox.close();
	const refused = requests.filter(({ status }) => status === 429).length;
	return { ...result, requests: requests.length, refused };
}

/** The columns that are compared. */
function columnsOf({ logged, work }: Seconds): Record<string, number> {
	const nth = [1, 20, logged.length].filter(
		(n, i, all) => n <= logged.length && all.indexOf(n) === i,
	);
	const shown = nth.filter((n) => n > 0).map((n) => [`message ${n}`, logged[n - 1]]);
	return { ...Object.fromEntries(shown), work };
}

/** One way in which the messages are logged, in a table beside another. */
interface Case {
	order: keyof typeof ORDERS;
	beside: string;
	work: Work;
}

function casesOf({ leads, rows }: Load): Case[][] {
	const list = leads > 0 ? listOf(leads) : { seed: 0 };
	const beside = `list of ${leads}`;
	const scenes: Case[][] = [
		[
			{ order: 'oldest item first', beside, work: list },
			{ order: 'as asked for', beside, work: list },
		],
	];
	if (rows > 0) {
		const push = rowsOf(rows, 'sync.push', {});
		const upserts = rowsOf(rows, 'lead.upsert', { specifyLead: 'columns' });
		scenes.push([
			{ order: 'oldest item first', beside: `push of ${rows}`, work: push },
			{ order: 'oldest item first', beside: `${rows} of Create or Update`, work: upserts },
		]);
	}
	return scenes;
}

await runCommand(async () => {
	const { limits, ...load } = readOptions();
	const lines: Array<Record<string, unknown>> = [];
	for (const rpm of limits) {
		for (const cases of casesOf(load)) {
			const measured: Array<Record<string, number>> = [];
			for (const { order, beside, work } of cases) {
				say(`${rpm} requests a minute, ${order}, beside ${beside}`);
				RateLimiter.prototype.acquire = async function (place, signal) {
					const permit = await ORDERS[order].call(this, place, signal);
					// The request is on its way.
					await clock.sleep(LATENCY_MS);
					return permit;
				};
				const seconds = await measure(rpm, load.messages, work);
				const times = columnsOf(seconds);
				measured.push(times);
				const shown = Object.entries(times).map(([name, at]) => [name, `${at.toFixed(1)} s`]);
				const { requests, refused } = seconds;
				lines.push({ limit: rpm, order, beside, ...Object.fromEntries(shown), requests, refused });
			}
			const [ours, other] = measured;
			const ratios = Object.entries(ours).map(([name, at]) => [
				name,
				other[name] > 0 ? (at / other[name]).toFixed(2) : '',
			]);
			lines.push({ limit: '', order: 'ratio', ...Object.fromEntries(ratios) });
		}
	}
	console.log(`\n${table(lines)}`);
	return 0;
});
