import { createClient } from './client.mts';
import { evidenceOf } from './evidence.mts';
import type { Options } from './options.mts';
import { messageOf } from './problem.mts';
import { judge, type Finding } from './report.mts';
import { newlySeen } from './seen.mts';
import { cleanUp } from './survey/cleanUp.mts';
import { connect } from './survey/connect.mts';
import type { Made } from './survey/ledger.mts';
import { read } from './survey/read.mts';
import { Survey } from './survey/survey.mts';
import { write } from './survey/write.mts';

/** What the probe found. */
export interface Outcome {
	findings: Finding[];
	/** What the specification does not show, a line for each. */
	seen: string[];
	/** What was created and could not be deleted. */
	left: readonly Made[];
	/** Why it ended early. */
	stopped?: string;
}

/**
 * Checks the service. What it created is deleted again, as far as that is possible, also when it ends early.
 *
 * @param say gets a line while it goes on
 * @throws ProbeProblem when this is not the service, or the key is refused
 */
export async function probe(
	options: Options,
	say: (line: string) => void,
	signal?: AbortSignal,
): Promise<Outcome> {
	const survey = new Survey(createClient(options, say), signal);
	await connect(survey);
	let stopped: string | undefined;
	try {
		const at = Date.now();
		// First, so that there is something to read in an empty account too.
		if (options.write) await write(survey, `probe-${at.toString(36)}`, at);
		await read(survey);
	} catch (error) {
		// Whatever happened, what was created is deleted, and what is left is said.
		stopped = signal?.aborted ? 'Stopped.' : messageOf(error);
	}
	const left = await cleanUp(survey);
	const evidence = evidenceOf(survey.replies, survey.skipped);
	return { findings: judge(evidence), seen: newlySeen(evidence), left, stopped };
}
