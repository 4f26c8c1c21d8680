import { parseArgs } from 'node:util';

/**
 * Reads the command line of a command. Ends the process with its usage if that is asked for, or if a flag does not exist.
 *
 * @template {import('node:util').ParseArgsConfig} T
 * @param {string} usage
 * @param {T} config as parseArgs takes it; `help` is added
 * @returns {ReturnType<typeof parseArgs<T>>}
 */
export function readArguments(usage, config) {
	const help = { type: 'boolean', default: false };
	try {
		const parsed = parseArgs({ ...config, options: { ...config.options, help } });
		if (!parsed.values.help) return parsed;
		console.log(usage);
		process.exit(0);
	} catch (error) {
		console.error(`\n${error.message.split('. ')[0]}.\n${usage}`);
		process.exit(1);
	}
}

/**
 * A whole number from a flag. Ends the process if it is none, or less than `least`.
 * @param {string} flag
 * @param {string} text
 */
export function wholeNumber(flag, text, least = 1) {
	if (/^\d+$/.test(text) && Number(text) >= least) return Number(text);
	console.error(`\n--${flag} takes a whole number from ${least} on, not "${text}".`);
	process.exit(1);
}
