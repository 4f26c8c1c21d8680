import fc from 'fast-check';
import { pickBy } from 'lodash';

import { scrubber, toServiceError } from '../../nodes/IntegrationLeads/transport/errors';
import type { Unsuccessful } from '../../nodes/IntegrationLeads/transport/request';
import {
	addRemarks,
	endsRun,
	type ErrorKind,
	InputError,
	isForbidden,
	isOutage,
	isRefused,
	isTemporary,
	isLostAnswer,
	remedyFor,
	type RequestError,
	toN8nError,
	UnconfirmedError,
	UserError,
} from '../../nodes/IntegrationLeads/userError';
import { node } from '../helpers/node.mts';

type Attempted = Parameters<typeof toServiceError>[1];

const KEY = 'sk_live_51CanaryCanary';
const reading: Attempted = {
	action: 'Get lead',
	scope: 'leads:read',
	targets: [{ label: 'Lead', value: 'l-1' }],
	repeatable: true,
	attempts: 3,
	baseUrl: 'https://leads.example.com',
};
const writing = { repeatable: false, attempts: 1 };
const repeatableWriting = { repeatable: true, attempts: 1 };

const refused = (status: number, message?: string, more: object = {}): Unsuccessful => {
	return { kind: 'refused', status, message, ...more };
};
const coded = (status: number, code: string, message?: string) =>
	refused(status, message, { code });
const limited = (retryAfterMs?: number) => refused(429, undefined, { retryAfterMs });
const unreachable = (code = 'ECONNRESET', sent = true): Unsuccessful => {
	return { kind: 'unreachable', code, sent };
};
/** Not in the form of the service. */
const foreign = (status: number, message?: string) => refused(status, message, { isForeign: true });
const lost = unreachable();
const broken: Unsuccessful = { kind: 'broken', status: 200 };
const elsewhere = (status: number, shown: string): Unsuccessful => {
	return { kind: 'otherServer', status, shown };
};

const failed = (result: Unsuccessful, more: Partial<Attempted> = {}) =>
	toServiceError(result, { ...reading, ...more }, scrubber(KEY));
/** As n8n gets it. */
const explain = (result: Unsuccessful, more: Partial<Attempted> = {}) =>
	toN8nError(node, failed(result, more)) as RequestError;

const code = { hasOnlyCode: true };
const notFound = { message: 'No existing contact matched what was sent', remedy: 'Because.' };
const two = ['Lead', 'Tag'].map((label) => ({ label, value: 'x', findHint: `Use ${label}s.` }));

