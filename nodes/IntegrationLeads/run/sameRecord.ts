/**
 * Which record of a list is the one that an item sent. Pure.
 *
 * Two mistakes are possible. Taking another record for it loses the item; missing it records the item twice. Neither shows,
 * so a record that is neither equal nor plainly another one is unclear, and what is unclear fails the item.
 */
import { deburr, isEqual, isObject, memoize, sortBy, uniq } from 'lodash';

import { ageOf, isSameTime, parseTime } from '../contract/age';
import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import type { MatchResult } from '../operation';
import { hasId } from '../transport/paginate';
import type { Finding } from '../transport/send';
import { isBlank } from '../values/convert';
import { sortCandidates } from './candidates';
import type { Listing } from './plan';
import { PHONE, RecordIndex, SHORTEST_CUT } from './recordIndex';

/** What a run knows of the list in which its items are recorded. */
export class CreatedList {
	/** What was sent, while its record is not known, by {@link keyOf}. */
	readonly pending = new Map<string, Listing['sent']>();

	/** IDs of records that are the result of an item. */
	private readonly claimed = new Set<string>();

	/** Each text is compared with many others. */
	private readonly formsOf = memoize(formsOfText);

	/** By the list of records. */
	private readonly indexes = new WeakMap<ServiceRecord[], RecordIndex>();

	/** Excludes a record that is the result of an item. */
	claim(record: ServiceRecord): void {
		if (hasId(record)) this.claimed.add(String(record.id));
	}

	/**
	 * Matches the record of an item. What is found becomes its result.
	 *
	 * @param complete whether `records` are the whole list
	 * @param since when the item was sent, or a little earlier, in ms on the service's clock, if that is shown
	 * @param onlyNew no record that was listed before the item was sent is equal
	 */
	match(
		sent: Listing['sent'],
		{ records, complete }: { records: ServiceRecord[]; complete: boolean },
		{ since, onlyNew }: { since?: number; onlyNew: boolean },
	): Finding {
		const has = (each: Listing['sent'], record: ServiceRecord) =>
			hasSent(each, record, this.formsOf);
		const key = keyOf(sent);
		const others = [...this.pending].flatMap(([other, each]) => (other === key ? [] : [each]));
		const matchOf = (record: ServiceRecord): MatchResult => {
			const hasAll = has(sent, record);
			const age = ageOf(record, since, onlyNew ? 'since' : 'unclear');
			if (hasAll === false || age === 'before') return false;
			const isCertain = hasAll && age === 'since' && hasId(record);
			return isCertain && !others.some((other) => has(other, record)) ? true : undefined;
		};
		const candidates = this.indexOf(records)
			.candidatesFor(sent)
			.filter(({ id }) => !this.claimed.has(String(id)));
		const { matches, unclear } = sortCandidates(candidates, matchOf);
		if (matches.length > 0) {
			this.claim(matches[0]);
			return { kind: 'recorded', record: matches[0] };
		}
		if (complete && unclear.length === 0) return { kind: 'none' };
		return { kind: 'unclear', record: unclear.at(0) };
	}

	private indexOf(records: ServiceRecord[]): RecordIndex {
		const index = this.indexes.get(records) ?? new RecordIndex(records, this.formsOf);
		this.indexes.set(records, index);
		return index;
	}
}

/** Equal bodies have equal keys, whatever the order of their fields. */
export function keyOf({ body }: Pick<Listing['sent'], 'body'>): string {
	return JSON.stringify(body, (_, value: unknown) =>
		isRecord(value) ? Object.fromEntries(sortBy(Object.entries(value), 0)) : value,
	);
}

/** Whether a record has what was sent. Fields that only the record has do not count, except texts. */
export function hasSent(
	{ body, comparable, texts }: Listing['sent'],
	record: ServiceRecord,
	formsOf = formsOfText,
): MatchResult {
	// Most records are others, by one of the first fields.
	if (!comparable.every((name) => mayBe(body[name], record[name], formsOf))) return false;
	const names = [...Object.keys(body), ...texts];
	return names.every((name) => isEqualValue(body[name], record[name])) || undefined;
}

const isEqualValue = (sent: unknown, shown: unknown) =>
	isEqual(sent, shown) || (isBlank(sent) && isBlank(shown));

/** Whether a service may show what was sent so: it may change what it stores, and not show all of it. */
function mayBe(sent: unknown, shown: unknown, formsOf: typeof formsOfText): boolean {
	// The service may fill what is empty.
	if (isBlank(sent) || shown === undefined) return true;
	if (isRecord(sent) && isRecord(shown)) {
		return Object.entries(sent).every(([name, value]) => mayBe(value, shown[name], formsOf));
	}
	if (isObject(sent) || isObject(shown)) return true;
	const [own, other] = [sent, shown].map((value) => formsOf(String(value ?? '')));
	const mayBeCut = String(shown).length >= SHORTEST_CUT;
	const [ownPhone, otherPhone] = [own, other].map(([letters]) => PHONE.exec(letters)?.[1]);
	return (
		own.some((letters) =>
			other.some((each) => letters === each || (mayBeCut && letters.startsWith(each))),
		) ||
		(ownPhone !== undefined && ownPhone === otherPhone) ||
		Number(sent) === Number(shown) ||
		isSameTime(sent, shown) ||
		// A number may be the same time, in whatever unit.
		!Number.isNaN(parseTime(sent) + Number(shown))
	);
}

/** What is left of a text whatever services change when they store it: with the tags of HTML, and without. */
export function formsOfText(text: string): string[] {
	return uniq([lettersOf(text), lettersOf(text.replace(/<[^<>]*>/g, ''))]);
}

/** Without case, accents, spaces, punctuation and escapes of HTML. */
function lettersOf(text: string): string {
	return deburr(text.replace(/&#?\w+;/g, ''))
		.normalize('NFKD')
		.replace(/[^\p{L}\p{N}]/gu, '')
		.toLowerCase();
}
