/** Whole lists, read while they change, and many leads pushed at once. */
import assert from 'node:assert/strict';

import { flow, itemsOf, jsonOf, leads, nodesOf } from '../flow.mjs';
import { countSent, figures, numbered, refusedOf, runTogether, withSandbox } from './setup.mjs';

const LEADS = 3000;
const READERS = 4;
const PUSHED = 10_000;

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

async function push(world) {
	const externalId = (n) => `pushed-${n}`;
	const sync = nodesOf('sync')('Push', 'push', {
		specifyLeads: 'json',
		leadJson: `={{ { externalId: 'pushed-' + $json.n } }}`,
	});
	const workflow = flow('Push leads', ...numbered(PUSHED), sync);
	const { executions } = await runTogether(world, workflow, 1);
	const requests = await world.sandbox.control('requests');
	const sent = requests.flatMap(({ body }) => body.leads.map((lead) => lead.externalId));
	const expected = Array.from({ length: PUSHED }, (_, n) => externalId(n));
	const counts = countSent(expected, sent);
	const refused = refusedOf(requests);
	const { twice, never } = counts;
	world.figures.push(
		figures(`Push Leads, ${PUSHED} items`, { requests: requests.length, twice, never, refused }),
	);
	assert.deepEqual(counts, { twice: 0, never: 0, unexpected: 0 });
	assert.equal(refused, 0);
	assert.deepEqual(
		itemsOf(executions[0], 'Push').map(({ json, pairedItem }) => [
			json.externalId,
			pairedItem.item,
		]),
		expected.map((each, item) => [each, item]),
	);
}

export const casesFor = () => [
	{
		name: 'Return All on several workers, while leads change: nothing is missing or repeated',
		run: async (world) =>
			await withSandbox(world, { name: 'return-all', seed: LEADS, limit: { rpm: 1000 } }, readAll),
	},
	{
		name: `Push Leads sends each of ${PUSHED} items once`,
		run: async (world) => await withSandbox(world, { name: 'push', limit: { rpm: 1000 } }, push),
	},
];
