/** The stand-ins that the flows of WhatsApp answer to: each rule refuses a request, and no other does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseWebhook } from '../../nodes/IntegrationLeads/whatsapp/services';
import { MESSENGERS, Messengers, type Request } from '../e2e/messengers.mts';

type Json = Record<string, unknown>;
type Service = keyof typeof MESSENGERS;

const META = { authorization: 'Bearer access-token' };
const base = { messaging_product: 'whatsapp', recipient_type: 'individual' };
const meta = { ...base, type: 'text', text: { body: 'Hello' } };
const ask = (type: string) => ({
	...base,
	recipient: 'BR.1349',
	type: 'interactive',
	interactive: { type, body: { text: 'May we?' }, action: { name: type } },
});
const EVOLUTION = { apikey: 'key-of-evolution' };
const CHATWOOT = { api_access_token: 'key-of-chatwoot' };
const WAHA = { 'x-api-key': 'key-of-waha' };
const ZAPI = { 'client-token': 'key-of-zapi' };
const LID = '103899771998284@lid';
const outgoing = { content: 'Hello', message_type: 'outgoing' };

/** What becomes of it: `delivered`, `undelivered`, or the rule that refuses it. */
const ROWS: Array<[Service, Json, Json, string]> = [
	['Meta', META, { ...meta, to: '5511970000001' }, 'delivered'],
	['Meta', META, { ...meta, recipient: 'BR.1349' }, 'delivered'],
	['Meta', META, { ...meta, recipient: 'BR.ENT.1181' }, 'delivered'],
	['Meta', META, { ...meta, to: 'BR.1349' }, 'undelivered'],
	['Meta', META, { ...meta, to: '1349', recipient: 'BR.1349' }, 'undelivered'],
	['Meta', META, { ...meta, recipient: '5511970000001' }, 'undelivered'],
	['Meta', META, ask('request_contact_info'), 'delivered'],
	['Meta', {}, { ...meta, to: '5511970000001' }, 'key'],
	['Meta', META, meta, 'to'],
	['Meta', META, { ...meta, to: '5511970000001', text: { body: '' } }, 'text'],
	['Meta', META, ask('contact_request'), 'interactive'],
	['Evolution', EVOLUTION, { number: '5511970000001', text: 'Hello' }, 'delivered'],
	['Evolution', EVOLUTION, { number: LID, text: 'Hello' }, 'delivered'],
	['Evolution', {}, { number: LID, text: 'Hello' }, 'key'],
	['Evolution', EVOLUTION, { number: 'BR.1349', text: 'Hello' }, 'number'],
	['Chatwoot', CHATWOOT, outgoing, 'delivered'],
	['Chatwoot', {}, outgoing, 'key'],
	['Chatwoot', CHATWOOT, { ...outgoing, content: '' }, 'content'],
	['WAHA', WAHA, { session: 'default', chatId: LID, text: 'Hello' }, 'delivered'],
	['WAHA', {}, { session: 'default', chatId: LID, text: 'Hello' }, 'key'],
	['WAHA', WAHA, { session: 'default', chatId: '5511970000001', text: 'Hello' }, 'chat'],
	['Z-API', ZAPI, { phone: LID, message: 'Hello' }, 'delivered'],
	['Z-API', {}, { phone: LID, message: 'Hello' }, 'key'],
	['Z-API', ZAPI, { phone: '+55 11 97000-0001', message: 'Hello' }, 'phone'],
];

const PATHS: Record<Service, string> = {
	Meta: '/v26.0/100000000000001/messages',
	Evolution: '/message/sendText/example',
	Chatwoot: '/api/v1/accounts/1/conversations/10/messages',
	WAHA: '/api/sendText',
	'Z-API': '/instances/INSTANCE/token/YOUR_INSTANCE_TOKEN/send-text',
};

