/** Webhooks of the services that bring messages of WhatsApp, read into one form. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { WebhookEntry } from '../../nodes/IntegrationLeads/whatsapp/entry';
import { parseWebhook, WEBHOOK_SERVICES } from '../../nodes/IntegrationLeads/whatsapp/parseWebhook';

type Json = Record<string, unknown>;

const who = ({ hiddenId, phone, chatwootContact }: WebhookEntry['person']): string =>
	[hiddenId, chatwootContact && `cw${chatwootContact}`, phone].filter(Boolean).join(' ') || '?';

/** `kind | who | text | team silent ad=click/ad`, or `change who > who`. */
function shown(entry: WebhookEntry): string {
	if (entry.type === 'change') return `change ${who(entry.previous)} > ${who(entry.person)}`;
	const { kind, person, text, from, silence, ad } = entry;
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
	it.each(publishedIn(file))('$source: $expect', ({ body, expect: expected, id }) => {
		expect(result(body)).toBe(expected);
		if (id) expect(parseWebhook(body)).toMatchObject([{ id }]);
	});
});

const meta = (message: Json, value: Json = {}): Json => ({
	messaging_product: 'whatsapp',
	metadata: { phone_number_id: '100000000000001' },
	contacts: [{ profile: { name: 'Example Contact' }, wa_id: '5511970000001' }],
	messages: [{ from: '5511970000001', id: 'wamid.M1', timestamp: '1794300000', ...message }],
	field: 'messages',
	...value,
});
const interactive = (reply: Json): Json => meta({ type: 'interactive', interactive: reply });
const form = (response: unknown): Json =>
	interactive({
		type: 'nfm_reply',
		nfm_reply: { name: 'flow', body: 'Sent', response_json: JSON.stringify(response) },
	});
const system = (fields: Json): Json =>
	meta({ type: 'system', system: fields, from: undefined }, { contacts: undefined });

const evolution = (message: Json, key: Json = {}, more: Json = {}): Json => ({
	event: 'messages.upsert',
	instance: 'example',
	sender: '5511900000000@s.whatsapp.net',
	data: {
		key: { remoteJid: '5511970000001@s.whatsapp.net', fromMe: false, id: '3EB0A1', ...key },
		pushName: 'Example Contact',
		messageTimestamp: 1794300000,
		message,
		...more,
	},
});
const HIDDEN = { remoteJid: '103899771998284@lid' };
const hello = { conversation: 'Hello' };
const adReply = { title: 'New house', sourceType: 'ad', sourceId: '1202', ctwaClid: 'ARA1' };

const waha = (fields: Json, event = fields.fromMe ? 'message.any' : 'message'): Json => ({
	event,
	session: 'default',
	me: {
		id: '5511900000000@c.us',
		lid: '99900000000000@lid',
		jid: '5511900000000:20@s.whatsapp.net',
	},
	payload: {
		id: 'false_5511970000001@c.us_3EB0A1',
		timestamp: 1794300000,
		from: '5511970000001@c.us',
		fromMe: false,
		source: 'app',
		body: 'Hello',
		...fields,
	},
});
const own = { id: 'true_103899771998284@lid_3EB0A1', fromMe: true };

const zapi = (fields: Json): Json => ({
	type: 'ReceivedCallback',
	instanceId: 'INSTANCE',
	messageId: '3EB0A1',
	phone: '5511970000001',
	momment: 1794300000000,
	...fields,
});

const chatwoot = (fields: Json, conversation: Json = {}): Json => ({
	event: 'message_created',
	id: 901,
	content: 'Hello',
	message_type: 'incoming',
	private: false,
	source_id: 'wamid.M1',
	created_at: '2026-11-10T08:00:00.000Z',
	account: { id: 1 },
	conversation: {
		id: 10,
		status: 'pending',
		channel: 'Channel::Whatsapp',
		contact_inbox: { source_id: '5511970000001' },
		meta: { sender: { id: 14, name: 'Example Contact', phone_number: '+5511970000001' } },
		...conversation,
	},
	...fields,
});

const PERSON = '+5511970000001';
const LID = 'lid-103899771998284';

