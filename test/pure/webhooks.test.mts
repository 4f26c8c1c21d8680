/** Webhooks of the services that bring messages of WhatsApp, read into one form. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { isEmpty, pick } from 'lodash';

import { codeForms, type WhatsAppMessage } from '../../nodes/IntegrationLeads/whatsapp/message';
import { parseWebhook } from '../../nodes/IntegrationLeads/whatsapp/services';
import { evolution } from '../helpers/webhooks.mts';

const who = ({ hiddenId, phone, chatwootContact }: WhatsAppMessage['person']): string =>
	[hiddenId, chatwootContact && `cw${chatwootContact}`, phone].filter(Boolean).join(' ') || '?';

/** `kind | who | text | team silent ad=click/ad` */
function shown(message: WhatsAppMessage): string {
	const { kind, person, text, from, silence, ad } = message;
	const flags = [
		from === 'person' ? '' : from,
		silence ? 'silent' : '',
		ad ? `ad=${ad.ctwa_clid ?? ''}/${ad.source_id ?? ''}` : '',
	].filter(Boolean);
	return [kind, who(person), text, ...(flags.length > 0 ? [flags.join(' ')] : [])].join(' | ');
}

/** `-` for nothing. */
const result = (body: unknown): string => parseWebhook(body).map(shown).join(' && ') || '-';

interface Published {
	source: string;
	/** WhatsApp's own, where the payload has another beside it. */
	id?: string;
	replyTo?: object;
	expect: string;
	body: unknown;
}

const FOLDER = join(__dirname, '../payloads');

const publishedIn = (file: string): Published[] =>
	readFileSync(join(FOLDER, file), 'utf8')
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as Published);

// Numbers, names and placeholders in them are replaced, and what no reader looks at is left out. Those of made-from-pages
// were written by us, as the page or source file says.
describe.each(readdirSync(FOLDER))('payloads that others published: %s', (file) => {
	it.each(publishedIn(file))('$source: $expect', ({ body, expect: expected, ...more }) => {
		expect(result(body)).toBe(expected);
		const stated = pick(more, 'id', 'replyTo');
		if (!isEmpty(stated)) expect(parseWebhook(body)).toMatchObject([stated]);
	});
});

const go = (more: object, Info: object = {}) => ({
	instanceId: 'i1',
	instanceToken: 'secret',
	data: {
		Info: {
			Chat: '5511999999999@s.whatsapp.net',
			ID: 'A1',
			PushName: 'Ana',
			IsFromMe: false,
			...Info,
		},
		Message: { conversation: 'Olá' },
	},
	...more,
});
const baileys = evolution('5511999999999', 'Olá');

// Evolution GO: https://github.com/EvolutionAPI/evolution-go, events-system.md; evo-crm-community 77 (26 Nov 2026).
test.each<[object, string]>([
	[{ ...baileys, event: 'MESSAGE' }, 'text | +5511999999999 | Olá'],
	[{ ...baileys, event: 'Message' }, 'text | +5511999999999 | Olá'],
	[go({ event: 'Message' }), 'text | +5511999999999 | Olá'],
	[go({ event: 'MESSAGE' }, { IsFromMe: true }), 'text | +5511999999999 | Olá | team'],
	[go({ event: 'Message' }, { Chat: '1203@g.us' }), '-'],
	[go({ event: 'Receipt' }), '-'],
	[go({ event: 'SendMessage' }), '-'],
	[{ ...baileys, event: 'LABELS_ASSOCIATION' }, '-'],
	[{ event: 'session.status', session: 'a', payload: {} }, '-'],
	[{ type: 'MessageStatusCallback' }, '-'],
])('%j is read as %s', (body, expected) => {
	expect(result(body)).toBe(expected);
	expect(JSON.stringify(parseWebhook(body))).not.toContain('secret');
});

test.each<[object, string]>([
	[{ ...baileys, event: 'message.received' }, '"message.received" is an event of Evolution API'],
	[go({ event: 'IncomingText' }), '"IncomingText" is an event of Evolution API'],
	[{ ...baileys, data: { text: 'Olá' } }, 'without a chat" is an event of Evolution API'],
	[{ event: 'message.new', payload: { body: 'Olá' } }, '"message.new" is an event of WAHA'],
	[{ type: 'NewCallback', phone: '1' }, '"NewCallback" is an event of Z-API'],
	[{ type: 'ReceivedCallback', text: { message: 'Olá' } }, 'without "phone" and "chatLid"'],
	[
		{ type: 'ReceivedCallback', fromMe: true, senderLid: '1@lid', text: { message: 'Olá' } },
		'without "phone" and "chatLid"',
	],
])('%j is not dropped in silence', (body, message) => {
	expect(() => parseWebhook(body)).toThrow(message);
});

test.each<[string, object]>([
	['is a webhook of Instagram, not of', { object: 'instagram' }],
	['is a webhook of Messenger, not of', { object: 'page' }],
	['is a webhook of Telegram, not of', { update_id: 1 }],
	['is a webhook of Twilio, not of', { AccountSid: 'AC1' }],
	['is no webhook of', { field: 'email' }],
	['is no webhook of', { object: 'whatsapp_business_account' }],
	['is no webhook of', { type: 'x' }],
])('the body %s a service of WhatsApp: %j', (what, body) => {
	expect(() => parseWebhook(body)).toThrow(`"Webhook Body" ${what} Meta's Cloud API, Evolution`);
});

// Where a name is missing, some services repeat the number.
test.each([
	['Ana 2', 'Ana 2'],
	['+55 (11) 97000-0001', undefined],
])('the name %p is %p', (pushName, name) => {
	const { data, ...body } = evolution('5511970000001', 'Hello');
	const [{ person }] = parseWebhook({ ...body, data: { ...(data as object), pushName } });
	expect(person.name).toBe(name);
});

const tapped = (part: object) => {
	const { data, ...body } = evolution('5511970000001', '');
	return { ...body, data: { ...(data as object), message: part } };
};
const nativeFlow = (params: object) => ({
	interactiveResponseMessage: {
		body: { text: '' },
		nativeFlowResponseMessage: { name: 'quick_reply', paramsJson: JSON.stringify(params) },
	},
});
const zapiButton = (buttonId: string) => ({
	type: 'ReceivedCallback',
	phone: '5511970000001',
	buttonsResponseMessage: { buttonId, message: 'Yes' },
});
const row = (selectedRowId: string) => ({
	listResponseMessage: { title: 'Yes', singleSelectReply: { selectedRowId } },
});

// Z-API's buttonId: https://developer.z-api.io/webhooks/on-message-received (8 Apr 2026); what a native flow has as JSON:
// https://github.com/itsliaaa/baileys/issues/13 (20 May 2026).
test.each<[string, object, string]>([
	['Yes', zapiButton('ML-AB12-CD34'), 'ML-AB12-CD34'],
	['Yes', tapped(nativeFlow({ id: 'ML-AB12-CD34', display_text: 'Yes' })), 'ML-AB12-CD34'],
	['ML-AB12-CD34', tapped(nativeFlow({ id: 'ML-AB12-CD34' })), 'ML-AB12-CD34'],
	['Yes', tapped(row('lead_ML-AB12-CD34')), 'ML-AB12-CD34'],
	['Yes', tapped(row('lead_ml-ab12-cd34')), 'ML-AB12-CD34'],
	['Yes', tapped(row('html-ab12')), ''],
])('of a tapped option, the text is %p and the code in %j is %p', (text, body, code) => {
	const [message] = parseWebhook(body);
	expect(message.text).toBe(text);
	expect(codeForms(message)[0]?.code ?? '').toBe(code);
});
