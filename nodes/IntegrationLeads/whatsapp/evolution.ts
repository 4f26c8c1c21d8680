/** Reads the webhooks of Evolution API 1.x and 2.x, and of Evolution GO. Pure. */
import { compact, isEmpty } from 'lodash';

import { isRecord, type ServiceRecord, toRecord } from '../values/json';
import { refuseUnknown } from './events';
import { isPersonalChat, recipientOf, type RawMessage } from './message';
import { fieldsAt, PATHS } from './paths';
import { adOfContext, chatOf, contextInfoOf, deviceSentIn, protoContent } from './proto';
import { at, contentOf, textOf, toRecords } from './words';

/** Messages that Evolution itself sends have IDs of 40 characters. Phones and WhatsApp Web make shorter ones. */
const SENT_BY_EVOLUTION = /^3EB0[0-9A-F]{36}$/;

export function readEvolution(body: ServiceRecord): RawMessage[] {
	// `messages.upsert`, in some versions `MESSAGES_UPSERT` or `messages-upsert`.
	const event = textOf(body.event).toLowerCase().replace(/[_-]/g, '.');
	if (event === 'call') return compact([evolutionCall(body)]);
	if (!['messages.upsert', 'message', 'send.message'].includes(event)) {
		refuseUnknown('Evolution API', body.event);
		return [];
	}
	const data = at(body.data, 'messages') ?? body.data;
	const messages = toRecords(Array.isArray(data) ? data : [data]);
	return compact(messages.map((entry) => evolutionMessage(body, entry, event === 'send.message')));
}

function evolutionMessage(
	body: ServiceRecord,
	item: ServiceRecord,
	isSent: boolean,
): RawMessage | undefined {
	const message = isRecord(item.Info) ? fromWhatsmeow(item.Info, item.Message) : item;
	const onDevice = deviceSentIn(message.message);
	const postedKey = toRecord(message.key);
	const key = onDevice
		? { id: postedKey.id, remoteJid: chatOf(onDevice), fromMe: true }
		: postedKey;
	if (key.remoteJid === undefined && !isEmpty(item))
		refuseUnknown('Evolution API', `${textOf(body.event)} without a chat`);
	if (!isPersonalChat(key.remoteJid)) return undefined;
	const payload = { ...body, data: { ...message, key } };
	const fields = fieldsAt(PATHS.evolution, payload, isSent || key.fromMe === true);
	return {
		...fields,
		content: protoContent(message.message, 'Evolution'),
		isFromApi: isSent || SENT_BY_EVOLUTION.test(textOf(key.id)),
		// 2.4 may have other data in data.contextInfo (https://github.com/evolution-foundation/evolution-api/issues/2721).
		ad: adOfContext(message.contextInfo, contextInfoOf(message.message)),
		// Before 2.3.7 an answer could only be sent to a number (https://github.com/evolution-foundation/evolution-api/issues/2217).
		replyTo: { number: recipientOf(...fields.ids) },
	};
}

/**
 * Reads a call that timed out or was rejected. `terminate` does not show this, since it also ends calls that
 * were taken (Baileys: generics.ts).
 */
function evolutionCall(body: ServiceRecord): RawMessage | undefined {
	const { from, isVideo, isGroup, status } = toRecord(body.data);
	const isMissed = status === 'timeout' || status === 'reject';
	if (!isMissed || isGroup === true || !isPersonalChat(from)) return undefined;
	const fields = fieldsAt(PATHS.evolutionCall, body);
	const replyTo = { number: recipientOf(...fields.ids) };
	return { ...fields, content: contentOf('missedCall', { isVideo }), replyTo };
}

/**
 * Converts a message of Evolution GO to the form of Evolution API (https://pkg.go.dev/go.mau.fi/whatsmeow/types#MessageInfo, 26 Nov
 * 2026). It swaps Sender and SenderAlt where the sender is hidden, and may leave the chat (https://github.com/EvolutionAPI/evolution-go,
 * 25 Mar 2026: whatsmeow.go).
 */
function fromWhatsmeow(info: ServiceRecord, message: ServiceRecord[string]): ServiceRecord {
	const { Chat, IsFromMe, ID, Sender, SenderAlt, RecipientAlt, PushName, Timestamp } = info;
	const remoteJidAlt = IsFromMe === true ? RecipientAlt : SenderAlt;
	return {
		key: { remoteJid: Chat, fromMe: IsFromMe, id: ID, remoteJidAlt, sender: Sender },
		message,
		pushName: PushName,
		messageTimestamp: Timestamp,
	};
}
