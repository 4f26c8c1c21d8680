/** Reads the webhooks of Chatwoot. Pure. */
import { type ServiceRecord, toRecord } from '../values/json';
import type { RawMessage } from './message';
import { fieldsAt, PATHS } from './paths';
import {
	at,
	bracket,
	contentOf,
	firstText,
	textOf,
	toRecords,
	unavailable,
	type Content,
} from './words';

/** Marks messages written on the phone of the business, which have no sender (https://github.com/chatwoot/chatwoot/pull/13371, 27 Jan 2026). */
const ON_PHONE = 'external_echo';
/** Marks answers of the bot. They come back in the webhook, and if they were sent with an agent's token, look like that person's (Chatwoot 4.16). */
const BY_BOT = 'sent_by_bot';
const CHANNELS = ['', 'Channel::Whatsapp', 'Channel::Api', 'Channel::TwilioSms'];

/** Reads messages of inboxes of WhatsApp, also by Twilio or fed by Evolution API. */
export function readChatwoot(body: ServiceRecord, answerOpen: boolean): RawMessage | undefined {
	const { event, message_type: direction, content_attributes: attributes, sender } = body;
	const isFromBusiness = direction === 'outgoing';
	if (event !== 'message_created' || body.private === true) return undefined;
	if (!isFromBusiness && direction !== 'incoming') return undefined;
	const conversation = toRecord(body.conversation);
	if (!isOfWhatsApp(conversation)) return undefined;
	const idInChatwoot = body.id && `chatwoot-${textOf(body.id)}`;
	const address = `accounts/${textOf(at(body.account, 'id'))}/conversations/${textOf(conversation.id)}`;
	return {
		...fieldsAt(PATHS.chatwoot, { ...body, idInChatwoot, address }, isFromBusiness),
		content: chatwootContent(body),
		isFromApi: !isByPerson(sender, attributes),
		silence: isFromBusiness ? undefined : takenBy(conversation, answerOpen),
		replyTo: { message_type: 'outgoing', content_attributes: { [BY_BOT]: true } },
	};
}

/** Whether a conversation is with one person in WhatsApp, and not by SMS or in a group. */
function isOfWhatsApp(conversation: ServiceRecord): boolean {
	const channel = textOf(conversation.channel);
	const source = textOf(at(conversation, 'contact_inbox.source_id'));
	const identifier = textOf(at(conversation, 'meta.sender.identifier'));
	const isSms = channel === 'Channel::TwilioSms' && !source.startsWith('whatsapp:');
	const isGroup = [source, identifier].some((id) => id.endsWith('@g.us')) || conversation.group;
	return CHANNELS.includes(channel) && !isSms && !isGroup;
}

/** Agents have the type user. Bots, campaigns and automations have another type, or no sender at all. */
function isByPerson(sender: unknown, attributes: unknown): boolean {
	if (at(attributes, BY_BOT) === true) return false;
	return sender ? at(sender, 'type') === 'user' : at(attributes, ON_PHONE) === true;
}

/** Returns why the bot must not answer: a pending conversation is the bot's, an open one is a person's. */
function takenBy(conversation: ServiceRecord, answerOpen: boolean): string | undefined {
	const { status, can_reply: canReply, meta } = conversation;
	const isPerson = at(meta, 'assignee') && at(meta, 'assignee_type') !== 'AgentBot';
	if (at(meta, 'team') ?? isPerson) return 'A person or a team has this conversation';
	if (canReply === false) return 'The 24 hours for an answer are over';
	if (status === 'pending' || (status === 'open' && answerOpen)) return undefined;
	return `The conversation is ${textOf(status) || 'not pending'}: it is a person's turn`;
}

/** Returns the text of a message or, if it has none, a description of its files. */
function chatwootContent(body: ServiceRecord): Content | undefined {
	const { content, content_type: contentType, attachments } = body;
	// Not the text of the message, which is "Voice Call" in the language of the account.
	if (contentType === 'voice_call') return contentOf(contentType, {});
	const files = toRecords(attachments).map(
		({ file_type: type, fallback_title: title, ...file }) => {
			const kind = type === 'file' ? 'document' : firstText(type, 'document');
			const point = [file.coordinates_lat, file.coordinates_long].map(textOf);
			const [address = ''] = textOf(file.data_url).split('?');
			const transcript = textOf(file.transcribed_text);
			const name = firstText(title, kind === 'document' && address.split('/').pop());
			return {
				kind,
				text: transcript || bracket(kind, name, ...(type === 'location' ? point : [])),
			};
		},
	);
	const [first] = files;
	if (!first)
		return textOf(content) ? { kind: 'text', text: textOf(content) } : unavailable('Chatwoot');
	return { kind: first.kind, text: firstText(content) || files.map(({ text }) => text).join(' ') };
}
