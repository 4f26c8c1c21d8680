/** n8n repeats a node, or a worker an execution that failed: what was recorded is not recorded again. */
import assert from 'node:assert/strict';

import type { Case } from '../../../scripts/lib/cases.mts';
import type { Workflow, WorkflowNode } from '../../../scripts/lib/workflow.mts';
import {
	byId,
	errorOf,
	execute,
	flow,
	nodesOf,
	numbered,
	recordsAt,
	save,
	succeeded,
} from '../flow.mts';
import type { ShownInteraction } from '../records.mts';
import type { QueueCaseWorld, QueueWorld } from '../world.mts';
import { withSandbox } from './setup.mts';

const ITEMS = 8;
const TITLES = Array.from({ length: ITEMS }, (_, n) => `Item ${n}`);

async function refuse({ sandbox }: QueueCaseWorld, nth: number): Promise<void> {
	const match = { method: 'POST', path: 'interactions$', nth };
	await sandbox.control('fault', { kind: 'status', status: 422, match });
}

/** Records eight interactions of a new lead; the service refuses one of them. */
async function prepare(
	world: QueueCaseWorld,
	refused: number,
	settings?: Partial<WorkflowNode>,
): Promise<{ leadId: string; workflow: Workflow }> {
	const { id } = await world.sandbox.control('createLead', {});
	await refuse(world, refused);
	const record = nodesOf('interaction')(
		'Record',
		'create',
		{ leadId: byId(id), type: 'NOTE', title: '=Item {{ $json.n }}' },
		settings,
	);
	return { leadId: id, workflow: flow('Record eight', ...numbered(ITEMS), record) };
}

async function assertRecordedOnce(world: QueueCaseWorld, leadId: string): Promise<void> {
	const recorded = await recordsAt<ShownInteraction>(world, `/leads/${leadId}/interactions`);
	assert.deepEqual(recorded.map(({ title }) => title).sort(), TITLES);
}

/** With *Retry On Fail*. That a node may also continue: test/engine/ledger.test.mts. */
async function recordWithRetryOnFail(world: QueueCaseWorld, refused: number): Promise<void> {
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
	const { leadId, workflow } = await prepare(world, refused, retry);
	const execution = succeeded(await execute(world, workflow));
	await assertRecordedOnce(world, leadId);
	assert.deepEqual(execution.data.executionData?.contextData['node:Record'], {});
}

/** With *Retry* in the list of executions, twice refused. */
async function recordWithRetriedExecution(world: QueueCaseWorld): Promise<void> {
	const { client } = world;
	const { leadId, workflow } = await prepare(world, 3);
	const { id: workflowId } = await save(world, workflow);
	let failed = await client.runWorkflow(workflowId, 'Start');
	assert.equal(failed.status, 'error');
	await refuse(world, 3);
	for (const status of ['error', 'success']) {
		await client.retryExecution(failed.id, { loadWorkflow: true });
		failed = await client.nextExecution(workflowId, failed.id);
		assert.equal(failed.status, status, errorOf(failed)?.message);
	}
	await assertRecordedOnce(world, leadId);
}

export const casesFor = (): Array<Case<QueueWorld>> => [
	{
		name: 'Retry On Fail, and Retry in the list of executions, record each item once',
		run: async (world: QueueWorld) =>
			await withSandbox(world, { name: 'retry' }, async (own) => {
				await recordWithRetryOnFail(own, 4);
				await recordWithRetriedExecution(own);
			}),
	},
];
