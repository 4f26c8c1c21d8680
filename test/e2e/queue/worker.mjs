/**
 * A worker is killed while it records interactions, which must not be recorded twice, and the workflow is run again. With
 * *Skip If Recorded* each is then recorded once.
 */
import assert from 'node:assert/strict';

import { say } from '../../../scripts/lib/progress.mjs';
import { byId, flow, nodesOf, numbered, recordsAt, save, START, until } from '../flow.mjs';
import { countSent, figures, refusedOf, withSandbox } from './setup.mjs';

const INTERACTIONS = 500;
const LATENCY_MS = 20;

const TITLES = Array.from({ length: INTERACTIONS }, (_, n) => `Interaction ${n}`);

/** Runs the workflow, kills its worker once some interactions are recorded, and runs it again. */
async function interrupted(world, after) {
	const { sandbox, client, queue } = world;
	const lead = await sandbox.control('createLead', {});
	const record = nodesOf('interaction')('Record', 'create', {
		leadId: byId(lead.id),
		type: 'NOTE',
		title: '=Interaction {{ $json.n }}',
		options: { skipIfRecorded: true },
	});
	const workflow = flow('Record interactions', ...numbered(INTERACTIONS), record);
	const { id } = await save(world, workflow);
	const counted = async () => (await sandbox.control('state')).counts.interactions;
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
	const titles = (await recordsAt(world, `/leads/${lead.id}/interactions`)).map(
		({ title }) => title,
	);
	const counts = countSent(TITLES, titles);
	say(`  worker killed after ${recorded}: ${counts.twice} twice, ${counts.never} never`);
	return { recorded, ...counts };
}

async function killWorkers(world, kills) {
	await world.sandbox.control('latency', { ms: LATENCY_MS });
	const rounds = [];
	for (let n = 0; n < kills; n++) {
		const after = 1 + Math.floor(world.random() * (INTERACTIONS - 50));
		rounds.push(await interrupted(world, after));
	}
	const sum = (name) => rounds.reduce((total, each) => total + each[name], 0);
	const requests = await world.sandbox.control('requests');
	const [twice, never, unexpected] = ['twice', 'never', 'unexpected'].map(sum);
	const measured = { requests: requests.length, twice, never, refused: refusedOf(requests), kills };
	world.figures.push(figures(`${INTERACTIONS} interactions, worker killed, run again`, measured));
	assert.ok(
		rounds.every(({ recorded }) => recorded > 0 && recorded < INTERACTIONS),
		`each worker was killed in the middle: ${rounds.map(({ recorded }) => recorded).join(', ')}`,
	);
	assert.deepEqual({ twice, never, unexpected }, { twice: 0, never: 0, unexpected: 0 });
}

export const casesFor = ({ kills }) => [
	{
		name: `${INTERACTIONS} interactions are recorded once each, though their worker is killed (${kills}x)`,
		hangMs: (kills + 2) * 90_000,
		run: async (world) =>
			await withSandbox(world, { name: 'worker' }, (own) => killWorkers(own, kills)),
	},
];
