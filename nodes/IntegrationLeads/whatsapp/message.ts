/** Converts a WhatsApp message to one form, whichever service posted it, and finds the person whom its IDs name. Pure. */
import { compact, isEmpty, pickBy, uniqBy } from 'lodash';

import { isRecord } from '../values/json';
import type { CodeForm } from '../values/context';
import { withNinthDigit } from '../values/phone';
import { codesIn, codesOf } from '../values/protocol';
import { at, textOf, type Content } from './words';

/** The person on the other side of the chat, never the business. Has no ID if the payload has none. */
export interface Person {
	/** `BR.1349…` (Meta's user ID), `lid-1038…` (WhatsApp's LID), or the digits of a chat whose ID is not a phone. */
	hiddenId?: string;
	/** In international format with a plus, and with the ninth digit of Brazilian mobiles. */
	phone?: string;
	/** The ID of the contact in Chatwoot, which has no stable ID of WhatsApp. */
	chatwootContact?: string;
	name?: string;
}

export interface WhatsAppMessage extends Content {
	/** WhatsApp's own ID, empty if the payload has none. */
	id: string;
	/** `team`: a person of the business, who typed it. `bot`: an API or automation of the business. */
	from: 'person' | 'team' | 'bot';
	person: Person;
	/** ISO 8601 in UTC. */
	sentAt?: string;
	/** The ad that was tapped, with the field names by which *Get Conversions* reads it from the history. */
	ad?: Record<string, string>;
	/** Fields for the body of the request that sends an answer. The flow adds the text. */
	replyTo: Record<string, unknown>;
	/** The variable part of that request's URL: Meta's phone number ID, the instance, the conversation or the session. */
	replyVia: string;
}

/** A message as the reader of a service returns it, with unconverted values. */
export interface RawMessage {
	content?: Content;
	id: string;
	/** A person or a program of the business wrote it. */
	isFromBusiness: boolean;
	isFromApi?: boolean;
	/** Numbers and LIDs of the business, where the payload names them. */
	business?: unknown[];
	/** IDs of the other side, from all fields that may have one. */
	ids: unknown[];
	name?: string;
	/** IDs that need no parsing. */
	known?: Pick<Person, 'hiddenId' | 'chatwootContact'>;
	time: unknown;
	ad?: Record<string, unknown>;
	silence?: string;
	replyTo: Record<string, unknown>;
	replyVia: string;
}

/** @returns undefined for an event without content, and for a note that the team writes to the number of the business itself */
export function toMessage({
	content,
	isFromBusiness,
	...found
}: RawMessage): WhatsAppMessage | undefined {
	const ad = pickBy(found.ad, (value) => textOf(value)) as Record<string, string>;
	const from = isFromBusiness ? (found.isFromApi ? 'bot' : 'team') : 'person';
	const person = personOf(found.ids, isFromBusiness ? '' : found.name);
	if (!content || (from === 'team' && isBusiness(person, found.business))) return undefined;
	return {
		id: messageIdOf(found.id),
		from,
		person: pickBy({ ...person, ...pickBy(found.known) }),
		sentAt: sentAtOf(found.time),
		ad: isEmpty(ad) ? undefined : ad,
		silence: found.silence,
		replyTo: found.replyTo,
		replyVia: found.replyVia,
		...content,
	};
}

/** Whether the other side of the chat is the business itself. */
function isBusiness({ phone, hiddenId }: Person, business: unknown[] = []): boolean {
	const { phone: number, hiddenId: lid } = personOf(business);
	return (phone !== undefined && phone === number) || (hiddenId !== undefined && hiddenId === lid);
}

