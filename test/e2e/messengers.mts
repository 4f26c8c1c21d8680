/**
 * Stand-ins for the services that send WhatsApp messages. Each refuses what its page refuses, and counts what it takes
 * without delivering it. The pages are named beside the rules; "others" is read in other projects, not on the page. WA is
 * https://developers.facebook.com/documentation/business-messaging/whatsapp
 */
import lodash from 'lodash';

const DIGITS = /^\d{8,15}$/;
const USER_ID = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/;
const NUMBER_OR_LID = /^(\d{8,15}|\d+@lid)$/;

type Json = Record<string, unknown>;

/** A request that a service gets, and what it answers. */
export interface Request {
	method: string;
	path: string;
	headers: Json;
	json: Json;
}
interface Answer {
	status?: number;
	body: Json;
}

interface Messenger {
	host: string;
	/** Of answers. */
	path: RegExp;
	/** What it demands of a request, and the status of its refusal otherwise. The page stands beside. */
	rules: Record<string, [holds: (request: Request) => boolean, refusal: number]>;
	/** Who gets which text. */
	sent: (body: Json) => { to: unknown; text: unknown; delivered?: boolean };
	answer: Json;
}

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const matches = (value: unknown, form: RegExp) => typeof value === 'string' && form.test(value);

/** Only requests with this key are answered. */
const key = (name: string, value: string, refusal = 401): Messenger['rules'][string] => [
	({ headers }) => headers[name] === value,
	refusal,
];

/** Meta also registers the webhook. */
const SUBSCRIPTIONS = '/v19.0/app-1/subscriptions';

export const MESSENGERS = {
	Meta: {
		host: 'graph.facebook.com',
		path: /^\/v26\.0\/100000000000001\/messages$/,
		rules: {
			// WA/support/error-codes (15 May 2026), 190
			key: key('authorization', 'Bearer access-token'),
			// WA/messages/text-messages, messaging_product and to
			to: [
				({ json }) => json.messaging_product === 'whatsapp' && isText(json.to ?? json.recipient),
				400,
			],
			// WA/messages/text-messages, text.body
			text: [({ json }) => json.type !== 'text' || isText(lodash.get(json, 'text.body')), 400],
			// WA/business-scoped-user-ids (29 Jun 2026); contact_request before 28 May 2026 (others)
			interactive: [
				({ json: { type, interactive } }) =>
					type !== 'interactive' ||
					(lodash.get(interactive, 'type') === 'request_contact_info' &&
						lodash.get(interactive, 'action.name') === 'request_contact_info' &&
						isText(lodash.get(interactive, 'body.text'))),
				400,
			],
		},
		sent: ({ to, recipient, text, interactive }) => ({
			// With both, "to" wins (WA/business-scoped-user-ids, 29 Jun 2026).
			to: to ?? recipient,
			text: lodash.get(text, 'body') ?? lodash.get(interactive, 'type'),
			// A user ID in "to" is read as a number without its letters: 200, and never delivered (Chatwoot #15150, others).
			delivered: to === undefined ? matches(recipient, USER_ID) : matches(to, DIGITS),
		}),
		answer: { messaging_product: 'whatsapp', messages: [{ id: 'wamid.ANSWER' }] },
	},
	Evolution: {
		host: 'evolution.example.com',
		path: /^\/message\/sendText\/example$/,
		rules: {
			// https://doc.evolution-api.com/v2/api-reference/message-controller/send-text, apikey
			key: key('apikey', 'key-of-evolution'),
			// https://github.com/evolution-foundation/evolution-api/issues/2217, a LID in 2.3.6 and later (others)
			number: [({ json }) => matches(json.number, NUMBER_OR_LID) && isText(json.text), 400],
		},
		sent: ({ number, text }) => ({ to: number, text }),
		answer: { status: 'PENDING' },
	},
	Chatwoot: {
		host: 'chatwoot.example.com',
		path: /^\/api\/v1\/accounts\/1\/conversations\/10\/messages$/,
		// https://developers.chatwoot.com/api-reference/messages/create-new-message
		rules: {
			key: key('api_access_token', 'key-of-chatwoot'),
			content: [({ json }) => isText(json.content) && json.message_type === 'outgoing', 422],
		},
		sent: ({ content }) => ({ to: 'conversation', text: content }),
		answer: { id: 1 },
	},
	WAHA: {
		host: 'waha.example.com',
		path: /^\/api\/sendText$/,
		rules: {
			// https://waha.devlike.pro/docs/how-to/security/, X-Api-Key
			key: key('x-api-key', 'key-of-waha'),
			// https://waha.devlike.pro/docs/how-to/send-messages/, chatId
			chat: [
				({ json }) =>
					isText(json.session) && matches(json.chatId, /@(c\.us|lid)$/) && isText(json.text),
				422,
			],
		},
		sent: ({ chatId, text }) => ({ to: chatId, text }),
		answer: { id: 'SENT' },
	},
	'Z-API': {
		host: 'api.z-api.io',
		path: /^\/instances\/INSTANCE\/token\/YOUR_INSTANCE_TOKEN\/send-text$/,
		rules: {
			// https://developer.z-api.io/security/client-token
			key: key('client-token', 'key-of-zapi', 403),
			// https://developer.z-api.io/tips/lid
			phone: [({ json }) => matches(json.phone, NUMBER_OR_LID) && isText(json.message), 400],
		},
		sent: ({ phone, message }) => ({ to: phone, text: message }),
		answer: { messageId: 'SENT' },
	},
} satisfies Record<string, Messenger>;

