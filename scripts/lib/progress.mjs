const begun = Date.now();
const TICK_MS = 5_000;

const seconds = (since) => `${Math.round((Date.now() - since) / 1000)} s`;

/** Prints a line with the time since the command started. */
export function say(text) {
	console.log(`[${seconds(begun).padStart(5)}] ${text}`);
}

/**
 * Announces a step and prints a line every few seconds while it runs.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(label, work) {
	say(label);
	const stepBegun = Date.now();
	const timer = setInterval(() => say(`  … ${seconds(stepBegun)}`), TICK_MS);
	try {
		return await work();
	} finally {
		clearInterval(timer);
	}
}
