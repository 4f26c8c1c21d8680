import { triggerType } from '../../scripts/lib/repository.mts';
import type { Workflow, WorkflowNode } from '../../scripts/lib/workflow.mts';
import { leads, flow, byId, pollEvery, type Json } from '../../test/e2e/flow.mts';
import type { InputRows, Way } from './measure.mts';
import type { BenchWorld } from './world.mts';

/** Makes a workflow for n8n. */
type MakeWorkflow = Extract<Way, (...args: never[]) => Workflow>;

/** hook.cjs measures the nodes whose names begin so. */
const MEASURED = 'Measured';
const LISTED = 100;
const PATH = '/api/v1/integration/leads';
const AT_ONCE = 8;

/** Workflows whose executions are not kept: storing them is no part of what is compared. */
const unsaved = (name: string, ...steps: WorkflowNode[]) => unsavedFlow(flow(name, ...steps));

const unsavedFlow = (workflow: Workflow): Workflow => ({
	...workflow,
	settings: {
		executionOrder: 'v1',
		saveManualExecutions: false,
		saveDataSuccessExecution: 'none',
		saveDataErrorExecution: 'none',
	},
});

/** The items that a run starts with. */
const inputNode = (rows: InputRows): WorkflowNode => ({
	name: 'Rows',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: { jsCode: `return ${JSON.stringify(rows)}.map((json) => ({ json }));` },
});

const code = (jsCode: string): WorkflowNode => ({
	name: MEASURED,
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: { jsCode },
});

const httpRequest = (
	{ headerCredential: { id, name } }: BenchWorld,
	parameters: Json,
	more: Partial<WorkflowNode> = {},
): WorkflowNode => ({
	name: MEASURED,
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		...parameters,
	},
	credentials: { httpHeaderAuth: { id, name } },
	...more,
});

/** What the Code node's requests have in common. */
const codeRequest = ({ keys }: BenchWorld): string =>
	`{ json: true, headers: { Authorization: ${JSON.stringify(`Bearer ${keys.full}`)} } }`;

/** Create or Update for each row. */
export const upsertOurs: MakeWorkflow = (_world, rows) =>
	unsaved(
		'Create or Update, ours',
		inputNode(rows),
		leads(MEASURED, 'upsert', {
			externalId: '={{ $json.externalId }}',
			name: '={{ $json.name }}',
			email: '={{ $json.email }}',
			phone: '={{ $json.phone }}',
			additionalFields: { estimatedValue: '={{ $json.value }}' },
		}),
	);

/** @param more settings of the node, such as retryOnFail */
export const upsertByHttpRequest =
	(more: Partial<WorkflowNode>): MakeWorkflow =>
	(world, rows) =>
		unsaved(
			'Create or Update, HTTP Request',
			inputNode(rows),
			httpRequest(
				world,
				{
					method: 'POST',
					url: `${world.sandbox.url}${PATH}`,
					sendBody: true,
					specifyBody: 'json',
					jsonBody:
						'={{ JSON.stringify({ externalId: $json.externalId, contact: { name: $json.name, email: $json.email, phone: $json.phone }, estimatedValue: $json.value }) }}',
					options: {},
				},
				more,
			),
		);

export const returnAllOurs =
	(name: string): MakeWorkflow =>
	() =>
		unsaved(name, leads(MEASURED, 'getAll', { returnAll: true }));

export const pagesByHttpRequest: MakeWorkflow = (world) =>
	unsaved(
		'All leads, HTTP Request',
		httpRequest(world, {
			url: `${world.sandbox.url}${PATH}`,
			sendQuery: true,
			queryParameters: { parameters: [{ name: 'limit', value: String(LISTED) }] },
			options: {
				pagination: {
					pagination: {
						parameters: {
							parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }],
						},
						paginationCompleteWhen: 'other',
						completeExpression:
							'={{ $response.body.data.pagination.page >= $response.body.data.pagination.totalPages }}',
					},
				},
			},
		}),
		{
			name: `${MEASURED}, split out`,
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'data.leads', options: {} },
		},
	);

export const pagesByCode: MakeWorkflow = (world) =>
	unsaved(
		'All leads, Code',
		code(`
const options = ${codeRequest(world)};
const items = [];
for (let page = 1, pages = 1; page <= pages; page += 1) {
	const url = \`${world.sandbox.url}${PATH}?limit=${LISTED}&page=\${page}\`;
	const { data } = await this.helpers.httpRequest({ ...options, url });
	items.push(...data.leads.map((json) => ({ json })));
	pages = data.pagination.totalPages;
}
return items;`),
	);

export const getOurs: MakeWorkflow = (_world, rows) =>
	unsaved(
		'Get, ours',
		inputNode(rows),
		leads(MEASURED, 'get', { leadId: byId('={{ $json.id }}') }),
	);

export const getByCode: MakeWorkflow = (world, rows) =>
	unsaved(
		'Get, Code',
		inputNode(rows),
		code(`
const options = ${codeRequest(world)};
const items = $input.all();
const results = [];
let next = 0;
const reader = async () => {
	while (next < items.length) {
		const index = next++;
		const url = \`${world.sandbox.url}${PATH}/\${items[index].json.id}\`;
		const { data } = await this.helpers.httpRequest({ ...options, url });
		results[index] = { json: data, pairedItem: index };
	}
};
await Promise.all(Array.from({ length: ${AT_ONCE} }, reader));
return results;`),
	);

/** A workflow whose trigger n8n starts by the clock: one that starts by hand, without the node for that. */
const scheduled = (name: string, trigger: WorkflowNode, ...steps: WorkflowNode[]): Workflow => {
	const { nodes, connections } = flow(name, trigger, ...steps);
	const { Start: _, ...others } = connections;
	return unsavedFlow({ name, nodes: nodes.slice(1), connections: others });
};

export const watchOurs = (everySeconds: number) => (): Workflow =>
	scheduled('Watching, ours', {
		name: 'Watched leads',
		type: triggerType,
		typeVersion: 1,
		parameters: {
			triggerOn: ['lead.created', 'lead.statusChanged'],
			pollTimes: pollEvery(everySeconds),
		},
	});

/** Reads all leads and compares their statuses with those of the run before. */
export const watchByCode =
	(everySeconds: number) =>
	(world: BenchWorld): Workflow =>
		scheduled(
			'Watching, Code',
			{
				name: 'Schedule',
				type: 'n8n-nodes-base.scheduleTrigger',
				typeVersion: 1.2,
				parameters: {
					rule: {
						interval: [{ field: 'cronExpression', expression: `*/${everySeconds} * * * * *` }],
					},
				},
			},
			code(`
const state = $getWorkflowStaticData('global');
const { statuses: before } = state;
const statuses = {};
const changed = [];
const options = ${codeRequest(world)};
for (let page = 1, pages = 1; page <= pages; page += 1) {
	const url = \`${world.sandbox.url}${PATH}?limit=${LISTED}&page=\${page}\`;
	const { data } = await this.helpers.httpRequest({ ...options, url });
	for (const lead of data.leads) {
		if (before && before[lead.id] !== lead.status) changed.push({ json: lead });
		statuses[lead.id] = lead.status;
	}
	pages = data.pagination.totalPages;
}
state.statuses = statuses;
return changed;`),
		);