function outcomeOf(service: Service, request: Request): string[] {
	const handlers = new Map<string, (request: Request) => unknown>();
	const { delivered, undelivered, refused } = new Messengers((host, handler) =>
		handlers.set(host, handler),
	);
	handlers.get(MESSENGERS[service].host)?.(request);
	return [
		...delivered.map(() => 'delivered'),
		...undelivered.map(() => 'undelivered'),
		...refused.map(({ rule }) => rule),
	];
}

it.each(ROWS)('%s %j %j: %s', (service, headers, json, outcome) => {
	const request = { method: 'POST', path: PATHS[service], headers, json };
	expect(outcomeOf(service, request)).toEqual([outcome]);
});

it('has a row for each rule', () => {
	const rules = Object.entries(MESSENGERS).flatMap(([service, each]) =>
		Object.keys(each.rules).map((rule) => `${service} ${rule}`),
	);
	const rows = ROWS.map(([service, , , outcome]) => `${service} ${outcome}`);
	expect(rows).toEqual(expect.arrayContaining(rules));
});

/** The answering requests of docs/recipes.md: service, address, header, body. */
const DOCUMENTED = readFileSync(join(__dirname, '../../docs/recipes.md'), 'utf8')
	.split('\n')
	.filter((line) => /^\| \S.*\$json\./.test(line))
	.map((line) => line.split('|').map((cell) => cell.trim().replace(/^`|`$/g, '')))
	.map(([, service, url, header, body]) => [service, url, header, body]);

/** As n8n evaluates a text with expressions, or one that is an expression as a whole. */
function evaluated(text: string, $json: Json): unknown {
	const value = (code: string) => new Function('$json', `return (${code})`)($json) as unknown;
	const whole = /^\{\{((?:(?!\}\}).)*)\}\}$/.exec(text);
	return whole
		? value(whole[1])
		: text.replace(/\{\{(.*?)\}\}/g, (_, code: string) => String(value(code)));
}

const chat = '5511970000001@s.whatsapp.net';
const WEBHOOKS: Record<string, [Service, Json]> = {
	'Evolution API': [
		'Evolution',
		{
			event: 'messages.upsert',
			instance: 'example',
			data: { key: { remoteJid: chat, id: '1' }, message: { conversation: 'Hello' } },
		},
	],
	Chatwoot: [
		'Chatwoot',
		{
			event: 'message_created',
			message_type: 'incoming',
			content: 'Hello',
			account: { id: 1 },
			conversation: { id: 10, meta: { sender: { id: 14 } } },
		},
	],
	WAHA: [
		'WAHA',
		{
			event: 'message',
			session: 'default',
			payload: { id: '1', from: '5511970000001@c.us', body: 'Hello' },
		},
	],
	'Z-API': [
		'Z-API',
		{
			type: 'ReceivedCallback',
			instanceId: 'INSTANCE',
			phone: '5511970000001',
			text: { message: 'Hello' },
		},
	],
};

it('has a webhook for each documented answer', () => {
	expect(DOCUMENTED.map(([service]) => service)).toEqual(Object.keys(WEBHOOKS));
});

it.each(DOCUMENTED)('%s takes the answer of the documentation', (name, url, header, body) => {
	const [service, webhook] = WEBHOOKS[name];
	const [message] = parseWebhook(webhook);
	const $json = { ...message, text: 'Thank you' };
	const { host } = MESSENGERS[service];
	const address = new URL(String(evaluated(url, $json)).replace('YOUR_HOST', host));
	expect([address.host, address.pathname]).toEqual([host, PATHS[service]]);
	const keys = { Evolution: EVOLUTION, Chatwoot: CHATWOOT, WAHA, 'Z-API': ZAPI, Meta: META };
	const headers = { [header.toLowerCase()]: Object.values<string>(keys[service])[0] };
	const json = evaluated(body, $json) as Json;
	const request = { method: 'POST', path: address.pathname, headers, json };
	expect(outcomeOf(service, request)).toEqual(['delivered']);
});
