/**
 * What WhatsApp services post to a webhook. One file for each service in payloads/ holds a payload for each kind of
 * message, with the page that shows it and what becomes of it (`expect`), over what all payloads of the service share.
 */
import { createHmac } from 'node:crypto';

import lodash from 'lodash';

import chatwoot from './payloads/chatwoot.json' with { type: 'json' };
import evolution from './payloads/evolution.json' with { type: 'json' };
import meta from './payloads/meta.json' with { type: 'json' };
import waha from './payloads/waha.json' with { type: 'json' };
import zapi from './payloads/zapi.json' with { type: 'json' };

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

/** `more` over `base`, also inside of objects; a list replaces another. */
const merged = (base: Fields, more: unknown): Fields =>
	lodash.mergeWith({}, base, more, (_, value: unknown) =>
		lodash.isArray(value) ? value : undefined,
	);

const withoutNulls = (fields: Fields): Fields => lodash.omitBy(fields, lodash.isNull);

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
	...evolution.base,
	event,
	data: /upsert|send/.test(event) ? merged(evolution.message, data) : data,
});

const SERVICES = {
	Meta: { kinds: meta.kinds as Record<string, Kind>, body: ofMeta },
	Evolution: { kinds: evolution.kinds as Record<string, Kind>, body: ofEvolution },
	Chatwoot: {
		kinds: chatwoot.kinds as Record<string, Kind>,
		body: ({ message }: Kind) => merged(chatwoot.base, message),
	},
	WAHA: {
		kinds: waha.kinds as Record<string, Kind>,
		body: ({ event, payload }: Kind) => merged(waha.base, { ...(event && { event }), payload }),
	},
	'Z-API': {
		kinds: zapi.kinds as Record<string, Kind>,
		body: ({ message }: Kind) => withoutNulls({ ...zapi.base, ...message }),
	},
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
