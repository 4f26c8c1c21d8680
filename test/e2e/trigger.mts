/**
 * The trigger in active workflows, in an n8n of its own that is restarted and killed: every event arrives, and comes
 * again only if it is marked. Both ways in which n8n may poll are tried.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

import lodash from 'lodash';

import type { Case } from '../../scripts/lib/cases.mts';
import { withCredential } from '../../scripts/lib/examples.mts';
import { credentialType, triggerType } from '../../scripts/lib/repository.mts';
import type { N8nClient } from '../../scripts/lib/rest.mts';
import type { Workflow, WorkflowNode } from '../../scripts/lib/workflow.mts';
import { jsonOf, pollEvery, until, type Json } from './flow.mts';
import { restartableN8n, type RestartableN8n } from './restartable.mts';
import type { CaseWorld } from './world.mts';

const TRIGGER = 'New or moved leads';
const EVERY_SECONDS = 2;
/** What has not arrived by then counts as lost. */
const ARRIVAL_LIMIT_MS = 120_000;
/** n8n starts several times: on a busy machine, each takes a minute. */
const HANG_MS = 600_000;

/** Settings of n8n. */
const SCHEDULERS: Record<string, Record<string, string>> = {
	'ordinary polling': {},
	'durable polling': {
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
		N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
		N8N_SCHEDULER_JITTER_RATIO: '0',
	},
};

export const pollTimes = pollEvery(EVERY_SECONDS);

const NEXT = {
	id: 'next',
	name: 'Next',
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	position: [220, 0],
};

/** A workflow that starts with the trigger. @param next what the node after it does, if anything */
export const watchedLeads = (parameters: Json, next: Partial<WorkflowNode> = {}): Workflow => ({
	name: 'Watched leads',
	nodes: [
		{
			id: 'trigger',
			name: TRIGGER,
			type: triggerType,
			typeVersion: 1,
			position: [0, 0],
			parameters: { pollTimes, ...parameters },
		},
		{ parameters: {}, ...NEXT, ...next },
	],
	connections: { [TRIGGER]: { main: [[{ node: NEXT.name, type: 'main', index: 0 }]] } },
});

/** An event as the trigger outputs it. */
export interface LeadEvent {
	event: string;
	eventId: string;
	externalId: string;
	previousStatus?: string;
	status: string;
	redelivered?: boolean;
}

/** An n8n with the active workflow, and the events that have arrived. */
interface WatchedN8n extends RestartableN8n {
	events(): Promise<LeadEvent[]>;
}

async function activated(
	world: CaseWorld,
	name: string,
	settings: Record<string, string>,
): Promise<WatchedN8n> {
	const n8n = await restartableN8n(world, name, { settings });
	const { client, credential } = n8n;
	const workflow = watchedLeads({ triggerOn: ['lead.created', 'lead.statusChanged'] });
	const { id } = await client.createWorkflow(withCredential(workflow, credential));
	await world.sandbox.control('clearRequests');
	await client.publishWorkflow(id);
	// What is created before the first poll counts as known. On a busy machine the second may begin before the first is stored.
	await until(async () => (await world.sandbox.control('requests')).length > 0);
	await sleep(EVERY_SECONDS * 1500);
	return { ...n8n, events: async () => await eventsOf(client, id) };
}

/** The events of all executions of the workflow so far. @param trigger the name of its node */
export async function eventsOf(
	client: N8nClient,
	id: string,
	trigger = TRIGGER,
): Promise<LeadEvent[]> {
	const executions = await client.executionsOf(id);
	// One that was running when n8n was killed may have kept nothing.
	const begun = executions.filter(({ data }) => data?.resultData?.runData?.[trigger]);
	return begun.flatMap((execution) => jsonOf<LeadEvent>(execution, trigger));
}

/** An event in a line, by which a repeat is known. */
export const brief = ({ event, externalId, previousStatus, status }: LeadEvent): string =>
	[event, externalId, previousStatus, status].join(' ');

/** What was lost and what was repeated, and how. @param expected events as {@link brief} writes them */
export function outcomeOf(events: LeadEvent[], expected: string[]) {
	const deliveries = lodash.groupBy(events, brief);
	const all = Object.values(deliveries);
	return {
		lost: expected.filter((event) => !deliveries[event]),
		repeats: events.length - all.length,
		unexpected: Object.keys(deliveries).filter((event) => !expected.includes(event)),
		// A repeat has the same ID, and all deliveries but the first are marked.
		otherIds: all.filter((each) => lodash.uniqBy(each, 'eventId').length > 1).length,
		unmarked: all.filter((each) => lodash.reject(each, 'redelivered').length > 1).length,
	};
}

