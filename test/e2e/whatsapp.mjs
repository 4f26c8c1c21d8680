/** The example "WhatsApp message → lead", from the webhook of each service to the answer that it gets. */
import assert from 'node:assert/strict';

import { tsImport } from 'tsx/esm/api';

import { needsOf, switchedOn, withCredential } from '../../scripts/lib/examples.mjs';
import {
	casesOf,
	errorOf,
	exampleNamed,
	includes,
	nodeOf,
	recordsAt,
	runTwice,
	until,
} from './flow.mjs';

const { Messengers } = await tsImport('./messengers.mts', import.meta.url);
const { expectation, kindsOf, payload, services, signature } = await tsImport(
	'./payloads.mts',
	import.meta.url,
);

const example = exampleNamed('WhatsApp');
const APP_SECRET = 'app-secret';
/** Messages that the flow waits for before it answers; shorter here than in the example. */
const WAIT_SECONDS = 2;
/** Of messages with this word, so that a busy machine starts with all of them in time. */
const [SEVERAL, LONG_WAIT_SECONDS] = ['several', 8];

/** The first case that needs the example publishes it, with every service switched on. */
let published;
const flowOf = async (world) => await (published ??= publish(world));

async function publish({ client, credential, n8n, standIns }) {
	const messengers = new Messengers((host, handler) => standIns.serve(host, handler));
	const made = async (type, data) => ({ [type]: await client.createCredential(type, type, data) });
	const header = async (name, value) => await made('httpHeaderAuth', { name, value });
	const access = await made('whatsAppApi', { accessToken: 'access-token', businessAccountId: '1' });
	const ready = switchedOn(withCredential(example, credential), {
		'Meta Cloud API': await made('whatsAppTriggerApi', {
			clientId: 'app-1',
			clientSecret: APP_SECRET,
		}),
		'Answer through Meta': access,
		'Ask for the number': access,
		'Answer through Evolution': await header('apikey', 'key-of-evolution'),
		'Answer through Chatwoot': await header('api_access_token', 'key-of-chatwoot'),
		'Answer through WAHA': await header('X-Api-Key', 'key-of-waha'),
		'Answer through Z-API': await header('Client-Token', 'key-of-zapi'),
	});
	nodeOf(ready, 'Wait for more').parameters.amount =
		`={{ String($('Who is it?').item.json.text).includes('${SEVERAL}') ? ${LONG_WAIT_SECONDS} : ${WAIT_SECONDS} }}`;
	const { id } = await client.createWorkflow(ready);
	await client.publishWorkflow(id);
	const urls = { Meta: messengers.registered.callback_url };
	for (const service of services.slice(1)) {
		const path = service.toLowerCase().replace('-', '');
		urls[service] = `${n8n.url}/webhook/whatsapp-${path}`;
	}
	return { id, messengers, urls, last: '0' };
}

/** Posts to the webhook of a service, as the service does. */
async function post({ urls }, service, message, secret = APP_SECRET) {
	const body = JSON.stringify(message);
	const signed = service === 'Meta' && { 'x-hub-signature-256': signature(body, secret) };
	const headers = { 'content-type': 'application/json', ...signed };
	const response = await fetch(urls[service], { method: 'POST', headers, body });
	assert.equal(response.status, 200, await response.text());
}

/** Delivers a message, waits for the end of its execution, and returns what people got. */
const deliver = async (world, service, kind, content) =>
	await deliverPayload(world, service, payload(service, kind, content));

async function deliverPayload(world, service, message, status = 'success') {
	const flow = await flowOf(world);
	const { messengers } = flow;
	const before = messengers.delivered.length;
	await post(flow, service, message);
	const execution = await world.client.nextExecution(flow.id, flow.last);
	flow.last = execution.id;
	assert.equal(execution.status, status, errorOf(execution)?.message);
	flow.error = errorOf(execution)?.message;
	assert.deepEqual([messengers.undelivered, messengers.refused], [[], []]);
	return messengers.delivered.slice(before).map(({ to, text }) => [to, text]);
}

