/** What all cases in queue mode need: a sandbox each, executions on several workers, and counts of what was sent. */
import { createServer } from 'node:http';
import { join } from 'node:path';

import lodash from 'lodash';

import { freePort } from '../../../scripts/lib/ports.mts';
import { startSandbox } from '../../../scripts/lib/sandbox.mts';
import { createLeadsCredential } from '../../../scripts/lib/world.mts';
import { save, START } from '../flow.mjs';

/**
 * Runs work against a sandbox of its own.
 * @param {object} world
 * @param {{name: string, limit?: {rpm: number, windowMs?: number}}} options `limit`: of requests; by default none
 * @param {(world: object) => Promise<void>} work is given the world with `sandbox` and a `credential` for it
 */
export async function withSandbox(world, { name, limit = { rpm: 0 } }, work) {
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
export async function runTogether(world, workflow, times, limitMs) {
	const { id } = await save(world, workflow);
	const ids = [];
	for (let n = 0; n < times; n++) ids.push(await world.client.startWorkflow(id, START));
	const executions = await Promise.all(
		ids.map(async (each) => await world.client.finishedExecution(each, limitMs)),
	);
	return { executions, workers: new Set(ids.map((each) => world.queue.workerOf(each))) };
}

/**
 * A node at which executions wait until as many are there, so that they begin together.
 * @param {number} count
 */
export async function startLine(count) {
	const waiting = [];
	const server = createServer((_, response) => {
		waiting.push(response);
		if (waiting.length === count) for (const each of waiting) each.end('{}');
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const node = {
		name: 'Start line',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { url: `http://127.0.0.1:${server.address().port}` },
	};
	return { node, close: () => server.close() };
}

/** Compares what arrived with what should have. @param {string[]} sent in any order, with repeats */
export function countSent(expected, sent) {
	const times = lodash.countBy(sent);
	return {
		twice: Object.values(times).filter((count) => count > 1).length,
		never: expected.filter((each) => !times[each]).length,
	};
}

export const refusedOf = (requests) => requests.filter(({ status }) => status === 429).length;

const COLUMNS = [
	'requests',
	'twice',
	'never',
	'refused',
	'use of the limit',
	'kills',
	'events lost',
	'repeats',
];

/** A row of the table that the command prints at the end; what a case does not measure stays empty. */
export const figures = (name, measured) => ({
	case: name,
	...Object.fromEntries(COLUMNS.map((column) => [column, measured[column] ?? ''])),
});