/** Asserts that all of these arrived, and that one that came again has its old ID and is marked. */
export function checkEvents(events: LeadEvent[], expected: string[]): void {
	const { repeats, ...outcome } = outcomeOf(events, expected);
	assert.deepEqual(outcome, { lost: [], unexpected: [], otherIds: 0, unmarked: 0 });
}

/** Waits until as many different events arrived, and a little longer for those that should not. */
export async function arrived(leads: WatchedN8n, count: number): Promise<LeadEvent[]> {
	const limit = Date.now() + ARRIVAL_LIMIT_MS;
	const different = async () => new Set((await leads.events()).map(brief)).size;
	while ((await different()) < count && Date.now() < limit) await sleep(500);
	await sleep(EVERY_SECONDS * 1500);
	return await leads.events();
}

async function scenario(
	world: CaseWorld,
	name: string,
	settings: Record<string, string>,
): Promise<void> {
	const { sandbox } = world;
	const leads = await activated(world, name, settings);
	const create = async (externalId: string) => await sandbox.control('createLead', { externalId });
	const prefix = name.split(' ')[0];
	try {
		const first = await create(`${prefix}-1`);
		await arrived(leads, 1);
		await sandbox.control('changeLead', { id: first.id, status: 'in_progress' });
		await arrived(leads, 2);

		await leads.stop();
		await create(`${prefix}-2`);
		await sandbox.control('changeLead', { id: first.id, status: 'closed_won' });
		await leads.start();
		await arrived(leads, 4);

		await create(`${prefix}-3`);
		await leads.kill();
		await create(`${prefix}-4`);
		await leads.start();
		await create(`${prefix}-5`);
		checkEvents(await arrived(leads, 7), [
			...[1, 2, 3, 4, 5].map((n) => `lead.created ${prefix}-${n}  open`),
			`lead.statusChanged ${prefix}-1 open in_progress`,
			`lead.statusChanged ${prefix}-1 in_progress closed_won`,
		]);
	} finally {
		await leads.stop();
	}
}

/** Saves a workflow that n8n starts when an execution of another fails. @returns its ID */
async function errorWorkflow({ client }: RestartableN8n): Promise<string> {
	const { id } = await client.createWorkflow({
		name: 'What failed',
		nodes: [
			{
				id: 'failed',
				name: 'Failed',
				type: 'n8n-nodes-base.errorTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
		],
		connections: {},
	});
	await client.publishWorkflow(id);
	return id;
}

/** A key that is refused when the workflow is published, and again when n8n starts. */
async function refusedKey(world: CaseWorld): Promise<void> {
	const { sandbox } = world;
	const n8n = await restartableN8n(world, 'refused key');
	const { client } = n8n;
	const type = credentialType;
	const values = { baseUrl: sandbox.url, defaultCountryCode: '55' };
	const wrong = { ...values, apiKey: 'sk_live_refused_key_000000000000' };
	const right = { ...values, apiKey: (await sandbox.keys()).full };
	const credential = { ...(await client.createCredential('Leads', type, wrong)), type };
	const onError = await errorWorkflow(n8n);
	const workflow = watchedLeads({ triggerOn: ['lead.created'] });
	const { id } = await client.createWorkflow({
		...withCredential(workflow, credential),
		settings: { executionOrder: 'v1', errorWorkflow: onError },
	});
	const failures = async () => await client.listExecutions(onError);
	const came = async () => (await eventsOf(client, id)).map(brief);
	const create = async (externalId: string) => await sandbox.control('createLead', { externalId });
	try {
		await client.publishWorkflow(id);
		await until(async () => (await failures()).length > 1);
		const failed = (await client.executionsOf(id)).at(-1);
		assert.equal(failed?.data.resultData.error?.message, 'The API key was not accepted');
		await create('refused-1');
		await client.changeCredential(credential, right);
		await until(async () => (await came()).includes('lead.created refused-1  open'));

		const before = (await failures()).length;
		await n8n.stop();
		const body = { success: false, error: { code: 'UNAUTHORIZED', message: 'no' } };
		await sandbox.control('fault', { kind: 'status', status: 401, body, times: 1000 });
		await n8n.start();
		await until(async () => (await failures()).length > before);
		await create('refused-2');
		await sandbox.control('clearFaults');
		await until(async () => (await came()).includes('lead.created refused-2  open'));
	} finally {
		await sandbox.control('clearFaults');
		await n8n.stop();
	}
}

const overRestarts = Object.entries(SCHEDULERS).map(([name, settings]) => ({
	name: `${name}: every event arrives, and comes again only if marked, over a restart and a crash`,
	hangMs: HANG_MS,
	run: async (world: CaseWorld) => await scenario(world, name, settings),
}));

export const cases: Array<Case<CaseWorld>> = [
	...overRestarts,
	{
		name: 'a refused key is a failed execution, and once it is corrected nothing was lost',
		hangMs: HANG_MS,
		run: refusedKey,
	},
];
