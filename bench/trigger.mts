/**
 * What a poll of the trigger costs, against a service in memory: requests, state, time, and how many polls pass until
 * changes are reported. For comparison the plain way: fetch everything, compare with an object of statuses by id.
 *
 *   npm run bench -- trigger --leads 1000,10000,100000 --changes 1,10,100 --rounds 10
 */
import lodash from 'lodash';

import { readArguments, wholeNumber } from '../scripts/lib/arguments.mts';
import { runCommand } from '../scripts/lib/command.mts';
import { businessHours } from '../test/pure/leadList.mts';
import { seeded } from '../test/pure/virtualClock.mts';
import { pollService, type Polled } from '../test/trigger/polling.mts';
import { ModelService, plainBehaviour, type ModelLead } from '../test/trigger/service.mts';
import { median } from './n8n/figures.mts';

const USAGE = `Shows what a poll of the trigger costs, against a service in memory.

  npm run bench -- trigger --leads 1000,10000    how many leads, one after another
  npm run bench -- trigger --changes 1,10,100    how many of them change at once
  npm run bench -- trigger --rounds 10           how often they do
  npm run bench -- trigger --order desc          order of lists: desc, asc or random
  npm run bench -- trigger --cap 60              requests that a poll may make
  npm run bench -- trigger --young 7             half of the changes are of leads of the last 7 days; by default, any may change
  npm run bench -- trigger --flow round          closed leads are opened again, which counts cannot always show; by default,
                                                 leads are only closed (forward)`;

const STATUSES = ['open', 'in_progress', 'closed_won'];
const MINUTE = 60_000;
/** How long a request is taken to last; those that are made at the same time count once. */
const REQUEST_MS = 50;
/** Over how many days the leads were created. */
const DAYS = 90;
/** Polls after the baseline until nothing of it is left to do. */
const SETTLING_POLLS = 12;
const IDLE_POLLS = 10;
const MAX_DELAY = 2000;

interface Options {
	leads: number[];
	changes: number[];
	rounds: number;
	order: 'desc' | 'asc' | 'random';
	cap: number;
	/** Days; undefined: any lead may change. */
	young?: number;
	/** The status that follows another. */
	next: Partial<Record<string, string>>;
}

function readOptions(): Options {
	const text = (value: string) => ({ type: 'string', default: value }) as const;
	const { values } = readArguments(USAGE, {
		options: {
			leads: text('1000,10000,100000'),
			changes: text('1,10,100'),
			rounds: text('10'),
			order: text('desc'),
			cap: text('60'),
			flow: text('forward'),
			young: { type: 'string' },
		},
	});
	const numbers = (name: 'leads' | 'changes') =>
		values[name].split(',').map((each) => wholeNumber(name, each));
	const closes = { open: 'in_progress', in_progress: 'closed_won' };
	return {
		leads: numbers('leads'),
		changes: numbers('changes'),
		rounds: wholeNumber('rounds', values.rounds),
		order: values.order as Options['order'],
		cap: wholeNumber('cap', values.cap),
		young: values.young === undefined ? undefined : wholeNumber('young', values.young),
		next: values.flow === 'round' ? { ...closes, closed_won: 'open' } : closes,
	};
}

/** The polls of one service, and what they have cost since `reset`. */
class Polls {
	count = 0;
	requests = 0;
	cpuMs = 0;
	/** Requests that were made at the same time are a batch. */
	batches = 0;
	#state: unknown;
	#isBatchOpen = false;

	constructor(
		readonly service: ModelService,
		private readonly maxRequestsPerPoll: number,
	) {}

	reset(): void {
		[this.count, this.requests, this.cpuMs, this.batches] = [0, 0, 0, 0];
	}

	async next(): Promise<Polled> {
		const { maxRequestsPerPoll, service } = this;
		const begun = cpuMs();
		let ofService = 0;
		const polled = await pollService(
			service,
			this.#state,
			{ maxRequestsPerPoll },
			async (request) => {
				this.#countBatch();
				const asked = cpuMs();
				const answer = service.answer(request);
				ofService += cpuMs() - asked;
				return answer;
			},
		);
		this.cpuMs += cpuMs() - begun - ofService;
		this.count += 1;
		this.requests += polled.requests;
		// n8n stores it as JSON.
		this.#state = JSON.parse(JSON.stringify(polled.state));
		return polled;
	}

