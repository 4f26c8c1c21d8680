/** Whole lists, read while they change. */
import assert from 'node:assert/strict';

import { flow, jsonOf, leads } from '../flow.mjs';
import { countSent, figures, refusedOf, runTogether, withSandbox } from './setup.mjs';

const LEADS = 3000;
const READERS = 4;

async function readAll(world) {
	const { sandbox } = world;
	await sandbox.control('churn', { perRequest: { create: 1, delete: 1, changeStatus: 3 } });
	const from = Date.now();
	const filter = { status: 'open' };
	const read = leads('Read', 'getAll', { returnAll: true, filters: filter });
	const { executions, workers } = await runTogether(world, flow('Read all', read), READERS);
	const { throughout, ever } = await sandbox.control('matched', { filter, from, to: Date.now() });

	const results = executions.map((execution) => {
		const ids = jsonOf(execution, 'Read').map(({ id }) => id);
		const possible = new Set(ever);
		const { twice, never } = countSent(throughout, ids);
		return { twice, never, wrong: ids.filter((id) => !possible.has(id)).length };
	});
	const sum = (name) => results.reduce((total, each) => total + each[name], 0);
	const requests = await sandbox.control('requests');
	const refused = refusedOf(requests);
	world.figures.push(
		figures(`Return All ${READERS} times while leads change`, {
			requests: requests.length,
			twice: sum('twice'),
			never: sum('never'),
			refused,
		}),
	);
	assert.equal(refused, 0);
	assert.ok(workers.size > 1, 'more than one worker took part');
	assert.ok(throughout.length > 0 && ever.length > throughout.length, 'leads changed meanwhile');
	assert.deepEqual(
		results,
		results.map(() => ({ twice: 0, never: 0, wrong: 0 })),
	);
}

export const casesFor = () => [
	{
		name: 'Return All on several workers, while leads change: nothing is missing or repeated',
		run: async (world) =>
			await withSandbox(world, { name: 'return-all', seed: LEADS, limit: { rpm: 1000 } }, readAll),
	},
];
