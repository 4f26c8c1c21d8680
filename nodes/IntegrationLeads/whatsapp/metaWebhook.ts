/**
 * Webhooks of Meta's Cloud API: whole requests, and the changes that n8n's WhatsApp Trigger makes of them. Pure.
 *
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages (17 Jun 2026)
 */
import { sumBy } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import type { Content, ReadKind } from './content';
import {
	bracket,
	notPassedOn,
	say,
	sayContacts,
	sayForm,
	sayLocation,
	sayMedia,
	sayOrder,
	sumOf,
	times,
	unknownKind,
} from './content';
import type { Person, WebhookEntry } from './entry';
import { adOf, authorOf, messageIdOf, personOf, sentAtOf, toMessage } from './entry';
import { at, firstText, lineOf, textOf, toList, toRecord } from './payload';

/** They change another message, or open a chat without a word. */
const LEFT_OUT = ['reaction', 'edit', 'revoke', 'system', 'request_welcome'];
/** The last two are names of older versions. */
const NOT_PASSED_ON = ['unsupported', 'unknown', 'ephemeral'];

const KINDS: Record<string, ReadKind> = {
	text: ({ body }) => say('text', body),
	image: ({ caption }) => sayMedia('image', caption),
	video: ({ caption }) => sayMedia('video', caption),
	audio: ({ caption }) => sayMedia('audio', caption),
	// A voice message, in older versions.
	voice: () => say('audio'),
	document: ({ caption, filename }) => sayMedia('document', caption, filename),
	sticker: () => say('sticker'),
	location: sayLocation,
	contacts: ({ list }) => {
		const shared = sharedNumber(list);
		return shared ? bracket('phone number', shared) : sayContacts(list);
	},
	// The button of a template.
	button: ({ text, payload }) => say('choice', text, payload),
	interactive: (part) =>
		lineOf(REPLIES, textOf(part.type))?.(part) ?? unknownKind(firstText(part.type, 'interactive')),
	order: ({ product_items: items, text }) => {
		const products = toList(items);
		const names = products.map((each) =>
			times(at(each, 'quantity'), at(each, 'product_retailer_id')),
		);
		const total = sumBy(
			products,
			(each) => Number(at(each, 'quantity')) * Number(at(each, 'item_price')),
		);
		return sayOrder(names, sumOf(total, at(products, '0.currency')), text);
	},
};

const REPLIES: Record<string, ReadKind> = {
	button_reply: ({ button_reply: reply }) => say('choice', at(reply, 'title'), at(reply, 'id')),
	list_reply: ({ list_reply: reply }) => say('choice', at(reply, 'title'), at(reply, 'id')),
	nfm_reply: ({ nfm_reply: form }) => sayForm(at(form, 'response_json'), at(form, 'body')),
};

/** @param body of a request, or a change that a trigger took out of it */
export function parseMeta(body: ServiceRecord): WebhookEntry[] {
	const changes = Array.isArray(body.entry)
		? body.entry.flatMap((entry) => toList(at(entry, 'changes')))
		: [body];
	return changes.map(toRecord).flatMap(({ field, value, ...flat }) => {
		const change = isRecord(value) ? value : flat;
		return lineOf(FIELDS, textOf(field) || 'messages')?.(change) ?? [];
	});
}

const FIELDS: Record<string, (change: ServiceRecord) => WebhookEntry[]> = {
	messages: (change) => messagesOf(change, change.messages),
	// Meta's own agent answers, the app only observes.
	// https://developers.facebook.com/documentation/business-messaging/whatsapp/changelog (4 Aug 2026)
	standby: (change) =>
		messagesOf(change, change.messages ?? change.standby).map((entry) =>
			entry.type === 'message'
				? { ...entry, silence: entry.silence ?? "Meta's own agent answers in this conversation" }
				: entry,
		),
	// A person of the business wrote in the WhatsApp Business app.
	smb_message_echoes: (change) =>
		toList(change.message_echoes)
			.map(toRecord)
			.flatMap((echo) => (isLeftOut(echo) ? [] : messageOf(change, echo, true))),
};

