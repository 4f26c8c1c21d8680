/**
 * What WhatsApp services post to a webhook. One file for each service in payloads/ holds a payload for each kind of
 * message, with the page that shows it and what becomes of it (`expect`); here is what all payloads of a service share.
 */
import { createHmac } from 'node:crypto';

import chatwootKinds from './payloads/chatwoot.json' with { type: 'json' };
import evolutionKinds from './payloads/evolution.json' with { type: 'json' };
import metaKinds from './payloads/meta.json' with { type: 'json' };
import wahaKinds from './payloads/waha.json' with { type: 'json' };
import zapiKinds from './payloads/zapi.json' with { type: 'json' };

export interface Content {
	/** Digits only. */
	phone: string;
	id: string;
	text: string;
	/** The person's LID; by default one that belongs to the phone. The business-scoped user ID has its digits too. */
	lid?: string;
	/** After a change of number. */
	newPhone?: string;
}

type Fields = Record<string, unknown>;

interface Kind {
	page: string;
	/** Null: nothing becomes of it. */
	expect: Fields | null;
	/** The sender hides the number (Meta). */
	hidden?: boolean;
	field?: string;
	event?: string;
	value?: Fields;
	message?: Fields;
	data?: unknown;
	payload?: Fields;
}

const isFields = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** `more` over `base`, also inside of objects. */
function merged(base: Fields, more: Fields = {}): Fields {
	const result = { ...base };
	for (const [name, value] of Object.entries(more)) {
		const before = result[name];
		result[name] = isFields(before) && isFields(value) ? merged(before, value) : value;
	}
	return result;
}

const withoutNulls = (fields: Fields): Fields =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

function ofMeta({ hidden, field = 'messages', value, message }: Kind): Fields {
	const from = hidden ? { from_user_id: '{{user}}' } : { from: '{{phone}}' };
	const contact = hidden ? { user_id: '{{user}}' } : { wa_id: '{{phone}}' };
	const base = {
		messaging_product: 'whatsapp',
		metadata: { display_phone_number: '5511900000000', phone_number_id: '100000000000001' },
		contacts: [{ profile: { name: 'Example Contact' }, ...contact }],
		messages: [{ ...from, id: 'wamid.{{id}}', timestamp: '{{now}}', ...message }],
	};
	const change = { field, value: withoutNulls({ ...base, ...value }) };
	return {
		object: 'whatsapp_business_account',
		entry: [{ id: '100000000000000', changes: [change] }],
	};
}

const ofEvolution = ({ event = 'messages.upsert', data }: Kind): Fields => ({
	event,
	instance: 'example',
	data:
		event === 'messages.upsert' || event === 'send.message'
			? merged(
					{
						pushName: 'Example Contact',
						status: 'DELIVERY_ACK',
						messageTimestamp: '{{now}}',
						instanceId: '5f0c2a1e-0000-4000-8000-000000000001',
						source: 'android',
					},
					{
						key: { remoteJid: '{{phone}}@s.whatsapp.net', fromMe: false, id: '{{id}}' },
						...(data as Fields),
					},
				)
			: data,
	destination: 'https://n8n.example.com/webhook/whatsapp-evolution',
	date_time: '2026-01-01T00:00:00.000Z',
	sender: '5511900000000@s.whatsapp.net',
	server_url: 'https://evolution.example.com',
	apikey: 'key-of-the-instance',
});

const ofChatwoot = ({ message }: Kind): Fields =>
	merged(
		{
			event: 'message_created',
			id: '{{id}}',
			content: '{{text}}',
			message_type: 'incoming',
			content_type: 'text',
			private: false,
			content_attributes: {},
			source_id: 'wamid.{{id}}',
			sender: { id: '{{contact}}', name: 'Example Contact', type: 'contact' },
			inbox: { id: 1, name: 'WhatsApp' },
			conversation: {
				id: 10,
				inbox_id: 1,
				status: 'pending',
				can_reply: true,
				channel: 'Channel::Whatsapp',
				contact_inbox: { id: 12, contact_id: '{{contact}}', source_id: '{{phone}}' },
				meta: {
					sender: {
						id: '{{contact}}',
						name: 'Example Contact',
						email: null,
						identifier: null,
						phone_number: '+{{phone}}',
						additional_attributes: {},
						type: 'contact',
					},
					assignee: null,
					assignee_type: null,
					team: null,
				},
			},
			account: { id: 1, name: 'Example' },
		},
		message,
	);

