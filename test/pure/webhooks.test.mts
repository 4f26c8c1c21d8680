/** Webhooks of the services that bring messages of WhatsApp, read into one form. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { isEmpty, pick } from 'lodash';

import type { WhatsAppMessage } from '../../nodes/IntegrationLeads/whatsapp/message';
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
