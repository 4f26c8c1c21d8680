/** What the cases of WhatsApp share: the published examples, webhooks to them, and what the service has of a person. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';

import type { Case } from '../../scripts/lib/cases.mts';
import { switchedOn, withCredential } from '../../scripts/lib/examples.mts';
import type { Execution, Workflow } from '../../scripts/lib/workflow.mts';
import {
	casesOf,
	exampleNamed,
	findNode,
	recordsAt,
	until,
	type Readable,
	type Runs,
} from './flow.mts';
import { MetaCloud } from './metaCloud.mts';
import type { ShownConversation, ShownLead, ShownMessage } from './records.mts';
import type { CaseWorld } from './world.mts';

export const logs = exampleNamed('WhatsApp message → lead');
const APP_SECRET = 'app-secret';
/** How long the assistant waits for more messages; shorter here than in the example. */
const WAIT_SECONDS = 2;

/** Meta, from the first case on that publishes an example. */
let messenger: MetaCloud | undefined;
export function metaOf({ standIns }: CaseWorld): MetaCloud {
	return (messenger ??= new MetaCloud(standIns));
}

/** An example that is published. */
interface Published {
	/** The addresses of its webhooks. */
	meta: string;
	others: string;
	/** So many executions that nobody has waited for, once they have ended. */
	ended(count: number): Promise<Execution[]>;
	/** The last of those. */
	last(): Execution | undefined;
}

/** Publishes an example with every service switched on. */
async function publish(world: CaseWorld, example: Workflow): Promise<Published> {
	const { client, credential, n8n } = world;
	// n8n registers its webhook there.
	const cloud = metaOf(world);
	const made = async (type: string, data: object) => ({
		[type]: await client.createCredential(type, type, data),
	});
	const answering = await made('whatsAppApi', {
		accessToken: 'access-token',
		businessAccountId: '1',
	});
	const ready = switchedOn(withCredential(example, credential), {
		'Meta Cloud API': await made('whatsAppTriggerApi', {
			clientId: 'app-1',
			clientSecret: APP_SECRET,
		}),
		Answer: answering,
		'Answer again': answering,
	});
	const wait = findNode(ready, 'Wait for more');
	if (wait) wait.parameters.amount = WAIT_SECONDS;
	const { id } = await client.createWorkflow(ready);
	await client.publishWorkflow(id);
	const { registered } = cloud;
	assert.ok(registered);
	assert.equal(registered.fields, '["messages","smb_message_echoes"]');
	const seen = new Set<string>();
	let executions: Execution[] = [];
	return {
		meta: String(registered.callback_url),
		others: `${n8n.url}/webhook/whatsapp`,
		async ended(count) {
			let ids: string[] = [];
			await until(async () => {
				const listed = await client.listExecutions(id);
				ids = listed.map((execution) => execution.id).filter((each) => !seen.has(each));
				return ids.length >= count;
			});
			for (const each of ids) seen.add(each);
			executions = await Promise.all(ids.map(async (each) => await client.finishedExecution(each)));
			return executions;
		},
		last: () => executions.at(-1),
	};
}

/** By name: published by the first case that needs it. */
const published = new Map<Workflow, Promise<Published>>();
export async function flowOf(world: CaseWorld, example: Workflow): Promise<Published> {
	const known = published.get(example) ?? publish(world, example);
	published.set(example, known);
	return await known;
}

/** Posts what a service posts. Meta signs it. */
export async function post(url: string, message: object): Promise<void> {
	const secret = url.endsWith('/whatsapp') ? undefined : APP_SECRET;
	const body = JSON.stringify(message);
	// https://developers.facebook.com/docs/graph-api/webhooks/getting-started
	const signature = secret && createHmac('sha256', secret).update(body).digest('hex');
	const signed = signature && { 'x-hub-signature-256': `sha256=${signature}` };
	const headers = { 'content-type': 'application/json', ...signed };
	const response = await fetch(url, { method: 'POST', headers, body });
	assert.equal(response.status, 200, await response.text());
}

export const leadOf = async ({ sandbox }: Readable, id: string) =>
	await sandbox.get<ShownLead>(`/leads/whatsapp-${id}`);

/** The texts of each conversation of a lead, sorted. */
export async function conversationsOf(
	world: Readable,
	{ id: leadId }: ShownLead,
): Promise<string[][]> {
	const texts: string[][] = [];
	for (const { id } of await recordsAt<ShownConversation>(
		world,
		`/leads/${leadId}/conversations`,
	)) {
		const logged = await recordsAt<ShownMessage>(world, `/conversations/${id}/messages`);
		texts.push(logged.map(({ content }) => content).sort());
	}
	return texts;
}

/** Each person has a number of their own, so that no case finds what another one made. */
let people = 0;
export const newPhone = () => `55119${String(80_000_000 + ++people)}`;

/** Cases whose names begin with that of the example. */
export const casesOfExample = (example: Workflow, runs: Runs): Array<Case<CaseWorld>> =>
	casesOf(
		Object.fromEntries(
			Object.entries(runs).map(([name, run]) => [`"${example.name}" ${name}`, run]),
		),
	);
