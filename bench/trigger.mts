/**
 * What a poll of the trigger costs, against a service in memory: requests, state, time, and how many polls pass until
 * changes are reported. For comparison the plain way: fetch everything, compare with an object of statuses by id.
 *
 *   npm run bench -- trigger --leads 1000,10000,100000 --changes 1,10,100 --rounds 10
 */

import { readArguments } from '../scripts/lib/arguments.mts';
import { businessHours } from '../test/pure/leadList.mts';
import { seeded } from '../test/pure/virtualClock.mts';
import { ModelService, plainBehaviour } from '../test/trigger/service.mts';
import { pollService, type Polled } from '../test/trigger/polling.mts';

const USAGE = `Shows what a poll of the trigger costs, against a service in memory.

  npm run bench -- trigger --leads 1000,10000,100000 --changes 1,10,100 --rounds 10
                           --order desc|asc|random --cap 60 --flow forward|round --young 7`;

const { values } = readArguments(USAGE, {
	options: {
		leads: { type: 'string', default: '1000,10000,100000' },
		changes: { type: 'string', default: '1,10,100' },
		rounds: { type: 'string', default: '10' },
		order: { type: 'string', default: 'desc' },
		cap: { type: 'string', default: '60' },
		/** Half of the changes concern leads of so many days; without, they are spread over all. */
		young: { type: 'string' },
		/** `forward`: open, in progress, closed. `round`: closed leads are opened again, which counts cannot always show. */
		flow: { type: 'string', default: 'forward' },
	},
});
const numbers = (text: string) => text.split(',').map(Number);
const NEXT: Record<string, string> = {
	open: 'in_progress',
	in_progress: 'closed_won',
	...(values.flow === 'round' && { closed_won: 'open' }),
};
const STATUSES = ['open', 'in_progress', 'closed_won'];
const MINUTE = 60_000;
const REQUEST_MS = 50;

const settings = { maxRequestsPerPoll: Number(values.cap) };

async function measure(count: number): Promise<void> {
	const random = seeded(count);
	const leads = businessHours(count, random);
	const order = values.order as 'desc' | 'asc' | 'random';
	const service = new ModelService({ ...plainBehaviour, order }, random, 0);
	service.now = leads.reduce((newest, { createdAt }) => Math.max(newest, createdAt), 0) + MINUTE;
	service.fill(
		count,
		(index) => leads[index].createdAt,
		() => STATUSES[Math.floor(random() * 3)],
	);
	let state: unknown;
	let batches = 0;
	let cpu = 0;
	const millisecondsOfCpu = () => {
		const { user, system } = process.cpuUsage();
		return (user + system) / 1000;
	};
	const once = async (): Promise<Polled> => {
		let isNewBatch = true;
		cpu -= millisecondsOfCpu();
		const result = await pollService(service, state, settings, async (request) => {
			// Requests that are made at the same time.
			if (isNewBatch) queueMicrotask(() => (isNewBatch = true));
			batches += Number(isNewBatch);
			isNewBatch = false;
			// The service's own work is not counted.
			const from = millisecondsOfCpu();
			const answer = service.answer(request);
			cpu -= millisecondsOfCpu() - from;
			return answer;
		});
		cpu += millisecondsOfCpu();
		state = JSON.parse(JSON.stringify(result.state)) as unknown;
		return result;
	};

	let [polls, requests] = [0, 0];
	for (let unread = 1; unread > 0; polls += 1) {
		const result = await once();
		({ unread } = result);
		requests += result.requests;
	}
	const bytes = () => Buffer.byteLength(JSON.stringify(state));
	for (let left = 12; left > 0; left -= 1) await once();
	[cpu, batches] = [0, 0];
	let idle = 0;
	for (let left = 10; left > 0; left -= 1) idle += (await once()).requests / 10;
	const plainBytes = JSON.stringify(
		Object.fromEntries(service.leads.map(({ id, status }) => [uuidLike(id), status])),
	).length;
	process.stdout.write(
		`\n${count} leads, ${order}: baseline ${requests} requests in ${polls} polls; idle ${idle.toFixed(1)} requests a poll, ` +
			`${(cpu / 10).toFixed(1)} ms CPU, about ${(((batches / 10) * REQUEST_MS) / 1000).toFixed(2)} s at ${REQUEST_MS} ms a request; ` +
			`state ${bytes()} bytes, ${(bytes() / count).toFixed(2)} a lead. ` +
			`Plain way: ${Math.ceil(count / 100)} requests a poll, ${(plainBytes / count).toFixed(1)} bytes a lead\n`,
	);

	for (const changes of numbers(values.changes)) {
		const delays: number[] = [];
		const whole: number[] = [];
		let [spent, made] = [0, 0];
		cpu = 0;
		for (let round = Number(values.rounds); round > 0; round -= 1) {
			const open = new Set<string>();
			while (open.size < Math.min(changes, count)) {
				// Of 90 days, half of the changes concern the leads of the last `--young` days.
				const share = values.young
					? Math.log2(1 / (1 - random())) * (Number(values.young) / 90)
					: random();
				const lead = service.leads[count - 1 - Math.floor(share * count)];
				if (!lead) continue;
				if (open.has(lead.id) || !NEXT[lead.status]) continue;
				open.add(lead.id);
				service.change(lead, { status: NEXT[lead.status] });
			}
			for (let delay = 1; open.size > 0 && delay < 2000; delay += 1) {
				const { events, requests: each } = await once();
				spent += each;
				made += 1;
				for (const { lead } of events) {
					if (open.delete(String(lead.id))) delays.push(delay);
				}
				if (open.size === 0) whole.push(delay);
			}
		}
		const mean = (of: number[]) => (of.reduce((sum, each) => sum + each, 0) / of.length).toFixed(2);
		const sorted = [...delays].sort((a, b) => a - b);
		process.stdout.write(
			`  ${changes} changes at once: reported after ${mean(delays)} polls on average, median ${sorted[sorted.length >> 1]}, ` +
				`the last after ${mean(whole)}; ${(spent / made).toFixed(1)} requests a poll, ${(cpu / made).toFixed(1)} ms CPU\n`,
		);
	}
}

/** As long as the ids of a real service. */
function uuidLike(id: string): string {
	return id.padEnd(36, '0');
}

for (const count of numbers(values.leads)) await measure(count);
