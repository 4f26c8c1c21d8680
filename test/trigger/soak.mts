/**
 * Simulates other accounts than the tests do, for longer: `npm run soak -- --operations 1000000 --seed 7`. A scenario
 * that fails is printed with its seed.
 */

import fc from 'fast-check';

import { readArguments } from '../../scripts/lib/arguments.mts';
import { simulate } from './simulate.mts';
import { large, small } from './scenarios.mts';

const USAGE = `Simulates other accounts than the tests do, for longer.

  npm run soak -- --operations 1000000 --seed 7`;

const { values } = readArguments(USAGE, {
	options: {
		operations: { type: 'string', default: '1000000' },
		seed: { type: 'string', default: String(Date.now() % 1_000_000) },
	},
});
const seed = Number(values.seed);
const begun = Date.now();
let [operations, polls, events, scenarios] = [0, 0, 0, 0];

for (let round = 0; operations < Number(values.operations); round += 1) {
	await fc.assert(
		fc.asyncProperty(fc.oneof({ weight: 6, arbitrary: small }, large), async (scenario) => {
			const outcome = await simulate(scenario);
			operations += outcome.operations;
			polls += outcome.polls;
			events += outcome.events;
			scenarios += 1;
			if (outcome.violations.length === 0) return;
			throw new Error(`${JSON.stringify(scenario)}\n${outcome.violations.join('\n')}`);
		}),
		{ seed: seed + round, numRuns: 50 },
	);
	const seconds = Math.round((Date.now() - begun) / 1000);
	process.stdout.write(
		`seed ${seed} + ${round}: ${operations} operations, ${scenarios} scenarios, ${polls} polls, ${events} events, ${seconds} s\n`,
	);
}
