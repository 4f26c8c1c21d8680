/**
 * Stand-ins for advertising platforms: Meta's Conversions API, Google's Data Manager API, and Google Ads, which imports a
 * Google Sheet. Each rule names the page and its date, or says that it is not verified; then the stricter reading is
 * taken. CAPI is https://developers.facebook.com/documentation/ads-commerce/conversions-api, DM is
 * https://developers.google.com/data-manager/api. test/pure/advertisers.test.mts breaks each rule.
 */
import assert from 'node:assert/strict';

import { GoogleSheet } from './googleSheet.mjs';

const DAY_S = 24 * 3600;
export const DATASET = '1234567890';
export const WHATSAPP = { account: '102290129340398', dataset: '5550001' };
export const SHEET = { document: 'sheet-of-the-tests', title: 'Conversions' };

const isHash = (text) => /^[0-9a-f]{64}$/.test(text);
const inChat = ({ action_source: source }) => source === 'business_messaging';
const SOURCES =
	/^(website|email|phone_call|chat|other|app|system_generated|physical_store|business_messaging)$/;
const CHAT_EVENTS =
	/^(LeadSubmitted|QualifiedLead|Purchase|InitiateCheckout|AddToCart|ViewContent|Order(Created|Shipped|Delivered|Canceled|Returned)|CartAbandoned|(Rating|Review)Provided)$/;

/** What each platform demands of an event, or of a row. `now` is in seconds. */
export const RULES = {
	meta: {
		// CAPI/parameters/server-event (12 Feb 2026), CAPI/offline-events (5 Jan 2026)
		time: ({ event_time: time, action_source: source }, { now }) =>
			time >= now - (source === 'physical_store' ? 62 : 7) * DAY_S,
		// CAPI/parameters/server-event (12 Feb 2026)
		source: ({ action_source: source }) => SOURCES.test(source),
		// CAPI/parameters/customer-information-parameters (9 Jan 2026); that external_id is not enough is not verified
		person: ({ user_data: { em, ph, fbc, lead_id: lead, ctwa_clid: click } }) =>
			em ?? ph ?? fbc ?? lead ?? click,
		// The same page
		hashed: ({ user_data: user }) =>
			['em', 'ph', 'fn', 'ln', 'external_id'].every((key) =>
				[user[key] ?? []].flat().every(isHash),
			),
		// The same page
		purchase: ({ event_name: name, custom_data: custom }) =>
			name !== 'Purchase' ||
			(typeof custom?.value === 'number' && /^[A-Z]{3}$/.test(custom.currency)),
		// Not verified
		value: ({ custom_data: custom }) => !(custom?.value < 0),
		// CAPI/business-messaging, quoted in facebook-nodejs-business-sdk #305
		click: (event) =>
			!inChat(event) ||
			(event.messaging_channel === 'whatsapp' &&
				event.user_data.ctwa_clid &&
				event.user_data.whatsapp_business_account_id === WHATSAPP.account),
		// CAPI/business-messaging, as other projects quote it
		chatEvent: (event) => !inChat(event) || CHAT_EVENTS.test(event.event_name),
		// The dataset of their account: CAPI/business-messaging, as three other projects describe it
		dataset: (event, { dataset }) => !inChat(event) || dataset !== DATASET,
	},
	// DM/reference/rest/v1/events/ingest (release 1.8, 30 Jul 2026)
	dataManager: {
		// RFC 3339
		eventTimestamp: ({ eventTimestamp: time }) =>
			/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(time),
		// That it is required is quoted by other projects
		eventSource: ({ eventSource }) => /^(WEB|APP|IN_STORE|PHONE|MESSAGE|OTHER)$/.test(eventSource),
		userData: ({ userData, adIdentifiers = {} }) =>
			userData?.userIdentifiers.length > 0 ||
			Object.keys(adIdentifiers).some((key) => /^(gclid|gbraid|wbraid)$/.test(key)),
		// DM/devguides/concepts/formatting; DM/devguides/limits: 10 of an event
		userIdentifiers: ({ userData: { userIdentifiers: all } = { userIdentifiers: [] } }) =>
			all.length <= 10 &&
			all.map(Object.entries).every(([[key, value], ...more]) => {
				return /^(emailAddress|phoneNumber)$/.test(key) && isHash(value) && more.length === 0;
			}),
		// 64 characters, of the order ID of files (answer 6386790); that it holds here is not verified
		transactionId: ({ transactionId }) => transactionId?.length <= 64,
		// That it is not negative is not verified
		conversionValue: ({ conversionValue: value }) => typeof value === 'number' && value >= 0,
	},
	// https://support.google.com/google-ads/answer/7014069 (no date)
	file: {
		time: (row) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d{4}$/.test(row['Conversion Time']),
		// https://support.google.com/google-ads/answer/6386790 (no date)
		order: (row) => row['Order ID']?.length <= 64,
		person: (row) => row.Email || row['Phone Number'] || row['Google Click ID'],
		past: (row, { now }) =>
			Date.parse(row['Conversion Time'].replace(' ', 'T').replace(/(\d\d)$/, ':$1')) <= now * 1000,
	},
};

