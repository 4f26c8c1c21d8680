/**
 * Webhooks of WAHA: what its engines (WEBJS, NOWEB, GOWS) share, and in `_data` what each has of WhatsApp's own. Pure.
 *
 * https://waha.devlike.pro/docs/how-to/events/ (24 Jul 2026)
 */
import { compact } from 'lodash';

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
	recipientOf,
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
	// The chat is in the ID with every engine: `true_1038…@lid_3EB0…`. `from` is the business in own messages of WEBJS.
	const [, inId] = /^(?:true|false)_([^_]+)_/.exec(textOf(payload.id)) ?? [];
	const { from, to } = payload;
	const chats = compact(isOwn ? [inId, to, from] : [from, inId]);
	// One of them at least shows that it is a group, a channel or a status, whichever the engine.
	if (!EVENTS.includes(textOf(event)) || !chats.every(isPersonalChat)) return [];
	const mine = ['id', 'lid'].map((name) => recipientOf(at(me, name)));
	const chat = chats.find((each) => !mine.includes(recipientOf(each)));
	const content = contentOf(payload, data);
	if (!chat || !content) return [];

	const ofSender = [
		at(data, 'Info.SenderAlt'),
		payload.senderPn,
		data.senderPn,
		at(data, 'key.senderPn'),
	];
	const others = isOwn ? [at(data, 'Info.RecipientAlt')] : ofSender;
	const name = firstText(data.pushName, data.notifyName, at(data, 'Info.PushName'));
	const details = {
		id: messageIdOf(payload.id),
		from: authorOf(isOwn, payload.source === 'api'),
		person: personOf([chat, at(data, 'key.remoteJidAlt'), ...others], isOwn ? '' : name),
		sentAt: sentAtOf(payload.timestamp),
		ad: adOfContext(data, contextOf(protoOf(data)), data.ctwaContext && webjsAd(data.ctwaContext)),
		replyTo: { session: textOf(session), chatId: textOf(chat) },
		replyVia: textOf(session),
	};
	return [toMessage(details, content)];
}

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
	if (textOf(at(location, 'latitude'))) return sayLocation(toRecord(location));
	if (toList(vCards).length > 0) return sayContacts(vCards);
	if (hasMedia !== true && !media) return textOf(body) ? say('text', body) : notPassedOn('WAHA');
	const mime = textOf(at(media, 'mimetype')).split('/')[0];
	const kind = ['image', 'video', 'audio'].includes(mime) ? mime : 'document';
	return sayMedia(kind, body, at(media, 'filename'));
}
