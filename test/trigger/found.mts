/** Lives in which the trigger once lost something; what was wrong is beside them. */
import type { Life } from './life.mts';

export const found: Array<[string, Life]> = [
	[
		// Crowds that the sweep cut off were passed over, and the next turn came to them with as few requests again.
		'crowds are read to the end, wherever in a turn they stand',
		{
			seed: 0,
			leads: 0,
			pageSize: 5,
			cap: 120,
			polls: 28,
			operations: 30,
			churn: 0.5,
			faults: 0,
			crashes: 0,
			lateness: 0,
			spread: 1,
			filtered: false,
			full: true,
			existing: false,
			interval: 60_000,
			skew: 0,
			watchWithinDays: 0,
			mostEvents: 1000,
			crowd: 20,
			manner: {
				order: 'asc',
				inclusive: { after: false, before: true },
				granularity: 1000,
				clockless: false,
			},
		},
	],
	[
		// Hints spent the last of their requests on parts of crowds, and the sweep took those for read.
		'crowds that hints cut off are read by the sweep',
		{
			seed: 0,
			leads: 20,
			pageSize: 5,
			cap: 60,
			polls: 28,
			operations: 0,
			churn: 0.5,
			faults: 0,
			crashes: 0,
			lateness: 1000,
			spread: 900,
			filtered: false,
			full: false,
			existing: false,
			interval: 3_600_000,
			skew: 0,
			watchWithinDays: 90,
			mostEvents: 1000,
			crowd: 20,
			manner: {
				order: 'desc',
				inclusive: { after: false, before: true },
				granularity: 1000,
				clockless: true,
			},
		},
	],
];
