/** Nothing lost, nothing twice: the trigger against a model of the service that knows everything. */
import fc from 'fast-check';

import type { Life } from './life.mts';
import { DAY, live, MINUTE } from './life.mts';

/** The same lives in every run; `npm run soak` lives others. */
const SEED = Number(process.env.TRIGGER_SEED ?? 20260302);
const OPERATIONS = Number(process.env.TRIGGER_OPERATIONS ?? 100_000);
/** The first failing life as it is, at once. */
const NO_SHRINK = process.env.TRIGGER_NO_SHRINK === '1';

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

/** Accounts that one poll cannot read: the baseline takes several, hints and the sweep find the changes. */
const large: fc.Arbitrary<Life> = small.chain((life) =>
	fc.record({
		...(Object.fromEntries(
			Object.entries(life).map(([name, value]) => [name, fc.constant(value)]),
		) as { [name in keyof Life]: fc.Arbitrary<Life[name]> }),
		leads: fc.integer({ min: 200, max: 1500 }),
		pageSize: fc.constantFrom(8, 25),
		cap: fc.constantFrom(20, 40),
		polls: fc.integer({ min: 20, max: 60 }),
		interval: fc.constant(MINUTE),
		operations: fc.constantFrom(3, 10),
		spread: fc.constantFrom(5 * DAY, 60 * DAY),
		full: fc.constant(false),
		mostEvents: fc.constantFrom(1000, 200),
		crowd: fc.constantFrom(1, 5),
		manner: fc.record({
			order: fc.constantFrom('asc' as const, 'desc' as const, 'random' as const),
			inclusive: fc.record({ after: fc.boolean(), before: fc.boolean() }),
			granularity: fc.constantFrom(1, 1, 1000),
			clockless: fc.boolean(),
		}),
	}),
);

it.each([
	['small accounts', small, 0.85, 200],
	['large accounts', large, 0.2, 300],
] as const)(
	'tells each transition once, whatever happens: %s',
	(name, lives, share, each) => {
		const total = { operations: 0, polls: 0, requests: 0, events: 0, lives: 0, overcrowded: 0 };
		fc.assert(
			fc.property(lives, (life) => {
				const outcome = live(life);
				total.operations += outcome.operations;
				total.polls += outcome.polls;
				total.requests += outcome.requests;
				total.events += outcome.events;
				total.lives += 1;
				total.overcrowded += Number(outcome.overcrowded);
				expect(outcome.violations).toEqual([]);
			}),
			{ seed: SEED, numRuns: Math.ceil((OPERATIONS * share) / each), endOnFailure: NO_SHRINK },
		);
		process.stdout.write(`${name}: ${JSON.stringify(total)}\n`);
		expect(total.overcrowded).toBeLessThan(total.lives / 10);
	},
	600_000,
);
