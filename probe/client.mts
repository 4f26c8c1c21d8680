import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';

import { API_PREFIX } from '../nodes/IntegrationLeads/transport/baseUrl.ts';
import type { Options } from './options.mts';
import { waitAfter } from './pace.mts';
import { ProbeProblem } from './problem.mts';
import { toAnswer, type Answer, type Sent } from './reply.mts';
import { hideKey, shorten } from './secrets.mts';

const TIMEOUT_MS = 30_000;
const MAX_BODY_BYTES = 20_000_000;
/** How often a request that the rate limit refused is sent again. */
const REFUSALS = 3;

/** The key a request goes with: the user's, one that cannot be valid, or none. */
export type WhichKey = 'own' | 'false' | 'none';

/** Sends one request at a time, and waits where the rate limit is nearly used up. */
export interface Client {
	/**
	 * @returns the answer, whatever its status, without the user's key
	 * @throws ProbeProblem when there is none
	 * @throws the signal's reason when a wait was cancelled
	 */
	send(request: Sent, key: WhichKey, signal?: AbortSignal): Promise<Answer>;
}

/** A key that no service gives out: sent to see how a wrong one is refused (spec part 5). */
const FALSE_KEY = 'sk_test_probe_invalid';

export function createClient(options: Options, print: (line: string) => void): Client {
	let waitMs = 0;
	async function pause(signal?: AbortSignal) {
		if (!waitMs) return;
		print(`Waiting ${Math.ceil(waitMs / 1000)} s, because the rate limit is nearly used up …`);
		await sleep(waitMs, undefined, { signal });
		waitMs = 0;
	}
	return {
		async send(request, key, signal) {
			for (let refusals = 0; ; refusals++) {
				await pause(signal);
				const answer = await sendOnce(options, request, key);
				// Other keys have limits of their own.
				if (key === 'own') waitMs = waitAfter(answer);
				if (answer.status !== 429 || refusals === REFUSALS) return answer;
			}
		},
	};
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
		const texts = Object.entries(headers).map(([name, value]) => [
			name.toLowerCase(),
			hideKey(String(value), apiKey),
		]);
		return toAnswer(sent.method, {
			status,
			headers: Object.fromEntries(texts) as Record<string, string>,
			text: hideKey(data ?? '', apiKey),
			receivedAt: Date.now(),
		});
	} catch (error) {
		// Everything else in an error of axios may hold the key.
		const { code, message } = error as { code?: string; message: string };
		const why = shorten(hideKey(code ?? message, apiKey));
		throw new ProbeProblem(
			`${baseUrl} did not answer (${why}). Check the base URL, DNS, proxy and firewall; then run the probe again.`,
		);
	}
}
