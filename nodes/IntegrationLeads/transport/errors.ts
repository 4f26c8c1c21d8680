/** Explains a failed request to the user: the message states what happened, the remedy how to go on. */
import type { Failure, JsonObject } from 'n8n-workflow';

import { shorten } from '../values/json';
import type { Refusal, Unsuccessful } from './request';
import { isRateLimited, isRevoked, isUnclear } from './request';
import {
	joinRemedies,
	ServiceError,
	type ErrorKind,
	type Remedy,
	type UserError,
} from '../userError';

/** The facts that an error message states beyond the result of the request. */
export interface ErrorContext {
	/** e.g. `Update lead status` */
	action: string;
	scope?: string | { assumed: string };
	/** The records in the path: the parameter's label, its value, and how to find it, in full sentences. */
	targets: Array<{ label: string; value: string; findHint?: Remedy }>;
	/** The meaning of a 404, if it does not mean that the record in the path is missing. */
	notFound?: Pick<UserError, 'message' | 'remedy'>;
	/** A tracking code was sent without an external ID, which is needed if no lead has the code. */
	hasOnlyCode?: boolean;
}

interface FailedRequest extends ErrorContext {
	repeatable: boolean;
	/** Whether the service's list shows that no attempt was carried out. */
	notRecorded?: boolean;
	/** Whether the service may have carried out one of the attempts. */
	mayHaveArrived?: boolean;
	/** How often it was sent. */
	attempts: number;
	baseUrl: string;
}

/** The result of the request, without keys and shortened for a message. */
type Facts = Partial<Omit<Refusal, 'kind'> & { shown: string; sent: boolean }>;

/**
 * Makes the error for a request that the service did not accept.
 *
 * @param scrub removes keys from what the service stated
 */
export function toServiceError(
	result: Unsuccessful,
	attempted: FailedRequest,
	scrub: (text: string) => string,
): ServiceError {
	const stated: Facts = result;
	const clean = (text?: string) => text && shorten(scrub(text));
	const [code, message, shown] = [stated.code, stated.message, stated.shown].map(clean);
	const { status, retryAfterMs } = stated;
	const facts = { ...stated, code, message, shown };
	const explanation = EXPLANATIONS.find(({ when }) => when(result, attempted))!;
	const retryAfter = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000);
	const explained = explanation.message(facts, attempted);
	const reason = message && !explained.endsWith(message) ? `The service says: ${message}` : '';
	const earlier = attempted.mayHaveArrived && !isUnclear(result) ? MAYBE_RECORDED : '';
	const ofLast = explanation.remedy(facts, attempted);
	// Nothing in a row can fix the service.
	const remedy = {
		...joinRemedies(doubtOf(result, attempted), earlier, ofLast, reason),
		row: earlier,
	};
	const cause = CAUSES[explanation.kind];
	const isLost = !attempted.repeatable && isUnclear(result);
	return new ServiceError(explained, remedy, isLost ? 'lostAnswer' : explanation.kind, {
		stated: { status, code, message, retryAfter } as JsonObject,
		httpCode: String(status ?? code),
		mayHaveArrived: attempted.mayHaveArrived,
		scope: scopeName(attempted.scope),
		failure: cause && { cause, retryAfterMs },
	});
}

/** The hints for n8n. */
const CAUSES: Partial<Record<ErrorKind, Failure['cause']>> = {
	key: 'credential-invalid',
	forbidden: 'configuration-invalid',
	address: 'configuration-invalid',
	rateLimited: 'rate-limited',
	outage: 'temporarily-unavailable',
	unreachable: 'temporarily-unavailable',
};

/** A warning about the base URL if any web server might have given this answer; else empty. */
function doubtOf(result: Unsuccessful, { baseUrl }: FailedRequest): string {
	const isOfAny = refused((r) => r.isForeign === true && [401, 403, 404, 405].includes(r.status));
	return isOfAny(result)
		? `The answer does not have the form of the leads service, so check the base URL of the credential first: ${baseUrl}.`
		: '';
}

interface Explanation {
	when: (result: Unsuccessful, attempted: FailedRequest) => boolean;
	kind: ErrorKind;
	message: (facts: Facts, attempted: FailedRequest) => string;
	remedy: (facts: Facts, attempted: FailedRequest) => Remedy;
}

const refused = (test: (refusal: Refusal) => boolean) => (result: Unsuccessful) =>
	result.kind === 'refused' && test(result);

const isMissing = refused(({ status }) => status === 404);

