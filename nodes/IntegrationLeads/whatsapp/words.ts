/** Describes the content of a message as text. One table has the kinds of all services, since their names do not collide. Pure. */
import { castArray, compact, get, isEmpty, omit, pick, uniq } from 'lodash';

import { cleanText } from '../values/clean';
import { isRecord, type ServiceRecord, toRecord } from '../values/json';
import { amountOf } from './amounts';

export const at = (value: unknown, path: string): unknown => get(value, path) as unknown;

export const toRecords = (value: unknown): ServiceRecord[] =>
	Array.isArray(value) ? value.map(toRecord) : [];

/** Returns texts and numbers as text, and anything else as an empty text, so that none ever contains `[object Object]`. */
export function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number'
		? cleanText(String(value)).trim()
		: '';
}

/** Returns the first text that is not empty. */
export const firstText = (...values: unknown[]): string => values.map(textOf).find(Boolean) ?? '';

export interface Content {
	kind: string;
	text: string;
	/** The value that a tapped button or option sends besides its text. */
	payload?: string;
	/** The reason why a bot must not answer. */
	silence?: string;
}

/**
 * The names that services use for each kind, without the suffix `Message` and a version. `nothing`: changes another message, or
 * is read elsewhere. `wrapper`: never content itself, it contains a message (https://github.com/WhiskeySockets/Baileys, May 2026:
 * FutureProofMessage of WAProto) or accompanies one.
 */
const NAMES: Record<string, string> = {
	text: 'text conversation extendedText',
	choice:
		'button button_reply list_reply nfm_reply buttonsResponse templateButtonReply listResponse interactiveResponse',
	image: 'image',
	video: 'video ptv',
	audio: 'audio voice',
	document: 'document',
	sticker: 'sticker',
	location: 'location liveLocation',
	contact: 'contact contacts contactsArray',
	order: 'order',
	product: 'product',
	poll: 'poll pollCreation poll_creation',
	vote: 'pollVote pollUpdate',
	call: 'missedCall voice_call callLogMesssage',
	'call permission': 'call_permission_reply',
	event: 'event',
	payment: 'payment requestPayment sendPayment',
	template:
		'template highlyStructured hydratedTemplate hsm buttons list interactive carousel native_flow invoice pixKey reviewAndPay reviewOrder',
	unavailable: 'unsupported unknown ephemeral',
	wrapper:
		'viewOnce documentWithCaption deviceSent associatedChild lottieSticker placeholder ' +
		'senderKeyDistribution fastRatchetKeySenderKeyDistribution',
	nothing:
		'reaction encReaction edit edited revoke revoked system request_welcome poll_update pollResultSnapshot ' +
		'encEventResponse protocol secretEncrypted album pinInChat keepInChat call call_log bcall ' +
		'scheduledCallCreation scheduledCallEdit messageHistoryBundle e2e_notification gp2',
};
const KINDS = new Map(
	Object.entries(NAMES).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind])),
);
const MEDIA = ['image', 'video', 'audio', 'document', 'sticker'];
/** Actions without words, which a bot does not answer by default: the flow decides. */
export const WITHOUT_WORDS = ['vote', 'call', 'call permission'];
/** The outcomes of a missed call (WAProto: CallOutcome). */
const MISSED = /^(?:[12367]|missed|failed|rejected|silenced\w*)$/i;

/** Paths of the text in what a person writes or taps. The first one with a text counts. */
const SPOKEN: Record<string, string> = {
	text: 'text body message',
	choice:
		'text selectedDisplayText title display_text body body.text selectedButtonId selectedButtonID selectedId selectedID ' +
		'selectedRowId singleSelectReply.selectedRowId singleSelectReply.selectedRowID message payload id buttonId',
};
/** Where a button or an option has its value for programs. */
const PAYLOADS =
	'payload id buttonId selectedId selectedID selectedButtonId selectedButtonID selectedRowId selectedRowID singleSelectReply.selectedRowId singleSelectReply.selectedRowID'.split(
		' ',
	);
/** Where the text for people is in everything else. */
const TEXT_KEYS = new Set(
	(
		'hydratedTitleText headerText title name formatted_name displayName hydratedContentText contentText text body description message ' +
		'caption address question pollName optionName selectedOptions note hydratedFooterText footerText footer displayText ' +
		'display_text buttonText fileName filename itemCount product_retailer_id item_price price total value currency ' +
		'currencyCode key merchantName phone phones'
	).split(' '),
);
/** The members of an option that was tapped. All others in such JSON are answers of a form. */
const OF_OPTIONS = 'flow_token id title display_text description'.split(' ');
const COORDINATE = /^(?:degrees)?(?:lat|long)itude$/i;
const MAX_NESTED_TEXTS = 6;

export const messageKind = (name: string): string | undefined =>
	name.startsWith('notification')
		? 'nothing'
		: KINDS.get(name.replace(/(?:Message)?(?:V\d(?:Extension)?)?$/, ''));

/** Content for a message that WhatsApp does not pass on to the service, or the service not to us. */
export const unavailable = (service: string): Content => ({
	kind: 'unavailable',
	text: `[a message that ${service} does not pass on; look into the app]`,
	silence: `${service} does not pass on what was written`,
});

export const unknownKind = (name: string) => `The kind "${name}" is not known`;

/**
 * Describes the content of a message.
 *
 * @param name the name of its kind in the payload
 * @returns undefined for an event without content
 */
