/** Reads the webhooks of WAHA, with the fields that its engines (WEBJS, NOWEB, GOWS) share and, in `_data`, those of each. Pure. */
import { compact, pick } from 'lodash';

import { isRecord, type ServiceRecord, toRecord } from '../values/json';
import { refuseUnknown } from './events';
import { isPersonalChat, recipientOf, type RawMessage } from './message';
import { fieldsAt, PATHS } from './paths';
import { adOfContext, chatOf, contextInfoOf, deviceSentIn, protoContent } from './proto';
import { at, contentOf, firstText, messageKind, textOf, unavailable, type Content } from './words';

export function readWaha(body: ServiceRecord): RawMessage | undefined {
	const { event, session, me, payload: posted } = body;
	if (/^poll\.vote|^call\.rejected$/.test(textOf(event))) return wahaEvent(body);
	const payload = toRecord(posted);
	const data = toRecord(payload._data);
	const onDevice = deviceSentIn(data.message ?? data.Message);
	const isFromBusiness = payload.fromMe === true || onDevice !== undefined;
	const chats = onDevice ? [chatOf(onDevice)] : chatsOf(payload);
	// GOWS has the new text of an edit where others have that of a message (https://github.com/devlikeapro/waha/issues/908).
	const isEdit = data.IsEdit === true || textOf(at(data, 'Info.Edit')) || payload.editedMessageId;
	// With GOWS, message.any may be the only event.
	const isMessage = event === 'message' || event === 'message.any';
	if (!isMessage) refuseUnknown('WAHA', event);
	// With every engine, at least one of these shows that the chat is a group, a channel or a status.
	if (!isMessage || isEdit || !chats.every(isPersonalChat)) return undefined;
	const business = ['id', 'lid'].map((name) => recipientOf(at(me, name)));
	const chat = chats.find((address) => !business.includes(recipientOf(address)));
	if (chat === undefined) return undefined;
	const context = data.ctwaContext && {
		entryPointConversionSource: 'ctwa_ad',
		externalAdReply: data.ctwaContext,
	};
	return {
		...fieldsAt(PATHS.waha, { ...body, chat }, isFromBusiness),
		content: wahaContent(payload, data),
		isFromApi: payload.source === 'api',
		ad: adOfContext(data, contextInfoOf(data.message ?? data.Message), context),
		replyTo: { session: textOf(session), chatId: chat },
	};
}

/** Returns the IDs that may be the chat. In messages of the business, the number of the business may be among them. */
function chatsOf({ id, from, to, fromMe }: ServiceRecord): string[] {
	return compact((fromMe === true ? [chatIn(id), to, from] : [from, chatIn(id)]).map(textOf));
}

/** Reads the chat from an ID, where every engine has it: `true_1038…@lid_3EB0…`. `from` is the business in its messages with WEBJS. */
const chatIn = (id: unknown): string | undefined =>
	/^(?:true|false)_([^_]+)_/.exec(textOf(id))?.[1];

/** Reads a vote in a poll, or a missed call. */
function wahaEvent({ session, payload: posted }: ServiceRecord): RawMessage | undefined {
	const { vote, ...call } = toRecord(posted);
	const payload = isRecord(vote) ? vote : call;
	const { id, from, fromMe, isVideo, isGroup } = payload;
	const chat = textOf(chatIn(id) ?? from);
	if (fromMe === true || isGroup === true || !isPersonalChat(chat)) return undefined;
	return {
		...fieldsAt(PATHS.wahaEvent, { session, payload, chat }),
		content: vote ? contentOf('pollVote', vote) : contentOf('missedCall', { isVideo }),
		replyTo: { session: textOf(session), chatId: chat },
	};
}

/** Names of what a message of WhatsApp Web has of a catalogue, at the same level as its type (https://github.com/wppconnect-team/wa-js, Aug 2026: MsgModel.ts). */
const OF_CATALOG =
	'pollName pollOptions title description itemCount message currencyCode priceAmount1000 salePriceAmount1000 ' +
	'totalAmount1000 totalCurrencyCode paymentAmount1000 paymentCurrency';

/** Describes the content of a message. */
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