const ROWS: Array<[what: string, body: Json, expected: string]> = [
	// Own messages: nothing that belongs to the sender is the other side.
	[
		'Evolution 2.3.0: an own message to a hidden number has the business in senderPn',
		evolution(hello, { ...HIDDEN, fromMe: true, senderPn: '5511900000000@s.whatsapp.net' }),
		`text | ${LID} | Hello | team`,
	],
	[
		'Evolution: an own message to a hidden number that is known',
		evolution(hello, { ...HIDDEN, fromMe: true, remoteJidAlt: '5511970000001@s.whatsapp.net' }),
		`text | ${LID} ${PERSON} | Hello | team`,
	],
	[
		// https://github.com/evolution-foundation/evolution-api/issues/1340 (26 Mar 2025); IDs as in #1794 and #1916
		'Evolution: what its API sends comes as messages.upsert in some versions',
		evolution(hello, { fromMe: true, id: '3EB0072D495E8C64F9744CE55F73B88E9BD3272D' }),
		`text | ${PERSON} | Hello | bot`,
	],
	[
		// https://github.com/trekkermoja1/wahamod (14 Feb 2026): getFromToParticipant
		'WAHA, NOWEB: an own message has the chat in from, and no to',
		waha({
			...own,
			from: '103899771998284@lid',
			_data: { key: { remoteJidAlt: '5511970000001@s.whatsapp.net' } },
		}),
		`text | ${LID} ${PERSON} | Hello | team`,
	],
	[
		'WAHA, GOWS: an own message has the chat in from, and its number in RecipientAlt',
		waha({
			...own,
			from: '103899771998284@lid',
			to: null,
			_data: {
				Info: {
					Chat: '103899771998284@lid',
					Sender: '5511900000000:20@s.whatsapp.net',
					SenderAlt: '99900000000000@lid',
					RecipientAlt: '5511970000001@s.whatsapp.net',
				},
				Message: hello,
			},
		}),
		`text | ${LID} ${PERSON} | Hello | team`,
	],
	[
		'WAHA, WEBJS: an own message has the chat in to',
		waha({
			...own,
			id: 'true_5511970000001@c.us_A1',
			from: '5511900000000@c.us',
			to: '5511970000001@c.us',
		}),
		`text | ${PERSON} | Hello | team`,
	],
	[
		'WAHA, WEBJS: an own message to a hidden number has the business in from, here without `me`',
		{
			...waha({ ...own, from: '5511900000000@c.us', to: '103899771998284@lid' }),
			me: undefined,
		},
		`text | ${LID} | Hello | team`,
	],
	[
		'WAHA: an own message whose ID does not tell the chat',
		waha({ ...own, id: 'A1', from: '5511900000000@c.us', to: '103899771998284@lid' }),
		`text | ${LID} | Hello | team`,
	],
	[
		'WAHA: the same in the form of other engines',
		waha({ ...own, id: 'A1', from: '103899771998284@lid' }),
		`text | ${LID} | Hello | team`,
	],
	['WAHA: a note to oneself', waha({ fromMe: true, from: '5511900000000@c.us', id: 'A1' }), '-'],
	[
		'WAHA: an own message by the API',
		waha({ ...own, from: '103899771998284@lid', source: 'api' }),
		`text | ${LID} | Hello | bot`,
	],
	[
		'Z-API: an own message has the business in senderLid',
		zapi({
			fromMe: true,
			fromApi: false,
			senderLid: '99900000000000@lid',
			text: { message: 'Hello' },
		}),
		`text | ${PERSON} | Hello | team`,
	],
	[
		'Chatwoot: an agent answers',
		chatwoot({ message_type: 'outgoing', sender: { id: 1, type: 'user' } }),
		`text | cw14 ${PERSON} | Hello | team`,
	],
	[
		'Chatwoot: a bot answers',
		chatwoot({ message_type: 'outgoing', sender: { id: 2, type: 'agent_bot' } }),
		`text | cw14 ${PERSON} | Hello | bot`,
	],
	[
		// Two projects quote its source: content_attributes are kept and passed on as they came (4.16, seen on 23 Nov 2026).
		'Chatwoot: a bot answers with the token of an agent',
		chatwoot({
			message_type: 'outgoing',
			sender: { id: 1, type: 'user' },
			content_attributes: { sent_by_bot: true },
		}),
		`text | cw14 ${PERSON} | Hello | bot`,
	],

	[
		'WAHA: a note to oneself, under the hidden ID',
		waha({
			fromMe: true,
			from: '99900000000000@lid',
			to: '5511900000000:20@s.whatsapp.net',
			id: 'A1',
		}),
		'-',
	],
	// Who.
	[
		'WAHA, GOWS: messages of people may come as message.any only',
		waha({}, 'message.any'),
		`text | ${PERSON} | Hello`,
	],
	[
		'Evolution: the hidden ID beside the number',
		evolution(hello, { senderLid: '103899771998284@lid' }),
		`text | ${LID} ${PERSON} | Hello`,
	],
	[
		'Evolution: a list of messages',
		{
			event: 'MESSAGES_UPSERT',
			instance: 'example',
			data: [evolution(hello).data, evolution(hello, HIDDEN).data],
		},
		`text | ${PERSON} | Hello && text | ${LID} | Hello`,
	],
	[
		'Chatwoot: known by its user ID only',
		chatwoot(
			{},
			{
				contact_inbox: { source_id: 'BR.13491208655302741918' },
				meta: { sender: { id: 14, name: 'Example Contact', phone_number: null } },
			},
		),
		'text | cw14 | Hello',
	],
	[
		'Chatwoot: an SMS by Twilio',
		chatwoot({}, { channel: 'Channel::TwilioSms', contact_inbox: { source_id: '+5511970000001' } }),
		'-',
	],

	[
		// https://github.com/telenexus-admin/Api: WEBHOOK_SETUP_GUIDE.md
		'Evolution: a list of messages in its data',
		{ event: 'messages.upsert', instance: 'example', data: { messages: [evolution(hello).data] } },
		`text | ${PERSON} | Hello`,
	],
	[
		'Meta: the messages of two people in one change',
		meta(
			{},
			{
				contacts: [
					{ wa_id: '5511970000001', user_id: 'BR.1' },
					{ user_id: 'BR.2', wa_id: '5511970000002' },
				],
				messages: [
					{ from_user_id: 'BR.2', type: 'text', text: { body: 'Hi' } },
					{ from: '5511970000001', type: 'text', text: { body: 'Hello' } },
				],
			},
		),
		`text | BR.2 +5511970000002 | Hi && text | BR.1 ${PERSON} | Hello`,
	],
	// What.
	[
		'a form with nested fields, photos and documents',
		form({
			flow_token: 'T',
			city: 'Campinas',
			address: { street: 'Example Street 1', floor: 2, garden: true },
			rooms: ['kitchen', 'bath'],
			photos: [
				{ id: 1, file_name: 'front.jpg', mime_type: 'image/jpeg', sha256: 'x' },
				{ id: 2, file_name: 'back.jpg', mime_type: 'image/jpeg', sha256: 'y' },
			],
			nothing: null,
		}),
		`form | ${PERSON} | [form: city: Campinas, address: (street: Example Street 1, floor: 2, garden: yes), rooms: kitchen / bath, photos: front.jpg / back.jpg]`,
	],
	[
		'a form whose fields are named like parts of a button',
		form({ id: '123', title: 'Ms', description: 'The tap leaks' }),
		`form | ${PERSON} | [form: id: 123, title: Ms, description: The tap leaks]`,
	],
	['a form without answers', form({ flow_token: 'T' }), `form | ${PERSON} | [form: Sent]`],
	[
		'a form that is no object',
		form(['one', { two: 2 }]),
		`form | ${PERSON} | [form: one / (two: 2)]`,
	],
	['a form that is a word', form('Yes'), `form | ${PERSON} | [form: Yes]`],
	[
		'Evolution: the same form',
		evolution({
			interactiveResponseMessage: {
				body: { text: 'Sent' },
				nativeFlowResponseMessage: {
					name: 'flow',
					paramsJson: '{"flow_token":"T","address":{"city":"Campinas"}}',
				},
			},
		}),
		`form | ${PERSON} | [form: address: (city: Campinas)]`,
	],
	[
		'Evolution: a form with a field that buttons have too',
		evolution({
			interactiveResponseMessage: {
				body: { text: 'Sent' },
				nativeFlowResponseMessage: { name: 'flow', paramsJson: '{"description":"The tap leaks"}' },
			},
		}),
		`form | ${PERSON} | [form: description: The tap leaks]`,
	],
	[
		'Evolution: a button that comes like a form',
		evolution({
			interactiveResponseMessage: {
				body: { text: 'Visit' },
				nativeFlowResponseMessage: { name: 'quick_reply', paramsJson: '{"id":"visit"}' },
			},
		}),
		`choice | ${PERSON} | Visit`,
	],
	[
		'Meta: a row without a title',
		interactive({ type: 'list_reply', list_reply: { id: 'visit', title: '' } }),
		`choice | ${PERSON} | visit`,
	],
	[
		'Evolution: a row without a title',
		evolution({
			listResponseMessage: { title: '', singleSelectReply: { selectedRowId: 'visit' } },
		}),
		`choice | ${PERSON} | visit`,
	],
	[
		'WAHA, GOWS: a row without a title',
		waha({
			body: '',
			_data: {
				Message: { listResponseMessage: { singleSelectReply: { selectedRowID: 'visit' } } },
			},
		}),
		`choice | ${PERSON} | visit`,
	],
	[
		'Z-API: a row without a title',
		zapi({ listResponseMessage: { message: 'Menu', title: '', selectedRowId: 'visit' } }),
		`choice | ${PERSON} | visit`,
	],
	[
		'Meta: an older type without content',
		meta({ type: 'ephemeral' }),
		`unavailable | ${PERSON} | [a message that WhatsApp does not pass on; look into the app] | silent`,
	],
	[
		'Meta: a type that nobody knows',
		meta({ type: 'hologram' }),
		`hologram | ${PERSON} | [hologram] | silent`,
	],
	[
		'Evolution: a kind that nobody knows',
		evolution({ hologramMessage: { text: 'x' } }),
		`hologram | ${PERSON} | [hologram] | silent`,
	],
	[
		'Z-API: a kind that nobody knows',
		zapi({ hologram: { text: 'x' } }),
		`hologram | ${PERSON} | [hologram] | silent`,
	],
	[
		'WAHA: a kind that nobody knows, with a text',
		waha({ body: 'Hello', _data: { message: { hologramMessage: {} } } }),
		`hologram | ${PERSON} | Hello`,
	],
	[
		'Evolution: the template of a company',
		evolution({
			templateMessage: {
				hydratedTemplate: {
					hydratedContentText: 'Your code is 1234',
					hydratedButtons: [{ urlButton: { displayText: 'Copy' } }],
				},
				contextInfo: { quotedMessage: { extendedTextMessage: { text: 'said before' } } },
			},
		}),
		`template | ${PERSON} | Your code is 1234\n[options: Copy] | company silent`,
	],
	[
		'Evolution: the buttons of a company',
		evolution({
			buttonsMessage: { contentText: 'Visit?', buttons: [{ buttonText: { displayText: 'Yes' } }] },
		}),
		`template | ${PERSON} | Visit?\n[options: Yes] | company silent`,
	],
	[
		'Evolution: the list of a company',
		evolution({
			listMessage: {
				title: 'Menu',
				description: 'Choose',
				buttonText: 'Open',
				sections: [{ title: 'A', rows: [{ title: 'One' }] }],
			},
		}),
		`template | ${PERSON} | Menu\nChoose\n[options: Open / One] | company silent`,
	],
	[
		'Evolution: an interactive message of a company',
		evolution({
			interactiveMessage: {
				body: { text: 'Visit?' },
				nativeFlowMessage: {
					buttons: [{ name: 'quick_reply', buttonParamsJson: '{"display_text":"Yes"}' }],
				},
			},
		}),
		`template | ${PERSON} | Visit?\n[options: Yes] | company silent`,
	],
	[
		'WAHA, WEBJS: a template of a company',
		waha({ body: 'Your code is 1234', _data: { type: 'hsm' } }),
		`template | ${PERSON} | Your code is 1234 | company silent`,
	],
	[
		'WAHA: a location, whose body is a picture',
		waha({ body: '/9j/4AAQ', location: { latitude: '-23.55', longitude: '-46.63' } }),
		`location | ${PERSON} | [location: https://www.google.com/maps?q=-23.55,-46.63]`,
	],

	[
		'WAHA: the answer to a list has more words in its body',
		waha({ body: 'One\nThe first', _data: { message: { listResponseMessage: { title: 'One' } } } }),
		`choice | ${PERSON} | One`,
	],
	[
		'Z-API: an order without its products',
		zapi({ order: { itemCount: 2, total: 10, currency: 'BRL' } }),
		`order | ${PERSON} | [order: 2 items, 10 BRL]`,
	],
	[
		'Z-API: an event',
		zapi({ event: { name: 'Open day', description: 'Come' } }),
		`event | ${PERSON} | [event: Open day, Come]`,
	],
	[
		'a form with answers that lie deep',
		form({ a: { b: { c: { d: { e: 1 } } } } }),
		`form | ${PERSON} | [form: a: (b: (c: (d: {"e":1})))]`,
	],

	// Ads.
	[
		// https://github.com/evolution-foundation/evolution-api/issues/2721 (5 Sep 2026)
		'Evolution 2.4: the ad is in the content only',
		evolution(
			{ extendedTextMessage: { text: 'Hello', contextInfo: { externalAdReply: adReply } } },
			{},
			{ contextInfo: { deviceListMetadata: {} } },
		),
		`text | ${PERSON} | Hello | ad=ARA1/1202`,
	],
	[
		// https://github.com/WhiskeySockets/Baileys/issues/2354 (21 Feb 2026)
		'an ad without its IDs',
		evolution({
			extendedTextMessage: {
				text: 'Hello',
				contextInfo: { ctwaPayload: 'x', entryPointConversionSource: 'ctwa_ad' },
			},
		}),
		`text | ${PERSON} | Hello | ad=/`,
	],
	[
		'WAHA, GOWS: an ad in the spelling of Go',
		waha({
			_data: {
				Message: {
					extendedTextMessage: {
						text: 'Hello',
						contextInfo: { externalAdReply: { sourceID: '1202', ctwaClid: 'ARA1' } },
					},
				},
			},
		}),
		`text | ${PERSON} | Hello | ad=ARA1/1202`,
	],
	[
		'WAHA, WEBJS: an ad',
		waha({ _data: { ctwaContext: { sourceUrl: 'https://fb.me/x', description: 'Three rooms' } } }),
		`text | ${PERSON} | Hello | ad=/`,
	],
	[
		'Z-API: the preview of a link',
		zapi({
			text: { message: 'Hello' },
			externalAdReply: { title: 'A page', sourceUrl: 'https://example.com' },
		}),
		`text | ${PERSON} | Hello`,
	],

	// Changes, and what is left out.
	[
		'Meta: a system message that nobody knows',
		system({ type: 'user_changed_planet', body: 'User moved' }),
		'-',
	],
	[
		'Meta: a change of ID, the old one in the words only',
		system({
			type: 'user_changed_user_id',
			user_id: 'BR.2',
			body: 'User Ana changed from BR.1 to BR.2',
		}),
		'change BR.1 > BR.2',
	],
	[
		'Meta: a change of number and ID',
		meta(
			{
				type: 'system',
				system: {
					type: 'user_changed_number',
					wa_id: '5511970000002',
					user_id: 'BR.2',
					previous_user_id: 'BR.1',
				},
			},
			{ contacts: undefined },
		),
		`change BR.1 ${PERSON} > BR.2 +5511970000002`,
	],
	['Evolution: a call', evolution({ call: { callKey: 'x' } }), '-'],
	[
		'Evolution: the history of a chat',
		{ event: 'messages.set', instance: 'example', data: [] },
		'-',
	],
	[
		'Meta: the history of a chat',
		{
			object: 'whatsapp_business_account',
			entry: [{ changes: [{ field: 'history', value: { history: [] } }] }],
		},
		'-',
	],
	[
		'Meta: a change as it stands in a request',
		{
			field: 'messages',
			value: { messages: [{ from: '5511970000001', type: 'text', text: { body: 'Hello' } }] },
		},
		`text | ${PERSON} | Hello`,
	],
	[
		'n8n: the item of a Webhook node',
		{ headers: {}, params: {}, query: {}, body: zapi({ text: { message: 'Hello' } }) },
		`text | ${PERSON} | Hello`,
	],
];

