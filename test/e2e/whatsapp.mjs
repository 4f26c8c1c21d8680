/** The example "WhatsApp message → lead", from the webhook of each service to the answer that it gets. */
import assert from 'node:assert/strict';

import {
	readExamples,
	startNode,
	switchedOn,
	withCredential,
} from '../../scripts/lib/examples.mjs';
import { errorOf, includes, recordsAt } from './flow.mjs';
import { kindsOf, payload, signature } from './payloads.mjs';

const example = readExamples().find(({ name }) => name.startsWith('WhatsApp'));
const LEFT_OUT = ['group', 'reaction', 'change of number', 'status', 'edit', 'own'];
const WITHOUT_NUMBER = 'text without a number';
const NAMES = ['', '', ' 2', ' 3'].map((number) => `Example Contact${number}`);
const APP_SECRET = 'app-secret';
const SUBSCRIPTIONS = '/v19.0/app-1/subscriptions';

/** For each service, the request with the answer. */
const ANSWERS = {
	Meta: {
		host: 'graph.facebook.com',
		path: '/v13.0/100000000000001/messages',
		header: { name: 'authorization', value: 'Bearer access-token' },
		body: (to, body) => ({ messaging_product: 'whatsapp', type: 'text', to, text: { body } }),
	},
	Evolution: {
		host: 'evolution.example.com',
		path: '/message/sendText/example',
		header: { name: 'apikey', value: 'key-of-evolution' },
		body: (number, text) => ({ number, text }),
	},
	Chatwoot: {
		host: 'chatwoot.example.com',
		path: '/api/v1/accounts/1/conversations/10/messages',
		header: { name: 'api_access_token', value: 'key-of-chatwoot' },
		body: (_, content) => ({ content, message_type: 'outgoing' }),
	},
};
const SERVICES = Object.keys(ANSWERS);
const HOSTS = Object.values(ANSWERS).map(({ host }) => host);
/** Other workflows of the run may send requests too. */
const isAnswer = ({ host, path }) =>
	HOSTS.includes(host) && /\/(messages|sendText\/.*)$/.test(path);

/** Meta also registers the webhook. */
function asMeta({ method, path }) {
	if (path.endsWith('/oauth/access_token')) return { body: { access_token: 'app-token' } };
	if (path === SUBSCRIPTIONS) return { body: method === 'GET' ? { data: [] } : { success: true } };
	return { body: { messages: [{ id: 'wamid.ANSWER' }] } };
}

/** The first case that needs the example publishes it, with every service switched on. */
let published;
const flowOf = async (world) => await (published ??= publish(world));

async function publish({ client, credential, n8n, standIns }) {
	standIns.serve('graph.facebook.com', asMeta);
	standIns.serve('evolution.example.com', () => ({ status: 201, body: { status: 'PENDING' } }));
	standIns.serve('chatwoot.example.com', () => ({ body: { id: 1 } }));
	const made = async (type, data) => ({ [type]: await client.createCredential(type, type, data) });
	const app = { clientId: 'app-1', clientSecret: APP_SECRET };
	const access = { accessToken: 'access-token', businessAccountId: '1' };
	const ready = switchedOn(withCredential(example, credential), {
		'Meta Cloud API': await made('whatsAppTriggerApi', app),
		'Answer through Meta': await made('whatsAppApi', access),
		'Answer through Evolution': await made('httpHeaderAuth', ANSWERS.Evolution.header),
		'Answer through Chatwoot': await made('httpHeaderAuth', ANSWERS.Chatwoot.header),
	});
	const { id } = await client.createWorkflow(ready);
	await client.publishWorkflow(id);
	const { json: registered } = standIns
		.requestsTo('graph.facebook.com')
		.find(({ method, path }) => method === 'POST' && path === SUBSCRIPTIONS);
	const urls = {
		Meta: registered.callback_url,
		Evolution: `${n8n.url}/webhook/whatsapp-evolution`,
		Chatwoot: `${n8n.url}/webhook/whatsapp-chatwoot`,
	};
	return { id, registered, urls, last: '0' };
}

/** Posts to the webhook of a service, as the service does. */
async function post({ urls }, service, message, secret = APP_SECRET) {
	const body = JSON.stringify(message);
	const signed = service === 'Meta' && { 'x-hub-signature-256': signature(body, secret) };
	const headers = { 'content-type': 'application/json', ...signed };
	const response = await fetch(urls[service], { method: 'POST', headers, body });
	assert.equal(response.status, 200, await response.text());
}

