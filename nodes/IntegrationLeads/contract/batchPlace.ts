/** Finds the leads of entries that state no external ID that was sent. */
import type { Entry } from './batchEntry';
import type { ServiceRecord } from './envelope';

/**
 * Sets `lead` of entries: the only lead of a batch of one, else by a stated index, else by position. Where an index may
 * count from 0 or from 1, no lead is set, and the entry contradicts a yes for both.
 *
 * @param entries those that may be about one lead
 * @param batchEntries those about the batch
 * @param sent the leads in the order sent
 */
export function placeEntries(entries: Entry[], batchEntries: Entry[], sent: ServiceRecord[]): void {
	const size = sent.length;
	const firsts = firstIndexes(entries, size);
	const doubtful = new Set<number>();
	for (const entry of entries) {
		const { place, index } = entry;
		if (entry.lead !== undefined || entry.holdsOthers || entry.isOfRequest) continue;
		if (size === 1) {
			entry.lead = 0;
			if (!place?.list.isOrdered) entry.doubt = true;
		} else if (index && place?.list.isTop) {
			const first = firsts.get(index.name);
			const lead = index.value - (first ?? 0);
			if (first !== undefined && lead < size) entry.lead = lead;
			else if (first === undefined) doubtful.add(index.value).add(index.value - 1);
		} else if (place?.list.isOrdered) {
			const { list, position } = place;
			if (!list.statesIds || !sent[position].externalId) entry.lead = position;
		}
		// A field has the external ID of another lead.
		if (entry.mentions.some((lead) => lead !== entry.lead)) entry.doubt = true;
	}
	// What has the external ID of a lead without being its entry may say anything about it.
	for (const { lead, mentions } of [...entries, ...batchEntries]) {
		if (lead === undefined) for (const mentioned of mentions) doubtful.add(mentioned);
	}
	for (const entry of entries) {
		if (entry.lead !== undefined && doubtful.has(entry.lead)) entry.doubt = true;
	}
}

/** For each name of an index what it counts from: 0 or 1 where the first or the last lead shows it. */
function firstIndexes(entries: Entry[], size: number): Map<string, number | undefined> {
	const values = new Map<string, Set<number>>();
	for (const { index, place } of entries) {
		if (!index || !place?.list.isTop) continue;
		values.set(index.name, (values.get(index.name) ?? new Set()).add(index.value));
	}
	return new Map(
		[...values].map(([name, stated]) => {
			if (stated.has(0) === stated.has(size)) return [name, undefined];
			return [name, stated.has(0) ? 0 : 1];
		}),
	);
}
