/** Nothing lost, nothing twice: the trigger against a model of the service that knows everything. */
import fc from 'fast-check';

import type { Life } from './life.mts';
import { DAY, live, MINUTE } from './life.mts';

/** The same lives in every run; `npm run soak` lives others. */
const SEED = Number(process.env.TRIGGER_SEED ?? 20260302);
const OPERATIONS = Number(process.env.TRIGGER_OPERATIONS ?? 100_000);

const manner = fc.record({
	order: fc.constantFrom('asc' as const, 'desc' as const, 'random' as const),
	inclusive: fc.record({ after: fc.boolean(), before: fc.boolean() }),
	granularity: fc.constantFrom(1, 1, 1000, DAY),
	clockless: fc.boolean(),
});

const small: fc.Arbitrary<Life> = fc.record({
	seed: fc.nat(),
	leads: fc.integer({ min: 0, max: 60 }),
	pageSize: fc.constantFrom(5, 10, 100),
	cap: fc.constantFrom(60, 120),
	polls: fc.integer({ min: 5, max: 40 }),
	operations: fc.constantFrom(0, 2, 10, 30),
	churn: fc.constantFrom(0, 0, 0.1, 0.5),
	faults: fc.constantFrom(0, 0, 0.1),
	crashes: fc.constantFrom(0, 0, 0.2),
	lateness: fc.constantFrom(0, 1000, 9 * MINUTE),
	spread: fc.constantFrom(1, 900, 20 * MINUTE, 5 * DAY, 60 * DAY),
	filtered: fc.boolean(),
	full: fc.boolean(),
	existing: fc.constantFrom(false, false, true),
	interval: fc.constantFrom(MINUTE, 60 * MINUTE),
	skew: fc.constantFrom(0, -10 * MINUTE, 10 * MINUTE),
	watchWithinDays: fc.constantFrom(0, 90),
	mostEvents: fc.constantFrom(1000, 20),
	crowd: fc.constantFrom(1, 20),
	manner,
});

it('tells each transition once, whatever happens', () => {
	const total = { operations: 0, polls: 0, requests: 0, events: 0, lives: 0, overcrowded: 0 };
	fc.assert(
		fc.property(small, (life) => {
			const outcome = live(life);
			total.operations += outcome.operations;
			total.polls += outcome.polls;
			total.requests += outcome.requests;
			total.events += outcome.events;
			total.lives += 1;
			total.overcrowded += Number(outcome.overcrowded);
			expect(outcome.violations).toEqual([]);
		}),
		{ seed: SEED, numRuns: Math.ceil(OPERATIONS / 250) },
	);
	process.stdout.write(`${JSON.stringify(total)}\n`);
	expect(total.overcrowded).toBeLessThan(total.lives / 10);
}, 600_000);
