/** From what came over the wire, or did not come, to the outcome of an attempt. */
import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import type { StatedError } from '../contract/envelope';
import { isRecord, openEnvelope, readFailure } from '../contract/envelope';
import { clock } from './clock';
import { readRateLimit } from './pace';
import type { AttemptResult } from './retry';
import { readRetryAfter } from './retry';

/** What a response means. `headers` have names in lower case. */
export function readResponse(
	method: string,
	response: IN8nHttpFullResponse,
	headers: Record<string, unknown>,
): AttemptResult {
	const status = response.statusCode;
	const text = toText(response.body);
	const opened = openEnvelope(text);
	if (status >= 300 && status < 400) {
		return { kind: 'foreign', status, shown: 'a redirect to another address' };
	}
	if (status >= 200 && status < 300) {
		switch (opened.kind) {
			case 'data':
				return { kind: 'accepted', status, data: opened.data, siblings: opened.siblings };
			case 'nothing':
				// A read that says "fine" but brings no body has lost it; 204, or null in the envelope, says so on purpose.
				if (method === 'GET' && status !== 204 && text.trim() === '') {
					return { kind: 'broken', status };
				}
				return { kind: 'accepted', status, data: undefined, siblings: opened.siblings ?? {} };
			case 'cut':
				return { kind: 'broken', status };
			case 'foreign':
				return { kind: 'foreign', status, shown: opened.shown };
		}
	}
	const said = opened.kind === 'failure' ? opened : readBareError(opened);
	const now = clock.now();
	const reset = readRateLimit(headers, now)?.resetAt;
	const resetMs = reset === undefined || status !== 429 ? undefined : Math.max(0, reset - now);
	return {
		kind: 'refused',
		status,
		code: said.code,
		message: said.message,
		retryAfterMs: readRetryAfter(headers, said, now, resetMs),
		body:
			opened.kind === 'failure' ? opened.body : opened.kind === 'data' ? opened.data : undefined,
	};
}

/** A status that says no, without the service's envelope. */
function readBareError(opened: ReturnType<typeof openEnvelope>): StatedError {
	return opened.kind === 'data' && isRecord(opened.data) ? readFailure(opened.data) : {};
}

/** Codes for which no connection was made, so that nothing can have been carried out. */
const NOTHING_SENT =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_TLS_.*|.*CERT.*|UNABLE_TO_.*)$/;

/** n8n wraps what the HTTP client threw; the system's code is on the error or on its cause. */
export function readException(error: unknown): AttemptResult {
	const codes = [error, (error as { cause?: unknown })?.cause].map((each) =>
		isRecord(each) ? (each.code ?? each.httpCode) : undefined,
	);
	const code = codes.find((each): each is string => typeof each === 'string' && each !== '');
	return { kind: 'unreachable', code: code ?? 'no answer', sent: !NOTHING_SENT.test(code ?? '') };
}

function toText(body: unknown): string {
	if (typeof body === 'string') return body;
	return body === undefined || body === null ? '' : JSON.stringify(body as IDataObject);
}
