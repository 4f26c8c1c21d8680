/** Draws random accounts. */
import fc from 'fast-check';

import { DAY, MINUTE, type Scenario } from './simulate.mts';

const behaviourBy = (...granularities: number[]) =>
	fc.record({
		order: fc.constantFrom('asc' as const, 'desc' as const, 'random' as const),
		inclusive: fc.record({ after: fc.boolean(), before: fc.boolean() }),
		granularity: fc.constantFrom(...granularities),
		withoutDate: fc.boolean(),
	});

const ofSmall = {
	seed: fc.nat(),
	leads: fc.integer({ min: 0, max: 60 }),
	pageSize: fc.constantFrom(5, 10, 100),
	cap: fc.constantFrom(60, 120),
	polls: fc.integer({ min: 5, max: 40 }),
	operations: fc.constantFrom(0, 2, 10, 30),
	churn: fc.constantFrom(0, 0, 0.1, 0.5),
	faults: fc.constantFrom(0, 0, 0.1),
	crashes: fc.constantFrom(0, 0, 0.2),
	durable: fc.boolean(),
	lateness: fc.constantFrom(0, 1000, 9 * MINUTE),
	spread: fc.constantFrom(1, 900, 20 * MINUTE, 5 * DAY, 60 * DAY),
	filtered: fc.boolean(),
	edits: fc.constantFrom(0, 0, 0.3),
	tagged: fc.boolean(),
	full: fc.boolean(),
	existing: fc.constantFrom(false, false, true),
	interval: fc.constantFrom(MINUTE, 60 * MINUTE),
	skew: fc.constantFrom(0, -10 * MINUTE, 10 * MINUTE),
	watchWithinDays: fc.constantFrom(0, 90),
	mostEvents: fc.constantFrom(1000, 20),
	atOnce: fc.constantFrom(1, 20),
	behaviour: behaviourBy(1, 1, 1000, DAY),
};

/** Accounts that one poll can read, more or less. Small pages make deep structures of few leads. */
export const small: fc.Arbitrary<Scenario> = fc.record(ofSmall);

/** Accounts that one poll cannot read: the baseline takes several, counts and reading in turn find the changes. */
export const large: fc.Arbitrary<Scenario> = fc.record({
	...ofSmall,
	leads: fc.integer({ min: 200, max: 1500 }),
	pageSize: fc.constantFrom(8, 25),
	cap: fc.constantFrom(20, 40),
	polls: fc.integer({ min: 20, max: 60 }),
	interval: fc.constant(MINUTE),
	operations: fc.constantFrom(3, 10),
	spread: fc.constantFrom(5 * DAY, 60 * DAY),
	full: fc.constant(false),
	mostEvents: fc.constantFrom(1000, 200),
	atOnce: fc.constantFrom(1, 5),
	behaviour: behaviourBy(1, 1, 1000),
});
