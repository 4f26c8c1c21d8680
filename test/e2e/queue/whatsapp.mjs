/**
 * Messages of WhatsApp that arrive at the same moment, in executions of several workers: what the turns of a process and
 * n8n's store of processed entries, which is read and written back, leave over.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

import lodash from 'lodash';

import { say } from '../../../scripts/lib/progress.mjs';
import { exampleNamed, nodeOf, recordsAt, save, until } from '../flow.mjs';
import { figures, withSandbox } from './setup.mjs';

const WAIT_SECONDS = 2;
/** After the last answer that was waited for, for one that should not come. */
const QUIET_MS = (WAIT_SECONDS + 3) * 1000;

/** Counts the answers to each person. */
async function startMessenger() {
	const answers = [];
	const server = createServer(async (request, response) => {
		answers.push((await json(request)).number);
		response.setHeader('content-type', 'application/json').end('{}');
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		answers,
		url: `http://127.0.0.1:${server.address().port}`,
		close: () => server.close(),
	};
}

/** The assistant with the webhook of the other example, as docs/recipes.md says. */
function assistantFor(url) {
	const workflow = structuredClone(exampleNamed('WhatsApp assistant'));
	const { parameters, type, typeVersion, webhookId } = nodeOf(
		exampleNamed('WhatsApp message → lead'),
		'Evolution, Chatwoot, WAHA or Z-API',
	);
	Object.assign(nodeOf(workflow, 'Meta Cloud API'), {
		...{ type, typeVersion, webhookId, parameters },
		disabled: false,
	});
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

const messageOf = (phone, text, id) => ({
	event: 'messages.upsert',
	instance: 'example',
	data: {
		key: { remoteJid: `${phone}@s.whatsapp.net`, fromMe: false, id },
		pushName: 'Example Contact',
		messageTimestamp: Math.floor(Date.now() / 1000),
		message: { conversation: text },
	},
});

/** Delivers messages of one person after another, those of each at once. @param {object[][]} bodies by person */
async function deliver({ client, queue, sandbox, ...world }, bodies) {
	const messenger = await startMessenger();
	const { id } = await save({ client, ...world }, assistantFor(messenger.url));
	await client.publishWorkflow(id);
	const post = async (body) => {
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
	const leads = await recordsAt({ sandbox }, '/leads');
	const messages = [];
	for (const lead of leads) {
		for (const conversation of await recordsAt({ sandbox }, `/leads/${lead.id}/conversations`)) {
			messages.push(
				...(await recordsAt({ sandbox }, `/conversations/${conversation.id}/messages`)),
			);
		}
	}
	const executions = await client.executionsOf(id);
	const workers = new Set(executions.map((each) => queue.workerOf(each.id)));
	return { answers: messenger.answers, leads, messages, workers, executions };
}

const more = (counted) => Object.values(counted).filter((count) => count > 1).length;

async function measure(world, name, bodies, distinct) {
	const { answers, leads, messages, workers, executions } = await deliver(world, bodies);
	const failed = executions.filter(({ status }) => status !== 'success').length;
	const logged = lodash.countBy(messages, 'content');
	const answered = lodash.countBy(answers);
	const never = distinct.filter((text) => !logged[text]).length;
	say(
		`  ${bodies.length} people, ${bodies.flat().length} deliveries on ${workers.size} workers: ${leads.length} leads, ` +
			`${more(logged)} messages logged twice, ${never} never, ${more(answered)} people answered more than once, ${failed} failed`,
	);
	const requests = await world.sandbox.control('requests');
	const twice = more(logged);
	world.figures.push(figures(name, { requests: requests.length, twice, never }));
	assert.equal(never, 0);
	assert.equal(Object.keys(answered).length, bodies.length);
	return { answered, workers };
}

const phoneOf = (n) => `55119${String(70_000_000 + n)}`;

export const casesFor = ({ short }) => {
	const people = Array.from({ length: short ? 10 : 40 }, (_, n) => n);
	return [
		{
			name: `a message that is delivered twice at the same moment is answered once (${people.length}x)`,
			hangMs: 600_000,
			run: async (world) =>
				await withSandbox(world, { name: 'whatsapp-twice' }, async (own) => {
					const bodies = people.map((n) => {
						const message = messageOf(phoneOf(n), `Message ${n}`, `3EB0${n}`);
						return [message, message];
					});
					const texts = people.map((n) => `Message ${n}`);
					const { answered } = await measure(own, 'a message delivered twice', bodies, texts);
					assert.equal(more(answered), 0);
				}),
		},
	];
};
