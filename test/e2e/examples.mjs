import assert from 'node:assert/strict';

import { readExamples, startNode, withCredential } from '../../scripts/lib/examples.mjs';
import { errorOf, includes, jsonOf, recordsAt } from './flow.mjs';

const examples = readExamples();
const whatsApp = examples.find(({ name }) => name.startsWith('WhatsApp'));

const saved = async ({ client, credential }, example) =>
	(await client.createWorkflow(withCredential(example, credential))).id;

/** Runs a workflow by hand, twice. */
async function runTwice(world, example) {
	const id = await saved(world, example);
	const executions = [];
	for (const time of ['first', 'second']) {
		const execution = await world.client.runWorkflow(id, startNode(example));
		assert.equal(execution.status, 'success', `${time} run: ${errorOf(execution)?.message}`);
		executions.push(execution);
	}
	return executions;
}

/** The example listens from the first case that needs it on. */
let webhook;
const listening = async (world) => (webhook ??= publish(world));

async function publish(world) {
	await world.client.publishWorkflow(await saved(world, whatsApp));
	const { path } = whatsApp.nodes.find(({ type }) => type.endsWith('.webhook')).parameters;
	return `${world.n8n.url}/webhook/${path}`;
}

/** Has the published example receive a message; gives what it answers when it is done. */
async function receive(world, message) {
	const response = await fetch(await listening(world), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(message),
	});
	const text = await response.text();
	assert.equal(response.status, 200, text);
	return JSON.parse(text);
}

const leadsThereAre = async ({ sandbox }) => (await sandbox.control('state')).counts.leads;

export const cases = [
	...examples.map((example) => ({
		name: `"${example.name}" runs, twice the same way`,
		run: async (world) => void (await runTwice(world, example)),
	})),
	{
		name: `"${whatsApp.name}" run again finds the same contact and lead, and adds an interaction`,
		async run(world) {
			const executions = await runTwice(world, whatsApp);
			const ids = (step) => executions.map((execution) => jsonOf(execution, step)[0].id);
			for (const step of ['Find or create the contact', 'Link or create the lead']) {
				assert.equal(new Set(ids(step)).size, 1, step);
			}
			assert.equal(new Set(ids('Log the message')).size, 2);
		},
	},
	{
		name: `"${whatsApp.name}" links a message that holds a code to the lead of that code`,
		async run(world) {
			const protocol = 'ML-E2E1-0001';
			const { id } = await world.sandbox.control('createLead', { protocol });
			const before = await leadsThereAre(world);
			const from = '5511900020001@s.whatsapp.net';
			const text = `Good morning, I come from ${protocol}.`;
			await receive(world, { id: 'message-1', from, name: 'Example Contact', text });
			assert.equal(await leadsThereAre(world), before);
			const { source, contact } = await world.sandbox.get(`/leads/${id}`);
			assert.deepEqual([source, contact.name], ['whatsapp', 'Example Contact']);
			includes(await world.sandbox.get(`/contacts/${contact.id}`), { phone: '+5511900020001' });
			const interactions = await recordsAt(world, `/leads/${id}/interactions`);
			assert.equal(interactions.length, 1);
			includes(interactions[0], {
				type: 'NOTE',
				description: text,
				metadata: { messageId: 'message-1', sender: from },
			});
		},
	},
	{
		name: `"${whatsApp.name}" makes one lead of a sender's messages without a code`,
		async run(world) {
			const before = await leadsThereAre(world);
			const from = '5511900020002@s.whatsapp.net';
			const messages = ['Hello', 'Is anybody there?'].map((text, n) => ({
				id: `message-${n}`,
				from,
				name: 'Example Contact',
				text,
			}));
			for (const message of messages) await receive(world, message);
			assert.equal(await leadsThereAre(world), before + 1);
			const { id, source } = await world.sandbox.get(`/leads/whatsapp-${encodeURIComponent(from)}`);
			assert.equal(source, 'whatsapp');
			const interactions = await recordsAt(world, `/leads/${id}/interactions`);
			assert.deepEqual(
				interactions.map(({ metadata, description }) => [metadata.messageId, description]).sort(),
				messages.map((message) => [message.id, message.text]),
			);
		},
	},
	{
		name: 'they hold no credential',
		async run() {
			const nodes = examples.flatMap((example) => example.nodes);
			assert.deepEqual(
				nodes.filter((node) => 'credentials' in node),
				[],
			);
		},
	},
];
