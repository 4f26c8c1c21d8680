const begun = Date.now();
const TICK_MS = 5_000;

const seconds = (since: number): string => `${Math.round((Date.now() - since) / 1000)} s`;

/** Prints a line with the time since the command started. */
export function say(text: string): void {
	console.log(`[${seconds(begun).padStart(5)}] ${text}`);
}

/** Announces a step and prints a line every few seconds while it runs. */
export async function step<T>(label: string, work: () => Promise<T>): Promise<T> {
	say(label);
	const stepBegun = Date.now();
	const timer = setInterval(() => say(`  … ${seconds(stepBegun)}`), TICK_MS);
	try {
		return await work();
	} finally {
		clearInterval(timer);
	}
}
