/** How alike a value of a record is to the one that was sent. Pure. */
import { deburr, findLast, isEqual, isObject, uniq } from 'lodash';

import { parseTime } from '../contract/age';
import { isRecord } from '../contract/envelope';
import { isBlank } from '../values/convert';
import { isSameWord } from '../values/converter';

/**
 * From alike to unlike. `same`: means the same in another form, or does not show whether it does. `similar`: services
 * store texts so, for example cut or in lower case.
 */
const LIKENESS = ['equal', 'same', 'similar', 'different'] as const;

/** The service spells these values in its own way (spec 2). */
const WORDS = ['status', 'priority', 'source', 'type', 'tags'];
/** Times may be cut to seconds. */
const TIME_TOLERANCE_MS = 1000;
/** Services cut longer texts only. */
const SHORTEST_CUT = 50;
/** The digits that all forms of a phone share. */
const PHONE_END = 8;

/** @param shown the value of the field in a record; undefined where it does not show the field */
export function compareValues(
	name: string,
	sent: unknown,
	shown: unknown,
	normalized: NormalizedTexts = new Map(),
): (typeof LIKENESS)[number] {
	if (isEqual(sent, shown) || (isBlank(sent) && isBlank(shown))) return 'equal';
	if (shown === undefined) return 'same';
	// The service may fill what is empty.
	if (isBlank(sent)) return 'similar';
	if (isBlank(shown)) return 'different';
	const compare = (one: unknown, other: unknown) => compareValues(name, one, other, normalized);
	if (isRecord(sent) && isRecord(shown)) {
		const inside = Object.keys({ ...sent, ...shown }).map((key) => compare(sent[key], shown[key]));
		return findLast(LIKENESS, (each) => inside.includes(each)) ?? 'equal';
	}
	if (Array.isArray(sent) && Array.isArray(shown)) {
		const isSame = (one: unknown, other: unknown) =>
			['equal', 'same'].includes(compare(one, other));
		// A tag may come as a record.
		const isShown = (each: unknown) =>
			shown.some((value: unknown) =>
				isRecord(value) && !isObject(each)
					? Object.values(value).some((inside) => isSame(each, inside))
					: isSame(each, value),
			);
		return sent.every(isShown) ? 'same' : 'similar';
	}
	return isObject(sent) || isObject(shown) ? 'same' : compareTexts(name, sent, shown, normalized);
}

/** What is left of a text whatever services change when they store it. */
interface NormalizedText {
	/** In one form of Unicode, with single spaces. */
	text: string;
	/** Without case, accents, spaces, punctuation and escapes of HTML; also without its tags, if it has any. */
	letters: string[];
	/** The end of a phone. */
	phone?: string;
	/** Ms since the epoch; NaN for what is not a time. */
	time: number;
}

function compareTexts(
	name: string,
	sent: unknown,
	shown: unknown,
	normalized: NormalizedTexts,
): (typeof LIKENESS)[number] {
	const isNumber = typeof sent === 'number' || typeof shown === 'number';
	if (isNumber && Number(sent) === Number(shown)) return 'same';
	const [own, other] = [sent, shown].map((each) => normalizedOf(String(each), normalized));
	if (isTime(own.time, other)) return 'same';
	const mayBeCut = String(shown).length >= SHORTEST_CUT;
	const isSimilar =
		(own.phone !== undefined && own.phone === other.phone) ||
		own.letters.some((letters) =>
			other.letters.some((each) => letters === each || (mayBeCut && letters.startsWith(each))),
		);
	if (!isSimilar) return 'different';
	// Upper and lower case count in texts, but not in addresses and IDs.
	const isAddress = /^\S+@\S+$/.test(own.text) || /id$/i.test(name);
	const isSame =
		own.text === other.text ||
		(isAddress && own.text.toLowerCase() === other.text.toLowerCase()) ||
		(WORDS.includes(name) && isSameWord(sent, shown));
	return isSame ? 'same' : 'similar';
}

/** Whether a text is this time, in whatever form. NaN is none. */
function isTime(time: number, { text, time: shown }: NormalizedText): boolean {
	const times = [shown, Number(text), Number(text) * 1000];
	return times.some((each) => Math.abs(each - time) < TIME_TOLERANCE_MS);
}

/** By text. Each is compared with many others; the caller keeps them no longer than the lists. */
export type NormalizedTexts = Map<string, NormalizedText>;

function normalizedOf(text: string, normalized: NormalizedTexts): NormalizedText {
	const kept = normalized.get(text);
	if (kept) return kept;
	const letters = uniq([lettersOf(text), lettersOf(text.replace(/<[^<>]*>/g, ''))]);
	const result = {
		text: text.normalize().replace(/\s+/g, ' ').trim(),
		letters,
		...(/^\d{8,}$/.test(letters[0]) && { phone: letters[0].slice(-PHONE_END) }),
		time: parseTime(text),
	};
	normalized.set(text, result);
	return result;
}

function lettersOf(text: string): string {
	return deburr(text.replace(/&#?\w+;/g, ''))
		.normalize('NFKD')
		.replace(/[^\p{L}\p{N}]/gu, '')
		.toLowerCase();
}