const ofWaha = ({ event = 'message', payload }: Kind): Fields => ({
	id: 'evt_1',
	timestamp: '{{nowMs}}',
	event,
	session: 'default',
	me: { id: '5511900000000@c.us' },
	engine: 'NOWEB',
	payload: merged(
		{
			id: '{{id}}',
			timestamp: '{{now}}',
			from: '{{phone}}@c.us',
			to: '5511900000000@c.us',
			fromMe: false,
			source: 'app',
			body: '{{text}}',
			hasMedia: false,
			_data: { pushName: 'Example Contact' },
		},
		payload,
	),
});

const ofZapi = ({ message }: Kind): Fields =>
	withoutNulls({
		type: 'ReceivedCallback',
		instanceId: 'INSTANCE',
		messageId: '{{id}}',
		phone: '{{phone}}',
		chatLid: '{{lid}}@lid',
		senderLid: '{{lid}}@lid',
		fromMe: false,
		fromApi: false,
		isGroup: false,
		isNewsletter: false,
		isEdit: false,
		broadcast: false,
		waitingMessage: false,
		status: 'RECEIVED',
		momment: '{{nowMs}}',
		chatName: 'Example Contact',
		senderName: 'Example Contact',
		connectedPhone: '5511900000000',
		text: { message: '{{text}}' },
		...message,
	});

const SERVICES = {
	Meta: { kinds: metaKinds.kinds as Record<string, Kind>, body: ofMeta },
	Evolution: { kinds: evolutionKinds.kinds as Record<string, Kind>, body: ofEvolution },
	Chatwoot: { kinds: chatwootKinds.kinds as Record<string, Kind>, body: ofChatwoot },
	WAHA: { kinds: wahaKinds.kinds as Record<string, Kind>, body: ofWaha },
	'Z-API': { kinds: zapiKinds.kinds as Record<string, Kind>, body: ofZapi },
};

export type Service = keyof typeof SERVICES;
export const services = Object.keys(SERVICES) as Service[];

const NUMBERS = new Set(['nowMs', 'yesterdayMs', 'contact']);

function valuesOf({ phone, id, text, lid = `1${phone}`, newPhone = '' }: Content): Fields {
	const now = Date.now();
	const yesterday = now - 25 * 3_600_000;
	return {
		phone,
		id,
		text,
		lid,
		newPhone,
		user: `BR.${lid}`,
		newUser: `BR.${lid}7`,
		contact: Number(lid.slice(-9)),
		phoneWithoutNine: phone.replace(/^(55\d\d)9/, '$1'),
		now: String(Math.floor(now / 1000)),
		nowMs: now,
		yesterday: String(Math.floor(yesterday / 1000)),
		yesterdayMs: yesterday,
	};
}

/** With its placeholders replaced. */
function filled<T>(value: T, content: Content): T {
	const values = valuesOf(content);
	return JSON.parse(JSON.stringify(value), (_, each: unknown) => {
		if (typeof each !== 'string') return each;
		const whole = /^\{\{(\w+)\}\}$/.exec(each)?.[1];
		if (whole && NUMBERS.has(whole)) return values[whole];
		return each.replace(/\{\{(\w+)\}\}/g, (found, name: string) => String(values[name] ?? found));
	}) as T;
}

/** The kinds of messages of a service. */
export const kindsOf = (service: Service): string[] => Object.keys(SERVICES[service].kinds);

/** What a service posts. */
export const payload = (service: Service, kind: string, content: Content): Fields => {
	const { kinds, body } = SERVICES[service];
	return filled(body(kinds[kind]), content);
};

/** What becomes of it: fields of the event that is read from it; null if it is left out. */
export const expectation = (service: Service, kind: string, content: Content): Fields | null =>
	filled(SERVICES[service].kinds[kind].expect, content);

/** Meta's signature of a body. @see https://developers.facebook.com/docs/graph-api/webhooks/getting-started */
export const signature = (body: string, secret: string): string =>
	`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
