import { createClient } from './client.mts';
import type { Options } from './options.mts';
import { messageOf } from './error.mts';
import { judge, newsOf, type Finding } from './report.mts';
import { cleanUp } from './survey/cleanUp.mts';
import { connect } from './survey/connect.mts';
import { read } from './survey/read.mts';
import { Survey, type Made } from './survey/survey.mts';
import { write } from './survey/write.mts';

/** What the probe found. */
export interface Outcome {
	findings: Finding[];
	/** What the specification does not show, as text. */
	news: string[];
	/** What was created and could not be deleted. */
	left: readonly Made[];
	/** Why it ended early. */
	stopped?: string;
}

/**
 * Checks the service. What it created is deleted again, as far as that is possible, also when it ends early.
 *
 * @param print gets a line while it goes on
 * @throws ProbeError when this is not the service, or the key is refused
 */
export async function probe(
	options: Options,
	print: (line: string) => void,
	signal?: AbortSignal,
): Promise<Outcome> {
	const survey = new Survey(createClient(options, print), signal);
	await connect(survey);
	let stopped: string | undefined;
	try {
		const now = Date.now();
		// First, so that an empty account has something to read too.
		if (options.write) await write(survey, `probe-${now.toString(36)}`, now);
		await read(survey);
	} catch (error) {
		// Whatever happened, what was created is deleted, and what is left is reported.
		stopped = signal?.aborted ? 'Stopped.' : messageOf(error);
	}
	const left = await cleanUp(survey);
	return { findings: judge(survey), news: newsOf(survey), left, stopped };
}
