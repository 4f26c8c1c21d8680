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
 * @param {() => Promise<string>} [detail] added to the line, such as a size
 * @returns {Promise<T>}
 */
export async function step(label, work, detail = async () => '') {
	say(label);
	const stepBegun = Date.now();
	const timer = setInterval(async () => {
		const more = await detail().catch(() => '');
		say(`  … ${seconds(stepBegun)}${more ? `, ${more}` : ''}`);
	}, TICK_MS);
	try {
		return await work();
	} finally {
		clearInterval(timer);
	}
}
