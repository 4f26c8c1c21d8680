/** What is read from a webhook, whichever service posted it, and the parts that all readers share. Pure. */
import { mapValues, pickBy } from 'lodash';

import { isRecord } from '../contract/envelope';
import { mobileVariants } from '../values/phone';
import type { Content } from './content';
import { at, firstText, textOf, toRecord } from './payload';

/** `team`: a person of the business, by hand. `bot`: its API or an automation. `company`: another company's system. */
export type Author = 'person' | 'team' | 'bot' | 'company';

/** The other side of the chat, never the business. Without any ID if the payload has none. */
export interface Person {
	/** `BR.1349…` (Meta's user ID) or `lid-1038…` (WhatsApp's LID). */
	hiddenId?: string;
	/** With a plus; Brazilian mobiles with the ninth digit. */
	phone?: string;
	/** The ID of the contact in Chatwoot, which has no stable ID of WhatsApp. */
	chatwootContact?: string;
	name?: string;
}

/** The ad or post that was tapped, in the names in which *Get Conversions* reads it from the history. */
export type Ad = Partial<Record<(typeof AD_FIELDS)[number], string>>;
const AD_FIELDS = [
	'ctwa_clid',
	'source_type',
	'source_id',
	'source_url',
	'headline',
	'body',
] as const;

export interface WhatsAppMessage {
	type: 'message';
	/** WhatsApp's own ID, empty if the payload has none. */
	id: string;
	from: Author;
	person: Person;
	/** `text`, `image`, `order`, …; the name in the payload if it is a kind that is not known. */
	kind: string;
	/** As people read it; never empty. */
	text: string;
	/** ISO 8601 in UTC. */
	sentAt?: string;
	ad?: Ad;
	/** Why a message of a person or a company must not be answered automatically, as far as the payload tells. */
	silence?: string;
	/** Fields for the body of the request that answers; the text is added to them. */
	replyTo: Record<string, unknown>;
	/** What the address of that request contains: Meta's phone number ID, the instance, the conversation, the session. */
	replyVia: string;
}

/** A person has another number or user ID now. `person` has what is new. */
export interface IdentityChange {
	type: 'change';
	id: string;
	previous: Person;
	person: Person;
	sentAt?: string;
}

export type WebhookEntry = WhatsAppMessage | IdentityChange;

/** All of a message that its content does not decide. */
export type MessageDetails = Omit<WhatsAppMessage, 'type' | 'kind' | 'text'>;

/** What a company's system sends comes as if a person had written it. */
export function toMessage(details: MessageDetails, content: Content): WhatsAppMessage {
	const { isFromCompany, silence, ...said } = content;
	const message: WhatsAppMessage = { type: 'message', ...details, ...said };
	if (details.from !== 'person') return { ...message, silence: undefined };
	const from = isFromCompany ? 'company' : 'person';
	return { ...message, from, silence: silence ?? details.silence };
}

/** @param isByApi whether the API sent it, if it is the business's own */
export function authorOf(isOwn: boolean, isByApi: boolean): Author {
	if (!isOwn) return 'person';
	return isByApi ? 'bot' : 'team';
}

/** WhatsApp's ID of a chat with a person; a device may follow the number. Groups and channels end in something else. */
const CHAT = /^(\d+)(?::\d+)?@(?:(s\.whatsapp\.net|c\.us)|(?:hosted\.)?lid)$/;
/**
 * Meta's user ID.
 *
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids (29 Jun 2026)
 */
const USER_ID = /^[A-Z]{2}\.[A-Za-z0-9.]+$/;
const PHONE = /^(?:whatsapp:)?\+?([1-9]\d{6,14})$/;

export const isPersonalChat = (chat: unknown): boolean => CHAT.test(textOf(chat));