/** Kinds of WhatsApp's own format, which Evolution API and WAHA hand on. */
const PROTO: Array<[message: Json, expected: string]> = [
	[{ ptvMessage: {} }, 'video | [video]'],
	[
		{ liveLocationMessage: { degreesLatitude: -23.55, degreesLongitude: -46.63, caption: 'Here' } },
		'location | [location: Here, https://www.google.com/maps?q=-23.55,-46.63]',
	],
	[
		{
			orderMessage: {
				itemCount: 3,
				totalAmount1000: { low: 59800, high: 0 },
				totalCurrencyCode: 'BRL',
				message: 'Please',
			},
		},
		'order | Please [order: 3 items, 59.80 BRL]',
	],
	[
		{
			productMessage: {
				product: { title: 'Chair', priceAmount1000: '19900', currencyCode: 'BRL' },
			},
		},
		'product | [product: Chair, 19.90 BRL]',
	],
	[{ eventMessage: { name: 'Open day', description: 'Come' } }, 'event | [event: Open day, Come]'],
	[{ groupInviteMessage: { groupName: 'Example', caption: '' } }, 'invitation | Example'],
	[{ newsletterAdminInviteMessage: { caption: 'Join' } }, 'invitation | Join'],
	[
		{ requestPaymentMessage: { amount1000: 1000, currencyCodeIso4217: 'BRL' } },
		'payment | [payment: 1.00 BRL]',
	],
	[{ sendPaymentMessage: {} }, 'payment | [payment]'],
	[{ invoiceMessage: { note: 'Due' } }, 'payment | Due | company silent'],
	[
		{ highlyStructuredMessage: { hydratedHsm: { hydratedContentText: 'Hi' } } },
		'template | Hi | company silent',
	],
	[
		{
			interactiveResponseMessage: {
				nativeFlowResponseMessage: { paramsJSON: '{"city":"Campinas"}' },
			},
		},
		'form | [form: city: Campinas]',
	],
	[
		{ interactiveResponseMessage: { nativeFlowResponseMessage: { paramsJson: '{"id":"visit"}' } } },
		'choice | visit',
	],
];

