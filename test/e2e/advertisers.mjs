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
const EVENT_NAMES =
	'LeadSubmitted QualifiedLead Purchase InitiateCheckout AddToCart ViewContent OrderCreated OrderShipped OrderDelivered OrderCanceled OrderReturned CartAbandoned RatingProvided ReviewProvided';
const inChat = ({ action_source: source }) => source === 'business_messaging';
const change = (path, value) => (event) => {
	const changed = structuredClone(event);
	const keys = path.split('.');
	const last = keys.pop();
	let owner = changed;
	for (const key of keys) owner = owner[key] ??= {};
	owner[last] = value;
	return changed;
};

/**
 * A rule for one event or row.
 * @typedef {object} Rule
 * @property {string} name
 * @property {string} page with its date
 * @property {(event: any, context: {now: number, dataset?: string}) => boolean} isBroken `now` in seconds
 * @property {(event: any) => any} breaking makes an event that breaks it of one that does not
 * @property {number} [subcode] of Meta's answer
 */

/** @type {Rule[]} */
export const META_RULES = [
	{
		name: 'Event Timestamp Too Old',
		page: 'CAPI/parameters/server-event (12 Feb 2026), CAPI/offline-events (5 Jan 2026); the subcode as other projects quote it',
		subcode: 2804003,
		isBroken: ({ event_time: time, action_source: source }, { now }) =>
			time < now - (source === 'physical_store' ? 62 : 7) * DAY_S,
		breaking: change('event_time', 1),
	},
	{
		name: 'Unknown action source',
		page: 'CAPI/parameters/server-event (12 Feb 2026)',
		isBroken: ({ action_source: source }) =>
			!/^(website|email|phone_call|chat|other|app|system_generated|physical_store|business_messaging)$/.test(
				source,
			),
		breaking: change('action_source', 'whatsapp'),
	},
	{
		name: 'Not enough customer information',
		page: 'CAPI/parameters/customer-information-parameters (9 Jan 2026): at least one key; that external_id is not enough is not verified',
		subcode: 2804050,
		isBroken: ({ user_data: { em, ph, fbc, lead_id: lead, ctwa_clid: click } }) =>
			!(em ?? ph ?? fbc ?? lead ?? click),
		breaking: change('user_data', { external_id: ['0'.repeat(64)] }),
	},
	{
		name: 'Customer information is not hashed',
		page: 'CAPI/parameters/customer-information-parameters (9 Jan 2026)',
		isBroken: ({ user_data: user }) =>
			['em', 'ph', 'fn', 'ln', 'external_id'].some(
				(key) => user[key] && ![user[key]].flat().every(isHash),
			),
		breaking: change('user_data.em', ['ana@example.com']),
	},
	{
		name: 'A purchase needs a value and a currency',
		page: 'CAPI/parameters/customer-information-parameters (9 Jan 2026)',
		isBroken: ({ event_name: name, custom_data: custom }) =>
			name === 'Purchase' &&
			!(typeof custom?.value === 'number' && /^[A-Z]{3}$/.test(custom.currency)),
		breaking: change('custom_data.currency', undefined),
	},
	{
		name: 'The value of a purchase is negative',
		page: 'not verified',
		isBroken: ({ custom_data: custom }) => custom?.value < 0,
		breaking: change('custom_data.value', -1),
	},
	{
		name: 'ctwa_clid and whatsapp_business_account_id are required',
		page: 'CAPI/business-messaging, quoted in facebook-nodejs-business-sdk #305',
		subcode: 2804087,
		isBroken: (event) =>
			inChat(event) &&
			!(
				event.messaging_channel === 'whatsapp' &&
				event.user_data.ctwa_clid &&
				event.user_data.whatsapp_business_account_id === WHATSAPP.account
			),
		breaking: change('action_source', 'business_messaging'),
	},
	{
		name: 'The event name is not allowed for messaging',
		page: 'CAPI/business-messaging; the subcode as other projects quote it',
		subcode: 2804066,
		isBroken: (event) => inChat(event) && !EVENT_NAMES.split(' ').includes(event.event_name),
		breaking: (event) => ({
			...change('action_source', 'business_messaging')(event),
			messaging_channel: 'whatsapp',
			event_name: 'Lead',
			user_data: { ctwa_clid: 'ARA1', whatsapp_business_account_id: WHATSAPP.account },
		}),
	},
	{
		name: 'Messaging events belong into the dataset of their account',
		page: 'CAPI/business-messaging, as three other projects describe it',
		isBroken: (event, { dataset }) => inChat(event) && dataset === DATASET,
		breaking: (event) => ({
			...change('action_source', 'business_messaging')(event),
			messaging_channel: 'whatsapp',
			user_data: { ctwa_clid: 'ARA1', whatsapp_business_account_id: WHATSAPP.account },
		}),
	},
];

const userIdentifiers = ({ userData }) => userData?.userIdentifiers ?? [];
const SEND_EVENTS = 'DM/reference/rest/v1/events/ingest (release 1.8, 30 Jul 2026)';

