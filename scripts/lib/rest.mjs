import { setTimeout as sleep } from 'node:timers/promises';

// The form in which n8n stores data of executions.
import { parse } from 'flatted';

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
const asRun = (records) => ({
	startTime: Date.now(),
	executionTime: 0,
	executionIndex: 0,
	executionStatus: 'success',
	source: [null],
	data: { main: [records.map((json) => ({ json }))] },
});

/** A client of the REST API of n8n's editor. Every method throws on an HTTP error. */
export class N8nClient {
	#cookie = '';

	/** @param {string} url such as http://127.0.0.1:5678 */
	constructor(url) {
		this.url = url;
	}

	async request(method, path, body) {
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
		if (!response.ok) {
			throw new Error(`n8n: ${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
		}
		const parsed = JSON.parse(text);
		return parsed?.data ?? parsed;
	}

	/** Creates the owner of a new n8n and logs in. */
	async setUpOwner() {
		await this.request('POST', '/rest/owner/setup', OWNER);
	}

	/** Logs in the owner of an existing n8n. */
	async logIn() {
		const { email, password } = OWNER;
		await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	}

	/** The descriptions of every node type n8n has loaded. */
	async nodeTypes() {
		return await this.request('GET', '/types/nodes.json');
	}

	async createCredential(name, type, data) {
		return await this.request('POST', '/rest/credentials', { name, type, data });
	}

	/** Runs the test of the credential dialog. @returns {Promise<{status: 'OK' | 'Error', message: string}>} */
	async testCredential({ id, name, type }, data) {
		return await this.request('POST', '/rest/credentials/test', {
			credentials: { id, name, type, data },
		});
	}

	async createWorkflow(workflow) {
		return await this.request('POST', '/rest/workflows', {
			settings: { executionOrder: 'v1' },
			...workflow,
			active: false,
		});
	}

	/**
	 * Runs a workflow like "Execute workflow" and waits until it ends.
	 * @param {string} id
	 * @param {string} trigger name of the node to start from
	 * @param {object[]} [given] the output of that node, if it waits for input such as a chat message
	 */
	async runWorkflow(id, trigger, given) {
		return await this.finishedExecution(await this.startWorkflow(id, trigger, given));
	}

	/** As {@link runWorkflow}, without waiting. @returns {Promise<string>} the ID of the execution */
	async startWorkflow(id, trigger, given) {
		const workflowData = await this.request('GET', `/rest/workflows/${id}`);
		const { executionId } = await this.request('POST', `/rest/workflows/${id}/run`, {
			workflowData,
			triggerToStartFrom: { name: trigger, ...(given && { data: asRun(given) }) },
		});
		return executionId;
	}

	/** Publishes a workflow and waits until its triggers are active; n8n answers earlier. */
	async publishWorkflow(id) {
		const { versionId, name } = await this.request('GET', `/rest/workflows/${id}`);
		const version = { versionId, name, description: '' };
		await this.request('POST', `/rest/workflows/${id}/activate`, version);
		const limit = Date.now() + PUBLISH_LIMIT_MS;
		for (;;) {
			const path = `/rest/workflows/${id}/publication-status`;
			const { status, triggers } = await this.request('GET', path);
			if (status === 'published') return;
			const failed = triggers.find(({ errorMessage }) => errorMessage);
			if (failed) throw new Error(`Workflow ${id} is not published: ${failed.errorMessage}`);
			if (Date.now() > limit) throw new Error(`Workflow ${id} is still "${status}"`);
			await sleep(POLL_MS);
		}
	}

	async unpublishWorkflow(id) {
		await this.request('POST', `/rest/workflows/${id}/deactivate`, {});
	}

	/** @returns the execution with parsed `data`, once it has ended or failed */
	async finishedExecution(id, limitMs = EXECUTION_LIMIT_MS) {
		const limit = Date.now() + limitMs;
		for (;;) {
			const execution = await this.request('GET', `/rest/executions/${id}`);
			const { data } = execution;
			if (!UNFINISHED.has(execution.status)) {
				return { ...execution, data: typeof data === 'string' ? parse(data) : data };
			}
			if (Date.now() > limit) throw new Error(`Execution ${id} did not end`);
			await sleep(POLL_MS);
		}
	}

	/**
	 * Waits for an execution of a workflow that began after another one, and for its end.
	 * @param {string} workflowId
	 * @param {string} [after] the ID of the other one; by default, any is waited for
	 */
	async nextExecution(workflowId, after = '0') {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const limit = Date.now() + EXECUTION_LIMIT_MS;
		for (;;) {
			const path = `/rest/executions?filter=${filter}&limit=1`;
			const [latest] = (await this.request('GET', path)).results;
			if (latest && Number(latest.id) > Number(after))
				return await this.finishedExecution(latest.id);
			if (Date.now() > limit) throw new Error(`No execution of workflow ${workflowId} began`);
			await sleep(POLL_MS);
		}
	}

	/** The last hundred finished executions of a workflow, as {@link finishedExecution} returns them. */
	async executionsOf(workflowId) {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const path = `/rest/executions?filter=${filter}&limit=100`;
		const { results } = await this.request('GET', path);
		const ended = results.filter(({ status }) => !UNFINISHED.has(status));
		return await Promise.all(ended.map(async ({ id }) => await this.finishedExecution(id)));
	}
}
