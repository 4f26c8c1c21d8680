/**
 * Webhooks of Evolution API 1.x and 2.x: one message each, in WhatsApp's own format. Pure.
 *
 * https://github.com/evolution-foundation/evolution-api (6 May 2026): whatsapp.baileys.service.ts
 */
import type { ServiceRecord } from '../contract/envelope';
import { notPassedOn } from './content';
import type { WebhookEntry } from './entry';
import {
	adOfContext,
	authorOf,
	isPersonalChat,
	messageIdOf,
	personOf,
	recipientOf,
	sentAtOf,
	toMessage,
} from './entry';
import { at, textOf, toRecord } from './payload';
import { contextOf, parseProto } from './protoContent';

/** What Evolution itself sends has IDs of 40 characters; people's phones and WhatsApp Web make shorter ones. */
const SENT_BY_API = /^3EB0[0-9A-F]{36}$/;

/** Edits, deletions and receipts are other events. */
export function parseEvolution(body: ServiceRecord): WebhookEntry[] {
	// `messages.upsert`; `MESSAGES_UPSERT` and `messages-upsert` in some versions.
	const event = textOf(body.event).toLowerCase().replace(/[_-]/g, '.');
	if (event !== 'messages.upsert' && event !== 'send.message') return [];
	const data = at(body.data, 'messages') ?? body.data;
	const messages = Array.isArray(data) ? data : [data];
	return messages.flatMap((each) =>
		messageOf(toRecord(each), event === 'send.message', textOf(body.instance)),
	);
}

function messageOf(data: ServiceRecord, isSent: boolean, instance: string): WebhookEntry[] {
	const key = toRecord(data.key);
	const chat = key.remoteJid;
	const content = parseProto(data.message);
	if (!isPersonalChat(chat) || !content) return [];
	const isOwn = isSent || key.fromMe === true;
	// Of own messages, senderPn and senderLid are the business's own (2.3.0).
	const ofSender = isOwn ? [] : [key.senderPn, data.senderPn, key.senderLid, key.previousRemoteJid];
	const details = {
		id: messageIdOf(key.id),
		from: authorOf(isOwn, isSent || SENT_BY_API.test(textOf(key.id))),
		person: personOf([chat, key.remoteJidAlt, ...ofSender], isOwn ? '' : data.pushName),
		sentAt: sentAtOf(data.messageTimestamp),
		// 2.4 has something else in data.contextInfo (https://github.com/evolution-foundation/evolution-api/issues/2721).
		ad: adOfContext(data.contextInfo, contextOf(data.message)),
		replyTo: { number: recipientOf(chat) },
		replyVia: instance,
	};
	return [toMessage(details, content === 'nothing' ? notPassedOn('Evolution') : content)];
}
