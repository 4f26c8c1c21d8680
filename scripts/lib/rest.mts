import { setTimeout as sleep } from 'node:timers/promises';

// The form in which n8n stores data of executions.
import { parse } from 'flatted';

import type { Credential, Execution, SavedWorkflow, Workflow } from './workflow.mts';

/** The owner of the temporary n8n, which listens on the loopback interface only. */
export const OWNER = {
	email: 'owner@example.com',
	firstName: 'Sandbox',
	lastName: 'Owner',
	password: 'Sandbox-Owner-1',
};

/** n8n binds a session to this header; a browser that shares the session must send the same. */
export const BROWSER_ID = 'integration-leads-scripts';

const UNFINISHED = new Set(['new', 'running', 'waiting']);
const EXECUTION_LIMIT_MS = 120_000;
const PUBLISH_LIMIT_MS = 60_000;
const POLL_MS = 100;

/** Records as the output of a node's run. */
const asRun = (records: object[]) => ({
	startTime: Date.now(),
	executionTime: 0,
	executionIndex: 0,
	executionStatus: 'success',
	source: [null],
	data: { main: [records.map((json) => ({ json }))] },
});

/** An execution as n8n returns it: a finished one has its data as text. */
type ExecutionAnswer = Omit<Execution, 'data'> & { data: string | Execution['data'] };

/** A node type that n8n has loaded, as far as it is read here. */
export interface NodeType {
	name: string;
	iconUrl?: string | { light: string; dark: string };
	properties: Array<{
		name: string;
		default: unknown;
		displayOptions?: { show?: { resource?: string[] } };
		options?: Array<{ name: string; value: string }>;
	}>;
}

interface PublicationStatus {
	status: string;
	triggers: Array<{ errorMessage?: string }>;
}

/** How long a request waits for the database of n8n. */
const DATABASE_LIMIT_MS = 30_000;

/** A client of the REST API of n8n's editor. Every method throws on an HTTP error. */
export class N8nClient {
	#cookie = '';

	/** Such as http://127.0.0.1:5678 */
	readonly url: string;

	constructor(url: string) {
		this.url = url;
	}

