/** The queue of requests that wait for the pace to let them go. */
import fc from 'fast-check';

import { Governor, governorFor } from '../../nodes/IntegrationLeads/transport/governor';
import { MOST_IN_FLIGHT } from '../../nodes/IntegrationLeads/transport/pace';
import type { Attempt, AttemptResult } from '../../nodes/IntegrationLeads/transport/retry';
import { draws } from '../helpers/long.mts';
import { START, virtualClock } from './virtualClock.mts';

let time: ReturnType<typeof virtualClock>;
beforeEach(() => {
	time = virtualClock();
});
afterEach(() => time.restore());

const ACCEPTED: AttemptResult = { kind: 'accepted', status: 200, data: {}, siblings: {} };
const answer = (remaining: number, seconds: number, result: AttemptResult = ACCEPTED): Attempt => ({
	result,
	headers: {
		'x-ratelimit-remaining': String(remaining),
		'x-ratelimit-reset': String(seconds),
	},
});

/** Requests with an abort each, in an order of answering and aborting that fast-check chooses. */
const plan = fc.array(
	fc.record({
		/** Aborted at this moment, if at all. */
		abortAt: fc.option(fc.nat(5000), { nil: undefined }),
		takes: fc.nat(400),
		remaining: fc.nat(12),
		answered: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 40 },
);

it('is first in, first out; who gives up leaves at once, and no place is lost', async () => {
	await fc.assert(
		fc.asyncProperty(plan, async (requests) => {
			time.restore();
			time = virtualClock();
			const governor = new Governor();
			const begun: number[] = [];
			const gone: number[] = [];
			let inFlight = 0;
			let most = 0;
			const all = requests.map(async ({ abortAt, takes, remaining, answered }, index) => {
				const controller = new AbortController();
				if (abortAt !== undefined) {
					void time.sleep(abortAt).then(() => controller.abort(new Error('enough')));
				}
				let permit: Awaited<ReturnType<Governor['acquire']>>;
				try {
					permit = await governor.acquire(controller.signal);
				} catch (error) {
					expect(error).toEqual(new Error('enough'));
					expect(time.now()).toBe(START + (abortAt ?? NaN));
					gone.push(index);
					return;
				}
				begun.push(index);
				inFlight += 1;
				most = Math.max(most, inFlight);
				await time.sleep(takes);
				inFlight -= 1;
				permit?.release(answered ? answer(remaining, 1) : undefined);
			});
			await time.runUntil(START + 3_600_000);
			await Promise.all(all);
			expect(begun).toEqual([...begun].sort((a, b) => a - b));
			expect(begun.length + gone.length).toBe(requests.length);
			expect(most).toBeLessThanOrEqual(MOST_IN_FLIGHT);
			// As many go side by side as before: no place was lost.
			const [probe] = await Promise.all([governor.acquire()]);
			probe?.release(answer(500, 60));
			for (let each = 0; each < 16; each += 1) {
				(await governor.acquire())?.release(answer(500, 60));
			}
			const may = governor.concurrency;
			const permits = Array.from({ length: may + 1 }, () => governor.acquire());
			let open = 0;
			for (const each of permits) void each.then(() => (open += 1));
			await time.runUntil(time.now());
			expect(open).toBe(may);
		}),
		{ numRuns: draws(60) },
	);
});

it('gives no permit to what waits when the key is revoked', async () => {
	const governor = new Governor();
	const probe = await governor.acquire();
	const waiting = [governor.acquire(), governor.acquire()];
	probe?.release(answer(900, 60, { kind: 'refused', status: 403, code: 'API_KEY_REVOKED' }));
	expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
	await expect(governor.acquire()).resolves.toBeDefined();
});

it('does not begin for a signal that is already aborted', async () => {
	const reason = new Error('cancelled');
	await expect(new Governor().acquire(AbortSignal.abort(reason))).rejects.toBe(reason);
});

it('measures how long a request was delayed by the limit, and only then', async () => {
	const governor = new Governor();
	const probe = await governor.acquire();
	const late = governor.acquire();
	probe?.release(answer(0, 40));
	await time.runUntil(START + 60_000);
	expect(probe?.delayMs).toBe(0);
	expect((await late)?.delayMs).toBeGreaterThanOrEqual(40_000);
});

it('lets one request ask again after a 429', async () => {
	const governor = new Governor();
	const probe = await governor.acquire();
	probe?.release({ result: { kind: 'refused', status: 429, retryAfterMs: 5000 } });
	let open = 0;
	for (let index = 0; index < 3; index += 1) void governor.acquire().then(() => (open += 1));
	await time.runUntil(START + 4999);
	expect(open).toBe(0);
	await time.runUntil(START + 5300);
	expect(open).toBe(1);
});

it('has a budget of retries, which an outage exhausts and answers and time refund', async () => {
	const governor = new Governor();
	const spend = (count: number) =>
		Array.from({ length: count }, () => governor.spendRetry()).filter(Boolean).length;
	const answered = async (count: number) => {
		for (; count > 0; count -= 1) (await governor.acquire())?.release(answer(900, 60));
	};
	const failed: AttemptResult = { kind: 'broken', status: 200 };
	expect(spend(61)).toBe(60);
	await answered(1);
	(await governor.acquire())?.release(answer(900, 60, failed));
	expect(spend(2)).toBe(1);
	await time.runUntil(START + 999);
	expect(spend(1)).toBe(0);
	await time.runUntil(START + 1000);
	expect(spend(2)).toBe(1);
	// A clock that goes back.
	await time.runUntil(START);
	expect(spend(1)).toBe(0);
	await time.runUntil(START + 1000);
	expect(spend(2)).toBe(1);
	await answered(99);
	expect(spend(61)).toBe(60);
});

it('is one for each key, and goes when it has been idle', async () => {
	const first = governorFor('a');
	const busy = governorFor('b');
	void busy.acquire();
	expect(governorFor('a')).toBe(first);
	await time.runUntil(START + 601_000);
	expect(governorFor('b')).toBe(busy);
	expect(governorFor('a')).not.toBe(first);
});
