/** The webhooks of all services that bring messages of WhatsApp, read into one form. Pure. */
import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import { InputError } from '../userError';
import { parseChatwoot } from './chatwootWebhook';
import type { WebhookEntry } from './entry';
import { parseEvolution } from './evolutionWebhook';
import { parseMeta } from './metaWebhook';
import { textOf } from './payload';
import { parseWaha } from './wahaWebhook';
import { parseZapi } from './zapiWebhook';

interface WebhookService {
	name: string;
	/** Whether a body is one of this service, also one without messages. */
	posts: (body: ServiceRecord) => boolean;
	parse: (body: ServiceRecord, answerOpen?: boolean) => WebhookEntry[];
}

/** By stored value. */
export const WEBHOOK_SERVICES = {
	meta: {
		name: "Meta's Cloud API",
		posts: ({ object, entry, messaging_product: product, field, value }) =>
			(object === 'whatsapp_business_account' && Array.isArray(entry)) ||
			product === 'whatsapp' ||
			(typeof field === 'string' && isRecord(value)),
		parse: parseMeta,
	},
	evolution: {
		name: 'Evolution API',
		posts: ({ event, instance, data }) =>
			typeof event === 'string' && instance !== undefined && typeof data === 'object',
		parse: parseEvolution,
	},
	waha: {
		name: 'WAHA',
		posts: ({ event, payload }) => typeof event === 'string' && isRecord(payload),
		parse: parseWaha,
	},
	zapi: {
		name: 'Z-API',
		posts: ({ type }) => /^\w+Callback$/.test(textOf(type)),
		parse: parseZapi,
	},
	chatwoot: {
		name: 'Chatwoot',
		posts: ({ event }) => /^(?:message|conversation|contact|webwidget)_\w+$/.test(textOf(event)),
		parse: parseChatwoot,
	},
} satisfies Record<string, WebhookService>;

export type WebhookServiceId = keyof typeof WEBHOOK_SERVICES;

export interface WebhookSettings {
	/** By default, the service is recognised by the form of the body. */
	service?: WebhookServiceId;
	/** Of Chatwoot: whether open conversations that nobody has taken are answered. */
	answerOpen?: boolean;
}

/**
 * The messages and changes of identity of a webhook, oldest first as the service lists them. Reactions, receipts, edits,
 * deletions, groups, channels, statuses, calls and whatever else is no message of one person give none.
 *
 * @param given the body, or the item of n8n's Webhook node that has it in `body`
 * @throws InputError if it is no webhook of the service, or of none
 */
export function parseWebhook(given: unknown, settings: WebhookSettings = {}): WebhookEntry[] {
	const item = isRecord(given) ? given : {};
	const body = isRecord(item.body) && item.event === undefined ? item.body : item;
	const services: WebhookService[] = settings.service
		? [WEBHOOK_SERVICES[settings.service]]
		: Object.values(WEBHOOK_SERVICES);
	const service = services.find(({ posts }) => posts(body));
	if (service) return service.parse(body, settings.answerOpen);
	const names = services.map(({ name }) => name).join(', ');
	throw new InputError(
		`"Webhook Body" is no webhook of ${names}`,
		'Give the whole body as it came, such as {{ $json.body }} after the Webhook node or {{ $json }} after the WhatsApp Trigger.',
	);
}
