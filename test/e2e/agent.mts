/** The node as a tool of n8n's AI agent, with a scripted model: its description, its calls and the answers it reads. */
import assert from 'node:assert/strict';

import type { Case } from '../../scripts/lib/cases.mts';
import {
	needsModel,
	readExamples,
	withAccounts,
	withCredential,
} from '../../scripts/lib/examples.mts';
import { nodeType } from '../../scripts/lib/repository.mts';
import type { Sandbox } from '../../scripts/lib/sandbox.mts';
import type {
	ChatMessage,
	Connections,
	Credential,
	Execution,
	Workflow,
	WorkflowNode,
} from '../../scripts/lib/workflow.mts';
import { includes, recordsAt, until, type Json } from './flow.mts';
import { callTool, say, startModel, type Scripted, type ScriptedModel } from './model.mts';
import type { ListedLead, ShownInteraction, ShownLead } from './records.mts';
import type { CaseWorld } from './world.mts';

/** n8n takes no approval from what may be the preview of a link. */
const BROWSER = {
	'user-agent':
		'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0',
};
const [example] = readExamples().filter(needsModel);

/** As n8n's editor writes a parameter that the model is to fill in. */
export const fromAi = (key: string, description = ''): string =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${description}\`, 'string') }}`;

export const langchain = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: Json,
): WorkflowNode => ({
	name,
	type: `@n8n/n8n-nodes-langchain.${type}`,
	typeVersion,
	parameters,
});
export const tool = (name: string, parameters: Json): WorkflowNode => ({
	name,
	type: `${nodeType}Tool`,
	typeVersion: 1,
	parameters,
});
export const joined = (node: string, type: string): Connections[string] => ({
	[type]: [[{ node, type, index: 0 }]],
});

/** Start → agent with these tools. */
export function agentWith(...tools: WorkflowNode[]): Workflow {
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
let endpoint: Promise<Endpoint> | undefined;
const endpointOf = async (world: CaseWorld) => await (endpoint ??= begin(world));

interface Endpoint {
	model: ScriptedModel;
	credential: Credential;
}

async function begin({ client, closing }: CaseWorld): Promise<Endpoint> {
	const model = await startModel();
	closing.push(async () => model.close());
	const credential = await client.createCredential('Scripted model', 'openAiApi', {
		apiKey: 'none',
		url: model.url,
		header: false,
	});
	return { model, credential };
}

const requestsTo = async (sandbox: Sandbox) =>
	(await sandbox.control('requests')).map(({ method, path }) => [method, path]);

/**
 * Says something in the chat of the example, while the model answers like this. Its execution does not end: it waits for
 * the next message.
 * @returns `until(node)`, which waits until this node has sent a message and returns it, and `requests()`
 */
async function chatWith(world: CaseWorld, chatInput: string, answers: Scripted[]) {
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
		async until(node: string): Promise<ChatMessage | undefined> {
			let runData: Execution['data']['resultData']['runData'] = {};
			await until(async () => {
				const execution = await client.execution(executionId);
				if (!execution) return false;
				const { lastNodeExecuted, error } = execution.data.resultData;
				assert.equal(execution.status, 'waiting', error?.message);
				({ runData } = execution.data.resultData);
				return lastNodeExecuted === node;
			});
			const { main, ai_tool: tool } = runData[node]?.at(-1)?.data ?? {};
			return (main ?? tool)?.[0]?.[0].sendMessage;
		},
		requests: async () => await requestsTo(sandbox),
	};
}

/** The ID of the first of the records that a tool has answered with. */
const firstId = (answer = '[]') => (JSON.parse(answer) as Array<{ id: string }>)[0].id;

export const cases: Array<Case<CaseWorld>> = [
	{
		name: `"${example.name}" finds a lead, reads it, moves it and notes that, and creates another`,
		async run(world: CaseWorld) {
			const { leads } = await world.sandbox.get<{ leads: ListedLead[] }>(
				'/leads?search=example.com&limit=1',
			);
			const [{ id, contact }] = leads;
			const email = contact?.email ?? '';
			const answers: Scripted[] = [
				callTool('Find_leads', { Search: email }),
				({ messages }) => callTool('Get_lead', { Lead: firstId(messages.at(-1)?.content) }),
				callTool('Move_lead', { Lead: id, New_Status: 'in_progress', Name_or_Email: email }),
				callTool('Log_interaction', { Lead: id, Type: 'CALL', Title: 'Called', Text: '' }),
				callTool('Create_lead', { Email: 'new@example.com', Name: 'Example Contact', Phone: '' }),
				say('All done.'),
			];
			const chat = await chatWith(world, `Move the lead of ${email}`, answers);
			assert.equal(await chat.until('Answer'), 'All done.');
			assert.deepEqual(await chat.requests(), [
				['GET', '/leads'],
				['GET', `/leads/${id}`],
				// Whose lead it is.
				['GET', `/leads/${id}`],
				['PATCH', `/leads/${id}/status`],
				['POST', `/leads/${id}/interactions`],
				// Look First is on, and an ID that a model gives must not make a second lead of a person who has one.
				['GET', '/leads/new%40example.com'],
				['GET', '/leads'],
				['POST', '/leads'],
			]);
			assert.equal((await world.sandbox.get<ShownLead>(`/leads/${id}`)).status, 'in_progress');
			const [call] = await recordsAt<ShownInteraction>(world, `/leads/${id}/interactions`);
			includes(call, { type: 'CALL', title: 'Called' });
			const created = await world.sandbox.get<ShownLead>('/leads/new@example.com');
			assert.equal(created.contact?.email, 'new@example.com');
		},
	},
	...[true, false].map((approved) => ({
		name: `"${example.name}" asks before it deletes, and ${approved ? 'deletes when the user approves' : 'keeps the lead when the user declines'}`,
		async run(world: CaseWorld) {
			const externalId = `agent-deletes-${approved}`;
			await world.sandbox.control('createLead', { externalId });
			const deletion = { toolParameters: { External_ID: externalId }, hitlParameters: {} };
			const answers = [callTool('Delete_lead', deletion), say('That is all.')];
			const chat = await chatWith(world, `Delete ${externalId}`, answers);
			const question = await chat.until('Ask before deleting');
			assert.ok(typeof question === 'object');
			assert.ok(question.text.startsWith(`Delete the lead with the external ID ${externalId}?`));
			assert.deepEqual(await chat.requests(), [], 'nothing is sent before the user decides');
			const link = question.buttons
				.map((button) => button.link)
				.find((each) => each.includes(`approved=${approved}`));
			assert.ok(link);
			assert.equal((await fetch(link, { headers: BROWSER })).status, 200);
			assert.equal(await chat.until('Answer'), 'That is all.');
			const deletions = (await chat.requests()).filter(([method]) => method === 'DELETE');
			assert.deepEqual(deletions, approved ? [['DELETE', `/sync/${externalId}`]] : []);
		},
	})),
];
