/** The node as tools of n8n's MCP Server Trigger, called by the official client. */
import assert from 'node:assert/strict';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';

import type { Case } from '../../scripts/lib/cases.mts';

import { fromAi, joined, langchain, tool } from './agent.mts';
import { byId, includes, recordsAt, save, type Json } from './flow.mts';
import type { ShownLead, ShownMessage } from './records.mts';
import type { CaseWorld } from './world.mts';

const NAME = 'Leads';

const lead = byId(fromAi('Lead', 'ID of the lead'));
const TOOLS = {
	'Find leads': { operation: 'getAll', filters: { search: fromAi('Search') } },
	'Get lead': { operation: 'get', leadId: lead },
	'Save lead': {
		operation: 'upsert',
		externalId: fromAi('External_ID'),
		name: fromAi('Name'),
		email: fromAi('Email'),
		additionalFields: { status: fromAi('Status') },
	},
	'Move lead': { operation: 'updateStatus', leadId: lead, status: fromAi('New_Status') },
	'Tag lead': { operation: 'addTags', leadId: lead, tags: fromAi('Tags') },
	'Log message': {
		resource: 'message',
		operation: 'logForLead',
		leadId: lead,
		content: fromAi('Content'),
	},
};

/** What a model cannot see or do: the panel, and what n8n calls its parts. */
const OF_PANEL =
	/Options|Add Field|Additional|Specify|From List|By (ID|External)|drop-?down|expression|\bpanel\b|node|workflow|credential/i;

/** MCP Server Trigger with the tools, published at this path. Before version 2 it speaks SSE only. */
async function publish(world: CaseWorld, path: string): Promise<URL> {
	const nodes = [
		{ ...langchain(NAME, 'mcpTrigger', 2, { path }), webhookId: path },
		...Object.entries(TOOLS).map(([name, more]) => tool(name, { resource: 'lead', ...more })),
	].map((node, i) => ({ id: `${path}-${i}`, position: [220 * i, 0], ...node }));
	const tools = Object.keys(TOOLS).map((name) => [name, joined(NAME, 'ai_tool')]);
	const { id } = await save(world, { name: path, nodes, connections: Object.fromEntries(tools) });
	await world.client.publishWorkflow(id);
	return new URL(`/mcp/${path}`, world.n8n.url);
}

/** What a model reads: the text, and whether it says that nothing was done. */
interface ToolAnswer {
	text: string;
	isError: boolean;
}
type Use = (
	client: Client,
	call: (tool: string, given: Json) => Promise<ToolAnswer>,
) => Promise<void>;

/** A client that is connected for as long as `use` takes. */
async function withClient(transport: Transport, use: Use): Promise<void> {
	const client = new Client({ name: 'e2e', version: '1' });
	await client.connect(transport);
	const call = async (name: string, given: Json) => {
		const answer = await client.callTool({ name, arguments: given });
		const { content, isError = false } = CallToolResultSchema.parse(answer);
		const [part, ...more] = content;
		assert.ok(part.type === 'text' && more.length === 0);
		return { text: part.text, isError };
	};
	try {
		await use(client, call);
	} finally {
		await client.close();
	}
}

/** What is read of the records that a tool outputs. */
interface Listed {
	id: string;
	conversationId: string;
	found: number;
}

const recordsOf = ({ text, isError }: ToolAnswer): Listed[] => {
	assert.ok(!isError, text);
	return JSON.parse(text) as Listed[];
};

/** Published by the first case. */
let address: Promise<URL> | undefined;
const connect = async (world: CaseWorld, use: Use): Promise<void> => {
	address ??= publish(world, 'leads');
	await withClient(new StreamableHTTPClientTransport(await address), use);
};

