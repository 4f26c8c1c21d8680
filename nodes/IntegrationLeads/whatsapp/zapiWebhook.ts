/**
 * Webhooks of Z-API: "on message received", also with "notify about messages sent by me". Pure.
 *
 * https://developer.z-api.io/webhooks/on-message-received (8 Apr 2026)
 */
import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import type { Content, ReadKind } from './content';
import {
	bracket,
	FROM_COMPANY,
	notPassedOn,
	price,
	say,
	sayContacts,
	sayLocation,
	sayMedia,
	sayOrder,
	sayPoll,
	sayTemplate,
	textsNamed,
	times,
	unknownKind,
} from './content';
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

/** Groups, channels, lists of recipients, edits; and what changes another message. Calls are among the notifications. */
const LEFT_OUT = [
	'isGroup',
	'isNewsletter',
	'broadcast',
	'isEdit',
	'reaction',
	'pollVote',
	'pinMessage',
	'eventResponse',
	'notification',
];
/** Beside the content. */
const NO_CONTENT = ['externalAdReply', 'statusImage', 'statusVideo', 'profilePicture'];

/** By the name of the part that a message has. */
const KINDS: Record<string, ReadKind> = {
	text: ({ message }) => say('text', message),
	image: ({ caption }) => sayMedia('image', caption),
	video: ({ caption }) => sayMedia('video', caption),
	audio: () => say('audio'),
	document: ({ caption, fileName, title }) =>
		sayMedia('document', caption, firstText(fileName, title)),
	sticker: () => say('sticker'),
	location: sayLocation,
	contact: (card) => sayContacts([card]),
	buttonsResponseMessage: ({ message, buttonId }) => say('choice', message, buttonId),
	listResponseMessage: ({ title, selectedRowId, message }) =>
		say('choice', title, selectedRowId, message),
	poll: ({ question, options }) => sayPoll(question, textsNamed(['name'], options)),
	event: ({ name, description }) => bracket('event', name, description),
	product: ({ title, price: amount, currencyCode }) =>
		bracket('product', title, price(amount, currencyCode)),
	order: sayProducts,
	requestPayment: ({ value, currencyCode }) => sayPayment('payment request', value, currencyCode),
	sendPayment: ({ paymentInfo: info }) =>
		sayPayment('payment', at(info, 'value'), at(info, 'currencyCode')),
	newsletterAdminInvite: ({ text, newsletterName }) => say('invitation', text, newsletterName),
	// Of companies.
	hydratedTemplate: sayTemplate,
	buttonsMessage: sayTemplate,
	carouselMessage: sayTemplate,
	pixKeyMessage: ({ key, merchantName }) => ({
		...bracket('Pix key', key, merchantName),
		kind: 'payment',
		...FROM_COMPANY,
	}),
	reviewAndPay: (order) => ({ ...sayProducts(order), ...FROM_COMPANY }),
	reviewOrder: (order) => ({ ...sayProducts(order), ...FROM_COMPANY }),
};

export function parseZapi(body: ServiceRecord): WebhookEntry[] {
	const { phone, chatLid, senderLid, senderName, chatName } = body;
	// A number without an ending, or a LID.
	const chat = /^\d+$/.test(textOf(phone)) ? `${textOf(phone)}@c.us` : phone;
	if (body.type !== 'ReceivedCallback' || LEFT_OUT.some((name) => body[name])) return [];
	if (!isPersonalChat(chat)) return [];

	const isOwn = body.fromMe === true;
	const isWaiting = body.waitingMessage === true;
	const id = messageIdOf(body.messageId);
	const details = {
		// What WhatsApp has not decrypted yet comes again under the same ID.
		id: isWaiting && id ? `${id}-waiting` : id,
		from: authorOf(isOwn, body.fromApi === true),
		// Of own messages, senderLid is the business's own.
		person: personOf(
			[chat, chatLid, isOwn ? '' : senderLid],
			isOwn ? '' : firstText(senderName, chatName),
		),
		sentAt: sentAtOf(body.momment ?? body.moment),
		ad: adOfContext({ externalAdReply: body.externalAdReply }),
		replyTo: { phone: textOf(phone) },
		replyVia: textOf(body.instanceId),
	};
	return [toMessage(details, isWaiting ? notPassedOn('Z-API') : contentOf(body))];
}

function contentOf(body: ServiceRecord): Content {
	const kind = Object.keys(KINDS).find((name) => isRecord(body[name]));
	if (kind) return KINDS[kind](toRecord(body[kind]));
	const unknown = Object.keys(body).find(
		(name) => isRecord(body[name]) && !NO_CONTENT.includes(name),
	);
	return unknown ? unknownKind(unknown) : notPassedOn('Z-API');
}

function sayProducts({ products, itemCount, total, currency, message }: ServiceRecord): Content {
	const items = toList(products).map((each) => times(at(each, 'quantity'), at(each, 'name')));
	const count = items.length === 0 && itemCount ? [`${textOf(itemCount)} items`] : [];
	return sayOrder([...items, ...count], price(total, currency), message);
}

const sayPayment = (words: string, value: unknown, currency: unknown): Content => ({
	...bracket(words, price(value, currency)),
	kind: 'payment',
});
