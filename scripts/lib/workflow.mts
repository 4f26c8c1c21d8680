/** What the scripts and tests know of n8n's workflows and executions, as its REST API answers with them. */

/** A saved credential. */
export interface Credential {
	id: string;
	name: string;
	type: string;
}

export interface WorkflowNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	id?: string;
	position?: number[];
	webhookId?: string;
	disabled?: boolean;
	credentials?: Record<string, object>;
	onError?: string;
	executeOnce?: boolean;
	retryOnFail?: boolean;
	maxTries?: number;
	waitBetweenTries?: number;
}

interface Connection {
	node: string;
	type: string;
	index: number;
}

/** By the name of a node and the type of the connection: the connections of each of its outputs. */
export type Connections = Record<string, Record<string, Connection[][]>>;

export interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	connections: Connections;
	settings?: Record<string, unknown>;
}

export interface SavedWorkflow extends Workflow {
	id: string;
	versionId: string;
}

/** One item of an output. */
export interface Item<Json> {
	json: Json;
	binary?: Record<string, { fileName: string }>;
}

/** What a node of a chat has sent. */
export type ChatMessage = string | { text: string; buttons: Array<{ link: string }> };

/** One run of a node. `data`: the items of each output, by the type of the connection. */
interface NodeRun {
	data?: Record<string, Array<Array<Item<unknown> & { sendMessage?: ChatMessage }> | null>>;
	hints?: Array<{ message: string }>;
}

/** An execution with its data. */
export interface Execution {
	id: string;
	status: string;
	data: {
		resultData: {
			runData: Partial<Record<string, NodeRun[]>>;
			lastNodeExecuted?: string;
			error?: { message: string; description?: string };
		};
		/** `contextData`: what nodes keep between their runs, by their names. */
		executionData?: { contextData: Record<string, object> };
	};
}