/** Each person has a number of their own, so that no case finds what another one made. */
let people = 0;
const newPhone = () => `55119${String(70_000_000 + ++people)}`;
let messages = 0;
const say = (phone, text, more) => ({ phone, id: `MESSAGE-${++messages}`, text, ...more });

const thanks = (text) => `Thank you, Example Contact! We received: "${text}".`;
const HERE = ' We will answer you here.';
/** To whom an answer goes. */
const toOf = (service, phone) =>
	({ Chatwoot: 'conversation', WAHA: `${phone}@c.us` })[service] ?? phone;
const idOf = (service, phone) =>
	service === 'Chatwoot' ? `chatwoot-${phone.slice(-9).replace(/^0+/, '')}` : phone;
const leadOf = async ({ sandbox }, id) => await sandbox.get(`/leads/whatsapp-${id}`);
const countOf = async (name, { sandbox }) => (await sandbox.control('state')).counts[name];
const leadsThereAre = async (world) => await countOf('leads', world);
/** The phone of the contact of a lead. */
const phoneOf = async ({ sandbox }, { contact }) =>
	(await sandbox.get(`/contacts/${contact.id}`)).phone;

/** The texts of each conversation of a lead, sorted. */
async function conversationsOf(world, leadId) {
	const texts = [];
	for (const { id } of await recordsAt(world, `/leads/${leadId}/conversations`)) {
		const logged = await recordsAt(world, `/conversations/${id}/messages`);
		texts.push(logged.map(({ content }) => content).sort());
	}
	return texts;
}

/** In how many ways a service writes is shown by test/pure/whatsappFlow.test.mts; here, that each is connected. */
const runsOf = (service) => ({
	async [`${service}: messages of one person make one lead and conversation, each answered once`](
		world,
	) {
		const [phone, before] = [newPhone(), await leadsThereAre(world)];
		const answersTo = async (kind, content) => await deliver(world, service, kind, content);
		const [hello, still] = [say(phone, 'Hello'), say(phone, 'Still there?')];
		const to = toOf(service, phone);
		assert.deepEqual(await answersTo('text', hello), [[to, thanks('Hello') + HERE]]);
		assert.deepEqual(await answersTo('text', still), [[to, thanks('Still there?')]]);
		assert.deepEqual(await answersTo('text', still), [], 'delivered again');
		const isNone = (kind) => !expectation(service, kind, hello) && !/status/.test(kind);
		const [none] = kindsOf(service).filter(isNone);
		assert.deepEqual(await answersTo(none, say(newPhone(), 'Not for the lead')), [], none);

		assert.equal(await leadsThereAre(world), before + 1);
		const { id, source, contact } = await leadOf(world, idOf(service, phone));
		assert.deepEqual([source, contact.name], ['whatsapp', 'Example Contact']);
		const [found, ...others] = await recordsAt(world, `/contacts?search=${phone}`);
		assert.deepEqual([found.id, found.phone, others], [contact.id, `+${phone}`, []]);
		assert.deepEqual(await conversationsOf(world, id), [['Hello', 'Still there?']]);
	},
	async [`${service}: somebody without a number becomes a lead, and is answered`](world) {
		const phone = newPhone();
		const content = say(phone, 'Hello');
		const { person, to } = expectation(service, 'text without a number', content);
		const hiddenTo = { Meta: person, Evolution: `1${phone}@lid`, Chatwoot: 'conversation' };
		assert.deepEqual(await deliver(world, service, 'text without a number', content), [
			// The node is off unless it is switched on, as here.
			...(service === 'Meta' ? [[person, 'request_contact_info']] : []),
			[to ?? hiddenTo[service], thanks('Hello') + HERE],
		]);
		const lead = await leadOf(world, person);
		includes(lead.contact, { name: 'Example Contact' });
		assert.equal(await phoneOf(world, lead), null);
		// The number becomes known.
		const known = {
			Chatwoot: 'text',
			Meta: 'text of a username with a number',
			WAHA: 'text of a hidden number, NOWEB',
			'Z-API': 'text',
			Evolution: 'text of a hidden number, 2.3.0',
		};
		const before = await leadsThereAre(world);
		await deliver(world, service, known[service], say(phone, 'Me again'));
		assert.equal(await leadsThereAre(world), before);
		assert.equal(await phoneOf(world, await leadOf(world, person)), `+${phone}`);
		assert.deepEqual(await conversationsOf(world, lead.id), [['Hello', 'Me again']]);
	},
});

