/** An active workflow with the trigger, whose events are received outside of n8n. */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

import { withCredential } from '../../../scripts/lib/examples.mts';
import { brief, watchedLeads } from '../trigger.mjs';
import { until } from '../flow.mjs';

const STATUSES = ['open', 'in_progress', 'closed_won'];
/** An event that has not arrived by then counts as lost. */
const ARRIVAL_LIMIT_MS = 120_000;
const UNFINISHED_SQL = `SELECT 1 FROM execution_entity WHERE "workflowId" = $1 AND status IN ('new', 'running')`;

/** Receives every event that a workflow delivers, whichever worker runs it. */
async function startReceiver() {
	const events = [];
	const server = createServer(async (request, response) => {
		events.push(await json(request));
		response.end();
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${server.address().port}`;
	return { url, events, close: () => server.close() };
}

/** A request to the receiver for each event. */
const deliverTo = (url) => ({
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		method: 'POST',
		url,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ $json }}',
	},
});

/** An active workflow with the trigger, and what should come out of it. */
export class Watch {
	expected = [];
	#leads = [];
	#created = 0;

	static async start(world, pollTimes) {
		const receiver = await startReceiver();
		const { client, credential } = world;
		const settings = {
			triggerOn: ['lead.created', 'lead.statusChanged'],
			...(pollTimes && { pollTimes }),
		};
		const workflow = watchedLeads(settings, deliverTo(receiver.url));
		const { id } = await client.createWorkflow(withCredential(workflow, credential));
		await client.publishWorkflow(id);
		return Object.assign(new Watch(), { world, receiver, id });
	}

	async create() {
		const externalId = `lead-${++this.#created}`;
		this.#leads.push(await this.world.sandbox.control('createLead', { externalId }));
		return this.#expect(`lead.created ${externalId}  open`);
	}

	/** Changes the oldest lead, whose creation was delivered long ago, and puts it last. */
	async change() {
		const { id, externalId, status } = this.#leads.shift();
		const next = STATUSES[(STATUSES.indexOf(status) + 1) % STATUSES.length];
		this.#leads.push(await this.world.sandbox.control('changeLead', { id, status: next }));
		return this.#expect(`lead.statusChanged ${externalId} ${status} ${next}`);
	}

	#expect(event) {
		this.expected.push(event);
		return event;
	}

	/** Waits until an event has arrived or is lost, and until no execution of the workflow is under way. */
	async delivered(event) {
		const limit = Date.now() + ARRIVAL_LIMIT_MS;
		const arrived = () => this.receiver.events.some((each) => brief(each) === event);
		await until(() => arrived() || Date.now() > limit, Infinity);
		const unfinished = async () => await this.world.queue.query(UNFINISHED_SQL, [this.id]);
		await until(async () => (await unfinished()).length === 0);
	}

	async stop() {
		// After a failed case main may not run.
		await this.world.client.unpublishWorkflow(this.id).catch(() => {});
		this.receiver.close();
	}
}
