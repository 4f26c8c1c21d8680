/** Runs a poll's requests: the one part of the trigger that waits. */
import type { Page } from '../transport/paginate';
import type { LeadRequest, PollResult, Reply, Steps } from './types';

/** What the world gives to a poll. */
export interface World {
	/** Sends one request. A lead that is not there is a page without records, not a failure. */
	send(request: LeadRequest): Promise<Page>;
	/** Whether there is no time for further requests. */
	isLate(): boolean;
}

/**
 * @returns what the poll came to
 * @throws what `send` threw first, when nothing at all could be read; the state then stays as it is
 */
export async function drive(steps: Steps<PollResult>, world: World): Promise<PollResult> {
	let failed = false;
	let failure: unknown;
	for (let step = steps.next(); ; ) {
		if (step.done) {
			if (failed && !step.value.progressed) throw asError(failure);
			return step.value;
		}
		const answers = await Promise.all(
			world.isLate()
				? []
				: step.value.map(async (request) => {
						try {
							return await world.send(request);
						} catch (reason) {
							if (!failed) failure = reason;
							failed = true;
							return undefined;
						}
					}),
		);
		const reply: Reply = { answers, stop: failed || world.isLate() };
		step = steps.next(reply);
	}
}

function asError(failure: unknown): Error {
	return failure instanceof Error ? failure : new Error(String(failure));
}
