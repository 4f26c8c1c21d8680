/** Reads the webhook "On message received" of Z-API (https://developer.z-api.io/webhooks/on-message-received, 8 Apr 2026). Pure. */
import { isRecord, type ServiceRecord } from '../values/json';
import { refuseUnknown } from './events';
import { isPersonalChat, type RawMessage } from './message';
import { fieldsAt, PATHS } from './paths';
import { adOfContext } from './proto';
import { contentOf, firstText, messageKind, textOf, unavailable } from './words';

/**
 * Messages to ignore: those of groups, channels and broadcast lists, edits, and changes to another message. Missed
 * calls are among the notifications, and are read.
 */
const ZAPI_LEFT_OUT =
	'isGroup isNewsletter broadcast isEdit reaction pinMessage eventResponse notification'.split(' ');
const WITHOUT_CONTENT = ['externalAdReply', 'statusImage', 'statusVideo', 'profilePicture'];

export function readZapi(body: ServiceRecord): RawMessage | undefined {
	if (body.type !== 'ReceivedCallback') {
		refuseUnknown('Z-API', body.type);
		return undefined;
	}
	const [, missed] = /^CALL_MISSED_(VOICE|VIDEO)$/.exec(textOf(body.notification)) ?? [];
	const isLeftOut = !missed && ZAPI_LEFT_OUT.some((name) => body[name]);
	if (isLeftOut) return undefined;
	// A number without an ending, or a LID. Where a number is hidden, `phone` may be missing.
	const phone = firstText(body.phone, body.chatLid, body.fromMe === true ? '' : body.senderLid);
	if (phone === '') refuseUnknown('Z-API', 'ReceivedCallback without "phone" and "chatLid"');
	const chat = /^\d+$/.test(phone) ? `${phone}@c.us` : phone;
	if (!isPersonalChat(chat)) return undefined;
	// A message that WhatsApp has not decrypted yet comes again under the same ID.
	const isWaiting = body.waitingMessage === true;
	const parts = Object.keys(body).filter((name) => isRecord(body[name]));
	const name = parts.find(messageKind) ?? parts.find((part) => !WITHOUT_CONTENT.includes(part));
	const isUnknown = isWaiting || name === undefined;
	const content = isUnknown ? unavailable('Z-API') : contentOf(name, body[name]);
	const fields = fieldsAt(PATHS.zapi, { ...body, chat }, body.fromMe === true);
	return {
		...fields,
		content: missed ? contentOf('missedCall', { isVideo: missed === 'VIDEO' }) : content,
		id: isWaiting && fields.id ? `${fields.id}-waiting` : fields.id,
		isFromApi: body.fromApi === true,
		ad: adOfContext({ externalAdReply: body.externalAdReply }),
		replyTo: { phone },
	};
}
