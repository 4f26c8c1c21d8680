/** Reads the webhooks of Meta's Cloud API. Pure. */
import { isRecord, type ServiceRecord } from '../values/json';
import type { RawMessage } from './message';
import { fieldsAt, PATHS } from './paths';
import {
	at,
	bracket,
	contentOf,
	firstText,
	messageKind,
	textOf,
	toRecords,
	type Content,
} from './words';

/**
 * Names of the reports about an account: messages, templates, quality, limits. n8n's WhatsApp Trigger adds the name to the members
 * of the report (https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/overview, 2026).
 */
const META_FIELD =
	/^(?:(?:account|automatic|business|campaign|group|message|messaging|partner|payment|phone|smb|template|tracking|user)_\w+|calls|flows|history|messages|security|standby)$/;

export const isMeta = ({
	object,
	entry,
	messaging_product: product,
	field,
}: ServiceRecord): boolean =>
	(object === 'whatsapp_business_account' && Array.isArray(entry)) ||
	product === 'whatsapp' ||
	META_FIELD.test(textOf(field));

/**
 * Reads whole requests, and the changes that n8n's WhatsApp Trigger makes of them.
 *
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages (17 Jun 2026)
 */
export function readMeta(body: ServiceRecord): RawMessage[] {
	const changes = Array.isArray(body.entry)
		? toRecords(body.entry).flatMap(({ changes: changesOfEntry }) => toRecords(changesOfEntry))
		: [body];
	return changes.flatMap(({ field = 'messages', value, ...flat }) => {
		const change = isRecord(value) ? value : flat;
		// An echo is what a person of the business wrote in the WhatsApp Business app.
		const lists: ServiceRecord = {
			messages: change.messages,
			standby: change.messages ?? change.standby,
			smb_message_echoes: change.message_echoes,
			calls: toRecords(change.calls).filter(isMissedCall).map(asMessage),
		};
		const messages = toRecords(lists[textOf(field)]).filter(({ group_id: group }) => !group);
		return messages.map((message) => metaMessage(change, message, textOf(field)));
	});
}

function metaMessage(change: ServiceRecord, message: ServiceRecord, field: string): RawMessage {
	const { metadata } = change;
	const isFromBusiness = field === 'smb_message_echoes';
	const { from: sender, from_user_id: senderId, to, to_user_id: toId } = message;
	// Some echoes of edits and deletions have the two numbers the other way round (pywa, Aug 2026: outgoing_message.json).
	const isTurned = to !== undefined && to === at(metadata, 'display_phone_number');
	const [from, fromId] = isFromBusiness && !isTurned ? [to, toId] : [sender, senderId];
	const contacts = toRecords(change.contacts);
	const known = contacts.find(
		({ wa_id: number, user_id: id }) => (number && number === from) || (id && id === fromId),
	);
	// The only profile is the sender's; with what the team wrote it may be the team's.
	const only = !isFromBusiness && contacts.length === 1 ? contacts[0] : {};
	const { profile, ...contact } = known ?? only;
	const number = firstText(from, contact.wa_id);
	const userId = firstText(fromId, contact.user_id);
	const found = { metadata, message, profile, number, userId, shared: sharedNumber(message) };
	return {
		...fieldsAt(PATHS.meta, found, isFromBusiness),
		content: (isFromBusiness && changeOf(message)) || metaContent(message),
		silence: field === 'standby' ? "Meta's own agent answers in this conversation" : undefined,
		// A number is sent as "to", the ID of a person whose number is hidden as "recipient".
		replyTo: {
			messaging_product: 'whatsapp',
			recipient_type: 'individual',
			...(/^\+?\d+$/.test(number)
				? { to: number.replace(/^\+/, '') }
				: { recipient: userId || number }),
		},
	};
}

/**
 * Returns the sender's number, which the button of a message of the business asked for. Any other card is another person's
 * (https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids, 29 Jun 2026).
 */
function sharedNumber({ contacts }: ServiceRecord): string {
	const [card] = toRecords(contacts).filter(({ origin }) => origin === 'contact_request');
	const [{ wa_id: number, phone } = {}] = toRecords(card?.phones);
	const international = textOf(phone).startsWith('+') && textOf(phone).replace(/\D/g, '');
	return firstText(number, international);
}

function metaContent(message: ServiceRecord): Content | undefined {
	// Without a type, the content is whichever part is there. Answers are one level deeper.
	const type = textOf(message.type) || (Object.keys(message).find(messageKind) ?? 'unknown');
	const inner =
		type === 'interactive' && firstText(at(message.interactive, 'type'), 'interactive reply');
	return inner ? contentOf(inner, at(message.interactive, inner)) : contentOf(type, message[type]);
}

/** An edit or a deletion by a colleague shows that a person has taken over, just as a message does. */
function changeOf({ type, edit }: ServiceRecord): Content | undefined {
	if (type === 'revoke') return { kind: 'deletion', text: '[deleted a message]' };
	if (type !== 'edit') return undefined;
	const edited = at(edit, 'message');
	const text = isRecord(edited) && metaContent(edited)?.text;
	return { kind: 'edit', text: text ? bracket('edited', text) : '[edited a message]' };
}

/**
 * Whether a call was missed. One that was taken has a duration when it ends, as Chatwoot reads it too
 * (https://github.com/chatwoot/chatwoot, 2026: incoming_call_service.rb).
 */
const isMissedCall = ({ event, direction, duration }: ServiceRecord): boolean =>
	event === 'terminate' && direction === 'USER_INITIATED' && !Number(duration);

const asMessage = (call: ServiceRecord): ServiceRecord => ({ ...call, type: 'missedCall' });
