/** Goes without what the API key does not permit, and says so. */
import { isForbidden, ServiceError, type HintSink, type NeededScopes } from '../userError';

/** What the key turned out not to permit, for all items of a run. */
export class Permissions {
	/**
	 * @param hints those of the run, or of an item
	 * @param lacked the scopes that the key lacks
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
	 * Carries out requests that need some scopes. If the key lacks one, returns undefined, shows the hint, and carries out nothing
	 * that needs this scope again.
	 */
	async ifPermitted<T>(
		{ scopes, hint }: NeededScopes,
		carryOut: () => Promise<T>,
	): Promise<T | undefined> {
		const goWithout = () => void this.hints.add(hint);
		if (scopes.some((scope) => this.lacked.has(scope))) return goWithout();
		return await carryOut().catch((reason: unknown) => {
			const isLacking = isForbidden(reason) && reason instanceof ServiceError;
			const scope = isLacking ? reason.request.scope : undefined;
			if (scope === undefined || !scopes.includes(scope)) throw reason;
			this.lacked.add(scope);
			return goWithout();
		});
	}
}
