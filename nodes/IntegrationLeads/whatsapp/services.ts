/** Reads the webhooks of five services. Groups, receipts and edits are ignored. Pure. */
import { compact, findKey, isEmpty, isString, pick } from 'lodash';

import { isRecord, type ServiceRecord, toRecord } from '../values/json';
import { InputError } from '../userError';
import { readChatwoot } from './chatwoot';
import { refuseUnknown } from './events';
import { isMeta, readMeta } from './meta';
import type { RawMessage, WhatsAppMessage } from './message';
import { adOfContext, isPersonalChat, recipientOf, toMessage } from './message';
import type { Content } from './words';
import {
	at,
	contentOf,
	firstText,
	messageKind,
	textOf,
	toRecords,
	unavailable,
	unknownKind,
} from './words';

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
 * @param given the body, or the item of n8n's Webhook node that has it in `body`
 * @param answerOpen whether a bot answers open conversations of Chatwoot that nobody has taken
 * @throws InputError if none of the services posted it
 */
export function parseWebhook(given: unknown, answerOpen = false): WhatsAppMessage[] {
	const item = toRecord(given);
	const body = isRecord(item.body) && item.event === undefined ? item.body : item;
	const [, read] = Object.values(SERVICES).find(([posts]) => posts(body)) ?? [];
	if (read) return compact(compact([read(body, answerOpen)].flat()).map(toMessage));
	const other = findKey(OTHERS, (posts) => posts(body));
	throw new InputError(
		`"Webhook Body" is ${other ? `a webhook of ${other}, not` : 'no webhook'} of Meta's Cloud API, Evolution API, WAHA, Z-API or Chatwoot`,
		{
			all: 'Message > Log for Lead logs what another service sends.',
			panel:
				'Give the whole body as it came, such as {{ $json.body }} after the Webhook node or {{ $json }} after the WhatsApp Trigger.',
		},
	);
}

/** Messages that Evolution itself sends have IDs of 40 characters. Phones and WhatsApp Web make shorter ones. */
const SENT_BY_EVOLUTION = /^3EB0[0-9A-F]{36}$/;

/** 1.x and 2.x (https://github.com/evolution-foundation/evolution-api, 6 May 2026: whatsapp.baileys.service.ts). */
function readEvolution(body: ServiceRecord): RawMessage[] {
	// `messages.upsert`, in some versions `MESSAGES_UPSERT` or `messages-upsert`.
	const event = textOf(body.event).toLowerCase().replace(/[_-]/g, '.');
	const isSent = event === 'send.message';
	if (event === 'call') return compact([evolutionCall(body)]);
	if (!['messages.upsert', 'message', 'send.message'].includes(event)) {
		refuseUnknown('Evolution API', body.event);
		return [];
	}
	const data = at(body.data, 'messages') ?? body.data;
	return toRecords(Array.isArray(data) ? data : [data]).flatMap((given) => {
		const message = isRecord(given.Info) ? fromWhatsmeow(given.Info, given.Message) : given;
		const key = toRecord(message.key);
		const sent = deviceSentIn(message.message);
		const chat = sent ? chatOf(sent) : key.remoteJid;
		if (chat === undefined && !isEmpty(given))
			refuseUnknown('Evolution API', `${textOf(body.event)} without a chat`);
		if (!isPersonalChat(chat)) return [];
		const isOwn = isSent || key.fromMe === true || sent !== undefined;
		// In own messages, senderPn and senderLid are those of the business (2.3.0).
		const ofSender = [key.senderPn, message.senderPn, key.senderLid, key.previousRemoteJid];
		const ids = [chat, sent ? '' : key.remoteJidAlt, ...(isOwn ? [] : ofSender)];
		return {
			content: protoContent(message.message, 'Evolution'),
			id: key.id,
			isOwn,
			isByApi: isSent || SENT_BY_EVOLUTION.test(textOf(key.id)),
			business: [body.sender],
			ids,
			name: message.pushName,
			time: message.messageTimestamp,
			// 2.4 may have other data in data.contextInfo (https://github.com/evolution-foundation/evolution-api/issues/2721).
			ad: adOfContext(message.contextInfo, contextInfoOf(message.message)),
			// Before 2.3.7 an answer could only be sent to a number (https://github.com/evolution-foundation/evolution-api/issues/2217).
			replyTo: { number: recipientOf(...ids) },
			replyVia: body.instance ?? body.instanceName ?? body.instanceId,
		};
	});
}

/**
 * Reads a call that nobody took in time or that somebody rejected. `terminate` does not show this, since it also ends calls that
 * were taken (Baileys: generics.ts).
 */