/** Conditions (for refusals see spec part 7) and their explanations; the first that holds counts. */
const EXPLANATIONS: Explanation[] = [
	{
		when: ({ kind }) => kind === 'otherServer',
		kind: 'address',
		message: () => 'The answer did not come from the leads service',
		remedy: ({ status = 0, shown }, attempted) =>
			`The base URL of the credential, ${attempted.baseUrl}, probably points elsewhere. HTTP ${status} came back with: ${shown || 'nothing readable'}${status < 300 && !attempted.repeatable ? `. ${IF_UNCLEAR}` : ''}`,
	},
	{
		when: ({ kind }) => kind === 'broken',
		kind: 'outage',
		message: () => 'The answer of the service broke off before it was complete',
		remedy: (_, attempted) => outage(attempted),
	},
	{
		when: (result) => result.kind === 'unreachable' && result.sent,
		kind: 'outage',
		message: unreachableMessage,
		remedy: ({ code = '' }, attempted) =>
			NO_HTTPS.test(code)
				? outage(attempted, 'The base URL of the credential begins with https://: correct it.')
				: outage(attempted),
	},
	{
		when: ({ kind }) => kind === 'unreachable',
		kind: 'unreachable',
		message: unreachableMessage,
		remedy: ({ code = '' }, attempted) =>
			UNKNOWN_ISSUER.test(code)
				? 'Nothing was sent. Start n8n with NODE_EXTRA_CA_CERTS set to the file of the signing certificate, or give the service one of a public authority.'
				: `${tries(attempted)}${ifOnly(attempted, 'Nothing was sent.')} Check the base URL of the credential, and that this n8n can reach that address.`,
	},
	{
		when: isRateLimited,
		kind: 'rateLimited',
		message: () => 'The rate limit of this API key is used up',
		remedy: ({ retryAfterMs }, attempted) =>
			`The service asks to try again ${later(retryAfterMs)}.${ifOnly(attempted, 'Nothing was recorded.')} If other tools use the same key, give this workflow a key of its own.`,
	},
	{
		when: isRevoked,
		kind: 'key',
		message: () => 'The API key has been revoked',
		remedy: () =>
			'Create a new key in the leads service and paste it into the credential. Nothing more was sent with the revoked key.',
	},
	{
		when: refused(({ status, code }) => status === 401 || code === 'UNAUTHORIZED'),
		kind: 'key',
		message: () => 'The API key was not accepted',
		remedy: () =>
			'Open the credential and paste a key that is valid at its base URL. Test and production keys are different keys.',
	},
	{
		when: refused(({ status }) => status === 403),
		kind: 'forbidden',
		message: (_, { action }) => `The API key does not permit: ${action}`,
		remedy: (_, { scope }) =>
			`${scopeSentence(scope)} Add the scope to the key in the leads service, or choose a credential whose key has it.`,
	},
	{
		// Rule 1 of spec 4.3.
		when: (result, { hasOnlyCode, notFound, targets }) =>
			hasOnlyCode === true &&
			result.kind === 'refused' &&
			result.status < 500 &&
			(/external_?id/i.test(result.message ?? '') ||
				(result.status === 404 && !notFound && targets.length === 0)),
		kind: 'refused',
		message: () => 'No lead has this tracking code, and "External ID" is empty',
		remedy: () =>
			`Give an "External ID" as well, e.g. the ID of the conversation or the phone: it identifies the lead that is created if no lead has the code. Nothing was recorded for this item.`,
	},
	{
		// If the request names no record, the path itself was not found.
		when: (result, { targets, notFound, hasOnlyCode }) =>
			isMissing(result) && targets.length === 0 && !notFound && !hasOnlyCode,
		kind: 'address',
		message: (_, { action }) => `The service found nothing for: ${action}`,
		remedy: () => 'Check what was sent. The service may also not offer this operation.',
	},
	{
		when: isMissing,
		kind: 'refused',
		message: (_, attempted) => explainMissing(attempted).message,
		remedy: (_, attempted) => explainMissing(attempted).remedy,
	},
	{
		when: refused(({ status }) => status === 413),
		kind: 'refused',
		message: () => 'The request is too large for the leads service (HTTP 413)',
		remedy: () => ({
			panel:
				'Set Options > Batch Size to a smaller number, where there is one, or shorten the fields. Then run it again.',
			model: 'Shorten the values, then try again.',
		}),
	},
	{
		when: refused(({ status }) => status === 408 || status >= 500),
		kind: 'outage',
		message: ({ status }) => `The leads service is not available right now (HTTP ${status})`,
		remedy: ({ retryAfterMs }, attempted) => outage(attempted, `Try again ${later(retryAfterMs)}.`),
	},
	{
		when: refused(({ status }) => status === 405),
		kind: 'address',
		message: refusalMessage,
		remedy: refusalRemedy,
	},
	{
		when: () => true,
		kind: 'refused',
		message: refusalMessage,
		remedy: refusalRemedy,
	},
];

