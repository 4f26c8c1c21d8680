/** How many requests of a key are in flight: the rule, and what it makes of 500 writes in simulated time. */
import fc from 'fast-check';
import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { runItems } from '../../nodes/IntegrationLeads/run/items';
import {
	MOST_IN_FLIGHT,
	narrow,
	STARTING_CONCURRENCY,
	widen,
} from '../../nodes/IntegrationLeads/transport/concurrency';
import { clock } from '../../nodes/IntegrationLeads/transport/clock';
import { createClient } from '../../nodes/IntegrationLeads/transport/send';
import { node } from '../helpers/node.mts';
import { START, virtualClock } from './virtualClock.mts';

const at = (limit: number) => ({ ...STARTING_CONCURRENCY, limit, fastestMs: 50 });

it.each([
	['starts at eight', STARTING_CONCURRENCY, 8],
	['grows by half a request for each answer', widen(at(8), 50, 8), 8.5],
	['grows up to 32', widen(at(31.8), 50, 31), 32],
	['grows while answers take up to twice the fastest', widen(at(8), 100, 8), 8.5],
	['shrinks where they take longer', widen(at(9), 101, 9), 8.5],
	['shrinks to eight', widen(at(8.2), 101, 8), 8],
	['stays at eight', widen(at(8), 101, 8), 8],
	['grows below eight all the same', widen(at(6), 101, 6), 6.5],
	['compares with the fastest', widen(at(9), 20, 9), 9.5],
	['knows the fastest afterwards', widen(widen(at(9), 20, 1), 41, 9), 8.5],
	['does not grow when less than half is used', widen(at(8), 50, 3), 8],
	['grows when half is used', widen(at(8), 50, 4), 8.5],
	['is halved by a failure', narrow(at(8), 2, 3), 4],
	['is not halved again by what was in flight then', narrow(narrow(at(8), 2, 3), 3, 4), 4],
	['is halved again by what was sent later', narrow(narrow(at(8), 2, 3), 4, 5), 2],
	['is not halved below four in an outage', narrow(at(6), 2, 3, 4), 4],
	['is not widened by an outage', narrow(at(2), 2, 3, 4), 2],
	['is never below one', narrow(at(1.5), 2, 3), 1],
])('%s', (_, { limit }, expected) => {
	expect(limit).toBe(expected);
});

it('stays between 1 and 32', () => {
	const answer = fc.record({ tookMs: fc.nat(500), inFlight: fc.nat(40), failed: fc.boolean() });
	fc.assert(
		fc.property(fc.array(answer), (answers) => {
			let now = STARTING_CONCURRENCY;
			for (const [index, { tookMs, inFlight, failed }] of answers.entries()) {
				now = failed ? narrow(now, index + 1, index + 1) : widen(now, tookMs, inFlight);
				expect(now.limit).toBeGreaterThanOrEqual(1);
				expect(now.limit).toBeLessThanOrEqual(MOST_IN_FLIGHT);
			}
		}),
	);
});

interface Service {
	/** The share of requests refused with 429 (`Retry-After: 1`), and as many with 503. */
	faults?: number;
	/** Requests it works on at the same time; more of them wait for each other. */
	capacity?: number;
	/** It counts this many requests in any second, and refuses the rest for a second; its headers do not show that. */
	perSecond?: number;
	seed?: number;
}