/** Delivers a message, waits for the end of its execution, and returns the bodies of the answers. */
async function deliver(world, service, kind, content) {
	return await deliverPayload(world, service, payload(service, kind, content));
}

async function deliverPayload(world, service, message) {
	const flow = await flowOf(world);
	const { host, path, header } = ANSWERS[service];
	const before = world.standIns.requests.length;
	await post(flow, service, message);
	const execution = await world.client.nextExecution(flow.id, flow.last);
	flow.last = execution.id;
	assert.equal(execution.status, 'success', errorOf(execution)?.message);
	const answers = world.standIns.requests.slice(before).filter(isAnswer);
	for (const answer of answers) {
		includes(answer, { method: 'POST', host, path });
		assert.equal(answer.headers[header.name], header.value);
	}
	return answers.map(({ json }) => json);
}

/** Each person has a number of their own, so that no case finds what another one made. */
let people = 0;
const newPhone = () => `55119${String(30_000_000 + ++people)}`;
let messages = 0;
const newId = () => `MESSAGE-${++messages}`;

const answer = (service, phone, text) => [
	ANSWERS[service].body(phone, `Thank you, Example Contact! We received: ${text}`),
];
const leadOf = async ({ sandbox }, phone) => await sandbox.get(`/leads/whatsapp-${phone}`);
const leadsThereAre = async ({ sandbox }) => (await sandbox.control('state')).counts.leads;

/** The texts of each conversation of a lead, sorted. */
async function conversationsOf(world, leadId) {
	const conversations = await recordsAt(world, `/leads/${leadId}/conversations`);
	return await Promise.all(
		conversations.map(async ({ id }) => {
			const logged = await recordsAt(world, `/conversations/${id}/messages`);
			return logged.map(({ content }) => content).sort();
		}),
	);
}

const casesOf = (service) => [
	{
		name: `${service}: two messages of one person make one contact, one lead and one conversation`,
		async run(world) {
			const [phone, before] = [newPhone(), await leadsThereAre(world)];
			const say = async (text) =>
				await deliver(world, service, 'text', { phone, id: newId(), text });
			assert.deepEqual(
				await say('Hello'),
				answer(service, phone, '"Hello". We will answer you here.'),
			);
			assert.deepEqual(await say('Still there?'), answer(service, phone, '"Still there?".'));
			assert.equal(await leadsThereAre(world), before + 1);
			const { id, source, contact } = await leadOf(world, phone);
			assert.deepEqual([source, contact.name], ['whatsapp', 'Example Contact']);
			const found = await recordsAt(world, `/contacts?search=${encodeURIComponent(phone)}`);
			assert.deepEqual(
				found.map((each) => [each.id, each.phone]),
				[[contact.id, `+${phone}`]],
			);
			assert.deepEqual(await conversationsOf(world, id), [['Hello', 'Still there?']]);
		},
	},
	{
		name: `${service}: a message with a code is linked to the lead of that code`,
		async run(world) {
			const [phone, protocol] = [newPhone(), `ML-E2E1-${people}`];
			const { id } = await world.sandbox.control('createLead', { protocol });
			const before = await leadsThereAre(world);
			const text = `Good morning, I come from ${protocol}.`;
			assert.deepEqual(
				await deliver(world, service, 'text', { phone, id: newId(), text }),
				answer(service, phone, `"${text}". Your code: ${protocol}. We will answer you here.`),
			);
			assert.equal(await leadsThereAre(world), before);
			const { contact } = await world.sandbox.get(`/leads/${id}`);
			includes(await world.sandbox.get(`/contacts/${contact.id}`), { phone: `+${phone}` });
			assert.deepEqual(await conversationsOf(world, id), [[text]]);
		},
	},
	{
		name: `${service}: a message is logged by its text, the title of its button or its caption`,
		async run(world) {
			const others = [...LEFT_OUT, WITHOUT_NUMBER];
			for (const kind of kindsOf(service).filter((each) => !others.includes(each))) {
				const [phone, text] = [newPhone(), `Example of ${kind}`];
				const logged = kind === 'voice' ? '[audio]' : text;
				assert.deepEqual(
					await deliver(world, service, kind, { phone, id: newId(), text }),
					answer(service, phone, `"${logged}". We will answer you here.`),
					kind,
				);
				const { id } = await leadOf(world, phone);
				assert.deepEqual(await conversationsOf(world, id), [[logged]], kind);
			}
		},
	},
	{
		name: `${service}: a message that is delivered again is logged and answered once`,
		async run(world) {
			const content = { phone: newPhone(), id: newId(), text: 'Hello' };
			assert.equal((await deliver(world, service, 'text', content)).length, 1);
			assert.deepEqual(await deliver(world, service, 'text', content), []);
			const { id } = await leadOf(world, content.phone);
			assert.deepEqual(await conversationsOf(world, id), [['Hello']]);
		},
	},
	{
		name: `${service}: groups, reactions, delivery statuses, edits and own messages are left out`,
		async run(world) {
			const before = (await world.sandbox.control('requests')).length;
			for (const kind of kindsOf(service).filter((each) => LEFT_OUT.includes(each))) {
				const content = { phone: newPhone(), id: newId(), text: 'Not for the lead' };
				// n8n itself drops what is only a status, so that no execution begins.
				if (service === 'Meta' && kind === 'status') {
					await post(await flowOf(world), service, payload(service, kind, content));
				} else {
					assert.deepEqual(await deliver(world, service, kind, content), [], kind);
				}
			}
			assert.equal((await world.sandbox.control('requests')).length, before);
		},
	},
];