/** By the hint for n8n: result, attempt, and what is read, as message | description. */
const explanations: Record<string, Array<[Unsuccessful, Partial<Attempted>, RegExp]>> = {
	'credential-invalid': [
		[coded(401, 'UNAUTHORIZED'), {}, /key was not accepted \| .*paste a key/],
		[coded(403, 'API_KEY_REVOKED'), {}, /revoked \| .*new key/],
		[coded(401, 'API_KEY_REVOKED'), {}, /revoked \| .*new key/],
		[foreign(401), {}, /not accepted \| .*the base URL .* first: https:\/\/leads.* paste a key/],
	],
	'configuration-invalid': [
		[coded(403, 'FORBIDDEN'), {}, /not permit: Get lead \| .*needs the scope "leads:read"/],
		[refused(403), { scope: { assumed: 'x:y' } }, /not permit.*probably needs the scope "x:y"/],
		[refused(403, 'plan'), { scope: undefined }, /not permit.*says: plan/],
		[foreign(403, 'no'), writing, /not permit.*does not have the form.* says: no$/],
		[elsewhere(200, 'Sign in'), {}, /not come from the .*base URL.*elsewhere.*HTTP 200.*Sign in$/],
		[elsewhere(201, 'Created'), writing, /: Created\. The service may still have recorded it/],
		[elsewhere(201, 'Created'), repeatableWriting, /with: Created$/],
		[elsewhere(302, 'a redirect'), writing, /with: a redirect$/],
		[elsewhere(200, ''), {}, /nothing readable$/],
		[foreign(405), {}, /accept the request \(HTTP 405\) \| .*the form of the leads service/],
		[refused(404), { targets: [] }, /nothing for: Get lead \| Check what was sent(?!.*deleted)/],
		[coded(404, 'C', 'no route'), { targets: [] }, /not offer this.* says: no route$/],
	],
	'rate-limited': [
		[limited(60_000), {}, /rate limit.*in 60 s\./],
		[limited(), {}, /again later\. Nothing was recorded\./],
		[
			limited(),
			{ mayHaveArrived: true },
			/An earlier attempt may have been recorded\.(?!.*Nothing was)/,
		],
		[coded(400, 'RATE_LIMIT_EXCEEDED'), {}, /rate limit.*later.*a key of its own/],
	],
	'temporarily-unavailable': [
		[refused(500), {}, /not available right now \(HTTP 500\) \| Tried 3 times/],
		[refused(500, 'sorry'), writing, /may still have recorded it\. Check there .*says: sorry$/],
		[broken, {}, /broke off.*Tried 3 times/],
		[broken, writing, /broke off.*may still have recorded/],
		[unreachable('ECONNREFUSED', false), writing, /not be reached.*Nothing was sent/],
		[unreachable('ECONNREFUSED', false), { mayHaveArrived: true }, /An earlier (?!.*Nothing was)/],
		[lost, writing, /be reached: the connection was closed before it answered \(ECONNRESET\) \|/],
		[lost, { ...writing, attempts: 2 }, /may still have recorded it\. Check there/],
		[lost, { notRecorded: true }, /\| Tried 3 times\. It was not recorded\. Try again later\.$/],
	],
	none: [
		[
			refused(400, 'externalId?'),
			code,
			/^No lead has this.*\| Give an "External ID" as well.*says: externalId\?$/,
		],
		[refused(404), { ...code, targets: [] }, /^No lead has this tracking code.*for this item\.$/],
		[refused(404), { ...code, notFound }, /^No existing contact.*\| Because\.$/],
		[refused(400, 'status'), code, /not accept the request: status \| Compare the values/],
		[refused(404), {}, /^Lead "l-1" was not found \| .*Check "Lead"/],
		[foreign(404), {}, /^Lead "l-1" was not found \| .*the form of the leads service/],
		[refused(404, 'externalId?'), { notFound }, /^No existing.*\| Because\. .*says: externalId\?$/],
		[refused(404), { targets: two }, /\| Use Leads\. Use Tags\. The record may/],
		[coded(422, 'INVALID', 'phone'), {}, /accept the request: phone \| .*HTTP 422, INVALID/],
		[refused(422, 'x'.repeat(5000)), {}, /accept the request: x{300}… \| .*HTTP 422/],
		[
			refused(422),
			{ mayHaveArrived: true },
			/\| An earlier attempt may have been recorded\. Compare/,
		],
		[refused(400), {}, /accept the request \(HTTP 400\) \| .*HTTP 400\)/],
		[refused(413, 'big'), {}, /too large.*Batch Size to a smaller number.*shorten the.*big$/],
	],
};

describe.each(Object.entries(explanations))('%s', (cause, rows) => {
	it.each(rows)('%j, %j', (result, more, expected) => {
		const error = explain(result, more);
		const text = `${error.message} | ${error.description}`;
		expect(text).toMatch(expected);
		expect(text).not.toMatch(/\berrors?\b|problem|failure|undefined|null/i);
		expect(error).toMatchObject({ failure: cause === 'none' ? undefined : { cause } });
		expect(JSON.stringify(error)).not.toMatch(/authorization|bearer|headers/i);
	});
});

