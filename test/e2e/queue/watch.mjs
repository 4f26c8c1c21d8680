/** An active workflow with the trigger, whose events are received outside of n8n. */
import { createServer } from 'node:http';

import { withCredential } from '../../../scripts/lib/examples.mjs';
import { watchedLeads } from '../trigger.mjs';
import { until } from '../flow.mjs';

const STATUSES = ['open', 'in_progress', 'closed_won'];
/** An event that has not arrived by then counts as lost. */
const ARRIVAL_LIMIT_MS = 120_000;
const UNFINISHED_SQL = `SELECT 1 FROM execution_entity WHERE "workflowId" = $1 AND status IN ('new', 'running')`;

/** Receives every event that a workflow delivers, whichever worker runs it. */
async function startReceiver() {
	const events = [];
	const server = createServer(async (request, response) => {
		let text = '';
		for await (const part of request) text += part;
		events.push(JSON.parse(text));
		response.end();
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${server.address().port}`;
	return { url, events, close: () => server.close() };
}

const brief = ({ event, externalId, previousStatus, status }) =>
	[event, externalId, previousStatus, status].join(' ');

/** The trigger, and a request to the receiver for each event. */
function deliveringTo(url, pollTimes) {
	const workflow = watchedLeads({
		triggerOn: ['lead.created', 'lead.statusChanged'],
		...(pollTimes && { pollTimes }),
	});
	const [trigger, next] = workflow.nodes;
	const deliver = {
		...next,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ $json }}',
		},
	};
	return { ...workflow, nodes: [trigger, deliver] };
}

/** An active workflow with the trigger, and what should come out of it. */
export class Watch {
	expected = [];
	#leads = [];
	#created = 0;

	static async start(world, pollTimes) {
		const receiver = await startReceiver();
		const { client, credential } = world;
		const workflow = withCredential(deliveringTo(receiver.url, pollTimes), credential);
		const { id } = await client.createWorkflow(workflow);
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

	/** What was lost and what was repeated, and how. */
	outcome() {
		const deliveries = new Map(this.expected.map((event) => [event, []]));
		const unexpected = this.receiver.events.filter((each) => !deliveries.has(brief(each)));
		for (const each of this.receiver.events) deliveries.get(brief(each))?.push(each);
		const all = [...deliveries.values()];
		return {
			lost: [...deliveries].filter(([, { length }]) => length === 0).map(([event]) => event),
			repeats: all.reduce((sum, { length }) => sum + Math.max(0, length - 1), 0),
			unexpected: unexpected.map(brief),
			// A repeat has the same ID, and all deliveries but the first are marked.
			otherIds: all.filter((each) => new Set(each.map(({ eventId }) => eventId)).size > 1).length,
			unmarked: all.filter((each) => each.filter(({ redelivered }) => !redelivered).length > 1)
				.length,
		};
	}

	async stop() {
		const path = `/rest/workflows/${this.id}/deactivate`;
		// After a failed case main may not run.
		await this.world.client.request('POST', path, {}).catch(() => {});
		this.receiver.close();
	}
}
