/** The content of messages in words, as people read it in WhatsApp. The only place where these texts are composed. Pure. */
import { compact, isEmpty, omit, uniq } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord, shorten } from '../contract/envelope';
import { at, firstText, textOf, toList, toRecord } from './payload';

/** What was said. */
export interface Content {
	kind: string;
	text: string;
	/** Only systems of companies send this kind: templates, menus, invoices. Answering it may start two bots on each other. */
	isFromCompany?: true;
	/** Why it must not be answered. */
	silence?: string;
}

/** How one kind is read from its part of a payload. */
export type ReadKind = (part: ServiceRecord) => Content;

/** The first text, else the kind: `[image]`. */
export function say(kind: string, ...texts: unknown[]): Content {
	return { kind, text: firstText(...texts) || `[${kind}]` };
}

/** Logged as what it is, and not answered. */
export const unknownKind = (kind: string): Content => ({
	...say(kind),
	silence: `The kind "${kind}" is not known`,
});

/** A message of which WhatsApp gives no content to the service, or the service none to us. */
export const notPassedOn = (service: string): Content => ({
	kind: 'unavailable',
	text: `[a message that ${service} does not pass on; look into the app]`,
	silence: `${service} does not pass on what was written`,
});

/** `[kind: detail, detail]`, of the details that are there. */
export function bracket(kind: string, ...details: unknown[]): Content {
	const detail = compact(details.map(textOf)).join(', ');
	return say(kind, detail && `[${kind}: ${detail}]`);
}

/** An image, a video, a document, … with or without a caption. */
export const sayMedia = (kind: string, caption: unknown, fileName?: unknown): Content =>
	say(kind, caption, bracket(kind, fileName).text);

/** Of all services: the point under either name, and what is said about it. */
export function sayLocation(place: ServiceRecord): Content {
	const { latitude = place.degreesLatitude, longitude = place.degreesLongitude } = place;
	const point = [latitude, longitude].map(textOf);
	const isPoint = point.every((each) => each !== '' && Number.isFinite(Number(each)));
	const map = isPoint && `https://www.google.com/maps?q=${point.join(',')}`;
	const { name, title, address, description, caption } = place;
	return bracket('location', ...uniq([name, title, address, description, caption]), map);
}

/** Of all services: the cards of people, with their names and numbers, or as vCards. */
export function sayContacts(cards: unknown): Content {
	const people = toList(cards).map((card) => {
		const vcard = firstText(at(card, 'vcard'), at(card, 'vCard'), card);
		const inCard = (form: RegExp) => form.exec(vcard)?.[1].trim();
		const phones = toList(at(card, 'phones')).map((phone) => firstText(phone, at(phone, 'phone')));
		const name = firstText(at(card, 'name.formatted_name'), at(card, 'displayName'));
		const numbers = phones.length > 0 ? phones : [inCard(/TEL[^:\n]*:(.+)/)];
		return compact([name || inCard(/^FN[^:\n]*:(.+)$/m), ...numbers]).join(' ');
	});
	return bracket('contact', ...people);
}

/** @param items as `times` writes them */
export function sayOrder(items: string[], total: string, note?: unknown): Content {
	const order = bracket('order', ...items, total);
	return { ...order, text: compact([textOf(note), order.text]).join(' ') };
}

/** `2 × Chair` */
export const times = (quantity: unknown, name: unknown): string =>
	compact([textOf(quantity), textOf(name)]).join(' × ');

/** An amount with its currency, or nothing. */
export const price = (amount: unknown, currency: unknown): string =>
	textOf(amount) && compact([textOf(amount), textOf(currency)]).join(' ');

/** The same of a sum that was computed; nothing if that is no number. */
export const sumOf = (amount: number, currency: unknown): string =>
	Number.isFinite(amount) ? price(amount.toFixed(2), currency) : '';

/** An amount that WhatsApp writes in thousandths, maybe as a long number of protobuf. */
export const thousandths = (amount: unknown, currency: unknown): string =>
	sumOf(Number(at(amount, 'low') ?? amount ?? NaN) / 1000, currency);

