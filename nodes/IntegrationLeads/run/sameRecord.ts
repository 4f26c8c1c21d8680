/**
 * Which record of a list is the one that an item sent. Pure.
 *
 * Two mistakes are possible. Taking another record for it loses the item; missing it records the item twice. Neither shows,
 * so a record that is neither equal nor plainly another one is unclear, and what is unclear fails the item.
 */
import { memoize, sortBy } from 'lodash';

import { ageOf } from '../contract/age';
import type { ServiceRecord } from '../contract/envelope';
import { isRecord } from '../contract/envelope';
import type { Verdict } from '../operation';
import { hasId } from '../transport/paginate';
import type { Finding } from '../transport/send';
import { isBlank } from '../values/convert';
import { compareValues, normalizeText } from './compare';
import { judge } from './candidates';
import type { Listing } from './plan';

/** What a run knows of the list in which its items are recorded. */
export class CreatedList {
	/** What was sent, while its record is not known, by {@link keyOf}. */
	readonly pending = new Map<string, Listing['sent']>();

	/** IDs of records that are the result of an item. */
	private readonly claimed = new Set<string>();

	/** Each text is compared with many others. */
	private readonly normalize = memoize(normalizeText);

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
			hasSent(each, record, this.normalize);
		const key = keyOf(sent);
		const others = [...this.pending].flatMap(([other, each]) => (other === key ? [] : [each]));
		const verdictOf = (record: ServiceRecord): Verdict => {
			const hasAll = has(sent, record);
			const age = ageOf(record, since, onlyNew ? 'since' : 'unclear');
			if (hasAll === false || age === 'before') return false;
			const isCertain = hasAll && age === 'since' && hasId(record);
			return isCertain && !others.some((other) => has(other, record)) ? true : undefined;
		};
		const candidates = records.filter(({ id }) => !this.claimed.has(String(id)));
		const { matches, unclear } = judge(candidates, verdictOf);
		if (matches.length > 0) {
			this.claim(matches[0]);
			return { kind: 'recorded', record: matches[0] };
		}
		if (complete && unclear.length === 0) return { kind: 'none' };
		return { kind: 'unclear', record: unclear.at(0) };
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
	normalize?: typeof normalizeText,
): Verdict {
	const hasMore = texts.some((name) => !(name in body) && !isBlank(record[name]));
	let verdict: Verdict = hasMore ? undefined : true;
	for (const [name, value] of Object.entries(body)) {
		const likeness = compareValues(name, value, record[name], normalize);
		// Most records are different, by one of the first fields.
		if (likeness === 'different' && comparable.includes(name)) return false;
		if (likeness !== 'equal') verdict = undefined;
	}
	return verdict;
}
