import { readOptions, usage } from './options.mts';
import { probe, type Outcome } from './probe.mts';
import { messageOf, ProbeError } from './error.mts';
import { leftOf, reportOf } from './report.mts';
import { hideKey, hideKeyLike } from './secrets.mts';

/**
 * The command: reads the arguments, checks the service, prints what was found.
 *
 * @param args without node and script
 * @param write gets each line; none has a key in it
 * @returns the exit code: 0 nothing differs, 1 something does or there was nothing to check, 2 wrong usage
 */
export async function run(
	args: string[],
	env: NodeJS.ProcessEnv,
	write: (line: string) => void,
	signal?: AbortSignal,
): Promise<number> {
	let print = (line: string) => write(hideKeyLike(line));
	try {
		const options = readOptions(args, env);
		if (!options) {
			write(usage);
			return 0;
		}
		print = (line) => write(hideKeyLike(hideKey(line, options.apiKey)));
		print(`Checking ${options.baseUrl} …`);
		return present(await probe(options, print, signal), options.write, print);
	} catch (error) {
		// A stack trace does not help the user, and might hold the key.
		print(signal?.aborted ? 'Stopped.' : messageOf(error));
		return error instanceof ProbeError ? error.exitCode : 1;
	}
}

function present(outcome: Outcome, wrote: boolean, print: (line: string) => void): number {
	const { findings, news, left, stopped } = outcome;
	const end = stopped ? ['', `Not everything was asked. ${stopped}`] : [];
	for (const line of [...reportOf(findings, wrote), ...news, ...leftOf(left), ...end]) print(line);
	return stopped || findings.some((each) => each.outcome === 'differs') ? 1 : 0;
}
