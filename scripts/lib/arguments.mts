import { parseArgs, type ParseArgsConfig } from 'node:util';

/**
 * Reads the command line of a command. Ends the process with its usage if that is asked for, or if a flag does not exist.
 * @param config as parseArgs takes it; `help` is added
 */
export function readArguments<T extends ParseArgsConfig>(
	usage: string,
	config: T,
): ReturnType<typeof parseArgs<T>> {
	if (process.argv.slice(2).includes('--help')) {
		console.log(usage);
		process.exit(0);
	}
	try {
		return parseArgs(config);
	} catch (error) {
		const [reason] = messageOf(error).split('. ');
		console.error(`\n${reason}.\n${usage}`);
		process.exit(1);
	}
}

/** A whole number from a flag. Ends the process if it is none, or less than `least`. */
export function wholeNumber(flag: string, text: string, least = 1): number {
	if (/^\d+$/.test(text) && Number(text) >= least) return Number(text);
	console.error(`\n--${flag} takes a whole number from ${least} on, not "${text}".`);
	process.exit(1);
}

const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);
