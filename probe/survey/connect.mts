import { ProbeProblem } from '../problem.mts';
import { outcomeOf, type Reply } from '../reply.mts';
import { shorten } from '../secrets.mts';
import type { Survey } from './survey.mts';

const CHECK_URL = 'Check the base URL.';

/**
 * Asks for the first leads, and finds out whether this is the service and takes the key.
 *
 * @throws ProbeProblem with what is wrong and what to do, when there is no point in going on
 */
export async function connect(survey: Survey): Promise<void> {
	const reply = await survey.ask('listLeads');
	const problem = reply && problemWith(reply);
	if (problem) throw new ProbeProblem(problem);
}

function problemWith(reply: Reply): string | undefined {
	const { status, headers, outcome } = reply;
	if (status >= 300 && status < 400) {
		const target = shorten(headers.location ?? 'another place');
		return `The host redirects to ${target}. The key does not follow. Give the address it redirects to as the base URL, if that is your service.`;
	}
	if (status === 429) return 'The rate limit of this API key is used up. Try again in a minute.';
	if (status >= 500) {
		return `The leads service is not available right now (HTTP ${status}). Try again later.`;
	}
	if (status === 401) {
		return 'The API key was not accepted. Use a key that is valid at this base URL; test and production keys are different keys.';
	}
	if (outcome.kind === 'accepted') return undefined;
	if (outcome.kind === 'refused') {
		if (outcome.code === 'API_KEY_REVOKED') {
			return 'This API key has been revoked. Create a new key in the leads service.';
		}
		// A key that may not read leads is a good key.
		if (outcome.code === 'FORBIDDEN') return undefined;
		return `This host answers, but not as the leads service: ${shorten(outcomeOf(reply))}. ${CHECK_URL}`;
	}
	const shown = outcome.kind === 'foreign' ? `: ${shorten(outcome.shown, 60)}` : '.';
	return `The answer did not come from the leads service. ${CHECK_URL} It answered with no JSON${shown}`;
}