it.each([
	{ senderPn: '5511970000001@s.whatsapp.net' },
	{ _data: { senderPn: '5511970000001@s.whatsapp.net' } },
	{ _data: { key: { senderPn: '5511970000001@s.whatsapp.net' } } },
	{ _data: { key: { remoteJidAlt: '5511970000001@s.whatsapp.net' } } },
	{ _data: { Info: { SenderAlt: '5511970000001@s.whatsapp.net' } } },
])('the number beside a hidden one in WAHA: %j', (fields) => {
	const hidden = { from: '103899771998284@lid', id: 'false_103899771998284@lid_A1' };
	expect(result(waha({ ...hidden, ...fields }))).toBe(`text | ${LID} ${PERSON} | Hello`);
});

it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
	'what is named %s is of no known kind',
	(name) => {
		const bodies = [
			meta({ type: name }),
			interactive({ type: name }),
			evolution(JSON.parse(`{"${name}": {"text": "Hello"}}`) as Json),
			meta({}, { field: name }),
		];
		const texts = bodies.map((body) =>
			parseWebhook(body)
				.map((entry) => shown(entry))
				.join(),
		);
		const unavailable = expect.stringMatching(/^unavailable .* silent$/) as string;
		const unknown = expect.stringContaining(`[${name}] | silent`) as string;
		expect(texts).toEqual([unknown, unknown, unavailable, '']);
	},
);