export const cases = [
	{
		name: 'the example is tried with one click, twice the same way, and answers nobody',
		async run(world) {
			const before = world.standIns.requests.length;
			const { id } = await world.client.createWorkflow(withCredential(example, world.credential));
			for (const time of ['first', 'second']) {
				const execution = await world.client.runWorkflow(id, startNode(example));
				assert.equal(execution.status, 'success', `${time} run: ${errorOf(execution)?.message}`);
				const runs = execution.data.resultData.runData['Not sent'].map(({ data }) => data.main[0]);
				assert.deepEqual(
					runs.flat().map(({ json }) => json.answer.replace(/ We will answer you here\.$/, '')),
					[
						'"Hello, I come from the link ML-AB12-CD34". Your code: ML-AB12-CD34.',
						'"Book a visit".',
						'"How much is this one?".',
						'"Are you open on Saturdays?".',
					].map((text, i) => `Thank you, ${NAMES[i]}! We received: ${text}`),
					time,
				);
			}
			assert.deepEqual(world.standIns.requests.slice(before).filter(isAnswer), []);
		},
	},
	{
		name: 'Meta: the webhook is registered, confirms itself, and takes only what Meta has signed',
		async run(world) {
			const flow = await flowOf(world);
			includes(flow.registered, { object: 'whatsapp_business_account', fields: '["messages"]' });
			const { callback_url: url, verify_token: token } = flow.registered;
			const challenge = new URLSearchParams({
				'hub.mode': 'subscribe',
				'hub.verify_token': token,
				'hub.challenge': '1158201444',
			});
			assert.equal(await (await fetch(`${url}?${challenge}`)).text(), '1158201444');
			const before = await leadsThereAre(world);
			const forged = { phone: newPhone(), id: newId(), text: 'Forged' };
			await post(flow, 'Meta', payload('Meta', 'text', forged), 'another secret');
			assert.equal(
				(await deliver(world, 'Meta', 'text', { ...forged, phone: newPhone() })).length,
				1,
			);
			assert.equal(await leadsThereAre(world), before + 1);
		},
	},
	...SERVICES.flatMap(casesOf),
	{
		name: 'Evolution: a person without a name is answered, and one without a number fails visibly',
		async run(world) {
			const phone = newPhone();
			const nameless = payload('Evolution', 'text', { phone, id: newId(), text: 'Hello' });
			delete nameless.data.pushName;
			assert.deepEqual(await deliverPayload(world, 'Evolution', nameless), [
				ANSWERS.Evolution.body(phone, 'Thank you! We received: "Hello". We will answer you here.'),
			]);
			const hidden = { phone, id: newId(), text: 'Hello' };
			await assert.rejects(
				deliver(world, 'Evolution', WITHOUT_NUMBER, hidden),
				/is an ID by which WhatsApp hides the number/,
			);
		},
	},
	{
		name: 'message IDs are forgotten every night, before there are too many for n8n',
		async run(world) {
			const content = { phone: newPhone(), id: newId(), text: 'Hello' };
			assert.equal((await deliver(world, 'Meta', 'text', content)).length, 1);
			const flow = await flowOf(world);
			const execution = await world.client.runWorkflow(flow.id, 'Every night');
			assert.equal(execution.status, 'success', errorOf(execution)?.message);
			flow.last = execution.id;
			assert.equal((await deliver(world, 'Meta', 'text', content)).length, 1);
		},
	},
];
