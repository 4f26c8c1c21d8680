/**
 * Messages of new people, which arrive at once while Return All reads a long list with the same key: when the 1st, the
 * 20th and the last of them is logged, and when the list is read. Once as requests are sent (the item that began first goes
 * first, and a list takes no more than half of the turns), and once in the order in which they were asked for. Time is
 * simulated: it passes only while everything waits for the rate limit or for an answer, which takes 50 ms.
 *
 *   npm run bench -- queue --messages 200 --leads 5000 --limits 60,1000
 */
import '../test/helpers/environment.js';

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
import { loadEngine } from './engine.mts';

const USAGE = `Shows when messages of new people are logged while a long list is read with the same key, on a simulated clock.

  npm run bench -- queue --messages 200    how many people write at once
  npm run bench -- queue --leads 5000      how many leads Return All reads; 0: nothing is read beside the messages
  npm run bench -- queue --limits 60,1000  requests a minute that the service permits, one after another`;

interface Load {
	messages: number;
	leads: number;
}

function readOptions(): Load & { limits: number[] } {
	const text = (value: string) => ({ type: 'string', default: value }) as const;
	const { values } = readArguments(USAGE, {
		options: { messages: text('200'), leads: text('5000'), limits: text('60,1000') },
	});
	return {
		messages: wholeNumber('messages', values.messages, 0),
		leads: wholeNumber('leads', values.leads, 0),
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
	list: number;
	requests: number;
	refused: number;
}

async function measure(rpm: number, { messages, leads }: Load): Promise<Seconds> {
	const engineWith = await loadEngine();
	const service = { isBusy: () => false };
	const now = simulatedClock(() => service.isBusy());
	const sandbox = await startSandbox({ seed: leads, rpm, clock: now });
	service.isBusy = () => sandbox.controls.traffic().inFlight > 0;
	const { run } = engineWith({ baseUrl: sandbox.url, apiKey: sandbox.keys.full });
	const begun = now();
	const sinceBegun = () => (now() - begun) / 1000;
	const reading = async () => {
		const { items, error } = await run(called('lead.getAll', { returnAll: true }));
		if (error) throw error;
		if (items.length < leads)
			throw new CommandError(`${items.length} of ${leads} leads were read.`);
		return sinceBegun();
	};
	const logging = async (n: number) => {
		const input = [evolution(`55119${String(70_000_000 + n)}`, 'Hello')];
		const { error } = await run(called('message.logFromWhatsApp', {}), { input });
		if (error) throw error;
		return sinceBegun();
	};
	const list = leads > 0 ? reading() : Promise.resolve(0);
	const logged = await Promise.all(Array.from({ length: messages }, (_, n) => logging(n)));
	const result = { logged: logged.sort((a, b) => a - b), list: await list };
	const requests = sandbox.controls.requests();
	await sandbox.close();
	const refused = requests.filter(({ status }) => status === 429).length;
	return { ...result, requests: requests.length, refused };
}

/** The columns that are compared. */
function columnsOf({ logged, list }: Seconds): Record<string, number> {
	const nth = [1, 20, logged.length].filter(
		(n, i, all) => n <= logged.length && all.indexOf(n) === i,
	);
	const columns = nth.filter((n) => n > 0).map((n) => [`message ${n}`, logged[n - 1]]);
	return { ...Object.fromEntries(columns), list };
}

await runCommand(async () => {
	const { limits, ...load } = readOptions();
	const rows: Array<Record<string, unknown>> = [];
	for (const rpm of limits) {
		const measured: Array<Record<string, number>> = [];
		for (const [order, acquire] of Object.entries(ORDERS)) {
			say(`${rpm} requests a minute, ${order}`);
			RateLimiter.prototype.acquire = async function (place, signal) {
				const permit = await acquire.call(this, place, signal);
				// The request is on its way.
				await clock.sleep(LATENCY_MS);
				return permit;
			};
			const seconds = await measure(rpm, load);
			const columns = columnsOf(seconds);
			measured.push(columns);
			const shown = Object.entries(columns).map(([name, at]) => [name, `${at.toFixed(1)} s`]);
			const { requests, refused } = seconds;
			rows.push({ limit: rpm, order, ...Object.fromEntries(shown), requests, refused });
		}
		const [ours, other] = measured;
		const ratios = Object.entries(ours).map(([name, at]) => [
			name,
			other[name] > 0 ? (at / other[name]).toFixed(2) : '',
		]);
		rows.push({ limit: '', order: 'ratio', ...Object.fromEntries(ratios) });
	}
	console.log(`\n${table(rows)}`);
	return 0;
});
