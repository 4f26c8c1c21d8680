/** The node as a tool of n8n's AI agent, with a scripted model: its description, its calls and the answers it reads. */
import assert from 'node:assert/strict';

import { parse } from 'flatted';

import {
	needsModel,
	readExamples,
	withAccounts,
	withCredential,
} from '../../scripts/lib/examples.mts';
import { nodeType } from '../../scripts/lib/repository.mts';
import { includes, recordsAt, until } from './flow.mjs';
import { callTool, say, startModel } from './model.mjs';

/** n8n takes no approval from what may be the preview of a link. */
const BROWSER = {
	'user-agent':
		'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0',
};
const [example] = readExamples().filter(needsModel);

/** As n8n's editor writes a parameter that the model is to fill in. */
export const fromAi = (key, description = '') =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${description}\`, 'string') }}`;

export const langchain = (name, type, typeVersion, parameters) => ({
	name,
	type: `@n8n/n8n-nodes-langchain.${type}`,
	typeVersion,
	parameters,
});
export const tool = (name, parameters) => ({
	name,
	type: `${nodeType}Tool`,
	typeVersion: 1,
	parameters,
});
export const joined = (node, type) => ({ [type]: [[{ node, type, index: 0 }]] });

/** Start → agent with these tools. */
export function agentWith(...tools) {
	const nodes = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		langchain('Agent', 'agent', 3, { promptType: 'define', text: 'What of the lead?' }),
		langchain('Model', 'lmChatOpenAi', 1.3, {
			model: { __rl: true, mode: 'id', value: 'scripted' },
			responsesApiEnabled: false,
		}),
		...tools,
	];
	return {
		name: 'Agent',
		nodes: nodes.map((node, i) => ({ id: `node-${i}`, position: [220 * i, 0], ...node })),
		connections: {
			Start: joined('Agent', 'main'),
			Model: joined('Agent', 'ai_languageModel'),
			...Object.fromEntries(tools.map(({ name }) => [name, joined('Agent', 'ai_tool')])),
		},
	};
}

/** The model and n8n's credential for it are there from the first case on. */
let endpoint;
const endpointOf = async (world) => (endpoint ??= begin(world));

async function begin({ client, closing }) {
	const model = await startModel();
	closing.push(async () => await model.close());
	const credential = await client.createCredential('Scripted model', 'openAiApi', {
		apiKey: 'none',
		url: model.url,
		header: false,
	});
	return { model, credential };
}

const requestsTo = async (sandbox) =>
	(await sandbox.control('requests')).map(({ method, path }) => [method, path]);

/**
 * Says something in the chat of the example, while the model answers like this. Its execution does not end: it waits for
 * the next message.
 * @returns `until(node)`, which waits until this node has sent a message and returns it, and `requests()`
 */
async function chatWith(world, chatInput, answers) {
	const { model, credential } = await endpointOf(world);
	const { client, sandbox } = world;
	const workflow = withAccounts(withCredential(example, world.credential), {
		'@n8n/n8n-nodes-langchain.lmChatOpenAi': credential,
	});
	const { id } = await client.createWorkflow(workflow);
	model.script(...answers);
	await sandbox.control('clearRequests');
	const message = { sessionId: 'e2e', action: 'sendMessage', chatInput };
	const executionId = await client.startWorkflow(id, 'When chat message received', [message]);
	return {
		async until(node) {
			let execution;
			await until(async () => {
				execution = await client.request('GET', `/rest/executions/${executionId}`);
				if (execution.status === 'running') return false;
				execution.data = parse(execution.data);
				const { lastNodeExecuted, error } = execution.data.resultData;
				assert.equal(execution.status, 'waiting', error?.message);
				return lastNodeExecuted === node;
			});
			const { main, ai_tool: tool } = execution.data.resultData.runData[node].at(-1).data;
			return (main ?? tool)[0][0].sendMessage;
		},
		requests: async () => await requestsTo(sandbox),
	};
}

export const cases = [
	{
		name: `"${example.name}" finds a lead, reads it, moves it and notes that, and creates another`,
		async run(world) {
			const { leads } = await world.sandbox.get('/leads?search=example.com&limit=1');
			const [{ id, contact }] = leads;
			const answers = [
				callTool('Find_leads', { Search: contact.email }),
				({ messages }) => callTool('Get_lead', { Lead: JSON.parse(messages.at(-1).content)[0].id }),
				callTool('Move_lead', { Lead: id, New_Status: 'in_progress' }),
				callTool('Log_interaction', { Lead: id, Type: 'CALL', Title: 'Called', Text: '' }),
				callTool('Create_lead', { Email: 'new@example.com', Name: 'Example Contact', Phone: '' }),
				say('All done.'),
			];
			const chat = await chatWith(world, `Move the lead of ${contact.email}`, answers);
			assert.equal(await chat.until('Answer'), 'All done.');
			assert.deepEqual(await chat.requests(), [
				['GET', '/leads'],
				['GET', `/leads/${id}`],
				['PATCH', `/leads/${id}/status`],
				['POST', `/leads/${id}/interactions`],
				// Look First is on.
				['GET', '/leads/new%40example.com'],
				['POST', '/leads'],
			]);
			assert.equal((await world.sandbox.get(`/leads/${id}`)).status, 'in_progress');
			const [call] = await recordsAt(world, `/leads/${id}/interactions`);
			includes(call, { type: 'CALL', title: 'Called' });
			const created = await world.sandbox.get('/leads/new@example.com');
			assert.equal(created.contact.email, 'new@example.com');
		},
	},
	...[true, false].map((approved) => ({
		name: `"${example.name}" asks before it deletes, and ${approved ? 'deletes when the user approves' : 'keeps the lead when the user declines'}`,
		async run(world) {
			const externalId = `agent-deletes-${approved}`;
			await world.sandbox.control('createLead', { externalId });
			const deletion = { toolParameters: { External_ID: externalId }, hitlParameters: {} };
			const answers = [callTool('Delete_lead', deletion), say('That is all.')];
			const chat = await chatWith(world, `Delete ${externalId}`, answers);
			const question = await chat.until('Ask before deleting');
			assert.ok(question.text.startsWith(`Delete the lead with the external ID ${externalId}?`));
			assert.deepEqual(await chat.requests(), [], 'nothing is sent before the user decides');
			const { link } = question.buttons.find((each) => each.link.includes(`approved=${approved}`));
			assert.equal((await fetch(link, { headers: BROWSER })).status, 200);
			assert.equal(await chat.until('Answer'), 'That is all.');
			const sent = approved ? [['DELETE', `/sync/${externalId}`]] : [];
			assert.deepEqual(await chat.requests(), sent);
		},
	})),
];
