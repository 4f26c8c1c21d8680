/** Randomness that repeats: the same seed gives the same leads, ids and churn in every run. */

/** Returns the next number in [0, 1). */
export type Random = () => number;

/** The mulberry32 generator: 32 bits of state, plenty for seed data. */
export function mulberry32(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** A whole number in [0, below). */
export function below(random: Random, limit: number): number {
	return Math.floor(random() * limit);
}

/** One of the values; a value with weight 3 comes three times as often as one with weight 1. */
export function pickWeighted<T>(random: Random, weighted: ReadonlyArray<readonly [T, number]>): T {
	let rest = random() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
	for (const [value, weight] of weighted) {
		rest -= weight;
		if (rest < 0) return value;
	}
	return weighted[weighted.length - 1][0];
}

const hex32 = (random: Random) =>
	below(random, 2 ** 32)
		.toString(16)
		.padStart(8, '0');

/** An id in the form of a version 4 UUID. */
export function uuid(random: Random): string {
	const [a, b, c, d] = [hex32(random), hex32(random), hex32(random), hex32(random)];
	const variantDigit = '89ab'[parseInt(c[0], 16) % 4];
	return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${variantDigit}${c.slice(1, 4)}-${c.slice(4)}${d}`;
}
