import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

import { readExamples, startNode, withCredential } from '../../scripts/lib/examples.mts';
import { nodeType } from '../../scripts/lib/repository.mts';

/** Cases by their names. @param {object} [more] what all of them have, such as `hangMs` */
export const casesOf = (runs, more) =>
	Object.entries(runs).map(([name, run]) => ({ name, run, ...more }));

export const START = 'Start';
/** Not a performance limit. */
const UNTIL_LIMIT_MS = 120_000;
const POLL_MS = 50;

/** Waits until something is true. @param {() => boolean | Promise<boolean>} holds */
export async function until(holds, limitMs = UNTIL_LIMIT_MS) {
	const limit = Date.now() + limitMs;
	while (!(await holds())) {
		assert.ok(Date.now() < limit, `Still not so: ${holds}`);
		await sleep(POLL_MS);
	}
}

/** A node of the package. `more` has other settings than parameters, such as onError. */
export const leads = (name, operation, parameters = {}, more = {}) => ({
	name,
	type: nodeType,
	typeVersion: 1,
	parameters: { resource: 'lead', operation, ...parameters },
	...more,
});

/** Makes nodes of another resource, as `leads` does. */
export const nodesOf = (resource) => (name, operation, parameters, more) =>
	leads(name, operation, { resource, ...parameters }, more);

/** n8n nodes that make items with `n` from 0. */
export const numbered = (count) => [
	{
		name: 'Rows',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {
			mode: 'raw',
			jsonOutput: `={{ { rows: Array.from({ length: ${count} }, (_, n) => ({ n })) } }}`,
		},
	},
	{
		name: 'Each row',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: 'rows' },
	},
];

/**
 * Polls more often than once a minute: n8n refuses a rule for every second, but takes one for each of some seconds.
 * @param {number} seconds
 * @param {{first?: number, pause?: number}} [options] seconds: the first of a minute with a poll, and how long there is
 *   none after the last
 */
export const pollEvery = (seconds, { first = 0, pause = 0 } = {}) => ({
	item: Array.from({ length: (60 - pause) / seconds }, (_, n) => ({
		mode: 'custom',
		cronExpression: `${(first + n * seconds) % 60} * * * * *`,
	})),
});

/** A resource locator as n8n stores it. */
export const byId = (value) => ({ __rl: true, mode: 'id', value });

/** A workflow that starts by hand and runs these nodes in a row. */
export function flow(name, ...steps) {
	const start = {
		name: START,
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		parameters: {},
	};
	const nodes = [start, ...steps].map((node, i) => ({
		id: `node-${i}`,
		position: [220 * i, 0],
		...node,
	}));
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map((node, i) => [nodes[i].name, { main: [[{ node: node.name, type: 'main', index: 0 }]] }]),
	);
	return { name, nodes, connections };
}

/** The example whose name begins like this. */
export const exampleNamed = (beginning) =>
	readExamples().find(({ name }) => name.startsWith(beginning));

/** A node of a workflow. */
export const nodeOf = ({ nodes }, wanted) => nodes.find(({ name }) => name === wanted);

/** Saves the workflow with the credential chosen in it. */
export const save = async ({ client, credential }, workflow) =>
	await client.createWorkflow(withCredential(workflow, credential));

/** Saves a flow, runs it, and waits for its end. */
export async function execute(world, workflow) {
	const { id } = await save(world, workflow);
	return await world.client.runWorkflow(id, START);
}

/** The execution, which has to have succeeded. */
export function succeeded(execution) {
	assert.equal(execution.status, 'success', errorOf(execution)?.message);
	return execution;
}

/** Saves an example, and runs it by hand twice. @returns both executions, which have succeeded */
export async function runTwice(world, example) {
	const { id } = await save(world, example);
	const run = async () => succeeded(await world.client.runWorkflow(id, startNode(example)));
	return [await run(), await run()];
}

/** The items on one of a node's outputs, from its last run. */
export function itemsOf(execution, node, output = 0) {
	const run = execution.data.resultData.runData[node]?.at(-1);
	if (!run) throw new Error(`"${node}" did not run: ${errorOf(execution)?.message ?? 'no error'}`);
	return run.data?.main?.[output] ?? [];
}

export const jsonOf = (execution, node, output) =>
	itemsOf(execution, node, output).map(({ json }) => json);

/** The error that stopped an execution, if any. */
export const errorOf = (execution) => execution.data.resultData.error;

/** Asserts that a record has at least these fields with these values. */
export const includes = (actual, expected, message) =>
	assert.deepEqual({ ...actual, ...expected }, actual, message);

/** All records of a list, read from the service directly. */
export async function recordsAt({ sandbox }, path) {
	const records = [];
	for (let page = 1; ; page += 1) {
		const { pagination, ...data } = await sandbox.get(
			`${path}${path.includes('?') ? '&' : '?'}limit=100&page=${page}`,
		);
		records.push(...Object.values(data).flat());
		if (page >= pagination.totalPages) return records;
	}
}