/** The name of the rule that an event breaks, if it breaks one. */
export const brokenRule = (platform, event, context) =>
	Object.keys(RULES[platform]).find((name) => !RULES[platform][name](event, context));

const error = (status, more) => ({
	status,
	body: { error: { type: 'OAuthException', fbtrace_id: 'AbCdEfGhIjK', ...more } },
});

/**
 * Meta refuses a request with an event that breaks a rule, and drops an event with the name and ID of one of the last 48 hours, unless
 * it is after a click into WhatsApp. CAPI/using-the-api (6 Feb 2026), CAPI/deduplicate-pixel-and-server-events (28 Jun
 * 2026): that page speaks of one event from the pixel and one from the API; two from the API are taken to be the same.
 */
export class Meta {
	/** In seconds; a test moves it. */
	now = 0;
	/** How many events each request had. */
	attempts = [];
	/** The IDs of all events that came, also of those that were refused. */
	received = [];
	/** The events that are counted. */
	counted = [];
	/** Answers instead, if it returns something. */
	instead = () => undefined;
	/** Whether an event is refused for another reason than a rule. */
	refuses = () => false;
	/** Called once when a request is taken and not yet answered. */
	taken = undefined;
	#seen = new Map();

	answer = async ({ method, path, query, json }) => {
		if (query.access_token !== 'meta-token') {
			return error(400, { message: 'Invalid OAuth access token', code: 190 });
		}
		const [, dataset] = /^\/v26\.0\/(\d+)\/events$/.exec(path) ?? [];
		if (method !== 'POST' || ![DATASET, WHATSAPP.dataset].includes(dataset)) {
			const message = `Unsupported request: ${method} ${path}`;
			return error(400, { message, code: 100, error_subcode: 33 });
		}
		const instead = this.instead();
		if (instead) return instead;
		const { data } = json;
		this.attempts.push(data.length);
		this.received.push(...data.map(({ event_id }) => event_id));
		const refusals = data.map((event) => this.#refusal(event, dataset));
		// CAPI/using-the-api (6 Feb 2026)
		const why = data.length > 1000 ? 'Too many events' : refusals.find(Boolean);
		// Whether a refused request counts its valid events: yes by text of 17 Jul 2026, no by older text (not verified).
		if (!why) for (const event of data) this.#count(event);
		if (why) return error(400, { message: 'Invalid parameter', code: 100, error_user_msg: why });
		const { taken } = this;
		this.taken = undefined;
		await taken?.();
		return { body: { events_received: data.length, messages: [], fbtrace_id: 'AbCdEfGhIjK' } };
	};

	/** The counted events with an ID. */
	eventsOf = (id) => this.counted.filter(({ event_id }) => event_id === id);

	#refusal(event, dataset) {
		if (this.refuses(event)) return 'Not this one';
		return brokenRule('meta', event, { now: Date.now() / 1000, dataset });
	}

