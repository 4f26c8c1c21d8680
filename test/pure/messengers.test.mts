/** The stand-ins that the flows of WhatsApp answer to: each rule refuses a request, and no other does. */
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

it.each(ROWS)('%s %j %j: %s', (service, headers, json, outcome) => {
	const handlers = new Map<string, (request: Request) => unknown>();
	const { delivered, undelivered, refused } = new Messengers((host, handler) =>
		handlers.set(host, handler),
	);
	const { host } = MESSENGERS[service];
	handlers.get(host)?.({ method: 'POST', path: PATHS[service], headers, json });
	const became = [
		...delivered.map(() => 'delivered'),
		...undelivered.map(() => 'undelivered'),
		...refused.map(({ rule }) => rule),
	];
	expect(became).toEqual([outcome]);
});

it('has a row for each rule', () => {
	const rules = Object.entries(MESSENGERS).flatMap(([service, each]) =>
		Object.keys(each.rules).map((rule) => `${service} ${rule}`),
	);
	const rows = ROWS.map(([service, , , outcome]) => `${service} ${outcome}`);
	expect(rows).toEqual(expect.arrayContaining(rules));
});
