/** The examples "WhatsApp message → lead" and "WhatsApp assistant", from real webhooks to the service and to the answer. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Case } from '../../scripts/lib/cases.mts';
import { switchedOn, withCredential } from '../../scripts/lib/examples.mts';
import type { Execution, Workflow } from '../../scripts/lib/workflow.mts';
import { echo, evolution, message, meta } from '../helpers/webhooks.mts';
import {
	casesOf,
	errorOf,
	exampleNamed,
	findNode,
	itemsOf,
	jsonOf,
	nodeOf,
	recordsAt,
	runTwice,
	until,
	type Readable,
	type Runs,
} from './flow.mts';
import { MetaCloud } from './metaCloud.mts';
import type { ListedLead, ShownConversation, ShownLead, ShownMessage } from './records.mts';
import { restartableN8n } from './restartable.mts';
import type { CaseWorld } from './world.mts';

const logs = exampleNamed('WhatsApp message → lead');
const assistant = exampleNamed('WhatsApp assistant');
const APP_SECRET = 'app-secret';
/** How long the assistant waits for more messages; shorter here than in the example. */
const WAIT_SECONDS = 2;

/** Meta, from the first case on that publishes an example. */
let messenger: MetaCloud | undefined;
function metaOf({ standIns }: CaseWorld): MetaCloud {
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
async function flowOf(world: CaseWorld, example: Workflow): Promise<Published> {
	const known = published.get(example) ?? publish(world, example);
	published.set(example, known);
	return await known;
}

/** Posts what a service posts. Meta signs it. */
async function post(url: string, message: object): Promise<void> {
	const secret = url.endsWith('/whatsapp') ? undefined : APP_SECRET;
	const body = JSON.stringify(message);
	// https://developers.facebook.com/docs/graph-api/webhooks/getting-started
	const signature = secret && createHmac('sha256', secret).update(body).digest('hex');
	const signed = signature && { 'x-hub-signature-256': `sha256=${signature}` };
	const headers = { 'content-type': 'application/json', ...signed };
	const response = await fetch(url, { method: 'POST', headers, body });
	assert.equal(response.status, 200, await response.text());
}

const leadOf = async ({ sandbox }: Readable, id: string) =>
	await sandbox.get<ShownLead>(`/leads/whatsapp-${id}`);

/** The texts of each conversation of a lead, sorted. */
async function conversationsOf(world: Readable, { id: leadId }: ShownLead): Promise<string[][]> {
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
const newPhone = () => `55119${String(80_000_000 + ++people)}`;
const said = (from: string, text: string) => meta(message(text, { from }));

const LOGS: Runs = {
	async 'is tried with one click, twice'(world) {
		for (const execution of await runTwice(world, logs)) {
			const items = jsonOf(execution, 'Log the messages');
			assert.deepEqual(
				items.map(({ text, answer }) => [text, answer]),
				[
					['Hello, I come from the link ML-AB12-CD34', true],
					['Book a visit', true],
					['How much is this one?', true],
					['Are you open on Saturdays?', true],
				],
			);
		}
	},
	async 'an outage of 20 seconds costs none of 20 messages'(world) {
		const flow = await flowOf(world, logs);
		const people = Array.from({ length: 20 }, newPhone);
		await world.sandbox.control('fault', { kind: 'status', status: 503, times: 10_000 });
		await Promise.all(people.map((phone) => post(flow.others, evolution(phone, 'Hello'))));
		await sleep(20_000);
		await world.sandbox.control('clearFaults');
		const ended = await flow.ended(people.length);
		assert.deepEqual(new Set(ended.map(({ status }) => status)), new Set(['success']));
		for (const phone of people) {
			assert.deepEqual(await conversationsOf(world, await leadOf(world, phone)), [['Hello']]);
		}
	},
	// The service has its answer, so it does not deliver the message again; if it does, it is left out.
	async 'logs a message during which n8n was killed when its execution is retried'(world) {
		const n8n = await restartableN8n(world, 'killed');
		const { client, credential } = n8n;
		const example = withCredential(structuredClone(logs), credential);
		delete nodeOf(example, 'Evolution, Chatwoot, WAHA or Z-API').disabled;
		const { id } = await client.createWorkflow(example);
		await client.publishWorkflow(id);
		const url = `${client.url}/webhook/whatsapp`;
		const phone = newPhone();
		const message = evolution(phone, 'Killed');
		await world.sandbox.control('latency', { ms: 1500 });
		await post(url, message);
		await until(async () => (await world.sandbox.control('traffic')).inFlight > 0);
		await n8n.kill();
		await world.sandbox.control('latency', { ms: 0 });
		await n8n.start();
		await post(url, message);
		const again = await client.nextExecution(id, '1');
		assert.deepEqual(itemsOf(again, 'Log the messages'), []);
		assert.equal((await client.finishedExecution('1')).status, 'crashed');
		await client.retryExecution('1', { loadWorkflow: true });
		const retried = await client.nextExecution(id, again.id);
		assert.equal(retried.status, 'success', errorOf(retried)?.message);
		assert.deepEqual(await conversationsOf(world, await leadOf(world, phone)), [['Killed']]);
		await n8n.stop();
	},
};

const thanks = (text: string) => `Thank you! We received: "${text}". We will answer you here.`;
/** An answer as it is in the conversation. */
const logged = (text: string) => `[by the assistant] ${thanks(text)}`;

/** Delivers webhooks to the assistant at once, waits for the ends of their executions, and returns what people got. */
async function answersTo(
	world: CaseWorld,
	bodies: object[],
	status = 'success',
): Promise<Array<[to: string, text: string]>> {
	const flow = await flowOf(world, assistant);
	const messenger = metaOf(world);
	const before = messenger.delivered.length;
	await Promise.all(bodies.map((body) => post(flow.meta, body)));
	for (const execution of await flow.ended(bodies.length)) {
		assert.equal(execution.status, status, errorOf(execution)?.message);
	}
	assert.deepEqual(messenger.refused, []);
	return messenger.delivered.slice(before).map(({ to, text }) => [String(to), String(text)]);
}

const ANSWERS: Runs = {
	// Before any other case: the table is not there yet, and each of them makes it.
	async 'answers the first eight people, who write at once'(world) {
		const phones = Array.from({ length: 8 }, newPhone);
		const answers = await answersTo(
			world,
			phones.map((phone) => said(phone, 'Hello')),
		);
		assert.deepEqual(
			answers.sort(),
			phones.map((phone) => [phone, thanks('Hello')]),
		);
	},
	async 'is tried with one click, twice, and answers nobody'(world) {
		for (const execution of await runTwice(world, assistant)) {
			const texts = jsonOf(execution, 'Answer').map(({ text }) => text);
			assert.deepEqual(texts.sort(), [
				thanks('Are you open on Saturdays?'),
				thanks('Hello, I come from the link ML-AB12-CD34'),
				thanks('How much is this one?'),
			]);
		}
	},
	async 'answers a message once, also when it is delivered again at the same moment or later'(
		world,
	) {
		const phone = newPhone();
		const hello = said(phone, 'Hello');
		assert.deepEqual(await answersTo(world, [hello, hello]), [[phone, thanks('Hello')]]);
		assert.deepEqual(await answersTo(world, [hello]), []);
		assert.deepEqual(await conversationsOf(world, await leadOf(world, phone)), [
			['Hello', logged('Hello')],
		]);
	},
	async 'gives several messages in a row one answer'(world) {
		const phone = newPhone();
		const texts = ['1', '2', '3', '4', '5', '6', '7', '8'];
		const answers = await answersTo(
			world,
			texts.map((text) => said(phone, text)),
		);
		assert.equal(answers.length, 1);
		const answer = answers[0][1];
		assert.deepEqual(await conversationsOf(world, await leadOf(world, phone)), [
			[...texts, `[by the assistant] ${answer}`],
		]);
	},
	async 'is silent when one of the business has taken over, until the tag is removed'(world) {
		const phone = newPhone();
		assert.equal((await answersTo(world, [said(phone, 'Hello')])).length, 1);
		assert.deepEqual(await answersTo(world, [echo('I am here', { to: phone })]), []);
		assert.deepEqual(await answersTo(world, [said(phone, 'Good')]), []);
		const lead = await leadOf(world, phone);
		assert.deepEqual(lead.tags, ['with a person']);
		assert.deepEqual(await conversationsOf(world, lead), [
			['Good', 'Hello', logged('Hello'), '[by the team] I am here'],
		]);
		await world.sandbox.control('changeLead', { id: lead.id, tags: [] });
		assert.equal((await answersTo(world, [said(phone, 'Thanks')])).length, 1);
	},
	async 'answers a person at most five times an hour'(world) {
		const phone = newPhone();
		const counts: number[] = [];
		for (const n of [1, 2, 3, 4, 5, 6, 7]) {
			counts.push((await answersTo(world, [said(phone, `Message ${n}`)])).length);
		}
		// An hour may begin meanwhile.
		assert.ok(
			/^1,1,1,1,1,0,0$/.test(String(counts)) || new Date().getMinutes() === 0,
			String(counts),
		);
	},
	// Of one webhook, the first is refused: the other is logged beside it, and answered with it.
	async 'logs and answers what failed when its execution is retried, each once'(world) {
		const flow = await flowOf(world, assistant);
		const phones = [newPhone(), newPhone()];
		const [delivery, other] = phones.map((phone) => said(phone, 'Hello'));
		delivery.entry[0].changes.push(...other.entry[0].changes);
		const match = { method: 'POST', path: 'messages$' };
		await world.sandbox.control('fault', { kind: 'status', status: 422, match });
		assert.deepEqual(await answersTo(world, [delivery], 'error'), []);
		const failed = flow.last();
		assert.ok(failed);
		assert.equal(failed.data.resultData.lastNodeExecuted, 'Log the messages');
		assert.match(errorOf(failed)?.message ?? '', /did not accept/);
		const messenger = metaOf(world);
		const before = messenger.delivered.length;
		await world.client.retryExecution(failed.id, { loadWorkflow: true });
		const [retried] = await flow.ended(1);
		assert.equal(retried.status, 'success', errorOf(retried)?.message);
		const answers = messenger.delivered.slice(before).map(({ to, text }) => [to, text]);
		assert.deepEqual(
			answers.sort(),
			phones.map((phone) => [phone, thanks('Hello')]),
		);
		for (const phone of phones) {
			assert.deepEqual(await conversationsOf(world, await leadOf(world, phone)), [
				['Hello', logged('Hello')],
			]);
		}
	},
	async 'answers once when Meta fails with 503, and logs what it answered as its own'(world) {
		const phone = newPhone();
		await flowOf(world, assistant);
		metaOf(world).failing = 2;
		const answers = await answersTo(world, [said(phone, 'Hello')]);
		assert.deepEqual(answers, [[phone, thanks('Hello')]]);
		const lead = await leadOf(world, phone);
		assert.deepEqual(await conversationsOf(world, lead), [['Hello', logged('Hello')]]);
		// What the API of a service has sent comes back in its webhook.
		const flow = await flowOf(world, logs);
		const key = { fromMe: true, id: `3EB0${'A'.repeat(36)}` };
		await post(flow.others, evolution(phone, thanks('Hello'), key));
		await flow.ended(1);
		assert.deepEqual((await leadOf(world, phone)).tags, lead.tags);
		assert.deepEqual(await conversationsOf(world, lead), [['Hello', logged('Hello')]]);
		assert.equal((await answersTo(world, [said(phone, 'Thanks')])).length, 1);
	},
	async 'is silent when a colleague answers while it waits'(world) {
		const flow = await flowOf(world, assistant);
		const phone = newPhone();
		const messenger = metaOf(world);
		const before = messenger.delivered.length;
		await post(flow.meta, said(phone, 'Hello'));
		const isLogged = async () =>
			(await recordsAt<ListedLead>(world, `/leads?search=${phone}`)).length > 0 &&
			(await conversationsOf(world, await leadOf(world, phone))).flat().length > 0;
		await until(isLogged);
		const { id } = await leadOf(world, phone);
		await world.sandbox.control('changeLead', { id, tags: ['with a person'] });
		const [execution] = await flow.ended(1);
		assert.equal(execution.status, 'success', errorOf(execution)?.message);
		assert.equal(itemsOf(execution, 'Look again').length, 1);
		assert.equal(messenger.delivered.length, before);
	},
	async 'answers the others of a delivery when Meta refuses one, and is red'(world) {
		const [unreachable, other] = [newPhone(), newPhone()];
		metaOf(world).unreachable.add(unreachable);
		const delivery = said(unreachable, 'One');
		delivery.entry[0].changes.push(said(other, 'Two').entry[0].changes[0]);
		const answers = await answersTo(world, [delivery], 'error');
		assert.deepEqual(answers, [[other, thanks('Two')]]);
	},
};

const prefixed = (example: Workflow, runs: Runs): Array<Case<CaseWorld>> =>
	casesOf(
		Object.fromEntries(
			Object.entries(runs).map(([name, run]) => [`"${example.name}" ${name}`, run]),
		),
	);

export const cases = [...prefixed(logs, LOGS), ...prefixed(assistant, ANSWERS)];