/** The person that IDs name, in whatever field each of them is. The first of each kind counts. */
export function personOf(ids: unknown[], name?: unknown): Person {
	const people = ids.map((id): Person => {
		const text = textOf(id);
		const [, digits, isNumber] = CHAT.exec(text) ?? [];
		if (digits && !isNumber) return { hiddenId: `lid-${digits}` };
		if (USER_ID.test(text)) return { hiddenId: text };
		return { phone: toPhone(digits ?? text) };
	});
	// Where a name is missing, some services repeat the number.
	const isName = !/^[+\d\s()-]*$/.test(textOf(name));
	return pickBy({
		hiddenId: people.find(({ hiddenId }) => hiddenId)?.hiddenId,
		phone: people.find(({ phone }) => phone)?.phone,
		name: isName ? textOf(name) : undefined,
	});
}

function toPhone(text: string): string | undefined {
	const digits = PHONE.exec(text)?.[1];
	if (!digits) return undefined;
	const phone = `+${digits}`;
	// The IDs of older accounts lack the ninth digit: 55 11 7000-0001 is +55 11 97000-0001.
	const [other = phone] = digits.startsWith('55') ? mobileVariants(phone) : [];
	return other.length > phone.length ? other : phone;
}

/** A number or a LID as WhatsApp has it: `5511…`, also without the ninth digit, and `1038…@lid`. */
export function recipientOf(chat: unknown): string {
	const [, digits = '', isNumber] = CHAT.exec(textOf(chat)) ?? [];
	return digits && !isNumber ? `${digits}@lid` : digits;
}

/**
 * WhatsApp's own ID. One message is `3EB0…`, `false_1038…@lid_3EB0…` and `false_5511…@c.us_3EB0…` (WAHA), and
 * `WAID:3EB0…` (Chatwoot with an inbox that Evolution API feeds).
 */
export function messageIdOf(id: unknown): string {
	return textOf(id)
		.replace(/^WAID:|^(?:true|false)_[^_]+_(?=[^_])/, '')
		.replace(/_[^_]*@.*$/, '');
}

/** Below this, a time is in seconds, as of services that do not write milliseconds. */
const SECONDS = 1e11;
const LAST_TIME = 8.64e15;

/** Seconds, milliseconds, ISO 8601, or `{low}` as protobuf writes long numbers. */
export function sentAtOf(given: unknown): string | undefined {
	const value = textOf(isRecord(given) ? given.low : given);
	const number = Number(value);
	const time = Number.isNaN(number) ? Date.parse(value) : number * (number < SECONDS ? 1000 : 1);
	return time > 0 && time <= LAST_TIME ? new Date(time).toISOString() : undefined;
}

/** Meta's `referral`. Undefined if nothing in it is text. */
export function adOf(referral: unknown): Ad | undefined {
	const fields = Object.fromEntries(AD_FIELDS.map((name) => [name, textOf(at(referral, name))]));
	const ad: Ad = pickBy(fields);
	return Object.keys(ad).length > 0 ? ad : undefined;
}

/**
 * WhatsApp's `contextInfo`, in the spelling of JavaScript or Go. The preview of a link has the form of an ad without its
 * IDs. Since 2026 some ads come without `externalAdReply` (https://github.com/WhiskeySockets/Baileys/issues/2354).
 */
export function adOfContext(...contexts: unknown[]): Ad | undefined {
	const found = contexts.find(
		(each) => at(each, 'externalAdReply') ?? at(each, 'entryPointConversionSource'),
	);
	const reply = toRecord(at(found, 'externalAdReply'));
	const isAd = /ad/i.test(textOf(at(found, 'entryPointConversionSource')));
	const names = {
		ctwa_clid: ['ctwaClid'],
		source_type: ['sourceType'],
		source_id: ['sourceId', 'sourceID'],
		source_url: ['sourceUrl', 'sourceURL'],
		headline: ['title'],
		body: ['body'],
	};
	const ad = mapValues(names, (spellings) => firstText(...spellings.map((name) => reply[name])));
	const isTapped = isAd || ad.ctwa_clid || ad.source_id || ad.source_type;
	return isTapped ? adOf({ ...ad, source_type: ad.source_type || 'ad' }) : undefined;
}
