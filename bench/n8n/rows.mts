import type { InputRows, Task, Way } from './measure.mts';
import {
	getByCode,
	getOurs,
	pagesByCode,
	pagesByHttpRequest,
	returnAllOurs,
	upsertByHttpRequest,
	upsertOurs,
} from './flows.mts';

/** Of each request to the service. */
export const LATENCY_MS = 50;
const FAULT_SHARE = 0.05;
const IGNORE_FAILURES = { onError: 'continueRegularOutput' };
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 };

const distinct = (ids: string[]): number => new Set(ids).size;

/** What is not at the service afterwards, and what it recorded again. */
const recorded: Task['check'] = ({ rows, counts }) => ({
	lost: rows.length - counts.leads,
	repeated: counts.repeated,
});

/** What is missing in the output or stands in it twice. */
const output: Task['check'] = ({ ids, expected }) => {
	const found = new Set(ids);
	return {
		lost: expected.filter((id) => !found.has(id)).length,
		repeated: ids.length - distinct(ids),
	};
};

const newRow = (_: unknown, n: number): InputRows[number] => ({
	externalId: `bench-${n}`,
	name: `Contact ${n}`,
	email: `contact.${n}@example.com`,
	phone: `+55119${String(80_000_000 + n)}`,
	value: 100 + n,
});

/** What is compared. The first way is ours. */
export interface Row extends Task {
	name: string;
	ways: Record<string, Way>;
}

/** How many leads each row has. */
export interface Sizes {
	upsert: number;
	lists: number[];
	get: number;
	moving: number;
	memory: number;
}

const upsert = (
	name: string,
	count: number,
	faultShare: number,
	ways: Record<string, Way>,
): Row => ({
	name: `*Create or Update*, ${count} leads${name}`,
	setup: { leads: 0, latencyMs: LATENCY_MS, faultShare },
	rows: () => Array.from({ length: count }, newRow),
	check: recorded,
	ways,
});

/** Beyond this, ways that ask for one page after another only take longer. */
const MAX_IN_SEQUENCE = 10_000;

const readAll = (leads: number): Row => ({
	name: `*Return All*, ${leads.toLocaleString('en-US')} leads`,
	setup: { leads, latencyMs: LATENCY_MS },
	check: output,
	ways: {
		ours: returnAllOurs('All leads, ours'),
		'axios, 8 at once': { parallel: 8 },
		...(leads <= MAX_IN_SEQUENCE && {
			'axios, in sequence': { parallel: 1 },
			'HTTP Request with pagination': pagesByHttpRequest,
			'Code node, in sequence': pagesByCode,
		}),
	},
});

/** By the key with which a row is chosen. */
export const rowsOf = (sizes: Sizes): Record<string, Row> => ({
	upsert: upsert('', sizes.upsert, 0, {
		ours: upsertOurs,
		'HTTP Request': upsertByHttpRequest({}),
	}),
	faults: upsert(', 5 % answered with 429 or 503', sizes.upsert, FAULT_SHARE, {
		ours: upsertOurs,
		'HTTP Request, continues': upsertByHttpRequest(IGNORE_FAILURES),
		'HTTP Request, Retry On Fail': upsertByHttpRequest(RETRY),
	}),
	...Object.fromEntries(sizes.lists.map((leads) => [`list${leads}`, readAll(leads)])),
	get: {
		name: `*Get*, ${sizes.get.toLocaleString('en-US')} items`,
		setup: { leads: sizes.get, latencyMs: LATENCY_MS },
		rows: (ids) => ids.map((id) => ({ id })),
		check: output,
		ways: { ours: getOurs, 'Code node, 8 at once': getByCode },
	},
	moving: {
		name: `*Return All*, ${sizes.moving.toLocaleString('en-US')} leads oldest first, one in ten deleted and one in ten created meanwhile`,
		setup: {
			leads: sizes.moving,
			latencyMs: LATENCY_MS,
			// New leads come last, so nothing makes up for those that move up.
			order: 'asc',
			churn: 10,
		},
		check: output,
		ways: {
			ours: returnAllOurs('All leads, ours'),
			'HTTP Request with pagination': pagesByHttpRequest,
		},
	},
	memory: {
		name: `*Return All*, ${sizes.memory.toLocaleString('en-US')} leads, memory`,
		setup: { leads: sizes.memory, latencyMs: LATENCY_MS },
		check: output,
		ways: { ours: returnAllOurs('All leads, ours (memory)') },
	},
});
