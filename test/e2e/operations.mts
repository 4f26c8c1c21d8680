/** Every operation in a real n8n, in one workflow. What each outputs is tested in the engine, with the same table. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { fromRoot } from '../../scripts/lib/repository.mts';
import type { Execution } from '../../scripts/lib/workflow.mts';
import {
	byId,
	errorOf,
	execute,
	flow,
	jsonOf,
	leads,
	nodesOf,
	numbered,
	save,
	START,
	succeeded,
	until,
	type Json,
} from './flow.mts';
import type { ShownTag } from './records.mts';
import type { CaseWorld } from './world.mts';

const FILE = fromRoot('test', 'helpers', 'operations.json');
/** By resource and operation: the parameters, and the output. */
const CASES = Object.entries(
	JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, [Json, unknown]>,
);
const SOLD = { status: 'sold', saleDate: '2026-03-08T12:00:00.000Z', estimatedValue: 7 };

/** Something to work on: IDs by their names. */
async function prepare({ sandbox }: CaseWorld): Promise<Record<string, string>> {
	const known = { externalId: 'known', tags: ['old'] };
	const { id: leadId } = await sandbox.control('createLead', known);
	const make = async (path: string, body: object) =>
		(await sandbox.post<{ id: string }>(path, body)).id;
	const contactId = await make('/contacts', { name: 'Contact A', email: 'a@example.com' });
	// Two leads of one person, and one that others do not need.
	await sandbox.control('createLead', { ...SOLD, externalId: 'sold', contactId });
	const { id: mergedId } = await sandbox.control('createLead', { contactId });
	const { id: deletedId } = await sandbox.control('createLead', { externalId: 'deleted' });
	const conversationId = await make(`/leads/${leadId}/conversations`, {});
	const messageId = await make(`/conversations/${conversationId}/messages`, { content: 'first' });
	await make(`/leads/${leadId}/interactions`, { type: 'NOTE', title: 'first' });
	const { tags } = await sandbox.get<{ tags: ShownTag[] }>('/tags?limit=100');
	const tag = tags.find(({ name }) => name === 'old');
	assert.ok(tag);
	return { leadId, mergedId, deletedId, contactId, conversationId, messageId, tagId: tag.id };
}

/** A case with its IDs: `#leadId` is one, `@leadId` one in a resource locator. */
const filled = (given: Json, ids: Record<string, string>) =>
	JSON.parse(JSON.stringify(given), (_, value: unknown) => {
		const [, sign, name] = /^([@#])(\w+Id)$/.exec(String(value)) ?? [];
		return name ? (sign === '@' ? byId(ids[name]) : ids[name]) : value;
	}) as Json;

const ROWS = 40;

/** A workflow that adds a note to a lead for each of some rows, slowly. */
async function slowNotes(world: CaseWorld, settings: Json = {}): Promise<string> {
	const { id: leadId } = await world.sandbox.control('createLead', {});
	const parameters = { leadId: byId(leadId), type: 'NOTE', title: '={{ $json.n }}' };
	const workflow = flow(
		'Notes',
		...numbered(ROWS),
		nodesOf('interaction')('Note', 'create', parameters),
	);
	await world.sandbox.control('latency', { ms: 1000 });
	await world.sandbox.control('clearRequests');
	const { id } = await save(world, {
		...workflow,
		settings: { executionOrder: 'v1', ...settings },
	});
	return id;
}

const titlesOf = async ({ sandbox }: CaseWorld) =>
	(await sandbox.control('requests'))
		.filter(({ method }) => method === 'POST')
		.map(({ body }) => Number((body as { title: string }).title));

const hintsOf = ({ data }: Execution) =>
	(data.resultData.runData.Note?.at(-1)?.hints ?? []).map(({ message }) => message).join(' ');

export const cases = [
	{
		name: 'after a stop by hand, the next run says how far the execution came',
		async run(world: CaseWorld) {
			const { client, sandbox } = world;
			const id = await slowNotes(world);
			const stopped = await client.startWorkflow(id, START);
			await until(async () => (await titlesOf(world)).length > 3);
			await client.request('POST', `/rest/executions/${stopped}/stop`);
			await sandbox.control('latency', { ms: 0 });
			const next = succeeded(await client.runWorkflow(id, START));
			assert.match(
				hintsOf(next),
				RegExp(`Execution ${stopped} was stopped when \\d+ of ${ROWS} items`),
			);
			assert.doesNotMatch(hintsOf(succeeded(await client.runWorkflow(id, START))), /was stopped/);
		},
	},
	{
		name: 'after a timeout, Retry adds each note once, also the one that was being sent',
		async run(world: CaseWorld) {
			const { client, sandbox } = world;
			// Retry has the same limit.
			const id = await slowNotes(world, { executionTimeout: 8 });
			const { id: timedOut, status } = await client.runWorkflow(id, START);
			assert.equal(status, 'canceled');
			await sandbox.control('latency', { ms: 0 });
			await client.retryExecution(timedOut);
			const retried = await client.nextExecution(id, timedOut);
			assert.match(hintsOf(retried), /\d+ of 40 items were done by an earlier try/);
			const titles = (await titlesOf(world)).sort((a, b) => a - b);
			assert.deepEqual(titles, [...Array(ROWS).keys()]);
		},
	},
	{
		name: 'every operation has an output, no write is sent twice, and the API key is not stored',
		async run(world: CaseWorld) {
			const ids = await prepare(world);
			const nodes = CASES.map(([name, [parameters]]) => {
				const [resource, operation] = name.split('.');
				const given = { resource, ...filled(parameters, ids) };
				return leads(name, operation, given, { executeOnce: true });
			});
			await world.sandbox.control('clearRequests');
			const execution = await execute(world, flow('Operations', ...nodes));
			assert.equal(errorOf(execution)?.message, undefined);
			const silent = CASES.filter(([name]) => jsonOf(execution, name).length === 0);
			assert.deepEqual(silent, []);
			const writes = (await world.sandbox.control('requests'))
				.filter(({ method }) => method !== 'GET')
				.map(({ method, path, body }) => JSON.stringify([method, path, body]));
			assert.ok(writes.length > 10);
			assert.deepEqual(writes, [...new Set(writes)]);
			assert.ok(!JSON.stringify(execution).includes(world.keys.full));
		},
	},
];
