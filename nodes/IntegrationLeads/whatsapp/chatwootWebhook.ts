/**
 * Webhooks of Chatwoot: `message_created` of inboxes of WhatsApp, also by Twilio, or fed by Evolution API or WAHA. Pure.
 *
 * https://github.com/chatwoot/chatwoot (2026): app/models/message.rb, app/presenters/conversations/event_data_presenter.rb
 */
import { pickBy } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import type { Content } from './content';
import { notPassedOn, say, sayLocation, sayMedia } from './content';
import type { WebhookEntry } from './entry';
import { adOf, authorOf, messageIdOf, personOf, sentAtOf, toMessage } from './entry';
import { at, firstText, textOf, toList, toRecord } from './payload';

/**
 * Marks our answers among the attributes of a message, which come back in its webhook: with the access token of an agent they
 * look like that person's.
 *
 * https://github.com/chatwoot/chatwoot (4.16): app/builders/messages/message_builder.rb, content_attributes
 */
const BY_BOT = 'sent_by_bot';

const CHANNELS = ['', 'Channel::Whatsapp', 'Channel::Api', 'Channel::TwilioSms'];

/** @param answerOpen whether open conversations that nobody has taken are answered; without a bot all are open */
export function parseChatwoot(body: ServiceRecord, answerOpen = false): WebhookEntry[] {
	const { event, message_type: direction, content_attributes: attributes } = body;
	const isOwn = direction === 'outgoing';
	if (event !== 'message_created' || body.private === true) return [];
	if (!isOwn && direction !== 'incoming') return [];
	const conversation = toRecord(body.conversation);
	const contact = toRecord(at(conversation, 'meta.sender'));
	const source = textOf(at(conversation, 'contact_inbox.source_id'));
	if (!isPersonal(conversation, contact, source)) return [];

	const chatwootContact = firstText(contact.id, at(conversation, 'contact_inbox.contact_id'));
	const { phone, name } = personOf(
		[contact.phone_number, contact.identifier, source],
		firstText(contact.name, at(contact.additional_attributes, 'social_whatsapp_user_name')),
	);
	const ownId = textOf(body.id);
	const details = {
		id: messageIdOf(body.source_id) || (ownId && `chatwoot-${ownId}`),
		// Agents are users; bots, campaigns and automations are not, or there is no sender.
		from: authorOf(isOwn, at(body.sender, 'type') !== 'user' || at(attributes, BY_BOT) === true),
		person: pickBy({ chatwootContact, phone, name }),
		sentAt: sentAtOf(body.created_at),
		ad: adOf(at(attributes, 'referral')),
		silence: takenBy(conversation, answerOpen),
		replyTo: { message_type: 'outgoing', content_attributes: { [BY_BOT]: true } },
		replyVia: `accounts/${textOf(at(body.account, 'id'))}/conversations/${textOf(conversation.id)}`,
	};
	return [toMessage(details, contentOf(body))];
}

/** A chat of WhatsApp with one person. */
function isPersonal(conversation: ServiceRecord, contact: ServiceRecord, source: string): boolean {
	const channel = textOf(conversation.channel);
	const isSms = channel === 'Channel::TwilioSms' && !source.startsWith('whatsapp:');
	const isGroup =
		[source, textOf(contact.identifier)].some((id) => id.endsWith('@g.us')) ||
		Boolean(conversation.group);
	return CHANNELS.includes(channel) && !isSms && !isGroup;
}

/** While a conversation is pending it is the bot's; open means that it is a person's turn. */
function takenBy(conversation: ServiceRecord, answerOpen: boolean): string | undefined {
	const { status, can_reply: canReply, meta } = conversation;
	const isPerson = at(meta, 'assignee') && at(meta, 'assignee_type') !== 'AgentBot';
	if (at(meta, 'team') ?? isPerson) return 'A person or a team has this conversation';
	if (canReply === false) return 'The 24 hours for an answer are over';
	if (status === 'pending' || (status === 'open' && answerOpen)) return undefined;
	return `The conversation is ${textOf(status) || 'not pending'}: it is a person's turn`;
}

/** A text has the files beside it; without one they stand for it. */
function contentOf({ content, attachments }: ServiceRecord): Content {
	const [first, ...others] = toList(attachments).map(fileOf);
	if (!first) return textOf(content) ? say('text', content) : notPassedOn('Chatwoot');
	return say(first.kind, content, [first, ...others].map(({ text }) => text).join(' '));
}

function fileOf(attachment: unknown): Content {
	const file = toRecord(attachment);
	const { file_type: type, fallback_title: title, coordinates_lat, coordinates_long } = file;
	if (type === 'location') {
		return sayLocation({ latitude: coordinates_lat, longitude: coordinates_long, name: title });
	}
	const kind = type === 'file' ? 'document' : firstText(type, 'document');
	return sayMedia(kind, '', firstText(title, kind === 'document' && fileName(file.data_url)));
}

/** The last part of an address: `plan 1.pdf` of `https://…/plan%201.pdf?x=1`. */
function fileName(url: unknown): string {
	const name = textOf(url).split('?')[0].split('/').pop() ?? '';
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}
