/** Nothing lost, nothing twice: the trigger against a model of the service that knows everything. */
import fc from 'fast-check';

import { found } from './found.mts';
import { live } from './life.mts';
import { large, small } from './lives.mts';

/** The same lives in every run; `npm run soak` lives others. */
const SEED = Number(process.env.TRIGGER_SEED ?? 20260302);
const OPERATIONS = Number(process.env.TRIGGER_OPERATIONS ?? 100_000);
/** The first failing life as it is, at once. */
const NO_SHRINK = process.env.TRIGGER_NO_SHRINK === '1';

it.each([
	['small accounts', small, 0.85, 200],
	['large accounts', large, 0.16, 300],
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

it.each(found)('%s', (name, life) => {
	expect(live(life).violations).toEqual([]);
});
