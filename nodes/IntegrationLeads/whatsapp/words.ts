/** What a message says, in words. One table has the kinds of all services: their names do not collide. Pure. */
import { castArray, compact, get, isEmpty, omit, uniq } from 'lodash';

import { isRecord, type ServiceRecord } from '../values/json';

export const at = (value: unknown, path: string): unknown => get(value, path) as unknown;

export const toRecord = (value: unknown): ServiceRecord => (isRecord(value) ? value : {});

export const toRecords = (value: unknown): ServiceRecord[] =>
	Array.isArray(value) ? value.map(toRecord) : [];

/** Texts and numbers; anything else is empty, so that no text ever contains `[object Object]`. */
export function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** The first that is not empty. */
export const firstText = (...values: unknown[]): string => values.map(textOf).find(Boolean) ?? '';

export interface Content {
	kind: string;
	text: string;
	/** What a tapped button or option carries beside its text. */
	payload?: string;
	/** Why it must not be answered. */
	silence?: string;
}

/**
 * The names of each kind, without `Message` and a version behind. Of `nothing`: it changes another message, or is read elsewhere.
 * `wrapper`: a message in it is one like any other (https://github.com/WhiskeySockets/Baileys, May 2026: FutureProofMessage of
 * WAProto), or it stands beside the content; it is never content itself.
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
	poll: 'poll pollCreation',
	event: 'event',
	payment: 'requestPayment sendPayment',
	template:
		'template highlyStructured hydratedTemplate hsm buttons list interactive carousel native_flow invoice pixKey reviewAndPay reviewOrder',
	unavailable: 'unsupported unknown ephemeral',
	wrapper:
		'viewOnce documentWithCaption deviceSent associatedChild lottieSticker placeholder ' +
		'senderKeyDistribution fastRatchetKeySenderKeyDistribution',
	nothing:
		'reaction encReaction edit edited revoke revoked system request_welcome pollUpdate poll_update pollResultSnapshot ' +
		'encEventResponse protocol secretEncrypted album pinInChat keepInChat call call_log callLogMesssage bcall ' +
		'scheduledCallCreation scheduledCallEdit messageHistoryBundle e2e_notification gp2',
};
const KINDS = new Map(
	Object.entries(NAMES).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind])),
);
const MEDIA = ['image', 'video', 'audio', 'document', 'sticker'];

/** Where it is in what a person said: the first counts. */
const SAID: Record<string, string> = {
	text: 'text body message',
	choice:
		'text selectedDisplayText title body body.text selectedButtonId selectedButtonID selectedId selectedID selectedRowId ' +
		'singleSelectReply.selectedRowId singleSelectReply.selectedRowID message payload id',
};
/** What a button or an option has for programs. */
const PAYLOADS =
	'payload id selectedId selectedID selectedButtonId selectedButtonID selectedRowId selectedRowID singleSelectReply.selectedRowId singleSelectReply.selectedRowID'.split(
		' ',
	);
/** What people read of everything else. */
const TEXT_KEYS = new Set(
	(
		'hydratedTitleText headerText title name formatted_name displayName hydratedContentText contentText text body description message ' +
		'caption address question optionName note hydratedFooterText footerText footer displayText ' +
		'display_text buttonText fileName filename quantity itemCount product_retailer_id item_price price total value currency ' +
		'currencyCode key merchantName phone phones latitude longitude degreesLatitude degreesLongitude'
	).split(' '),
);
/** Of an option that was tapped; the other members of such JSON are answers of a form. */
const OF_OPTIONS = 'flow_token id title display_text description'.split(' ');
const MAX_NESTED_TEXTS = 6;

export const messageKind = (name: string): string | undefined =>
	name.startsWith('notification')
		? 'nothing'
		: KINDS.get(name.replace(/(?:Message)?(?:V\d(?:Extension)?)?$/, ''));

/** A message of which WhatsApp gives no content to the service, or the service none to us. */
export const unavailable = (service: string): Content => ({
	kind: 'unavailable',
	text: `[a message that ${service} does not pass on; look into the app]`,
	silence: `${service} does not pass on what was written`,
});

export const unknownKind = (name: string) => `The kind "${name}" is not known`;

/**
 * @param name of the kind in the payload
 * @returns undefined for what nobody said
 */
export function contentOf(name: string, given: unknown): Content | undefined {
	const kind = messageKind(name);
	const part = isRecord(given) ? given : { text: given };
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
		return { kind, text: firstText(part.caption) || file };
	}
	if (kind in SAID) {
		const said = firstText(...SAID[kind].split(' ').map((path) => at(part, path)));
		const text = compact([said, formIn(part)]).join(' ') || bracket(kind);
		const payload = kind === 'choice' && firstText(...PAYLOADS.map((path) => at(part, path)));
		return { kind, text, ...(payload && { payload }) };
	}
	const text = bracket(kind, ...uniq(wordsIn(given)));
	return { kind, text, ...(kind === 'template' && { silence: 'A system of a company sent it' }) };
}

/** `[kind: word, word]` */
export function bracket(kind: string, ...words: string[]): string {
	const inside = compact(words).join(', ');
	return `[${kind}${inside && `: ${inside}`}]`;
}

/** The texts and numbers of {@link TEXT_KEYS}, at any depth: they lie in another place in each kind of menu. */
function wordsIn(value: unknown, depth = 0): string[] {
	if (typeof value === 'string') return /^BEGIN:VCARD/.test(value) ? cardIn(value) : [];
	if (typeof value !== 'object' || value === null || depth > MAX_NESTED_TEXTS) return [];
	return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
		// What is quoted was said before.
		if (name === 'contextInfo') return [];
		if (/paramsjson$/i.test(name)) return wordsIn(parseNestedJson(part), depth + 1);
		const texts = TEXT_KEYS.has(name) ? compact(castArray(part).map(textOf)) : [];
		return texts.length > 0 ? texts : wordsIn(part, depth + 1);
	});
}

function cardIn(card: string): string[] {
	const lines = [/^FN.*?:(.+)$/m, /^(?:[\w-]+\.)?TEL.*?:(.+)$/m];
	return compact(lines.map((line) => line.exec(card)?.[1].trim()));
}

/** The answers of a WhatsApp form, which come as JSON. */
function formIn(part: Record<string, unknown>): string {
	const flow = isRecord(part.nativeFlowResponseMessage) ? part.nativeFlowResponseMessage : part;
	const json = parseNestedJson(flow.response_json ?? flow.paramsJson ?? flow.paramsJSON);
	const answers = Object.entries(omit(toRecord(json), OF_OPTIONS)).flatMap(([name, value]) => {
		const given = compact(castArray(value).map(answerOf)).join(', ');
		return given ? `${name}: ${given}` : [];
	});
	return isEmpty(answers) ? '' : bracket('form', ...answers);
}

/** A photo or a document is an object. */
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