it.each(PROTO)('%j: %s', (message, expected) => {
	expect(result(evolution(message))).toBe(expected.replace(' | ', ` | ${PERSON} | `));
});

it.each(
	(
		'reactionMessage encReactionMessage pollUpdateMessage pollResultSnapshotMessage encEventResponseMessage ' +
		'protocolMessage editedMessage secretEncryptedMessage albumMessage pinInChatMessage keepInChatMessage call ' +
		'callLogMesssage bcallMessage scheduledCallCreationMessage scheduledCallEditMessage messageHistoryBundle'
	).split(' '),
)('%s is left out', (name) => {
	// Some contain a message of their own.
	const part = { [name]: { message: { conversation: 'Hello' } } };
	expect(result(evolution(part))).toBe('-');
	expect(result(waha({ _data: { message: part } }))).toBe('-');
});

it.each(
	'isGroup isNewsletter broadcast isEdit reaction pollVote pinMessage eventResponse notification'.split(
		' ',
	),
)('%s of Z-API is left out', (name) => {
	expect(result(zapi({ [name]: {}, text: { message: 'Hello' } }))).toBe('-');
});

it.each(['120363000000000001-group', '120363000000000001@g.us', '120363000000000001@newsletter'])(
	'%s of Z-API is no person',
	(phone) => {
		expect(result(zapi({ phone, text: { message: 'Hello' } }))).toBe('-');
	},
);

