import { readRateLimit } from '../nodes/IntegrationLeads/transport/pace.ts';
import type { Answer } from './reply.mts';

/** Left for others who use the same key. */
const RESERVE = 5;
const FALLBACK_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 120_000;

/** Milliseconds to wait before the next request, after this answer; the node reads its headers. */
export function waitAfter({ headers, outcome, status, receivedAt }: Answer): number {
	if (status === 429) {
		const asked = outcome.kind === 'refused' ? outcome.retryAfterMs : undefined;
		return limited(asked ?? FALLBACK_WAIT_MS);
	}
	const window = readRateLimit(headers, receivedAt);
	return !window || window.remaining > RESERVE ? 0 : limited(window.resetAt - receivedAt);
}

/** The service's date has no fractions of a second: up to one more may have to pass. */
const limited = (ms: number) => Math.min(ms + 1000, LONGEST_WAIT_MS);
