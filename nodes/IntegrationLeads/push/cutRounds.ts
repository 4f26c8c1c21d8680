/** Decides which leads may be sent at the same time. Pure. */

/**
 * Cuts a list into rounds, of which each may be sent when the one before has been. Entries of the same record keep their order,
 * each in a later round. Of entries that share only an address, the first is sent in an earlier round, so that the others find
 * the contact that it creates: what the service does with two new leads of one address in a request is not documented.
 *
 * @param keys of each entry: the IDs of its record (external ID, protocol), and the addresses of its contact
 * @returns positions in `keys`, ascending in each round
 */
export function cutRounds(keys: Array<{ ids: string[]; addresses: string[] }>): number[][] {
	const rounds: number[][] = [];
	const firstOf = new Map<string, number>();
	const lastOf = new Map<string, number>();
	for (const [position, { ids, addresses }] of keys.entries()) {
		const earlier = [
			...ids.map((key) => lastOf.get(key)),
			...addresses.map((key) => firstOf.get(key)),
		];
		const round = Math.max(-1, ...earlier.map((number) => number ?? -1)) + 1;
		(rounds[round] ??= []).push(position);
		for (const key of [...ids, ...addresses]) {
			lastOf.set(key, Math.max(round, lastOf.get(key) ?? 0));
			if (!firstOf.has(key)) firstOf.set(key, round);
		}
	}
	return rounds;
}
