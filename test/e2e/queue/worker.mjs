/** A worker is killed while it creates leads, and the workflow is run again: each lead is there once, by its external ID. */
import assert from 'node:assert/strict';

import { say } from '../../../scripts/lib/progress.mjs';
import { flow, nodesOf, numbered, recordsAt, save, START, until } from '../flow.mjs';
import { countSent, figures, refusedOf, withSandbox } from './setup.mjs';

const LEADS = 500;
const LATENCY_MS = 20;

/** Runs the workflow, kills its worker once some leads are recorded, and runs it again. */
async function interrupted(world, round, after) {
	const { sandbox, client, queue } = world;
	const idOf = (n) => `${round}-${n}`;
	const record = nodesOf('lead')('Record', 'upsert', { externalId: `=${idOf('{{ $json.n }}')}` });
	const workflow = flow('Record leads', ...numbered(LEADS), record);
	const { id } = await save(world, workflow);
	const counted = async () => (await sandbox.control('state')).leads;
	const before = await counted();
	const first = await client.startWorkflow(id, START);
	await until(async () => (await counted()) - before >= after);
	const worker = queue.workerOf(first);
	await queue.kill(worker);
	// What was sent before the kill is recorded, or lost, before the workflow is run again.
	await until(async () => (await sandbox.control('traffic')).inFlight === 0);
	const recorded = (await counted()) - before;

	const second = await client.runWorkflow(id, START);
	await queue.start(worker);
	assert.equal(second.status, 'success');
	const found = await recordsAt(world, '/leads');
	const wanted = Array.from({ length: LEADS }, (_, n) => idOf(n));
	const counts = countSent(
		wanted,
		found.map(({ externalId }) => externalId).filter((each) => each?.startsWith(`${round}-`)),
	);
	say(`  worker killed after ${recorded}: ${counts.twice} twice, ${counts.never} never`);
	return { recorded, ...counts };
}

async function killWorkers(world, kills) {
	await world.sandbox.control('latency', { ms: LATENCY_MS });
	const rounds = [];
	for (let n = 0; n < kills; n++) {
		const after = 1 + Math.floor(world.random() * (LEADS - 50));
		rounds.push(await interrupted(world, `round${n}`, after));
	}
	const sum = (name) => rounds.reduce((total, each) => total + each[name], 0);
	const requests = await world.sandbox.control('requests');
	const [twice, never, unexpected] = ['twice', 'never', 'unexpected'].map(sum);
	const measured = { requests: requests.length, twice, never, refused: refusedOf(requests), kills };
	world.figures.push(figures(`${LEADS} leads, worker killed, run again`, measured));
	assert.ok(
		rounds.every(({ recorded }) => recorded > 0 && recorded < LEADS),
		`each worker was killed in the middle: ${rounds.map(({ recorded }) => recorded).join(', ')}`,
	);
	assert.deepEqual({ twice, never, unexpected }, { twice: 0, never: 0, unexpected: 0 });
}

export const casesFor = ({ kills }) => [
	{
		name: `${LEADS} leads are recorded once each, though their worker is killed (${kills}x)`,
		hangMs: (kills + 2) * 90_000,
		run: async (world) =>
			await withSandbox(world, { name: 'worker' }, (own) => killWorkers(own, kills)),
	},
];
