/** Lists scenarios in which the trigger once lost something, or its model demanded too much, each with what was wrong. */
import { DAY, MINUTE, type Scenario } from './simulate.mts';

const usual: Omit<Scenario, 'seed' | 'leads' | 'polls'> = {
	pageSize: 5,
	cap: 60,
	operations: 10,
	churn: 0,
	faults: 0,
	crashes: 0,
	lateness: 0,
	spread: 1,
	filtered: false,
	full: true,
	existing: false,
	interval: MINUTE,
	skew: 0,
	watchWithinDays: 0,
	mostEvents: 1000,
	atOnce: 1,
	behaviour: {},
};
/** Bounds that include themselves. */
const BOTH = { after: true, before: true };
const usualBehaviour: Scenario['behaviour'] = {
	order: 'asc',
	inclusive: { after: false, before: false },
	granularity: 1,
	withoutDate: false,
};

type Differences = Pick<Scenario, 'seed' | 'leads' | 'polls'> & Partial<Scenario>;
const differences: Record<string, Differences> = {
	// Without a total, more leads of one second than a poll can read were not noticed.
	'too many leads of one second are noticed where the service states no total': {
		seed: 1,
		leads: 61,
		cap: 12,
		polls: 5,
		operations: 2,
		full: false,
		existing: true,
		behaviour: { order: 'desc', granularity: 1000, withoutTotal: true },
	},
	// What was read in every poll left too little for one bucket in turn, and those after it were never read.
	'reading in turn does not stop at a bucket that needs more requests than are left': {
		seed: 912_767_166,
		leads: 405,
		pageSize: 8,
		cap: 20,
		polls: 35,
		operations: 3,
		churn: 0.5,
		spread: 5 * DAY,
		full: false,
		atOnce: 5,
		behaviour: { order: 'desc', inclusive: BOTH, granularity: 1000, withoutDate: true },
	},
	// The service stated no time and our clock was ten minutes fast, so that what came next passed for older than the start.
	'what comes after a first poll that was cut short is announced, even if our clock is fast': {
		seed: 21,
		leads: 38,
		polls: 8,
		lateness: 9 * MINUTE,
		skew: 10 * MINUTE,
		behaviour: { order: 'random', inclusive: BOTH, granularity: DAY, withoutDate: true },
	},
	// Each event read its lead. The repeat's request failed, that of the newer event beside it did not, so that the newer
	// one came first.
	'a repeat whose full lead could not be read does not come after a newer event of the lead': {
		seed: 19,
		leads: 5,
		pageSize: 10,
		cap: 120,
		polls: 4,
		faults: 0.2,
		crashes: 0.2,
		durable: false,
		spread: 20 * MINUTE,
	},
	// A bucket was cut, one part was read but not all of its events could be emitted, and both were joined again: what the
	// other part still knew was taken for the statuses, and the events came again under other ids.
	'what was read in part after a cut is not joined with what was known before': {
		seed: 0,
		leads: 47,
		pageSize: 100,
		cap: 120,
		polls: 34,
		churn: 0.5,
		durable: true,
		lateness: 9 * MINUTE,
		spread: 60 * DAY,
		interval: 60 * MINUTE,
		atOnce: 20,
		behaviour: { order: 'desc', inclusive: { after: false, before: true }, granularity: DAY },
	},
	// Of the oldest bucket a poll could read only a part, which then was joined with the rest again, without end.
	'what was read of a bucket is not read again before its rest': {
		seed: 22,
		leads: 22,
		pageSize: 10,
		polls: 26,
		churn: 0.5,
		durable: true,
		lateness: 1000,
		spread: 5 * DAY,
		existing: true,
		watchWithinDays: 90,
		behaviour: { order: 'random', inclusive: BOTH, granularity: DAY },
	},
};

export const regressions = Object.entries(differences).map(
	([name, { behaviour, ...scenario }]): [string, Scenario] => [
		name,
		{ ...usual, ...scenario, behaviour: { ...usualBehaviour, ...behaviour } },
	],
);
