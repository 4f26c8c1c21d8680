/** Where the webhooks of five services have what a message is made of. Groups, receipts, edits and calls give nothing. Pure. */
import { compact, findKey, isEmpty, isString } from 'lodash';

import { isRecord, type ServiceRecord } from '../values/json';
import { InputError } from '../userError';
import { readChatwoot } from './chatwoot';
import { refuseUnknown } from './events';
import type { RawMessage, WhatsAppMessage } from './message';
import { adOf, adOfContext, isPersonalChat, recipientOf, toMessage } from './message';
import type { Content } from './words';
import {
	at,
	contentOf,
	firstText,
	messageKind,
	textOf,
	toRecord,
	toRecords,
	unavailable,
	unknownKind,
} from './words';

/**
 * What Meta reports of an account: messages, templates, quality, limits. n8n's WhatsApp Trigger puts the name beside the members of
 * the report (https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/overview, 2026).
 */
const META_FIELD =
	/^(?:(?:account|automatic|business|campaign|group|message|messaging|partner|payment|phone|smb|template|tracking|user)_\w+|calls|flows|history|messages|security|standby)$/;

/** Whether a body is one of the service, also one without messages, and what reads it. */
const SERVICES: Record<
	string,
	[
		posts: (body: ServiceRecord) => boolean,
		read: (body: ServiceRecord, answerOpen: boolean) => RawMessage | RawMessage[] | undefined,
	]
