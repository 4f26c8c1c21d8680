import assert from 'node:assert/strict';

import {
	needsAccount,
	needsModel,
	readExamples,
	startNode,
	withCredential,
} from '../../scripts/lib/examples.mjs';
import { nodeType } from '../../scripts/lib/repository.mjs';
import { errorOf, includes, itemsOf, jsonOf, recordsAt } from './flow.mjs';

const DAY_MS = 24 * 60 * 60 * 1000;

const examples = readExamples();
/** Examples that need a model run in agent.mjs, those that need other services in team.mjs and conversions.mjs. */
const runnable = examples.filter((example) => !needsModel(example) && !needsAccount(example));
const named = (beginning) => examples.find(({ name }) => name.startsWith(beginning));
const whatsApp = named('WhatsApp');
const nightly = named('Nightly conversions → Google');
const spreadsheet = named('Spreadsheet');

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

/** The first case that needs the example publishes it. */
let webhook;
const listening = async (world) => (webhook ??= publish(world));

async function publish(world) {
	await world.client.publishWorkflow(await saved(world, whatsApp));
	const { path } = whatsApp.nodes.find(({ type }) => type.endsWith('.webhook')).parameters;
	return `${world.n8n.url}/webhook/${path}`;
}

/** Sends a message to the published example and returns its answer. */
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

/** The texts of each conversation of a lead, sorted. */
async function messagesOf(world, leadId) {
	const conversations = await recordsAt(world, `/leads/${leadId}/conversations`);
	return await Promise.all(
		conversations.map(async ({ id }) => {
			const messages = await recordsAt(world, `/conversations/${id}/messages`);
			return messages.map(({ content }) => content).sort();
		}),
	);
}

export const cases = [
	...runnable.map((example) => ({
		name: `"${example.name}" runs, twice the same way`,
		run: async (world) => void (await runTwice(world, example)),
	})),
	{
		name: `"${whatsApp.name}" run again finds the same contact, lead and conversation, and adds a message`,
		async run(world) {
			const executions = await runTwice(world, whatsApp);
			const distinct = (step, field = 'id') =>
				new Set(executions.map((execution) => jsonOf(execution, step)[0][field])).size;
			assert.equal(distinct('Find or create the contact'), 1);
			assert.equal(distinct('Link or create the lead'), 1);
			assert.equal(distinct('Log the message', 'conversationId'), 1);
			assert.equal(distinct('Log the message'), 2);
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
			assert.deepEqual(await messagesOf(world, id), [[text]]);
		},
	},
	{
		name: `"${whatsApp.name}" makes one lead and one conversation of a sender's messages without a code`,
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
			assert.deepEqual(await messagesOf(world, id), [messages.map(({ text }) => text)]);
		},
	},
	{
		name: `"${nightly.name}" puts the sales of the days before today in one file`,
		async run(world) {
			const contacts = await recordsAt(world, '/contacts');
			const { id: contactId } = contacts.find(({ email }) => email);
			const saleDate = new Date(Date.now() - 2 * DAY_MS).toISOString();
			const sale = { status: 'closed_won', estimatedValue: 1500, saleDate, contactId };
			const { id } = await world.sandbox.control('createLead', sale);
			const execution = (await runTwice(world, nightly))[1];
			const rows = jsonOf(execution, 'Get the sales of 30 days');
			assert.equal(rows.filter((row) => row['Order ID'] === id).length, 1);
			assert.ok(rows.length > 2, 'the sandbox has sales of these days from the start');
			const [{ summary, exported }] = jsonOf(execution, 'Report of the night');
			assert.equal(exported, rows.length - 1);
			assert.match(summary, /^\d+ of \d+ won leads were sold from /);
			const [{ binary }, ...more] = itemsOf(execution, 'Make a CSV file');
			assert.deepEqual(more, []);
			assert.match(binary.data.fileName, /^conversions-\d{4}-\d\d-\d\d\.csv$/);
		},
	},
	{
		name: `"${nightly.name}" reports a night without a sale, and makes no file`,
		async run(world) {
			const none = structuredClone(nightly);
			const { parameters } = none.nodes.find(({ type }) => type === nodeType);
			parameters.status = 'a status that no lead has';
			const [execution] = await runTwice(world, none);
			const [{ summary }] = jsonOf(execution, 'Report of the night');
			assert.match(summary, /^No lead has the chosen status/);
			assert.equal(execution.data.resultData.runData['Make a CSV file'], undefined);
		},
	},
	{
		name: `"${spreadsheet.name}" sends the rows that can be sent, and says why one cannot`,
		async run(world) {
			const [first, second] = await runTwice(world, spreadsheet);
			const sent = (execution) => jsonOf(execution, 'Synchronised').map(({ id }) => id);
			assert.equal(sent(first).length, 2);
			assert.deepEqual(sent(second), sent(first), 'the second run updates the same leads');
			const [{ row, reason }, ...more] = jsonOf(second, 'Rows to correct');
			assert.deepEqual([row, more], ['example-row-3', []]);
			assert.match(reason, /"Sale date" must be a date: "last Friday"/);
			const lead = await world.sandbox.get('/leads/example-row-2');
			includes(lead, { status: 'closed_won', estimatedValue: 1500.5 });
			assert.deepEqual(lead.tags.toSorted(), ['newsletter', 'spring campaign']);
		},
	},
];
