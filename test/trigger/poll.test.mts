/** Compares the trigger with a model of the service that knows everything: nothing is lost or repeated. */
import fc from 'fast-check';

import { draws } from '../helpers/long.mts';
import { regressions } from './regressions.mts';
import { simulate } from './simulate.mts';
import { large, small } from './scenarios.mts';

// `npm run soak` simulates others, for longer.
it.each([
	['small accounts', small, 30],
	['large accounts', large, 3],
] as const)('announces each transition once, whatever happens: %s', async (_, scenarios, count) => {
	let simulated = 0;
	let tooManyInOneSecond = 0;
	await fc.assert(
		fc.asyncProperty(scenarios, async (scenario) => {
			const outcome = await simulate(scenario);
			simulated += 1;
			tooManyInOneSecond += Number(outcome.tooManyInOneSecond);
			expect(outcome.violations).toEqual([]);
		}),
		{ numRuns: draws(count) },
	);
	expect(tooManyInOneSecond).toBeLessThan(simulated / 10);
});

it.each(regressions)('%s', async (_, scenario) => {
	expect((await simulate(scenario)).violations).toEqual([]);
});
