/**
 * Stand-ins for the services that send WhatsApp messages. Each refuses what its page refuses, and counts what it takes
 * without delivering it. The pages are named beside the rules; "others" is read in other projects, not on the page.
 */
const WA = 'https://developers.facebook.com/documentation/business-messaging/whatsapp';
const DIGITS = /^\d{8,15}$/;
const USER_ID = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/;
const LID = /^\d+@lid$/;

const metaError = (status, code, message) => ({
	status,
	body: { error: { message, type: 'OAuthException', code, fbtrace_id: 'AbCdEfGhIjK' } },
});

/** A rule of a service: when a request breaks it, the answer is `refused`. `page` says where it is written. */
const RULES = {
	Meta: [
		{
			page: `${WA}/support/error-codes (15 May 2026), 190`,
			breaks: ({ headers }) => headers.authorization !== 'Bearer access-token',
			refused: metaError(401, 190, 'Invalid OAuth access token'),
		},
		{
			page: `${WA}/messages/text-messages`,
			breaks: ({ json }) => json.messaging_product !== 'whatsapp' || !(json.to || json.recipient),
			refused: metaError(400, 100, 'Invalid parameter'),
		},
		{
			page: `${WA}/messages/text-messages`,
			breaks: ({ json }) => json.type === 'text' && !json.text?.body,
			refused: metaError(400, 100, 'The parameter text["body"] is required.'),
		},
		{
			page: `${WA}/business-scoped-user-ids (29 Jun 2026): "contact_request" before 28 May 2026 (others)`,
			breaks: ({ json: { type, interactive } }) =>
				type === 'interactive' &&
				(interactive?.type !== 'request_contact_info' ||
					interactive.action?.name !== 'request_contact_info' ||
					!interactive.body?.text),
			refused: metaError(400, 100, 'Invalid parameter'),
		},
	],
	Evolution: [
		{
			page: 'https://doc.evolution-api.com/v2/api-reference/message-controller/send-text',
			breaks: ({ headers }) => headers.apikey !== 'key-of-evolution',
			refused: { status: 401, body: { status: 401, error: 'Unauthorized' } },
		},
		{
			page: 'https://github.com/evolution-foundation/evolution-api/issues/2217 (a LID in 2.3.6 and later)',
			breaks: ({ json }) => !(DIGITS.test(json.number) || LID.test(json.number)) || !json.text,
			refused: { status: 400, body: { status: 400, error: 'Bad Request' } },
		},
	],
	Chatwoot: [
		{
			page: 'https://developers.chatwoot.com/api-reference/messages/create-new-message',
			breaks: ({ headers }) => headers.api_access_token !== 'key-of-chatwoot',
			refused: { status: 401, body: { error: 'Invalid Access Token' } },
		},
		{
			page: 'https://developers.chatwoot.com/api-reference/messages/create-new-message',
			breaks: ({ json }) => !json.content || json.message_type !== 'outgoing',
			refused: { status: 422, body: { error: 'Content is missing' } },
		},
	],
	WAHA: [
		{
			page: 'https://waha.devlike.pro/docs/how-to/security/',
			breaks: ({ headers }) => headers['x-api-key'] !== 'key-of-waha',
			refused: { status: 401, body: { message: 'Unauthorized', statusCode: 401 } },
		},
		{
			page: 'https://waha.devlike.pro/docs/how-to/send-messages/',
			breaks: ({ json }) => !json.session || !/@(c\.us|lid)$/.test(json.chatId) || !json.text,
			refused: { status: 422, body: { statusCode: 422 } },
		},
	],
	'Z-API': [
		{
			page: 'https://developer.z-api.io/security/client-token',
			breaks: ({ headers }) => headers['client-token'] !== 'key-of-zapi',
			refused: { status: 403, body: { error: 'your client-token is not configured' } },
		},
		{
			page: 'https://developer.z-api.io/tips/lid',
			breaks: ({ json }) => !(DIGITS.test(json.phone) || LID.test(json.phone)) || !json.message,
			refused: { status: 400, body: { error: 'Invalid phone' } },
		},
	],
};

/** Meta also registers the webhook. */
const SUBSCRIPTIONS = '/v19.0/app-1/subscriptions';

/** By service: the host, the path of answers, and who gets which text. */
export const MESSENGERS = {
	Meta: {
		host: 'graph.facebook.com',
		path: /^\/v26\.0\/100000000000001\/messages$/,
		sent: ({ to, recipient, text, interactive }) => ({
			to: to ?? recipient,
			text: text?.body ?? interactive?.type,
			// A user ID is read as a number without its letters: 200, and never delivered (Chatwoot #15150, 24 Jul 2026).
			delivered: to === undefined ? USER_ID.test(recipient) : DIGITS.test(to),
		}),
		answer: { messaging_product: 'whatsapp', messages: [{ id: 'wamid.ANSWER' }] },
	},
	Evolution: {
		host: 'evolution.example.com',
		path: /^\/message\/sendText\/example$/,
		sent: ({ number, text }) => ({ to: number, text, delivered: true }),
		answer: { status: 'PENDING' },
	},
	Chatwoot: {
		host: 'chatwoot.example.com',
		path: /^\/api\/v1\/accounts\/1\/conversations\/10\/messages$/,
		sent: ({ content }) => ({ to: 'conversation', text: content, delivered: true }),
		answer: { id: 1 },
	},
	WAHA: {
		host: 'waha.example.com',
		path: /^\/api\/sendText$/,
		sent: ({ chatId, text }) => ({ to: chatId, text, delivered: true }),
		answer: { id: 'SENT' },
	},
	'Z-API': {
		host: 'api.z-api.io',
		path: /^\/instances\/INSTANCE\/token\/YOUR_INSTANCE_TOKEN\/send-text$/,
		sent: ({ phone, message }) => ({ to: phone, text: message, delivered: true }),
		answer: { messageId: 'SENT' },
	},
};

/** Serves all of them. */
export class Messengers {
	/** What reached people, oldest first. @type {Array<{service: string, to: string, text: string}>} */
	delivered = [];
	/** What was taken with 200 and reached nobody. */
	undelivered = [];
	/** What was refused, with the page of the rule. */
	refused = [];
	/** The subscription of the webhook at Meta. */
	registered = undefined;
	/** Nobody with one of these numbers gets anything: Meta's 131026. @type {Set<string>} */
	unreachable = new Set();

	constructor(standIns) {
		for (const service of Object.keys(MESSENGERS)) {
			standIns.serve(MESSENGERS[service].host, (request) => this.#answer(service, request));
		}
	}

	#answer(service, request) {
		const { path, sent, answer } = MESSENGERS[service];
		if (service === 'Meta' && !request.path.endsWith('/messages')) return this.#webhook(request);
		if (request.method !== 'POST' || !path.test(request.path)) return { status: 404, body: {} };
		const broken = RULES[service].find(({ breaks }) => breaks(request));
		if (broken) {
			this.refused.push({ service, page: broken.page });
			return broken.refused;
		}
		const { delivered, ...message } = sent(request.json);
		if (this.unreachable.has(message.to)) return metaError(400, 131026, 'Message undeliverable');
		(delivered ? this.delivered : this.undelivered).push({ service, ...message });
		return { body: answer };
	}

	#webhook({ method, path, json }) {
		if (path.endsWith('/oauth/access_token')) return { body: { access_token: 'app-token' } };
		if (path !== SUBSCRIPTIONS)
			return metaError(400, 100, `Unsupported request: ${method} ${path}`);
		if (method === 'POST') this.registered = json;
		return { body: method === 'GET' ? { data: [] } : { success: true } };
	}
}
