/** Nothing is lost or repeated: the trigger against a model of the service that knows everything. */
import fc from 'fast-check';

import { isLong } from '../helpers/long.mts';
import { regressions } from './regressions.mts';
import { simulate } from './simulate.mts';
import { large, small } from './scenarios.mts';

/** The same scenarios in every run, more of them in `npm run test:long`; `npm run soak` simulates others. */
const SEED = Number(process.env.TRIGGER_SEED ?? 20260302);
const OPERATIONS = Number(process.env.TRIGGER_OPERATIONS ?? (isLong ? 100_000 : 20_000));
/** The first failing scenario as it is, at once. */
const NO_SHRINK = process.env.TRIGGER_NO_SHRINK === '1';

it.each([
	['small accounts', small, 0.85, 200],
	['large accounts', large, 0.16, 300],
] as const)(
	'announces each transition once, whatever happens: %s',
	async (name, scenarios, share, each) => {
		const total = {
			operations: 0,
			polls: 0,
			requests: 0,
			events: 0,
			scenarios: 0,
			tooManyInOneSecond: 0,
		};
		await fc.assert(
			fc.asyncProperty(scenarios, async (scenario) => {
				const outcome = await simulate(scenario);
				total.operations += outcome.operations;
				total.polls += outcome.polls;
				total.requests += outcome.requests;
				total.events += outcome.events;
				total.scenarios += 1;
				total.tooManyInOneSecond += Number(outcome.tooManyInOneSecond);
				expect(outcome.violations).toEqual([]);
			}),
			{ seed: SEED, numRuns: Math.ceil((OPERATIONS * share) / each), endOnFailure: NO_SHRINK },
		);
		process.stdout.write(`${name}: ${JSON.stringify(total)}\n`);
		expect(total.tooManyInOneSecond).toBeLessThan(total.scenarios / 10);
	},
	600_000,
);

it.each(regressions)('%s', async (name, scenario) => {
	expect((await simulate(scenario)).violations).toEqual([]);
});
