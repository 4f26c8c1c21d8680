/**
 * Messages of WhatsApp that arrive at the same moment, in executions of several workers: what the turns of a process and
 * n8n's store of processed entries, which is read and written back, leave over.
 */
import assert from 'node:assert/strict';
import { json } from 'node:stream/consumers';

import lodash from 'lodash';

import type { Case } from '../../../scripts/lib/cases.mts';
import { serveLoopback, type LoopbackServer } from '../../../scripts/lib/loopback.mts';
import type { Workflow } from '../../../scripts/lib/workflow.mts';
import { evolution } from '../../helpers/webhooks.mts';
import { exampleNamed, nodeOf, recordsAt, save, until } from '../flow.mts';
import type { ListedLead, ShownConversation, ShownMessage } from '../records.mts';
import type { QueueCaseWorld, QueueWorld } from '../world.mts';
import { figures, withSandbox } from './setup.mts';

const WAIT_SECONDS = 2;
/** After the last answer that was waited for, for one that should not come. */
const QUIET_MS = (WAIT_SECONDS + 3) * 1000;

/** Counts the answers to each person. */
async function startMessenger(): Promise<LoopbackServer & { answers: string[] }> {
	const answers: string[] = [];
	const server = await serveLoopback(async (request, response) => {
		answers.push(((await json(request)) as { number: string }).number);
		response.setHeader('content-type', 'application/json').end('{}');
	});
	return { ...server, answers };
}

/** The assistant with the webhook of the other example, as docs/recipes.md says. */
function assistantFor(url: string): Workflow {
	const workflow = structuredClone(exampleNamed('WhatsApp assistant'));
	const { parameters, type, typeVersion, webhookId } = nodeOf(
		exampleNamed('WhatsApp message → lead'),
		'Evolution, Chatwoot, WAHA or Z-API',
	);
	Object.assign(nodeOf(workflow, 'Meta Cloud API'), {
		...{ type, typeVersion, webhookId, parameters },
		disabled: false,
	});
	// No node but this one sends anything here, and none logs it.
	Object.assign(nodeOf(workflow, 'Answer'), {
		disabled: false,
		parameters: {
			method: 'POST',
			url,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ { ...$json.replyTo, text: $json.text } }}',
		},
	});
	nodeOf(workflow, 'Wait for more').parameters.amount = WAIT_SECONDS;
	return workflow;
}

/** Delivers messages of one person after another, those of each at once. @param bodies by person */
async function deliver(
	{ client, queue, sandbox, ...world }: QueueCaseWorld,
	bodies: object[][],
): Promise<{ answers: string[]; messages: ShownMessage[] }> {
	const messenger = await startMessenger();
	const { id } = await save({ client, ...world }, assistantFor(messenger.url));
	await client.publishWorkflow(id);
	const post = async (body: object) => {
		const headers = { 'content-type': 'application/json' };
		const request = { method: 'POST', headers, body: JSON.stringify(body) };
		assert.equal((await fetch(`${queue.url}/webhook/whatsapp`, request)).status, 200);
	};
	for (const [n, ofPerson] of bodies.entries()) {
		await Promise.all(ofPerson.map(post));
		await until(() => new Set(messenger.answers).size > n);
	}
	await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
	await client.unpublishWorkflow(id);
	messenger.close();
	const leads = await recordsAt<ListedLead>({ sandbox }, '/leads');
	const messages: ShownMessage[] = [];
	for (const lead of leads) {
		const path = `/leads/${lead.id}/conversations`;
		for (const { id } of await recordsAt<ShownConversation>({ sandbox }, path)) {
			const logged = recordsAt<ShownMessage>({ sandbox }, `/conversations/${id}/messages`);
			messages.push(...(await logged));
		}
	}
	return { answers: messenger.answers, messages };
}

const more = (counted: Record<string, number>): number =>
	Object.values(counted).filter((count) => count > 1).length;

const PEOPLE = Array.from({ length: 10 }, (_, n) => `55119${String(70_000_000 + n)}`);

async function answerOnce(world: QueueCaseWorld): Promise<void> {
	const bodies = PEOPLE.map((phone, n) => {
		const message = evolution(phone, `Message ${n}`);
		return [message, message];
	});
	const { answers, messages } = await deliver(world, bodies);
	const [logged, answered] = [lodash.countBy(messages, 'content'), lodash.countBy(answers)];
	const never = PEOPLE.filter((_, n) => !logged[`Message ${n}`]).length;
	const requests = (await world.sandbox.control('requests')).length;
	world.figures.push(
		figures('a message delivered twice', { requests, twice: more(logged), never }),
	);
	assert.deepEqual([never, Object.keys(answered).length, more(answered)], [0, PEOPLE.length, 0]);
}

export const casesFor = (): Array<Case<QueueWorld>> => [
	{
		name: `a message that is delivered twice at the same moment is answered once (${PEOPLE.length}x)`,
		hangMs: 600_000,
		run: async (world: QueueWorld) =>
			await withSandbox(world, { name: 'whatsapp-twice' }, answerOnce),
	},
];
