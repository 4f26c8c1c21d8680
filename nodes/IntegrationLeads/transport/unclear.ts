/** Attempts of which it is unknown whether the service carried them out. Pure. */
import type { AttemptResult } from './retry';

export type Unsuccessful = Exclude<AttemptResult, { kind: 'accepted' }>;

/** The answer was lost, cannot be read, or reports an outage. */
export function isUnclear(result: Unsuccessful): boolean {
	switch (result.kind) {
		case 'broken':
			return true;
		case 'unreachable':
			return result.sent;
		case 'refused':
			return result.status === 408 || result.status >= 500;
		default:
			// A proxy may have replaced the answer.
			return result.status < 300;
	}
}

/** Nobody waits for the answer any more, but the service may still be at work, however long that takes. */
export function mayStillRun(result: AttemptResult): boolean {
	if (result.kind === 'unreachable') return /^(ECONNABORTED|E\w*TIMEDOUT)$/.test(result.code);
	return result.kind === 'refused' && result.status === 504;
}