export function sayPoll(question: unknown, options: string[]): Content {
	const choices = compact(options).join(' / ');
	return bracket('poll', [textOf(question), choices && `(${choices})`].join(' '));
}

/** Templates, buttons, lists and carousels: the same parts under different names, texts and what can be tapped. */
export function sayTemplate({ sections, ...menu }: ServiceRecord): Content {
	const texts = TEMPLATE_TEXTS.flatMap((names) => textsNamed(names, menu));
	const rows = toList(sections).map((section) => at(section, 'rows'));
	const options = uniq([...textsNamed(LABELS, menu), ...textsNamed(['title'], rows)]).join(' / ');
	const lines = compact([...texts, options && `[options: ${options}]`]);
	return { ...say('template', lines.join('\n')), ...FROM_COMPANY };
}
/** Titles, then contents, then footers. */
const TEMPLATE_TEXTS = [
	['hydratedTitleText', 'headerText', 'title'],
	['hydratedContentText', 'contentText', 'text', 'description', 'message'],
	['hydratedFooterText', 'footerText', 'footer'],
];
const LABELS = ['displayText', 'display_text', 'buttonText'];

export const FROM_COMPANY = {
	isFromCompany: true,
	silence: 'A system of a company sent it',
} as const;

/**
 * The answers of a WhatsApp form.
 *
 * @param json as WhatsApp sends them
 * @param words instead of answers that are no JSON, or of none
 */
export function sayForm(json: unknown, words: unknown): Content {
	const answers = parseJson(json);
	const fields = isRecord(answers) ? omit(answers, 'flow_token') : answers;
	return bracket('form', answerOf(fields) || words);
}

/** What describes an option that was tapped. */
const OF_OPTIONS = ['flow_token', 'id', 'title', 'display_text', 'description'];

/** The option that was tapped, or the answers of a form: WhatsApp's own format has one kind for both. */
export function sayTapOrForm(json: unknown, words: unknown): Content {
	const id = at(parseJson(json), 'id');
	const isTap = id !== undefined && isEmpty(omit(toRecord(parseJson(json)), OF_OPTIONS));
	return isTap ? say('choice', words, id) : sayForm(json, words);
}

function parseJson(json: unknown): unknown {
	try {
		return typeof json === 'string' ? (JSON.parse(json) as unknown) : json;
	} catch {
		return undefined;
	}
}

/** Deeper answers are shown as JSON. */
const DEEPEST = 3;

/** `city: Campinas, photos: a.jpg / b.jpg, address: (street: Example Street 1)` */
function answerOf(value: unknown, depth = 0): string {
	if (typeof value === 'boolean') return value ? 'yes' : 'no';
	if (typeof value !== 'object' || value === null) return textOf(value);
	if (depth > DEEPEST) return shorten(JSON.stringify(value));
	if (Array.isArray(value))
		return compact(value.map((each) => answerOf(each, depth + 1))).join(' / ');
	const record = toRecord(value);
	// A photo or a document: its name says more than its keys.
	const file = firstText(record.file_name, record.filename);
	if (file) return file;
	const fields = Object.entries(record).map(([name, each]) => [name, answerOf(each, depth + 1)]);
	const text = fields
		.filter(([, answer]) => answer)
		.map((field) => field.join(': '))
		.join(', ');
	return depth > 0 && text ? `(${text})` : text;
}

/** Every text that has one of these names, at any depth: the labels of buttons lie in another place in each kind of menu. */
export function textsNamed(names: string[], value: unknown, depth = 0): string[] {
	if (typeof value !== 'object' || value === null || depth > 2 * DEEPEST) return [];
	return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
		// What is quoted was said before.
		if (name === 'contextInfo') return [];
		if (names.includes(name) && textOf(part)) return [textOf(part)];
		return textsNamed(names, name.endsWith('ParamsJson') ? parseJson(part) : part, depth + 1);
	});
}
