/**
 * Stand-ins for the services that send WhatsApp messages. Each refuses what its page refuses, and counts what it takes
 * without delivering it. The pages are named beside the rules; "others" is read in other projects, not on the page.
 */
const WA = 'https://developers.facebook.com/documentation/business-messaging/whatsapp';
const DIGITS = /^\d{8,15}$/;
const USER_ID = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/;
const LID = /^\d+@lid$/;

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

/** When a request breaks a rule, the answer is `refused`. `page` says where the rule is written. */
interface Rule {
	page: string;
	breaks: (request: Request) => boolean;
	refused: Answer;
}

interface Messenger {
	host: string;
	/** Of answers. */
	path: RegExp;
	rules: Rule[];
	/** Who gets which text. */
	sent: (body: Json) => { to: unknown; text: unknown; delivered?: boolean };
	answer: Json;
}

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const matches = (value: unknown, ...forms: RegExp[]) =>
	typeof value === 'string' && forms.some((form) => form.test(value));
const field = (value: unknown, name: string): unknown => (value as Json | undefined)?.[name];

const metaError = (status: number, code: number, message: string): Answer => ({
	status,
	body: { error: { message, type: 'OAuthException', code, fbtrace_id: 'AbCdEfGhIjK' } },
});

/** Meta also registers the webhook. */
const SUBSCRIPTIONS = '/v19.0/app-1/subscriptions';

export const MESSENGERS = {
	Meta: {
		host: 'graph.facebook.com',
		path: /^\/v26\.0\/100000000000001\/messages$/,
		rules: [
			{
				page: `${WA}/support/error-codes (15 May 2026), 190`,
				breaks: ({ headers }) => headers.authorization !== 'Bearer access-token',
				refused: metaError(401, 190, 'Invalid OAuth access token'),
			},
			{
				page: `${WA}/messages/text-messages, messaging_product and to`,
				breaks: ({ json }) => json.messaging_product !== 'whatsapp' || !(json.to || json.recipient),
				refused: metaError(400, 100, 'Invalid parameter'),
			},
			{
				page: `${WA}/messages/text-messages, text.body`,
				breaks: ({ json }) => json.type === 'text' && !isText(field(json.text, 'body')),
				refused: metaError(400, 100, 'The parameter text["body"] is required.'),
			},
			{
				page: `${WA}/business-scoped-user-ids (29 Jun 2026); contact_request before 28 May 2026 (others)`,
				breaks: ({ json: { type, interactive } }) =>
					type === 'interactive' &&
					(field(interactive, 'type') !== 'request_contact_info' ||
						field(field(interactive, 'action'), 'name') !== 'request_contact_info' ||
						!isText(field(field(interactive, 'body'), 'text'))),
				refused: metaError(400, 100, 'Invalid parameter'),
			},
		],
		sent: ({ to, recipient, text, interactive }) => ({
			// With both, "to" wins (WA/business-scoped-user-ids, 29 Jun 2026).
			to: to ?? recipient,
			text: field(text, 'body') ?? field(interactive, 'type'),
			// A user ID in "to" is read as a number without its letters: 200, and never delivered (Chatwoot #15150, others).
			delivered: to === undefined ? matches(recipient, USER_ID) : matches(to, DIGITS),
		}),
		answer: { messaging_product: 'whatsapp', messages: [{ id: 'wamid.ANSWER' }] },
	},
	Evolution: {
		host: 'evolution.example.com',
		path: /^\/message\/sendText\/example$/,
		rules: [
			{
				page: 'https://doc.evolution-api.com/v2/api-reference/message-controller/send-text, apikey',
				breaks: ({ headers }) => headers.apikey !== 'key-of-evolution',
				refused: { status: 401, body: { status: 401, error: 'Unauthorized' } },
			},
			{
				page: 'https://github.com/evolution-foundation/evolution-api/issues/2217, a LID in 2.3.6 and later (others)',
				breaks: ({ json }) => !matches(json.number, DIGITS, LID) || !isText(json.text),
				refused: { status: 400, body: { status: 400, error: 'Bad Request' } },
			},
		],
		sent: ({ number, text }) => ({ to: number, text }),
		answer: { status: 'PENDING' },
	},
	Chatwoot: {
		host: 'chatwoot.example.com',
		path: /^\/api\/v1\/accounts\/1\/conversations\/10\/messages$/,
		rules: [
			{
				page: 'https://developers.chatwoot.com/api-reference/messages/create-new-message, api_access_token',
				breaks: ({ headers }) => headers.api_access_token !== 'key-of-chatwoot',
				refused: { status: 401, body: { error: 'Invalid Access Token' } },
			},
			{
				page: 'https://developers.chatwoot.com/api-reference/messages/create-new-message, content',
				breaks: ({ json }) => !isText(json.content) || json.message_type !== 'outgoing',
				refused: { status: 422, body: { error: 'Content is missing' } },
			},
		],
		sent: ({ content }) => ({ to: 'conversation', text: content }),
		answer: { id: 1 },
	},
	WAHA: {
		host: 'waha.example.com',
		path: /^\/api\/sendText$/,
		rules: [
			{
				page: 'https://waha.devlike.pro/docs/how-to/security/, X-Api-Key',
				breaks: ({ headers }) => headers['x-api-key'] !== 'key-of-waha',
				refused: { status: 401, body: { message: 'Unauthorized', statusCode: 401 } },
			},
			{
				page: 'https://waha.devlike.pro/docs/how-to/send-messages/, chatId',
				breaks: ({ json }) =>
					!isText(json.session) || !matches(json.chatId, /@(c\.us|lid)$/) || !isText(json.text),
				refused: { status: 422, body: { statusCode: 422 } },
			},
		],
		sent: ({ chatId, text }) => ({ to: chatId, text }),
		answer: { id: 'SENT' },
	},
	'Z-API': {
		host: 'api.z-api.io',
		path: /^\/instances\/INSTANCE\/token\/YOUR_INSTANCE_TOKEN\/send-text$/,
		rules: [
			{
				page: 'https://developer.z-api.io/security/client-token',
				breaks: ({ headers }) => headers['client-token'] !== 'key-of-zapi',
				refused: { status: 403, body: { error: 'your client-token is not configured' } },
			},
			{
				page: 'https://developer.z-api.io/tips/lid',
				breaks: ({ json }) => !matches(json.phone, DIGITS, LID) || !isText(json.message),
				refused: { status: 400, body: { error: 'Invalid phone' } },
			},
		],
		sent: ({ phone, message }) => ({ to: phone, text: message }),
		answer: { messageId: 'SENT' },
	},
} satisfies Record<string, Messenger>;

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
	/** What was refused, with the page of the rule. */
	readonly refused: Array<{ service: string; page: string }> = [];
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
		const broken = rules.find(({ breaks }) => breaks(request));
		if (broken) {
			this.refused.push({ service, page: broken.page });
			return broken.refused;
		}
		const { delivered = true, ...message } = sent(request.json);
		if (this.unreachable.has(message.to)) return metaError(400, 131026, 'Message undeliverable');
		(delivered ? this.delivered : this.undelivered).push({ service, ...message });
		return { body: answer };
	}

	private webhook({ method, path, json }: Request): Answer {
		if (path.endsWith('/oauth/access_token')) return { body: { access_token: 'app-token' } };
		if (path !== SUBSCRIPTIONS)
			return metaError(400, 100, `Unsupported request: ${method} ${path}`);
		if (method === 'POST') this.registered = json;
		return { body: method === 'GET' ? { data: [] } : { success: true } };
	}
}
