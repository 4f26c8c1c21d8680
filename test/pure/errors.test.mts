import fc from 'fast-check';

import type { Attempted } from '../../nodes/IntegrationLeads/transport/errors';
import { explain, scrubber, toNodeApiError } from '../../nodes/IntegrationLeads/transport/errors';
import type { Unsuccessful } from '../../nodes/IntegrationLeads/transport/retry';
import { node } from '../helpers/node.mts';

const KEY = 'sk_live_51CanaryCanary';
const reading: Attempted = {
	action: 'Get lead',
	scope: 'leads:read',
	targets: [{ label: 'Lead', value: 'l-1' }],
	repeatable: true,
	attempts: 3,
};
const writing: Attempted = {
	...reading,
	action: 'Add tags to lead',
	repeatable: false,
	attempts: 1,
};
const refused = (status: number, more: object = {}): Unsuccessful => ({
	kind: 'refused',
	status,
	...more,
});
const unreachable = (sent: boolean, code = 'ECONNRESET'): Unsuccessful => ({
	kind: 'unreachable',
	code,
	sent,
});

const noContact = { message: 'No existing contact matched what was sent', description: 'Because.' };
const passing = 'temporarily-unavailable';
const configuration = 'configuration-invalid';

// [condition, result, attempt, message, description, hint for n8n]
const rows: Array<[string, Unsuccessful, Partial<Attempted>, RegExp, RegExp, string | undefined]> =
	[
		[
			'401',
			refused(401, { code: 'UNAUTHORIZED' }),
			{},
			/key was not accepted/,
			/paste a key/,
			'credential-invalid',
		],
		[
			'revoked',
			refused(403, { code: 'API_KEY_REVOKED' }),
			{},
			/revoked/,
			/new key/,
			'credential-invalid',
		],
		[
			'revoked, with 401',
			refused(401, { code: 'API_KEY_REVOKED' }),
			{},
			/revoked/,
			/new key/,
			'credential-invalid',
		],
		[
			'401 by its code',
			refused(403, { code: 'UNAUTHORIZED' }),
			{},
			/key was not accepted/,
			/paste a key/,
			'credential-invalid',
		],
		[
			'403',
			refused(403, { code: 'FORBIDDEN' }),
			{},
			/not permit: Get lead/,
			/needs the scope "leads:read"/,
			configuration,
		],
		[
			'403, scope assumed',
			refused(403),
			{ scope: { assumed: 'tags:write' } },
			/not permit/,
			/probably needs the scope "tags:write"/,
			configuration,
		],
		[
			'403, no scope known',
			refused(403, { message: 'plan' }),
			{ scope: undefined },
			/not permit/,
			/says: plan/,
			configuration,
		],
		[
			'an unknown tracking code without an external ID',
			refused(400, { message: '"externalId" is required' }),
			{ hasOnlyCode: true },
			/^No lead has this tracking code, and "External ID" is empty$/,
			/^Fill in "External ID" as well.* The service says: "externalId" is required$/,
			undefined,
		],
		[
			'404 for it',
			refused(404),
			{ hasOnlyCode: true, targets: [] },
			/^No lead has this tracking code/,
			/recorded for this item\.$/,
			undefined,
		],
		[
			'404 for it, where a contact may be what is missing',
			refused(404),
			{ hasOnlyCode: true, notFound: noContact },
			/^No existing contact/,
			/^Because\.$/,
			undefined,
		],
		[
			'another refusal of it',
			refused(400, { message: 'status is not known' }),
			{ hasOnlyCode: true },
			/did not accept the request: status is not known$/,
			/^Compare the fields/,
			undefined,
		],
		['404', refused(404), {}, /^Lead "l-1" was not found$/, /Check "Lead"/, undefined],
		[
			'404, in words',
			refused(404, { message: 'gone' }),
			{},
			/^Lead "l-1"/,
			/deleted.* says: gone$/,
			undefined,
		],
		[
			'404 where no record is named',
			refused(404, { message: 'no such route' }),
			{ targets: [] },
			/nothing for: Get lead/,
			/^Check what was sent(?!.*deleted).* The service says: no such route$/,
			undefined,
		],
		[
			'404 of an upsert',
			refused(404),
			{ notFound: noContact },
			/^No existing contact/,
			/^Because\.$/,
			undefined,
		],
		[
			'404 of an upsert, in words',
			refused(404, { code: 'PROTOCOL_NOT_FOUND', message: 'externalId is missing' }),
			{ notFound: noContact },
			/^No existing contact/,
			/^Because\. The service says: externalId is missing$/,
			undefined,
		],
		[
			'429',
			refused(429, { retryAfterMs: 60_000 }),
			{},
			/rate limit/,
			/in 60 seconds/,
			'rate-limited',
		],
		[
			'429, an hour',
			refused(429, { retryAfterMs: 3_600_000 }),
			{},
			/rate limit/,
			/in 60 minutes/,
			'rate-limited',
		],
		[
			'429, a second',
			refused(429, { retryAfterMs: 500 }),
			{},
			/rate limit/,
			/in 1 second\./,
			'rate-limited',
		],
		[
			'429, a day',
			refused(429, { retryAfterMs: 86_400_000 }),
			{},
			/rate limit/,
			/in 24 hours\./,
			'rate-limited',
		],
		['429, wait not stated', refused(429), {}, /rate limit/, /again later/, 'rate-limited'],
		[
			'429 by its code',
			refused(400, { code: 'RATE_LIMIT_EXCEEDED' }),
			{},
			/rate limit/,
			/later/,
			'rate-limited',
		],
		[
			'500, reading',
			refused(500),
			{},
			/not available right now \(HTTP 500\)/,
			/Tried 3 times/,
			passing,
		],
		[
			'500, writing',
			refused(500),
			writing,
			/not available/,
			/may have been recorded.*not sent a second time/,
			passing,
		],
		[
			'500, writing what may be repeated',
			refused(500),
			{ ...writing, repeatable: true },
			/HTTP 500/,
			/Tried once/,
			passing,
		],
		['408', refused(408), {}, /HTTP 408/, /Tried 3 times/, passing],
		[
			'lost',
			unreachable(true),
			writing,
			/not be reached: the connection was closed before it answered \(ECONNRESET\)$/,
			/may have been recorded/,
			passing,
		],
		[
			'lost, where the option is offered',
			unreachable(true),
			{ ...writing, hasSkipOption: true },
			/ECONNRESET/,
			/not sent a second time\. Run this item again with Options > Skip If Recorded/,
			passing,
		],
		[
			'lost, after it was sent again',
			unreachable(true),
			{ ...writing, attempts: 2 },
			/ECONNRESET/,
			/was not sent again\. Look in the leads service/,
			passing,
		],
		[
			'lost three times, and not recorded',
			unreachable(true),
			{ ...writing, repeatable: true, notRecorded: true, attempts: 3 },
			/ECONNRESET/,
			/^Tried 3 times\. It was not recorded\. Run the workflow again later\.$/,
			passing,
		],
		['not sent', unreachable(false), writing, /not be reached/, /Nothing was sent/, passing],
		['broken, reading', { kind: 'broken', status: 200 }, {}, /broke off/, /Tried 3 times/, passing],
		[
			'broken, writing',
			{ kind: 'broken', status: 200 },
			writing,
			/broke off/,
			/may have been recorded/,
			passing,
		],
		[
			'another server',
			{ kind: 'otherServer', status: 200, shown: 'Sign in' },
			{},
			/did not come from the leads service/,
			/base URL.*elsewhere.*HTTP 200.*Sign in/,
			configuration,
		],
		[
			'a word that is no JSON, writing',
			{ kind: 'otherServer', status: 201, shown: 'Created' },
			writing,
			/did not come/,
			/elsewhere.*HTTP 201.*Created\. It may have been recorded.*not sent a second time/,
			configuration,
		],
		[
			'a word that is no JSON, writing what may be repeated',
			{ kind: 'otherServer', status: 201, shown: 'Created' },
			{ ...writing, repeatable: true },
			/did not come/,
			/with: Created$/,
			configuration,
		],
		[
			'a redirect, writing',
			{ kind: 'otherServer', status: 302, shown: 'a redirect' },
			writing,
			/did not come/,
			/with: a redirect$/,
			configuration,
		],
		[
			'nothing readable',
			{ kind: 'otherServer', status: 200, shown: '' },
			{},
			/did not come/,
			/nothing readable/,
			configuration,
		],
		[
			'422',
			refused(422, { code: 'INVALID', message: 'phone' }),
			{},
			/accept the request: phone$/,
			/HTTP 422, INVALID/,
			undefined,
		],
		[
			'422 with very many words',
			refused(422, { message: 'x'.repeat(5000) }),
			{},
			/accept the request: x{300}…$/,
			/HTTP 422/,
			undefined,
		],
		[
			'400 without a word',
			refused(400),
			{},
			/accept the request \(HTTP 400\)$/,
			/HTTP 400\)/,
			undefined,
		],
		[
			'413, sending many items',
			refused(413, { message: 'too big' }),
			{ hasBatchSize: true },
			/too large/,
			/Batch Size to a smaller number.*too big$/,
			undefined,
		],
		['413, sending one', refused(413), {}, /too large/, /^Shorten the fields/, undefined],
		[
			'success: false',
			refused(200, { message: 'no' }),
			{},
			/accept the request: no$/,
			/HTTP 200/,
			undefined,
		],
	];