function evolutionCall({ data, ...body }: ServiceRecord): RawMessage | undefined {
	const { chatId, from, callerPn, id, date, isVideo, isGroup, status } = toRecord(data);
	const isMissed = status === 'timeout' || status === 'reject';
	const ids = [from, callerPn, chatId];
	if (!isMissed || isGroup === true || !isPersonalChat(from)) return undefined;
	return {
		content: contentOf('missedCall', { isVideo }),
		id,
		isOwn: false,
		ids,
		time: date,
		replyTo: { number: recipientOf(...ids) },
		replyVia: body.instance,
	};
}

/** Converts a message of Evolution GO to the form of Evolution API (https://pkg.go.dev/go.mau.fi/whatsmeow/types#MessageInfo, 26 Nov 2026). */
function fromWhatsmeow(info: ServiceRecord, message: ServiceRecord[string]): ServiceRecord {
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
 * Reads the fields that WAHA's engines (WEBJS, NOWEB, GOWS) share and, in `_data`, the WhatsApp fields of each. With GOWS,
 * message.any may be the only event (https://waha.devlike.pro/docs/how-to/events/, 24 Jul 2026).
 */
function readWaha({ event, session, me, payload: given }: ServiceRecord): RawMessage | undefined {
	if (/^poll\.vote|^call\.rejected$/.test(textOf(event)))
		return wahaEvent(session, toRecord(given));
	const payload = toRecord(given);
	const data = toRecord(payload._data);
	const sent = deviceSentIn(data.message ?? data.Message);
	const isOwn = payload.fromMe === true || sent !== undefined;
	// The chat is in the ID with every engine: `true_1038…@lid_3EB0…`. `from` is the business in own messages of WEBJS.
	const [, inId] = /^(?:true|false)_([^_]+)_/.exec(textOf(payload.id)) ?? [];
	const ofChat = isOwn ? [inId, payload.to, payload.from] : [payload.from, inId];
	const chats = compact(sent ? [chatOf(sent)] : ofChat);
	// GOWS has the new text of an edit where others have that of a message (https://github.com/devlikeapro/waha/issues/908).
	const isEdit = data.IsEdit === true || textOf(at(data, 'Info.Edit')) || payload.editedMessageId;
	const isMessage = (event === 'message' || event === 'message.any') && !isEdit;
	// With every engine, at least one of these shows that the chat is a group, a channel or a status.
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

/** Reads a vote in a poll, or a call that was rejected or ended before anybody took it (https://waha.devlike.pro/docs/how-to/calls, 24 Jul 2026). */
function wahaEvent(session: unknown, { vote, ...call }: ServiceRecord): RawMessage | undefined {
	const { id, from, fromMe, timestamp, isVideo, isGroup } = isRecord(vote) ? vote : call;
	const [, chat = from] = /^(?:true|false)_([^_]+)_/.exec(textOf(id)) ?? [];
	if (fromMe === true || isGroup === true || !isPersonalChat(chat)) return undefined;
	return {
		content: vote ? contentOf('pollVote', vote) : contentOf('missedCall', { isVideo }),
		id,
		isOwn: false,
		ids: [from, chat],
		time: timestamp,
		replyTo: { session: textOf(session), chatId: textOf(chat) },
		replyVia: session,
	};
}

/** Reads the content of a message from WhatsApp Web, which is beside its type (https://github.com/wppconnect-team/wa-js, Aug 2026: MsgModel.ts). */
const OF_CATALOG =
	'pollName pollOptions title description itemCount message currencyCode priceAmount1000 salePriceAmount1000 ' +
	'totalAmount1000 totalCurrencyCode paymentAmount1000 paymentCurrency';

function wahaContent(payload: ServiceRecord, data: ServiceRecord): Content | undefined {
	const proto = data.message ?? data.Message;
	const { body, hasMedia, media, location, vCards } = payload;
	// WAHA finds the text of more kinds than this code knows.
	if (proto) {
		const content = protoContent(proto, 'WAHA');
		// The chosen option arrives in a separate event.
		if (content?.kind === 'vote') return undefined;
		const isBare = content?.text === `[${content?.kind}]`;
		if (content?.kind !== 'unavailable') {
			return content && isBare ? { ...content, text: firstText(body, content.text) } : content;
		}
	}
	const type = textOf(data.type);
	const kind = messageKind(type);
	if (kind === 'nothing') return undefined;
	if (kind === 'template') return contentOf(type, { text: body });
	if (['order', 'product', 'poll', 'payment'].includes(kind ?? ''))
		return contentOf(type, pick(data, OF_CATALOG.split(' ')));
	// The body of a location is a picture, and that of a contact card its text.
	if (textOf(at(location, 'latitude'))) return contentOf('location', location);
	if (Array.isArray(vCards) && vCards.length > 0) return contentOf('contact', vCards);
	if (hasMedia !== true && !media)
		return textOf(body) ? contentOf('text', body) : unavailable('WAHA');
	const mime = textOf(at(media, 'mimetype')).split('/')[0];
	const name = ['image', 'video', 'audio'].includes(mime) ? mime : 'document';
	return contentOf(name, { caption: body, filename: at(media, 'filename') });
}

/** The content of a message in WhatsApp's own format (https://github.com/WhiskeySockets/Baileys, May 2026: WAProto). */
function protoContent(message: unknown, service: string): Content | undefined {
	const { parts, unknown } = unwrap(message);
	const present = Object.keys(parts).filter(
		(name) => parts[name] && messageKind(name) !== 'wrapper',
	);
	if (present.some((name) => messageKind(name) === 'nothing')) return undefined;
	const name = present.find(messageKind) ?? present.find((each) => /Message(?:V\d)?$/.test(each));
	if (name === undefined) return unavailable(service);
	// Evolution adds the transcript of a voice message.
	const transcript = textOf(parts.speechToText).replace(
		/^\[audio\]\s*(?:(?:null|undefined)$)?/,
		'',
	);
	const part = transcript ? { ...toRecord(parts[name]), transcript } : parts[name];
	const content = contentOf(name, part);
	return content && unknown ? { ...content, silence: unknownKind(unknown) } : content;
}

/** Finds a message written on another device of the business (WAProto: DeviceSentMessage), which not every service unwraps. */
const deviceSentIn = (message: unknown): unknown => at(message, 'deviceSentMessage');
const chatOf = (sent: unknown): string =>
	firstText(at(sent, 'destinationJid'), at(sent, 'destinationJID'));

/** Finds the `contextInfo` of the content, whatever its kind. */
const contextInfoOf = (message: unknown): unknown =>
	at(
		Object.values(unwrap(message).parts).find((part) => at(part, 'contextInfo')),
		'contextInfo',
	);

/** Unwraps messages that disappear or are shown once, which are nested only a few levels deep. `unknown`: found in an unknown part. */
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

/**
 * Messages to ignore: those of groups, channels and broadcast lists, edits, and changes to another message. Calls that nobody
 * took are among the notifications, and are read.
 */
const ZAPI_LEFT_OUT =
	'isGroup isNewsletter broadcast isEdit reaction pinMessage eventResponse notification'.split(' ');
const ZAPI_BESIDE = ['externalAdReply', 'statusImage', 'statusVideo', 'profilePicture'];

/** Reads the webhook "On message received" (https://developer.z-api.io/webhooks/on-message-received, 8 Apr 2026). */
function readZapi(body: ServiceRecord): RawMessage | undefined {
	const { phone, messageId } = body;
	// A number without an ending, or a LID.
	const chat = /^\d+$/.test(textOf(phone)) ? `${textOf(phone)}@c.us` : phone;
	if (body.type !== 'ReceivedCallback') {
		refuseUnknown('Z-API', body.type);
		return undefined;
	}
	const [, missed] = /^CALL_MISSED_(VOICE|VIDEO)$/.exec(textOf(body.notification)) ?? [];
	const isLeftOut = !missed && ZAPI_LEFT_OUT.some((name) => body[name]);
	if (isLeftOut || !isPersonalChat(chat)) return undefined;
	const isOwn = body.fromMe === true;
	// A message that WhatsApp has not decrypted yet comes again under the same ID.
	const isWaiting = body.waitingMessage === true;
	const parts = Object.keys(body).filter((name) => isRecord(body[name]));
	const name = parts.find(messageKind) ?? parts.find((each) => !ZAPI_BESIDE.includes(each));
	const isUnknown = isWaiting || name === undefined;
	const content = isUnknown ? unavailable('Z-API') : contentOf(name, body[name]);
	return {
		content: missed ? contentOf('missedCall', { isVideo: missed === 'VIDEO' }) : content,
		id: isWaiting && messageId ? `${textOf(messageId)}-waiting` : messageId,
		isOwn,
		isByApi: body.fromApi === true,
		business: [body.connectedPhone],
		// In own messages, senderLid is that of the business.
		ids: [chat, body.chatLid, isOwn ? '' : body.senderLid],
		name: firstText(body.senderName, body.chatName),
		time: body.momment ?? body.moment,
		ad: adOfContext({ externalAdReply: body.externalAdReply }),
		replyTo: { phone: textOf(phone) },
		replyVia: body.instanceId,
	};
}