it.each(['e2e_notification', 'notification_template', 'call_log', 'protocol', 'gp2', 'reaction'])(
	'%s of WAHA (WEBJS) is left out',
	(type) => {
		expect(result(waha({ _data: { type } }))).toBe('-');
	},
);

it.each([
	[{ ctwaClid: 'ARA1' }, 'ARA1/'],
	[{ sourceId: '1202' }, '/1202'],
	[{ sourceType: 'ad' }, '/'],
])('%j is the ad that was tapped', (externalAdReply, ad) => {
	expect(result(zapi({ text: { message: 'Hello' }, externalAdReply }))).toMatch(`ad=${ad}`);
});

it.each(ROWS)('%s', (_, body, expected) => {
	expect(result(body)).toBe(expected);
});

it('one message that is delivered in several forms has one ID', () => {
	const bodies = [
		evolution(hello),
		waha({ id: 'false_103899771998284@lid_3EB0A1', from: '103899771998284@lid' }),
		waha({}),
		zapi({ text: { message: 'Hello' } }),
		chatwoot({ source_id: 'WAID:3EB0A1' }, { channel: 'Channel::Api' }),
	];
	const ids = bodies.flatMap((body) => parseWebhook(body)).map(({ id }) => id);
	expect(ids).toEqual(bodies.map(() => '3EB0A1'));
});

