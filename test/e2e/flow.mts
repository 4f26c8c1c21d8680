import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Case } from '../../scripts/lib/cases.mts';
import { readExamples, startNode, withCredential } from '../../scripts/lib/examples.mts';
import { nodeType } from '../../scripts/lib/repository.mts';
import type { Sandbox } from '../../scripts/lib/sandbox.mts';
import type { Execution, Item, Workflow, WorkflowNode } from '../../scripts/lib/workflow.mts';
import type { World } from '../../scripts/lib/world.mts';
import type { CaseWorld } from './world.mts';

/** What cases do, by their names. */
export type Runs<W = CaseWorld> = Record<string, (world: W) => Promise<void>>;

/** Cases by their names. @param more what all of them have */
export const casesOf = <W,>(runs: Runs<W>, more?: { hangMs: number }): Array<Case<W>> =>
	Object.entries(runs).map(([name, run]) => ({ name, run, ...more }));

/** Where workflows are saved and run. */
export type Place = Pick<World, 'client' | 'credential'>;
/** A sandbox that is only read from. */
export interface Readable {
	sandbox: Pick<Sandbox, 'get'>;
}
/** The output of a node; its user knows its fields. */
export type Json = Record<string, unknown>;

export const START = 'Start';
/** Not a performance limit. */
const UNTIL_LIMIT_MS = 120_000;
const POLL_MS = 50;

/** Waits until `holds` returns something truthy. */
export async function until(holds: () => unknown, limitMs = UNTIL_LIMIT_MS): Promise<void> {
	const limit = Date.now() + limitMs;
	while (!(await holds())) {
		assert.ok(Date.now() < limit, `Still not so: ${String(holds)}`);
		await sleep(POLL_MS);
	}
}

/** A node of the package. `more` has other settings than parameters, such as onError. */
export const leads = (
	name: string,
	operation: string,
	parameters: Json = {},
	more: Partial<WorkflowNode> = {},
): WorkflowNode => ({
	name,
	type: nodeType,
	typeVersion: 1,
	parameters: { resource: 'lead', operation, ...parameters },
	...more,
});

/** Makes nodes of another resource, as `leads` does. */
export const nodesOf =
	(resource: string): typeof leads =>
	(name, operation, parameters, more) =>
		leads(name, operation, { resource, ...parameters }, more);

/** n8n nodes that make items with `n` from 0. */
export const numbered = (count: number): WorkflowNode[] => [
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
 * @param options seconds: the first of a minute with a poll, and how long there is none after the last
 */
export const pollEvery = (seconds: number, { first = 0, pause = 0 } = {}) => ({
	item: Array.from({ length: (60 - pause) / seconds }, (_, n) => ({
		mode: 'custom',
		cronExpression: `${(first + n * seconds) % 60} * * * * *`,
	})),
});

/** A resource locator as n8n stores it. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** A workflow that starts by hand and runs these nodes in a row. */
export function flow(name: string, ...steps: WorkflowNode[]): Workflow {
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
export function exampleNamed(beginning: string): Workflow {
	const example = readExamples().find(({ name }) => name.startsWith(beginning));
	if (!example) throw new Error(`No example is named "${beginning}"`);
	return example;
}

/** A node of a workflow, if it has one of this name. */
export const findNode = ({ nodes }: Workflow, wanted: string): WorkflowNode | undefined =>
	nodes.find(({ name }) => name === wanted);

/** A node of a workflow. */
export function nodeOf(workflow: Workflow, wanted: string): WorkflowNode {
	const node = findNode(workflow, wanted);
	if (!node) throw new Error(`"${workflow.name}" has no node "${wanted}"`);
	return node;
}

/** Saves the workflow with the credential chosen in it. */
export const save = async ({ client, credential }: Place, workflow: Workflow) =>
	await client.createWorkflow(withCredential(workflow, credential));

/** Saves a flow, runs it, and waits for its end. */
export async function execute(place: Place, workflow: Workflow): Promise<Execution> {
	const { id } = await save(place, workflow);
	return await place.client.runWorkflow(id, START);
}

/** The execution, which has to have succeeded. */
export function succeeded(execution: Execution): Execution {
	assert.equal(execution.status, 'success', errorOf(execution)?.message);
	return execution;
}

/** Saves an example, and runs it by hand twice. @returns both executions, which have succeeded */
export async function runTwice(place: Place, example: Workflow): Promise<[Execution, Execution]> {
	const { id } = await save(place, example);
	const run = async () => succeeded(await place.client.runWorkflow(id, startNode(example)));
	return [await run(), await run()];
}

/** The items on one of a node's outputs, from its last run. */
export function itemsOf<Output = Json>(
	execution: Pick<Execution, 'data'>,
	node: string,
	output = 0,
): Array<Item<Output>> {
	const run = execution.data.resultData.runData[node]?.at(-1);
	if (!run) throw new Error(`"${node}" did not run: ${errorOf(execution)?.message ?? 'no error'}`);
	return (run.data?.main?.[output] ?? []) as Array<Item<Output>>;
}

export const jsonOf = <Output = Json,>(
	execution: Pick<Execution, 'data'>,
	node: string,
	output?: number,
): Output[] => itemsOf<Output>(execution, node, output).map(({ json }) => json);

/** The error that stopped an execution, if any. */
export const errorOf = (execution: Pick<Execution, 'data'>) => execution.data.resultData.error;

/** Asserts that a record has at least these fields with these values. */
export const includes = (actual: object | null, expected: object, message?: string): void =>
	assert.deepEqual({ ...actual, ...expected }, actual, message);

/** A page of a list: its records, under the name of their kind. */
type Page<Listed> = Record<string, Listed[]> & { pagination: { totalPages: number } };

/** All records of a list, read from the service directly. */
export async function recordsAt<Listed>({ sandbox }: Readable, path: string): Promise<Listed[]> {
	const records: Listed[] = [];
	for (let page = 1; ; page += 1) {
		const { pagination, ...data } = await sandbox.get<Page<Listed>>(
			`${path}${path.includes('?') ? '&' : '?'}limit=100&page=${page}`,
		);
		records.push(...Object.values(data).flat());
		if (page >= pagination.totalPages) return records;
	}
}
