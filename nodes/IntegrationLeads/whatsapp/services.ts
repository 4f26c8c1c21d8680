/** Reads the webhooks of five services. Groups, receipts and edits are ignored. Pure. */
import { compact, findKey, isString } from 'lodash';

import { isRecord, type ServiceRecord, toRecord } from '../values/json';
import { InputError } from '../userError';
import { readChatwoot } from './chatwoot';
import { readEvolution } from './evolution';
import { toMessage, type RawMessage, type WhatsAppMessage } from './message';
import { isMeta, readMeta } from './meta';
import { readWaha } from './waha';
import { textOf } from './words';
import { readZapi } from './zapi';

/** For each service, a test whether it posted a body, with or without messages, and the function that reads it. */
const SERVICES: Record<
	string,
	[
		posts: (body: ServiceRecord) => boolean,
		read: (body: ServiceRecord, answerOpen: boolean) => RawMessage | RawMessage[] | undefined,
	]
> = {
	"Meta's Cloud API": [isMeta, readMeta],
	'Evolution API': [
		({ event, instance, instanceId, data }) =>
			isString(event) && (instance ?? instanceId) !== undefined && typeof data === 'object',
		readEvolution,
	],
	WAHA: [({ event, payload }) => isString(event) && isRecord(payload), readWaha],
	'Z-API': [({ type }) => /^\w+Callback$/.test(textOf(type)), readZapi],
	Chatwoot: [
		({ event }) => /^(?:message|conversation|contact|webwidget)_\w+$/.test(textOf(event)),
		readChatwoot,
	],
};

/** Other services whose webhooks people may connect by mistake. */
const OTHERS: Record<string, (body: ServiceRecord) => boolean> = {
	Instagram: ({ object }) => object === 'instagram',
	Messenger: ({ object }) => object === 'page',
	Telegram: ({ update_id: id }) => id !== undefined,
	Twilio: ({ AccountSid: id }) => id !== undefined,
};

/**
 * Reads the messages of a webhook, oldest first, as the service lists them.
 *
 * @param webhook the body, or the item of n8n's Webhook node that has it in `body`
 * @param answerOpen whether a bot answers open conversations of Chatwoot that no person has taken
 * @throws InputError if none of the services posted it
 */
export function parseWebhook(webhook: unknown, answerOpen = false): WhatsAppMessage[] {
	const item = toRecord(webhook);
	const body = isRecord(item.body) && item.event === undefined ? item.body : item;
	const [, read] = Object.values(SERVICES).find(([posts]) => posts(body)) ?? [];
	if (read) return compact(compact([read(body, answerOpen)].flat()).map(toMessage));
	const other = findKey(OTHERS, (posts) => posts(body));
	throw new InputError(
		`"Webhook Body" is ${other ? `a webhook of ${other}, not` : 'no webhook'} of Meta's Cloud API, Evolution API, WAHA, Z-API or Chatwoot`,
		{
			panel:
				'Give the whole body as it came, such as {{ $json.body }} after the Webhook node or {{ $json }} after the WhatsApp Trigger. To log what another service sends, use Message > Log for Lead.',
			model: 'Message > Log for Lead logs what another service sends.',
			row: 'Message > Log for Lead logs what another service sends.',
		},
	);
}