	#count(event) {
		const key = `${event.event_name} ${event.event_id}`;
		const before = this.#seen.get(key) ?? -Infinity;
		if (event.action_source === 'business_messaging' || this.now - before >= 2 * DAY_S) {
			this.counted.push(event);
			this.#seen.set(key, this.now);
		}
	}
}

/**
 * Google Ads imports the whole of a sheet on its schedule, leaves out rows that break a rule, and counts the first row of
 * an order ID and a conversion name (answer 6386790).
 */
export class GoogleAds extends GoogleSheet {
	/** The order IDs that Google Ads counts. */
	counted = [];

	import() {
		const context = { now: Date.now() / 1000 };
		const taken = this.records.filter((row) => !brokenRule('file', row, context));
		this.counted = [...new Set([...this.counted, ...taken.map((row) => row['Order ID'])])];
	}
}

function googleError(code, status, message, fieldViolations = []) {
	const details = [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }];
	return { status: code, body: { error: { code, message, status, details } } };
}

/** DM/reference/rest/v1/events/ingest and requestStatus/retrieve; a request is refused as a whole. */
export class DataManager {
	/** The events that were accepted, by the ID of their request. @type {Map<string, any[]>} */
	accepted = new Map();
	/** How many events each request had. */
	calls = [];
	/** What becomes of an event: undefined while it is processed, else a reason, or `SUCCESS`. */
	outcome = () => 'SUCCESS';
	/** Whether an event is refused for another reason than a rule. */
	refuses = () => false;
	/** Warnings for an event. */
	warnings = () => [];
	/** How many requests were stated to have failed. */
	#failed = 0;
	/** Whether the request with an event is unknown afterwards. */
	loses = () => false;
	answer = async ({ method, path, query, headers, json }) => {
		if (headers.authorization !== 'Bearer google-token') {
			return googleError(401, 'UNAUTHENTICATED', 'Request is missing a valid credential');
		}
		if (method === 'GET' && path === '/v1/requestStatus:retrieve') {
			const events = this.accepted.get(query.requestId);
			if (!events || events.some((event) => this.loses(event)))
				return googleError(404, 'NOT_FOUND', 'The request was not found');
			return { body: { requestStatusPerDestination: [this.#status(events)] } };
		}
		assert.equal(`${method} ${path}`, 'POST /v1/events:ingest');
		const { events, destinations, encoding } = json;
		const [{ operatingAccount: account, productDestinationId: action }] = destinations;
		assert.deepEqual([account.accountType, encoding], ['GOOGLE_ADS', 'HEX']);
		if (!/^\d+ \d+$/.test(`${account.accountId} ${action}`)) {
			const what = `Not an account and a conversion action: ${account.accountId}, ${action}`;
			return googleError(400, 'INVALID_ARGUMENT', what);
		}
		this.calls.push(events.length);
		const refused = events.flatMap((event, n) => {
			const field = this.refuses(event) ? 'currency' : brokenRule('dataManager', event);
			return field ? { field: `events[${n}].${field}`, description: 'is not valid' } : [];
		});
		if (refused.length > 0) {
			return googleError(400, 'INVALID_ARGUMENT', 'There was a problem with the request.', refused);
		}
		const fieldWarnings = events.flatMap((event) => this.warnings(event));
		const requestId = `request-${this.calls.length}`;
		this.accepted.set(requestId, events);
		return { body: { requestId, fieldWarnings } };
	};

	#status(events) {
		const reasons = events.map((event) => this.outcome(event));
		if (reasons.includes(undefined)) return { requestStatus: 'PROCESSING' };
		const failed = reasons.filter((reason) => reason !== 'SUCCESS');
		if (failed.length === 0) return { requestStatus: 'SUCCESS' };
		const errorCounts = failed.map((reason) => ({
			reason: `PROCESSING_ERROR_REASON_${reason}`,
			recordCount: '1',
		}));
		// The reference has `FAILED`, one guide `FAILURE`.
		const requestStatus = this.#failed++ % 2 === 0 ? 'FAILED' : 'FAILURE';
		return { requestStatus, errorInfo: { errorCounts } };
	}
}