export function contentOf(name: string, value: unknown): Content | undefined {
	const kind = messageKind(name);
	const part = toRecord(isRecord(value) ? value : { text: value });
	if (kind === 'nothing') return undefined;
	if (kind === 'unavailable') return unavailable('WhatsApp');
	if (kind === undefined) {
		const unknown = name.replace(/Message(?:V\d)?$/, '');
		return { kind: unknown, text: bracket(unknown), silence: unknownKind(unknown) };
	}
	if (MEDIA.includes(kind)) {
		const file = bracket(
			kind,
			firstText(part.fileName, part.filename, kind === 'document' && part.title),
		);
		return { kind, text: firstText(part.caption, part.transcript) || file };
	}
	if (kind in SPOKEN) {
		const json = jsonIn(part);
		const chosen = { ...pick(json, OF_OPTIONS), ...part };
		const words = firstText(...SPOKEN[kind].split(' ').map((path) => at(chosen, path)));
		const text = compact([words, formIn(json)]).join(' ') || bracket(kind);
		const payload = kind === 'choice' && firstText(...PAYLOADS.map((path) => at(chosen, path)));
		return { kind, text, ...(payload && { payload }) };
	}
	if (kind === 'call') return callOf(name, part);
	if (kind === 'call permission') {
		const reply = textOf(part.response);
		return { kind, text: bracket(kind, { accept: 'yes', reject: 'no' }[reply] ?? reply) };
	}
	const text = bracket(kind, ...uniq(wordsIn(value)));
	return { kind, text, ...(kind === 'template' && { silence: 'A system of a company sent it' }) };
}

/** Describes a call. Chatwoot reports a call when it rings, the others when it was missed. */
function callOf(name: string, { isVideo, callOutcome }: Record<string, unknown>) {
	if (name === 'callLogMesssage' && !MISSED.test(textOf(callOutcome))) return undefined;
	const words = [name !== 'voice_call' && 'missed', isVideo === true && 'video', 'call'];
	return { kind: 'call', text: bracket(compact(words).join(' ')) };
}

/** `[kind: word, word]` */
export function bracket(kind: string, ...words: string[]): string {
	const inside = compact(words).join(', ');
	return `[${kind}${inside && `: ${inside}`}]`;
}

/** Collects the texts and numbers of {@link TEXT_KEYS} at any depth, because each kind of menu has other paths. */
function wordsIn(value: unknown, depth = 0, outerCurrency = ''): string[] {
	if (typeof value === 'string') return /^BEGIN:VCARD/.test(value) ? cardIn(value) : [];
	if (typeof value !== 'object' || value === null || depth > MAX_NESTED_TEXTS) return [];
	const part = value as ServiceRecord;
	const { amount, currency, from } = amountOf(part, outerCurrency);
	const coordinate = Object.keys(part).find((name) => COORDINATE.test(name));
	// How many there are is seen where they are listed.
	const read = [...from, ...(Array.isArray(part.products) ? ['itemCount'] : [])];
	const words = Object.entries(part).flatMap(([name, member]) => {
		// What is quoted was said before.
		if (name === 'contextInfo' || read.includes(name)) return [];
		if (COORDINATE.test(name)) return name === coordinate ? pointOf(part) : [];
		if (/paramsjson$/i.test(name)) return wordsIn(parseNestedJson(member), depth + 1, currency);
		const texts = TEXT_KEYS.has(name) ? compact(castArray(member).map(textOf)) : [];
		return texts.length > 0 ? texts : wordsIn(member, depth + 1, currency);
	});
	const quantity = textOf(part.quantity);
	if (!quantity) return compact([...words, amount]);
	// One word, so that no item of an order is left out as a repeated one.
	return [`${quantity} × ${words.join(', ')}${amount && ` at ${amount}`}`];
}

/** One word with the latitude first, as maps expect it. */
function pointOf({ latitude, longitude, ...part }: ServiceRecord): string[] {
	const point = [latitude ?? part.degreesLatitude, longitude ?? part.degreesLongitude];
	return [compact(point.map(textOf)).join(', ')];
}

function cardIn(card: string): string[] {
	const lines = [/^FN.*?:(.+)$/m, /^(?:[\w-]+\.)?TEL.*?:(.+)$/m];
	return compact(lines.map((line) => line.exec(card)?.[1].trim()));
}

/** Parses the option that was tapped, or the answers of a form, where they are JSON. */
function jsonIn(part: ServiceRecord): ServiceRecord {
	const flow = isRecord(part.nativeFlowResponseMessage) ? part.nativeFlowResponseMessage : part;
	return toRecord(parseNestedJson(flow.response_json ?? flow.paramsJson ?? flow.paramsJSON));
}

function formIn(json: ServiceRecord): string {
	const answers = Object.entries(omit(json, OF_OPTIONS)).flatMap(([name, value]) => {
		const answer = compact(castArray(value).map(answerOf)).join(', ');
		return answer ? `${name}: ${answer}` : [];
	});
	return isEmpty(answers) ? '' : bracket('form', ...answers);
}

/** Formats one answer of a form. A photo or a document is an object. */
function answerOf(value: unknown): string {
	if (typeof value === 'boolean') return value ? 'yes' : 'no';
	return firstText(value, at(value, 'file_name'), at(value, 'filename'));
}

function parseNestedJson(json: unknown): unknown {
	try {
		return typeof json === 'string' ? (JSON.parse(json) as unknown) : json;
	} catch {
		return undefined;
	}
}
