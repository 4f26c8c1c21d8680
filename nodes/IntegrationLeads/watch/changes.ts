/** Compares a lead with what was known about it. Pure. */
import { difference, intersection, union } from 'lodash';

import { UNKNOWN_STATUS, type KnownLead } from './timeline';

/** What happened to a lead, by indexes: it was created, or got another status, or a tag. */
interface Difference {
	/** The status before, if it is another. */
	from?: number;
	/** The status now. */
	to: number;
	/** The tag that it got. */
	tag?: number;
}

/**
 * @param known undefined for a lead that was not known
 * @param knownTags the tags of which it was known whether it had them
 * @param isNew whether a lead that was not known was created since; otherwise it came under the filters, or is of the baseline
 */
export function changesBetween(
	known: KnownLead | undefined,
	now: KnownLead,
	knownTags: number[],
	isNew: boolean,
): Difference[] {
	const to = now.status;
	const withTags = (tags: number[]) => tags.map((tag) => ({ to, tag }));
	if (!known) return isNew ? [{ to }, ...withTags(now.tags)] : [];
	const gained = withTags(difference(intersection(now.tags, knownTags), known.tags));
	const hasChanged = known.status !== to && known.status !== UNKNOWN_STATUS;
	return hasChanged ? [{ from: known.status, to }, ...gained] : gained;
}

/** A lead as it was, so that its changes are found again. Tags of which nothing was known do not count as changes. */
export function withoutChanges(known: KnownLead, now: KnownLead, knownTags: number[]): KnownLead {
	return { ...known, tags: union(known.tags, difference(now.tags, knownTags)) };
}
