/** An active workflow with the trigger, whose events are received outside of n8n. */
import { json } from 'node:stream/consumers';

import type { Lead } from '../../../sandbox/records.mts';
import { withCredential } from '../../../scripts/lib/examples.mts';
import { serveLoopback, type LoopbackServer } from '../../../scripts/lib/loopback.mts';
import type { WorkflowNode } from '../../../scripts/lib/workflow.mts';
import { until, type pollEvery } from '../flow.mts';
import { brief, watchedLeads, type LeadEvent } from '../trigger.mts';
import type { QueueCaseWorld } from '../world.mts';

const STATUSES = ['open', 'in_progress', 'closed_won'];
/** An event that has not arrived by then counts as lost. */
const ARRIVAL_LIMIT_MS = 120_000;
const UNFINISHED_SQL = `SELECT 1 FROM execution_entity WHERE "workflowId" = $1 AND status IN ('new', 'running')`;

/** Receives every event that a workflow delivers, whichever worker runs it. */
async function startReceiver(): Promise<LoopbackServer & { events: LeadEvent[] }> {
	const events: LeadEvent[] = [];
	const server = await serveLoopback(async (request, response) => {
		events.push((await json(request)) as LeadEvent);
		response.end();
	});
	return { ...server, events };
}

/** A request to the receiver for each event. */
const deliverTo = (url: string): Partial<WorkflowNode> => ({
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
	/** The events that should arrive, as {@link brief} writes them. */
	readonly expected: string[] = [];
	/** Of the workflow. */
	readonly id: string;
	readonly receiver: Awaited<ReturnType<typeof startReceiver>>;
	readonly #world: QueueCaseWorld;
	#leads: Lead[] = [];
	#created = 0;

	private constructor(world: QueueCaseWorld, receiver: Watch['receiver'], id: string) {
		this.#world = world;
		this.receiver = receiver;
		this.id = id;
	}

	static async start(
		world: QueueCaseWorld,
		pollTimes?: ReturnType<typeof pollEvery>,
	): Promise<Watch> {
		const receiver = await startReceiver();
		const { client, credential } = world;
		const settings = {
			triggerOn: ['lead.created', 'lead.statusChanged'],
			...(pollTimes && { pollTimes }),
		};
		const workflow = watchedLeads(settings, deliverTo(receiver.url));
		const { id } = await client.createWorkflow(withCredential(workflow, credential));
		await client.publishWorkflow(id);
		return new Watch(world, receiver, id);
	}

	async create(): Promise<string> {
		const externalId = `lead-${++this.#created}`;
		this.#leads.push(await this.#world.sandbox.control('createLead', { externalId }));
		return this.#expect(`lead.created ${externalId}  open`);
	}

	/** Changes the oldest lead, whose creation was delivered long ago, and puts it last. */
	async change(): Promise<string> {
		const [{ id, externalId, status }] = this.#leads.splice(0, 1);
		const next = STATUSES[(STATUSES.indexOf(status) + 1) % STATUSES.length];
		this.#leads.push(await this.#world.sandbox.control('changeLead', { id, status: next }));
		return this.#expect(`lead.statusChanged ${externalId} ${status} ${next}`);
	}

	#expect(event: string): string {
		this.expected.push(event);
		return event;
	}

	/** Waits until an event has arrived or is lost, and until no execution of the workflow is under way. */
	async delivered(event: string): Promise<void> {
		const limit = Date.now() + ARRIVAL_LIMIT_MS;
		const arrived = () => this.receiver.events.some((each) => brief(each) === event);
		await until(() => arrived() || Date.now() > limit, Infinity);
		const unfinished = async () => await this.#world.queue.query(UNFINISHED_SQL, [this.id]);
		await until(async () => (await unfinished()).length === 0);
	}

	async stop(): Promise<void> {
		// After a failed case main may not run.
		await this.#world.client.unpublishWorkflow(this.id).catch(() => {});
		this.receiver.close();
	}
}
