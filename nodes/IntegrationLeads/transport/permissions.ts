/** Goes without what the API key does not permit, and says so. */
import { isForbidden, type HintSink } from '../userError';

/** What the key turned out not to permit, for all items of a run. */
export class Permissions {
	/**
	 * @param hints those of the run, or of an item
	 * @param lacked the hints about what is not permitted
	 */
	constructor(
		private readonly hints: HintSink,
		private readonly lacked = new Set<string>(),
	) {}

	/** The same permissions, for an item with hints of its own. */
	of(hints: HintSink): Permissions {
		return new Permissions(hints, this.lacked);
	}

	/**
	 * Carries out requests. If the key does not permit one, returns undefined, shows the hint, and carries out nothing with this hint
	 * again.
	 */
	async ifPermitted<T>(hint: string, carryOut: () => Promise<T>): Promise<T | undefined> {
		const goWithout = () => void this.hints.add(hint);
		if (this.lacked.has(hint)) return goWithout();
		return await carryOut().catch((reason: unknown) => {
			if (!isForbidden(reason)) throw reason;
			this.lacked.add(hint);
			return goWithout();
		});
	}
}
