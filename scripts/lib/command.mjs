import { Problem } from './problem.mjs';
import { isInterrupted, stopAll } from './processes.mjs';

/**
 * Runs a command, stops the processes it started, and exits. A Problem is printed without its stack, any other error
 * with it, since that is a bug.
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
