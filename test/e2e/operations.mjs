/** Every operation in a real n8n: one workflow for each resource, and checks for all of them. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

import { fromRoot, nodeType } from '../../scripts/lib/repository.mjs';
import { errorOf, execute, flow, includes, jsonOf, recordsAt } from './flow.mjs';
import * as apiRequest from './operations/apiRequest.mjs';
import * as contact from './operations/contact.mjs';
import * as conversation from './operations/conversation.mjs';
import * as interaction from './operations/interaction.mjs';
import * as lead from './operations/lead.mjs';
import * as message from './operations/message.mjs';
import * as sync from './operations/sync.mjs';
import * as tag from './operations/tag.mjs';

/**
 * @typedef {object} Step
 * @property {object} node of a workflow; runs for the first item only by default
 * @property {string[]} [sends] the writes that the service must see, by their routes
 * @property {object} [gives] fields of every item
 * @property {number} [count] of items, one by default
 * @property {(record: object) => string} [held] the path that returns the item from the service
 * @property {string} [among] the path of a list that contains the items
 * @property {string} [listed] the path of the list that equals the items
 */

/** Each exports `steps(given)`, and optionally `prepare(world)`, which returns `given`, and more `cases`. */
const WORKFLOWS = { lead, contact, tag, interaction, conversation, message, sync, apiRequest };

/** The first case that needs a workflow runs it, once. */
const runs = new Map();

async function runOf(world, resource) {
	if (!runs.has(resource)) runs.set(resource, await runWorkflow(world, WORKFLOWS[resource]));
	return runs.get(resource);
}

async function runWorkflow(world, { prepare = () => ({}), steps: stepsWith }) {
	const given = await prepare(world);
	const steps = stepsWith(given);
	const nodes = steps.map(({ node }) => ({ executeOnce: true, ...node }));
	await world.sandbox.control('clearRequests', {});
	const execution = await execute(world, flow('Operations', ...nodes));
	const requests = await world.sandbox.control('requests');
	return { execution, given, requests, steps };
}

/** Compares the output of a step with what is expected and with what the service has. */
async function verify(world, execution, step) {
	const { node, gives, count = 1, held, among, listed } = step;
	const where = `step "${node.name}"`;
	const records = jsonOf(execution, node.name);
	const all = among || listed ? await recordsAt(world, among ?? listed) : [];
	if (listed) assert.deepEqual(records.toSorted(byId), all.toSorted(byId), where);
	else assert.equal(records.length, count, where);
	for (const record of records) {
		if (gives) includes(record, gives, where);
		if (held) includes(record, await world.sandbox.get(held(record)), where);
		if (among) includes(record, all.find(({ id }) => id === record.id) ?? {}, where);
	}
}

const byId = (a, b) => (a.id < b.id ? -1 : 1);

const casesOf = (resource, { cases = [] }) => [
	{
		name: `${resource}: the workflow succeeds`,
		async run(world) {
			const { execution } = await runOf(world, resource);
			assert.equal(execution.status, 'success', errorOf(execution)?.message);
		},
	},
	{
		name: `${resource}: every step outputs what the service has`,
		async run(world) {
			const { execution, steps } = await runOf(world, resource);
			for (const step of steps) await verify(world, execution, step);
		},
	},
	...cases.map(({ name, run }) => ({
		name: `${resource}: ${name}`,
		run: async (world) => await run(await runOf(world, resource), world),
	})),
	{
		name: `${resource}: every write is sent exactly once`,
		async run(world) {
			const { requests, steps } = await runOf(world, resource);
			const writes = requests.filter(({ method }) => method !== 'GET').map(({ route }) => route);
			assert.deepEqual(
				writes,
				steps.flatMap(({ sends = [] }) => sends),
			);
		},
	},
	{
		name: `${resource}: what n8n stores never contains the API key`,
		async run(world) {
			const { execution } = await runOf(world, resource);
			assert.ok(!JSON.stringify(execution).includes(world.keys.full));
		},
	},
];

/** `resource.operation` of everything the built node declares. */
function declared() {
	const path = fromRoot('dist', 'nodes', 'IntegrationLeads', 'resources', 'index.js');
	const { resources } = createRequire(import.meta.url)(path);
	return Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.keys(operations).map((operation) => `${resource}.${operation}`),
	);
}

export const cases = [
	...Object.entries(WORKFLOWS).flatMap(([resource, workflow]) => casesOf(resource, workflow)),
	{
		name: 'every operation was run',
		async run(world) {
			const ran = new Set();
			for (const resource of Object.keys(WORKFLOWS)) {
				const { execution, steps } = await runOf(world, resource);
				const { runData } = execution.data.resultData;
				for (const { node } of steps) {
					const { resource, operation } = node.parameters;
					if (node.type === nodeType && runData[node.name]) ran.add(`${resource}.${operation}`);
				}
			}
			assert.deepEqual([...ran].sort(), declared().sort());
		},
	},
];