/** Runs `count` writes of 50 ms each against a service. `longest`: the time that one of them took, with its waits. */
async function write(count: number, { faults = 0, capacity = Infinity, perSecond, seed }: Service) {
	const time = virtualClock(seed);
	const recorded: number[] = [];
	const accepted: number[] = [];
	const firstSent: number[] = [];
	let longest = 0;
	let [inFlight, most, refusals] = [0, 0, 0];
	const answer = (index: number): [status: number, retryAfter?: string] => {
		const luck = time.random();
		if (luck < faults / 2) return [429, '1'];
		if (luck < faults) return [503];
		if (perSecond && accepted.filter((when) => when > clock.now() - 1000).length >= perSecond) {
			return [429, '1'];
		}
		accepted.push(clock.now());
		recorded.push(index);
		return [200];
	};
	const send = async (_: string, request: IHttpRequestOptions) => {
		const index = Number(request.qs?.n);
		firstSent[index] ??= clock.now();
		inFlight += 1;
		most = Math.max(most, inFlight);
		await time.sleep(50 * Math.max(1, inFlight / capacity));
		inFlight -= 1;
		const [status, retryAfter] = answer(index);
		longest = Math.max(longest, clock.now() - firstSent[index]);
		if (status === 429) refusals += 1;
		const headers = {
			'x-ratelimit-limit': '100000',
			'x-ratelimit-remaining': String(100_000 - accepted.length),
			'x-ratelimit-reset': String(Math.ceil(START / 1000) + 60),
			...(retryAfter && { 'retry-after': retryAfter }),
		};
		const body = JSON.stringify({ success: status === 200, data: {}, error: {} });
		return { statusCode: status, body, headers };
	};
	const context = {
		getNode: () => node,
		getInputData: () => Array.from({ length: count }, () => ({ json: {} })),
		continueOnFail: () => false,
		getCredentials: async () => ({
			baseUrl: 'https://leads.example.com',
			apiKey: `sk_test_${JSON.stringify({ count, faults, capacity, perSecond, seed })}`,
		}),
		helpers: { httpRequestWithAuthentication: send },
	} as unknown as IExecuteFunctions;
	try {
		const client = await createClient(context);
		let endedAt = NaN;
		const run = runItems(
			context,
			() => client.itemsAtOnce,
			(index) => index,
			async (index) => await Promise.resolve(index),
			(planned) =>
				planned.map(({ itemIndex, plan }) => ({
					items: [itemIndex],
					recordKeys: [],
					run: async () => {
						const request = { method: 'POST' as const, path: '/x', query: { n: plan } };
						await client.send({ ...request, repeatable: true }, { action: 'Write', targets: [] });
						return [[{ plan }]];
					},
				})),
		).then((output) => {
			endedAt = clock.now();
			return output;
		});
		const [output] = await Promise.all([run, time.runUntil(START + 100_000)]);
		expect(output.map(({ json }) => json.plan)).toEqual(output.map((_, index) => index));
		expect(recorded.sort((a, b) => a - b)).toEqual(output.map((_, index) => index));
		return { ms: endedAt - START, most, refusals, longest };
	} finally {
		time.restore();
	}
}

describe('in simulated time', () => {
	const log = (text: string) => process.stdout.write(`${text}\n`);

	it('500 writes take less time than in ten sequences side by side', async () => {
		const { ms, most } = await write(500, {});
		log(`500 writes of 50 ms: ${ms} ms, ${most} in flight`);
		expect(ms).toBeLessThan((500 / 10) * 50);
		expect(most).toBe(MOST_IN_FLIGHT);
	});

	it.each([1, 2, 3, 4, 5])(
		'faults hold up whom they hit, and nobody else (seed %i)',
		async (seed) => {
			const { ms } = await write(500, { seed });
			const faulty = await write(500, { faults: 0.05, seed });
			log(`with 5 % of 429 and 503: ${faulty.ms} ms, the longest for one ${faulty.longest} ms`);
			expect(faulty.refusals).toBeGreaterThan(8);
			expect(faulty.ms).toBeLessThan(1.5 * ms + faulty.longest);
		},
	);

	it.each([4, 8])(
		'a service with a capacity of %i is not driven to 32 in flight',
		async (capacity) => {
			const { ms, most } = await write(500, { capacity });
			log(`a capacity of ${capacity}: ${ms} ms, ${most} in flight`);
			expect(most).toBeLessThan(MOST_IN_FLIGHT);
			// No more than a tenth longer than it needs at best.
			expect(ms).toBeLessThan((1.1 * 500 * 50) / capacity);
		},
	);

	it.each([5, 10])(
		'a limit of %i a second that no header shows fails no item',
		async (perSecond) => {
			const { ms, refusals } = await write(100, { perSecond });
			log(`${perSecond} a second: ${ms} ms, ${refusals} refused`);
			expect(ms).toBeLessThan((1.5 * 100 * 1000) / perSecond);
		},
	);
});