	/** Sends a request and returns the `data` of its answer, which the caller has to know. */
	async request<Answer = unknown>(
		method: string,
		path: string,
		body?: unknown,
		limit = Date.now() + DATABASE_LIMIT_MS,
	): Promise<Answer> {
		const response = await fetch(this.url + path, {
			method,
			headers: {
				'content-type': 'application/json',
				'browser-id': BROWSER_ID,
				cookie: this.#cookie,
				// A busy n8n closes an idle connection in the moment in which it is used again.
				connection: 'close',
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		for (const cookie of response.headers.getSetCookie()) {
			if (cookie.startsWith('n8n-auth=')) [this.#cookie] = cookie.split(';');
		}
		const text = await response.text();
		// On a busy machine, n8n answers so before it looks at a request (packages/cli/src/abstract-server.ts in 2.41.1).
		if (response.status === 503 && text.includes('Database is not ready') && Date.now() < limit) {
			await sleep(POLL_MS);
			return await this.request(method, path, body, limit);
		}
		if (!response.ok) {
			throw new Error(`n8n: ${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
		}
		const parsed = JSON.parse(text) as Answer & { data?: Answer };
		return parsed?.data ?? parsed;
	}

	/** Creates the owner of a new n8n and logs in. */
	async setUpOwner(): Promise<void> {
		await this.request('POST', '/rest/owner/setup', OWNER);
	}

	/** Logs in the owner of an existing n8n. */
	async logIn(): Promise<void> {
		const { email, password } = OWNER;
		await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	}

	/** The descriptions of every node type n8n has loaded. */
	async nodeTypes(): Promise<NodeType[]> {
		return await this.request('GET', '/types/nodes.json');
	}

	async createCredential(name: string, type: string, data: object): Promise<Credential> {
		return await this.request('POST', '/rest/credentials', { name, type, data });
	}

	/** Saves other values in a credential. */
	async changeCredential({ id, name, type }: Credential, data: object): Promise<void> {
		await this.request('PATCH', `/rest/credentials/${id}`, { name, type, data });
	}

	/** Runs the test of the credential dialog. */
	async testCredential(
		{ id, name, type }: Credential,
		data: object,
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		return await this.request('POST', '/rest/credentials/test', {
			credentials: { id, name, type, data },
		});
	}

	async createWorkflow(workflow: Workflow): Promise<SavedWorkflow> {
		return await this.request('POST', '/rest/workflows', {
			settings: { executionOrder: 'v1' },
			...workflow,
			active: false,
		});
	}

	/**
	 * Runs a workflow like "Execute workflow" and waits until it ends.
	 * @param trigger name of the node to start from
	 * @param given the output of that node, if it waits for input such as a chat message
	 */
	async runWorkflow(id: string, trigger: string, given?: object[]): Promise<Execution> {
		return await this.finishedExecution(await this.startWorkflow(id, trigger, given));
	}

	/** As {@link runWorkflow}, without waiting. @returns the ID of the execution */
	async startWorkflow(id: string, trigger: string, given?: object[]): Promise<string> {
		const { executionId } = await this.request<{ executionId: string }>(
			'POST',
			`/rest/workflows/${id}/run`,
			{
				workflowData: await this.workflow(id),
				triggerToStartFrom: { name: trigger, ...(given && { data: asRun(given) }) },
			},
		);
		return executionId;
	}

	/** Publishes a workflow and waits until its triggers are active; n8n answers earlier. */
	async publishWorkflow(id: string): Promise<void> {
		const { versionId, name } = await this.workflow(id);
		const version = { versionId, name, description: '' };
		await this.request('POST', `/rest/workflows/${id}/activate`, version);
		const limit = Date.now() + PUBLISH_LIMIT_MS;
		for (;;) {
			const path = `/rest/workflows/${id}/publication-status`;
			const { status, triggers } = await this.request<PublicationStatus>('GET', path);
			if (status === 'published') return;
			const failed = triggers.find(({ errorMessage }) => errorMessage);
			if (failed) throw new Error(`Workflow ${id} is not published: ${failed.errorMessage}`);
			if (Date.now() > limit) throw new Error(`Workflow ${id} is still "${status}"`);
			await sleep(POLL_MS);
		}
	}

	async unpublishWorkflow(id: string): Promise<void> {
		await this.request('POST', `/rest/workflows/${id}/deactivate`, {});
	}

	/** A saved workflow. */
	async workflow(id: string): Promise<SavedWorkflow> {
		return await this.request('GET', `/rest/workflows/${id}`);
	}

	/** An execution with the data it has so far; undefined while it is running. */
	async execution(id: string): Promise<Execution | undefined> {
		const answer = await this.request<ExecutionAnswer>('GET', `/rest/executions/${id}`);
		if (answer.status === 'new' || answer.status === 'running') return undefined;
		const { data } = answer;
		return {
			...answer,
			data: typeof data === 'string' ? (parse(data) as Execution['data']) : data,
		};
	}

	/** Runs a failed execution again. @param loadWorkflow with the workflow as it is saved now */
	async retryExecution(id: string, { loadWorkflow = false } = {}): Promise<void> {
		await this.request('POST', `/rest/executions/${id}/retry`, { loadWorkflow });
	}

	/** Waits until an execution has ended. */
	async finishedExecution(id: string, limitMs = EXECUTION_LIMIT_MS): Promise<Execution> {
		const limit = Date.now() + limitMs;
		for (;;) {
			const execution = await this.execution(id);
			if (execution && execution.status !== 'waiting') return execution;
			if (Date.now() > limit) throw new Error(`Execution ${id} did not end`);
			await sleep(POLL_MS);
		}
	}

	/**
	 * Waits for an execution of a workflow that began after another one, and for its end.
	 * @param after the ID of the other one; by default, any is waited for
	 */
	async nextExecution(workflowId: string, after = '0'): Promise<Execution> {
		const limit = Date.now() + EXECUTION_LIMIT_MS;
		for (;;) {
			const [latest] = await this.listExecutions(workflowId, 1);
			if (latest && Number(latest.id) > Number(after))
				return await this.finishedExecution(latest.id);
			if (Date.now() > limit) throw new Error(`No execution of workflow ${workflowId} began`);
			await sleep(POLL_MS);
		}
	}

	/** The newest executions of a workflow, without their data, the newest first. */
	async listExecutions(
		workflowId: string,
		limit = 100,
	): Promise<Array<{ id: string; status: string }>> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const path = `/rest/executions?filter=${filter}&limit=${limit}`;
		const { results } = await this.request<{ results: Array<{ id: string; status: string }> }>(
			'GET',
			path,
		);
		return results;
	}

	/** The last hundred finished executions of a workflow, as {@link finishedExecution} returns them. */
	async executionsOf(workflowId: string): Promise<Execution[]> {
		const listed = await this.listExecutions(workflowId, 100);
		const ended = listed.filter(({ status }) => !UNFINISHED.has(status));
		return await Promise.all(ended.map(async ({ id }) => await this.finishedExecution(id)));
	}
}