	get stateBytes(): number {
		return Buffer.byteLength(JSON.stringify(this.#state));
	}

	#countBatch(): void {
		if (this.#isBatchOpen) return;
		this.#isBatchOpen = true;
		this.batches += 1;
		queueMicrotask(() => (this.#isBatchOpen = false));
	}
}

/** CPU time of this process so far, in milliseconds. */
function cpuMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** A service whose leads were created in the hours of business, the newest a minute ago. */
function startService(count: number, { order }: Options, random: () => number): ModelService {
	const leads = businessHours(count, random, DAYS);
	const service = new ModelService({ ...plainBehaviour, order }, random, 0);
	service.now = Math.max(0, lodash.maxBy(leads, 'createdAt')?.createdAt ?? 0) + MINUTE;
	service.fill(
		count,
		(index) => leads[index].createdAt,
		() => STATUSES[Math.floor(random() * STATUSES.length)],
	);
	return service;
}

/** Polls until all leads are known, and then while nothing changes. */
async function measureIdle(polls: Polls, { order }: Options): Promise<void> {
	while ((await polls.next()).unread > 0);
	const baseline = `baseline ${polls.requests} requests in ${polls.count} polls`;
	for (let left = SETTLING_POLLS; left > 0; left -= 1) await polls.next();
	polls.reset();
	for (let left = IDLE_POLLS; left > 0; left -= 1) await polls.next();

	const { service, count, requests, cpuMs: cpu, batches, stateBytes } = polls;
	const leads = service.leads.length;
	const seconds = ((batches / count) * REQUEST_MS) / 1000;
	const statuses = service.leads.map(({ id, status }) => [uuidLike(id), status]);
	const plainBytes = JSON.stringify(Object.fromEntries(statuses)).length;
	console.log(
		`\n${leads} leads, ${order}: ${baseline}; idle ${(requests / count).toFixed(1)} requests a poll, ` +
			`${(cpu / count).toFixed(1)} ms CPU, about ${seconds.toFixed(2)} s at ${REQUEST_MS} ms a request; ` +
			`state ${stateBytes} bytes, ${(stateBytes / leads).toFixed(2)} a lead. ` +
			`Plain way: ${Math.ceil(leads / 100)} requests a poll, ${(plainBytes / leads).toFixed(1)} bytes a lead`,
	);
}

/** As long as the ids of a real service. */
const uuidLike = (id: string) => id.padEnd(36, '0');

/** Changes leads at once and counts the polls until they are reported, in several rounds. */
async function measureChanges(
	polls: Polls,
	changes: number,
	options: Options,
	random: () => number,
): Promise<void> {
	/** Polls until one change was reported, and until all of a round were. */
	const [single, all]: [number[], number[]] = [[], []];
	polls.reset();
	for (let round = options.rounds; round > 0; round -= 1) {
		const open = changeLeads(polls.service, changes, options, random);
		for (let delay = 1; open.size > 0 && delay < MAX_DELAY; delay += 1) {
			const { events } = await polls.next();
			for (const { lead } of events) if (open.delete(String(lead.id))) single.push(delay);
			if (open.size === 0) all.push(delay);
		}
	}
	const { count, requests, cpuMs: cpu } = polls;
	console.log(
		`  ${changes} changes at once: reported after ${lodash.mean(single).toFixed(2)} polls on average, ` +
			`median ${median(single)}, the last after ${lodash.mean(all).toFixed(2)}; ` +
			`${(requests / count).toFixed(1)} requests a poll, ${(cpu / count).toFixed(1)} ms CPU`,
	);
}

/** Moves this many leads on to their next status. @returns their IDs */
function changeLeads(
	service: ModelService,
	changes: number,
	{ next, young }: Options,
	random: () => number,
): Set<string> {
	const changed = new Set<string>();
	while (changed.size < Math.min(changes, service.leads.length)) {
		const lead = someLead(service, young, random);
		const status = lead && next[lead.status];
		if (!status || changed.has(lead.id)) continue;
		changed.add(lead.id);
		service.change(lead, { status });
	}
	return changed;
}

/** Any lead; with `young`, one of the last so many days in half of the cases, and the rarer the older it is. */
function someLead(
	{ leads }: ModelService,
	young: number | undefined,
	random: () => number,
): ModelLead | undefined {
	const share = young === undefined ? random() : Math.log2(1 / (1 - random())) * (young / DAYS);
	return leads[leads.length - 1 - Math.floor(share * leads.length)];
}

await runCommand(async () => {
	const options = readOptions();
	for (const count of options.leads) {
		const random = seeded(count);
		const polls = new Polls(startService(count, options, random), options.cap);
		await measureIdle(polls, options);
		for (const changes of options.changes) await measureChanges(polls, changes, options, random);
	}
	return 0;
});