function messagesOf(change: ServiceRecord, messages: unknown): WebhookEntry[] {
	return toList(messages)
		.map(toRecord)
		.flatMap((message) => {
			if (message.type === 'system') return identityChange(message);
			return isLeftOut(message) ? [] : messageOf(change, message, false);
		});
}

/** Also what was written in a group. */
const isLeftOut = ({ type, group_id: group }: ServiceRecord) =>
	LEFT_OUT.includes(textOf(type)) || Boolean(group);

function messageOf(change: ServiceRecord, message: ServiceRecord, isOwn: boolean): WebhookEntry[] {
	const [from, fromId] = isOwn
		? [message.to, message.to_user_id]
		: [message.from, message.from_user_id];
	const contacts = toList(change.contacts).map(toRecord);
	const own = contacts.find(
		({ wa_id: number, user_id: userId }) =>
			(number && number === from) || (userId && userId === fromId),
	);
	// The only profile is the sender's; beside what the team wrote it may be the team's.
	const { profile, ...contact } = own ?? (!isOwn && contacts.length === 1 ? contacts[0] : {});
	const number = firstText(from, contact.wa_id);
	const person = withUserId(
		personOf(
			[number, sharedNumber(message.contacts)],
			firstText(at(profile, 'name'), at(profile, 'username')),
		),
		firstText(fromId, contact.user_id),
	);
	const isNumber = personOf([number]).phone !== undefined;
	const details = {
		id: messageIdOf(message.id),
		from: authorOf(isOwn, false),
		person,
		sentAt: sentAtOf(message.timestamp),
		ad: adOf(message.referral),
		// A number is sent as "to", the ID of a person whose number is hidden as "recipient".
		replyTo: {
			messaging_product: 'whatsapp',
			recipient_type: 'individual',
			...(isNumber ? { to: number.replace(/^\+/, '') } : { recipient: person.hiddenId ?? '' }),
		},
		replyVia: textOf(at(change.metadata, 'phone_number_id')),
	};
	return [toMessage(details, contentOf(message))];
}

/** The ID in a field for IDs is taken as it is, whatever its form. */
const withUserId = (person: Person, userId: string): Person =>
	userId ? { ...person, hiddenId: userId } : person;

function contentOf(message: ServiceRecord): Content {
	// Without a type, the part that is there.
	const type = textOf(message.type) || (Object.keys(KINDS).find((kind) => message[kind]) ?? '');
	if (NOT_PASSED_ON.includes(type) || type === '') return notPassedOn('WhatsApp');
	const part = message[type];
	const content = lineOf(KINDS, type)?.(Array.isArray(part) ? { list: part } : toRecord(part));
	if (!content) return unknownKind(type);
	const product = textOf(at(message.context, 'referred_product.product_retailer_id'));
	return product ? { ...content, text: `${content.text} [product: ${product}]` } : content;
}

/** The sender's own number. Only a card that answers our request for it is theirs. */
function sharedNumber(cards: unknown): string {
	const own = toList(cards).find((card) => at(card, 'origin') === 'contact_request');
	const number = firstText(at(own, 'phones.0.wa_id'), at(own, 'phones.0.phone'));
	const digits = number.replace(/\D/g, '');
	return digits && `+${digits}`;
}

/**
 * A change of number or of user ID. Other system messages, and kinds that nobody knows yet, are left out.
 *
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/system (21 May 2026)
 */
function identityChange(message: ServiceRecord): WebhookEntry[] {
	const system = toRecord(message.system);
	if (!/changed_(?:number|user_id)$/.test(textOf(system.type))) return [];
	const {
		user_id: userId,
		wa_id: number,
		new_wa_id: newNumber,
		previous_user_id: previous,
	} = system;
	// Before August 2026 the old ID was in the words only: "User Ana changed from BR.1 to BR.2".
	const [, inWords] = /\bfrom ([A-Z]{2}\.[A-Za-z0-9.]+) to\b/.exec(textOf(system.body)) ?? [];
	return [
		{
			type: 'change',
			id: messageIdOf(message.id),
			previous: withUserId(personOf([message.from]), firstText(previous, inWords)),
			person: withUserId(personOf([firstText(number, newNumber)]), textOf(userId)),
			sentAt: sentAtOf(message.timestamp),
		},
	];
}
