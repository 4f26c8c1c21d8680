/** What the number of requests in flight (pace.test.mts) makes of 500 writes in simulated time. */
import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { ItemRun } from '../../nodes/IntegrationLeads/run/items';
import { clock } from '../../nodes/IntegrationLeads/transport/clock';
import { MOST_IN_FLIGHT } from '../../nodes/IntegrationLeads/transport/pace';
import { createClient } from '../../nodes/IntegrationLeads/transport/send';
import { node } from '../helpers/node.mts';
import { START, virtualClock } from './virtualClock.mts';

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
	const inFlight: number[] = [];
	let [underWay, refusals] = [0, 0];
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
		underWay += 1;
		inFlight.push(underWay);
		await time.sleep(50 * Math.max(1, underWay / capacity));
		underWay -= 1;
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
		const run = new ItemRun(context, () => client.itemsAtOnce);
		const carriedOut = run
			.carryOut(
				Array.from({ length: count }, (_, plan) => ({
					items: [{ itemIndex: plan, part: 0 }],
					recordKeys: [],
					run: async () => {
						const request = { method: 'POST' as const, path: '/x', query: { n: plan } };
						await client.send({ ...request, repeatable: true }, { action: 'Write', targets: [] });
						return [[{ plan }]];
					},
				})),
			)
			.then(() => (endedAt = clock.now()));
		await Promise.all([carriedOut, time.runUntil(START + 100_000)]);
		const { output } = run;
		expect(output.map(({ json }) => json.plan)).toEqual(output.map((_, index) => index));
		expect(recorded.sort((a, b) => a - b)).toEqual(output.map((_, index) => index));
		return { ms: endedAt - START, inFlight, refusals, longest };
	} finally {
		time.restore();
	}
}

describe('in simulated time', () => {
	it('500 writes take less time than in twenty sequences side by side', async () => {
		const { ms, inFlight } = await write(500, {});
		expect(ms).toBeLessThan((500 / 20) * 50);
		expect(Math.max(...inFlight)).toBe(MOST_IN_FLIGHT);
	});

	it.each([1, 2])('faults hold up whom they hit, and nobody else (seed %i)', async (seed) => {
		const { ms } = await write(500, { seed });
		const faulty = await write(500, { faults: 0.05, seed });
		expect(faulty.refusals).toBeGreaterThan(8);
		expect(faulty.ms).toBeLessThan(1.5 * ms + faulty.longest);
	});

	it.each([4, 8])(
		'a service with a capacity of %i does not have the most in flight for long',
		async (capacity) => {
			const { ms, inFlight } = await write(500, { capacity });
			const later = Math.max(...inFlight.slice(250));
			expect(later).toBeLessThan(20);
			// No more than a tenth longer than it needs at best.
			expect(ms).toBeLessThan((1.1 * 500 * 50) / capacity);
		},
	);

	it.each([5, 10])(
		'a limit of %i a second that no header shows fails no item',
		async (perSecond) => {
			const { ms } = await write(100, { perSecond });
			// What is refused again and again waits twice as long each time.
			expect(ms).toBeLessThan((2 * 100 * 1000) / perSecond);
		},
	);
});
