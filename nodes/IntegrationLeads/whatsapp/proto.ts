/** Reads messages in WhatsApp's own format, which Evolution API and WAHA pass on (https://github.com/WhiskeySockets/Baileys, May 2026: WAProto). Pure. */
import { type ServiceRecord, isRecord, toRecord } from '../values/json';
import {
	at,
	contentOf,
	firstText,
	messageKind,
	textOf,
	unavailable,
	unknownKind,
	type Content,
} from './words';

/** Describes the content of a message. */
export function protoContent(message: unknown, service: string): Content | undefined {
	const { parts, unknown } = unwrap(message);
	const present = Object.keys(parts).filter(
		(name) => parts[name] && messageKind(name) !== 'wrapper',
	);
	if (present.some((name) => messageKind(name) === 'nothing')) return undefined;
	const name = present.find(messageKind) ?? present.find((key) => /Message(?:V\d)?$/.test(key));
	if (name === undefined) return unavailable(service);
	// Evolution adds the transcript of a voice message.
	const transcript = textOf(parts.speechToText).replace(
		/^\[audio\]\s*(?:(?:null|undefined)$)?/,
		'',
	);
	const part = transcript ? { ...toRecord(parts[name]), transcript } : parts[name];
	const content = contentOf(name, part);
	return content && unknown ? { ...content, silence: unknownKind(unknown) } : content;
}

/** Finds a message written on another device of the business (WAProto: DeviceSentMessage), which not every service unwraps. */
export const deviceSentIn = (message: unknown): unknown => at(message, 'deviceSentMessage');
export const chatOf = (sent: unknown): string =>
	firstText(at(sent, 'destinationJid'), at(sent, 'destinationJID'));

/** Finds the `contextInfo` of the content, which any kind may have. */
export const contextInfoOf = (message: unknown): unknown =>
	at(
		Object.values(unwrap(message).parts).find((part) => at(part, 'contextInfo')),
		'contextInfo',
	);

/** Unwraps messages that disappear or are shown once, which are nested only a few levels deep. `unknown`: found in an unknown part. */
function unwrap(
	message: unknown,
	depth = 0,
	unknown?: string,
): { parts: ServiceRecord; unknown?: string } {
	const parts = toRecord(message);
	const isNothing = Object.keys(parts).some(
		(name) => parts[name] && messageKind(name) === 'nothing',
	);
	const name = Object.keys(parts).find((key) => isRecord(at(parts[key], 'message')));
	if (name === undefined || isNothing || depth === 5) return { parts, unknown };
	return unwrap(at(parts[name], 'message'), depth + 1, messageKind(name) ? unknown : name);
}

/**
 * Reads an ad from WhatsApp's `contextInfo`, in the spelling of JavaScript or Go. The preview of a link has the form of an ad
 * without its IDs. Since 2026 some ads come without `externalAdReply` (https://github.com/WhiskeySockets/Baileys/issues/2354).
 */
export function adOfContext(...contexts: unknown[]): Record<string, unknown> | undefined {
	const found = contexts.find(
		(key) => at(key, 'externalAdReply') ?? at(key, 'entryPointConversionSource'),
	);
	const reply = at(found, 'externalAdReply');
	const read = (...names: string[]) => firstText(...names.map((name) => at(reply, name)));
	const ad = {
		ctwa_clid: read('ctwaClid'),
		source_type: read('sourceType'),
		source_id: read('sourceId', 'sourceID'),
		source_url: read('sourceUrl', 'sourceURL'),
		headline: read('title'),
		body: read('body', 'description'),
		welcome_message: read('greetingMessageBody'),
	};
	const isAd = /ad/i.test(textOf(at(found, 'entryPointConversionSource')));
	const isTapped = isAd || ad.ctwa_clid || ad.source_id || ad.source_type;
	return isTapped ? { ...ad, source_type: ad.source_type || 'ad' } : undefined;
}
