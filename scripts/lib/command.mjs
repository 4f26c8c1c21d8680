import { Problem } from './problem.mjs';
import { isInterrupted, stopAll } from './processes.mjs';

/**
 * Runs a command to its exit code: what it started is stopped first, and a Problem is printed as the
 * sentence it is, anything else with its stack because it is a mistake of ours.
 * @param {() => Promise<number>} body resolves to the exit code
 */
export async function runCommand(body) {
	let code = 1;
	try {
		code = await body();
	} catch (error) {
		// The handler of the signal stops everything and exits.
		if (isInterrupted()) return;
		console.error(`\n${error instanceof Problem ? error.message : error.stack}`);
	}
	await stopAll();
	process.exit(code);
}
