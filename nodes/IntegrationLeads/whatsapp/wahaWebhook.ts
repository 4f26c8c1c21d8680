/**
 * Webhooks of WAHA. What its engines (WEBJS, NOWEB, GOWS) share, and in `_data` what each of them has of WhatsApp's own. Pure.
 *
 * https://waha.devlike.pro/docs/how-to/events/ (24 Jul 2026)
 */
import type { ServiceRecord } from '../contract/envelope';
import type { Content } from './content';
import { FROM_COMPANY, notPassedOn, say, sayContacts, sayLocation, sayMedia } from './content';
import type { WebhookEntry } from './entry';
import {
	adOfContext,
	authorOf,
	isPersonalChat,
	messageIdOf,
	personOf,
	sentAtOf,
	toMessage,
} from './entry';
import { at, firstText, textOf, toList, toRecord } from './payload';
import { contextOf, parseProto } from './protoContent';

/**
 * Of people, and of everybody. With GOWS the second may be the only one that comes, for people too
 * (https://github.com/megaapp977/stack/issues/575, 11 Aug 2026). Reactions, edits and deletions are other events.
 */
const EVENTS = ['message', 'message.any'];

/** `_data.type` of the engine WEBJS: what is no message of a person to the business. */
const WEBJS_LEFT_OUT =
	/^(?:e2e_notification|notification\w*|call_log|protocol|gp2|reaction|poll_update|revoked|album)$/;
const WEBJS_COMPANY = /^(?:hsm|template|interactive|list|buttons|native_flow)$/;

export function parseWaha({ event, session, me, payload: given }: ServiceRecord): WebhookEntry[] {
	const payload = toRecord(given);
	const data = toRecord(payload._data);
	const isOwn = payload.fromMe === true;
	const [, inId] = /^(?:true|false)_([^_]+)_/.exec(textOf(payload.id)) ?? [];
	const chats = [...(isOwn ? [payload.to] : []), payload.from, inId, at(data, 'key.remoteJid')];
	const named = chats.map(textOf).filter(Boolean);
	// A group, a channel or a status: in one of them at least, whichever the engine.
	if (!EVENTS.includes(textOf(event)) || !named.every(isPersonalChat)) return [];
	// The chat of own messages is in `to` (WEBJS), or in `from` (NOWEB, GOWS).
	const mine = ['id', 'lid', 'jid'].map((name) => bare(at(me, name)));
	const others = isOwn ? named.filter((chat) => !mine.includes(bare(chat))) : named;
	const content = contentOf(payload, data);
	if (others.length === 0 || !content) return [];

	const ids = isOwn
		? [at(data, 'key.remoteJidAlt'), at(data, 'Info.RecipientAlt')].filter(
				(id) => !mine.includes(bare(id)),
			)
		: [
				at(data, 'key.remoteJidAlt'),
				at(data, 'Info.SenderAlt'),
				...[payload, data, data.key].flatMap((each) => [
					at(each, 'senderPn'),
					at(each, 'senderLid'),
				]),
			];
	const name = firstText(data.pushName, data.notifyName, at(data, 'Info.PushName'));
	const envelope = {
		id: messageIdOf(payload.id),
		from: authorOf(isOwn, payload.source === 'api'),
		person: personOf([...others, ...ids], isOwn ? '' : name),
		sentAt: sentAtOf(payload.timestamp),
		ad: adOfContext(data, contextOf(protoOf(data)), data.ctwaContext && webjsAd(data.ctwaContext)),
		replyTo: { session: textOf(session), chatId: others[0] },
		replyVia: textOf(session),
	};
	return [toMessage(envelope, content)];
}

/** Without a device: `5511…:20@s.whatsapp.net` and `5511…@c.us` are one. */
const bare = (id: unknown) =>
	textOf(id).replace(/(?::\d+)?@.*$/, (end) => (end.includes('lid') ? '@lid' : ''));

const protoOf = (data: ServiceRecord) => data.message ?? data.Message;

const webjsAd = (context: unknown) => ({
	entryPointConversionSource: 'ctwa_ad',
	externalAdReply: { ...toRecord(context), body: at(context, 'description') },
});

function contentOf(payload: ServiceRecord, data: ServiceRecord): Content | undefined {
	const type = textOf(data.type);
	const proto = protoOf(data) ? parseProto(protoOf(data)) : 'nothing';
	if (proto === undefined || WEBJS_LEFT_OUT.test(type)) return undefined;
	if (proto !== 'nothing') {
		// WAHA knows the text of more kinds than we do.
		const isBare = proto.text === `[${proto.kind}]`;
		return isBare && textOf(payload.body) ? say(proto.kind, payload.body) : proto;
	}
	const content = plainContentOf(payload);
	return WEBJS_COMPANY.test(type) ? { ...content, kind: 'template', ...FROM_COMPANY } : content;
}

/** What all engines have. The body of a location is a picture, that of a card its text. */
function plainContentOf({ body, hasMedia, media, location, vCards }: ServiceRecord): Content {
	const { latitude, longitude, title, name, address, description } = toRecord(location);
	if (textOf(latitude))
		return sayLocation({ latitude, longitude }, title ?? name, address ?? description);
	const cards = toList(vCards).map((vcard) => ({ name: '', phones: [], vcard }));
	if (cards.length > 0) return sayContacts(cards);
	if (hasMedia !== true && !media) return textOf(body) ? say('text', body) : notPassedOn('WAHA');
	const mime = textOf(at(media, 'mimetype')).split('/')[0];
	const kind = ['image', 'video', 'audio'].includes(mime) ? mime : 'document';
	return sayMedia(kind, body, at(media, 'filename'));
}
