/** Reads the ID, person, time, name and ad of a message by one table of paths for each service. Pure. */
import { compact } from 'lodash';

import { isRecord, type ServiceRecord } from '../values/json';
import { adOf, type RawMessage } from './message';
import { at, firstText, textOf } from './words';

/** Paths in the payload of a service, separated by spaces. The first one with a value counts. */
interface Paths {
	/** IDs of the person, in all messages. All of them count. */
	person: string;
	/** More IDs of the person, in messages that the person wrote: in others they are those of the business. */
	sender?: string;
	/** More IDs of the person, in messages that the business wrote. */
	recipient?: string;
	/** See {@link RawMessage.known}. */
	hiddenId?: string;
	chatwootContact?: string;
	/** Numbers and LIDs of the business. All of them count. */
	business?: string;
	id: string;
	name?: string;
	time: string;
	/** The ad that was tapped, as Meta's `referral`. */
	referral?: string;
	/** What the address of an answer contains. */
	via: string;
}

/** For each service, the names as they are in its payload. */
export const PATHS = {
	/** `number`, `shared`, `userId` and `profile` are what meta.ts finds for a message of a change. */
	meta: {
		person: 'number',
		sender: 'shared',
		hiddenId: 'userId',
		business: 'metadata.display_phone_number',
		id: 'message.id',
		name: 'profile.name profile.username',
		time: 'message.timestamp',
		referral: 'message.referral',
		via: 'metadata.phone_number_id',
	},
	/** Of a body with one message. https://github.com/evolution-foundation/evolution-api, 6 May 2026: whatsapp.baileys.service.ts */
	evolution: {
		person: 'data.key.remoteJid data.key.remoteJidAlt',
		sender:
			'data.key.senderPn data.senderPn data.key.senderLid data.key.previousRemoteJid data.key.sender',
		business: 'sender',
		id: 'data.key.id',
		name: 'data.pushName',
		time: 'data.messageTimestamp',
		via: 'instance instanceName instanceId',
	},
	evolutionCall: {
		person: 'data.from data.callerPn data.chatId',
		id: 'data.id',
		time: 'data.date',
		via: 'instance',
	},
	/** `chat` is found by waha.ts. In `_data`, each engine has other fields. https://waha.devlike.pro/docs/how-to/events/, 24 Jul 2026 */
	waha: {
		person: 'chat payload._data.key.remoteJidAlt',
		sender:
			'payload.senderPn payload._data.Info.SenderAlt payload._data.Info.Sender payload._data.senderPn payload._data.key.senderPn',
		recipient: 'payload._data.Info.RecipientAlt',
		id: 'payload.id',
		name: 'payload._data.pushName payload._data.notifyName payload._data.Info.PushName',
		time: 'payload.timestamp',
		via: 'session',
	},
	/** A vote in a poll, or a call. https://waha.devlike.pro/docs/how-to/calls, 24 Jul 2026 */
	wahaEvent: {
		person: 'payload.from chat',
		id: 'payload.id',
		time: 'payload.timestamp',
		via: 'session',
	},
	/** `chat` is `phone` in WhatsApp's form. https://developer.z-api.io/webhooks/on-message-received, 8 Apr 2026 */
	zapi: {
		person: 'chat chatLid',
		sender: 'senderLid',
		business: 'connectedPhone',
		id: 'messageId',
		name: 'senderName chatName',
		time: 'momment moment',
		via: 'instanceId',
	},
	/** `address` and `idInChatwoot` are composed by chatwoot.ts. https://github.com/chatwoot/chatwoot, 2026: app/models/message.rb */
	chatwoot: {
		person:
			'conversation.meta.sender.phone_number conversation.meta.sender.identifier conversation.contact_inbox.source_id',
		chatwootContact: 'conversation.meta.sender.id conversation.contact_inbox.contact_id',
		id: 'source_id idInChatwoot',
		name: 'conversation.meta.sender.name conversation.meta.sender.additional_attributes.social_whatsapp_user_name',
		time: 'created_at',
		referral: 'content_attributes.referral',
		via: 'address',
	},
} satisfies Record<string, Paths>;

type PathFields = Pick<
	RawMessage,
	'isFromBusiness' | 'ids' | 'known' | 'business' | 'id' | 'name' | 'time' | 'ad' | 'replyVia'
>;

/** @param payload one message, in the body that the service posted, with the names that a reader adds */
export function fieldsAt(paths: Paths, payload: ServiceRecord, isFromBusiness = false): PathFields {
	const all = (list = '') => compact(list.split(' ')).map((path) => at(payload, path));
	const { person, sender, recipient, hiddenId, chatwootContact, referral } = paths;
	return {
		isFromBusiness,
		ids: [...all(person), ...all(isFromBusiness ? recipient : sender)],
		known: {
			hiddenId: firstText(...all(hiddenId)),
			chatwootContact: firstText(...all(chatwootContact)),
		},
		business: all(paths.business),
		id: firstText(...all(paths.id)),
		name: firstText(...all(paths.name)),
		// A long number may be an object.
		time: all(paths.time).find((time) => textOf(time) || isRecord(time)),
		ad: adOf(...all(referral)),
		replyVia: firstText(...all(paths.via)),
	};
}