/** For an agent, [condition, result, attempt, what it reads instead of what people do]. */
const list = 'Lead > Get Many';
const wayToFind = 'Use Lead > Get Many to find the ID of the lead, or ask the user.';
const tellUser = /\. Trying again does not help: tell the user\.$/;
const forAgents: Array<[string, Unsuccessful, Partial<Attempted>, RegExp]> = [
	['401', refused(401), {}, tellUser],
	['revoked', refused(403, { code: 'API_KEY_REVOKED' }), {}, tellUser],
	['403', refused(403), {}, tellUser],
	['another server', { kind: 'otherServer', status: 200, shown: 'Sign in.' }, {}, tellUser],
	['429', refused(429, { retryAfterMs: 7000 }), {}, /in 7 seconds\. .*Try again then, or tell/],
	['500', refused(500), {}, /^Tried 3 times\. Try again in a minute\. If .*, tell the user\.$/],
	['lost', unreachable(true), writing, /Before you try again, look for it with Lead > Get Many\. /],
	['lost', unreachable(true), { ...writing, hasSkipOption: true }, /all the same(?!.*Options)/],
	['lost, no list', unreachable(true), { ...writing, agent: {} }, /Before you try again, ask the/],
	['422', refused(422), {}, /^Correct the values and try again\. .*, tell the user\. \(/],
	[
		'404 of two records',
		refused(404),
		{
			targets: ['Lead', 'Tag'].map((label) => ({ label, value: 'x', wayToFind: `Use ${label}s.` })),
		},
		/^Use Leads\. Use Tags\. The record may/,
	],
	['404', refused(404), {}, /^Use Lead > Get Many to find the ID of the lead, or ask the user\. /],
];

describe('explain', () => {
	it.each(forAgents)('%s, for an agent', (_, result, more, description) => {
		const targets = [{ label: 'Lead', value: 'l-1', wayToFind }];
		const attempted = { ...reading, targets, agent: { list }, ...more };
		expect(explain(result, attempted, scrubber(KEY)).description).toMatch(description);
	});

	it.each(rows)('%s', (_, result, more, message, description, cause) => {
		const explanation = explain(result, { ...reading, ...more }, scrubber(KEY));
		expect(explanation.message).toMatch(message);
		expect(explanation.description).toMatch(description);
		expect(explanation.failure?.cause).toBe(cause);
		expect(`${explanation.message} ${explanation.description}`).not.toMatch(
			/\berrors?\b|problem|failure|undefined|null/i,
		);
	});

	it('cuts a long value, code or reason', () => {
		const long = 'x'.repeat(100_000);
		const targets = [{ label: 'Lead', value: long }];
		for (const status of [200, 403, 404, 422, 500]) {
			const result = refused(status, { code: long, message: long });
			const explanation = explain(result, { ...reading, targets }, scrubber(KEY));
			expect(JSON.stringify(explanation).length).toBeLessThan(2500);
		}
	});

	it('states for n8n how long to wait', () => {
		const explanation = explain(refused(429, { retryAfterMs: 7000 }), reading, scrubber(KEY));
		expect(explanation.failure).toEqual({ cause: 'rate-limited', retryAfterMs: 7000 });
		expect(explanation.response).toEqual({ status: 429, retryAfter: 7 });
	});

	it('shows no key, wherever the service quotes it', () => {
		const quote = `key ${KEY} of lm_test_abc-DEF_1`;
		const results: Unsuccessful[] = [
			...[400, 401, 403, 404, 429, 500].map((status) =>
				refused(status, { code: quote, message: quote }),
			),
			{ kind: 'otherServer', status: 200, shown: quote },
		];
		for (const result of results) {
			const explanation = explain(result, reading, scrubber(KEY));
			const error = toNodeApiError(node, explanation);
			const shown = JSON.stringify([
				explanation,
				error,
				error.stack,
				error.messages,
				error.context,
			]);
			expect(shown).not.toMatch(/_(live|test)_/);
		}
	});
});

describe('a code of the system', () => {
	it.each([
		['ECONNREFUSED', 'nothing accepts connections at its address'],
		['ENOTFOUND', 'its host name was not found'],
		['EAI_AGAIN', 'its host name was not found'],
		['EHOSTUNREACH', 'no network route leads to it'],
		['ENETUNREACH', 'no network route leads to it'],
		['ETIMEDOUT', 'it did not answer in time'],
		['ECONNABORTED', 'it did not answer in time'],
		['ERR_TLS_HANDSHAKE_TIMEOUT', 'it did not answer in time'],
		['ECONNRESET', 'the connection was closed before it answered'],
		['EPIPE', 'the connection was closed before it answered'],
		['CERT_HAS_EXPIRED', 'its certificate was not accepted'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate was not accepted'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate was not accepted'],
		['ERR_TLS_PROTOCOL_VERSION_CONFLICT', 'its certificate was not accepted'],
		['EPROTO', 'it does not use HTTPS at this address'],
		['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not use HTTPS at this address'],
		['EUNHEARDOF', 'the connection did not work'],
	])('%s: %s', (code, words) => {
		const { message } = explain(unreachable(true, code), reading, (text) => text);
		expect(message).toBe(`The leads service could not be reached: ${words} (${code})`);
	});
});

describe('scrubber', () => {
	it.each([
		['an odd key', 'odd key!', 'the odd key! was refused', 'the *** was refused'],
		['a key', KEY, `Bearer ${KEY}, twice ${KEY}`, 'Bearer ***, twice ***'],
		['a key like it', KEY, 'sk_test_other and acme_live_x-1', '*** and ***'],
		[
			'nothing else',
			KEY,
			'plain words, a live_test and latest_news',
			'plain words, a live_test and latest_news',
		],
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

describe('toNodeApiError', () => {
	it.each(rows)('%s: keeps the words and nothing of the answer', (_, result, more) => {
		const explanation = explain(result, { ...reading, ...more }, scrubber(KEY));
		const error = toNodeApiError(node, explanation);
		expect(error).toMatchObject({
			message: explanation.message,
			description: explanation.description,
			httpCode: explanation.httpCode,
		});
		expect(JSON.stringify(error)).not.toMatch(/authorization|bearer|headers/i);
	});

	it('keeps a message that holds the letters of a system code', () => {
		const explanation = explain(refused(422, { message: 'preexisting' }), reading, scrubber(KEY));
		expect(toNodeApiError(node, explanation).message).toMatch(/preexisting$/);
	});
});
