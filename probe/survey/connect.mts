import { ProbeError } from '../error.mts';
import { errorOf, isSuccess, outcomeOf, type Reply } from '../reply.mts';
import { shorten } from '../secrets.mts';
import type { Survey } from './survey.mts';

/**
 * Asks for the first leads, and finds out whether this is the service and takes the key.
 *
 * @throws ProbeError with what is wrong and what to do, when there is no point in going on
 */
export async function connect(survey: Survey): Promise<void> {
	const reply = await survey.ask('listLeads');
	const problem = reply && problemWith(reply);
	if (problem) throw new ProbeError(problem);
}

const PROBLEMS: Record<string, string> = {
	401: 'The API key was not accepted. Use a key that is valid at this base URL; test and production keys are different keys.',
	API_KEY_REVOKED: 'This API key has been revoked. Create a new key in the leads service.',
	429: 'The rate limit of this API key is used up. Try again in a minute.',
};

function problemWith(reply: Reply): string | undefined {
	const { status, headers, outcome } = reply;
	const { code = '' } = errorOf(reply);
	if (status >= 300 && status < 400) {
		return `The host redirects to ${shorten(headers.location ?? 'another place')}. The key does not follow. Give the address it redirects to as the base URL, if that is your service.`;
	}
	if (status >= 500) {
		return `The leads service is not available right now (HTTP ${status}). Try again later.`;
	}
	// A key that may not read leads is a good key.
	if (isSuccess(reply) || code === 'FORBIDDEN') return undefined;
	if (outcome.kind === 'refused') {
		const other = `This host answers, but not as the leads service: ${shorten(outcomeOf(reply))}.`;
		return PROBLEMS[status] ?? PROBLEMS[code] ?? `${other} Check the base URL.`;
	}
	const shown = outcome.kind === 'otherServer' ? `: ${shorten(outcome.shown, 60)}` : '.';
	return `The answer did not come from the leads service. Check the base URL. It answered with no JSON${shown}`;
}
