import { CommandError, stackOf } from './commandError.mts';
import { isInterrupted, stopAll } from './processes.mts';

/**
 * Runs a command, stops the processes it started, and exits. A CommandError is printed without its stack, any other error
 * with it, since that is a bug.
 * @param body resolves to the exit code
 */
export async function runCommand(body: () => Promise<number>): Promise<void> {
	let code = 1;
	try {
		code = await body();
	} catch (error) {
		// The handler of the signal stops everything and exits.
		if (isInterrupted()) return;
		console.error(`\n${error instanceof CommandError ? error.message : stackOf(error)}`);
	}
	await stopAll();
	process.exit(code);
}