/** @type {Rule[]} */
export const DATA_MANAGER_RULES = [
	{
		name: 'eventTimestamp',
		page: `${SEND_EVENTS}: RFC 3339, required`,
		isBroken: ({ eventTimestamp: time }) =>
			!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(time),
		breaking: change('eventTimestamp', '2026-11-20 14:30:00-0300'),
	},
	{
		name: 'eventSource',
		page: `${SEND_EVENTS}; that it is required as other projects quote it`,
		isBroken: ({ eventSource }) => !/^(WEB|APP|IN_STORE|PHONE|MESSAGE|OTHER)$/.test(eventSource),
		breaking: change('eventSource', undefined),
	},
	{
		name: 'userData or adIdentifiers',
		page: `${SEND_EVENTS}: at least one of them`,
		isBroken: (event) =>
			userIdentifiers(event).length === 0 &&
			!Object.keys(event.adIdentifiers ?? {}).some((key) => /^(gclid|gbraid|wbraid)$/.test(key)),
		breaking: ({ userData, adIdentifiers, ...event }) => event,
	},
	{
		name: 'userIdentifiers',
		page: 'DM/devguides/concepts/formatting; DM/devguides/limits: 10 of an event',
		isBroken: (event) =>
			userIdentifiers(event).length > 10 ||
			!userIdentifiers(event).every((each) => {
				const [[key, value], ...more] = Object.entries(each);
				return /^(emailAddress|phoneNumber)$/.test(key) && isHash(value) && more.length === 0;
			}),
		breaking: change('userData', { userIdentifiers: [{ emailAddress: 'ana@example.com' }] }),
	},
	{
		name: 'transactionId',
		page: 'https://support.google.com/google-ads/answer/6386790: 64 characters, of the order ID of files; that it holds here is not verified',
		isBroken: ({ transactionId }) => !(transactionId?.length <= 64),
		breaking: change('transactionId', 'x'.repeat(65)),
	},
	{
		name: 'conversionValue',
		page: `${SEND_EVENTS}: a number; that it is not negative is not verified`,
		isBroken: ({ conversionValue: value }) => !(typeof value === 'number' && value >= 0),
		breaking: change('conversionValue', '1500.50'),
	},
];

const FILE = 'https://support.google.com/google-ads/answer/7014069 (no date)';

/** @type {Rule[]} */
export const FILE_RULES = [
	{
		name: 'Conversion Time has another form',
		page: FILE,
		isBroken: (row) => !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d{4}$/.test(row['Conversion Time']),
		breaking: change('Conversion Time', '2026-11-20 14:30:00-03:00'),
	},
	{
		name: 'Order ID is too long',
		page: 'https://support.google.com/google-ads/answer/6386790 (no date)',
		isBroken: (row) => !(row['Order ID']?.length <= 64),
		breaking: change('Order ID', 'x'.repeat(65)),
	},
	{
		name: 'Nobody to match',
		page: FILE,
		isBroken: (row) => !(row.Email || row['Phone Number'] || row['Google Click ID']),
		breaking: (row) => ({ ...row, Email: '', 'Phone Number': '' }),
	},
	{
		name: 'The conversion is in the future',
		page: FILE,
		isBroken: (row, { now }) =>
			Date.parse(row['Conversion Time']?.replace(' ', 'T').replace(/(\d\d)$/, ':$1')) > now * 1000,
		breaking: change('Conversion Time', '2099-11-20 14:30:00-0300'),
	},
];

const error = (status, more) => ({
	status,
	body: { error: { type: 'OAuthException', fbtrace_id: 'AbCdEfGhIjK', ...more } },
});

/**
 * Meta refuses a request with an event that breaks a rule, and drops an event with the name and ID of one of the last 48 hours, unless
 * it is after a click into WhatsApp. CAPI/using-the-api (6 Feb 2026), CAPI/deduplicate-pixel-and-server-events (28 Jun
 * 2026): that page speaks of one event from the pixel and one from the API; two from the API are taken to be the same.
 * Test events are counted as well (CAPI/using-the-api).
 */
export class Meta {
	/** In seconds; a test moves it. */
	now = 0;
	/** How many events each request had. */
	attempts = [];
	/** The events that are counted. */
	counted = [];
	/** Answers instead, if it returns something. */
	instead = () => undefined;
	/** Whether an event is refused for another reason than a rule. */
	refuses = () => false;
	/** Whether a refused request counts its valid events: yes by text of 17 Jul 2026, no by older text (not verified). */
	keepsValid = false;
	/** Called once when a request is taken and not yet answered. */
	taken = undefined;
	#seen = new Map();

