/**
 * From what came of a request to what the user reads: the message says what happened, the description how to
 * get going again. Pure, except that {@link toNodeApiError} builds n8n's error from it.
 */
import type { Failure, INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { AttemptResult } from './retry';
import { isRateLimited } from './retry';

/** What was being done, in words for a message. */
export interface Attempted {
	/** e.g. `Update lead status` */
	action: string;
	scope?: string | { assumed: string };
	/** The records the path named: the parameter's label and its value. */
	targets: Array<{ label: string; value: string }>;
	repeatable: boolean;
	/** The request changes something in the service. */
	writes: boolean;
	/** How often it was sent. */
	attempts: number;
	/** Items share the request, and *Batch Size* says how many. */
	hasBatchSize?: boolean;
	/** Says what a 404 means when it is not that the record of the path is missing. */
	notFound?: { message: string; description: string };
}

/** What the user reads, and what n8n may act on. */
export interface Explanation {
	message: string;
	description: string;
	httpCode?: string;
	failure?: Failure;
	/** The service's own code and words, from a whitelist: nothing else of an answer is kept. */
	said: { status?: number; code?: string; message?: string; retryAfter?: number };
}

type Unsuccessful = Exclude<AttemptResult, { kind: 'accepted' }>;

/** Explains an outcome. `scrub` takes keys out of whatever the service said. */
export function explain(
	outcome: Unsuccessful,
	attempted: Attempted,
	scrub: (text: string) => string,
): Explanation {
	switch (outcome.kind) {
		case 'foreign': {
			const { status, shown } = outcome;
			// The service itself may have taken the request, and answered in words of its own.
			const taken = status >= 200 && status < 300 && mayBeRecorded(attempted);
			return {
				message: 'The answer did not come from the leads service',
				description: `The base URL of the credential probably points elsewhere. HTTP ${status} came back with: ${scrub(shown) || 'nothing readable'}${taken ? `. ${MAY_BE_RECORDED}` : ''}`,
				httpCode: String(status),
				failure: { cause: 'configuration-invalid' },
				said: { status },
			};
		}
		case 'broken':
			return {
				message: 'The answer of the service broke off before it was complete',
				description: outage(attempted),
				httpCode: String(outcome.status),
				failure: { cause: 'temporarily-unavailable' },
				said: { status: outcome.status },
			};
		case 'unreachable':
			return {
				message: `The leads service could not be reached (${outcome.code})`,
				description: outcome.sent
					? outage(attempted)
					: `${tries(attempted)} Nothing was sent. Check the base URL of the credential, and that this n8n can reach that address.`,
				httpCode: outcome.code,
				failure: { cause: 'temporarily-unavailable' },
				said: { code: outcome.code },
			};
		case 'refused': {
			const { status, retryAfterMs } = outcome;
			// Nothing that the service said goes further as it came.
			const code = outcome.code === undefined ? undefined : scrub(outcome.code);
			const message =
				outcome.message === undefined ? undefined : shorten(scrub(outcome.message), LONGEST_WORDS);
			return {
				...explainRefusal({ ...outcome, code, message }, attempted),
				httpCode: String(status),
				said: {
					status,
					...(code !== undefined && { code }),
					...(message !== undefined && { message }),
					...(retryAfterMs !== undefined && { retryAfter: Math.ceil(retryAfterMs / 1000) }),
				},
			};
		}
	}
}

function explainRefusal(
	outcome: Extract<AttemptResult, { kind: 'refused' }>,
	attempted: Attempted,
): Pick<Explanation, 'message' | 'description' | 'failure'> {
	const { status, code, message, retryAfterMs } = outcome;
	if (isRateLimited(outcome)) {
		const wait = retryAfterMs === undefined ? 'later' : `in ${inWords(retryAfterMs)}`;
		return {
			message: 'The rate limit of this API key is used up',
			description: `The service asks to try again ${wait}. Nothing was recorded for this item. If other tools use the same key, give this workflow a key of its own.`,
			failure: { cause: 'rate-limited', ...(retryAfterMs !== undefined && { retryAfterMs }) },
		};
	}
	if (status === 401 || code === 'UNAUTHORIZED') {
		return {
			message: 'The API key was not accepted',
			description:
				'Open the credential and paste a key that is valid at its base URL. Test and production keys are different keys.',
			failure: { cause: 'credential-invalid' },
		};
	}
	if (code === 'API_KEY_REVOKED') {
		return {
			message: 'The API key has been revoked',
			description:
				'Create a new key in the leads service and paste it into the credential. Nothing more was sent with the revoked key.',
			failure: { cause: 'credential-invalid' },
		};
	}
	if (status === 403) {
		return {
			message: `The API key does not permit: ${attempted.action}`,
			description: `${scopeSentence(attempted.scope)} Add the scope to the key in the leads service, or choose a credential whose key has it.${said(message)}`,
			failure: { cause: 'configuration-invalid' },
		};
	}
	if (status === 404) {
		const { message: what, description } = attempted.notFound ?? explainMissing(attempted);
		return { message: what, description: `${description}${said(message)}` };
	}
	if (status === 413) {
		return {
			message: 'The request is too large for the leads service (HTTP 413)',
			description: `${attempted.hasBatchSize ? 'Set Options > Batch Size to a smaller number' : 'Shorten the fields of this item'}, then run it again.${said(message)}`,
		};
	}
	if (status === 408 || status >= 500) {
		return {
			message: `The leads service is not available right now (HTTP ${status})`,
			description: `${outage(attempted)}${said(message)}`,
			failure: {
				cause: 'temporarily-unavailable',
				...(retryAfterMs !== undefined && { retryAfterMs }),
			},
		};
	}
	return {
		message: message
			? `The leads service did not accept the request: ${message}`
			: `The leads service did not accept the request (HTTP ${status})`,
		description: `Compare the fields of this item with what the service expects, then run it again. (${attempted.action}, HTTP ${status}${code ? `, ${code}` : ''})`,
	};
}

function explainMissing({ targets, action }: Attempted): NonNullable<Attempted['notFound']> {
	if (targets.length === 0) {
		return {
			message: `The service found nothing for: ${action}`,
			description:
				'Check what was sent: it may name something that the service does not know. It may also not offer this operation.',
		};
	}
	const names = targets.map(({ label, value }) => `${label} "${shorten(value, LONGEST_VALUE)}"`);
	return {
		message: `${names.join(' or ')} was not found`,
		description: `Check ${targets.map(({ label }) => `"${label}"`).join(' and ')}. The record may have been deleted, or belong to another account.`,
	};
}

function scopeSentence(scope: Attempted['scope']): string {
	if (scope === undefined) return 'The key is fine, but lacks a scope this operation needs.';
	if (typeof scope === 'string') {
		return `The key is fine, but this operation needs the scope "${scope}".`;
	}
	return `The key is fine, but this operation probably needs the scope "${scope.assumed}".`;
}

/** What to know after a request whose fate is unknown. */
function outage(attempted: Attempted): string {
	return mayBeRecorded(attempted)
		? MAY_BE_RECORDED
		: `${tries(attempted)} Run the workflow again later.`;
}

const MAY_BE_RECORDED =
	'It may have been recorded all the same, and was not sent a second time. Look in the leads service before you run this item again.';

/** Whether sending it again could record it twice. */
function mayBeRecorded({ writes, repeatable }: Attempted): boolean {
	return writes && !repeatable;
}

function tries({ attempts }: Attempted): string {
	return attempts === 1 ? 'Tried once.' : `Tried ${attempts} times.`;
}

function said(message: string | undefined): string {
	return message ? ` The service says: ${message}` : '';
}

function inWords(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	if (seconds < 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
	const minutes = Math.ceil(seconds / 60);
	return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** Of a value, and of what the service says, more than this is not read in a message. */
const LONGEST_VALUE = 60;
const LONGEST_WORDS = 300;

function shorten(text: string, longest: number): string {
	return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/**
 * A function that takes the key, and anything that looks like a key, out of a text: the service's own words
 * are shown to users, and may quote the header they complain about.
 */
export function scrubber(apiKey: string): (text: string) => string {
	const keyLike = /[A-Za-z0-9]+_(?:live|test)_[A-Za-z0-9_-]+/g;
	return (text) => {
		const withoutKey = apiKey === '' ? text : text.split(apiKey).join('***');
		return withoutKey.replace(keyLike, '***');
	};
}

/** n8n's error from an explanation. The HTTP error itself is never attached: it carries the key. */
export function toNodeApiError(node: INode, explanation: Explanation): NodeApiError {
	const { message, description, httpCode, failure, said: response } = explanation;
	const error = new NodeApiError(node, response as JsonObject, {
		message,
		description,
		httpCode,
		failure,
	});
	// The constructor replaces messages in which it finds the letters of a system code ("preexisting" has EEXIST).
	error.message = message;
	error.description = description;
	return error;
}