const RUNS = {
	async 'the example is tried with one click, twice the same way, and answers nobody'(world) {
		for (const execution of await runTwice(world, example)) {
			const runs = execution.data.resultData.runData['Not sent'];
			const items = runs.flatMap(({ data }) => data.main[0]);
			// In which order people are answered does not matter.
			assert.deepEqual(items.map(({ json }) => json.answer.replace(HERE, '')).sort(), [
				'Thank you, Example Contact 2! We received: "How much is this one?".',
				'Thank you, Example Contact 3! We received: "Are you open on Saturdays?".',
				'Thank you, Example Contact! We received: "Hello, I come from the link ML-AB12-CD34". Your code: ML-AB12-CD34.',
			]);
		}
	},
	async 'Meta: the webhook is registered, confirms itself, and takes only what is signed'(world) {
		const flow = await flowOf(world);
		const { object, fields, callback_url: url, verify_token: token } = flow.messengers.registered;
		assert.equal(object, 'whatsapp_business_account');
		assert.equal(fields, '["messages","smb_message_echoes"]');
		const challenge = `hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=1158201444`;
		assert.equal(await (await fetch(`${url}?${challenge}`)).text(), '1158201444');
		const before = await leadsThereAre(world);
		const forged = payload('Meta', 'text', say(newPhone(), 'Forged'));
		await post(flow, 'Meta', forged, 'another secret');
		assert.equal((await deliver(world, 'Meta', 'text', say(newPhone(), 'Hello'))).length, 1);
		assert.equal(await leadsThereAre(world), before + 1);
	},
	async 'WAHA: a message with a code belongs to the lead of that code, and so does the next'(
		world,
	) {
		const [phone, protocol] = [newPhone(), `ML-E2E1-${people}`];
		const { id } = await world.sandbox.control('createLead', { protocol });
		const before = await leadsThereAre(world);
		const text = `Good morning, I come from ${protocol}.`;
		assert.deepEqual(await deliver(world, 'WAHA', 'text', say(phone, text)), [
			[toOf('WAHA', phone), `${thanks(text)} Your code: ${protocol}.${HERE}`],
		]);
		await deliver(world, 'WAHA', 'text', say(phone, 'Hello?'));
		assert.equal(await leadsThereAre(world), before);
		const lead = await world.sandbox.get(`/leads/${id}`);
		assert.equal(await phoneOf(world, lead), `+${phone}`);
		assert.deepEqual(await conversationsOf(world, id), [[text, 'Hello?']]);
	},
	async 'Meta: nobody of a delivery stops the others, and what failed is named'(world) {
		const { messengers } = await flowOf(world);
		const [hidden, unreachable, unlucky, last] = [1, 2, 3, 4].map(newPhone);
		messengers.unreachable.add(unreachable);
		const before = await leadsThereAre(world);
		const match = { method: 'POST', path: 'interactions' };
		await world.sandbox.control('fault', { kind: 'status', status: 422, match });
		const [delivery, ...more] = [
			payload('Meta', 'text without a number', say(hidden, 'One')),
			payload('Meta', 'text', say(unreachable, 'Two')),
			payload('Meta', 'text from an ad', say(unlucky, 'Three')),
			payload('Meta', 'unsupported', say(newPhone(), '')),
			payload('Meta', 'text', say(last, 'Four')),
		];
		delivery.entry[0].changes.push(...more.flatMap(({ entry }) => entry[0].changes));
		const answers = await deliverPayload(world, 'Meta', delivery, 'error');
		const answered = [`BR.1${hidden}`, `BR.1${hidden}`, unlucky, last];
		assert.deepEqual(answers.map(([to]) => to).sort(), answered.sort());
		assert.equal(await leadsThereAre(world), before + 5);
		const { error } = await flowOf(world);
		assert.match(error, /\("Three"\): The leads service did not .* \| .*Two.*: .*undeliverable/);
	},
	async 'Meta: a number shared by our button, and a changed one, belong to the same lead'(world) {
		const [phone, newNumber] = [newPhone(), newPhone()];
		const hidden = say(phone, 'Hello');
		await deliver(world, 'Meta', 'text without a number', hidden);
		const { person } = expectation('Meta', 'text without a number', hidden);
		const before = await leadsThereAre(world);
		await deliver(world, 'Meta', 'number shared by our button', say(phone));
		assert.equal(await phoneOf(world, await leadOf(world, person)), `+${phone}`);
		const changed = { ...say(phone), newPhone: newNumber };
		assert.deepEqual(await deliver(world, 'Meta', 'change of number', changed), []);
		assert.equal(await phoneOf(world, await leadOf(world, person)), `+${newNumber}`);
		await deliver(world, 'Meta', 'text', say(newNumber, 'My new number', { lid: `1${phone}7` }));
		assert.equal(await leadsThereAre(world), before);
		const { id } = await leadOf(world, person);
		const [texts, ...more] = await conversationsOf(world, id);
		assert.deepEqual([texts.length, more], [3, []]);
	},
	async 'Meta: the bot is silent when a human has taken over'(world) {
		const phone = newPhone();
		assert.equal((await deliver(world, 'Meta', 'text', say(phone, 'Hello'))).length, 1);
		const own = await deliver(world, 'Meta', 'own message in the app', say(phone, 'I am here'));
		assert.deepEqual(own, []);
		assert.deepEqual(await deliver(world, 'Meta', 'text', say(phone, 'Good')), []);
		const { id } = await leadOf(world, phone);
		assert.deepEqual(await conversationsOf(world, id), [['Good', 'Hello']]);
	},
	async 'Meta: the ad that began a conversation is in the history of the lead, with its click'(
		world,
	) {
		const first = say(newPhone(), 'Hello');
		await deliver(world, 'Meta', 'text from an ad', first);
		const { person, ad } = expectation('Meta', 'text from an ad', first);
		const { id } = await leadOf(world, person ?? first.phone);
		const [entry, ...more] = await recordsAt(world, `/leads/${id}/interactions`);
		assert.deepEqual(more, []);
		const description = 'Came from the ad "New house" (ID 1202): https://fb.me/x';
		includes(entry, { type: 'CUSTOM', title: 'Came from an ad', description });
		includes(entry.metadata, ad);
	},
	async 'Evolution: three messages within some seconds get one answer'(world) {
		const flow = await flowOf(world);
		const phone = newPhone();
		const before = flow.messengers.delivered.length;
		const last = `How much are ${SEVERAL}?`;
		let logged = await countOf('messages', world);
		for (const text of [`Hello ${SEVERAL} times`, `I have ${SEVERAL} questions`, last]) {
			await post(flow, 'Evolution', payload('Evolution', 'text', say(phone, text)));
			// Logged after the person's row says that it is the last one.
			await until(async () => (await countOf('messages', world)) > logged);
			logged = await countOf('messages', world);
		}
		flow.last = (await world.client.nextExecution(flow.id, flow.last)).id;
		// The two before it wait as long.
		for (const n of [1, 2]) await world.client.finishedExecution(flow.last - n);
		const answers = flow.messengers.delivered.slice(before).map(({ text }) => text);
		assert.deepEqual(answers, [thanks(last)]);
		const { id } = await leadOf(world, phone);
		assert.equal((await conversationsOf(world, id)).flat().length, 3);
	},
};

export const cases = [RUNS, ...services.map(runsOf)].flatMap((runs) =>
	casesOf(runs, { needs: needsOf(example) }),
);
