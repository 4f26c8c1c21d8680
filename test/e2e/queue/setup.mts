/** What all cases in queue mode need: a sandbox each, executions on several workers, and counts of what was sent. */
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';

import lodash from 'lodash';

import type { LoggedRequest } from '../../../sandbox/requestLog.mts';
import { serveLoopback } from '../../../scripts/lib/loopback.mts';
import { freePort } from '../../../scripts/lib/ports.mts';
import { startSandbox } from '../../../scripts/lib/sandbox.mts';
import { createLeadsCredential } from '../../../scripts/lib/world.mts';
import type { Execution, Workflow, WorkflowNode } from '../../../scripts/lib/workflow.mts';
import { save, START } from '../flow.mts';
import type { QueueCaseWorld, QueueWorld } from '../world.mts';

/** Runs work against a sandbox of its own. @param options `limit`: of requests; by default none */
export async function withSandbox(
	world: QueueWorld,
	{ name, limit = { rpm: 0 } }: { name: string; limit?: { rpm: number; windowMs?: number } },
	work: (world: QueueCaseWorld) => Promise<void>,
): Promise<void> {
	// A case that failed may have left a process killed.
	await world.queue.startAll();
	const log = join(world.output, `sandbox-${name}.log`);
	const sandbox = await startSandbox({ port: await freePort(), seed: 0, log });
	await sandbox.control('limit', limit);
	const credential = await createLeadsCredential(world.client, sandbox, { name });
	try {
		await work({ ...world, sandbox, credential });
	} finally {
		await sandbox.stop();
	}
}

/**
 * Runs a flow several times at once.
 * @returns the finished executions, and the names of the workers that ran them
 */
export async function runTogether(
	world: QueueCaseWorld,
	workflow: Workflow,
	times: number,
	limitMs: number,
): Promise<{ executions: Execution[]; workers: Set<string | undefined> }> {
	const { id } = await save(world, workflow);
	const ids: string[] = [];
	for (let n = 0; n < times; n++) ids.push(await world.client.startWorkflow(id, START));
	const executions = await Promise.all(
		ids.map(async (each) => await world.client.finishedExecution(each, limitMs)),
	);
	return { executions, workers: new Set(ids.map((each) => world.queue.workerOf(each))) };
}

/** A node at which executions wait until as many are there, so that they begin together. */
export async function startLine(count: number): Promise<{ node: WorkflowNode; close: () => void }> {
	const waiting: ServerResponse[] = [];
	const { url, close } = await serveLoopback((_, response) => {
		waiting.push(response);
		if (waiting.length === count) for (const each of waiting) each.end('{}');
	});
	const node = {
		name: 'Start line',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { url },
	};
	return { node, close };
}

/** Compares what arrived with what should have. @param sent in any order, with repeats */
export function countSent(expected: string[], sent: string[]) {
	const times = lodash.countBy(sent);
	return {
		twice: Object.values(times).filter((count) => count > 1).length,
		never: expected.filter((each) => !times[each]).length,
	};
}

export const refusedOf = (requests: LoggedRequest[]): number =>
	requests.filter(({ status }) => status === 429).length;

const COLUMNS = [
	'requests',
	'twice',
	'never',
	'refused',
	'use of the limit',
	'kills',
	'events lost',
	'repeats',
] as const;

/** A row of the table that the command prints at the end; what a case does not measure stays empty. */
export const figures = (
	name: string,
	measured: Partial<Record<(typeof COLUMNS)[number], string | number>>,
) => ({
	case: name,
	...Object.fromEntries(COLUMNS.map((column) => [column, measured[column] ?? ''])),
});
