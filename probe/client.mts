import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';

import { API_PREFIX } from '../nodes/IntegrationLeads/transport/baseUrl.ts';
import { parseRateLimit } from '../nodes/IntegrationLeads/transport/response.ts';
import type { Options } from './options.mts';
import { ProbeError } from './error.mts';
import { toAnswer, type Answer, type Sent } from './reply.mts';
import { hideKey, shorten } from './secrets.mts';

const TIMEOUT_MS = 30_000;
const MAX_BODY_BYTES = 20_000_000;
/** How often a request that the rate limit refused is sent again. */
const REFUSALS = 3;
/** Requests left for others who use the same key. */
const RESERVE = 5;
const WAIT_MS = { fallback: 60_000, longest: 120_000 };
/** A key that no service gives out: sent to see how a wrong one is refused (spec part 5). */
const FALSE_KEY = 'sk_test_probe_invalid';

/** The key a request goes with: the user's, one that cannot be valid, or none. */
export type WhichKey = 'own' | 'false' | 'none';

/**
 * Sends a request and gives the answer, whatever its status, without the user's key.
 *
 * @throws ProbeError when there is no answer; the signal's reason when a wait was cancelled
 */
export type Send = (request: Sent, key: WhichKey, signal?: AbortSignal) => Promise<Answer>;

/** For requests that are sent one after another; waits where the rate limit is nearly used up. */
export function createClient(options: Options, print: (line: string) => void): Send {
	let waitMs = 0;
	return async (request, key, signal) => {
		for (let refusals = 0; ; refusals++) {
			if (waitMs) {
				print(`Waiting ${Math.ceil(waitMs / 1000)} s, because the rate limit is nearly used up …`);
				await sleep(waitMs, undefined, { signal });
			}
			const answer = await sendOnce(options, request, key);
			// Other keys have limits of their own.
			waitMs = key === 'own' ? waitAfter(answer) : 0;
			if (answer.status !== 429 || refusals === REFUSALS) return answer;
		}
	};
}

/** Milliseconds to wait before the next request, by the node's reading of this answer. */
export function waitAfter({ headers, outcome, status, receivedAt }: Answer): number {
	// The service's date has no fractions of a second: up to one more may have to pass.
	const limited = (ms: number) => Math.min(ms + 1000, WAIT_MS.longest);
	if (status === 429) {
		const asked = outcome.kind === 'refused' ? outcome.retryAfterMs : undefined;
		return limited(asked ?? WAIT_MS.fallback);
	}
	const window = parseRateLimit(headers, receivedAt);
	return !window || window.remaining > RESERVE ? 0 : limited(window.resetAt - receivedAt);
}

async function sendOnce({ baseUrl, apiKey }: Options, sent: Sent, key: WhichKey): Promise<Answer> {
	const bearer = { own: apiKey, false: FALSE_KEY, none: '' }[key];
	try {
		const { status, headers, data } = await axios.request<string>({
			method: sent.method,
			url: baseUrl + API_PREFIX + sent.path,
			params: sent.query,
			data: sent.body,
			headers: { Accept: 'application/json', ...(bearer && { Authorization: `Bearer ${bearer}` }) },
			timeout: TIMEOUT_MS,
			maxContentLength: MAX_BODY_BYTES,
			// The key must not travel to wherever a redirect points.
			maxRedirects: 0,
			validateStatus: () => true,
			responseType: 'text',
			transformResponse: (text: string) => text,
		});
		const texts = Object.entries(headers).map(([name, value]) => {
			return [name.toLowerCase(), hideKey(String(value), apiKey)] as const;
		});
		const text = hideKey(data ?? '', apiKey);
		const given = { status, headers: Object.fromEntries(texts), text, receivedAt: Date.now() };
		return toAnswer(sent.method, given);
	} catch (error) {
		// Everything else in an error of axios may hold the key.
		const { code, message } = error as { code?: string; message: string };
		const why = shorten(hideKey(code ?? message, apiKey));
		throw new ProbeError(
			`${baseUrl} did not answer (${why}). Check the base URL, DNS, proxy and firewall; then run the probe again.`,
		);
	}
}
