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

/** What becomes of it: `delivered`, `undelivered`, or the number of the rule that refuses it. */
const ROWS: Array<[Service, Json, Json, string | number]> = [
	['Meta', META, { ...meta, to: '5511970000001' }, 'delivered'],
	['Meta', META, { ...meta, recipient: 'BR.1349' }, 'delivered'],
	['Meta', META, { ...meta, recipient: 'BR.ENT.1181' }, 'delivered'],
	['Meta', META, { ...meta, to: 'BR.1349' }, 'undelivered'],
	['Meta', META, { ...meta, to: '1349', recipient: 'BR.1349' }, 'undelivered'],
	['Meta', META, { ...meta, recipient: '5511970000001' }, 'undelivered'],
	['Meta', META, ask('request_contact_info'), 'delivered'],
	['Meta', {}, { ...meta, to: '5511970000001' }, 0],
	['Meta', META, meta, 1],
	['Meta', META, { ...meta, to: '5511970000001', text: { body: '' } }, 2],
	['Meta', META, ask('contact_request'), 3],
	['Evolution', EVOLUTION, { number: '5511970000001', text: 'Hello' }, 'delivered'],
	['Evolution', EVOLUTION, { number: LID, text: 'Hello' }, 'delivered'],
	['Evolution', {}, { number: LID, text: 'Hello' }, 0],
	['Evolution', EVOLUTION, { number: 'BR.1349', text: 'Hello' }, 1],
	['Chatwoot', CHATWOOT, outgoing, 'delivered'],
	['Chatwoot', {}, outgoing, 0],
	['Chatwoot', CHATWOOT, { ...outgoing, content: '' }, 1],
	['WAHA', WAHA, { session: 'default', chatId: LID, text: 'Hello' }, 'delivered'],
	['WAHA', {}, { session: 'default', chatId: LID, text: 'Hello' }, 0],
	['WAHA', WAHA, { session: 'default', chatId: '5511970000001', text: 'Hello' }, 1],
	['Z-API', ZAPI, { phone: LID, message: 'Hello' }, 'delivered'],
	['Z-API', {}, { phone: LID, message: 'Hello' }, 0],
	['Z-API', ZAPI, { phone: '+55 11 97000-0001', message: 'Hello' }, 1],
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
	const { host, rules } = MESSENGERS[service];
	handlers.get(host)?.({ method: 'POST', path: PATHS[service], headers, json });
	expect([delivered.length, undelivered.length]).toEqual([
		Number(outcome === 'delivered'),
		Number(outcome === 'undelivered'),
	]);
	const pages = typeof outcome === 'number' ? [{ service, page: rules[outcome].page }] : [];
	expect(refused).toEqual(pages);
});

it('has a row for each rule', () => {
	const rules = Object.entries(MESSENGERS).flatMap(([service, each]) =>
		each.rules.map((_, i) => `${service} ${i}`),
	);
	const covered = ROWS.map(([service, , , outcome]) => `${service} ${outcome}`);
	expect(rules.filter((rule) => !covered.includes(rule))).toEqual([]);
});
