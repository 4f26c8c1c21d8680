/**
 * Whether a record in a list is the one that an item sent. Pure.
 *
 * Two mistakes are possible. Taking another record for it loses the item; missing it records the item twice. Neither shows,
 * so a record that is neither equal nor plainly another one is `unclear`, and what is unclear fails the item.
 */
import { isEqual, isNil, uniq } from 'lodash';

import { ageOf, parseTime } from '../contract/age';
import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import type { Verdict } from '../operation';
import { hasId } from '../transport/paginate';

/** What an item sends, as far as records show it. */
export interface Sent {
	body: ServiceRecord;
	/** Fields in which a plain difference shows another record. The service may replace the values of others. */
	comparable: string[];
	/** Fields that are empty in the record if they are not sent. */
	texts: string[];
}

export type Likeness = 'equal' | 'unclear' | 'different';

/** What is known when a record is judged. Times are ms since the epoch, on the service's clock. */
export interface Circumstances {
	normalized?: NormalizedTexts;
	/** When the first attempt was sent, or a little earlier; undefined if the service does not show its clock. */
	since?: number;
	/** No record that was listed before the first attempt is equal. */
	onlyNew?: boolean;
	/** The equal record may as well be that of another item. */
	mayBeOfAnother: (record: ServiceRecord) => boolean;
	/** The similar record equals what another item sends. */
	isOfAnother: (record: ServiceRecord) => boolean;
}

/** Services cut longer texts only. */
const SHORTEST_CUT = 50;
/** The digits that all forms of a phone share. */
const PHONE_END = 8;

/** Whether a record is the one that was sent. */
export function isRecordOf(sent: Sent, record: ServiceRecord, known: Circumstances): Verdict {
	const likeness = compareRecord(sent, record, known.normalized);
	if (likeness === 'different') return false;
	const age = ageOf(record, known.since, known.onlyNew ? 'since' : 'unclear');
	if (age === 'before') return false;
	if (likeness !== 'equal') return known.isOfAnother(record) ? false : undefined;
	return age === 'since' && hasId(record) && !known.mayBeOfAnother(record) ? true : undefined;
}

/** Compares what was sent with a record; fields that only the record has do not count, except texts. */
export function compareRecord(
	{ body, comparable, texts }: Sent,
	record: ServiceRecord,
	normalized: NormalizedTexts = new Map(),
): Likeness {
	const hasMore = texts.some((name) => !(name in body) && !isBlank(record[name]));
	let likeness: Likeness = hasMore ? 'unclear' : 'equal';
	for (const [name, value] of Object.entries(body)) {
		const ofField = compareValues(value, record[name], normalized);
		// Most records are different, by one of the first fields.
		if (ofField === 'different' && comparable.includes(name)) return 'different';
		if (ofField !== 'equal') likeness = 'unclear';
	}
	return likeness;
}

function leastLike(likenesses: Likeness[]): Likeness {
	if (likenesses.includes('different')) return 'different';
	return likenesses.includes('unclear') ? 'unclear' : 'equal';
}

function compareValues(sent: unknown, stored: unknown, normalized: NormalizedTexts): Likeness {
	if (isEqual(sent, stored) || (isBlank(sent) && isBlank(stored))) return 'equal';
	// The service may fill what is empty, and leave fields out of lists.
	if (isBlank(sent) || stored === undefined) return 'unclear';
	if (isBlank(stored)) return 'different';
	if (isRecord(sent) && isRecord(stored)) {
		const names = Object.keys({ ...sent, ...stored });
		return leastLike(names.map((name) => compareValues(sent[name], stored[name], normalized)));
	}
	return isScalar(sent) && isScalar(stored)
		? compareTexts(String(sent), String(stored), normalized)
		: 'unclear';
}

/** What is left of a text whatever services change when they store it. */
interface NormalizedText {
	/** Without case, accents, spaces, punctuation and escapes of HTML; also without its tags, if it has any. */
	letters: string[];
	/** The end of a phone. */
	phone?: string;
	/** Ms since the epoch; NaN for what is not a time. */
	time: number;
}

/** Texts differ plainly if they do when normalized. */
function compareTexts(sent: string, stored: string, normalized: NormalizedTexts): Likeness {
	const [own, other] = [normalizedOf(sent, normalized), normalizedOf(stored, normalized)];
	const isSame =
		own.time === other.time ||
		(own.phone !== undefined && own.phone === other.phone) ||
		own.letters.some((letters) => other.letters.includes(letters));
	if (isSame) return 'unclear';
	const mayBeCut = stored.length >= SHORTEST_CUT;
	return mayBeCut && own.letters.some((each) => other.letters.some((cut) => each.startsWith(cut)))
		? 'unclear'
		: 'different';
}

/** By text. Each is compared with many others; the caller keeps them no longer than the lists. */
export type NormalizedTexts = Map<string, NormalizedText>;

function normalizedOf(text: string, normalized: NormalizedTexts): NormalizedText {
	const kept = normalized.get(text);
	if (kept) return kept;
	const letters = uniq([lettersOf(text), lettersOf(text.replace(/<[^<>]*>/g, ''))]);
	const isPhone = /^\d{8,}$/.test(letters[0]);
	const result = {
		letters,
		...(isPhone && { phone: letters[0].slice(-PHONE_END) }),
		time: parseTime(text),
	};
	normalized.set(text, result);
	return result;
}

function lettersOf(text: string): string {
	return text
		.replace(/&#?\w+;/g, '')
		.normalize('NFKD')
		.replace(/[^\p{L}\p{N}]/gu, '')
		.toLowerCase();
}

export function isScalar(value: unknown): boolean {
	return ['string', 'number', 'boolean'].includes(typeof value);
}

export function isBlank(value: unknown): boolean {
	if (isNil(value) || value === '') return true;
	return typeof value === 'object' && Object.keys(value).length === 0;
}
