/**
 * Whether a record in a list is the one that an item sent. Pure.
 *
 * Two mistakes are possible. Taking another record for it loses the item; missing it records the item twice. Neither shows,
 * so a record that is neither equal nor plainly another one is `unclear`, and what is unclear fails the item.
 */
import { isEqual, isNil } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import { hasId } from '../transport/paginate';
import type { Finding } from '../transport/send';

/** What an item sends, as far as records show it. */
export interface Sent {
	body: ServiceRecord;
	/** Fields in which a plain difference shows another record. The service may replace the values of others. */
	comparable: string[];
	/** Fields that are empty in the record if they are not sent. */
	texts: string[];
}

export type Likeness = 'equal' | 'unclear' | 'different';

/** What is known when a list is searched. Times are ms since the epoch, on the service's clock. */
export interface Search {
	/** Without those that are known to be of other items. */
	records: ServiceRecord[];
	/** The list was read to its end. */
	complete: boolean;
	/** When the first attempt was sent, or a little earlier; undefined if the service does not show its clock. */
	since?: number;
	/** `records` leaves out what was listed before the first attempt. */
	onlyNew?: boolean;
	/** The equal record may as well be that of another item. */
	isContested: (record: ServiceRecord) => boolean;
	/** The similar record equals what another item sends. */
	isOfAnother: (record: ServiceRecord) => boolean;
}

/** Clocks of one service may differ by this much, and times may be cut to minutes. */
const CLOCK_TOLERANCE_MS = 60_000;
/** Services cut longer texts only. */
const SHORTEST_CUT = 50;
/** The digits that all forms of a phone share. */
const PHONE_END = 8;
/** To the second at least, with a zone: anything less does not place a record before or after a request. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;

/** Searches the records of a list for the one that was sent. */
export function findSent(sent: Sent, search: Search): Finding {
	const { records, complete, isContested, isOfAnother } = search;
	const similar = records
		.map((record) => ({
			record,
			likeness: compareRecord(sent, record),
			age: ageOf(record, search),
		}))
		.filter(({ likeness, age }) => likeness !== 'different' && age !== 'before');
	const found = similar.find(
		({ record, likeness, age }) =>
			likeness === 'equal' && age === 'since' && hasId(record) && !isContested(record),
	);
	if (found) return { kind: 'recorded', record: found.record };
	const unclear = similar.find(
		({ record, likeness }) => likeness === 'equal' || !isOfAnother(record),
	);
	return complete && !unclear ? { kind: 'none' } : { kind: 'unclear', record: unclear?.record };
}

function ageOf(
	{ createdAt }: ServiceRecord,
	{ since, onlyNew }: Search,
): 'before' | 'since' | 'unclear' {
	const created = TIME.test(String(createdAt)) ? Date.parse(String(createdAt)) : NaN;
	if (since === undefined || Number.isNaN(created)) return onlyNew ? 'since' : 'unclear';
	// Whole seconds are cut.
	const latest = created % 1000 === 0 ? created + 999 : created;
	if (latest >= since) return 'since';
	return created < since - CLOCK_TOLERANCE_MS ? 'before' : 'unclear';
}

/** Compares what was sent with a record; fields that only the record has do not count, except texts. */
export function compareRecord({ body, comparable, texts }: Sent, record: ServiceRecord): Likeness {
	const likenesses = Object.entries(body).map(([name, value]) => {
		const likeness = compareValues(value, record[name]);
		return likeness === 'different' && !comparable.includes(name) ? 'unclear' : likeness;
	});
	const hasMore = texts.some((name) => !(name in body) && !isBlank(record[name]));
	return leastLike([...likenesses, ...(hasMore ? ['unclear' as const] : [])]);
}

function leastLike(likenesses: Likeness[]): Likeness {
	if (likenesses.includes('different')) return 'different';
	return likenesses.includes('unclear') ? 'unclear' : 'equal';
}

function compareValues(sent: unknown, stored: unknown): Likeness {
	if (isEqual(sent, stored) || (isBlank(sent) && isBlank(stored))) return 'equal';
	// The service may fill what is empty, and leave fields out of lists.
	if (isBlank(sent) || stored === undefined) return 'unclear';
	if (isBlank(stored)) return 'different';
	if (isRecord(sent) && isRecord(stored)) {
		const names = Object.keys({ ...sent, ...stored });
		return leastLike(names.map((name) => compareValues(sent[name], stored[name])));
	}
	return isScalar(sent) && isScalar(stored)
		? compareTexts(String(sent), String(stored))
		: 'unclear';
}

/** Texts differ plainly if more is different than what services change when they store one. */
function compareTexts(sent: string, stored: string): Likeness {
	const isSameTime =
		TIME.test(sent) && TIME.test(stored) && Date.parse(sent) === Date.parse(stored);
	const mayBeCut = stored.length >= SHORTEST_CUT;
	const isSimilar = lettersOf(sent).some((own) =>
		lettersOf(stored).some(
			(other) => own === other || isSamePhone(own, other) || (mayBeCut && own.startsWith(other)),
		),
	);
	return isSameTime || isSimilar ? 'unclear' : 'different';
}

function isSamePhone(...phones: [string, string]): boolean {
	const [own, other] = phones.map((digits) => digits.slice(-PHONE_END));
	return own === other && phones.every((digits) => /^\d{8,}$/.test(digits));
}

/** Without case, accents, spaces, punctuation and escapes of HTML; first also without its tags. */
function lettersOf(text: string): string[] {
	return [text.replace(/<[^<>]*>/g, ''), text].map((each) =>
		each
			.replace(/&#?\w+;/g, '')
			.normalize('NFKD')
			.replace(/[^\p{L}\p{N}]/gu, '')
			.toLowerCase(),
	);
}

function isScalar(value: unknown): boolean {
	return ['string', 'number', 'boolean'].includes(typeof value);
}

function isBlank(value: unknown): boolean {
	if (isNil(value) || value === '') return true;
	return typeof value === 'object' && Object.keys(value).length === 0;
}