function unreachableMessage({ code = '' }: Facts): string {
	const known = SYSTEM_CODES.find(([pattern]) => pattern.test(code));
	const words = known?.[1] ?? 'the connection did not work';
	return `The leads service could not be reached: ${words} (${code})`;
}

function refusalMessage({ status, message }: Facts): string {
	return `The leads service did not accept the request${message ? `: ${message}` : ` (HTTP ${status})`}`;
}

function refusalRemedy({ status, code }: Facts, { action }: FailedRequest): string {
	return `Compare the values with what the service expects, then try again. (${action}, HTTP ${status}${code ? `, ${code}` : ''})`;
}

function explainMissing({
	targets,
	notFound,
}: FailedRequest): Pick<UserError, 'message' | 'remedy'> {
	if (notFound) return notFound;
	const names = targets.map(
		({ label, value }) => `${label} "${shorten(value, MAX_QUOTED_LENGTH)}"`,
	);
	const findHints = targets.flatMap(({ findHint }) => findHint ?? []);
	const check = `Check ${targets.map(({ label }) => `"${label}"`).join(' and ')}.`;
	return {
		message: `${names.join(' or ')} was not found`,
		remedy: joinRemedies(
			...(findHints.length > 0 ? findHints : [check]),
			'The record may have been deleted, or belong to another account.',
		),
	};
}

const scopeName = (scope: FailedRequest['scope']) =>
	typeof scope === 'object' ? scope.assumed : scope;

function scopeSentence(scope: FailedRequest['scope']): string {
	if (scope === undefined) return 'The key is fine, but lacks a scope this operation needs.';
	const [needs, name] =
		typeof scope === 'string' ? ['needs', scope] : ['probably needs', scope.assumed];
	return `The key is fine, but this operation ${needs} the scope "${name}".`;
}

/** What to do after a request that the service may have recorded, and that may not be sent again. */
const IF_UNCLEAR = 'The service may still have recorded it. Check there before you send it again.';

const later = (ms?: number) => (ms === undefined ? 'later' : `in ${formatDuration(ms)}`);

/** What to do when the service was not available. */
function outage(attempted: FailedRequest, remedy = 'Try again later.'): string {
	if (!attempted.repeatable) return IF_UNCLEAR;
	const state = attempted.notRecorded ? ' It was not recorded.' : '';
	return `${tries(attempted)}${state} ${remedy}`;
}

const MAYBE_RECORDED = 'An earlier attempt may have been recorded.';

/** What is known of the last attempt holds for all, unless an earlier one may have been recorded. */
const ifOnly = ({ mayHaveArrived }: FailedRequest, ofLast: string): string =>
	mayHaveArrived ? '' : ` ${ofLast}`;

function tries({ attempts }: FailedRequest): string {
	return attempts === 1 ? 'Tried once.' : `Tried ${attempts} times.`;
}

function formatDuration(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
}

/** The certificate is signed by no authority that Node knows. */
const UNKNOWN_ISSUER = /SELF_SIGNED|^UNABLE_TO_/;

/** What answered does not speak TLS, now or later. */
const NO_HTTPS = /^(EPROTO|ERR_SSL_.*)$/;

/** Codes of the system and of the HTTP client in words. The first that matches counts. */
const SYSTEM_CODES: Array<[code: RegExp, words: string]> = [
	[/^ECONNREFUSED$/, 'nothing accepts connections at its address'],
	[/^(ENOTFOUND|EAI_AGAIN)$/, 'its host name was not found'],
	[/^(EHOSTUNREACH|ENETUNREACH)$/, 'no network route leads to it'],
	[/TIMEDOUT|TIMEOUT|^ECONNABORTED$/, 'it did not answer in time'],
	[/^(ECONNRESET|EPIPE)$/, 'the connection was closed before it answered'],
	[/^CERT_HAS_EXPIRED$/, 'its certificate has expired'],
	[/ALTNAME_INVALID$/, 'its certificate is for another host name'],
	[UNKNOWN_ISSUER, 'its certificate is self-signed, or of an issuer that n8n does not know'],
	[/CERT|^ERR_TLS_/, 'its certificate was not accepted'],
	[NO_HTTPS, 'it does not use HTTPS at this address, so correct the base URL'],
];

const MAX_QUOTED_LENGTH = 60;

/**
 * A function that removes the key, and anything that looks like a key, from a text of the service, which may quote
 * the header that it refuses. Linear in the length of the text.
 */
export function scrubber(apiKey: string): (text: string) => string {
	const keyLike = /(?<![A-Za-z0-9])[A-Za-z0-9]+_(?:live|test)_[A-Za-z0-9_-]+/g;
	return (text) => text.replaceAll(apiKey, '***').replace(keyLike, '***');
}
