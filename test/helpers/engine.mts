/**
 * The built node in n8n's real engine: `WorkflowExecute` with real request helpers, and stubs for what the rest of n8n
 * would bring (credentials, hooks). Run `npm run build` first.
 */
import {
	ExecutionLifecycleHooks,
	LoadOptionsContext,
	PollContext,
	WorkflowExecute,
} from 'n8n-core';
import type {
	IBinaryData,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	INodeTypes,
	IRun,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	NodeExecutionHint,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { NodeHelpers, Workflow } from 'n8n-workflow';

import { IntegrationLeadsApi } from '#built/credentials/IntegrationLeadsApi.credentials';
import { IntegrationLeads } from '#built/nodes/IntegrationLeads/IntegrationLeads.node';
import { IntegrationLeadsTrigger } from '#built/nodes/IntegrationLeads/IntegrationLeadsTrigger.node';
import * as clocks from '#built/nodes/IntegrationLeads/transport/clock';
import { agent, plainType, type Conversation } from './agent.mts';
import { labelsNamedIn, panelLabels } from './panelLabels.mts';

const NODE_TYPE = 'n8n-nodes-integration-leads.integrationLeads';
const CREDENTIAL: ICredentialType = new IntegrationLeadsApi();

const leads = new IntegrationLeads();
const nodeClasses: Record<string, INodeType> = {
	// Built-ins of two lines, so that the tests need none of n8n's own nodes.
	'n8n-nodes-base.manualTrigger': plainType('manualTrigger', [], async function () {
		return [this.getInputData()];
	}),
	'test.feed': plainType('feed', ['items', 'file'], async function () {
		const items = this.getNodeParameter('items', 0) as unknown as IDataObject[];
		const file = this.getNodeParameter('file', 0, undefined) as unknown as IBinaryData | undefined;
		const binary = file?.data ? { file } : undefined;
		return [items.map((json) => ({ json, binary, pairedItem: { item: 0 } }))];
	}),
	'test.agent': agent,
	[NODE_TYPE]: leads,
	[`${NODE_TYPE}Tool`]: asTool(leads),
	[`${NODE_TYPE}Trigger`]: new IntegrationLeadsTrigger(),
};

/**
 * The variant that n8n makes for AI agents, as its convertNodeToAiTool does: that function is part of n8n itself, not of
 * the engine. test/e2e/agent.mts has the real one.
 */
function asTool({ description, execute, methods }: INodeType): INodeType {
	if (!description.properties.some(({ name }) => name === 'toolDescription')) {
		throw new Error('n8n would add a toolDescription of its own, which is not done here');
	}
	const { usableAsTool, ...rest } = description;
	if (!usableAsTool) throw new Error('n8n makes no tool of this node');
	return {
		description: {
			...rest,
			name: `${description.name}Tool`,
			displayName: `${description.displayName} Tool`,
			inputs: [],
			outputs: ['ai_tool'],
		},
		execute,
		methods,
	};
}

const isLeadField = ({ displayOptions: { show = {} } = {} }: INodeProperties) =>
	show.resource?.includes('lead') === true && show.operation?.includes('upsert') === true;

/** Makes sure that what a model reads names no field that the tool does not have. */
function checkForModel({ resource = 'lead', operation }: IDataObject, text: unknown): void {
	const { properties } = leads.description;
	const isOf =
		(...operations: unknown[]) =>
		({ displayOptions: { show = {} } = {} }: INodeProperties) =>
			(!show.resource || show.resource.includes(resource as string)) &&
			(!show.operation || operations.some((name) => show.operation?.includes(name as string)));
	// The columns of a mapping are fields of leads.
	const isMapping = properties.some(
		(property) => property.type === 'resourceMapper' && isOf(operation)(property),
	);
	const labels = panelLabels(
		properties,
		isMapping ? (property) => isOf(operation)(property) || isLeadField(property) : isOf(operation),
	);
	const named = labelsNamedIn(String(text ?? ''), labels);
	if (named.length > 0) throw new Error(`A model reads of ${named.join(', ')}: ${String(text)}`);
}

const nodeTypes: INodeTypes = {
	getByName: (type) => nodeClasses[type],
	getByNameAndVersion: (type, version) =>
		NodeHelpers.getVersionedNodeType(nodeClasses[type], version),
	getKnownTypes: () => ({}),
};

function credentialsHelper(data: ICredentialDataDecryptedObject) {
	return {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getDecrypted: async () => ({ ...data }),
		getCredentialsProperties: () => CREDENTIAL.properties,
		preAuthentication: async () => undefined,
		async authenticate(
			credentials: ICredentialDataDecryptedObject,
			_type: string,
			options: IHttpRequestOptions,
		) {
			if (typeof CREDENTIAL.authenticate !== 'function') throw new Error('not a function');
			return await CREDENTIAL.authenticate(credentials, options);
		},
	};
}

/** The result of one run of the node. */
export interface Ran {
	/** Items of the first output. */
	items: INodeExecutionData[];
	/** Items of the error output, when the node has one. */
	failed: INodeExecutionData[];
	error?: Error & { description?: string; httpCode?: string; context?: IDataObject };
	hints: NodeExecutionHint[];
	/** Everything n8n would store. */
	stored: IRun;
}

export interface RunOptions {
	/** Input items; one empty item unless given. */
	input?: IDataObject[];
	/** The binary data of each of them. */
	file?: IBinaryData;
	onError?: INode['onError'];
	/** n8n runs the node a second time if it fails. */
	retry?: boolean;
	/** How the execution was started: by hand, unless given. */
	mode?: WorkflowExecuteMode;
	/** How often the workflow comes to the node, as in a loop. */
	turns?: number;
	/** What n8n stored of a failed execution, which is then retried. */
	retryOf?: IRun;
	timezone?: string;
	/** In the variant of the node that an AI agent uses. */
	asTool?: boolean;
	/** Called with a function that cancels the execution. */
	onStart?: (cancel: () => void) => void;
}

export interface AskOptions extends Pick<RunOptions, 'onError' | 'retry'> {
	/** The name of the node, which the name of the tool is made of. */
	name?: string;
	/** How the agent calls the tool: through the engine, as n8n's agent does since version 3, or directly. */
	way?: 'request' | 'invoke';
}

/** An n8n with one credential, in which the node can be run. */
export function engineWith(credential: {
	baseUrl: string;
	apiKey: string;
	defaultCountryCode?: string;
}) {
	const helper = credentialsHelper(credential);

	async function run(parameters: IDataObject, options: RunOptions = {}): Promise<Ran> {
		const { workflow } = workflowOf(parameters, options);
		const running = options.retryOf
			? resume(additionalData(helper), workflow, options.retryOf)
			: start(new WorkflowExecute(additionalData(helper), options.mode ?? 'manual'), workflow);
		options.onStart?.(() => running.cancel());
		const stored = await running;
		const result = stored.data.resultData.runData.Leads?.[0];
		const [items = [], failed = []] = (result?.data?.main ?? []).map((output) => output ?? []);
		const error = (result?.error ?? stored.data.resultData.error) as Ran['error'];
		const texts = items.flatMap(({ json }) => [json.error, json.message, json.differences]);
		if (options.asTool)
			[error?.message, ...texts].forEach((text) => checkForModel(parameters, text));
		return {
			items,
			failed,
			error,
			hints: result?.hints ?? [],
			stored,
		};
	}

	return {
		run,
		/** Lets an agent call the node as its only tool, with the arguments `said`. */
		async askTool(
			parameters: IDataObject,
			said: IDataObject = {},
			{ name = 'Leads', ...how }: AskOptions = {},
		): Promise<Conversation & { stored: IRun }> {
			const workflow = testWorkflow({
				nodes: [
					plainNode('Start', 'n8n-nodes-base.manualTrigger', {}),
					plainNode('Agent', 'test.agent', { said: said as never, way: how.way ?? 'request' }),
					leadsNode(name, `${NODE_TYPE}Tool`, parameters, how),
				],
				connections: {
					Start: to('Agent'),
					[name]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
				},
				settings: { timezone: 'UTC' },
			});
			const execution = new WorkflowExecute(additionalData(helper), 'manual');
			const stored = await start(execution, workflow);
			const { error, runData } = stored.data.resultData;
			if (error) throw error;
			const [item] = runData.Agent.at(-1)?.data?.main?.[0] ?? [];
			// Records have values of people.
			const answer = String(item?.json.answer);
			if (!/^\[(?!\{"error")/.test(answer)) checkForModel(parameters, answer);
			return { ...(item?.json as unknown as Conversation), stored };
		},
		/** From now on the trigger is that of another process. */
		restart(): void {
			jest.isolateModules(() => {
				const file = '#built/nodes/IntegrationLeads/IntegrationLeadsTrigger.node';
				jest.doMock('#built/nodes/IntegrationLeads/transport/clock', () => clocks);
				const built = jest.requireActual<{ IntegrationLeadsTrigger: new () => INodeType }>(file);
				nodeClasses[`${NODE_TYPE}Trigger`] = new built.IntegrationLeadsTrigger();
			});
		},
		/**
		 * The trigger in a workflow that has just been loaded with this static data.
		 *
		 * @param table where n8n keeps the state of the node with durable polling; without it, in the static data
		 * @param start why n8n starts it
		 */
		trigger(
			parameters: IDataObject = {},
			staticData: IDataObject = {},
			table?: { cursor?: IDataObject },
			start: WorkflowActivateMode = 'activate',
		) {
			const workflow = testWorkflow({
				active: true,
				nodes: [leadsNode('Trigger', `${NODE_TYPE}Trigger`, parameters)],
				connections: {},
				staticData,
			});
			const node = workflow.nodes.Trigger;
			const logged: string[] = [];
			const failed: Error[] = [];
			let budget: number;
			const contextOf = (
				mode: WorkflowExecuteMode,
				activation: WorkflowActivateMode,
				snapshot?: IDataObject,
			) => {
				const none = [undefined, undefined] as const;
				const context = new PollContext(
					workflow,
					node,
					additionalData(helper),
					mode,
					activation,
					undefined,
					(reason) => failed.push(reason),
					...none,
					snapshot && (() => snapshot),
					() => budget,
				);
				Object.defineProperty(context, 'logger', {
					value: { warn: (text: string) => logged.push(text) },
				});
				return context;
			};
			// n8n makes one for all polls of a published workflow, except with durable polling.
			const shared = contextOf('trigger', start);
			return {
				/** What n8n keeps as failed executions although nothing was thrown. */
				failed,
				/** What n8n would store. */
				staticData: () => JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject,
				/** Warnings of all polls. */
				logged,
				/** One poll; `budgetMs` is its time limit in n8n, `cursor` what it starts from instead of the table. */
				async poll({
					mode = 'trigger' as WorkflowExecuteMode,
					budgetMs = 300_000,
					cursor = table?.cursor,
				} = {}) {
					budget = budgetMs;
					const snapshot = JSON.parse(JSON.stringify(cursor ?? {})) as IDataObject;
					const isActivation = table !== undefined && table.cursor === undefined;
					let context = shared;
					if (mode === 'manual') context = contextOf(mode, 'manual');
					else if (table) context = contextOf(mode, isActivation ? start : 'update', snapshot);
					const output = await nodeClasses[node.type].poll!.call(context);
					// n8n does not store the state of the poll at activation if it has no events.
					if (table) table.cursor = isActivation && !output ? {} : snapshot;
					return output?.[0].map(({ json }) => json) ?? null;
				},
			};
		},
		/** The context in which n8n fills a drop-down or a list, of the parameter at `path`. */
		context(path = '', currentNodeParameters: INode['parameters'] = {}): LoadOptionsContext {
			const { workflow, node } = workflowOf({}, {});
			const data = { ...additionalData(helper), currentNodeParameters };
			return new LoadOptionsContext(workflow, node, data, path);
		},
	};
}

/** Start, a node that feeds the items, and the node under test. */
function workflowOf(parameters: IDataObject, options: RunOptions) {
	const { input = [{}], file, turns = 1, timezone = 'UTC', asTool: tool } = options;
	const node = leadsNode('Leads', tool ? `${NODE_TYPE}Tool` : NODE_TYPE, parameters, options);
	const feeds = Array.from({ length: turns }, (_, turn) => (turn ? `Feed ${turn}` : 'Feed'));
	const workflow = testWorkflow({
		nodes: [
			plainNode('Start', 'n8n-nodes-base.manualTrigger', {}),
			...feeds.map((name) =>
				plainNode(name, 'test.feed', { items: input as never, file: file as never }),
			),
			node,
		],
		connections: {
			Start: { main: [feeds.map((name) => ({ node: name, type: 'main' as const, index: 0 }))] },
			...Object.fromEntries(feeds.map((name) => [name, to('Leads')])),
		},
		settings: { timezone },
	});
	return { workflow, node };
}

/** Before 2.1 the engine takes the workflow itself, followed by what is not needed here. */
function start(execution: WorkflowExecute, workflow: Workflow): ReturnType<WorkflowExecute['run']> {
	type Run = (given: Workflow | { workflow: Workflow }) => ReturnType<WorkflowExecute['run']>;
	const run = execution.run.bind(execution) as Run;
	return run(execution.run.length > 1 ? workflow : { workflow });
}

/** As n8n's list of executions retries one: from what is stored of it, without the run that failed. */
function resume(
	data: IWorkflowExecuteAdditionalData,
	workflow: Workflow,
	failed: IRun,
): ReturnType<WorkflowExecute['run']> {
	const stored = structuredClone(failed.data);
	delete stored.resultData.error;
	stored.resultData.runData[stored.resultData.lastNodeExecuted!].pop();
	return new WorkflowExecute(data, 'retry', stored).processRunExecutionData(workflow);
}

type WorkflowParameters = ConstructorParameters<typeof Workflow>[0];

/** What all workflows of the tests have in common. */
function testWorkflow({
	settings,
	...given
}: Pick<WorkflowParameters, 'nodes' | 'connections' | 'settings' | 'staticData'> &
	Partial<Pick<WorkflowParameters, 'active'>>): Workflow {
	return new Workflow({
		id: 'w',
		name: 'test',
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1', ...settings },
		...given,
	});
}

/** A node of the package, with its credential. */
function leadsNode(
	name: string,
	type: string,
	parameters: IDataObject,
	{ onError, retry }: Pick<RunOptions, 'onError' | 'retry'> = {},
): INode {
	return {
		...plainNode(name, type, { resource: 'lead', ...parameters } as INode['parameters']),
		credentials: { integrationLeadsApi: { id: 'c', name: 'Leads' } },
		...(onError && { onError }),
		...(retry && { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }),
	};
}

function plainNode(name: string, type: string, parameters: INode['parameters']): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters };
}

function to(node: string) {
	return { main: [[{ node, type: 'main' as const, index: 0 }]] };
}

function additionalData(helper: ReturnType<typeof credentialsHelper>) {
	const workflowData = { id: 'w', name: 'test' } as IWorkflowBase;
	return {
		credentialsHelper: helper,
		executionId: '1',
		currentNodeExecutionIndex: 0,
		variables: {},
		// Must be valid URLs: n8n builds $execution.resumeUrl from them.
		restApiUrl: 'http://localhost/rest',
		instanceBaseUrl: 'http://localhost',
		webhookBaseUrl: 'http://localhost/webhook',
		webhookTestBaseUrl: 'http://localhost/webhook-test',
		webhookWaitingBaseUrl: 'http://localhost/webhook-waiting',
		formBaseUrl: 'http://localhost/form',
		formWaitingBaseUrl: 'http://localhost/form-waiting',
		formTestBaseUrl: 'http://localhost/form-test',
		hooks: new ExecutionLifecycleHooks('manual', '1', workflowData),
		logAiEvent() {},
		sendDataToUI() {},
		setExecutionStatus() {},
	} as unknown as IWorkflowExecuteAdditionalData;
}
