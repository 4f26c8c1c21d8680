/**
 * Stand-ins for Meta's Conversions API and Google's Data Manager API: how they answer, not what they demand of an event
 * (test/pure/conversion.test.mts). CAPI is https://developers.facebook.com/documentation/ads-commerce/conversions-api, DM is
 * https://developers.google.com/data-manager/api.
 */
import assert from 'node:assert/strict';

import type { StandInAnswer, StandInRequest } from '../../scripts/lib/stand-ins.mts';

export const DATASET = '1234567890';
export const WHATSAPP = { account: '102290129340398', dataset: '5550001' };
export const SHEET = { document: 'sheet-of-the-tests', title: 'Conversions' };

/** What is read of an event that Meta gets. */
export interface MetaEvent {
	event_id: string;
	event_name: string;
	action_source: string;
	user_data: Record<string, unknown>;
	custom_data: { value?: number };
}

const error = (status: number, more: object): StandInAnswer => ({
	status,
	body: { error: { type: 'OAuthException', fbtrace_id: 'AbCdEfGhIjK', ...more } },
});

/** How long Meta drops an event with an ID and a name that it has. CAPI/deduplicate-pixel-and-server-events (28 Jun 2026) */
const DEDUPLICATES_MS = 48 * 3_600_000;

/** Drops what it has, except after {@link DEDUPLICATES_MS}. */
export class Meta {
	now: () => number = Date.now;
	readonly #countedAt = new Map<string, number>();
	/** How many events each request had. */
	attempts: number[] = [];
	/** The IDs of all events that came, also of those that were refused. */
	received: string[] = [];
	/** The events that are counted. */
	counted: MetaEvent[] = [];
	/** Answers instead, if it returns something. */
	instead: () => StandInAnswer | undefined = () => undefined;
	/** Whether an event is refused for another reason than a rule. */
	refuses: (event: MetaEvent) => boolean = () => false;
	/** Called once when a request is taken and not yet answered. */
	taken: (() => Promise<void>) | undefined = undefined;

	answer = async ({
		method,
		path,
		query,
		json,
	}: StandInRequest<{ data: MetaEvent[] }>): Promise<StandInAnswer> => {
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
		const why = refusals.find(Boolean);
		// Whether a refused request counts its valid events: yes by text of 17 Jul 2026, no by older text (not verified).
		if (!why) for (const event of data) this.#count(event);
		if (why) return error(400, { message: 'Invalid parameter', code: 100, error_user_msg: why });
		const { taken } = this;
		this.taken = undefined;
		await taken?.();
		return { body: { events_received: data.length, messages: [], fbtrace_id: 'AbCdEfGhIjK' } };
	};

	/** The counted events with an ID. */
	eventsOf = (id: string) => this.counted.filter(({ event_id }) => event_id === id);

	#refusal(event: MetaEvent, dataset: string): string | undefined {
		if (this.refuses(event)) return 'Not this one';
		// Of WhatsApp, to the dataset of its account: CAPI/business-messaging, as three other projects describe it
		const isOfChat = event.action_source === 'business_messaging';
		return isOfChat === (dataset === DATASET) ? 'Not in this dataset' : undefined;
	}

	#count(event: MetaEvent): void {
		const first = this.#countedAt.get(event.event_id) ?? -Infinity;
		if (this.now() - first < DEDUPLICATES_MS) return;
		this.#countedAt.set(event.event_id, this.now());
		this.counted.push(event);
	}
}

/** What is read of an event that Google gets. */
interface GoogleEvent {
	transactionId: string;
}
interface Ingestion {
	events: GoogleEvent[];
	destinations: Array<{
		operatingAccount: { accountType: string; accountId: string };
		productDestinationId: string;
	}>;
	encoding: string;
}

function googleError(
	code: number,
	status: string,
	message: string,
	fieldViolations: object[] = [],
): StandInAnswer {
	const details = [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }];
	return { status: code, body: { error: { code, message, status, details } } };
}

/** DM/reference/rest/v1/events/ingest and requestStatus/retrieve; a request is refused as a whole. */
export class DataManager {
	/** The events that were accepted, by the ID of their request. */
	accepted = new Map<string, GoogleEvent[]>();
	/** How many events each request had. */
	calls: number[] = [];
	/** What becomes of an event: undefined while it is processed, else a reason, or `SUCCESS`. */
	outcome: (event: GoogleEvent) => string | undefined = () => 'SUCCESS';
	/** Whether an event is refused for another reason than a rule. */
	refuses: (event: GoogleEvent) => boolean = () => false;
	/** Warnings for an event. */
	warnings: (event: GoogleEvent) => object[] = () => [];
	/** How many requests were stated to have failed. */
	#failed = 0;
	/** Whether the request with an event is unknown afterwards. */
	loses: (event: GoogleEvent) => boolean = () => false;
	answer = ({ method, path, query, headers, json }: StandInRequest<Ingestion>): StandInAnswer => {
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
			const field = `events[${n}].currency`;
			return this.refuses(event) ? { field, description: 'is not valid' } : [];
		});
		if (refused.length > 0) {
			return googleError(400, 'INVALID_ARGUMENT', 'There was a problem with the request.', refused);
		}
		const fieldWarnings = events.flatMap((event) => this.warnings(event));
		const requestId = `request-${this.calls.length}`;
		this.accepted.set(requestId, events);
		return { body: { requestId, fieldWarnings } };
	};

	#status(events: GoogleEvent[]): object {
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
