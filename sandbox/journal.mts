import type { Lead } from './records.mts';

/** What a lead was from a time on; `null` = it was not there (any more). */
interface Version {
	from: number;
	lead: Lead | null;
	/** Who made it so, see Store.author. */
	by?: string;
}

type Matcher = (lead: Lead) => boolean;

/**
 * Remembers what every lead was at every time, so that a test can say which leads a reader must
 * have seen. A lead without an entry has been the same since its creation.
 */
export class Journal {
	private readonly entries = new Map<string, Version[]>();

	/** Notes that a lead became visible; only worth an entry when that was not at its creation. */
	appeared(lead: Lead, at: number): void {
		if (at !== lead.createdMs) this.entries.set(lead.id, [{ from: at, lead }]);
	}

	changed(before: Lead, after: Lead | null, at: number, by?: string): void {
		const versions = this.entries.get(before.id) ?? [{ from: before.createdMs, lead: before }];
		this.entries.set(before.id, [...versions, { from: at, lead: after, by }]);
	}

	/** The versions of a lead, oldest first, with the time each held from (epoch ms). */
	history(lead: Lead): readonly Version[] {
		return this.entries.get(lead.id) ?? [{ from: lead.createdMs, lead }];
	}

	/** The ids of leads that were there and matched during the whole interval (epoch ms). */
	matchedThroughout(current: Iterable<Lead>, matches: Matcher, from: number, to: number) {
		return this.ids(current, (history) => {
			const there = history[0].from <= from;
			return there && during(history, from, to).every(({ lead }) => lead && matches(lead));
		});
	}

	/** The ids of leads that matched at any time in the interval (epoch ms). */
	matchedEver(current: Iterable<Lead>, matches: Matcher, from: number, to: number) {
		return this.ids(current, (history) =>
			during(history, from, to).some(({ lead }) => lead && matches(lead)),
		);
	}

	private ids(current: Iterable<Lead>, wanted: (history: readonly Version[]) => boolean): string[] {
		const found: string[] = [];
		for (const [id, history] of this.entries) if (wanted(history)) found.push(id);
		for (const lead of current) {
			if (!this.entries.has(lead.id) && wanted(this.history(lead))) found.push(lead.id);
		}
		return found;
	}
}

/**
 * The versions that held in an interval. Its ends belong to it, and so do versions that ended in
 * its first millisecond: what came first within a millisecond is not known, and counting both
 * keeps `matchedThroughout` on the side of fewer and `matchedEver` on the side of more.
 */
function during(history: readonly Version[], from: number, to: number): Version[] {
	return history.filter((version, i) => {
		const until = history[i + 1]?.from ?? Infinity;
		return version.from <= to && until >= from;
	});
}