/** What the answering request needs; 12 digits where WhatsApp's own ID has 12. */
const REPLIES: Array<[body: Json, replyTo: Json, replyVia: string]> = [
	[
		meta({ type: 'text', text: { body: 'Hello' } }),
		{ messaging_product: 'whatsapp', recipient_type: 'individual', to: '5511970000001' },
		'100000000000001',
	],
	[
		meta(
			{ type: 'text', from: undefined, from_user_id: 'BR.1' },
			{ contacts: [{ user_id: 'BR.1' }] },
		),
		{ messaging_product: 'whatsapp', recipient_type: 'individual', recipient: 'BR.1' },
		'100000000000001',
	],
	[
		evolution(hello, { remoteJid: '551170000001:3@s.whatsapp.net' }),
		{ number: '551170000001' },
		'example',
	],
	[evolution(hello, HIDDEN), { number: '103899771998284@lid' }, 'example'],
	[waha({}), { session: 'default', chatId: '5511970000001@c.us' }, 'default'],
	[
		zapi({ phone: '103899771998284@lid', text: { message: 'Hello' } }),
		{ phone: '103899771998284@lid' },
		'INSTANCE',
	],
	[
		chatwoot({}),
		{ message_type: 'outgoing', content_attributes: { sent_by_bot: true } },
		'accounts/1/conversations/10',
	],
];

it.each(REPLIES)('what the answer needs: %j', (body, replyTo, replyVia) => {
	expect(parseWebhook(body)).toMatchObject([{ replyTo, replyVia }]);
});

it.each([
	['1794300000', '2026-11-10T08:40:00.000Z'],
	[1794300000000, '2026-11-10T08:40:00.000Z'],
	[{ low: 1794300000, high: 0, unsigned: true }, '2026-11-10T08:40:00.000Z'],
	['2026-11-10T08:40:00Z', '2026-11-10T08:40:00.000Z'],
	['soon', undefined],
	[1e300, undefined],
])('a message is sent at %j', (messageTimestamp, sentAt) => {
	const [entry] = parseWebhook(evolution(hello, {}, { messageTimestamp }));
	expect(entry.sentAt).toBe(sentAt);
});