	answer = async ({ method, path, query, json }) => {
		if (query.access_token !== 'meta-token') {
			return error(400, { message: 'Invalid OAuth access token', code: 190 });
		}
		if (method === 'GET' && path === '/v26.0/me') return { body: { id: '1' } };
		const [, dataset] = /^\/v26\.0\/(\d+)\/events$/.exec(path) ?? [];
		if (method !== 'POST' || ![DATASET, WHATSAPP.dataset].includes(dataset)) {
			const message = `Unsupported request: ${method} ${path}`;
			return error(400, { message, code: 100, error_subcode: 33 });
		}
		const instead = this.instead();
		if (instead) return instead;
		const { data, test_event_code: testCode } = json;
		this.attempts.push(data.length);
		const rule = this.#broken(data, dataset);
		if (rule) {
			const valid = data.filter((event) => !this.#broken([event], dataset));
			if (this.keepsValid) for (const event of valid) this.#count(event, testCode);
			const { name, subcode } = rule;
			const message = 'Invalid parameter';
			return error(400, { message, code: 100, error_subcode: subcode, error_user_msg: name });
		}
		for (const event of data) this.#count(event, testCode);
		const { taken } = this;
		this.taken = undefined;
		await taken?.();
		return { body: { events_received: data.length, messages: [], fbtrace_id: 'AbCdEfGhIjK' } };
	};

	#broken(data, dataset) {
		// CAPI/using-the-api (6 Feb 2026)
		if (data.length > 1000) return { name: 'Too many events in one request', subcode: 2804009 };
		const context = { now: Date.now() / 1000, dataset };
		if (data.some((event) => this.refuses(event))) return { name: 'Not this one' };
		return META_RULES.find(({ isBroken }) => data.some((event) => isBroken(event, context)));
	}

	#count(event, testCode) {
		const key = `${event.event_name} ${event.event_id}`;
		const before = this.#seen.get(key);
		if (inChat(event) || before === undefined || this.now - before >= 2 * DAY_S) {
			this.counted.push({ ...event, ...(testCode && { testCode }) });
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
		const taken = this.records.filter(
			(row) => !FILE_RULES.some(({ isBroken }) => isBroken(row, context)),
		);
		const ids = taken.map((row) => row['Order ID']);
		this.counted = [...new Set([...this.counted, ...ids])];
	}
}

/** DM/reference/rest/v1/events/ingest and requestStatus/retrieve; a request is refused as a whole. */
export class DataManager {
	/** The events that were accepted, by the ID of their request. @type {Map<string, any[]>} */
	accepted = new Map();
	/** What each request was, `validate` or `send`. */
	calls = [];
	/** What becomes of an event: undefined while it is processed, else a reason, or `SUCCESS`. */
	outcome = () => 'SUCCESS';
	/** Whether an event is refused for another reason than a rule. */
	refuses = () => false;
	/** Warnings for an event. */
	warnings = () => [];
	/** How many requests were stated to have failed. */
	#failed = 0;
	/** Knows no more of the request with an event. */
	forget = (transactionId) => {
		for (const [id, events] of this.accepted) {
			if (events.some((event) => event.transactionId === transactionId)) this.accepted.delete(id);
		}
	};
	answer = async ({ method, path, query, headers, json }) => {
		if (headers.authorization !== 'Bearer google-token') {
			return this.#error(401, 'UNAUTHENTICATED', 'Request is missing a valid credential');
		}
		if (method === 'GET' && path === '/v1/requestStatus:retrieve') {
			const events = this.accepted.get(query.requestId);
			if (!events) return this.#error(404, 'NOT_FOUND', 'The request was not found');
			return { body: { requestStatusPerDestination: [this.#status(events)] } };
		}
		assert.equal(`${method} ${path}`, 'POST /v1/events:ingest');
		const { events, validateOnly, destinations, encoding, consent } = json;
		this.calls.push(validateOnly ? 'validate' : 'send');
		const fields = [
			...this.#violations(destinations, encoding, consent),
			...events.flatMap((event, n) => {
				const broken = DATA_MANAGER_RULES.filter(({ isBroken }) => isBroken(event, {}));
				const names = broken.map(({ name }) => name);
				return [...names, ...(this.refuses(event) ? ['currency'] : [])].map(
					(name) => `events[${n}].${name}`,
				);
			}),
			// DM/devguides/limits
			...(events.length > 2000 ? ['events'] : []),
		];
		if (fields.length > 0) {
			const fieldViolations = fields.map((field) => ({ field, description: 'is not valid' }));
			const details = [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }];
			return this.#error(400, 'INVALID_ARGUMENT', 'There was a problem with the request.', details);
		}
		const fieldWarnings = events.flatMap((event) => this.warnings(event));
		if (validateOnly) return { body: { fieldWarnings } };
		const requestId = `request-${this.calls.length}`;
		this.accepted.set(requestId, events);
		return { body: { requestId, fieldWarnings } };
	};

	*#violations([destination, ...more], encoding, consent) {
		const { operatingAccount: account, productDestinationId: action } = destination;
		if (account?.accountType !== 'GOOGLE_ADS' || !/^\d+$/.test(account.accountId)) {
			yield 'destinations[0].operatingAccount';
		}
		if (!/^\d+$/.test(action) || more.length > 9) yield 'destinations[0].productDestinationId';
		if (encoding !== 'HEX') yield 'encoding';
		const known = /^CONSENT_(GRANTED|DENIED)$/;
		if (Object.values(consent ?? {}).some((each) => !known.test(each))) yield 'consent';
	}

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

	#error(code, status, message, details = []) {
		return { status: code, body: { error: { code, message, status, details } } };
	}
}