export const cases: Array<Case<CaseWorld>> = [
	{
		name: 'a client lists six tools with what each does and takes, and writes a lead with them',
		async run(world: CaseWorld) {
			await connect(world, async (client, call) => {
				const { tools } = await client.listTools();
				const told = tools.map(({ name, inputSchema }) => [
					name,
					Object.keys(inputSchema.properties ?? {}).sort(),
				]);
				assert.deepEqual(Object.fromEntries(told), {
					Find_leads: ['Search'],
					Get_lead: ['Lead'],
					Save_lead: ['Email', 'External_ID', 'Name', 'Status'],
					Move_lead: ['Lead', 'New_Status'],
					Tag_lead: ['Lead', 'Tags'],
					Log_message: ['Content', 'Lead'],
				});
				for (const { name, description, inputSchema } of tools) {
					assert.match(description ?? '', /^[A-Z].*\. Use it /, name);
					assert.doesNotMatch(description ?? '', OF_PANEL);
					assert.deepEqual(
						[...(inputSchema.required ?? [])].sort(),
						Object.keys(inputSchema.properties ?? {}).sort(),
					);
				}
				const about = { External_ID: 'mcp-1', Name: 'Contact of MCP', Email: 'mcp@example.com' };
				const [made] = recordsOf(await call('Save_lead', { ...about, Status: '' }));
				const [found] = recordsOf(await call('Find_leads', { Search: 'mcp@example.com' }));
				assert.equal(found.id, made.id);
				const Lead = found.id;
				includes(recordsOf(await call('Get_lead', { Lead }))[0], { externalId: 'mcp-1' });
				recordsOf(await call('Move_lead', { Lead, New_Status: 'In progress' }));
				recordsOf(await call('Tag_lead', { Lead, Tags: 'spring, vip' }));
				const [logged] = recordsOf(await call('Log_message', { Lead, Content: 'Is it there?' }));
				const written = await world.sandbox.get<ShownLead>(`/leads/${Lead}`);
				includes(written, { status: 'in_progress', externalId: 'mcp-1' });
				assert.deepEqual([...written.tags].sort(), ['spring', 'vip']);
				const messages = await recordsAt<ShownMessage>(
					world,
					`/conversations/${logged.conversationId}/messages`,
				);
				assert.deepEqual(
					messages.map(({ content }) => content),
					['Is it there?'],
				);
			});
		},
	},
	{
		name: 'what a client does wrong is answered in a text that says how to go on, and nothing is written',
		async run(world: CaseWorld) {
			await connect(world, async (_, call) => {
				const { id: Lead } = await world.sandbox.control('createLead', { externalId: 'mcp-wrong' });
				await world.sandbox.control('clearRequests');
				const nobody = { External_ID: '', Name: 'A', Email: '', Status: '' };
				const mistakes: Array<[tool: string, given: Json, says: RegExp]> = [
					[
						'Move_lead',
						{ Lead, New_Status: 'flying' },
						/leads have: open, in_progress, closed_won/,
					],
					['Move_lead', { Lead, New_Status: '' }, /"New Status" is empty\. Give a value/],
					['Move_lead', { Lead }, /Required\n.* New_Status/],
					['Save_lead', { ...nobody, External_ID: 'x-1', Status: 'flying' }, /leads have: open/],
					['Save_lead', nobody, /"External ID" are empty, and the lead is found by one of them/],
					[
						'Save_lead',
						{ ...nobody, Email: 'nobody' },
						/"Email" must be one email .* name@example/,
					],
					['Get_lead', { Lead: 'no-such-lead' }, /not found\. "get many leads" finds its ID/],
					['Tag_lead', { Lead, Tags: '' }, /"Tags" is empty\. Give a value/],
					['Log_message', { Lead, Content: '' }, /"Content" is empty\. Give a value/],
					[
						'Log_message',
						{ Lead: 'no-such-lead', Content: 'a' },
						/not found\. "get many leads" finds/,
					],
				];
				for (const [name, given, says] of mistakes) {
					const { text, isError } = await call(name, given);
					assert.match(text, says);
					assert.ok(isError, text);
					// The name of its class is n8n's.
					assert.doesNotMatch(text.replace(/^NodeOperationError: /, ''), OF_PANEL);
				}
				const sent = await world.sandbox.control('requests');
				assert.deepEqual(
					sent.filter(({ method }) => method !== 'GET'),
					[],
				);
				const [none] = recordsOf(await call('Find_leads', { Search: 'nobody at all' }));
				assert.equal(none.found, 0);
			});
		},
	},
];