it.each([
	['Ana', 'Ana'],
	['❤️', '❤️'],
	['5511970000001', undefined],
	['+55 (11) 97000-0001', undefined],
	[null, undefined],
])('the name %j is %j', (pushName, name) => {
	const [entry] = parseWebhook(evolution(hello, {}, { pushName }));
	expect(entry.person.name).toBe(name);
});

it.each([
	['Meta, a username', meta({ type: 'text' }, { contacts: [{ profile: { username: 'ana' } }] })],
	['WAHA, NOWEB', waha({ _data: { pushName: 'ana' } })],
	['WAHA, WEBJS', waha({ _data: { notifyName: 'ana' } })],
	['WAHA, GOWS', waha({ _data: { Info: { PushName: 'ana' } } })],
	['Z-API', zapi({ senderName: 'ana', text: { message: 'Hello' } })],
	['Chatwoot', chatwoot({}, { meta: { sender: { name: 'ana' } } })],
])('the name is in other places: %s', (_, body) => {
	expect(parseWebhook(body)).toMatchObject([{ person: { name: 'ana' } }]);
});

it.each([
	['Evolution', evolution(hello, { fromMe: true })],
	['WAHA', waha({ ...own, from: '103899771998284@lid', _data: { pushName: 'Example Shop' } })],
	['Z-API', zapi({ fromMe: true, senderName: 'Example Shop', text: { message: 'Hello' } })],
])('the name beside an own message is not the other side: %s', (_, body) => {
	const [{ person }] = parseWebhook(body);
	expect(person).not.toHaveProperty('name');
});

it('answers open conversations of Chatwoot that nobody has taken only where that is chosen', () => {
	const body = chatwoot({}, { status: 'open' });
	const resolved = chatwoot({}, { status: 'resolved' });
	const entries = [
		...parseWebhook(body),
		...parseWebhook(body, { answerOpen: true }),
		...parseWebhook(resolved, { answerOpen: true }),
	];
	expect(entries.map((entry) => 'silence' in entry && entry.silence)).toEqual([
		expect.stringContaining('is open'),
		undefined,
		expect.stringContaining('is resolved'),
	]);
});

describe('recognises the service', () => {
	const bodies = {
		meta: meta({}),
		evolution: evolution(hello),
		waha: waha({}),
		zapi: zapi({}),
		chatwoot: chatwoot({}),
	};
	it.each(Object.entries(bodies))('%s', (service, body) => {
		const posts = Object.entries(WEBHOOK_SERVICES).filter(([, each]) => each.posts(body));
		expect(posts.map(([name]) => name)).toEqual([service]);
	});

	it.each([undefined, null, 'x', 7, [], {}, { event: 'push' }])('of %j there is none', (body) => {
		expect(() => parseWebhook(body)).toThrow('is no webhook of');
	});

	it('only the chosen one', () => {
		expect(() => parseWebhook(bodies.meta, { service: 'waha' })).toThrow('no webhook of WAHA');
	});
});

/** The same value with one part of it replaced, once for each part. */
function* damaged(value: unknown, by: unknown): Generator<unknown> {
	if (typeof value !== 'object' || value === null) return;
	for (const [name, part] of Object.entries(value)) {
		const copyWith = (other: unknown): unknown =>
			Array.isArray(value)
				? value.map((each: unknown, i) => (String(i) === name ? other : each))
				: { ...value, [name]: other };
		yield copyWith(by);
		for (const inner of damaged(part, by)) yield copyWith(inner);
	}
}

/** An object that is text nowhere. */
const OBJECT = { a: { b: { c: [] } } };

describe.each([undefined, null, OBJECT, [[]], 'x', 7, true])(
	'%j in the place of any part',
	(by) => {
		const bodies = [...ROWS.map(([, body]) => body), ...REPLIES.map(([body]) => body)];
		it('stops nothing and is in no text', () => {
			for (const body of bodies) {
				for (const each of damaged(body, by)) {
					// A body whose own form is destroyed is none of any service.
					const isKnown = Object.values(WEBHOOK_SERVICES).some(({ posts }) => posts(each as Json));
					if (!isKnown) continue;
					for (const entry of parseWebhook(each)) {
						expect(JSON.stringify(entry)).not.toMatch(/\[object|undefined|NaN/);
						if (entry.type === 'message') expect(entry.text).toMatch(/\S/);
					}
				}
			}
		});
	},
);