> = {
	"Meta's Cloud API": [
		({ object, entry, messaging_product: product, field }) =>
			(object === 'whatsapp_business_account' && Array.isArray(entry)) ||
			product === 'whatsapp' ||
			META_FIELD.test(textOf(field)),
		readMeta,
	],
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

/** What is taken for WhatsApp by mistake. */
const OTHERS: Record<string, (body: ServiceRecord) => boolean> = {
	Instagram: ({ object }) => object === 'instagram',
	Messenger: ({ object }) => object === 'page',
	Telegram: ({ update_id: id }) => id !== undefined,
	Twilio: ({ AccountSid: id }) => id !== undefined,
};

/**
 * The messages of a webhook, oldest first as the service lists them.
 *
 * @param given the body, or the item of n8n's Webhook node that has it in `body`
 * @param answerOpen of Chatwoot: whether open conversations that nobody has taken are answered
 * @throws InputError if it is no webhook of one of the services
 */
export function parseWebhook(given: unknown, answerOpen = false): WhatsAppMessage[] {
	const item = toRecord(given);
	const body = isRecord(item.body) && item.event === undefined ? item.body : item;
	const [, read] = Object.values(SERVICES).find(([posts]) => posts(body)) ?? [];
	if (read) return compact(compact([read(body, answerOpen)].flat()).map(toMessage));
	const other = findKey(OTHERS, (posts) => posts(body));
	throw new InputError(
		`"Webhook Body" is ${other ? `a webhook of ${other}, not` : 'no webhook'} of Meta's Cloud API, Evolution API, WAHA, Z-API or Chatwoot`,
		'Give the whole body as it came, such as {{ $json.body }} after the Webhook node or {{ $json }} after the WhatsApp Trigger. What another service sends is logged with Message > Log for Lead.',
	);
}

/**
 * Whole requests, and the changes that n8n's WhatsApp Trigger makes of them.
 *
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages (17 Jun 2026)
 */
function readMeta(body: ServiceRecord): RawMessage[] {
	const changes = Array.isArray(body.entry)
		? toRecords(body.entry).flatMap(({ changes: each }) => toRecords(each))
		: [body];
	return changes.flatMap(({ field = 'messages', value, ...flat }) => {
		const change = isRecord(value) ? value : flat;
		// An echo is what a person of the business wrote in the WhatsApp Business app.
		const lists: ServiceRecord = {
			messages: change.messages,
			standby: change.messages ?? change.standby,
			smb_message_echoes: change.message_echoes,
		};
		const messages = toRecords(lists[textOf(field)]).filter(({ group_id: group }) => !group);
		return messages.map((message) => metaMessage(change, message, textOf(field)));
	});
}

function metaMessage(change: ServiceRecord, message: ServiceRecord, field: string): RawMessage {
	const isOwn = field === 'smb_message_echoes';
	const [from, fromId] = isOwn
		? [message.to, message.to_user_id]
		: [message.from, message.from_user_id];
	const contacts = toRecords(change.contacts);
	const known = contacts.find(
		({ wa_id: number, user_id: id }) => (number && number === from) || (id && id === fromId),
	);
	// The only profile is the sender's; beside what the team wrote it may be the team's.
	const { profile, ...contact } = known ?? (!isOwn && contacts.length === 1 ? contacts[0] : {});
	const number = firstText(from, contact.wa_id);
	const userId = firstText(fromId, contact.user_id);
	// Without a type, the part that is there. Answers are one level deeper.
	const type = textOf(message.type) || (Object.keys(message).find(messageKind) ?? 'unknown');
	const inner =
		type === 'interactive' && firstText(at(message.interactive, 'type'), 'interactive reply');
	return {
		content: inner
			? contentOf(inner, at(message.interactive, inner))
			: contentOf(type, message[type]),
		id: message.id,
		isOwn,
		silence: field === 'standby' ? "Meta's own agent answers in this conversation" : undefined,
		ids: [number],
		known: { hiddenId: userId },
		name: firstText(at(profile, 'name'), at(profile, 'username')),
		time: message.timestamp,
		ad: adOf(message.referral),
		// A number is sent as "to", the ID of a person whose number is hidden as "recipient".
		replyTo: {
			messaging_product: 'whatsapp',
			recipient_type: 'individual',
			...(/^\+?\d+$/.test(number)
				? { to: number.replace(/^\+/, '') }
				: { recipient: userId || number }),
		},
		replyVia: at(change.metadata, 'phone_number_id'),
	};
}

/** What Evolution itself sends has IDs of 40 characters; people's phones and WhatsApp Web make shorter ones. */
const SENT_BY_EVOLUTION = /^3EB0[0-9A-F]{36}$/;

/** 1.x and 2.x (https://github.com/evolution-foundation/evolution-api, 6 May 2026: whatsapp.baileys.service.ts). */
function readEvolution(body: ServiceRecord): RawMessage[] {
	// `messages.upsert`; `MESSAGES_UPSERT` and `messages-upsert` in some versions.
	const event = textOf(body.event).toLowerCase().replace(/[_-]/g, '.');
	const isSent = event === 'send.message';
	if (!['messages.upsert', 'message', 'send.message'].includes(event)) {
		refuseUnknown('Evolution API', body.event);
		return [];
	}
	const data = at(body.data, 'messages') ?? body.data;
	return toRecords(Array.isArray(data) ? data : [data]).flatMap((given) => {
		const message = isRecord(given.Info) ? fromWhatsmeow(given.Info, given.Message) : given;
		const key = toRecord(message.key);
		const chat = key.remoteJid;
		if (chat === undefined && !isEmpty(given))
			refuseUnknown('Evolution API', `${textOf(body.event)} without a chat`);
		if (!isPersonalChat(chat)) return [];
		const isOwn = isSent || key.fromMe === true;
		// Of own messages, senderPn and senderLid are the business's own (2.3.0).
		const ofSender = [key.senderPn, message.senderPn, key.senderLid, key.previousRemoteJid];
		const ids = [chat, key.remoteJidAlt, ...(isOwn ? [] : ofSender)];
		return {
			content: protoContent(message.message, 'Evolution'),
			id: key.id,
			isOwn,
			isByApi: isSent || SENT_BY_EVOLUTION.test(textOf(key.id)),
			ids,
			name: message.pushName,
			time: message.messageTimestamp,
			// 2.4 has something else in data.contextInfo (https://github.com/evolution-foundation/evolution-api/issues/2721).
			ad: adOfContext(message.contextInfo, contextInfoOf(message.message)),
			// Before 2.3.7 only a number is answered (https://github.com/evolution-foundation/evolution-api/issues/2217).
			replyTo: { number: recipientOf(...ids) },
			replyVia: body.instance ?? body.instanceName ?? body.instanceId,
		};
	});
}

/** A message of Evolution GO in the form of Evolution API (https://pkg.go.dev/go.mau.fi/whatsmeow/types#MessageInfo, 26 Nov 2026). */
function fromWhatsmeow(info: ServiceRecord, message: unknown): ServiceRecord {
	const { Chat, IsFromMe, ID, SenderAlt, RecipientAlt, PushName, Timestamp } = info;
	const remoteJidAlt = IsFromMe === true ? RecipientAlt : SenderAlt;
	return {
		key: { remoteJid: Chat, fromMe: IsFromMe, id: ID, remoteJidAlt },
		message,
		pushName: PushName,
		messageTimestamp: Timestamp,
	};
}

/**
 * What its engines (WEBJS, NOWEB, GOWS) share, and in `_data` what each has of WhatsApp's own. With GOWS, message.any may be
 * the only event that comes (https://waha.devlike.pro/docs/how-to/events/, 24 Jul 2026).
 */
function readWaha({ event, session, me, payload: given }: ServiceRecord): RawMessage | undefined {
	const payload = toRecord(given);
	const data = toRecord(payload._data);
	const isOwn = payload.fromMe === true;
	// The chat is in the ID with every engine: `true_1038…@lid_3EB0…`. `from` is the business in own messages of WEBJS.
	const [, inId] = /^(?:true|false)_([^_]+)_/.exec(textOf(payload.id)) ?? [];
	const chats = compact(isOwn ? [inId, payload.to, payload.from] : [payload.from, inId]);
	// GOWS has the new text of an edit where others have that of a message (https://github.com/devlikeapro/waha/issues/908).
	const isEdit = data.IsEdit === true || textOf(at(data, 'Info.Edit')) || payload.editedMessageId;
	const isMessage = (event === 'message' || event === 'message.any') && !isEdit;
	// One of them at least shows that it is a group, a channel or a status, whichever the engine.
	if (event !== 'message' && event !== 'message.any') refuseUnknown('WAHA', event);
	if (!isMessage || !chats.every(isPersonalChat)) return undefined;
	const mine = ['id', 'lid'].map((name) => recipientOf(at(me, name)));
	const chat = chats.find((each) => !mine.includes(recipientOf(each)));
	if (!chat) return undefined;
	const ofSender = ['Info.SenderAlt', 'senderPn', 'key.senderPn'].map((path) => at(data, path));
	const context = data.ctwaContext && {
		entryPointConversionSource: 'ctwa_ad',
		externalAdReply: data.ctwaContext,
	};
	return {
		content: wahaContent(payload, data),
		id: payload.id,
		isOwn,
		isByApi: payload.source === 'api',
		ids: [
			chat,
			at(data, 'key.remoteJidAlt'),
			...(isOwn ? [at(data, 'Info.RecipientAlt')] : [payload.senderPn, ...ofSender]),
		],
		name: firstText(data.pushName, data.notifyName, at(data, 'Info.PushName')),
		time: payload.timestamp,
		ad: adOfContext(data, contextInfoOf(data.message ?? data.Message), context),
		replyTo: { session: textOf(session), chatId: textOf(chat) },
		replyVia: session,
	};
}

function wahaContent(payload: ServiceRecord, data: ServiceRecord): Content | undefined {
	const proto = data.message ?? data.Message;
	const { body, hasMedia, media, location, vCards } = payload;
	// WAHA knows the text of more kinds than we do.
	if (proto) {
		const content = protoContent(proto, 'WAHA');
		const isBare = content?.text === `[${content?.kind}]`;
		if (content?.kind !== 'unavailable') {
			return content && isBare ? { ...content, text: firstText(body, content.text) } : content;
		}
	}
	const type = textOf(data.type);
	const kind = messageKind(type);
	if (kind === 'nothing') return undefined;
	if (kind === 'template') return contentOf(type, { text: body });
	// The body of a location is a picture, that of a card its text.
	if (textOf(at(location, 'latitude'))) return contentOf('location', location);
	if (Array.isArray(vCards) && vCards.length > 0) return contentOf('contact', vCards);
	if (hasMedia !== true && !media)
		return textOf(body) ? contentOf('text', body) : unavailable('WAHA');
	const mime = textOf(at(media, 'mimetype')).split('/')[0];
	const name = ['image', 'video', 'audio'].includes(mime) ? mime : 'document';
	return contentOf(name, { caption: body, filename: at(media, 'filename') });
}

/** Of a message in WhatsApp's own format (https://github.com/WhiskeySockets/Baileys, May 2026: WAProto). */
function protoContent(message: unknown, service: string): Content | undefined {
	const { parts, unknown } = unwrap(message);
	const present = Object.keys(parts).filter(
		(name) => parts[name] && messageKind(name) !== 'wrapper',
	);
	if (present.some((name) => messageKind(name) === 'nothing')) return undefined;
	const name = present.find(messageKind) ?? present.find((each) => /Message(?:V\d)?$/.test(each));
	if (name === undefined) return unavailable(service);
	const content = contentOf(name, parts[name]);
	return content && unknown ? { ...content, silence: unknownKind(unknown) } : content;
}

/** The `contextInfo` of whatever the message contains. */
const contextInfoOf = (message: unknown): unknown =>
	at(
		Object.values(unwrap(message).parts).find((part) => at(part, 'contextInfo')),
		'contextInfo',
	);

/** What disappears or is shown once is wrapped, only a few levels deep. `unknown`: in a part of which nothing is known. */
function unwrap(
	message: unknown,
	depth = 0,
	unknown?: string,
): { parts: ServiceRecord; unknown?: string } {
	const parts = toRecord(message);
	const isNothing = Object.keys(parts).some(
		(name) => parts[name] && messageKind(name) === 'nothing',
	);
	const name = Object.keys(parts).find((each) => isRecord(at(parts[each], 'message')));
	if (name === undefined || isNothing || depth === 5) return { parts, unknown };
	return unwrap(at(parts[name], 'message'), depth + 1, messageKind(name) ? unknown : name);
}

/** Groups, channels, lists of recipients, edits; and what changes another message. Calls are among the notifications. */
const ZAPI_LEFT_OUT =
	'isGroup isNewsletter broadcast isEdit reaction pollVote pinMessage eventResponse notification'.split(
		' ',
	);
const ZAPI_BESIDE = ['externalAdReply', 'statusImage', 'statusVideo', 'profilePicture'];

/** "On message received" (https://developer.z-api.io/webhooks/on-message-received, 8 Apr 2026). */
function readZapi(body: ServiceRecord): RawMessage | undefined {
	const { phone, messageId } = body;
	// A number without an ending, or a LID.
	const chat = /^\d+$/.test(textOf(phone)) ? `${textOf(phone)}@c.us` : phone;
	if (body.type !== 'ReceivedCallback') refuseUnknown('Z-API', body.type);
	const isLeftOut = body.type !== 'ReceivedCallback' || ZAPI_LEFT_OUT.some((name) => body[name]);
	if (isLeftOut || !isPersonalChat(chat)) return undefined;
	const isOwn = body.fromMe === true;
	// What WhatsApp has not decrypted yet comes again under the same ID.
	const isWaiting = body.waitingMessage === true;
	const parts = Object.keys(body).filter((name) => isRecord(body[name]));
	const name = parts.find(messageKind) ?? parts.find((each) => !ZAPI_BESIDE.includes(each));
	return {
		content: isWaiting || name === undefined ? unavailable('Z-API') : contentOf(name, body[name]),
		id: isWaiting && messageId ? `${textOf(messageId)}-waiting` : messageId,
		isOwn,
		isByApi: body.fromApi === true,
		// Of own messages, senderLid is the business's own.
		ids: [chat, body.chatLid, isOwn ? '' : body.senderLid],
		name: firstText(body.senderName, body.chatName),
		time: body.momment ?? body.moment,
		ad: adOfContext({ externalAdReply: body.externalAdReply }),
		replyTo: { phone: textOf(phone) },
		replyVia: body.instanceId,
	};
}
