/**
 * Messages in WhatsApp's own format, as Evolution API and WAHA hand them on. WAHA's engine GOWS writes `ID` where the others
 * write `Id`. Pure.
 *
 * https://github.com/WhiskeySockets/Baileys (May 2026): WAProto
 */
import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import type { Content, ReadKind } from './content';
import {
	bracket,
	FROM_COMPANY,
	say,
	sayContacts,
	sayLocation,
	sayMedia,
	sayOrder,
	sayPoll,
	sayTapOrForm,
	sayTemplate,
	textsNamed,
	thousandths,
	unknownKind,
} from './content';
import { at, firstText, lineOf, textOf, toRecord } from './payload';

/** Nothing that somebody wrote to the business: it changes another message, or is read elsewhere. */
const LEFT_OUT = [
	'reactionMessage',
	'encReactionMessage',
	'pollUpdateMessage',
	'pollResultSnapshotMessage',
	'encEventResponseMessage',
	'protocolMessage',
	'editedMessage',
	'secretEncryptedMessage',
	'albumMessage',
	'pinInChatMessage',
	'keepInChatMessage',
	'call',
	// The spelling is WhatsApp's.
	'callLogMesssage',
	'bcallMessage',
	'scheduledCallCreationMessage',
	'scheduledCallEditMessage',
	'messageHistoryBundle',
];

/** Beside the content, and never content themselves. */
const NO_CONTENT =
	/^(?:senderKeyDistribution|fastRatchetKeySenderKeyDistribution|placeholder|deviceSent)Message$/;

const KINDS: Record<string, ReadKind> = {
	conversation: ({ text }) => say('text', text),
	extendedTextMessage: ({ text }) => say('text', text),
	imageMessage: ({ caption }) => sayMedia('image', caption),
	videoMessage: ({ caption }) => sayMedia('video', caption),
	ptvMessage: ({ caption }) => sayMedia('video', caption),
	audioMessage: () => say('audio'),
	documentMessage: ({ caption, fileName, title }) =>
		sayMedia('document', caption, firstText(fileName, title)),
	stickerMessage: () => say('sticker'),
	locationMessage: sayLocation,
	liveLocationMessage: sayLocation,
	contactMessage: (card) => sayContacts([card]),
	contactsArrayMessage: ({ contacts }) => sayContacts(contacts),
	buttonsResponseMessage: (reply) =>
		say('choice', reply.selectedDisplayText, reply.selectedButtonId, reply.selectedButtonID),
	templateButtonReplyMessage: (reply) =>
		say('choice', reply.selectedDisplayText, reply.selectedId, reply.selectedID),
	listResponseMessage: ({ title, description, singleSelectReply: row }) =>
		say('choice', title, at(row, 'selectedRowId'), at(row, 'selectedRowID'), description),
	interactiveResponseMessage: ({ body, nativeFlowResponseMessage: flow }) =>
		sayTapOrForm(at(flow, 'paramsJson') ?? at(flow, 'paramsJSON'), at(body, 'text')),
	orderMessage: ({ itemCount, totalAmount1000, totalCurrencyCode, message }) => {
		const items = textOf(itemCount) && `${textOf(itemCount)} items`;
		return sayOrder([items], thousandths(totalAmount1000, totalCurrencyCode), message);
	},
	productMessage: ({ product, body }) => {
		const amount = thousandths(at(product, 'priceAmount1000'), at(product, 'currencyCode'));
		return bracket('product', firstText(at(product, 'title'), body), amount);
	},
	pollCreationMessage: ({ name, options }) => sayPoll(name, textsNamed(['optionName'], options)),
	eventMessage: ({ name, description }) => bracket('event', name, description),
	groupInviteMessage: ({ caption, groupName }) => say('invitation', caption, groupName),
	newsletterAdminInviteMessage: ({ caption, newsletterName }) =>
		say('invitation', caption, newsletterName),
	requestPaymentMessage: ({ amount1000, currencyCodeIso4217 }) =>
		bracket('payment', thousandths(amount1000, currencyCodeIso4217)),
	sendPaymentMessage: () => say('payment'),
	invoiceMessage: ({ note }) => ({ ...say('payment', note), ...FROM_COMPANY }),
	templateMessage: sayTemplate,
	highlyStructuredMessage: sayTemplate,
	buttonsMessage: sayTemplate,
	listMessage: sayTemplate,
	interactiveMessage: sayTemplate,
};

/**
 * What a message says, also one that disappears or is shown once, whose content is wrapped.
 *
 * @returns undefined if it is left out, `'nothing'` if it has no content
 */
export function parseProto(message: unknown): Content | 'nothing' | undefined {
	const parts = unwrap(message);
	if (LEFT_OUT.some((name) => parts[name])) return undefined;
	const present = Object.keys(parts).filter((name) => parts[name] && !NO_CONTENT.test(name));
	for (const name of present) {
		const part = parts[name];
		const read = lineOf(KINDS, withoutVersion(name));
		if (read) return read(isRecord(part) ? part : { text: part });
	}
	const unknown = present.find((name) => /Message(?:V\d)?$/.test(name));
	return unknown ? unknownKind(withoutVersion(unknown).replace(/Message$/, '')) : 'nothing';
}

/** The `contextInfo` of whatever the message contains. */
export const contextOf = (message: unknown): unknown =>
	at(
		Object.values(unwrap(message)).find((part) => at(part, 'contextInfo')),
		'contextInfo',
	);

const withoutVersion = (name: string) => name.replace(/V\d$/, '');

/** @param depth wrappers lie in each other only a few levels deep */
function unwrap(message: unknown, depth = 0): ServiceRecord {
	const parts = toRecord(message);
	const isLeftOut = LEFT_OUT.some((name) => parts[name]);
	const inner = Object.values(parts).find((part) => isRecord(at(part, 'message')));
	return inner && !isLeftOut && depth < 5 ? unwrap(at(inner, 'message'), depth + 1) : parts;
}