const metaError = (code: number, message: string): Answer => ({
	status: 400,
	body: { error: { message, type: 'OAuthException', code, fbtrace_id: 'AbCdEfGhIjK' } },
});

interface Sent {
	service: string;
	to: unknown;
	text: unknown;
}

/** All of them. */
export class Messengers {
	/** What reached people, oldest first. */
	readonly delivered: Sent[] = [];
	/** What was taken with 200 and reached nobody. */
	readonly undelivered: Sent[] = [];
	/** The rules that requests broke. */
	readonly refused: Array<{ service: string; rule: string }> = [];
	/** The subscription of the webhook at Meta. */
	registered: Json | undefined = undefined;
	/** Nobody with one of these numbers gets anything: Meta's 131026 (others). */
	readonly unreachable = new Set<unknown>();

	/** @param serve answers the requests to a host from now on, see StandIns */
	constructor(serve: (host: string, handler: (request: Request) => Answer) => void) {
		for (const [service, messenger] of Object.entries<Messenger>(MESSENGERS)) {
			serve(messenger.host, (request) => this.answer(service, messenger, request));
		}
	}

	private answer(service: string, messenger: Messenger, request: Request): Answer {
		const { path, rules, sent, answer } = messenger;
		if (service === 'Meta' && !request.path.endsWith('/messages')) return this.webhook(request);
		if (request.method !== 'POST' || !path.test(request.path)) return { status: 404, body: {} };
		const broken = Object.entries(rules).find(([, [holds]]) => !holds(request));
		if (broken) {
			const [rule, [, status]] = broken;
			this.refused.push({ service, rule });
			return { status, body: { error: { message: `Refused by the rule "${rule}"` } } };
		}
		const { delivered = true, ...message } = sent(request.json);
		if (this.unreachable.has(message.to)) return metaError(131026, 'Message undeliverable');
		(delivered ? this.delivered : this.undelivered).push({ service, ...message });
		return { body: answer };
	}

	private webhook({ method, path, json }: Request): Answer {
		if (path.endsWith('/oauth/access_token')) return { body: { access_token: 'app-token' } };
		if (path !== SUBSCRIPTIONS) return metaError(100, `Unsupported request: ${method} ${path}`);
		if (method === 'POST') this.registered = json;
		return { body: method === 'GET' ? { data: [] } : { success: true } };
	}
}