/** Finds the tracking codes of a message in its text, the payload of a tapped button, and the ad that was tapped. */
export function codeForms({ text, payload = '', ad = {} }: WhatsAppMessage): CodeForm[] {
	const { body = '', headline = '', source_url: url = '', welcome_message: welcome = '' } = ad;
	// An option may have a word before the code: lead_ML-AB12-CD34.
	const value = payload.replace(/_(?=ML-)/gi, ' ');
	const others = [value, body, headline, welcome, url].flatMap(codesIn);
	return uniqBy([...codesOf(text), ...others], 'code');
}

/** WhatsApp's ID of a chat with a person; the number may be followed by a device. Groups and channels have other endings; WhatsApp itself is 0. */
const CHAT = /^(?!0@)(\d+)(?::\d+)?@(?:(s\.whatsapp\.net|c\.us)|(?:hosted\.)?lid)$/;
/** Meta's user ID (https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids, 29 Jun 2026). */
const USER_ID = /^[A-Z]{2}\.[A-Za-z0-9.]+$/;
const PHONE = /^(?:whatsapp:)?\+?([1-9]\d{6,14})$/;

export const isPersonalChat = (chat: unknown): boolean => CHAT.test(textOf(chat));

/** Finds the person whom the IDs name. The first ID of each kind counts. */
function personOf(ids: unknown[], name?: unknown): Person {
	const people = ids.map((id): Person => {
		const text = textOf(id);
		const [, digits, isNumber] = CHAT.exec(text) ?? [];
		if (digits && !isNumber) return { hiddenId: `lid-${digits}` };
		if (USER_ID.test(text)) return { hiddenId: text };
		const phone = phoneOfChatId(digits ?? text);
		return phone ? { phone } : { hiddenId: digits };
	});
	// Some services put the number where a name is missing.
	const isName = !/^[+\d\s()-]*$/.test(textOf(name));
	return {
		hiddenId: people.find(({ hiddenId }) => hiddenId)?.hiddenId,
		phone: people.find(({ phone }) => phone)?.phone,
		name: isName ? textOf(name) : undefined,
	};
}

function phoneOfChatId(text: string): string | undefined {
	const digits = PHONE.exec(text)?.[1];
	// The IDs of older accounts lack the ninth digit: 55 11 7000-0001 is +55 11 97000-0001.
	return digits && withNinthDigit(`+${digits}`);
}

/** Returns the first number as WhatsApp has it, `5511…`, even if it lacks the ninth digit; else the first LID, `1038…@lid`. */
export function recipientOf(...chats: unknown[]): string {
	const found = compact(chats.map((chat) => CHAT.exec(textOf(chat))));
	const [, digits = '', isNumber] = found.find(([, , number]) => number) ?? found[0] ?? [];
	return digits && !isNumber ? `${digits}@lid` : digits;
}

/** Returns the bare ID: WAHA writes `3EB0…` as `false_1038…@lid_3EB0…` or `false_5511…@c.us_3EB0…`, Chatwoot as `WAID:3EB0…`. */
function messageIdOf(id: string): string {
	return id.replace(/^WAID:|^(?:true|false)_[^_]+_(?=[^_])/, '').replace(/_[^_]*@[^]*/, '');
}

/** A smaller number is a time in seconds. */
const SECONDS = 1e11;

/** Parses seconds, milliseconds, ISO 8601, or `{low}`, the form of long numbers in protobuf. */
function sentAtOf(value: unknown): string | undefined {
	const text = textOf(isRecord(value) ? value.low : value);
	const number = Number(text);
	const time = Number.isNaN(number) ? Date.parse(text) : number * (number < SECONDS ? 1000 : 1);
	return time > 0 && time < 8.64e15 ? new Date(time).toISOString() : undefined;
}

/** Reads an ad from Meta's `referral`. */
export function adOf(referral?: unknown): Record<string, unknown> {
	const names = ['ctwa_clid', 'source_type', 'source_id', 'source_url', 'headline', 'body'];
	const ad = Object.fromEntries(names.map((name) => [name, textOf(at(referral, name))]));
	return { ...ad, welcome_message: textOf(at(referral, 'welcome_message.text')) };
}
