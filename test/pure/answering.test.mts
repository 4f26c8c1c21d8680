/** The answering nodes of docs/whatsapp.md, as they are pasted into the assistant. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { omit, pick } from 'lodash';

import { parseWebhook } from '../../nodes/IntegrationLeads/whatsapp/services';
import { evolution, message, meta } from '../helpers/webhooks.mts';

const read = (file: string) => readFileSync(join(__dirname, '../..', file), 'utf8');

interface Pasted {
	nodes: Array<{ name: string; parameters: Record<string, string> }>;
	connections: Record<string, { main: Array<Array<{ node: string }>> }>;
}
const assistant = JSON.parse(read('examples/whatsapp-assistant.json')) as Pasted;
const NAMES = ['Answer', 'Answer again', 'Log the answer', 'Count the answer'];

/** What n8n takes from the clipboard, by the heading above it. */
const blocks = new Map(
	[...read('docs/whatsapp.md').matchAll(/^### (.+)\n(?:(?!###)[^])*?```json\n([^]+?)```/gm)].map(
		([, service, json]) => [service, JSON.parse(json) as Pasted],
	),
);

const NUMBER = '5511970000001';
const waha = {
	event: 'message',
	session: 'default',
	payload: { id: 'M1', from: `${NUMBER}@c.us`, fromMe: false, body: 'Hello' },
};
const zapi = {
	type: 'ReceivedCallback',
	instanceId: 'I1',
	phone: NUMBER,
	fromMe: false,
	messageId: 'M1',
	text: { message: 'Hello' },
};
const chatwoot = {
	event: 'message_created',
	id: 1,
	content: 'Hello',
	message_type: 'incoming',
	account: { id: 1 },
	conversation: {
		id: 9,
		channel: 'Channel::Whatsapp',
		status: 'pending',
		meta: { sender: { id: 14 } },
	},
};

/** n8n's expressions of text with `{{ }}`. */
function resolved(template: string, $json: object): unknown {
	if (!template.startsWith('=')) return template;
	const run = (code: string): unknown => new Function('$json', `return (${code})`)($json);
	const whole = /^=\{\{ ([^]*) \}\}$/.exec(template)?.[1];
	if (whole && !whole.includes('}}')) return run(whole);
	return template.slice(1).replace(/\{\{(.*?)\}\}/g, (_, code: string) => String(run(code)));
}

// The requests that the services take.
it.each<[service: string, webhook: object, url: string, body: object]>([
	[
		// https://developers.facebook.com/documentation/business-messaging/whatsapp/messages/text-messages (2026)
		"Meta's Cloud API",
		meta(message('Hello', { from: NUMBER })),
		'https://graph.facebook.com/v26.0/100000000000001/messages',
		{
			messaging_product: 'whatsapp',
			recipient_type: 'individual',
			to: NUMBER,
			type: 'text',
			text: { body: 'Thanks' },
		},
	],
	[
		// https://github.com/evolution-foundation/evolution-api (6 May 2026): message.schema.ts, textMessageSchema
		'Evolution API',
		evolution(NUMBER, 'Hello'),
		'https://YOUR_HOST/message/sendText/example',
		{ number: NUMBER, text: 'Thanks' },
	],
	[
		// https://github.com/chatwoot/chatwoot (2026): swagger/definitions/request/conversation/create_message_payload.yml
		'Chatwoot',
		chatwoot,
		'https://YOUR_HOST/api/v1/accounts/1/conversations/9/messages',
		{
			message_type: 'outgoing',
			content_attributes: { sent_by_bot: true },
			content: 'Thanks',
		},
	],
	[
		// https://waha.devlike.pro/docs/how-to/send-messages (24 Jul 2026)
		'WAHA',
		waha,
		'https://YOUR_HOST/api/sendText',
		{ session: 'default', chatId: `${NUMBER}@c.us`, text: 'Thanks' },
	],
	[
		// https://developer.z-api.io/message/send-message-text (8 Apr 2026)
		'Z-API',
		zapi,
		'https://api.z-api.io/instances/I1/token/YOUR_INSTANCE_TOKEN/send-text',
		{ phone: NUMBER, message: 'Thanks' },
	],
])('%s is sent what it takes', (service, webhook, url, body) => {
	const [{ replyTo, replyVia }] = parseWebhook(webhook);
	const item = { text: 'Thanks', replyTo, replyVia };
	for (const { name, parameters } of blocks.get(service)!.nodes.slice(0, 2)) {
		const sent = [resolved(parameters.url, item), resolved(parameters.jsonBody, item)];
		expect([name, ...sent]).toEqual([name, url, body]);
	}
});

it('is pasted in the place of what the example has', () => {
	expect([...blocks.keys()]).toEqual([
		"Meta's Cloud API",
		'Evolution API',
		'Chatwoot',
		'WAHA',
		'Z-API',
	]);
	const own = NAMES.map((name) => assistant.nodes.find((node) => node.name === name)!);
	const [, , log, count] = own.map((node) => omit(node, 'disabled'));
	for (const { nodes, connections } of blocks.values()) {
		expect(nodes.map((node) => omit(node, 'parameters'))).toEqual(
			own.map((node) => omit(node, 'parameters', 'disabled')),
		);
		expect(nodes.slice(2)).toEqual([log, count]);
		expect(connections).toEqual(pick(assistant.connections, NAMES));
	}
	expect(blocks.get("Meta's Cloud API")!.nodes[0].parameters).toEqual(own[0].parameters);
});