it.each([
	['nothing accepts connections at its address', 'ECONNREFUSED'],
	['its host name was not found', 'ENOTFOUND EAI_AGAIN'],
	['no network route leads to it', 'EHOSTUNREACH ENETUNREACH'],
	['it did not answer in time', 'ETIMEDOUT ECONNABORTED ERR_TLS_HANDSHAKE_TIMEOUT'],
	['the connection was closed before it answered', 'ECONNRESET EPIPE'],
	['its certificate has expired', 'CERT_HAS_EXPIRED'],
	[
		'its certificate is self-signed, or of an issuer that n8n does not know',
		'DEPTH_ZERO_SELF_SIGNED_CERT UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	],
	['its certificate was not accepted', 'CERT_REVOKED ERR_TLS_PROTOCOL'],
	[
		'it does not use HTTPS at this address, so correct the base URL',
		'EPROTO ERR_SSL_WRONG_VERSION_NUMBER',
	],
	['the connection did not work', 'EUNHEARDOF'],
])('%s: %s', (words, codes) => {
	for (const each of codes.split(' ')) {
		const message = `The leads service could not be reached: ${words} (${each})`;
		expect(explain(unreachable(each)).message).toBe(message);
	}
});

it.each([
	['EPROTO', /correct it\.$/],
	['ECONNRESET', /Try again later\.$/],
])('says after %s, which came when the request was under way, what to do: %s', (code, remedy) => {
	const { description } = explain({ kind: 'unreachable', code, sent: true });
	expect(description).toMatch(remedy);
});

it('cuts a long value, code or reason', () => {
	const long = 'x'.repeat(100_000);
	const targets = [{ label: 'Lead', value: long }];
	for (const status of [200, 403, 404, 422, 500]) {
		const { message, description, httpCode } = explain(coded(status, long, long), { targets });
		expect(JSON.stringify([message, description, httpCode]).length).toBeLessThan(1500);
	}
});

it('states for n8n how long to wait', () => {
	expect(explain(limited(7000))).toMatchObject({
		failure: { cause: 'rate-limited', retryAfterMs: 7000 },
		httpCode: '429',
		errorResponse: { status: 429, retryAfter: 7 },
	});
});

const reads = { isRefused, isForbidden, isLostAnswer, isOutage, isTemporary, endsRun };

/** The kind of each failure, and the functions that are true of it. */
it.each<[Unsuccessful, Partial<Attempted>, ErrorKind, Array<keyof typeof reads>]>([
	[refused(422), {}, 'refused', ['isRefused']],
	[refused(200), writing, 'refused', ['isRefused']],
	[refused(413), {}, 'refused', ['isRefused']],
	[refused(404), {}, 'refused', ['isRefused']],
	[refused(404), { notFound, targets: [] }, 'refused', ['isRefused']],
	[refused(404), { ...code, targets: [] }, 'refused', ['isRefused']],
	[refused(404), { targets: [] }, 'address', ['endsRun']],
	[refused(405), {}, 'address', ['endsRun']],
	[elsewhere(302, 'a redirect'), writing, 'address', ['endsRun']],
	[elsewhere(200, 'Sign in'), {}, 'address', ['endsRun']],
	[elsewhere(200, 'Thanks'), writing, 'lostAnswer', ['isLostAnswer', 'isOutage', 'isTemporary']],
	[coded(401, 'UNAUTHORIZED'), {}, 'key', ['endsRun']],
	[coded(403, 'API_KEY_REVOKED'), {}, 'key', ['endsRun']],
	[coded(403, 'FORBIDDEN'), writing, 'forbidden', ['isForbidden', 'endsRun']],
	[limited(), writing, 'rateLimited', ['isTemporary']],
	[refused(503), {}, 'outage', ['isOutage', 'isTemporary']],
	[refused(503), writing, 'lostAnswer', ['isLostAnswer', 'isOutage', 'isTemporary']],
	[broken, {}, 'outage', ['isOutage', 'isTemporary']],
	[lost, {}, 'outage', ['isOutage', 'isTemporary']],
	[lost, writing, 'lostAnswer', ['isLostAnswer', 'isOutage', 'isTemporary']],
	[
		unreachable('ECONNREFUSED', false),
		writing,
		'unreachable',
		['isOutage', 'isTemporary', 'endsRun'],
	],
])('is of one kind: %j, %j: %s', (result, more, kind, expected) => {
	const [thrown, ofN8n] = [failed(result, more), explain(result, more)];
	for (const error of [thrown, ofN8n]) {
		expect(error.kind).toBe(kind);
		expect(Object.keys(pickBy(reads, (read) => read(error)))).toEqual(expected);
	}
});

it('adds remarks to a copy', () => {
	for (const error of [
		failed(refused(422)),
		new InputError('"Lead" is empty', 'Choose one.'),
		new UnconfirmedError('Unclear', { row: 'Look.', all: 'Check.' }),
		new UserError('Two match', 'Choose one.'),
	]) {
		const { message, kind, description, remedy } = error;
		const remarked = addRemarks(error, ['Nothing was sent.']);
		expect(remarked).toBeInstanceOf(error.constructor);
		expect(remarked).toMatchObject({ message, kind });
		expect(remarked.description).toBe(`${description} Nothing was sent.`);
		expect(remedyFor('row', remarked.remedy)).toBe(remedyFor('row', remedy));
		expect(error).toMatchObject({ description, remedy });
	}
});

it('ends each sentence before the next one', () => {
	const remedies = ['Add it (see below.)', 'The service says: no (line 1)', 'Nothing was sent.'];
	expect(remedyFor('panel', ...remedies)).toBe(
		'Add it (see below.) The service says: no (line 1). Nothing was sent.',
	);
});

it('keeps a message that holds the letters of a system code', () => {
	expect(explain(refused(422, 'preexisting')).message).toMatch(/preexisting$/);
});

it('shows no key, wherever the service quotes it', () => {
	const quote = `key ${KEY} of lm_test_abc-DEF_1`;
	const refusals = [400, 401, 403, 404, 429, 500].map((status) => coded(status, quote, quote));
	for (const result of [...refusals, elsewhere(200, quote)]) {
		const error = explain(result);
		const { message, description, stack, messages, context } = error;
		const shown = JSON.stringify([error, message, description, stack, messages, context]);
		expect(shown).not.toMatch(/_(live|test)_/);
	}
});

describe('scrubber', () => {
	const words = 'plain words, a live_test and latest_news';

	it.each([
		['an odd key', 'odd key!', 'the odd key! was refused', 'the *** was refused'],
		['a key', KEY, `Bearer ${KEY}, twice ${KEY}`, 'Bearer ***, twice ***'],
		['a key like it', KEY, 'sk_test_other and acme_live_x-1', '*** and ***'],
		['nothing else', KEY, words, words],
		['a key with signs', 'a.b*c', 'a.b*c aXbbc', '*** aXbbc'],
	])('takes out %s', (_, key, text, clean) => {
		expect(scrubber(key)(text)).toBe(clean);
	});

	it.each(['a', 'a_', '_live', 'a_live_', 'a_liv'])('reads a long run of %j at once', (part) => {
		// Seconds where a pattern looks from each place to the end: the test would time out.
		const clean = scrubber(KEY)(`${part.repeat(500_000)} ${KEY}`);
		expect(clean.slice(-4)).toBe(' ***');
	});

	it('leaves no key in any text', () => {
		const word = fc.stringMatching(/^[A-Za-z0-9_-]{8,40}$/);
		fc.assert(
			fc.property(word, fc.array(fc.string()), (key, parts) => {
				// Stars stand in the place of a key.
				expect(scrubber(key)(parts.join(key))).not.toContain(key);
			}),
		);
	});
});
